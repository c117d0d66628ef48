# SPDX-License-Identifier: Apache-2.0
"""Copies and fills between captured launches: they move what lies there when the model runs, in their place among the launches."""

from __future__ import annotations

import ctypes
import json
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from host import DEVICE_TO_HOST, HOST_TO_DEVICE, launch, message, ok, read, write
from steps import packed

import acl
from aclimb import capi

Malloc = Callable[[int], int]
Find = Callable[[str], int]
COUNT = 8
SIZE = 4 * COUNT
DEVICE_TO_DEVICE, STAGED = 3, 5


@pytest.fixture
def host(device: int) -> Iterator[np.ndarray]:
    """Page-locked memory, as COUNT numbers."""
    address = ok(acl.rt.malloc_host(SIZE))
    yield np.ctypeslib.as_array(ctypes.cast(address, ctypes.POINTER(ctypes.c_uint32)), (COUNT,))
    ok(acl.rt.free_host(address))


def copy(dst: int, src: int, kind: int, stream: int) -> int:
    return int(acl.rt.memcpy_async(dst, SIZE, src, SIZE, kind, stream))


def run(model: int, stream: int) -> None:
    ok(capi.aclmdlRIExecuteAsync(model, stream))
    ok(acl.rt.synchronize_stream(stream))


@pytest.mark.requirement("host-155")
def test_copies_and_fills_keep_their_place_among_launches(
    malloc: Malloc, stream: int, function: Find, host: np.ndarray, tmp_path: Path
) -> None:
    first, filled, second = (malloc(SIZE) for _ in range(3))
    host[:] = 100
    ok(capi.aclmdlRICaptureBegin(stream, 0))
    assert copy(first, host.ctypes.data, HOST_TO_DEVICE, stream) == 0
    assert acl.rt.memset_async(filled, SIZE, 0xAB, SIZE, stream) == 0
    assert launch(function("fill_index"), COUNT, stream, filled) == 0  # over the fill
    assert copy(second, first, DEVICE_TO_DEVICE, stream) == 0
    assert launch(function("fill_index"), COUNT, stream, first) == 0  # behind the copy from there
    assert copy(host.ctypes.data, first, DEVICE_TO_HOST, stream) == 0
    model = ok(capi.aclmdlRICaptureEnd(stream))
    assert host.tolist() == [100] * COUNT
    for value in (100, 200):
        host[:] = value
        ok(acl.rt.memset(filled, SIZE, 0, SIZE))
        run(model, stream)
        assert host.tolist() == list(range(COUNT))
        assert read(second, COUNT).tolist() == [value] * COUNT
        assert read(filled, COUNT).tolist() == list(range(COUNT))
    ok(capi.aclmdlRIDebugJsonPrint(model, str(tmp_path / "model.json"), 0))
    events = json.loads((tmp_path / "model.json").read_text())["traceEvents"]
    assert [each["name"] for each in events] == [
        "MEMCPY_ASYNC", "MEMSET_ASYNC", "fill_index", "MEMCPY_ASYNC", "fill_index", "MEMCPY_ASYNC"
    ]  # fmt: skip
    assert [each["args"].get("size") for each in events] == [SIZE, SIZE, None, SIZE, None, SIZE]
    ok(capi.aclmdlRIDestroy(model))


def test_pageable_memory_and_staged_copies_cannot_be_captured(malloc: Malloc, stream: int, host: np.ndarray) -> None:
    device, pageable = malloc(SIZE), np.zeros(COUNT, np.uint32)
    ok(capi.aclmdlRICaptureBegin(stream, 0))
    assert copy(device, pageable.ctypes.data, HOST_TO_DEVICE, stream) == 107030
    assert "pageable host memory" in message()
    assert copy(pageable.ctypes.data, device, DEVICE_TO_HOST, stream) == 107030
    assert message().endswith("which a captured copy cannot use; take it from malloc_host")
    assert copy(device, host.ctypes.data, STAGED, stream) == 107030
    assert message().endswith("kind 5 copies host to device, staged, which cannot be captured; use kind 1")
    assert capi.aclrtMemsetD32Async(device, SIZE, 7, COUNT, stream) == 107027
    model = ok(capi.aclmdlRICaptureEnd(stream))
    ok(capi.aclmdlRIDestroy(model))
    assert copy(device, host.ctypes.data, HOST_TO_DEVICE, stream) == 0


def test_memory_that_is_gone_is_told_when_the_model_runs(stream: int, host: np.ndarray, device: int) -> None:
    gone = ok(acl.rt.malloc(SIZE, 0))
    ok(capi.aclmdlRICaptureBegin(stream, 0))
    assert copy(gone, host.ctypes.data, HOST_TO_DEVICE, stream) == 0
    model = ok(capi.aclmdlRICaptureEnd(stream))
    ok(acl.rt.free(gone))
    assert capi.aclmdlRIExecuteAsync(model, stream) == 107000
    assert f"{SIZE} bytes at 0x{gone:x} cannot be used: that is" in message()
    ok(capi.aclmdlRIDestroy(model))


def test_a_stream_that_only_copies_is_led_back_too(malloc: Malloc, stream: int, host: np.ndarray) -> None:
    there, target = ok(acl.rt.create_stream()), malloc(SIZE)
    go, back = ok(acl.rt.create_event()), ok(acl.rt.create_event())
    host[:] = 5

    def captured(leads_back: bool) -> int:
        ok(capi.aclmdlRICaptureBegin(stream, 0))
        ok(acl.rt.record_event(go, stream))
        ok(acl.rt.stream_wait_event(there, go))
        if not leads_back:  # the way back comes before what it should lead back
            ok(acl.rt.record_event(back, there))
        assert copy(target, host.ctypes.data, HOST_TO_DEVICE, there) == 0
        if leads_back:
            ok(acl.rt.record_event(back, there))
        ok(acl.rt.stream_wait_event(stream, back))
        return capi.aclmdlRICaptureEnd(stream)

    assert captured(leads_back=False)[-1] == 107025
    assert "1 streams that events pulled into the capture were not led back" in message()
    model = ok(captured(leads_back=True))
    run(model, stream)
    assert read(target, COUNT).tolist() == [5] * COUNT
    ok(capi.aclmdlRIDestroy(model))
    for event in (go, back):
        ok(acl.rt.destroy_event(event))
    ok(acl.rt.destroy_stream(there))


def test_an_update_takes_launches_only(malloc: Malloc, stream: int, function: Find, host: np.ndarray) -> None:
    out, aside = malloc(SIZE), ok(acl.rt.create_stream())
    ok(capi.aclmdlRICaptureBegin(stream, 0))
    ok(capi.aclmdlRICaptureTaskGrpBegin(stream))
    assert launch(function("fill_index"), COUNT, stream, out) == 0
    group = ok(capi.aclmdlRICaptureTaskGrpEnd(stream))
    model = ok(capi.aclmdlRICaptureEnd(stream))
    ok(capi.aclmdlRICaptureTaskUpdateBegin(aside, group))
    assert copy(out, host.ctypes.data, HOST_TO_DEVICE, aside) == 0
    assert capi.aclmdlRICaptureTaskUpdateEnd(aside) == 107040
    assert message().endswith("an update has a copy or a fill; only launches can be updated")
    write(out, packed(0))
    run(model, stream)
    assert read(out, COUNT).tolist() == list(range(COUNT))
    ok(capi.aclmdlRIDestroy(model))
    ok(acl.rt.destroy_stream(aside))
