# SPDX-License-Identifier: Apache-2.0
"""`-dc`: the device code of several sources of a program is one image, made by the link."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aclimb.binary import elf
from aclimb.compile import device_link
from aclimb.compile.options import Options
from aclimb.errors import CompileError
from aclimb.host.prefix import prefix

HELPER = """#include "kernel_operator.h"
__aicore__ int32_t answer(int32_t x) { return x + 40; }
"""
KERNEL = """#include "kernel_operator.h"
__aicore__ int32_t answer(int32_t x);
extern "C" __global__ __aicore__ void ask(__gm__ int32_t* y, int32_t x) { y[0] = answer(x); }
void run_ask(int32_t* y, int32_t x) { ask<<<1, nullptr, nullptr>>>(y, x); }
"""
TEMPLATE = """#include "kernel_operator.h"
#include "acl/acl.h"
#include <cstdio>
__aicore__ int32_t answer(int32_t x);
void run_ask(int32_t* y, int32_t x);
template <int N> __global__ __aicore__ void twice(__gm__ int32_t* y) { y[1] = answer(N) * 2; }
int main() {
    aclInit(nullptr);
    aclrtSetDevice(0);
    void* y;
    aclrtMalloc(&y, 64, ACL_MEM_MALLOC_HUGE_FIRST);
    run_ask(static_cast<int32_t*>(y), 2);
    twice<10><<<1, nullptr, nullptr>>>(static_cast<int32_t*>(y));
    aclrtSynchronizeStream(nullptr);
    int32_t got[2];
    aclrtMemcpy(got, 8, y, 8, ACL_MEMCPY_DEVICE_TO_HOST);
    std::printf("%d %d\\n", got[0], got[1]);
    return aclFinalize();
}
"""


def bisheng(*words: str | Path, folder: Path) -> subprocess.CompletedProcess[str]:
    command = [str(prefix() / "bin" / "bisheng"), "--npu-arch=dav-2201", *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, cwd=folder)


def answer_of(program: Path) -> str:
    done = subprocess.run([program], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    for name, text in (("helper.asc", HELPER), ("kernel.asc", KERNEL), ("main.asc", TEMPLATE)):
        (tmp_path / name).write_text(text)
    return tmp_path


def test_a_kernel_calls_a_device_function_of_another_object(sources: Path) -> None:
    for name in ("helper", "kernel", "main"):
        done = bisheng("-dc", "-c", f"{name}.asc", "-o", f"{name}.o", folder=sources)
        assert (done.returncode, done.stderr) == (0, "")
    assert bisheng("main.o", "kernel.o", "helper.o", "-o", "demo", folder=sources).stderr == ""
    assert answer_of(sources / "demo") == "42 100\n"


@pytest.mark.requirement("tool-15")
def test_one_command_compiles_and_links(sources: Path) -> None:
    assert bisheng("-dc", "main.asc", "kernel.asc", "helper.asc", "-o", "demo", folder=sources).stderr == ""
    assert answer_of(sources / "demo") == "42 100\n"


def test_a_static_library_brings_its_device_functions(sources: Path) -> None:
    assert bisheng("-dc", "-lib", "helper.asc", "-o", "libhelper.a", folder=sources).stderr == ""
    assert bisheng("-dc", "main.asc", "kernel.asc", "libhelper.a", "-o", "demo", folder=sources).stderr == ""
    assert answer_of(sources / "demo") == "42 100\n"


@pytest.mark.requirement("tool-15")
def test_without_dc_the_function_of_another_source_is_an_error_of_the_compile(sources: Path) -> None:
    done = bisheng("-c", "kernel.asc", folder=sources)
    assert done.returncode == 1
    assert "kernel calls answer(int), which does not exist on the AI Core" in done.stderr
    assert not (sources / "kernel.o").exists()


def test_a_function_that_no_object_defines_is_an_error_of_the_link(sources: Path) -> None:
    done = bisheng("-dc", "main.asc", "kernel.asc", "-o", "demo", folder=sources)
    assert done.returncode == 1
    assert "kernel.asc and main.asc do not link" in done.stderr
    assert "answer(int) is called here, and none of kernel.asc, main.asc defines it for the AI Core" in done.stderr
    assert f"{sources / 'kernel.asc'}:3" in done.stderr
    assert not (sources / "demo").exists()


def test_a_function_that_two_objects_define_is_named_with_both_places(sources: Path) -> None:
    (sources / "again.asc").write_text(HELPER)
    done = bisheng("-dc", "main.asc", "kernel.asc", "helper.asc", "again.asc", "-o", "demo", folder=sources)
    assert done.returncode == 1
    assert "answer(int) is defined at again.asc:2 and at helper.asc:2; keep one of them, or make each static or inline" in done.stderr


def test_an_error_in_device_code_is_one_of_the_compile(sources: Path) -> None:
    (sources / "helper.asc").write_text(HELPER.replace("x + 40", "x + missing"))
    done = bisheng("-dc", "-c", "helper.asc", "-o", "helper.o", folder=sources)
    assert done.returncode == 1
    assert f"{sources / 'helper.asc'}:2" in done.stderr
    assert "missing" in done.stderr


def test_a_source_that_changed_since_is_named(sources: Path) -> None:
    assert bisheng("-dc", "helper.asc", "-o", "helper.o", folder=sources).stderr == ""  # name.o: compile only
    (sources / "helper.asc").write_text(HELPER.replace("40", "41"))
    done = bisheng("-dc", "main.asc", "kernel.asc", "helper.o", "-o", "demo", folder=sources)
    assert done.returncode == 1
    assert f"{sources / 'helper.asc'} was changed, or is gone, since its object was made with -dc; compile it again" in done.stderr


def test_cmake_links_the_device_code_of_a_target_that_asks_for_it(sources: Path) -> None:
    (sources / "CMakeLists.txt").write_text("""cmake_minimum_required(VERSION 3.16)
