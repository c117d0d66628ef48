# SPDX-License-Identifier: Apache-2.0
"""Host time of acl's calls: argument lists, launches, events, copies, and a call that only answers."""

from __future__ import annotations

import ctypes
import tempfile
import time
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

import acl
from aclimb import Program
from benchmarks.bench_instructions import KERNELS
from benchmarks.harness import Row, bench, best, median

HOST_TO_DEVICE = 1
COPY_BYTES = 64 << 20


def ok(result: Any) -> Any:
    *values, ret = result if isinstance(result, tuple) else (result,)
    if ret:
        raise RuntimeError(f"{ret}: {acl.get_recent_err_msg()}")
    return values[0] if values else None


@bench("host")
def host() -> Iterable[Row]:
    ok(acl.rt.set_device(0))
    stream = ok(acl.rt.create_stream())
    with tempfile.TemporaryDirectory() as folder:
        binary = ok(acl.rt.binary_load_from_file(str(Program(KERNELS / "host.cpp").compile().save(folder)), []))
    function = ok(acl.rt.binary_get_function(binary, "four_parameters"))
    yield from _calls(function, stream)
    yield from _rate(function, stream)
    yield from _events(stream)
    yield from _copies()
    ok(acl.rt.binary_unload(binary))
    ok(acl.rt.destroy_stream(stream))
    ok(acl.rt.reset_device(0))


def build_list(function: int, values: list[tuple[int, int]]) -> int:
    args: int
    args, _ = acl.rt.kernel_args_init(function)
    for address, size in values:
        acl.rt.kernel_args_append(args, address, size)
    acl.rt.kernel_args_finalize(args)
    return args


def _values() -> tuple[list[tuple[int, int]], list[Any]]:
    kept = [ctypes.c_uint64(0), ctypes.c_uint64(0), ctypes.c_uint64(0), ctypes.c_uint32(7)]
    return [(ctypes.addressof(each), ctypes.sizeof(each)) for each in kept], kept


def _calls(function: int, stream: int) -> Iterable[Row]:
    values, kept = _values()
    launch = acl.rt.launch_kernel_with_config
    args = build_list(function, values)
    yield Row("host.launch_prepared_list", _enqueued(lambda: launch(function, 1, stream, [], args, 0), stream) * 1e6, "us", 3)

    def whole() -> None:
        launch(function, 1, stream, [], build_list(function, values), 0)

    yield Row("host.list_and_launch", _enqueued(whole, stream) * 1e6, "us", 10, note="init, 4 appends, finalise, launch")
    yield Row("host.value_only", best(acl.rt.get_run_mode, rounds=20, inner=2000, pause=0.05) * 1e6, "us", 0.3, note="get_run_mode")
    del kept


def _enqueued(run: Callable[[], Any], stream: int, count: int = 200) -> float:
    """Median host time of a call that queues; the queue is empty at the start and never full."""
    times = []
    for _ in range(30):
        started = time.perf_counter()
        for _ in range(count):
            run()
        times.append((time.perf_counter() - started) / count)
        ok(acl.rt.synchronize_stream(stream))
    return median(times)


def _rate(function: int, stream: int) -> Iterable[Row]:
    values, kept = _values()
    args, launch, count = build_list(function, values), acl.rt.launch_kernel_with_config, 200_000
    started = time.perf_counter()
    for _ in range(count):
        launch(function, 1, stream, [], args, 0)
    ok(acl.rt.synchronize_stream(stream))
    rate = count / (time.perf_counter() - started)
    yield Row("host.launch_rate", rate / 1000, "thousand/s", 150, at_least=True, note=f"{count} empty kernels on one stream, to their end")
    del kept


def _events(stream: int) -> Iterable[Row]:
    event, other = ok(acl.rt.create_event()), ok(acl.rt.create_stream())

    def run() -> None:
        acl.rt.record_event(event, stream)
        acl.rt.stream_wait_event(other, event)

    yield Row("host.event_record_and_wait", best(run, rounds=20, inner=500, pause=0.05) * 1e6, "us", 3)
    ok(acl.rt.synchronize_stream(other))
    ok(acl.rt.destroy_stream(other))
    ok(acl.rt.destroy_event(event))


def _copies() -> Iterable[Row]:
    source, target = np.ones(COPY_BYTES, np.uint8), np.empty(COPY_BYTES, np.uint8)
    address = ok(acl.rt.malloc(COPY_BYTES, 0))
    ours = best(lambda: acl.rt.memcpy(address, COPY_BYTES, source.ctypes.data, COPY_BYTES, HOST_TO_DEVICE))
    numpy = best(lambda: np.copyto(target, source))
    ok(acl.rt.free(address))
    speed = numpy / ours
    yield Row("host.memcpy_64MiB", speed, "of numpy's speed", 0.8, at_least=True, peer="numpy.copyto", note=f"{ours * 1e3:.1f} ms")
