# SPDX-License-Identifier: Apache-2.0
"""Which cores a SuperKernel gets: the type and block count of each member, and of the whole."""

from __future__ import annotations

from collections.abc import Sequence

from aclimb.chips import Chip
from aclimb.errors import FuseError
from aclimb.flow import KernelType
from aclimb.fuse import rules
from aclimb.fuse.member import Member
from aclimb.fuse.options import FuseOptions
from aclimb.fuse.rules import class_of

Need = tuple[KernelType, int]  # a kernel type and its blocks


def require_one_family(members: Sequence[Member], names: Sequence[str], options: FuseOptions) -> None:
    first = members[0].binary.record
    for member, name in zip(members, names, strict=True):
        record = member.binary.record
        if (record.family, record.host) != (first.family, first.host):
            raise FuseError(f"{name} is for Atlas {record.family} on {record.host}, {names[0]} for {first.family} on "
                            f"{first.host}; build all of them for one chip")  # fmt: skip
        if member.split_mode is not None and member.split_mode != options.split_mode:
            raise FuseError(f"{name} was compiled with split mode {member.split_mode}; the SuperKernel has split-mode={options.split_mode}")
        if member.info.raw_block_index:
            raise FuseError(f"{name} uses block_idx, get_block_idx or get_block_num, which count the SuperKernel's blocks; "
                            "GetBlockIdx() and GetBlockNum() are the sub-kernel's own")  # fmt: skip


def kind_of(member: Member) -> KernelType:
    """A dynamic one whose keys differ needs room for all of them."""
    if member.task_type == "normal":
        return member.kernel_type
    kinds = {member.info.type_for(key) for key in (None, *member.info.tiling_keys)}
    if len(kinds) == 1:
        return kinds.pop()
    aics, aivs = (max(kind.task_ration[i] for kind in kinds) for i in (0, 1))
    return KernelType.MIX_AIC_1_0 if not aivs else KernelType.MIX_AIV_1_0 if not aics else KernelType[f"MIX_AIC_1_{aivs}"]


def blocks_of(member: Member, kind: KernelType, chip: Chip) -> int:
    if member.task_type == "normal":
        return member.num_blocks
    return chip.aiv_cores if class_of(kind) == "V" else chip.aic_cores


def whole_of(needs: list[Need], names: Sequence[str], chip: Chip, options: FuseOptions) -> Need:
    """Kernel type and blocks of the SuperKernel: as much as its members need at once."""
    for name, (kind, blocks) in zip(names, needs, strict=True):
        aics, aivs = rules.cores_needed(kind, blocks)
        if aics > chip.aic_cores or aivs > chip.aiv_cores:
            raise FuseError(f"{name} needs {aics} AICs and {aivs} AIVs; a SuperKernel runs all its blocks at once, and "
                            f"{chip.name} has {chip.aic_cores} and {chip.aiv_cores}")  # fmt: skip
    whole, blocks = rules.merged_type(needs)
    aics, aivs = options.debug_aic_num, options.debug_aiv_num
    if aics or aivs:
        whole, blocks = _overridden(needs, names, chip, aics, aivs)
    used = [ratio * blocks for ratio in whole.task_ration]
    if used[0] > chip.aic_cores or used[1] > chip.aiv_cores:
        raise FuseError(f"the SuperKernel would need {used[0]} AICs and {used[1]} AIVs; {chip.name} has {chip.aic_cores} and "
                        f"{chip.aiv_cores}")  # fmt: skip
    return whole, blocks


def require_one_aiv_where_expected(members: Sequence[Member], needs: list[Need], names: Sequence[str], whole: KernelType) -> None:
    for member, (kind, _), name in zip(members, needs, names, strict=True):
        if rules.is_doubled(kind, whole) and member.info.expects_one_aiv:
            raise FuseError(f"{name} is MIX 1:1, and the SuperKernel is MIX 1:2 ({_why_two_aivs(needs, names)}): both AIVs of a block "
                            "would run it, and it goes by GetBlockIdx() or sums with atomics as if there were one; let it ask "
                            "GetSubBlockIdx() and GetSubBlockNum(), or launch it separately")  # fmt: skip


def _why_two_aivs(needs: list[Need], names: Sequence[str]) -> str:
    for name, (kind, _) in zip(names, needs, strict=True):
        if kind == KernelType.MIX_AIC_1_2:
            return f"{name} is"
    vectors = [rules.cores_needed(kind, blocks)[1] for kind, blocks in needs]
    return f"{names[vectors.index(max(vectors))]} needs {max(vectors)} AIVs"


def _overridden(needs: list[Need], names: Sequence[str], chip: Chip, aics: int, aivs: int) -> Need:
    for given, has, what in ((aics, chip.aic_cores, "aic"), (aivs, chip.aiv_cores, "aiv")):
        if given > has:
            raise FuseError(f"option debug-{what}-num is {given}; {chip.name} has {has}")
    needed = [max(rules.cores_needed(kind, blocks)[i] for kind, blocks in needs) for i in (0, 1)]
    for given, least, what in ((aics, needed[0], "aic"), (aivs, needed[1], "aiv")):
        if given < least:
            raise FuseError(f"option debug-{what}-num is {given}; the sub-kernels need {least}")
    if not aivs:
        return KernelType.MIX_AIC_1_0, aics
    if not aics:
        return KernelType.MIX_AIV_1_0, aivs
    if aics != aivs:
        return KernelType.MIX_AIC_1_2, aics
    for name, (kind, _) in zip(names, needs, strict=True):
        if kind == KernelType.MIX_AIC_1_2:
            raise FuseError(f"options debug-aic-num={aics} and debug-aiv-num={aivs} leave one AIV for each AIC; {name} is MIX 1:2 and "
                            f"needs two: give debug-aiv-num={2 * aics}")  # fmt: skip
    return KernelType.MIX_AIC_1_1, aics
