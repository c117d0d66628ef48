# SPDX-License-Identifier: Apache-2.0
"""A SuperKernel through the calls of acl: loaded, found and launched like any other; and captures, in C's names."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from host import argument_list, launch, message, ok, read, write
from steps import fill, packed
from test_args_placeholders import Affine, expected, tiling

import acl
from aclimb import KernelBinary, capi
from aclimb.fuse import Member, fuse

Malloc = Callable[[int], int]
Find = Callable[[str], int]
COUNT = 8


@pytest.fixture
def fused(device: int, kernels: dict[str, Path], tmp_path: Path) -> Iterator[int]:
    """Two of fill_index: a function handle."""
    member = Member(KernelBinary.read(kernels["fill_index"]), COUNT, "fill_index")
    binary = ok(acl.rt.binary_load_from_file(str(fuse([member, member], name="twice").save(tmp_path / "twice.o")), []))
    yield ok(acl.rt.binary_get_function(binary, "twice"))
    acl.rt.binary_unload(binary)


@pytest.mark.requirement("sk-6")
def test_every_launch_runs_a_superkernel(malloc: Malloc, stream: int, fused: int) -> None:
    out = [malloc(4 * COUNT) for _ in range(2)]

    def check() -> None:
        ok(acl.rt.synchronize_stream(stream))
        for address in out:
            assert read(address, COUNT).tolist() == list(range(COUNT))
            ok(acl.rt.memset(address, 4 * COUNT, 0, 4 * COUNT))

    assert launch(fused, COUNT, stream, *out) == 0
    check()
    block = packed(*out)
    assert acl.rt.launch_kernel_with_host_args(fused, COUNT, stream, [], block.ctypes.data, block.nbytes, [], 0) == 0
    check()
    args = malloc(16)
    write(args, block)
    assert acl.rt.launch_kernel(fused, COUNT, args, 16, stream) == 0
    check()
    assert capi.aclrtLaunchKernelV2(fused, COUNT, args, 16, None, stream) == 0
    check()
    cells = [np.array([each], np.uint64) for each in out]
    assert capi.aclrtLaunchKernelWithArgsArray(fused, COUNT, stream, None, [each.ctypes.data for each in cells]) == 0
    check()
    assert acl.rt.launch_kernel_with_config(fused, COUNT, stream, [], argument_list(fused, *out), 0) == 0
    check()


def test_a_superkernel_has_its_own_block_count(malloc: Malloc, stream: int, fused: int) -> None:
    assert launch(fused, COUNT - 1, stream, malloc(64), malloc(64)) == 107000
    assert "twice is a SuperKernel of 8 blocks; 7 asked for" in message()
    assert ok(capi.aclrtGetFunctionAttribute(fused, 2)) == 1  # one AIV a block
    assert ok(capi.aclrtGetFunctionSize(fused)) == (0, 0)


@pytest.mark.requirement("host-155")
def test_a_captured_launch_runs_when_its_model_does(malloc: Malloc, stream: int, function: Find) -> None:
    out = malloc(16)
    ok(acl.rt.memset(out, 16, 255, 16))
    ok(capi.aclmdlRICaptureBegin(stream, 0))
    assert ok(capi.aclmdlRICaptureGetInfo(stream)) == (1, 0)
    assert launch(function("fill_index"), 4, stream, out) == 0
    assert acl.rt.synchronize_stream(stream) == 107027
    assert "being captured" in message()
    model = ok(capi.aclmdlRICaptureEnd(stream))
    assert read(out, 4).tolist() == [-1] * 4
    for run in (lambda: capi.aclmdlRIExecuteAsync(model, stream), lambda: capi.aclmdlRIExecute(model, -1)):
        ok(run())
        ok(acl.rt.synchronize_stream(stream))
        assert read(out, 4).tolist() == [0, 1, 2, 3]
        ok(acl.rt.memset(out, 16, 255, 16))
    ok(capi.aclmdlRIDestroy(model))
    assert capi.aclmdlRIExecuteAsync(model, stream) == 107017
    assert "is not a model that is alive: it was destroyed, or never was one" in message()


@pytest.mark.requirement("host-156")
def test_tasks_of_a_group_are_updated_with_tasks_of_their_kind(
    malloc: Malloc, stream: int, new_stream: Callable[[], int], function: Find
) -> None:
    out, other, aside = malloc(16), malloc(16), new_stream()
    ok(capi.aclmdlRICaptureBegin(stream, 2))
    ok(capi.aclmdlRICaptureTaskGrpBegin(stream))
    assert launch(function("fill_index"), 4, stream, out) == 0
    group = ok(capi.aclmdlRICaptureTaskGrpEnd(stream))
    model = ok(capi.aclmdlRICaptureEnd(stream))
    ok(capi.aclmdlRICaptureTaskUpdateBegin(aside, group))
    assert capi.aclmdlRICaptureTaskUpdateEnd(aside) == 107040
    assert "the group has 1 tasks and 0 are given" in message()
    ok(capi.aclmdlRICaptureTaskUpdateBegin(aside, group))
    assert launch(function("fill_index"), 2, aside, other) == 0
    ok(capi.aclmdlRICaptureTaskUpdateEnd(aside))
    ok(capi.aclmdlRIExecuteAsync(model, stream))
    ok(acl.rt.synchronize_stream(stream))
    assert read(out, 4).tolist() == [0] * 4
    assert read(other, 4).tolist() == [0, 1, 0, 0]
    ok(capi.aclmdlRIDestroy(model))


def test_capture_calls_say_what_is_wrong(stream: int) -> None:
    assert capi.aclmdlRICaptureEnd(stream)[-1] == 107029
    assert capi.aclmdlRICaptureBegin(stream, 5) == 107000
    assert capi.aclmdlRICaptureBegin(0, 0) == 107031
    assert capi.aclmdlRICaptureTaskGrpBegin(stream) == 107029
    assert capi.aclmdlRICaptureTaskUpdateEnd(stream) == 207000
    assert ok(capi.aclmdlRICaptureThreadExchangeMode(2)) == 0
    assert ok(capi.aclmdlRICaptureThreadExchangeMode(0)) == 2
    assert "the stream is not being captured" in message()


def filled(malloc: Malloc, function: Find, scale: float) -> Affine:
    made = Affine(malloc, function)
    fill(made.buffer(), tiling(scale))
    made.finalize()
    return made


@pytest.mark.requirement("host-156")
def test_an_updated_task_keeps_the_data_of_its_placeholders(
    malloc: Malloc, stream: int, new_stream: Callable[[], int], function: Find
) -> None:
    aside = new_stream()
    ok(capi.aclmdlRICaptureBegin(stream, 2))
    ok(capi.aclmdlRICaptureTaskGrpBegin(stream))
    ok(filled(malloc, function, 2.0).launch(stream))
    group = ok(capi.aclmdlRICaptureTaskGrpEnd(stream))
    model = ok(capi.aclmdlRICaptureEnd(stream))
    ok(capi.aclmdlRICaptureTaskUpdateBegin(aside, group))
    updated = filled(malloc, function, 3.0)
    ok(updated.launch(aside))
    ok(capi.aclmdlRICaptureTaskUpdateEnd(aside))
    ok(filled(malloc, function, 4.0).launch(aside))  # takes what was given back, if anything was
    ok(acl.rt.synchronize_stream(aside))
    ok(capi.aclmdlRIExecuteAsync(model, stream))
    ok(acl.rt.synchronize_stream(stream))
    assert updated.result() == expected(3.0)
    ok(capi.aclmdlRIDestroy(model))


def test_the_tasks_of_a_model_are_written_for_a_tracing_page(malloc: Malloc, stream: int, function: Find, tmp_path: Path) -> None:
    out = malloc(4 * COUNT)
    ok(capi.aclmdlRICaptureBegin(stream, 0))
    for blocks in (COUNT, 2):
        assert launch(function("fill_index"), blocks, stream, out) == 0
    model = ok(capi.aclmdlRICaptureEnd(stream))
    file = tmp_path / "model.json"
    assert capi.aclmdlRIDebugJsonPrint(model, str(file), 0) == 0
    events = json.loads(file.read_text())["traceEvents"]
    assert [(each["name"], each["ph"], each["args"]["Task Id"], each["args"]["numBlocks"]) for each in events] == [
        ("fill_index", "X", 0, COUNT),
        ("fill_index", "X", 1, 2),
    ]
    assert len({(each["pid"], each["tid"]) for each in events}) == 1
    assert "args" not in events[0]["args"]
    assert capi.aclmdlRIDebugJsonPrint(model, str(file), 1) == 0
    assert json.loads(file.read_text())["traceEvents"][0]["args"]["args"] == packed(out).tobytes().hex()
    assert capi.aclmdlRIDebugJsonPrint(model, str(file), 2) == 107000
    assert message().endswith("flags is 2; it takes 0 (summary) or 1 (with arguments)")
    assert capi.aclmdlRIDebugJsonPrint(model, str(tmp_path / "no" / "model.json"), 0) == 107000
    assert "model.json cannot be written: No such file or directory; choose another place" in message()
    assert capi.aclmdlRIDebugJsonPrint(model, None, 0) == 100000
    ok(capi.aclmdlRIDestroy(model))
