# SPDX-License-Identifier: Apache-2.0
"""The driver as a command: what it makes, what it says, how it ends."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from aclimb import KernelBinary
from aclimb.host.prefix import prefix

KERNEL = """#include "kernel_operator.h"
__global__ __aicore__ void one(GM_ADDR x) { *(__gm__ uint32_t*)x = 1; }
"""


def bisheng(*words: str | Path, folder: Path) -> subprocess.CompletedProcess[str]:
    command = [str(prefix() / "bin" / "bisheng"), "--npu-arch=dav-2201", *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, cwd=folder)


@pytest.mark.requirement("tool-18")
def test_it_names_itself_and_lists_its_options(tmp_path: Path) -> None:
    version, told = bisheng("--version", folder=tmp_path), bisheng("--help", folder=tmp_path)
    assert version.stdout.startswith("aclimb ")
    assert "in place of the Ascend C compiler" in version.stdout
    assert "  --enable-simt " in told.stdout
    assert (version.returncode, told.returncode) == (0, 0)


@pytest.mark.requirement("cpp-41")
def test_notes_and_refusals_go_to_standard_error(tmp_path: Path) -> None:
    (tmp_path / "a.asc").write_text(KERNEL)
    done = bisheng("-c", "a.asc", "--cce-brand-new", folder=tmp_path)
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr == "bisheng: note: --cce-brand-new is not known here and has no effect\n"
    assert (tmp_path / "a.o").is_file()
    done = bisheng("-c", "a.asc", "--brand-new", folder=tmp_path)
    assert (done.returncode, done.stderr) == (1, "bisheng: error: --brand-new is not an option; --help lists those that are known\n")
    done = bisheng("-S", "a.asc", folder=tmp_path)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "bisheng: error: -S is for sources without kernels; compile these with -c\n"


@pytest.mark.parametrize(("file", "language", "answer"), [("a.c", "c", 1), ("a.c", "c++", 2), ("a.cpp", "c", 1), ("a.asc", "c", 1)])
def test_a_language_that_is_given_counts_more_than_the_suffix(tmp_path: Path, file: str, language: str, answer: int) -> None:
    """A character is an int in C, and a char in C++."""
    (tmp_path / file).write_text("int main(void) { return sizeof('a') == sizeof(int) ? 1 : 2; }\n")
    assert bisheng("-x", language, file, "-o", "a", folder=tmp_path).stderr == ""
    assert subprocess.run([tmp_path / "a"]).returncode == answer


def test_an_error_is_at_the_users_line_and_leaves_no_output(tmp_path: Path) -> None:
    (tmp_path / "a.asc").write_text(KERNEL + "int main() { return missing; }\n")
    done = bisheng("a.asc", "-o", "a", folder=tmp_path)
    assert (done.returncode, done.stdout) == (1, "")
    assert "a.asc:3" in done.stderr
    assert "missing" in done.stderr
    assert not (tmp_path / "a").exists()


def test_objects_without_pic_are_named(tmp_path: Path) -> None:
    (tmp_path / "m.cpp").write_text('#include <cstdio>\nint main() { std::fputs("x", stderr); }\n')
    made = subprocess.run(["g++", "-c", "-fno-pic", "-mcmodel=small", "m.cpp"], cwd=tmp_path)
    assert made.returncode == 0
    done = bisheng("m.o", "-o", "m", folder=tmp_path)
    assert done.returncode == 1
    assert "m.o was compiled without -fPIC, and Python loads a program as it loads a library" in done.stderr


@pytest.mark.requirement("tool-7", "tool-16")
def test_a_static_library_keeps_its_kernels_and_an_image_can_be_taken_out(tmp_path: Path) -> None:
    (tmp_path / "a.asc").write_text(KERNEL + "void launch(void* stream, void* x) { one<<<1, nullptr, stream>>>((GM_ADDR)x); }\n")
    (tmp_path / "main.cpp").write_text(
        """#include "acl/acl.h"
#include <cstdio>
void launch(void* stream, void* x);
int main() {
    void* x = nullptr;
    unsigned back = 0;
    aclrtStream stream = nullptr;
    if (aclInit(nullptr) || aclrtSetDevice(0) || aclrtCreateStream(&stream) || aclrtMalloc(&x, 32, ACL_MEM_MALLOC_HUGE_FIRST)) return 1;
    launch(stream, x);
    if (aclrtSynchronizeStream(stream) || aclrtMemcpy(&back, 4, x, 4, ACL_MEMCPY_DEVICE_TO_HOST)) return 2;
    std::printf("%u\\n", back);
    return aclrtFree(x) || aclrtDestroyStream(stream) || aclrtResetDevice(0) || aclFinalize();
}
"""
    )
    assert bisheng("-lib", "a.asc", "-o", "liba.a", folder=tmp_path).stderr == ""
    done = bisheng("-la", "-L.", "main.cpp", "-o", "demo", folder=tmp_path)  # a library before its user
    assert done.stderr == ""
    assert subprocess.run([tmp_path / "demo"], capture_output=True, text=True).stdout == "1\n"
    assert bisheng("-c", "a.asc", folder=tmp_path).returncode == 0
    assert bisheng("--aclimb-image", "a.o", "-o", "image.o", folder=tmp_path).stderr == ""
    assert KernelBinary.read(tmp_path / "image.o").kernel_names == ("one",)


def test_device_code_alone_is_an_operator_binary_of_all_sources(tmp_path: Path) -> None:
    (tmp_path / "a.cpp").write_text(KERNEL)
    (tmp_path / "b.cpp").write_text(KERNEL.replace("one(", "two("))
    done = bisheng("--cce-aicore-only", "-c", "-x", "asc", "a.cpp", "b.cpp", "-o", "both.o", folder=tmp_path)
    assert done.stderr == ""
    assert KernelBinary.read(tmp_path / "both.o").kernel_names == ("one", "two")


@pytest.mark.requirement("tool-17")
def test_a_make_rule_lists_what_was_read(tmp_path: Path) -> None:
    (tmp_path / "h h.h").write_text("#pragma once\n")
    (tmp_path / "a.asc").write_text('#include "h h.h"\n' + KERNEL)
    assert bisheng("-c", "a.asc", "-o", "a.o", "-MD", "-MT", "target", "-MF", "a.d", folder=tmp_path).stderr == ""
    rule = (tmp_path / "a.d").read_text()
    assert rule.startswith("target: ")
    assert str(tmp_path / "a.asc") in rule
    assert "h\\ h.h" in rule
