# SPDX-License-Identifier: Apache-2.0
"""Operator binaries: what loads, from where, with which options, and what is refused with a sentence."""

from __future__ import annotations

import dataclasses
import json
import os
import shutil
import struct
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from host import code, launch, message, ok, read
from steps import loaded

import acl
from aclimb import KernelBinary

Kernels = dict[str, Path]
Malloc = Callable[[int], int]
REFUSED = (0, 107000)
LAZY_LOAD, MAGIC = 1, 2
AICORE, VECTOR_CORE, CUBE_CORE = 0x43554245, 0x41415246, 0x41494343
NOT_A_LIST = r"^argument \d only support the format of list$"


def runs(binary: int, out: int) -> bool:
    """Whether the binary's fill_index does its work."""
    ok(acl.rt.memset(out, 16, 255, 16))
    ok(launch(ok(acl.rt.binary_get_function(binary, "fill_index")), 4, 0, out))
    ok(acl.rt.synchronize_stream(0))
    return read(out, 4).tolist() == [0, 1, 2, 3]


def from_data(data: np.ndarray, *options: dict[str, int]) -> Any:
    return acl.rt.binary_load_from_data(data.ctypes.data, data.nbytes, list(options))


@pytest.fixture
def data(kernels: Kernels) -> np.ndarray:
    """The bytes of a binary, in memory of the test's own."""
    return np.fromfile(kernels["fill_index"], np.uint8)


@pytest.mark.requirement("host-72")
def test_a_file_that_aclimb_built_loads_and_runs(malloc: Malloc, kernels: Kernels) -> None:
    binary, ret = acl.rt.binary_load_from_file(str(kernels["fill_index"]), [])
    assert ret == 0
    assert type(binary) is int
    assert 0 < binary < 2**64
    assert runs(binary, malloc(16))
    assert acl.rt.binary_unload(binary) == 0


BAD_FILES = {
    "empty": lambda good: b"",
    "text": lambda good: b"int main() { return 0; }\n" * 20,
    "elf magic alone": lambda good: b"\x7fELF",
    "32-bit elf": lambda good: good[:4] + b"\x01" + good[5:],
    "cut off": lambda good: good[: len(good) // 2],
    "one bit changed": lambda good: good[:-9] + bytes([good[-9] ^ 1]) + good[-8:],
    "host program": lambda good: Path(sys.executable).read_bytes(),
    "compiled for an NPU": lambda good: good[:18] + struct.pack("<H", 0x1029) + good[20:],
}


@pytest.mark.requirement("host-73")
@pytest.mark.parametrize("content", BAD_FILES)
def test_a_file_that_is_no_operator_binary_is_refused(device: int, kernels: Kernels, tmp_path: Path, content: str) -> None:
    path = tmp_path / "bad.o"
    path.write_bytes(BAD_FILES[content](kernels["fill_index"].read_bytes()))
    assert acl.rt.binary_load_from_file(str(path), []) == REFUSED
    assert "bad.o" in message()


@pytest.mark.requirement("host-73")
@pytest.mark.parametrize("name", ["missing.o", "folder", "file.o/inside.o", ""])
def test_a_path_without_a_file_is_refused(device: int, tmp_path: Path, name: str) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "file.o").write_bytes(b"")
    assert acl.rt.binary_load_from_file(str(tmp_path / name) if name else "", []) == REFUSED
    assert Path(name).name in message()


@pytest.mark.requirement("host-73")
@pytest.mark.skipif(os.geteuid() == 0, reason="root may read every file")
def test_a_file_that_may_not_be_read_is_refused(device: int, kernels: Kernels, tmp_path: Path) -> None:
    path = Path(shutil.copy(kernels["fill_index"], tmp_path / "locked.o"))
    path.chmod(0)
    assert acl.rt.binary_load_from_file(str(path), []) == REFUSED
    assert "locked.o" in message()


@pytest.mark.requirement("host-73")
def test_a_path_is_a_text(device: int, kernels: Kernels) -> None:
    for path in (kernels["fill_index"], str(kernels["fill_index"]).encode(), None, 0):
        with pytest.raises(TypeError, match=r"^acl\.rt\.binary_load_from_file args parse failed!?$"):
            acl.rt.binary_load_from_file(path, [])


