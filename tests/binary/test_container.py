# SPDX-License-Identifier: Apache-2.0
"""The operator binary: what is written is read back, and whatever else is given gets a sentence."""

from __future__ import annotations

import contextlib
import hashlib
import json
import struct
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from aclimb.binary import ABI_VERSION, BuildRecord, KernelBinary, elf
from aclimb.binary.container import SEAL, host_architecture
from aclimb.errors import (
    AbiMismatch,
    InvalidArgument,
    InvalidBinary,
    KernelNotFound,
    NpuBinary,
    SourceNotFound,
    WrongArchitecture,
)
from aclimb.flow import KernelInfo, KernelType, Parameter, slot_offsets

RECORD = BuildRecord("add", "Ascend910_9392", "A3", host_architecture(), "g++ 12", "/src/add.cpp", "00", {"opt_level": 2})
ADD = KernelInfo(
    "add_custom",
    "aclimb_entry_add_custom",
    KernelType.AIV_ONLY,
    (
        Parameter("x", "GM_ADDR", "pointer", 8, 0),
        Parameter("n", "uint32", "uint", 4, 8),
        Parameter("y", "GM_ADDR", "pointer", 8, 16),
    ),
    tiling_keys=(1, 2),
    prints=True,
)
MIX = KernelInfo("ns::mm<float>", "aclimb_entry_mm", KernelType.MIX_AIC_1_2, uses_cross_core=True, uses_workspace=True)
BINARY = KernelBinary(RECORD, (ADD, MIX), {"aiv": b"AIV image" * 50, "aic": b"AIC image" * 30})
BYTES = BINARY.to_bytes()


def sealed(data: bytearray) -> bytes:
    """The file with a right seal again: as if somebody who knows the format had written it."""
    section = elf.Elf(bytes(data)).find(SEAL)
    assert section is not None
    data[section.offset : section.offset + 32] = bytes(32)
    data[section.offset : section.offset + 32] = hashlib.sha256(data).digest()
    return bytes(data)


def with_meta(old: bytes, new: bytes) -> bytes:
    assert len(old) == len(new)
    assert old in BYTES
    return sealed(bytearray(BYTES.replace(old, new)))


def test_what_is_written_is_read_back() -> None:
    assert KernelBinary.read(BYTES) == BINARY
    assert KernelBinary.read(BYTES).to_bytes() == BYTES


def test_the_file_is_an_elf_object_that_lists_its_kernels() -> None:
    file = elf.Elf(BYTES)
    assert (file.type, elf.MACHINES[file.machine]) == (elf.ET_REL, host_architecture())
    assert [s.name for s in file.symbols if s.name] == ["add_custom", "add_custom_1", "add_custom_2", "ns::mm<float>"]
    assert [s.name for s in file.sections if s.name.startswith(".aclimb")] == [
        ".aclimb.meta",
        ".aclimb.aiv",
        ".aclimb.aic",
        ".aclimb.seal",
    ]


def test_pyelftools_reads_our_elf_and_we_read_its_fields() -> None:
    import io

    from elftools.elf.elffile import ELFFile

    theirs = ELFFile(io.BytesIO(BYTES))
    assert [s.name for s in theirs.iter_sections()] == [s.name for s in elf.Elf(BYTES).sections]
    assert theirs.get_section_by_name(".aclimb.aic").data() == BINARY.images["aic"]


def test_the_json_has_canns_keys() -> None:
    meta = BINARY.meta
    assert meta["binFileName"] == "add"
    assert meta["binFileSuffix"] == ".o"
    assert meta["magic"] == "FFTS_BINARY_MAGIC_ELF_MIX_AIC"
    assert meta["coreType"] == "MIX"
    assert meta["taskRation"] == "tilingKey"
    assert meta["intercoreSync"] == 1
    assert meta["debugOptions"] == "printf"
    assert meta["workspace"] == {"num": 1, "size": [-1], "type": [0]}
    assert meta["kernelList"] == [
        {
            "kernelName": "add_custom_1",
            "tilingKey": 1,
            "kernelType": "VectorCore",
            "taskRation": "0:1",
            "crossCoreSync": 0,
        },
        {
            "kernelName": "add_custom_2",
            "tilingKey": 2,
            "kernelType": "VectorCore",
            "taskRation": "0:1",
            "crossCoreSync": 0,
        },
        {
            "kernelName": "ns::mm<float>",
            "tilingKey": 0,
            "kernelType": "MIX_AIC",
            "taskRation": "1:2",
            "crossCoreSync": 1,
        },
    ]
    vector = replace(BINARY, kernels=(ADD,), images={"aiv": b"x"}).meta
    assert (vector["magic"], vector["coreType"], vector["taskRation"]) == (
        "RT_DEV_BINARY_MAGIC_ELF_AIVEC",
        "VectorCore",
        "0:1",
    )


