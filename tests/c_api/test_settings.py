# SPDX-License-Identifier: Apache-2.0
"""What frameworks ask and set when they start: each answer is 0 where the model can follow, and a sentence where it cannot."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator

import pytest
from native import stub

import acl
from aclimb import capi
from aclimb.capi import op_compiler, settings
from aclimb.op import options
from aclimb.version import CANN

INVALID, UNSUPPORTED = 107000, 207000


@pytest.fixture(autouse=True)
def device(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """With the settings of a new process: other tests set some at random."""
    monkeypatch.setattr(settings, "_process", {})
    monkeypatch.setattr(op_compiler, "_values", dict(op_compiler.AT_FIRST))
    assert acl.init() == 0
    assert acl.rt.set_device(0) == 0
    yield
    assert acl.rt.reset_device(0) == 0
    assert acl.finalize() == 0


def said() -> str:
    text: str = acl.get_recent_err_msg()
    return text


@pytest.mark.requirement("tool-27")
def test_overflow_is_infinite_and_nothing_else() -> None:
    assert capi.aclrtSetDeviceSatMode(1) == 0
    assert capi.aclrtGetDeviceSatMode() == (1, 0)
    assert capi.aclrtSetDeviceSatMode(0) == UNSUPPORTED
    assert "overflow mode 0: results that overflow are infinite here, mode 1; a kernel can make them saturate" in said()


@pytest.mark.requirement("tool-27")
def test_the_toolkit_says_what_it_can() -> None:
    assert [capi.aclGetCannAttribute(number) for number in range(3)] == [(1, 0), (1, 0), (0, 0)]
    assert capi.aclGetCannAttribute(7) == (0, INVALID)
    assert "attribute 7 of the toolkit is not known; there are 0 (INF_NAN), 1 (BF16), 2 (JIT_COMPILE)" in said()


@pytest.mark.requirement("tool-27")
def test_the_version_of_a_package_is_a_struct_of_texts() -> None:
    room = ctypes.create_string_buffer(128 + 4 * 64 + 128)
    assert stub("aclsysGetCANNVersion")(0, room) == 0
    assert room.value.decode() == CANN
    assert [room.raw[at : at + 64].split(b"\0")[0].decode() for at in (128, 192, 256, 320)] == [*CANN.split("."), ""]
    assert stub("aclsysGetCANNVersion")(8, room) == INVALID
    assert "package 8 does not exist; there are 0 (CANN) to 7 (DRIVER)" in said()


@pytest.mark.requirement("tool-27")
def test_system_parameters_are_kept_for_the_process_and_for_a_context() -> None:
    assert capi.aclrtGetSysParamOpt(3) == (0, 0)
    assert capi.aclrtSetSysParamOpt(3, 1) == 0
    assert capi.aclrtCtxGetSysParamOpt(3) == (1, 0)
    assert capi.aclrtCtxSetSysParamOpt(3, 0) == 0
    assert (capi.aclrtCtxGetSysParamOpt(3), capi.aclrtGetSysParamOpt(3)) == ((0, 0), (1, 0))
    assert capi.aclrtSetSysParamOpt(3, 0) == 0
    assert capi.aclrtCtxSetSysParamOpt(4, 0) == INVALID
    assert "system parameter 4 does not exist; there are 0 (DETERMINISTIC), 1 (ENABLE_DEBUG_KERNEL)" in said()


def test_operators_are_told_when_the_process_asks_for_determinism() -> None:
    before = options.get_deterministic()
    assert capi.aclrtSetSysParamOpt(0, 1) == 0
    assert options.get_deterministic()[0] == 1
    assert capi.aclrtSetSysParamOpt(0, 0) == 0
    assert options.get_deterministic()[0] == 0
    options.set_deterministic(1)
    assert capi.aclrtGetSysParamOpt(0) == (1, 0)
    options.set_deterministic(*before)


@pytest.mark.requirement("tool-27")
def test_compile_options_are_kept_and_read_back() -> None:
    jit, cache = 10, 8
    assert (capi.aclGetCompileoptSize(jit), capi.aclGetCompileopt(jit, 8)) == (8, ("disable", 0))
    assert capi.aclSetCompileopt(cache, "/tmp/x") == 0
    room = ctypes.create_string_buffer(7)
    assert (stub("aclGetCompileopt")(cache, room, 7), room.value) == (0, b"/tmp/x")
    assert capi.aclGetCompileopt(cache, 6) == ("", INVALID)
    assert "the value of ACL_OP_COMPILER_CACHE_DIR needs 7 bytes; length is 6" in said()
    assert capi.aclSetCompileopt(cache, "") == capi.aclopSetCompileFlag(0) == 0
    assert stub("aclSetCompileopt")(cache, b"/\xff") == 0  # a text need not be UTF-8
    assert (stub("aclGetCompileopt")(cache, room, 3), room.value) == (0, b"/\xff")
    assert capi.aclSetCompileopt(99, "x") == INVALID
    assert "compile option 99 does not exist; there are 0 (ACL_PRECISION_MODE) to 16 (ACL_OP_DEBUG_OPTION)" in said()
    assert capi.aclSetCompileopt(cache, None) == 100000
