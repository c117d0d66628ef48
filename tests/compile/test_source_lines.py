# SPDX-License-Identifier: Apache-2.0
"""From an address in an image to the user's line and the names of the operands."""

from __future__ import annotations

import ctypes
import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from aclimb.binary import KernelBinary, source_lines
from aclimb.compile import Program, headers, observed

# Note() keeps its return address, as an instruction that is issued does; it is inlined through two functions of a
# header.
HEADER = """
typedef void (*Issue)(void*);
__attribute__((always_inline)) inline void issue(Issue to, void* x) { to(x); asm volatile(""); }
__attribute__((always_inline)) inline void Note(Issue to, void* x, int n = 0) { issue(to, x); }
"""
KERNEL = """#include "notes.h"
__attribute__((always_inline)) inline void Process(Issue to, uint8_t* x) {
    Note(to, x);
    Note(
        to,
        x);
}
extern "C" __global__ __aicore__ void f(GM_ADDR x, GM_ADDR to) {
    Process(reinterpret_cast<Issue>(to), x);
    Note(reinterpret_cast<Issue>(to), x, 3);
}
"""
KERNEL_WITH_A_CALL = """
extern "C" __global__ __aicore__ void f(__gm__ int32_t* x) {
    AscendC::Fill(x, 1, 8);
}
"""


def return_addresses(image: bytes, name: str, tmp_path: Path) -> list[int]:
    """Offsets in the image of every return address of an indirect call, read from a disassembly by hand: call through
    a register."""
    from aclimb.binary.elf import Elf

    file = Elf(image)
    section = file.find(".text")
    assert section is not None
    code = file.content(section)
    found = []
    for at in range(len(code) - 3):
        if code[at] == 0xFF and 0xD0 <= code[at + 1] <= 0xD7:  # call *%reg
            found.append(section_address(image, ".text") + at + 2)
        elif code[at : at + 2] in (b"\xff\x54", b"\xff\x55"):
            found.append(section_address(image, ".text") + at + 3)
    return found


def section_address(image: bytes, name: str) -> int:
    import io

    from elftools.elf.elffile import ELFFile

    return int(ELFFile(io.BytesIO(image)).get_section_by_name(name)["sh_addr"])


@pytest.fixture
def image(compiler: str, build: Callable[..., KernelBinary], tmp_path: Path, small_include: Path) -> bytes:
    if ctypes.sizeof(ctypes.c_void_p) != 8 or __import__("platform").machine() != "x86_64":
        pytest.skip("the test finds calls by their x86-64 encoding")
    (small_include / "notes.h").write_text(HEADER)
    return build(KERNEL).images["aiv"]


def test_an_address_leads_through_inlining_to_the_users_line(image: bytes, tmp_path: Path) -> None:
    addresses = return_addresses(image, "f", tmp_path)
    frames = [source_lines.user_frame(image, address) for address in addresses]
    assert [(Path(f.file).name, f.line, f.function) for f in frames if f] == [
        ("kernel.cpp", 4, "Process"),
        ("kernel.cpp", 5, "Process"),
        ("kernel.cpp", 11, "f"),
    ]
    chain = source_lines.lines_of(image).frames(addresses[0] - 1)
    assert [frame.function for frame in chain[:4]] == ["issue", "Note", "Process", "f"]
    assert [Path(frame.file).name for frame in chain[:4]] == ["notes.h", "notes.h", "kernel.cpp", "kernel.cpp"]


def test_an_address_outside_the_code_has_no_frames(image: bytes) -> None:
    assert source_lines.lines_of(image).frames(0x7FFFFFFF) == []
    assert source_lines.user_frame(image, 0x7FFFFFFF) is None


def test_an_image_is_read_once(image: bytes) -> None:
    assert source_lines.lines_of(image) is source_lines.lines_of(bytes(np.frombuffer(image, "u1")))


CALLS = """\
    AscendC::Add(zLocal, xLocal[i * n], yLocal, 1024);
    Add<half, true>(zLocal, f(a, b), {1, 2});
    DataCopy(
        xLocal,  // the input
        xGm[progress * tile],
        tile);
    AddRelu(a, b); Add(c, d);
    pipe.Reset();
"""


@pytest.mark.parametrize(
    ("line", "function", "expected"),
    [
        (1, "Add", ["zLocal", "xLocal[i * n]", "yLocal", "1024"]),
        (2, "Add", ["zLocal", "f(a, b)", "{1, 2}"]),
        (3, "DataCopy", ["xLocal", "xGm[progress * tile]", "tile"]),
        (6, "DataCopy", ["xLocal", "xGm[progress * tile]", "tile"]),
        (7, "Add", ["c", "d"]),
        (8, "Reset", []),
        (8, "Mul", []),
        (99, "Add", []),
    ],
)
def test_argument_texts_come_from_the_line(line: int, function: str, expected: list[str], tmp_path: Path) -> None:
    path = tmp_path / "calls.cpp"
    path.write_text(CALLS)
    assert source_lines.call_arguments(str(path), line, function) == expected


def test_the_text_of_a_line_is_stripped_and_empty_when_the_file_is_gone(tmp_path: Path) -> None:
    path = tmp_path / "calls.cpp"
    path.write_text(CALLS)
    assert source_lines.source_text(str(path), 7) == "AddRelu(a, b); Add(c, d);"
    assert source_lines.source_text(str(path), 700) == ""
    assert source_lines.source_text(str(tmp_path / "gone.cpp"), 1) == ""


def test_an_image_is_the_same_wherever_our_headers_lie(
    compiler: str, build: Callable[..., KernelBinary], tmp_path: Path, small_include: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = build(KERNEL_WITH_A_CALL)
    monkeypatch.setenv("ACLIMB_CACHE_DIR", str(tmp_path / "cache"))
    shutil.copytree(small_include, tmp_path / "elsewhere")
    monkeypatch.setattr(headers, "include_dir", lambda: tmp_path / "elsewhere")
    assert build(KERNEL_WITH_A_CALL).images == first.images


def test_an_observed_image_is_the_same_wherever_our_headers_lie(
    tmp_path: Path, small_include: Path, monkeypatch: pytest.MonkeyPatch, write: Callable[..., Path]
) -> None:
    source, found = write(KERNEL_WITH_A_CALL), []
    for name in ("here", "elsewhere"):
        shutil.copytree(small_include, tmp_path / name)
        monkeypatch.setattr(headers, "include_dir", lambda name=name: tmp_path / name)
        monkeypatch.setenv("ACLIMB_CACHE_DIR", str(tmp_path / f"cache_{name}"))
        found.append(observed.images(Program(source).compile().images))
    assert found[0][0]
    assert found[0] == found[1]
