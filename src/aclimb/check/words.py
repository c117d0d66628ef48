# SPDX-License-Identifier: Apache-2.0
"""Pieces of sentences that several rules share: who does what, to which bytes, where, and what order there is."""

from __future__ import annotations

from aclimb.check.cases import Case
from aclimb.check.finding import Access
from aclimb.check.syncs import Sync

_MOST_SYNCS = 4  # that are named one by one


def is_hccl(access: Access) -> bool:
    """What the communication server reads and writes for a Commit."""
    return access.pipe == "S" and access.call in ("Commit", "Hccl::Commit")


def does(access: Access, with_core: bool = False) -> str:
    """V writes; MTE3 of AIV 0 writes; the host reads."""
    who = {"host": "the host", "D": "the data cache", "S": "the scalar unit"}.get(access.pipe, access.pipe)
    who = "the communication server" if is_hccl(access) else who
    return f"{who}{f' of {access.core}' if with_core and access.core else ''} {access.role or 'uses'}"


def both_do(case: Case) -> str:
    """V writes and MTE3 reads; with their cores where there are two."""
    apart = case.relation not in ("core", "one")
    return f"{does(case.first, apart)} and {does(case.other, apart)}"


def span(begin: int, end: int) -> str:
    """As faults show bytes."""
    return f"bytes 0x{begin:04x}-0x{max(end - 1, begin):04x}"


def what(case: Case) -> str:
    """x (UB bytes 0x0000-0x07ff); the name only where both sides have the same."""
    names = {each.tensor for each in case.accesses}
    name = names.pop() if len(names) == 1 else ""
    other = case.second
    if other is not None and other.buffer and not case.first.buffer:  # the host itself knows no parameters
        return _named(name, other.buffer, case.memory, other.begin, other.end)
    return _named(name, case.first.buffer, case.memory, case.first.begin, case.first.end)


def what_one(access: Access) -> str:
    return _named(access.tensor, access.buffer, access.memory, access.begin, access.end)


def _named(name: str, buffer: str, memory: str, begin: int, end: int) -> str:
    if memory == "register":  # of a comparison, a reduction, a sort
        return f"the result register{f' behind {name}' if name else ''}"
    there = f"{memory} {span(begin, end)}{f' of {buffer}' if buffer not in ('', name) else ''}"
    return f"{name} ({there})" if name else there


def tail(case: Case) -> str:
    """Where: kernel, sub-kernels, blocks, the first of them with its core."""
    first = case.first if not case.first.is_host or case.second is None else case.second
    kernels = list(dict.fromkeys(each.kernel for each in case.accesses if each.kernel))
    parts = [" and ".join(kernels)] if kernels else []
    members = list(dict.fromkeys(each.member for each in case.accesses if each.member))
    if members:
        parts.append(f"sub-kernel{'s' if len(members) > 1 else ''} {' and '.join(members)}")
    if first.block >= 0:
        blocks = _blocks(case, first)
        parts = [f"{parts[0]} {blocks}"] if len(parts) == 1 and case.blocks <= 1 else [*parts, blocks]
    return f", {', '.join(parts)}" if parts else ""


def _blocks(case: Case, first: Access) -> str:
    apart = case.relation in ("block", "cores", "tasks")
    here = f"block {first.block}" if apart else f"block {first.block} ({first.core})"
    if apart and case.second is not None and case.second.block not in (first.block, -1):
        here = f"blocks {first.block} and {case.second.block}"
    if case.blocks <= 1:
        return here
    of = f" of {case.num_blocks}" if case.num_blocks >= case.blocks else ""
    return f"{case.blocks}{of} blocks, first {here}"


def existing(case: Case) -> str:
    """What stands near the two, in a few words; "" where nothing does."""
    near = case.standing("between", "behind_first", "before_second")
    pairs = {each.flag for each in near if each.call == "SetFlag"} & {each.flag for each in near if each.call == "WaitFlag"}
    listed = list(dict.fromkeys(each.flag if each.flag in pairs else _with_line(each) for each in near))
    if not listed:
        return "nothing stands between them" if case.relation == "core" else ""
    more = f" and {len(listed) - _MOST_SYNCS} more" if len(listed) > _MOST_SYNCS else ""
    return f"between them: {', '.join(listed[:_MOST_SYNCS])}{more}"


def _with_line(sync: Sync) -> str:
    """A set and its wait are one thing to a reader, and stand without lines; what has no partner here is told in full."""
    return f"{sync.written} ({sync.short})" if sync.file else sync.written


def many(count: int, one: str, several: str = "") -> str:
    return f"{count} {one if count == 1 else several or one + 's'}"