def test_save_writes_object_and_json_under_the_new_name(tmp_path: Path) -> None:
    path = BINARY.save(tmp_path / "renamed.o")
    assert json.loads((tmp_path / "renamed.json").read_text())["binFileName"] == "renamed"
    assert KernelBinary.read(path).kernels == BINARY.kernels
    assert sorted(p.name for p in tmp_path.iterdir()) == ["renamed.json", "renamed.o"]


def test_save_takes_a_folder_and_names_a_place_that_cannot_be_written(tmp_path: Path) -> None:
    assert BINARY.save(tmp_path) == tmp_path / "add.o"
    with pytest.raises(InvalidArgument, match=r"/add\.o/x\.o cannot be written: (Not a directory|File exists); choose another place$"):
        BINARY.save(tmp_path / "add.o" / "x.o")


def test_a_kernel_is_found_by_name_and_by_name_with_tiling_key() -> None:
    assert BINARY.find("add_custom") == (ADD, None)
    assert BINARY.find("add_custom_2") == (ADD, 2)
    with pytest.raises(
        KernelNotFound,
        match=r"^add\.o has no kernel 'add_custom_3'; it has add_custom, add_custom_1, add_custom_2, ns::mm<float>$",
    ):
        BINARY.find("add_custom_3")


def test_slots_start_at_multiples_of_eight_and_a_struct_takes_its_size() -> None:
    assert slot_offsets([8, 8, 4, 8]) == [0, 8, 16, 24]
    assert slot_offsets([1, 12, 2]) == [0, 8, 24]
    assert ADD.args_size == 24


@pytest.mark.parametrize(
    ("data", "error", "message"),
    [
        (b"", InvalidBinary, r"it does not begin with the ELF mark; build the kernel's source with `aclimb build`$"),
        (
            b"#include <x>\n" * 20,
            InvalidBinary,
            r"^the data is not an operator binary: it does not begin with the ELF mark",
        ),
        (
            b"#!/bin/sh\n# a package\n" * 20,
            InvalidBinary,
            r"^the data is a script or a self-extracting package \(\.run\), not an operator binary, and CANN's packages hold code for "
            r"the NPU; build the kernel's source with `aclimb build`$",
        ),
        (BYTES[:40], InvalidBinary, r"^the data is not an operator binary: it ends inside its ELF header \(40 bytes\)"),
        (
            BYTES[:-1],
            InvalidBinary,
            r"^the data is not an operator binary: it is cut off: the section table lies behind the end",
        ),
        (BYTES[:4] + b"\x01" + BYTES[5:], InvalidBinary, r"it is not a 64-bit little-endian ELF file"),
        (
            BYTES[:18] + struct.pack("<H", 0x1029) + BYTES[20:],
            NpuBinary,
            r"^the data was compiled for the NPU by CANN; build its source with `aclimb build`$",
        ),
        (
            bytes(elf.write(elf.EM_X86_64, [(".text", b"\x90")], [("main", ".text")])),
            InvalidBinary,
            r"^the data is an ordinary x86_64 ELF file, not an operator binary: it has no"
            r" \.aclimb\.meta; build a kernel with `aclimb build`$",
        ),
        (
            BYTES + b"more",
            InvalidBinary,
            r"^the data was changed after it was built: its bytes do not match its seal; build it again",
        ),
        (BYTES.replace(b"AIV image", b"AIV imagE", 1), InvalidBinary, r"^the data was changed after it was built"),
        (
            with_meta(b'"abi": %d' % ABI_VERSION, b'"abi": 9'),
            AbiMismatch,
            rf"^the data was built for kernel ABI 9; this aclimb has ABI {ABI_VERSION}: build it again"
            rf" with `aclimb build`$",
        ),
        (
            with_meta(b'"format": 1', b'"format": 7'),
            AbiMismatch,
            r"^the data has file format 7; this aclimb reads format 1: build it again",
        ),
        (with_meta(b'"family": "A3"', b'"family": "A9"'), InvalidBinary, r"its product family is 'A9', not A2 or A3"),
        (
            with_meta(b'"offset": 16', b'"offset": 12'),
            InvalidBinary,
            r"do not lie at multiples of 8 one after the other",
        ),
        (with_meta(b'"MIX_AIC_1_2"', b'"MIX_AIC_1_3"'), InvalidBinary, r"its kernel type 'MIX_AIC_1_3' does not exist"),
        (with_meta(b'"prints": true', b'"prints": 1234'), InvalidBinary, r"its description has no bool under 'prints'"),
    ],
)
def test_a_wrong_file_gets_its_own_sentence(data: bytes, error: type[InvalidBinary], message: str) -> None:
    with pytest.raises(error, match=message) as caught:
        KernelBinary.read(data)
    assert type(caught.value) is error


