# SPDX-License-Identifier: Apache-2.0
"""Tiling objects of C++ programs: the state is in the object there, each of its methods is a call here (host/include/aclimb/op/door.h)."""

from __future__ import annotations

import ctypes
import logging
import re
from ctypes import c_char, c_char_p, c_int32, c_int64, c_uint64, c_void_p

from aclimb.errors import AclimbError
from aclimb.tiling.asked import UNSET, WORDS, Asked, PlatformInfo
from aclimb.tiling.base import MatmulApiTilingBase
from aclimb.tiling.classes import BatchMatmulTiling, MatmulApiTiling, MultiCoreMatmulTiling
from aclimb.tiling.layout import FIELDS, TCubeTiling
from aclimb.tiling.sizes import tmp_buf_size

OK, FAILED = 0, -1
_SAID = 1024
_CLASSES: tuple[type[MatmulApiTilingBase], ...] = (MatmulApiTiling, MultiCoreMatmulTiling, BatchMatmulTiling)
_log = logging.getLogger("aclimb")


class TilingCall(ctypes.Structure):
    _fields_ = (
        ("method", c_char_p),
        ("state", c_void_p),
        ("words", c_uint64),
        ("arguments", c_void_p),
        ("count", c_uint64),
        ("results", c_void_p),
        ("said", c_char * _SAID),
    )


def call(address: int) -> int:
    """0, or -1 and a sentence in the record."""
    record = TilingCall.from_address(address)
    method = record.method.decode()
    arguments = tuple((c_int64 * record.count).from_address(record.arguments)) if record.count else ()
    try:
        assert method == "TmpBufSize" or record.words >= WORDS, f"the header has room for {record.words} words of {WORDS}"
        results = _results(method, record.state, arguments)
    except AclimbError as error:
        record.said = str(error).removeprefix(f"{method}: ").encode()[: _SAID - 1]
        return FAILED
    except Exception as error:  # nothing may reach C
        _log.exception("%s failed inside aclimb", method)
        record.said = f"failed inside aclimb: {type(error).__name__}: {error}".encode()[: _SAID - 1]
        return FAILED
    if results and record.results:
        (c_int32 * len(results)).from_address(record.results)[:] = list(results)
    return OK


def _results(method: str, state: int, arguments: tuple[int, ...]) -> tuple[int, ...]:
    if method == "TmpBufSize":
        sizes = tmp_buf_size(TCubeTiling(*arguments))
        return sizes.ub_size, sizes.l1_size, sizes.l0c_size
    asked = Asked.from_address(state)
    if method == "Init":
        kind, *sizes_and_cores = arguments
        asked.reset(kind, _platform(sizes_and_cores))
        return ()
    found = getattr(_CLASSES[asked.kind](asked=asked), _in_python(method))(*arguments)
    if isinstance(found, TCubeTiling):
        return tuple(getattr(found, name) for name in FIELDS)
    return found if isinstance(found, tuple) else () if found is None else (int(found),)


def _platform(given: list[int]) -> PlatformInfo:
    """In the order of its fields; -1 for what C++ does not know."""
    names = PlatformInfo.__dataclass_fields__
    return PlatformInfo(**{name: value for name, value in zip(names, given, strict=True) if value != UNSET})


def _in_python(name: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()