find_package(ASC REQUIRED)
project(demo LANGUAGES ASC CXX)
add_library(helper STATIC helper.asc)
target_compile_options(helper PRIVATE -dc)
add_executable(demo main.asc kernel.asc)
target_compile_options(demo PRIVATE -dc)
target_link_libraries(demo PRIVATE helper)
""")
    for words in (["-S", ".", "-B", "build", "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={prefix()}"], ["--build", "build"]):
        done = subprocess.run(["cmake", *words], cwd=sources, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
    assert answer_of(sources / "build" / "demo") == "42 100\n"


def object_with(recipe: bytes) -> bytes:
    return bytes(elf.write(elf.EM_X86_64, [(device_link.SECTION, recipe)], []))


def archive_of(*members: bytes) -> bytes:
    rows = (b"%-48s%-10d`\n" % (b"m.o/", len(each)) + each + b"\n" * (len(each) % 2) for each in members)
    return b"!<arch>\n" + b"".join(rows)


def test_a_recipe_comes_back_from_an_object_and_from_an_archive(tmp_path: Path) -> None:
    (tmp_path / "a.asc").write_text(KERNEL)
    options = Options.create(defines={"N": 8}, include_dirs=[tmp_path], extra_flags=["-Wall"], instances=["f<float>"])
    recipe = device_link.Recipe.of(tmp_path / "a.asc", options, (), ("ask",))
    made = object_with(recipe.to_bytes())
    assert list(device_link.read_recipes(made)) == [recipe]
    assert list(device_link.read_recipes(archive_of(b"odd", made, object_with(recipe.to_bytes())))) == [recipe, recipe]
    assert list(device_link.read_recipes(b"#!/bin/sh")) == []


@given(st.binary(max_size=200), st.sampled_from(["object", "archive", "file", "cut"]))
def test_a_damaged_recipe_is_a_sentence(tmp_path_factory: pytest.TempPathFactory, content: bytes, kind: str) -> None:
    made = object_with(content)
    data = {"object": made, "archive": archive_of(content, made), "file": b"!<arch>\n" + content, "cut": made[: 70 + len(content)]}[kind]
    path = tmp_path_factory.getbasetemp() / "damaged.o"
    path.write_bytes(data)
    said = ""
    try:
        assert device_link.recipes_of([str(path)]) == []
    except CompileError as error:
        said = str(error)
    assert said in ("", f"{path} is damaged, or was made with -dc by another aclimb; compile it again")
