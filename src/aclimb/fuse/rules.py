# SPDX-License-Identifier: Apache-2.0
"""The rules of fusion as data: classes of kernels, what stands between each pair of them, and what the whole becomes.

Cross-core flags: 11 all AICs, 12 AIVs to their AIC, 13 AIC to its AIVs, 14 all AIVs. A set takes effect when its pipe has finished what
came before it; a wait stops the core until the flag is there.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from typing import Literal

from aclimb.binary.plan import PlanStep
from aclimb.flow import KernelType

Class = Literal["C", "V", "M"]
Core = Literal["aic", "aiv"]
CODE = {"C": 0, "V": 1, "M": 2}

_SET = {"aic": "set FIX 0 11", "aiv": "set MTE3 0 14"}  # everybody of a sort
_TO_AIV, _TO_AIC = "set MTE3 2 13", "set MTE3 2 12"

# First kernel -> second kernel: what AICs do, what AIVs do, before the second may begin.
WAITS: dict[tuple[Class, Class], tuple[tuple[str, ...], tuple[str, ...]]] = {
    ("C", "C"): (("wait 11",), ()),
    ("C", "V"): (("wait 11", _TO_AIV), ("wait 13",)),
    ("C", "M"): (("wait 11", _TO_AIV), ("wait 13",)),
    ("V", "C"): (("wait 12",), ("wait 14", _TO_AIC)),
    ("V", "V"): ((), ("wait 14",)),
    ("V", "M"): (("wait 12",), ("wait 14", _TO_AIC)),
    ("M", "C"): (("wait 11", "wait 12"), ("wait 14", _TO_AIC)),
    ("M", "V"): (("wait 11", _TO_AIV), ("wait 14", "wait 13")),
    ("M", "M"): (("wait 11", _TO_AIV, "wait 12"), ("wait 14", _TO_AIC, "wait 13")),
}

# Everybody meets: in a mixed SuperKernel through the AICs, behind all pipes; else those of the only sort.
FULL_SYNC: dict[Class, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "M": (("barrier", "wait 12", "set FIX 0 11", "wait 11", _TO_AIV), ("barrier", _TO_AIC, "wait 13")),
    "C": (("set FIX 0 11", "wait 11"), ()),
    "V": ((), ("set MTE3 0 14", "wait 14")),
}
MEET: dict[Core, tuple[str, ...]] = {"aic": ("set FIX 0 11", "wait 11"), "aiv": ("set MTE3 0 14", "wait 14")}


def class_of(kind: KernelType) -> Class:
    aics, aivs = kind.task_ration
    return "M" if aics and aivs else "C" if aics else "V"


def pair_config(first: Class, second: Class) -> int:
    return CODE[first] << 2 | CODE[second]


def sets_of(kind: Class) -> dict[Core, tuple[str, ...]]:
    """What the cores that ran a kernel of this class say when it is done."""
    return {"aic": (_SET["aic"],) if kind in "CM" else (), "aiv": (_SET["aiv"],) if kind in "VM" else ()}


def step(text: str, sub: int, who: Literal["all", "idle", "first"], reason: str) -> PlanStep:
    """`set MTE3 0 14`, `wait 14`, `barrier` as a step."""
    words = text.split()
    if words[0] == "set":
        return PlanStep("set", sub, who, words[1], int(words[2]), int(words[3]), reason=reason)
    if words[0] == "wait":
        return PlanStep("wait", sub, who, flag=int(words[1]), reason=reason)
    return PlanStep("barrier", sub, who, "ALL", reason=reason)


def cores_needed(kind: KernelType, num_blocks: int) -> tuple[int, int]:
    aics, aivs = kind.task_ration
    return aics * num_blocks, aivs * num_blocks


def merged_type(needs: Sequence[tuple[KernelType, int]]) -> tuple[KernelType, int]:
    """Kernel type and block count of the whole, from those of its members. One MIX 1:2 member makes the whole MIX 1:2, however many cubes
    the others have: in a MIX 1:1 its blocks would have no second AIV. That is the rule of the ahead-of-time fuser; the other one overlooks
    it."""
    kinds = {kind for kind, _ in needs}
    classes = {class_of(kind) for kind in kinds}
    cubes = max(cores_needed(kind, blocks)[0] for kind, blocks in needs)
    vectors = max(cores_needed(kind, blocks)[1] for kind, blocks in needs)
    if classes == {"V"}:
        return KernelType.MIX_AIV_1_0, vectors
    if classes == {"C"}:
        return KernelType.MIX_AIC_1_0, cubes
    if KernelType.MIX_AIC_1_2 not in kinds and vectors <= cubes:
        return KernelType.MIX_AIC_1_1, cubes
    return KernelType.MIX_AIC_1_2, max(cubes, ceil(vectors / 2))


def needs_feed(kind: KernelType, blocks: int, whole: KernelType, whole_blocks: int) -> bool:
    """Whether a kernel that calls SyncAll has fewer cores than the SuperKernel."""
    if (kind, blocks) == (whole, whole_blocks):
        return False
    if whole == KernelType.MIX_AIC_1_2 and class_of(kind) == "V":
        return blocks < 2 * whole_blocks
    return blocks < whole_blocks


def is_doubled(kind: KernelType, whole: KernelType) -> bool:
    """Whether both AIVs of a block run a kernel that was written for one."""
    return kind == KernelType.MIX_AIC_1_1 and whole == KernelType.MIX_AIC_1_2


def preload_units(text_bytes: int) -> int:
    return ceil(min(max(text_bytes, 1), 16 * 1024) / 2048)


def feed_workspace_bytes(whole: KernelType, blocks: int, members: int) -> int:
    """Of the real thing: the words through which idle cores learn of a SyncAll."""
    blocks *= 2 if whole == KernelType.MIX_AIC_1_2 else 1
    base = 512
    while blocks * base <= 128 * members:
        base *= 2
    return blocks * base
