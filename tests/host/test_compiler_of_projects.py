# SPDX-License-Identifier: Apache-2.0
"""`bisheng` as the C and C++ compiler of CMake projects, of make and under ccache."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from driver_calls import ARCH, call, run, tool
from test_command_lines import KERNEL, MAIN

LAUNCHES = 'extern "C" void call(void* y, int32_t factor, void* stream) { fill<<<4, nullptr, stream>>>((__gm__ int32_t*)y, factor); }\n'
# As PTO's tests write it, with the compiler set behind project(), and as its generator does, before it.
PROJECT = """cmake_minimum_required(VERSION 3.16)
{before}
project(demo LANGUAGES C CXX)
{after}
set(CMAKE_CXX_STANDARD 17)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
add_library(plain STATIC plain.c)
add_library(fill_kernel SHARED fill_kernel.cpp)
target_compile_options(fill_kernel PRIVATE -xcce -Xhost-start -Xhost-end "SHELL:-mllvm -cce-aicore-stack-size=0x8000"
  "SHELL:-mllvm -cce-aicore-function-stack-size=0x8000" "SHELL:-mllvm -cce-aicore-record-overflow=true"
  "SHELL:-mllvm -cce-aicore-addr-transform" "SHELL:-mllvm -cce-aicore-dcci-insert-for-scalar=false"
  --cce-aicore-arch=dav-c220-vec -DMEMORY_BASE -fstack-protector-strong -fPIC {more})
target_link_options(fill_kernel PRIVATE --cce-fatobj-link -s)
add_executable(demo main.cpp)
target_compile_options(demo PRIVATE -xc++ -include stdint.h)
target_include_directories(demo PRIVATE $ENV{{ASCEND_HOME_PATH}}/include)
target_link_directories(demo PRIVATE $ENV{{ASCEND_HOME_PATH}}/lib64)
target_link_libraries(demo PRIVATE plain fill_kernel runtime ascendcl tiling_api platform c_sec nnopbase)
"""
SET = "set(CMAKE_C_COMPILER bisheng)\nset(CMAKE_CXX_COMPILER bisheng)"
FORMS = {
    "before project()": {"before": SET, "after": "", "more": "-fenable-matrix --cce-aicore-enable-tl"},
    "behind it": {"before": "", "after": SET, "more": ""},
}


def environment() -> dict[str, str]:
    folder = tool("bisheng").parent
    return {**os.environ, "ASCEND_HOME_PATH": str(folder.parents[2]), "PATH": f"{folder}:{os.environ['PATH']}"}


def shell(*words: str, folder: Path, **variables: str) -> str:
    done = subprocess.run(words, capture_output=True, text=True, cwd=folder, env={**environment(), **variables}, timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.requirement("tool-3", "tool-14")
@pytest.mark.parametrize("form", FORMS)
def test_cmake_takes_it_before_and_behind_project(form: str, tmp_path: Path) -> None:
    (tmp_path / "CMakeLists.txt").write_text(PROJECT.format(**FORMS[form]))
    (tmp_path / "plain.c").write_text("int plain(void) { return sizeof('a') == sizeof(int); }\n")
    (tmp_path / "fill_kernel.cpp").write_text(KERNEL + LAUNCHES)
    (tmp_path / "main.cpp").write_text(
        MAIN.replace("int main() {", 'extern "C" int plain(void);\nint main() {\n    if (!plain()) return 3;')
    )
    shell("cmake", "-S", ".", "-B", "build", "-G", "Ninja", folder=tmp_path)
    said = shell("cmake", "--build", "build", folder=tmp_path)
    assert "note:" not in said
    assert run(tmp_path / "build" / "demo") == "41 41 41 41\n"


HELLO = """#include <math.h>
#include <stdio.h>
int main(int n, char** v) {
    printf("%.0f\\n", sqrt(n + 15.0));
    return 0;
}
"""


@pytest.mark.requirement("tool-14")
@pytest.mark.skipif(not shutil.which("make"), reason="no make")
def test_make_builds_ordinary_programs_with_it(tmp_path: Path) -> None:
    (tmp_path / "hello.c").write_text(HELLO)
    (tmp_path / "more.cpp").write_text('#include <iostream>\nint main() { std::cout << "more" << std::endl; }\n')
    shell("make", "CC=bisheng", "CXX=bisheng", "LDLIBS=-lm", "hello", "more", folder=tmp_path)
    assert (run(tmp_path / "hello"), run(tmp_path / "more")) == ("4\n", "more\n")


@pytest.mark.requirement("tool-14")
@pytest.mark.skipif(not shutil.which("ccache"), reason="no ccache")
def test_ccache_may_stand_before_it(tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text("int a(void) { return 4; }\n")
    (tmp_path / "main.cpp").write_text('extern "C" int a(void);\nint main() { return a() - 4; }\n')
    for name in ("a.c", "main.cpp"):
        shell("ccache", "bisheng", "-O2", "-c", name, "-o", f"{name}.o", folder=tmp_path, CCACHE_DIR=str(tmp_path / "cache"))
    shell("ccache", "bisheng", "a.c.o", "main.cpp.o", "-o", "demo", folder=tmp_path, CCACHE_DIR=str(tmp_path / "cache"))
    assert run(tmp_path / "demo") == ""


@pytest.mark.requirement("tool-14")
@pytest.mark.parametrize("words", ["-v", "-dumpversion", "-dumpmachine", "-print-search-dirs", "-x c -E -dM /dev/null"])
def test_questions_about_the_host_compiler_are_answered_by_it(words: str, tmp_path: Path) -> None:
    done = call("bisheng", *words.split(), folder=tmp_path)
    assert done.returncode == 0
    assert done.stdout + done.stderr
    assert ("#define __GNUC__" in done.stdout) == ("-dM" in words)


MAKEFILE = f"""demo: main.o kernel.o
\tbisheng $^ -o $@
%.o: %.cpp
\tbisheng -c $< -o $@
%.o: %.asc
\tbisheng {ARCH} -MD -MF $*.d -c $< -o $@
-include kernel.d
"""


@pytest.mark.requirement("tool-17")
@pytest.mark.skipif(not shutil.which("make"), reason="no make")
def test_a_changed_header_rebuilds_under_make(tmp_path: Path) -> None:
    (tmp_path / "Makefile").write_text(MAKEFILE)
    (tmp_path / "factor.h").write_text("#define EXTRA 0\n")
    head = '#ifdef __CCE_AICORE__\n#include "factor.h"\n#else\n#define EXTRA 0\n#endif\n'
    (tmp_path / "kernel.asc").write_text(head + KERNEL.replace("+ 1", "+ 1 + EXTRA") + LAUNCHES)
    (tmp_path / "main.cpp").write_text(MAIN)
    shell("make", folder=tmp_path)
    assert run(tmp_path / "demo") == "41 41 41 41\n"
    assert str(tmp_path / "factor.h") in (tmp_path / "kernel.d").read_text()  # which only the device reads
    (tmp_path / "factor.h").write_text("#define EXTRA 2\n")
    os.utime(tmp_path / "factor.h", (2e9, 2e9))
    shell("make", folder=tmp_path)
    assert run(tmp_path / "demo") == "43 43 43 43\n"
