# SPDX-License-Identifier: Apache-2.0
"""How the type of a kernel is chosen: its qualifier, else KERNEL_TASK_TYPE_DEFAULT, else what its code calls.

The code that counts is what the source has, not what an optimiser leaves of it: the same kernel has the same type at every
level. Optimising only ever drops facts. So the facts of the optimised object decide where more of them could not change
the answer (`open_cores`), and otherwise those of an object that was compiled without optimisation.
"""

from __future__ import annotations

import re

from aclimb.compile.facts import Fact
from aclimb.compile.passes import KernelEntry
from aclimb.errors import CompileError
from aclimb.flow import KernelType

Facts = set[tuple[int, int]]

_MIX = {
    (0, 1): KernelType.MIX_AIV_1_0,
    (1, 0): KernelType.MIX_AIC_1_0,
    (1, 1): KernelType.MIX_AIC_1_1,
    (1, 2): KernelType.MIX_AIC_1_2,
}
_RATIOS = {"1:1": KernelType.MIX_AIC_1_1, "1:2": KernelType.MIX_AIC_1_2}
_ONE_CORE = {  # and whether it meets other cores
    ("aiv", False): KernelType.AIV_ONLY,
    ("aiv", True): KernelType.MIX_AIV_1_0,
    ("aic", False): KernelType.AIC_ONLY,
    ("aic", True): KernelType.MIX_AIC_1_0,
}
_OWN = {"aic": Fact.cube, "aiv": Fact.vector}
_SYNC = {Fact.cross_core, Fact.sync_all}
_SYNC_WORDS = re.compile(r"\b(?:SyncAll|CrossCore\w*|ffts_cross_core_sync)\b")
_BRANCH_WORDS = re.compile(r"\b(?:g_coreType|ASCEND_IS_(?:NOT_)?AI[CV]|__DAV_\w+__|ACLIMB_CORE_TYPE)\b")

# Both sorts of core have these calls. Where only the pass of one has such a line, the source keeps it for that core.
SHARED_WORK = (Fact.copy, Fact.cross_core, Fact.sync_all, Fact.gm_sync)


def declared(entry: KernelEntry, by_core: dict[str, Facts]) -> KernelType | None:
    """What the source says itself."""
    marks = entry.kernel.annotations
    if "vector" in marks:
        return KernelType.AIV_ONLY
    if "cube" in marks:
        return KernelType.AIC_ONLY
    if "mix" in marks:
        return _mix_type(entry, marks["mix"])
    found = {value for facts in by_core.values() for fact, value in facts if fact == Fact.kernel_type}
    if len(found) > 1:
        names = ", ".join(sorted(KernelType(value).name for value in found))
        raise CompileError(
            f"kernel {entry.name} declares several types with KERNEL_TASK_TYPE_DEFAULT: {names}; it takes one for each kernel"
        )
    return KernelType(found.pop()) if found else None


def is_declared(entry: KernelEntry, by_core: dict[str, Facts]) -> bool:
    declares = any(fact == Fact.kernel_type for facts in by_core.values() for fact, _ in facts)
    return declares or not {"vector", "cube", "mix"}.isdisjoint(entry.kernel.annotations)


def _mix_type(entry: KernelEntry, text: str) -> KernelType:
    shares = tuple(int(word) if word.isdecimal() else -1 for word in text.split())
    if shares not in _MIX:
        raise CompileError(
            f"kernel {entry.name} is __mix__({', '.join(text.split())}), at {entry.kernel.file}:{entry.kernel.line};"
            " it takes (0, 1), (1, 0), (1, 1) or (1, 2)"
        )
    return _MIX[shares]


def inferred(by_core: dict[str, Facts]) -> KernelType:
    """By the calls of the code. A kernel that calls nothing of either core runs on AIVs."""
    aic = {fact for fact, _ in by_core.get("aic", ())}
    aiv = {fact for fact, _ in by_core.get("aiv", ())}
    if Fact.cube in aic:
        if Fact.vector in aiv:
            return KernelType.MIX_AIC_1_2
        return KernelType.MIX_AIC_1_0 if aic & _SYNC else KernelType.AIC_ONLY
    return KernelType.MIX_AIV_1_0 if aiv & _SYNC else KernelType.AIV_ONLY


def is_settled(cores: str, text: str) -> bool:
    """Whether the command line decides, whatever the calls of the kernel are."""
    return cores in _RATIOS and "KERNEL_TASK_TYPE_DEFAULT" not in text


def on_cores(cores: str, by_core: dict[str, Facts]) -> KernelType:
    """What the command line says: one sort of core, or both in a ratio."""
    if cores in _RATIOS:
        return _RATIOS[cores]
    has_sync = bool({fact for fact, _ in by_core.get(cores, ())} & _SYNC)
    return _ONE_CORE[cores, has_sync]


def open_cores(by_core: dict[str, Facts], text: str) -> set[str]:
    """The passes in which dropped code could change what `inferred` says next. `text`: of the user's files.

    None: it is settled. Asked again with the facts of these passes, it may name the other one.
    """
    present = {core: {fact for fact, _ in by_core.get(core, ())} for core in _OWN}
    if "KERNEL_TASK_TYPE_DEFAULT" in text:
        return set(by_core)
    asks_sync = bool(_SYNC_WORDS.search(text))
    if "aic" in by_core and may_branch(text):  # lines of both passes are compared
        found = set() if all(own in present[core] for core, own in _OWN.items()) else set(by_core)
    elif "aic" in by_core and Fact.cube not in present["aic"]:
        found = {"aic", "aiv"} if asks_sync and not present["aiv"] & _SYNC else {"aic"}
    elif "aic" in by_core and Fact.vector not in present["aiv"]:
        found = {"aic", "aiv"} if asks_sync and not present["aic"] & _SYNC else {"aiv"}
    else:  # both have work, or no word of the source belongs to the cube core
        found = {"aiv"} if "aic" not in by_core and asks_sync and not present["aiv"] & _SYNC else set()
    return found & set(by_core)


def may_branch(text: str) -> bool:
    """Whether the source asks anywhere which core it is compiled for."""
    return bool(_BRANCH_WORDS.search(text))


def with_own_work(by_core: dict[str, Facts], places: dict[str, set[tuple[str, int]]]) -> dict[str, Facts]:
    """A core that has lines of SHARED_WORK to itself has work of its own, whatever its tensors turn out to be.

    `places`: (file, line) of that work in each pass.
    """
    return {
        core: facts | {(_OWN[core], 0)} if places[core] - places["aiv" if core == "aic" else "aic"] else facts
        for core, facts in by_core.items()
    }
