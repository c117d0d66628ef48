# SPDX-License-Identifier: Apache-2.0
"""Every method of the value classes, called in C++."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from cpp_parts import HERE, WARNINGS, Build


def checks_of(source: str) -> list[str]:
    return re.findall(r"^TEST\((\w+)\)", (HERE / "sources" / source).read_text(), re.MULTILINE)


def run_check(library: Path, name: str) -> str:
    function: Callable[[], bytes] = getattr(ctypes.CDLL(str(library)), f"check_{name}")
    function.restype = ctypes.c_char_p  # type: ignore[attr-defined]
    return function().decode()


@pytest.mark.requirement("cpp-25")
@pytest.mark.parametrize("name", checks_of("values.cpp"))
def test_value_classes_do_what_their_methods_say(name: str, build: Build) -> None:
    assert run_check(build("values.cpp"), name) == ""


@pytest.mark.requirement("cpp-30", "cpp-31", "cpp-33")
@pytest.mark.parametrize("name", checks_of("layouts.cpp"))
def test_layouts_keys_and_numbers_are_as_published(name: str, build: Build, capfd: pytest.CaptureFixture[str]) -> None:
    assert run_check(build("layouts.cpp"), name) == ""
    if name == "template_key_undeclared":
        said = capfd.readouterr().err
        assert "GET_TPL_TILING_KEY: TILE is 5, which is not declared" in said
        assert "GET_TPL_TILING_KEY: 2 values are given; 6 are declared" in said
        assert "GET_TPL_TILING_KEY: the parameters up to B take 96 bits; a tiling key has 64" in said


@pytest.mark.slow
@pytest.mark.requirement("cpp-25")
@pytest.mark.parametrize("abi", [0, 1])
@pytest.mark.parametrize("std", [14, 17, 20])
def test_value_classes_are_the_same_in_every_standard(std: int, abi: int, build: Build) -> None:
    library = build("values.cpp", std=std, flags=(*WARNINGS, f"-D_GLIBCXX_USE_CXX11_ABI={abi}"))
    assert {name: run_check(library, name) for name in checks_of("values.cpp")} == dict.fromkeys(checks_of("values.cpp"), "")
