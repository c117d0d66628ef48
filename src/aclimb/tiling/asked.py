# SPDX-License-Identifier: Apache-2.0
"""What a tiling object was told and what it answered: plain numbers, so that an object of a C++ program can hold them (door.py)."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass

from aclimb import chips
from aclimb.errors import Unsupported

UNSET = -1
KINDS = ("MatmulApiTiling", "MultiCoreMatmulTiling", "BatchMatmulTiling")
_KEPT = 256  # bytes at the top of UB and of L1 are not for kernels
_LAYOUTS = tuple(f"{side}_layout_{axis}" for side in "abc" for axis in ("b", "s", "n", "g", "d"))
_NAMES = (
    "kind",
    # the chip
    "l1", "l0a", "l0b", "l0c", "ub", "bt", "aic",
    # types; is_trans of A and B
    "a_pos", "a_format", "a_type", "a_trans", "b_pos", "b_format", "b_type", "b_trans", "c_pos", "c_format", "c_type",
    "bias_pos", "bias_format", "bias_type",
    # shapes
    "m", "n", "k", "org_m", "org_n", "org_ka", "org_kb", "single_m", "single_n", "single_k",
    "max_m", "max_n", "max_k", "min_m", "min_n", "min_k", "align_m", "align_n", "align_k", "fix_m", "fix_n", "fix_k",
    # how
    "dim", "split_k", "traverse", "use_l1", "use_l0c", "use_ub", "use_bt", "bias", "dequant", "sparse", "schedule",
    *_LAYOUTS, "batch_num",
    # the answer
    "is_tiled", "cores", "parts_m", "parts_n", "got_m", "got_n", "got_k", "base_m", "base_n", "base_k",
)  # fmt: skip
_ZERO = frozenset(
    ("a_pos", "a_format", "a_trans", "b_pos", "b_format", "b_trans", "c_pos", "c_format", "bias_pos", "bias_format", "split_k", "traverse",
     "bias", "dequant", "sparse", "schedule", "batch_num", "is_tiled", *_LAYOUTS)
)  # fmt: skip


class Asked(ctypes.Structure):
    """-1 is "not said" wherever 0 is a value."""

    _fields_ = tuple((name, ctypes.c_int32) for name in _NAMES)

    def reset(self, kind: int, platform: PlatformInfo) -> None:
        for name in _NAMES:
            setattr(self, name, 0 if name in _ZERO else UNSET)
        self.kind = kind
        self.l1, self.l0c, self.ub, self.l0a, self.l0b = platform.l1, platform.l0c, platform.ub, platform.l0a, platform.l0b
        self.bt, self.aic = platform.bt, platform.aic


WORDS = len(_NAMES)


@dataclass(frozen=True, slots=True)
class PlatformInfo:
    """What a tiling has to fit into: bytes, and how many AICs there are."""

    l1: int = 512 * 1024 - _KEPT
    l0c: int = 128 * 1024
    ub: int = 192 * 1024 - _KEPT
    l0a: int = 64 * 1024
    l0b: int = 64 * 1024
    bt: int = 1024
    aic: int = 24

    @classmethod
    def of(cls, soc: str) -> PlatformInfo:
        """Of a chip by its name, such as Ascend910B1."""
        chip = chips.buildable(soc)
        memory = chip.arch.memory
        if "BT" not in memory:
            raise Unsupported(f"{soc} has no bias table; Matmul is tiled for Atlas A2 and A3")
        return cls(memory["L1"] - _KEPT, memory["L0C"], memory["UB"] - _KEPT, memory["L0A"], memory["L0B"], memory["BT"], chip.aic_cores)
