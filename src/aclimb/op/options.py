# SPDX-License-Identifier: Apache-2.0
"""How an operator is to run: precision, determinism, core counts."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from aclimb.errors import InvalidArgument
from aclimb.op.status import INT32_MAX


@dataclass(frozen=True, slots=True)
class Options:
    """What is None is not said: deterministic is False then, allow_hf32 None, precision_mode INT32_MAX, core counts the chip's."""

    precision_mode: int | None = None
    deterministic: Any = None
    deterministic_level: int | None = None
    allow_hf32: str | None = None
    aicore_num: int | None = None
    vectorcore_num: int | None = None
    tiling_cache: bool = True

    def __post_init__(self) -> None:
        if self.deterministic_level is not None and not 0 <= self.deterministic_level <= 3:
            raise InvalidArgument(f"deterministic_level is {self.deterministic_level}; it takes 0 to 3")
        if self.allow_hf32 is not None and (len(self.allow_hf32) > 2 or set(self.allow_hf32) - {"0", "1"}):
            raise InvalidArgument(f"allow_hf32 is {self.allow_hf32!r}; it takes up to two of 0 and 1: convolution, matmul")
        for name in ("aicore_num", "vectorcore_num"):
            cores = getattr(self, name)
            if cores is not None and cores < 1:
                raise InvalidArgument(f"{name} is {cores}; it takes 1 and more")

    def require_cores(self, aic: int, aiv: int) -> None:
        """The limits are not beyond the chip."""
        for name, most in (("aicore_num", aic), ("vectorcore_num", aiv)):
            if (getattr(self, name) or 0) > most:
                raise InvalidArgument(f"{name} is {getattr(self, name)}; the chip has {most}")

    @classmethod
    def from_attrs(cls, attrs: Mapping[str, Any]) -> Options:
        """As a graph node's attributes say it."""
        hf32 = str(attrs.get("allow_hf32", ""))
        return cls(
            precision_mode=int(attrs.get("_precision_mode_enum", 0)),
            deterministic=int(str(attrs.get("deterministic", "")) == "1"),
            allow_hf32=hf32 if len(hf32) < 3 else "",
            aicore_num=_core_count(attrs, "_op_aicore_num"),
            vectorcore_num=_core_count(attrs, "_op_vectorcore_num"),
        )


DEFAULT_OPTIONS = Options()


def _core_count(attrs: Mapping[str, Any], name: str) -> int | None:
    if name not in attrs:
        return None
    text = str(attrs[name])
    if not text.isdecimal():
        raise InvalidArgument(f"{name} is {text!r}; it takes a number of cores")
    return int(text) or None


class ShownOptions:
    """The options as a callback sees them, with what stands for those not said."""

    __slots__ = ("allow_hf32", "deterministic", "deterministic_level", "precision_mode")

    def __init__(self, options: Options | None) -> None:
        given = options or Options()
        switch, level = get_deterministic()
        self.deterministic = given.deterministic if given.deterministic is not None else bool(switch)
        self.deterministic_level = given.deterministic_level if given.deterministic_level is not None else level
        self.allow_hf32 = given.allow_hf32
        self.precision_mode = given.precision_mode if given.precision_mode is not None else INT32_MAX


_process = {"switch": 0, "level": 0}
_lock = threading.Lock()


def get_deterministic() -> tuple[int, int]:
    """The process's switch and level."""
    return _process["switch"], _process["level"]


def set_deterministic(switch: int, level: int = 0) -> None:
    """Sets the process's switch and level. C: aclrtSetSysParamOpt."""
    with _lock:
        _process.update(switch=int(switch), level=int(level))
