# SPDX-License-Identifier: Apache-2.0
"""A fault that nobody synchronised: it names its launch, wherever it is told, and it is told at the end of the program at the latest."""

from __future__ import annotations

import gc
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from aclimb import Buffer, Kernel, LaunchConfig, Program, Stream, launch
from aclimb.errors import OutOfBounds

SOURCE = """#include "kernel_operator.h"
extern "C" __global__ __aicore__ void beyond(GM_ADDR x, uint32_t at) {
    AscendC::GlobalTensor<int32_t> xGm;
    xGm.SetGlobalBuffer((__gm__ int32_t*)x);
    xGm.SetValue(at, 7);
}
"""
OF_ACL = """
import acl, ctypes, sys
acl.init(), acl.rt.set_device(0)
stream, memory = acl.rt.create_stream()[0], acl.rt.malloc(64, 0)[0]
binary = acl.rt.binary_load_from_file({binary!r}, [])[0]
function = acl.rt.binary_get_function(binary, "beyond")[0]
address, at = ctypes.c_uint64(memory), ctypes.c_uint32({at})
args = acl.rt.kernel_args_init(function)[0]
acl.rt.kernel_args_append(args, ctypes.addressof(address), 8)
acl.rt.kernel_args_append(args, ctypes.addressof(at), 4)
acl.rt.kernel_args_finalize(args)
acl.rt.launch_kernel_with_config(function, 1, stream, [], args, 0)  # launched here
{end}
"""


@pytest.fixture(scope="module")
def binary(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return Program(SOURCE, name="beyond").compile().save(tmp_path_factory.mktemp("beyond"))


def test_a_fault_told_by_somebody_else_names_its_launch(binary: Path) -> None:
    def careless() -> None:
        launch(Stream(), LaunchConfig(1), Kernel(binary), Buffer(64), 1000)

    careless()
    gc.collect()
    innocent = Buffer.from_array(np.ones(4, np.float32))
    with pytest.raises(OutOfBounds) as caught:
        innocent.to_numpy()
    launched, let_go = caught.value.__notes__
    assert launched.startswith("    launched at test_unreported.py:")
    assert launched.endswith("launch(Stream(), LaunchConfig(1), Kernel(binary), Buffer(64), 1000)")
    assert let_go == "    its stream was let go before anybody synchronised it"
    assert innocent.to_numpy().sum() == 4


def run(program: Path, *before: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *before, str(program)], capture_output=True, text=True, timeout=600, check=False)


@pytest.mark.parametrize("end", ["", "sys.exit(0)", "acl.rt.destroy_stream(stream)", "acl.rt.reset_device(0), acl.finalize()"])
def test_a_fault_that_nobody_saw_is_printed_when_the_program_ends(end: str, binary: Path, tmp_path: Path) -> None:
    program = tmp_path / "careless.py"
    program.write_text(OF_ACL.format(binary=str(binary), at=1000, end=end))
    done = run(program)
    first, second, *_, last = done.stderr.splitlines()
    assert first == "aclimb: nobody synchronised the stream of this task, which failed:"
    assert second.startswith("OutOfBounds: SetValue needs 4 bytes of xGm at 0x")
    assert last == "    launched at careless.py:12   acl.rt.launch_kernel_with_config(function, 1, stream, [], args, 0)  # launched here"
    assert done.returncode == 0
    under_run = run(program, "-m", "aclimb", "run", "-q")
    assert (under_run.returncode, under_run.stderr.splitlines()[0]) == (1, first)


@pytest.mark.parametrize(("at", "end"), [(3, ""), (1000, "assert acl.rt.synchronize_stream(stream) == 507035")])
def test_a_good_kernel_and_a_fault_that_was_seen_are_not_mentioned(at: int, end: str, binary: Path, tmp_path: Path) -> None:
    program = tmp_path / "careful.py"
    program.write_text(OF_ACL.format(binary=str(binary), at=at, end=end))
    for before in ((), ("-m", "aclimb", "run", "-q")):
        done = run(program, *before)
        assert (done.returncode, done.stderr) == (0, "")


def test_the_status_of_a_program_that_failed_by_itself_stays(binary: Path, tmp_path: Path) -> None:
    program = tmp_path / "failing.py"
    program.write_text(OF_ACL.format(binary=str(binary), at=1000, end="sys.exit(3)"))
    done = run(program, "-m", "aclimb", "run", "-q")
    assert done.returncode == 3
    assert done.stderr.count("nobody synchronised") == 1


def test_tasks_that_never_end_do_not_keep_the_program(tmp_path: Path) -> None:
    source = 'extern "C" __global__ __aicore__ void spin(GM_ADDR x) { while (*(volatile int32_t*)x == 0); }'
    program = tmp_path / "endless.py"
    program.write_text(
        "from aclimb import Buffer, Kernel, LaunchConfig, Program, Stream, launch\nimport numpy as np\n"
        f"kernel = Kernel(Program('#include \"kernel_operator.h\"\\n' {source!r}, name='spin').compile())\n"
        "x = Buffer.from_array(np.zeros(1, np.int32))\nlaunch(Stream(), LaunchConfig(1), kernel, x)\n"
    )
    done = run(program)
    assert (done.returncode, done.stderr) == (0, "aclimb: the program ended before the tasks of 1 stream; synchronise them first\n")
