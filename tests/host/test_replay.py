# SPDX-License-Identifier: Apache-2.0
"""What pyasc does, done by programs of our own: its compile command, its launcher's commands, its calls of the runtime.

pyasc itself is neither installed nor run here: its licence does not allow that. Words of the commands are its own; sources are ours.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Callable
from pathlib import Path

import pytest

from aclimb import chips
from aclimb.host.prefix import prefix
from aclimb.host.python_file import libpython

HERE = Path(__file__).parent / "replay"
BACKENDS = ("npu", "model")
pytestmark = pytest.mark.skipif(not shutil.which("g++"), reason="the launcher is compiled by g++")


def call(*words: str | Path, **variables: str) -> str:
    """Standard output; nothing may be said on standard error."""
    around = {**os.environ, "ASCEND_HOME_PATH": str(prefix()), "LD_LIBRARY_PATH": str(prefix() / "lib64"), **variables}
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=600, env=around)
    assert (done.returncode, done.stderr) == (0, ""), f"{done.returncode}\n{done.stdout}{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def kernel(tmp_path_factory: pytest.TempPathFactory) -> Callable[[bool], Path]:
    """kernel(prints) is the file that a device gets."""
    folder, made = tmp_path_factory.mktemp("kernel"), {}

    def build(prints: bool) -> Path:
        if prints not in made:
            made[prints] = folder / f"{int(prints)}.o"
            shutil.copy(HERE / "vector.cce", folder / "input.cce")
            call(*compile_words(folder / "input.cce", made[prints], prints))
            linker = prefix() / "compiler/ccec_compiler/bin/ld.lld"
            call(linker, "-m", "aicorelinux", "-Ttext=0", made[prints], "-static", "-o", made[prints])
        return made[prints]

    return build


def compile_words(source: Path, target: Path, prints: bool) -> list[str | Path]:
    root = prefix()
    tikcpp = root / "compiler/tikcpp"
    return [
        root / "bin/bisheng", "-c", "-x", "cce", "-O3", source, "--cce-aicore-arch=dav-c220-vec", "--cce-aicore-only", "-o", target,
        "-include", root / "include/version/cann_version.h",
        f"-I{tikcpp / 'tikcfw'}", f"-I{tikcpp / 'tikcfw/impl'}", f"-I{tikcpp / 'tikcfw/interface'}", "-std=c++17",
        "--cce-disable-kernel-global-attr-check", "-mllvm", "-cce-aicore-stack-size=0x8000", "-mllvm",
        "-cce-aicore-function-stack-size=0x8000", "-mllvm", "-cce-aicore-dcci-insert-for-scalar=false", f"-DASCENDC_DUMP={int(prints)}",
        "--cce-auto-sync", "-mllvm", "-api-deps-filter", "-D__NPU_TILING__", "-DTILING_KEY_VAR=0",
    ]  # fmt: skip


@pytest.fixture(scope="module")
def launcher(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """launcher("npu", "module.so", ...) is launcher.cpp, compiled for that backend as a front end compiles its own."""
    folder = tmp_path_factory.mktemp("launcher")

    def build(backend: str, name: str, *words: str, separate: bool = True) -> Path:
        root, target = prefix(), folder / f"{backend}_{int(separate)}_{name}"
        package = root / f"{os.uname().machine}-linux/pkg_inc"
        apart = [f"-I{package}", f"-I{package / 'profiling'}", f"-I{package / 'runtime'}", "-DSEPARATE_PKG_ARCH"]
        includes = apart if separate else [f"-I{root / 'include/experiment'}", f"-I{root / 'include/experiment/msprof'}"]
        model = root / "tools/simulator" / chips.names()[0] / "lib"
        libraries = [f"-L{root / 'lib64'}", "-lruntime", "-lmsprofiler", "-lascendcl", "-DWITH_ACL"]
        if backend == "model":
            libraries = [f"-L{model}", "-lruntime_camodel"]
        command = ["g++", "-w", "-std=c++17", f"-I{root / 'include'}", *includes, *words, HERE / "launcher.cpp", *libraries,
                   f"-L{root / 'lib64'}", "-lascend_dump", "-lc_sec", "-o", target]  # fmt: skip
        call(*command)
        return target

    return build


def expected(prints: bool, blocks: int, turns: int) -> list[str]:
    """Each line once in each turn, in any order of the blocks."""
    return sorted((["version 9.0.0"] + [f"row of block {block}" for block in range(blocks)]) * turns) if prints else []


@pytest.mark.requirement("tool-4", "tool-26")
@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("prints", [False, True])
def test_a_front_end_in_python_runs_its_kernel(
    kernel: Callable[[bool], Path], launcher: Callable[..., Path], backend: str, prints: bool
) -> None:
    library = launcher(backend, "plain.so", "-shared", "-fPIC")
    *printed, right, reset = call(sys.executable, HERE / "front_end.py", library, kernel(prints)).splitlines()
    assert (right, reset) == ("right", "reset 0")
    assert sorted(printed) == expected(prints, 8, 2)


@pytest.mark.requirement("tool-26")
@pytest.mark.parametrize("backend", BACKENDS)
def test_a_front_end_imports_its_launcher(kernel: Callable[[bool], Path], launcher: Callable[..., Path], backend: str) -> None:
    include = f"-I{sysconfig.get_paths()['include']}"
    module = launcher(backend, "module.so", "-DAS_MODULE", include, "-shared", "-fPIC", separate=False)
    assert call(sys.executable, HERE / "front_end.py", module, kernel(False)) == "right\nreset 0\n"


@pytest.mark.skipif(libpython() is None, reason="a program that is linked without us loads libpython")
@pytest.mark.requirement("tool-26")
@pytest.mark.parametrize("backend", BACKENDS)
def test_a_program_makes_the_same_calls(kernel: Callable[[bool], Path], launcher: Callable[..., Path], backend: str) -> None:
    *printed, right = call(launcher(backend, "program", "-DAS_PROGRAM"), kernel(True)).splitlines()
    assert right == "right"
    assert sorted(printed) == expected(True, 4, 2)
