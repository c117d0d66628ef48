# SPDX-License-Identifier: Apache-2.0
"""The examples in C and C++ build with the commands they name and compute what the host does; the project is in tests/host."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

EXAMPLES = Path(__file__).parents[2] / "examples" / "cpp"


def aclimb(*words: str | Path) -> str:
    done = subprocess.run([sys.executable, "-m", "aclimb", *map(str, words)], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_add_runs_from_its_source() -> None:
    told = aclimb("run", "-q", EXAMPLES / "add" / "add.asc")
    assert told.startswith("add_custom         Ascend910_9392 (modelled),  8 blocks   8192 of 8192 equal")


def test_every_launch_of_a_built_kernel_in_c99(tmp_path: Path) -> None:
    kernel, program = tmp_path / "scale.o", tmp_path / "launches"
    aclimb("build", EXAMPLES / "launches" / "scale.cpp", "-o", kernel)
    aclimb("build", EXAMPLES / "launches" / "launches.c", "-o", program, "-std=c99", "-Wall", "-Wextra", "-pedantic", "-Werror")
    told = subprocess.run([program, kernel], capture_output=True, text=True, check=True).stdout.splitlines()
    assert [line.split()[0] for line in told] == [
        "aclrtLaunchKernel",
        "aclrtLaunchKernelV2",
        "aclrtLaunchKernelWithConfig",
        "aclrtLaunchKernelWithHostArgs",
        "aclrtLaunchKernelWithArgsArray",
        "aclopExecuteV2",
    ]
    assert all(line.endswith(" 256 of 256 equal") for line in told)


def test_the_program_in_c_says_what_it_needs(tmp_path: Path) -> None:
    program = tmp_path / "launches"
    aclimb("build", EXAMPLES / "launches" / "launches.c", "-o", program)
    done = subprocess.run([program], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (2, f"usage: {program} scale.o\n")
