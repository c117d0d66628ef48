# SPDX-License-Identifier: Apache-2.0
"""PlatformAscendCManager in programs: the chip is asked where main cuts the work."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from cpp_parts import HERE, MORE_FLAGS

from aclimb import chips
from aclimb.host import programs
from aclimb.host.prefix import prefix

PROGRAMS = HERE / "programs"
pytestmark = pytest.mark.skipif(bool(os.environ.get(MORE_FLAGS)), reason="programs are started without the sanitizer that this session has")
UB, WORKSPACE = 192 * 1024 - 256, 16 << 20  # of A2 and A3, as published


def linked(folder: Path, *options: str) -> Path:
    """By g++ alone."""
    if shutil.which("g++") is None:
        pytest.skip("g++ links this one")
    lib = prefix() / "lib64"
    words = [
        "g++",
        "-Wall",
        "-Wextra",
        "-Werror",
        str(PROGRAMS / "platform_main.cpp"),
        f"-I{prefix() / 'include'}",
        "-o",
        str(folder / "main"),
    ]
    subprocess.run([*words, f"-L{lib}", f"-Wl,-rpath,{lib}", *options], check=True)
    return folder / "main"


def asked(program: Path, *words: str) -> tuple[int, list[str], str]:
    done = subprocess.run([str(program), *words], capture_output=True, text=True, timeout=600)
    return done.returncode, done.stdout.splitlines(), done.stderr.strip()


@pytest.fixture(params=["g++", "aclimb"])
def program(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    if request.param == "g++":
        return linked(tmp_path, "-ltiling_api", "-lplatform", "-lascendcl")
    return programs.build([str(PROGRAMS / "platform_main.cpp")], tmp_path / "main")


@pytest.mark.requirement("cpp-32")
def test_a_program_asks_for_a_chip_or_for_the_device_in_use(program: Path) -> None:
    chip = chips.load("Ascend910B2")
    cores = f"{chip.aic_cores} {chip.aiv_cores} {chip.aiv_cores}"
    told = f"{cores} UB {UB} L2 {chip.l2_size} workspace {WORKSPACE}"
    assert asked(program, "Ascend910B2") == (0, [told, "one for the process"], "")
    device = chips.load("Ascend910_9392")
    told = f"{device.aic_cores} 6 6 UB {UB} L2 {device.l2_size} workspace {WORKSPACE}"
    assert asked(program) == (0, [told, "one for the process"], "")
    assert asked(program, "Ascend1") == (1, [], "PlatformAscendCManager: Ascend1 is not a chip that aclimb knows")


@pytest.mark.requirement("cpp-32")
def test_a_program_that_has_no_library_is_told_so(tmp_path: Path) -> None:
    source = tmp_path / "alone.cpp"
    source.write_text('#include "tiling/platform/platform_ascendc.h"\n'
                      "int main() { return platform_ascendc::PlatformAscendCManager::GetInstance() == nullptr; }\n")  # fmt: skip
    if shutil.which("g++") is None:
        pytest.skip("g++ links this one")
    subprocess.run(["g++", str(source), f"-I{prefix() / 'include'}", "-o", str(tmp_path / "alone")], check=True)
    code, _, text = asked(tmp_path / "alone")
    assert code == 1
    assert text.splitlines()[0] == (
        "aclimb: libascendcl knows the chips, and this program has none; link it with -Wl,--no-as-needed -lascendcl"
    )


@pytest.mark.requirement("cpp-32")
def test_a_kernel_source_with_main_cuts_its_work_by_the_chip(tmp_path: Path) -> None:
    program = programs.build([str(PROGRAMS / "tiled_main.asc")], tmp_path / "tiled")
    assert asked(program) == (0, [f"{chips.load('Ascend910_9392').aiv_cores} blocks, 1000 of 1000 equal"], "")
