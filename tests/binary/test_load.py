# SPDX-License-Identifier: Apache-2.0
"""Loading: what is no file is not read, what lacks its entry is refused, what was built for another product says so."""

from __future__ import annotations

import logging
import os
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import acl
from aclimb import Buffer, Device, Kernel, KernelBinary, LaunchConfig, Program, Stream, launch
from aclimb.errors import InvalidBinary, KernelNotFound
from aclimb.runtime import kernel as kernel_module

SOURCE = """
#include "kernel_operator.h"
extern "C" __global__ __aicore__ void one(__gm__ int32_t* y) { y[0] = 1; }
"""
TEMPLATES = """
#include "kernel_operator.h"
template <int a, int b> __global__ __aicore__ void plain(__gm__ int32_t* y) { y[0] = 10 * a + b; }
namespace deep {
template <typename T, int b> __global__ __aicore__ void inside(__gm__ int32_t* y) { y[0] = 10 * sizeof(T) + b; }
}
"""


@pytest.fixture(scope="module")
def binary() -> KernelBinary:
    return Program(SOURCE, name="one").compile()


@pytest.fixture
def strange(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    path = tmp_path / "strange.o"
    if request.param == "pipe":
        os.mkfifo(path)
    elif request.param == "device":
        path = Path("/dev/zero")
    else:
        with path.open("wb") as file:
            file.write(b"\x7fELF" if request.param == "sparse ELF" else b"text")
            file.truncate(2**33)
    return path


STRANGE = [
    ("pipe", "{path} is a pipe; an operator binary is a file, as `aclimb build` writes it"),
    ("device", "/dev/zero is a device; an operator binary is a file, as `aclimb build` writes it"),
    ("sparse", "{path} has 8589934592 bytes; an operator binary has at most 1073741824"),
    ("sparse ELF", "{path} has 8589934592 bytes; an operator binary has at most 1073741824"),
]


@pytest.mark.parametrize(("strange", "words"), STRANGE, indirect=["strange"])
def test_what_cannot_be_a_binary_is_named_and_not_read(strange: Path, words: str) -> None:
    with pytest.raises(InvalidBinary, match=f"^{re.escape(words.format(path=strange))}$"):
        KernelBinary.read(strange)


@pytest.mark.parametrize(("strange", "words"), STRANGE, indirect=["strange"])
def test_acl_names_it_too(strange: Path, words: str) -> None:
    acl.rt.set_device(0)
    try:
        assert acl.rt.binary_load_from_file(str(strange), [])[1] != 0
        assert words.format(path=strange) in acl.get_recent_err_msg()
    finally:
        acl.rt.reset_device(0)


def test_a_text_of_any_size_is_refused_by_its_first_bytes(tmp_path: Path) -> None:
    (tmp_path / "text.o").write_bytes(b"text" * 1000)
    with pytest.raises(InvalidBinary, match="it does not begin with the ELF mark"):
        KernelBinary.read(tmp_path / "text.o")


def run(kernel: Kernel, soc: str | None = None) -> int:
    device = Device(soc=soc)
    y, stream = Buffer.from_array(np.zeros(1, np.int32), device=device), Stream(device)
    launch(stream, LaunchConfig(num_blocks=1), kernel, y)
    stream.synchronize()
    return int(y.to_numpy()[0])


def test_a_missing_entry_is_an_invalid_binary(binary: KernelBinary, tmp_path: Path) -> None:
    assert run(Kernel(binary)) == 1
    broken = replace(binary, kernels=(replace(binary.kernels[0], entry="aclimb_entry_gone"),))
    words = "^kernel one cannot be launched: the image has no entry aclimb_entry_gone; build it again with `aclimb build`$"
    with pytest.raises(InvalidBinary, match=words):
        run(Kernel(KernelBinary.read(broken.to_bytes())))
    acl.rt.set_device(0)
    try:
        handle = acl.rt.binary_load_from_file(str(broken.save(tmp_path)), [])[0]
        function = acl.rt.binary_get_function(handle, "one")[0]
        assert acl.rt.get_function_addr(function)[-1] != 0
        assert "kernel one cannot be launched: the image has no entry aclimb_entry_gone" in acl.get_recent_err_msg()
        assert acl.rt.binary_unload(handle) == 0
    finally:
        acl.rt.reset_device(0)


@pytest.fixture
def untold(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> Iterator[pytest.LogCaptureFixture]:
    monkeypatch.setattr(kernel_module, "_told", set())
    with caplog.at_level(logging.WARNING, logger="aclimb"):
        yield caplog


@pytest.mark.parametrize(
    ("built", "device", "words"),
    [
        ("Ascend910B1", "Ascend910_9392", "Ascend910B1 (Atlas A2) and runs on Ascend910_9392 (Atlas A3)"),
        ("Ascend910_9392", "Ascend910B1", "Ascend910_9392 (Atlas A3) and runs on Ascend910B1 (Atlas A2)"),
    ],
)
def test_a_binary_of_another_product_says_so_once(built: str, device: str, words: str, untold: pytest.LogCaptureFixture) -> None:
    binary = Program(SOURCE, name="one", soc=built).compile()
    kernel = Kernel(binary)
    assert [run(kernel, built), run(kernel, device), run(kernel, device), run(Kernel(binary), device)] == [1] * 4
    assert [record.getMessage() for record in untold.records] == [
        f"one.o was built for {words}, which may do things differently; build it with soc='{device}'"
    ]


def test_a_binary_of_the_same_product_says_nothing(untold: pytest.LogCaptureFixture) -> None:
    assert run(Kernel(Program(SOURCE, name="one", soc="Ascend910B1").compile()), "Ascend910B2") == 1
    assert untold.records == []


@pytest.mark.parametrize(
    ("asked", "value", "also"),
    [
        ("plain<1,2>", 12, ["plain<1, 2>", "plain< 1 , 2 >"]),
        ("deep::inside<unsigned int,3>", 43, ["deep::inside<unsigned int, 3>", "inside<unsigned int, 3>"]),
        ("inside<short,4>", 24, ["inside<short, 4>", "deep::inside<short, 4>"]),
    ],
)
def test_an_instance_is_found_by_the_name_it_was_asked_for(asked: str, value: int, also: list[str]) -> None:
    binary = Program(TEMPLATES, instances=[asked]).compile()
    assert [run(Kernel(binary, name)) for name in (asked, *also)] == [value] * 3
    with pytest.raises(KernelNotFound, match="has no kernel 'plain<9, 9>'"):
        Kernel(binary, "plain<9, 9>")
