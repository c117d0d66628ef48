# SPDX-License-Identifier: Apache-2.0
"""Compile tests use a folder of device headers that is small, so that they are fast and stand alone, and one cache
for the session."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from aclimb.binary import KernelBinary
from aclimb.compile import Program, headers

REAL_INCLUDE = headers.include_dir()
KERNEL_OPERATOR = """
#pragma once
#include "aclimb/abi.h"
#include "aclimb/entry.h"
#include "aclimb/facts.h"
#include "aclimb/libc.h"
#include "aclimb/qualifiers.h"
#include "aclimb/tiling.h"
namespace AscendC {
template <typename T> inline __attribute__((always_inline)) void Fill(T* x, T value, int count) {
    static_assert(sizeof(T) == 4, "Fill takes float, int32_t and uint32_t");
    for (int i = 0; i < count; ++i) x[i] = value;
}
inline __attribute__((always_inline)) void Vector() { aclimb::fact<aclimb::Fact::vector>(); }
inline __attribute__((always_inline)) void Mmad() { aclimb::fact<aclimb::Fact::cube>(); }
inline __attribute__((always_inline)) void SyncAll() { aclimb::fact<aclimb::Fact::sync_all>(); }
inline __attribute__((always_inline)) void CrossCoreSetFlag() { aclimb::fact<aclimb::Fact::cross_core>(); }
}
"""


@pytest.fixture(scope="session")
def small_include(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("include")
    for name in ("aclimb", "ascendc", "utils/tiling"):
        shutil.copytree(REAL_INCLUDE / name, folder / name)
    (folder / "kernel_operator.h").write_text(KERNEL_OPERATOR)
    return folder


@pytest.fixture(scope="session")
def session_cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(autouse=True)
def small_world(small_include: Path, session_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(headers, "include_dir", lambda: small_include)
    monkeypatch.setenv("ACLIMB_CACHE_DIR", str(session_cache))
    for name in ("ACLIMB_SOC", "ACLIMB_CXX", "ACLIMB_CACHE_SIZE"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def real_headers(monkeypatch: pytest.MonkeyPatch) -> None:
    """The device headers as they are, for the few tests that need them."""
    monkeypatch.setattr(headers, "include_dir", lambda: REAL_INCLUDE)


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., Path]:
    """write(text) puts a kernel source that includes kernel_operator.h into a file."""

    def _write(text: str, name: str = "kernel.cpp") -> Path:
        path = tmp_path / name
        path.write_text(f'#include "kernel_operator.h"\n{text}')
        return path

    return _write


@pytest.fixture
def build(write: Callable[..., Path]) -> Callable[..., KernelBinary]:
    return lambda text, **options: Program(write(text), **options).compile()


@pytest.fixture(params=["g++", "zig"])
def compiler(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Both sorts of compiler, where the machine has them; a skip says which is missing."""
    if request.param == "g++" and not shutil.which("g++"):
        pytest.skip("no g++ on this machine")
    if request.param == "zig":
        pytest.importorskip("ziglang")
    monkeypatch.setenv("ACLIMB_CXX", request.param)
    return str(request.param)
