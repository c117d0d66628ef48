# SPDX-License-Identifier: Apache-2.0
"""Events between the members of a SuperKernel, and to and from the outside."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from aclimb import chips
from aclimb.errors import Deadlock, FuseError
from aclimb.flow import KernelType
from aclimb.fuse.member import Member

Names = Sequence[str]


@dataclass(frozen=True, slots=True)
class Events:
    """`inner` connect two members: event, sender, receiver. The others go out of a member, or come into it."""

    inner: tuple[tuple[int, int, int], ...]
    sends: tuple[tuple[int, ...], ...]  # by member, to the outside
    receives: tuple[tuple[int, ...], ...]

    @classmethod
    def of(cls, members: Sequence[Member], names: Names) -> Events:
        senders: dict[int, int] = {}
        for index, member in enumerate(members):
            for event in member.sends:
                if event in senders:
                    raise FuseError(f"event {event} is sent by {names[senders[event]]} and by {names[index]}; one kernel sends an event")
                senders[event] = index
        inner = []
        for index, member in enumerate(members):
            for event in member.receives:
                if event in senders:
                    _check_inner(event, senders[event], index, members, names)
                    inner.append((event, senders[event], index))
        within = {event for event, _, _ in inner}
        out = tuple(tuple(e for e in member.sends if e not in within) for member in members)
        into = tuple(tuple(e for e in member.receives if e not in within) for member in members)
        if into[0]:
            raise FuseError(f"{names[0]} comes first and receives event {into[0][0]}; wait for it on the stream, before the SuperKernel")
        if out[-1]:
            raise FuseError(f"{names[-1]} comes last and sends event {out[-1][0]}; record it on the stream, behind the SuperKernel")
        return cls(tuple(inner), out, into)

    def connects(self, first: int, second: int) -> bool:
        """Whether an event orders the second behind the first, or behind something before it."""
        return any(sender <= first and receiver == second for _, sender, receiver in self.inner)


def _check_inner(event: int, sender: int, receiver: int, members: Sequence[Member], names: Names) -> None:
    if members[sender].stream == members[receiver].stream:
        raise FuseError(
            f"event {event} goes from {names[sender]} to {names[receiver]}, which are on the same stream; their order does that already"
        )
    if sender > receiver:
        raise Deadlock(f"{names[receiver]} waits for event {event}, which {names[sender]} sends behind it in the same SuperKernel; "
                       f"put {names[sender]} first")  # fmt: skip


def check_producers(
    producers: Mapping[int, tuple[int, int]], events: Events, names: Names, chip: chips.Chip, whole: KernelType, blocks: int
) -> None:
    """A SuperKernel holds its cores while it waits; what it waits for has to find others. `producers` says how many AICs and AIVs the
    kernel needs that sends an event from outside, (0, 0) for a copy or the host."""
    aics, aivs = (ratio * blocks for ratio in whole.task_ration)
    left = chip.aic_cores - aics, chip.aiv_cores - aivs
    for index, awaited in enumerate(events.receives):
        for event in awaited:
            needed = producers.get(event)
            if needed is None or (needed[0] <= left[0] and needed[1] <= left[1]):
                continue
            raise Deadlock(
                f"{names[index]} waits for event {event} while the SuperKernel holds {aics} AICs and {aivs} AIVs; what sends it needs "
                f"{needed[0]} and {needed[1]}, and {chip.name} has {max(left[0], 0)} and {max(left[1], 0)} left: "
                f"cut the SuperKernel before {names[index]}"
            )
