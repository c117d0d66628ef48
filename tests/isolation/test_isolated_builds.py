# SPDX-License-Identifier: Apache-2.0
"""Sources that attack whoever builds them: each fails, with a sentence, and the next build works."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from aclimb import Program
from aclimb.compile import sandbox, sandbox_entry
from aclimb.errors import CompileError, DeviceError, InvalidArgument

pytestmark = pytest.mark.skipif(not sandbox_entry.version(), reason="this system has no Landlock")
KERNEL = '#include "kernel_operator.h"\n{}\nextern "C" __global__ __aicore__ void k(GM_ADDR x) {{ {} }}\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "strangers"
    made.mkdir()
    (tmp_path / "secret.h").write_text("int password = 4711;\n")
    return made


def build(folder: Path, top: str = "", body: str = "") -> tuple[str, ...]:
    source = folder / "kernel.cpp"
    source.write_text(KERNEL.format(top.replace("SECRET", str(folder.parent / "secret.h")), body))
    return Program(source, isolated=True).compile().kernel_names


def test_a_kernel_with_headers_of_its_own_and_the_systems_builds(folder: Path) -> None:
    (folder / "own.h").write_text("constexpr int kOwn = 3;\n")
    assert build(folder, '#include "own.h"\n#include <cmath>\n#include <cstring>', "*(__gm__ int*)x = kOwn;") == ("k",)


@pytest.mark.parametrize(
    ("top", "body", "words"),
    [
        ('#include "SECRET"', "", "secret.h: Permission denied"),
        ('#include "../secret.h"', "", "secret.h: Permission denied"),
        ('#include "/etc/passwd"', "", "/etc/passwd: Permission denied"),
        ('#if __has_include("SECRET")\n#endif', "", "secret.h: Permission denied"),
        ("", 'asm volatile("nop");', "has inline assembly, which an isolated build does not take"),
        ('asm(".incbin \\"/etc/passwd\\"");', "", "has inline assembly, which an isolated build does not take"),
        ("#define A(x) __a##x", 'A(sm__)("nop");', "has inline assembly, which an isolated build does not take"),
        ('#line 1 "/etc/passwd"', "", "renames its lines with #line, which an isolated build does not take"),
        ('# 1 "kernel_operator.h" 1 3\nvoid f() { asm("nop"); }', "", "renames its lines with #line"),
        ('/*\n*/ %:/**/ \\\nline 1 "/etc/passwd"', "", "renames its lines with #line"),
        ('const char data[] = {\n#embed "/etc/passwd"\n};', "", "#embed"),
        ('__attribute__((section("x,\\"a\\",@progbits\\n.incbin \\"/etc/passwd\\"\\n#"))) int hidden = 1;', "", "/etc/passwd"),
    ],
)
def test_a_source_that_reaches_for_more_is_refused(folder: Path, top: str, body: str, words: str) -> None:
    with pytest.raises(CompileError) as refused:
        build(folder, top, body)
    assert words in str(refused.value)
    assert "4711" not in str(refused.value)
    assert "root:" not in str(refused.value)


def test_a_link_to_a_file_elsewhere_is_not_followed(folder: Path) -> None:
    (folder / "mine.h").symlink_to(folder.parent / "secret.h")
    with pytest.raises(CompileError, match="Permission denied"):
        build(folder, '#include "mine.h"')


def test_a_text_reads_no_other_text_of_the_cache(folder: Path) -> None:
    with pytest.raises(CompileError, match="Permission denied"):
        Program(KERNEL.format(f'#include "{folder.parent}/secret.h"', ""), name="text", isolated=True).compile()


@pytest.mark.parametrize("flag", ["-fplugin=evil.so", "-B/tmp", "-specs=evil", "@words", "-Wa,-I/etc"])
def test_flags_that_bring_code_are_refused(folder: Path, flag: str) -> None:
    (folder / "kernel.cpp").write_text(KERNEL.format("", ""))
    with pytest.raises(InvalidArgument, match=r"is not taken by an isolated build: it may bring code or files of another's; leave it out$"):
        Program(folder / "kernel.cpp", extra_flags=[flag], isolated=True).compile()


def test_a_compiler_that_takes_too_long_is_ended(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox, "SECONDS", 1.0)
    with pytest.raises(CompileError, match=r"^the isolated build took longer than 1 s and was ended$"):
        sandbox.run(["sleep", "30"], {}, [], [folder])


def test_a_compiler_gets_no_more_memory_than_it_may(folder: Path) -> None:
    words = f"b = bytearray({sandbox.LIMITS['RLIMIT_AS']})"
    answer = sandbox.run([sys.executable, "-c", words], {}, [Path(sys.base_prefix), Path(sys.prefix)], [folder])
    assert "MemoryError" in answer.stderr


def test_a_compiler_that_never_stops_talking_is_ended_and_fills_nothing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sandbox.LIMITS, "RLIMIT_FSIZE", 32 << 20)
    with pytest.raises(CompileError, match=r"^the isolated build said more than 16 MiB; does a header include itself"):
        sandbox.run(["yes"], {}, [], [folder])


def test_a_compiler_writes_nowhere_else_and_reaches_no_network(folder: Path) -> None:
    words = f"""
import socket
for what in (lambda: open({str(folder.parent / "stolen")!r}, "w"), lambda: open("/proc/self/environ").read(),
             lambda: socket.create_connection(("127.0.0.1", 9), 1)):
    try:
        what()
    except PermissionError:
        print("refused")
"""
    answer = sandbox.run([sys.executable, "-c", words], {"SECRET": "4711"}, [Path(sys.base_prefix), Path(sys.prefix)], [folder])
    refused = 3 if sandbox_entry.version() >= 4 else 2
    assert answer.stdout.split() == ["refused"] * refused, answer.stderr
    assert not (folder.parent / "stolen").exists()


def test_a_system_without_landlock_is_told_so(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox_entry, "version", lambda: 0)
    with pytest.raises(DeviceError, match=r"^an isolated build needs Landlock, which this system does not have"):
        build(folder)


def test_the_command_builds_isolated(folder: Path) -> None:
    (folder / "kernel.cpp").write_text(KERNEL.format('#include "../secret.h"', ""))
    words = [sys.executable, "-m", "aclimb", "build", "--isolated", str(folder / "kernel.cpp"), "-o", str(folder / "kernel.o")]
    ran = subprocess.run(words, capture_output=True, text=True, timeout=600)
    assert ran.returncode == 1
    assert "Permission denied" in ran.stderr
