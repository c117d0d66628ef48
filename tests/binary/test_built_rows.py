# SPDX-License-Identifier: Apache-2.0
"""A binary cannot outrun its engine: it carries the instructions it was built with, and a number that no row has is refused."""

from __future__ import annotations

import struct
from dataclasses import replace
from pathlib import Path

import pytest

from aclimb import Kernel, KernelBinary, LaunchConfig, Program, Stream, _engine, launch
from aclimb.binary import Rows, meta
from aclimb.errors import AbiMismatch, KernelTrap
from aclimb.flow import FaultKind
from aclimb.fuse import fuse

SOURCE = """
#include "kernel_operator.h"
extern "C" __global__ __aicore__ void one(__gm__ int32_t* y) { y[0] = 1; }
"""
DOCTORED = """
#include "kernel_operator.h"
extern "C" __global__ __aicore__ void doctored(uint32_t op) {
    aclimb::ScalarAccess record{};
    aclimb::issue(record, static_cast<aclimb::Op>(op), aclimb::Pipe::S);
}
"""
KNOWN = len(_engine.instructions())


@pytest.fixture(scope="module")
def binary() -> KernelBinary:
    return Program(SOURCE, name="one").compile()


@pytest.fixture(scope="module")
def doctored() -> Kernel:
    return Kernel(Program(DOCTORED, name="doctored").compile())


def with_rows(binary: KernelBinary, rows: Rows | None) -> KernelBinary:
    return replace(binary, record=replace(binary.record, rows=rows))


def test_a_binary_carries_the_rows_of_its_headers_through_its_file(binary: KernelBinary, tmp_path: Path) -> None:
    assert binary.record.rows == Rows(KNOWN, _engine.rows_fingerprint(KNOWN))
    binary.save(tmp_path / "one.o")
    assert KernelBinary.read(tmp_path / "one.o").record.rows == binary.record.rows


def test_a_binary_is_shown_without_its_bytes(binary: KernelBinary) -> None:
    assert "ELF" not in repr(binary)


def test_every_row_changes_the_fingerprint() -> None:
    assert len({_engine.rows_fingerprint(count) for count in range(KNOWN + 1)}) == KNOWN + 1


def test_a_binary_of_fewer_rows_or_of_before_they_were_counted_is_taken(binary: KernelBinary) -> None:
    Kernel(with_rows(binary, Rows(3, _engine.rows_fingerprint(3))))
    Kernel(with_rows(binary, None))


def test_a_binary_with_more_instructions_than_the_engine_is_refused(binary: KernelBinary) -> None:
    message = rf"^one.o was built with {KNOWN + 3} instructions; this engine knows {KNOWN}: it comes from a newer aclimb; build it again"
    with pytest.raises(AbiMismatch, match=message):
        Kernel(with_rows(binary, Rows(KNOWN + 3, 1)))


def test_a_binary_with_other_instructions_is_refused(binary: KernelBinary) -> None:
    with pytest.raises(AbiMismatch, match=r"^one.o was built with 5 instructions; the first of this engine are others; build it again"):
        Kernel(with_rows(binary, Rows(5, _engine.rows_fingerprint(6))))


def test_a_fused_binary_carries_those_of_its_newest_member(binary: KernelBinary) -> None:
    older = with_rows(binary, Rows(3, _engine.rows_fingerprint(3)))
    assert fuse([(older, 1), (binary, 1)]).record.rows == binary.record.rows


def test_a_fingerprint_that_is_no_number_is_damage(binary: KernelBinary) -> None:
    text = binary.meta
    text["aclimb"]["instructions"]["fingerprint"] = "no number"
    with pytest.raises(meta.MalformedMeta, match="the fingerprint of its instructions is not a hexadecimal number"):
        meta.decode_record(text)


@pytest.mark.parametrize("number", [KNOWN, 0x7FFF, 0xFFFF])
def test_a_number_that_no_row_has_ends_the_core_with_a_sentence(doctored: Kernel, number: int) -> None:
    stream = Stream()
    launch(stream, LaunchConfig(num_blocks=1), doctored, number)
    message = rf"^instruction number {number} does not exist; this engine has 0 to {KNOWN - 1}, doctored block 0"
    with pytest.raises(KernelTrap, match=message):
        stream.synchronize()


@pytest.mark.parametrize("number", [KNOWN, 0xFFFF])
def test_a_number_that_no_row_has_is_refused_in_a_single_record(number: int) -> None:
    record = struct.pack("<HBBHBBQ", number, 0, 0, 16, 0, 0, 0)
    assert _engine.execute(record, {})["fault"].kind == FaultKind.unknown_instruction
    with pytest.raises(ValueError, match=r"no row of instructions.def has this number"):
        _engine.ranges(record)
