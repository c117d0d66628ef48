# SPDX-License-Identifier: Apache-2.0
"""Libraries under the names that programs link: each is a file with that soname, which the linker and the system take for the real one."""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from elftools.elf.dynamic import DynamicSection
from elftools.elf.elffile import ELFFile

from aclimb.binary.elf import STT_FUNC, Elf
from aclimb.host import named_libraries, places
from aclimb.host.prefix import LIBRARIES, prefix
from aclimb.host.python_file import libpython

# What public projects and torch_npu name.
NAMED = {
    "tiling_api", "platform", "register", "ascendcl", "c_sec", "nnopbase", "graph_base", "runtime", "runtime_camodel", "unified_dlog",
    "error_manager", "ascend_dump", "profapi", "opapi", "mmpa", "acl_rt", "hccl", "msprofiler", "ge_runner", "acl_rtc", "acl_op_compiler",
    "graph", "acl_tdt_channel",
}  # fmt: skip
PROGRAM = """
#include "runtime/rt.h"
#include "acl/acl.h"
#include <stdio.h>
int main(void) {
    int32_t one = 0;
    uint32_t two = 0;
    int ret = rtGetDeviceCount(&one) + aclrtGetDeviceCount(&two);
    printf("%d %d %u\\n", ret, one, two);
    return 0;
}
"""
LOADS = """
#include <dlfcn.h>
#include <stdio.h>
#include <stdint.h>
int main(int argc, char** argv) {
    for (int i = 1; i < argc; ++i) {
        void* opened = dlopen(argv[i], RTLD_NOW | RTLD_LOCAL);
        int (*count)(int32_t*) = opened ? (int (*)(int32_t*))dlsym(opened, "rtGetDeviceCount") : NULL;
        int32_t found = 0;
        if (!count || count(&found) != 0 || found < 1) {
            printf("%s: %s\\n", argv[i], opened ? "wrong answer" : dlerror());
            return 1;
        }
    }
    return 0;
}
"""


def entries(path: Path) -> list[tuple[str, str]]:
    """(tag, text) of what a file asks for and is called."""
    with path.open("rb") as file:
        section = ELFFile(file).get_section_by_name(".dynamic")
        assert isinstance(section, DynamicSection)
        wanted = {"DT_SONAME": "soname", "DT_NEEDED": "needed"}
        return [(tag.entry.d_tag, getattr(tag, wanted[tag.entry.d_tag])) for tag in section.iter_tags() if tag.entry.d_tag in wanted]


def compiled(text: str, target: Path, *words: str) -> Path:
    source = target.with_suffix(".c")
    source.write_text(text)
    root = prefix()
    command = ["g++", "-x", "c", str(source), f"-I{root / 'include'}", f"-L{root / 'lib64'}", *words, "-o", str(target)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    return target


def said(program: Path, *words: str) -> str:
    around = {**os.environ, "LD_LIBRARY_PATH": str(prefix() / "lib64")}
    done = subprocess.run([str(program), *words], capture_output=True, text=True, env=around, timeout=600)
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    return done.stdout


needs_gcc = pytest.mark.skipif(not shutil.which("g++") or libpython() is None, reason="no g++, or no libpython for what it links")


@pytest.mark.requirement("cpp-3", "tool-29")
def test_every_name_is_a_file_with_that_soname() -> None:
    assert NAMED.issubset({"ascendcl", "opapi", *LIBRARIES})  # opapi has functions of its own
    for name in ("ascendcl", "opapi", *LIBRARIES):
        path = prefix() / "lib64" / f"lib{name}.so"
        assert not path.is_symlink()
        assert [text for tag, text in entries(path) if tag == "DT_SONAME"] == [path.name]


@needs_gcc
@pytest.mark.requirement("cpp-3", "tool-29")
def test_a_program_links_to_any_of_them_alone_and_runs(tmp_path: Path) -> None:
    once = compiled(PROGRAM, tmp_path / "program.o", "-c")
    for name in ("ascendcl", *LIBRARIES):
        program = tmp_path / name
        subprocess.run(["g++", once, f"-L{prefix() / 'lib64'}", "-Wl,--as-needed", f"-l{name}", "-o", program], check=True, timeout=600)
        assert ("DT_NEEDED", f"lib{name}.so") in entries(program)
    for name in ("runtime", "acl_rt", "runtime_camodel"):
        assert said(tmp_path / name) == "0 1 1\n"


@needs_gcc
@pytest.mark.requirement("tool-29")
def test_a_program_that_needs_all_of_them_has_one_runtime(tmp_path: Path) -> None:
    program = compiled(PROGRAM, tmp_path / "all", "-Wl,--no-as-needed", *(f"-l{name}" for name in LIBRARIES))
    assert {text for tag, text in entries(program) if tag == "DT_NEEDED"} >= {f"lib{name}.so" for name in LIBRARIES}
    assert said(program) == "0 1 1\n"


@needs_gcc
@pytest.mark.requirement("tool-29")
def test_each_can_be_loaded_by_its_name(tmp_path: Path) -> None:
    program = compiled(LOADS, tmp_path / "loads", "-ldl")
    assert said(program, *(f"lib{name}.so" for name in LIBRARIES)) == ""


@pytest.mark.requirement("tool-19")
def test_python_finds_the_functions_by_either_name() -> None:
    for name in ("runtime", "runtime_camodel"):
        count = ctypes.c_int32()
        assert ctypes.CDLL(str(prefix() / "lib64" / f"lib{name}.so")).rtGetDeviceCount(ctypes.byref(count)) == 0
        assert count.value == 1


@pytest.mark.parametrize("compiler", [None, "zig"])
def test_a_library_that_was_written_links_with_every_compiler(compiler: str | None, tmp_path: Path) -> None:
    words = [shutil.which("cc") or "cc"]
    if compiler == "zig":
        pytest.importorskip("ziglang")
        words = [sys.executable, "-m", "ziglang", "cc"]
    elif shutil.which("cc") is None:
        pytest.skip("no cc")
    (tmp_path / "libother.so").write_bytes(named_libraries.write("libother.so", "libascendcl.so", places.library().read_bytes()))
    (tmp_path / "a.c").write_text("int rtDeviceSynchronize(void);\nint main(void) { return rtDeviceSynchronize(); }\n")
    # The linker shall not look for what libascendcl itself needs.
    command = [*words, "a.c", "-L.", "-lother", "-Wl,--allow-shlib-undefined", f"-Wl,-rpath-link,{places.library().parent}", "-o", "a"]
    if compiler == "zig":
        command = [word for word in command if "rpath-link" not in word]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    assert ("DT_NEEDED", "libother.so") in entries(tmp_path / "a")


def test_the_functions_are_those_of_the_real_library() -> None:
    real = Elf(places.library().read_bytes())
    made = Elf(named_libraries.write("libother.so", "libascendcl.so", real.data))
    wanted = {each.name for each in real.dynamic_symbols if each.type == STT_FUNC and each.section}
    assert {each.name for each in made.dynamic_symbols[1:]} == wanted
    assert {
        "rtKernelLaunch",
        "aclrtMalloc",
        "MsprofReportApi",
        "_ZN3Adx19AdumpPrintWorkSpaceEPKvmPvPKc",
        "_ZN9tm_engine7tm_timeEv",
    } <= wanted
