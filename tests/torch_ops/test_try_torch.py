# SPDX-License-Identifier: Apache-2.0
"""`aclimb try` builds torch extensions where torch is installed, by themselves and by their own CMake files; torch loads them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")

# torch/extension.h is the same with everything in it, and takes a minute.
SOURCE = """#include <torch/library.h>
#include <ATen/ATen.h>
#include "acl/acl.h"
static at::Tensor more(const at::Tensor& x) {
    uint32_t count = 0;
    aclrtGetDeviceCount(&count);
    return x + static_cast<int64_t>(count > 0);
}
TORCH_LIBRARY(try_NAME, m) { m.def("more(Tensor x) -> Tensor", &more); }
"""
CMAKE = """cmake_minimum_required(VERSION 3.18)
project(demo LANGUAGES CXX)
set(CMAKE_CXX_STANDARD 17)
find_package(Torch REQUIRED)
add_library(demo SHARED more.cpp)
target_include_directories(demo PRIVATE $ENV{ASCEND_HOME_PATH}/include)
target_link_libraries(demo PRIVATE ${TORCH_LIBRARIES} $ENV{ASCEND_HOME_PATH}/lib64/libascendcl.so)
"""


def test_extensions_build_and_torch_loads_them(tmp_path: Path) -> None:
    for name, file in (("alone", "more.cpp"), ("cmake", "more.cpp")):
        (tmp_path / name).mkdir()
        (tmp_path / name / file).write_text(SOURCE.replace("NAME", name))
    (tmp_path / "cmake" / "CMakeLists.txt").write_text(CMAKE)
    command = [sys.executable, "-m", "aclimb", "try", str(tmp_path), "--json", "--keep", "--timeout", "600"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=1200)
    found = json.loads(done.stdout)
    assert {row["name"]: (row["kind"], row["result"], row["reason"]) for row in found["rows"]} == {
        "alone/more.cpp": ("torch extension", "builds", "a torch extension, which Python loads"),
        "cmake": ("CMake project", "builds", "it makes no program"),
    }
    copy = Path(found["copy"])
    for name, library in (("alone", "alone/build/more.so"), ("cmake", "cmake/build/libdemo.so")):
        code = f"import aclimb, torch; torch.ops.load_library({str(copy / library)!r}); print(torch.ops.try_{name}.more(torch.arange(3)))"
        said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=600)
        assert said.stdout == "tensor([1, 2, 3])\n", said.stderr