def test_a_binary_of_the_other_architecture_is_refused() -> None:
    other = "aarch64" if host_architecture() == "x86_64" else "x86_64"
    data = replace(BINARY, record=replace(RECORD, host=other)).to_bytes()
    with pytest.raises(
        WrongArchitecture,
        match=rf"^the data was built on {other}; this machine is {host_architecture()}: build it again",
    ):
        KernelBinary.read(data)


def test_an_image_that_a_kernel_needs_cannot_be_missing() -> None:
    data = replace(BINARY, images={"aiv": b"x"}).to_bytes()
    with pytest.raises(InvalidBinary, match=r"kernel ns::mm<float> is MIX_AIC_1_2 and one of its images is missing"):
        KernelBinary.read(data)


def test_what_is_neither_a_path_nor_a_binary_is_named() -> None:
    with pytest.raises(InvalidArgument) as caught:
        KernelBinary.read(None)  # type: ignore[arg-type]
    assert str(caught.value) == "binary is a NoneType; it takes what Program(...).compile() gives, or the path of a .o file"


def test_files_that_are_missing_folders_or_programs_are_named(tmp_path: Path) -> None:
    with pytest.raises(SourceNotFound, match=r"/add\.o does not exist; `aclimb build kernel\.cpp -o add\.o` writes one$"):
        KernelBinary.read(tmp_path / "add.o")
    with pytest.raises(InvalidBinary, match=rf"^{tmp_path} is a folder; give the \.o file in it$"):
        KernelBinary.read(tmp_path)
    with pytest.raises(InvalidBinary, match=r"is an ordinary \S+ ELF file, not an operator binary"):
        KernelBinary.read(sys.executable)


def accept_or_refuse(data: bytes) -> None:
    """The property: InvalidBinary and its relatives, or an equal binary. Anything else fails the test."""
    with contextlib.suppress(InvalidBinary):
        assert KernelBinary.read(data) == BINARY


FUZZ = settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))


@FUZZ
@given(st.lists(st.tuples(st.integers(0, len(BYTES) - 1), st.integers(0, 255)), min_size=1, max_size=8))
def test_changed_bytes_never_give_another_exception(changes: list[tuple[int, int]]) -> None:
    data = bytearray(BYTES)
    for at, value in changes:
        data[at] = value
    accept_or_refuse(bytes(data))


@FUZZ
@given(st.integers(0, 63) | st.integers(len(BYTES) - 64 * 8, len(BYTES) - 1), st.integers(0, 2**64 - 1))
def test_changed_headers_with_a_right_seal_never_give_another_exception(at: int, value: int) -> None:
    data = bytearray(BYTES)
    data[at : at + 8] = value.to_bytes(8, "little")[: len(data) - at]
    with contextlib.suppress(elf.MalformedElf, AssertionError):  # no seal left to put right
        data = bytearray(sealed(data))
    with contextlib.suppress(InvalidBinary):
        KernelBinary.read(bytes(data))


@FUZZ
@given(
    st.binary(max_size=300) | st.integers(0, len(BYTES)).map(lambda n: BYTES[:n]) | st.binary(max_size=200).map(lambda b: BYTES[:64] + b)
)
def test_truncated_and_random_files_never_give_another_exception(data: bytes) -> None:
    accept_or_refuse(data)


@FUZZ
@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=8),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(
                    [
                        "aclimb",
                        "kernels",
                        "images",
                        "format",
                        "abi",
                        "name",
                        "entry",
                        "facts",
                        "parameters",
                        "binFileName",
                    ]
                ),
                inner,
                max_size=5,
            )
        ),
        max_leaves=12,
    )
)
def test_any_json_in_the_description_never_gives_another_exception(value: object) -> None:
    base = BINARY.meta
    if isinstance(value, dict):
        value = {
            **base,
            **value,
            "aclimb": {**base["aclimb"], **(value.get("aclimb") if isinstance(value.get("aclimb"), dict) else {})},
        }
    text = json.dumps(value).encode()
    machine = next(number for number, name in elf.MACHINES.items() if name == host_architecture())
    sections = [
        (".aclimb.meta", text),
        (".aclimb.aiv", BINARY.images["aiv"]),
        (".aclimb.aic", BINARY.images["aic"]),
        (SEAL, bytes(32)),
    ]
    with contextlib.suppress(InvalidBinary):
        KernelBinary.read(sealed(elf.write(machine, sections, [])))
