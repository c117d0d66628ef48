# SPDX-License-Identifier: Apache-2.0
"""CMake projects configure, build and run with the prefix alone: the language ASC, kernel libraries, and plain C++."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from aclimb import KernelBinary
from aclimb.host.prefix import prefix

ROOT = Path(__file__).parents[2]
PROJECTS = Path(__file__).parent / "projects"
GENERATORS = [pytest.param("Unix Makefiles", marks=pytest.mark.skipif(not shutil.which("make"), reason="no make")), "Ninja"]


def call(*command: str | Path, **environment: str) -> str:
    """Its output; the test fails with it."""
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, env={**os.environ, **environment}, timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def refused(source: Path, build: Path, *options: str, **environment: str) -> str:
    command = ["cmake", "-S", str(source), "-B", str(build), "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={prefix()}", *options]
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, **environment})
    assert done.returncode != 0
    return " ".join(done.stderr.split())


def configure(source: Path, build: Path, generator: str, *options: str, **environment: str) -> None:
    call("cmake", "-S", source, "-B", build, "-G", generator, *options, **environment)


@pytest.mark.requirement("cpp-37")
@pytest.mark.parametrize("generator", GENERATORS)
def test_the_example_builds_at_build_time_runs_and_is_rebuilt_for_a_header(generator: str, tmp_path: Path) -> None:
    source, build = tmp_path / "project", tmp_path / "build"
    shutil.copytree(ROOT / "examples" / "cpp" / "project", source)
    configure(source, build, generator, f"-DCMAKE_PREFIX_PATH={prefix()}")
    call("cmake", "--build", build)
    assert call(build / "demo") == "square_kernel      1024 of 1024 equal\n"
    header = source / "square.h"
    header.write_text(header.read_text().replace("kLength = 256", "kLength = 128"))
    call("cmake", "--build", build)
    assert call(build / "demo") == "square_kernel      512 of 512 equal\n"


@pytest.mark.requirement("cpp-37")
def test_definitions_options_and_folders_of_a_target_reach_host_and_device(tmp_path: Path) -> None:
    configure(PROJECTS / "asc", tmp_path, "Ninja", f"-DCMAKE_PREFIX_PATH={prefix()}")
    call("cmake", "--build", tmp_path)
    assert call(tmp_path / "demo") == "device 4321, host 4021\n"


@pytest.mark.slow
@pytest.mark.requirement("cpp-37", "cpp-39")
@pytest.mark.parametrize("generator", GENERATORS)
def test_the_oldest_cmake_that_projects_name_is_enough(generator: str, tmp_path: Path) -> None:
    call(sys.executable, "-m", "venv", tmp_path / "tools")
    call(tmp_path / "tools" / "bin" / "python", "-m", "pip", "install", "-q", "cmake<3.17")
    cmake = tmp_path / "tools" / "bin" / "cmake"
    assert call(cmake, "--version").startswith("cmake version 3.16")
    kernels = {"ASCENDC_CMAKE_DIR": str(prefix() / "compiler" / "tikcpp" / "ascendc_kernel_cmake")}
    said = {}
    for name in ("asc", "legacy"):
        call(cmake, "-S", PROJECTS / name, "-B", tmp_path / name, "-G", generator, f"-DCMAKE_PREFIX_PATH={prefix()}", **kernels)
        call(cmake, "--build", tmp_path / name)
        said[name] = call(tmp_path / name / "demo")
    assert said == {"asc": "device 4321, host 4021\n", "legacy": "3 23 43 63 83 103 123 143 \n"}


@pytest.mark.requirement("cpp-37")
def test_what_the_variables_cannot_be_is_said(tmp_path: Path) -> None:
    source = ROOT / "examples" / "cpp" / "project"
    said = refused(source, tmp_path / "a", "-DCMAKE_ASC_ARCHITECTURES=dav-3510")
    assert "CMAKE_ASC_ARCHITECTURES is dav-3510; aclimb builds for dav-2201, which is Atlas A2 and A3" in said
    said = refused(source, tmp_path / "b", "-DCMAKE_ASC_RUN_MODE=fast")
    assert "CMAKE_ASC_RUN_MODE is fast; it takes npu, cpu or sim, which are the same here" in said
    said = refused(source, tmp_path / "c", "-DCMAKE_ASC_ENABLE_SIMT=ON")
    assert "SIMT kernels exist on Ascend 950 only" in said
    folder = prefix() / "compiler" / "tikcpp" / "ascendc_kernel_cmake"
    said = refused(PROJECTS / "legacy", tmp_path / "d", "-DSOC_VERSION=ascend310p3", ASCENDC_CMAKE_DIR=str(folder))
    assert "SOC_VERSION is ascend310p3; aclimb models Ascend910B... (Atlas A2) and Ascend910_93... (Atlas A3)" in said


@pytest.mark.requirement("cpp-38")
def test_a_plain_project_needs_include_and_lib64_alone(tmp_path: Path) -> None:
    configure(PROJECTS / "plain", tmp_path, "Ninja", ASCEND_HOME_PATH=str(prefix()))
    call("cmake", "--build", tmp_path)
    for name in ("demo", "newer"):
        assert call(tmp_path / name) == "through the device\n"


@pytest.mark.requirement("cpp-39", "cpp-21")
@pytest.mark.parametrize("generator", GENERATORS)
def test_a_kernel_library_brings_launch_headers_and_an_image(generator: str, tmp_path: Path) -> None:
    folder = prefix() / "compiler" / "tikcpp" / "ascendc_kernel_cmake"
    build, out = tmp_path / "build", tmp_path / "out"
    configure(PROJECTS / "legacy", build, generator, f"-DCMAKE_INSTALL_PREFIX={out}", ASCENDC_CMAKE_DIR=str(folder))
    call("cmake", "--build", build)
    assert call(build / "demo") == "3 23 43 63 83 103 123 143 \n"
    call("cmake", "--install", build)
    assert (out / "include" / "kernels" / "aclrtlaunch_fill.h").is_file()
    assert KernelBinary.read(out / "fatbin" / "image" / "image.o").kernel_names == ("fill",)


@pytest.mark.requirement("cpp-39")
def test_the_image_of_a_kernel_library_loads(tmp_path: Path) -> None:
    from aclimb import Buffer, Kernel, LaunchConfig, Stream, launch

    folder = prefix() / "compiler" / "tikcpp" / "ascendc_kernel_cmake"
    configure(PROJECTS / "legacy", tmp_path, "Ninja", ASCENDC_CMAKE_DIR=str(folder))
    call("cmake", "--build", tmp_path, "--target", "image")
    x, stream = Buffer.from_array(np.zeros(8, np.int32)), Stream()
    launch(stream, LaunchConfig(num_blocks=8), Kernel(KernelBinary.read(tmp_path / "image.o")), x, np.array([8, 10], np.int32).tobytes())
    stream.synchronize()
    np.testing.assert_array_equal(x.to_numpy(), np.arange(8) * 10 + 7)
