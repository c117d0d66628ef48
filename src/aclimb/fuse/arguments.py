# SPDX-License-Identifier: Apache-2.0
"""The argument area: slot 0 is the runtime's, then each member's parameters in its own layout, then what belongs to the whole."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from aclimb.flow import Parameter, align_up
from aclimb.fuse.member import Member


@dataclass(frozen=True, slots=True)
class MemberSlots:
    """Of one member. Slots count from the runtime's slot 0, bytes from the caller's first byte."""

    slot: int
    offset: int
    notify_slot: int | None
    wait_slot: int | None
    locks: dict[int, int]  # event -> byte offset of the address of its lock


@dataclass
class Layout:
    places: list[MemberSlots] = field(default_factory=list)
    parameters: list[Parameter] = field(default_factory=list)
    end: int = 0  # of the caller's bytes
    workspace_slot: int | None = None
    profile_slot: int | None = None
    profile_at: int = 0
    slots: int = 1

    @classmethod
    def of(cls, members: Sequence[Member], names: Sequence[str], has_workspace: bool, has_profile: bool) -> Layout:
        layout = cls()
        for member, name in zip(members, names, strict=True):
            layout._add(member, name)
        layout.slots = 1 + align_up(layout.end, 8) // 8
        if has_workspace:
            layout.workspace_slot = layout.slots
            layout.slots += 1
        if has_profile:
            layout.profile_slot, layout.profile_at = layout.slots, align_up(layout.end, 8)
            layout._parameter("profiling", "GM_ADDR", 8)
            layout._parameter("task_id", "uint32", 4)
            layout.slots += 2
        return layout

    def _add(self, member: Member, name: str) -> None:
        start = align_up(self.end, 8)
        for p in member.info.parameters:
            self.parameters.append(Parameter(f"{name}.{p.name}", p.type, p.kind, p.size, start + p.offset))
        self.end = start + member.info.args_size
        if member.task_type == "dynamic":
            for what in ("tiling_key", "block_num", "lock"):
                self._parameter(f"{name}.{what}", "GM_ADDR", 8)
        notify = align_up(self.end, 8)
        locks = {event: self._parameter(f"{name}.notify_{event}", "GM_ADDR", 8) for event in member.sends}
        wait = align_up(self.end, 8)
        locks |= {event: self._parameter(f"{name}.wait_{event}", "GM_ADDR", 8) for event in member.receives}
        self.places.append(
            MemberSlots(1 + start // 8, start, 1 + notify // 8 if member.sends else None, 1 + wait // 8 if member.receives else None, locks)
        )

    def _parameter(self, name: str, kind: str, size: int) -> int:
        offset = align_up(self.end, 8)
        self.parameters.append(Parameter(name, kind, "pointer" if kind == "GM_ADDR" else "uint", size, offset))
        self.end = offset + size
        return offset
