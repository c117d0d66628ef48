# SPDX-License-Identifier: Apache-2.0
"""utils/debug/*.h: printf, assert, dumps and clocks without a namespace."""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np
import pytest

from aclimb import Buffer, Kernel, LaunchConfig, Program, Stream, launch
from aclimb.errors import CompileError, KernelTrap
from aclimb.host import places

Run = Callable[..., None]


def test_calls_of_the_debug_headers_need_no_namespace(run: Run, capfd: pytest.CaptureFixture[str]) -> None:
    y = Buffer(1, "int32")
    run("debug_headers", "prints", Buffer.from_array(np.arange(10, 18, dtype=np.int32)), y)
    out, _ = capfd.readouterr()
    assert y.to_numpy()[0] == 1
    assert "a text alone\n" in out
    assert "7 and words\n" in out
    assert "desc=1," in out
    assert "10, 11, 12, 13, 14, 15, 16, 17" in out.replace(" ]", "")
    assert "desc=2," in out
    assert "1, 2, 3, 4, 5, 6, 7, 8" in out


def test_trap_ends_the_kernel(run: Run) -> None:
    with pytest.raises(KernelTrap, match=r"traps block 0"):
        run("debug_headers", "traps", Buffer(1, "int32"))


def test_asc_dump_says_which_calls_know_their_memory() -> None:
    source = '#include "utils/debug/asc_dump.h"\n__global__ __aicore__ void f(__gm__ int* x) { asc_dump(x, 1, 8); }\n'
    with pytest.raises(CompileError, match="asc_dump cannot tell which memory a pointer is for; nearest: asc_dump_gm, asc_dump_ubuf"):
        Program(source).compile()


def test_memory_for_text_is_left_alone_and_the_version_is_that_of_the_headers(run: Run, capfd: pytest.CaptureFixture[str]) -> None:
    dump = Buffer.from_array(np.full(64, 7, np.uint8))
    run("debug_headers", "announces", dump)
    header = (places.host_dir() / "include" / "version" / "cann_version.h").read_text()
    facts = dict(re.findall(r'#define CANN_(VERSION_\w+) "?([\d.]+)"?', header))
    assert capfd.readouterr().out == f"version {facts['VERSION_STR']} {facts['VERSION_NUM']}\n"
    np.testing.assert_array_equal(dump.to_numpy(), 7)


@pytest.mark.parametrize(("defines", "printed"), [({}, "once\n"), ({"ASCENDC_DUMP": 1}, "once\n"), ({"ASCENDC_DUMP": 0}, "")])
def test_a_define_switches_printing_off(defines: dict[str, int], printed: str, capfd: pytest.CaptureFixture[str]) -> None:
    source = '#include "kernel_operator.h"\nextern "C" __global__ __aicore__ void f(GM_ADDR x) { AscendC::printf("once\\n"); }\n'
    stream = Stream()
    launch(stream, LaunchConfig(num_blocks=1), Kernel(Program(source, defines=defines).compile()), Buffer(8, "int32"))
    stream.synchronize()
    assert capfd.readouterr().out == printed