@pytest.mark.requirement("host-74")
@pytest.mark.parametrize("prefix", ["", "./", "../kernels/"])
def test_a_relative_path_starts_at_the_working_directory(
    malloc: Malloc, kernels: Kernels, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, prefix: str
) -> None:
    (tmp_path / "kernels").mkdir()
    shutil.copy(kernels["fill_index"], tmp_path / "kernels" / "here.o")
    monkeypatch.chdir(tmp_path / "kernels")
    with loaded(prefix + "here.o") as binary:
        assert runs(binary, malloc(16))


@pytest.mark.requirement("host-75")
@pytest.mark.parametrize("options", [None, (), {}, 0, "[]"])
def test_options_are_a_list(device: int, kernels: Kernels, data: np.ndarray, options: Any) -> None:
    with pytest.raises(ValueError, match=NOT_A_LIST):
        acl.rt.binary_load_from_file(str(kernels["fill_index"]), options)
    with pytest.raises(ValueError, match=NOT_A_LIST):
        acl.rt.binary_load_from_data(data.ctypes.data, data.nbytes, options)


@pytest.mark.requirement("host-75")
@pytest.mark.parametrize("option", [None, 1, (1, 0), "lazy"])
def test_an_option_is_a_dictionary(device: int, kernels: Kernels, option: Any) -> None:
    with pytest.raises(TypeError):
        acl.rt.binary_load_from_file(str(kernels["fill_index"]), [option])


@pytest.mark.requirement("host-75")
@pytest.mark.parametrize("option", [{"type": 0, "value": 0}, {"type": 4, "value": 0}, {"type": 99, "value": 1}, {}])
def test_an_unknown_option_is_refused(device: int, kernels: Kernels, data: np.ndarray, option: dict[str, int]) -> None:
    assert acl.rt.binary_load_from_file(str(kernels["fill_index"]), [option]) == REFUSED
    assert str(option.get("type", 0)) in message()
    assert from_data(data, option) == REFUSED


@pytest.mark.requirement("host-75")
@pytest.mark.parametrize("value", [0, 1])
def test_a_lazy_load_and_an_eager_one_run_the_same(malloc: Malloc, kernels: Kernels, value: int) -> None:
    binary = ok(acl.rt.binary_load_from_file(str(kernels["fill_index"]), [{"type": LAZY_LOAD, "value": value}]))
    assert runs(binary, malloc(16))
    ok(acl.rt.binary_unload(binary))


@pytest.mark.requirement("host-75")
def test_lazy_load_is_0_or_1(device: int, kernels: Kernels, data: np.ndarray) -> None:
    for value in (2, 255):
        assert acl.rt.binary_load_from_file(str(kernels["fill_index"]), [{"type": LAZY_LOAD, "value": value}]) == REFUSED
        assert str(value) in message()
        assert from_data(data, {"type": LAZY_LOAD, "value": value}) == REFUSED


@pytest.mark.requirement("host-75")
@pytest.mark.parametrize("option", [{"type": LAZY_LOAD}, {"type": LAZY_LOAD, "value": "1"}, {"type": LAZY_LOAD, "value": 0, "more": 7}])
def test_what_an_option_does_not_say_counts_as_0(device: int, kernels: Kernels, option: dict[str, Any]) -> None:
    ok(acl.rt.binary_unload(ok(acl.rt.binary_load_from_file(str(kernels["fill_index"]), [option]))))


@pytest.mark.requirement("host-76")
@pytest.mark.parametrize("magic", [AICORE, VECTOR_CORE, CUBE_CORE])
def test_the_magic_option_is_for_data_and_not_for_files(malloc: Malloc, kernels: Kernels, data: np.ndarray, magic: int) -> None:
    assert acl.rt.binary_load_from_file(str(kernels["fill_index"]), [{"type": MAGIC, "value": magic}]) == REFUSED
    assert "magic" in message().lower()
    binary = ok(from_data(data, {"type": MAGIC, "value": magic}))
    if magic == VECTOR_CORE:
        assert runs(binary, malloc(16))
    ok(acl.rt.binary_unload(binary))


@pytest.mark.requirement("host-76")
@pytest.mark.parametrize("magic", [0, 1, VECTOR_CORE + 1])
def test_a_magic_that_does_not_exist_is_refused(device: int, data: np.ndarray, magic: int) -> None:
    assert from_data(data, {"type": MAGIC, "value": magic}) == REFUSED
    assert "magic" in message().lower()


