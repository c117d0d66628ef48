# SPDX-License-Identifier: Apache-2.0
"""The options of a SuperKernel: `early-start=0:profiling=1`, or the same as keywords. Parsed once, frozen, checked when built."""

from __future__ import annotations

import logging
import re
from dataclasses import dataclass, fields
from typing import Any

from aclimb.errors import FuseError

_log = logging.getLogger("aclimb")

_SWITCHES = ("stream_fusion", "feed_sync_all", "debug_sync_all", "debug_dcci_all", "profiling")
_LISTS = ("dcci_before_kernel_start", "dcci_after_kernel_end", "dcci_disable_on_kernel", "compile_options")


@dataclass(frozen=True, slots=True)
class FuseOptions:
    """What the SuperKernel options of CANN say; names with underscores here, with hyphens in a string."""

    early_start: int = 1  # 0 off, 1 on, 2 the pair rules without the sub-kernels' own calls
    preload_code: str = "per-func"  # max, none, per-func: time only
    split_mode: int = 4  # code copies: time only
    func_align: int = 512
    stream_fusion: int = 0  # cube and vector kernels of two streams side by side
    feed_sync_all: int = 0  # idle cores join a sub-kernel's SyncAll
    debug_sync_all: int = 0  # a full synchronisation behind every sub-kernel
    debug_dcci_all: int = 0
    profiling: int = 0
    debug_aic_num: int = 0  # 0: as many as needed
    debug_aiv_num: int = 0
    dcci_before_kernel_start: tuple[str, ...] = ()
    dcci_after_kernel_end: tuple[str, ...] = ()
    dcci_disable_on_kernel: tuple[str, ...] = ()
    strict_scope_check: str = ""  # bypass, abort
    compile_options: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for name in _SWITCHES:
            self._require(name, getattr(self, name) in (0, 1), "0 or 1")
        self._require("early_start", self.early_start in (0, 1, 2), "0, 1 or 2")
        self._require("preload_code", self.preload_code in ("max", "none", "per-func"), "max, none or per-func")
        self._require("split_mode", _is_int(self.split_mode) and 1 <= self.split_mode <= 64, "1 to 64")
        align = self.func_align
        self._require("func_align", _is_int(align) and (align == 0 or (align >= 2 and align & (align - 1) == 0)), "0 or a power of two")
        for name in ("debug_aic_num", "debug_aiv_num"):
            self._require(name, _is_int(getattr(self, name)) and getattr(self, name) >= 0, "a number that is not negative")
        self._require("strict_scope_check", self.strict_scope_check in ("", "bypass", "abort"), "bypass or abort")
        for name in _LISTS:
            value = getattr(self, name)
            good = isinstance(value, tuple) and all(isinstance(each, str) and each for each in value)
            self._require(name, good, "a list of names")
        self._require_together()

    def _require(self, name: str, is_good: bool, accepted: str) -> None:
        if not is_good:
            raise FuseError(f"option {_hyphens(name)} is {getattr(self, name)!r}; it takes {accepted}")

    def _require_together(self) -> None:
        aic, aiv = self.debug_aic_num, self.debug_aiv_num
        if aic and aiv and aiv not in (aic, 2 * aic):
            raise FuseError(
                f"options debug-aic-num={aic} and debug-aiv-num={aiv} contradict each other: AIVs are as many as AICs, or twice as many"
            )
        for other in ("dcci_before_kernel_start", "dcci_after_kernel_end"):
            both = sorted(set(getattr(self, other)) & set(self.dcci_disable_on_kernel))
            if both:
                _log.warning("options %s and dcci-disable-on-kernel both name %s; the second wins", _hyphens(other), both[0])

    @classmethod
    def parse(cls, text: str) -> FuseOptions:
        """From `key=value:key=value`. What is not known, empty, given twice or out of range raises FuseError."""
        if not isinstance(text, str):
            raise FuseError(
                f"options are a {type(text).__name__}; they are a text such as 'early-start=0:profiling=1', or FuseOptions(...)"
            )
        found: dict[str, Any] = {}
        known = {field.name for field in fields(cls)}
        text = text.strip()
        if len(text) >= 2 and text[0] == text[-1] == '"':
            text = text[1:-1]
        for part in text.split(":"):
            if "=" not in part:
                if part.strip():
                    _log.warning("option %r has no '=' and is ignored; an option is key=value", part.strip())
                continue
            key, _, value = (piece.strip() for piece in part.partition("="))
            if not key or not value:
                raise FuseError(f"option {part.strip()!r} has no {'name' if not key else 'value'}; an option is key=value")
            name = key.replace("-", "_")
            if name not in known or "_" in key:
                raise FuseError(f"option {key!r} does not exist; there are {', '.join(_hyphens(field.name) for field in fields(cls))}")
            if name in found:
                raise FuseError(f"option {key} is given twice: {found[name]!r} and {value!r}")
            found[name] = _value(name, key, value)
        return cls(**found)

    @classmethod
    def of(cls, options: FuseOptions | str | None) -> FuseOptions:
        if options is None:
            return cls()
        return options if isinstance(options, cls) else cls.parse(options)  # type: ignore[arg-type]

    def __str__(self) -> str:
        """What differs from the defaults, in the string form."""
        changed = [(f.name, getattr(self, f.name)) for f in fields(self) if getattr(self, f.name) != f.default]
        return ":".join(f"{_hyphens(name)}={','.join(value) if isinstance(value, tuple) else value}" for name, value in changed)


def _value(name: str, key: str, value: str) -> Any:
    if name in _LISTS:
        return tuple(piece.strip() for piece in value.split(",") if piece.strip())
    if name in ("preload_code", "strict_scope_check"):
        return value
    if not re.fullmatch(r"-?\d{1,18}", value):
        raise FuseError(f"option {key} is {value!r}; it takes a number")
    return int(value)


def _is_int(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _hyphens(name: str) -> str:
    return name.replace("_", "-")
