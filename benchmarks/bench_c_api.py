# SPDX-License-Identifier: Apache-2.0
"""The C API: what a call from C costs, against the same call from Python."""

from __future__ import annotations

import ctypes
import subprocess
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path

import acl
from aclimb import Program, capi
from aclimb.compile import toolchain
from aclimb.host import places
from aclimb.host.door import open_door
from benchmarks.bench_host import _enqueued, _values, build_list, ok
from benchmarks.bench_instructions import KERNELS
from benchmarks.harness import Row, bench, median

_TIGHT = """
#include "kernel_operator.h"
extern "C" __global__ __aicore__ void tight(GM_ADDR x, int32_t a, int32_t b, GM_ADDR y) {}
"""


@bench("c_api")
def c_api() -> Iterable[Row]:
    open_door()
    ok(acl.rt.set_device(0))
    stream = ok(acl.rt.create_stream())
    with tempfile.TemporaryDirectory() as folder:
        program = _build(Path(folder))
        binary = ok(acl.rt.binary_load_from_file(str(Program(KERNELS / "host.cpp").compile().save(folder)), []))
    function = ok(acl.rt.binary_get_function(binary, "four_parameters"))
    answer = _best(lambda: program.answers(2000) / 2000)
    yield Row("c_api.value_only", answer / 1e3, "us", 1, note="aclrtGetRunMode, from C")
    values, kept = _values()
    args, count = build_list(function, values), 200

    def from_c() -> float:
        took: float = program.launches(count, function, stream, args) / count
        ok(acl.rt.synchronize_stream(stream))
        return took

    in_c = median([from_c() for _ in range(30)]) / 1e3
    python = _enqueued(lambda: acl.rt.launch_kernel_with_config(function, 1, stream, [], args, 0), stream) * 1e6
    yield Row(
        "c_api.launch_with_config", in_c / python, "times Python's", 1.5, peer="acl.rt", note=f"{in_c:.2f} us, Python {python:.2f} us"
    )
    yield from _rt(program, binary, function, stream)
    del kept
    ok(acl.rt.binary_unload(binary))
    ok(acl.rt.destroy_stream(stream))
    ok(acl.rt.reset_device(0))


def _rt(program: ctypes.CDLL, binary: int, function: int, stream: int) -> Iterable[Row]:
    """rtKernelLaunch against aclrtLaunchKernelWithHostArgs, in turns: of a block that both read alike, and of a tighter C struct."""
    with tempfile.TemporaryDirectory() as folder:
        tight = ok(acl.rt.binary_load_from_file(str(Program(_TIGHT, name="tight").compile().save(folder)), []))
    scalars = ok(acl.rt.binary_get_function(tight, "tight"))
    for name, handle, module, kernel, size, slots in (
        ("c_api.rt_launch", function, binary, b"four_parameters", 28, 28), ("c_api.rt_launch_struct", scalars, tight, b"tight", 24, 32)
    ):  # fmt: skip
        assert capi.rtFunctionRegister(module, 0x1000, kernel.decode(), None, 0) == 0
        block, count = ctypes.create_string_buffer(32), 200
        times: tuple[list[float], list[float]] = ([], [])
        for _ in range(30):
            for taken, call, what, given in zip(
                times, (program.stub_launches, program.host_launches), (0x1000, handle), (size, slots), strict=True
            ):
                taken.append(call(count, what, stream, block, given) / count)
                ok(acl.rt.synchronize_stream(stream))
        rt, host = (median(each) / 1e3 for each in times)
        yield Row(name, rt / host, "times acl's", 1.5, peer="acl", note=f"{rt:.2f} us, acl {host:.2f} us")
    ok(acl.rt.binary_unload(tight))


def _best(run: Callable[[], float]) -> float:
    return min(run() for _ in range(20))


def _build(folder: Path) -> ctypes.CDLL:
    made, stubs = folder / "libloops.so", places.library()
    options = ["-O2", "-fPIC", "-shared", f"-I{places.host_dir() / 'include'}", f"-Wl,-rpath,{stubs.parent}", "-o", str(made)]
    source = Path(__file__).with_name("c_api.c")
    command = [*toolchain.find().compiler(), *options, "-x", "c", str(source), "-x", "none", str(stubs)]
    subprocess.run(command, check=True)
    program = ctypes.CDLL(str(made))
    program.answers.restype = program.launches.restype = ctypes.c_double
    program.launches.argtypes = [ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p]
    for each in (program.host_launches, program.stub_launches):
        each.restype = ctypes.c_double
        each.argtypes = [ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_uint]
    return program