@pytest.mark.requirement("host-77")
def test_data_may_go_as_soon_as_it_is_loaded(malloc: Malloc, data: np.ndarray) -> None:
    binary = ok(from_data(data))
    data[:] = 255
    assert runs(binary, malloc(16))
    ok(acl.rt.binary_unload(binary))


@pytest.mark.requirement("host-77")
def test_data_that_is_no_operator_binary_is_refused(device: int, data: np.ndarray) -> None:
    assert acl.rt.binary_load_from_data(data.ctypes.data, data.nbytes - 1, []) == REFUSED
    assert "the data is not an operator binary: it is cut off" in message()
    assert from_data(np.zeros(4096, np.uint8)) == REFUSED
    assert acl.rt.binary_load_from_data(0, 4096, []) == (0, 100000)
    assert code(acl.rt.binary_load_from_data(data.ctypes.data, 0, [])) in (100000, 107000)


@pytest.mark.requirement("host-78")
def test_the_older_two_steps_give_a_binary_too(malloc: Malloc, data: np.ndarray) -> None:
    made = acl.rt.create_binary(data.ctypes.data, data.nbytes)
    assert type(made) is int
    binary = ok(acl.rt.binary_load(made))
    assert runs(binary, malloc(16))
    assert acl.rt.binary_unload(binary) == 0
    assert acl.rt.destroy_binary(made) == 0
    assert code(acl.rt.binary_load(made)) != 0
    assert acl.rt.destroy_binary(made) != 0


@pytest.mark.requirement("host-78")
def test_the_older_two_steps_refuse_nothing_and_nonsense(device: int) -> None:
    assert acl.rt.binary_load(0) == (0, 100000)
    assert acl.rt.destroy_binary(0) == 100000
    nonsense = np.zeros(256, np.uint8)
    made = acl.rt.create_binary(nonsense.ctypes.data, nonsense.nbytes)
    assert code(acl.rt.binary_load(made)) == 107000
    assert acl.rt.destroy_binary(made) == 0


@pytest.mark.requirement("host-79")
def test_the_json_beside_a_binary_may_be_missing(malloc: Malloc, kernels: Kernels, tmp_path: Path) -> None:
    alone = Path(shutil.copy(kernels["fill_index"], tmp_path / "alone.o"))
    with loaded(alone) as binary:
        assert runs(binary, malloc(16))


@pytest.mark.requirement("host-79")
@pytest.mark.parametrize("text", ["", "{", "[]", json.dumps({"magic": 7}), json.dumps({"magic": "RT_DEV_BINARY_MAGIC_ELF_AICUBE"})])
def test_a_json_that_fits_nothing_is_refused_or_has_no_effect(malloc: Malloc, kernels: Kernels, tmp_path: Path, text: str) -> None:
    path = Path(shutil.copy(kernels["fill_index"], tmp_path / "odd.o"))
    path.with_suffix(".json").write_text(text)
    binary, ret = acl.rt.binary_load_from_file(str(path), [])
    if ret == 0:
        assert runs(binary, malloc(16))
        ok(acl.rt.binary_unload(binary))
    else:
        assert (binary, ret) == REFUSED
        assert "odd.json" in message()


@pytest.mark.requirement("host-80")
def test_a_file_loaded_twice_is_two_binaries(malloc: Malloc, kernels: Kernels) -> None:
    with loaded(kernels["fill_index"]) as first, loaded(kernels["fill_index"]) as second:
        assert first != second
        functions = [ok(acl.rt.binary_get_function(binary, "fill_index")) for binary in (first, second)]
        assert functions[0] != functions[1]
        ok(acl.rt.binary_unload(first))
        assert runs(second, malloc(16))


@pytest.mark.requirement("host-89")
def test_a_binary_without_a_kernel_does_not_load(device: int, kernels: Kernels, tmp_path: Path) -> None:
    empty = dataclasses.replace(KernelBinary.read(kernels["fill_index"]), kernels=())
    path = tmp_path / "empty.o"
    path.write_bytes(empty.to_bytes())
    assert acl.rt.binary_load_from_file(str(path), []) == REFUSED
    assert "kernel" in message()
