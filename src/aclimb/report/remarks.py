# SPDX-License-Identifier: Apache-2.0
"""What the log says of a launch: warnings, and the places where it went on as hardware does although strict would have ended it."""

from __future__ import annotations

from collections.abc import Callable

from aclimb.flow import Fault, FaultKind
from aclimb.report.facts import Facts
from aclimb.report.faults import explain, explained

# The engine knows addresses of code, and several of them can be one line. By loaded kernel and line; with an end, for programs that load
# for ever.
_told: dict[tuple[int, str, str, int], None] = {}
_MOST_TOLD = 4096


def remark(fault: Fault) -> str:
    """The text for the log; "" when the line has had its own."""
    if not fault.went_on:
        return str(explain(fault))
    found = explained(fault)
    if found.place and _is_old((fault.loaded, fault.kernel, found.place.file, found.place.line)):
        return ""
    if not fault.chip_runs:
        return str(explain(fault))
    rows = [f"    {found.place.row()}"] if found.place else []
    strict = f"    strict refuses it: {found.error.__name__}: {found.words.headline}"
    return "\n".join([f"{found.kernel} goes on as hardware does: {_WENT_ON[fault.kind](found.facts)}", *rows, strict])


def _is_old(line: tuple[int, str, str, int]) -> bool:
    if line in _told:
        return True
    if len(_told) >= _MOST_TOLD:
        del _told[next(iter(_told))]
    _told[line] = None
    return False


def _out_of_bounds(facts: Facts) -> str:
    memory, does = facts.fault.memory, "writes" if facts.fault.writes else "reads"
    if memory == "GM":
        return f"it {does} behind the length given to SetGlobalBuffer, inside the buffer"
    return f"it {does} {memory} behind the tensor"


def _behind_the_buffer(facts: Facts) -> str:
    if facts.fault.writes:
        return "it writes the bytes behind the buffer that aclrtMalloc adds to each size"
    return "it reads memory that is no buffer's, zeros here and anything on a chip"


def _partial_block(facts: Facts) -> str:
    given = facts.fault.value0
    return f"{given // 32 * 32} of {given} bytes are moved" if given >= 32 else f"none of {given} bytes is moved"


_WENT_ON: dict[FaultKind, Callable[[Facts], str]] = {
    FaultKind.out_of_bounds: _out_of_bounds,
    FaultKind.gm_out_of_bounds: _behind_the_buffer,
    FaultKind.buffer_overflow: lambda facts: "an assert takes nothing of the memory",
    FaultKind.not_from_queue: lambda facts: "the tensor's own buffer is freed, with the flag of the queue that was asked",
    FaultKind.freed_tensor: lambda facts: "the bytes of the tensor are used, although its buffer may belong to the next one",
    FaultKind.flag_left: lambda facts: "the flag stays set; on a chip the next kernel on this core finds it, here it does not",
    FaultKind.cross_flag_left: lambda facts: "the flag stays set; on a chip the next kernel on this core finds it, here it does not",
    FaultKind.cross_core_not_armed: lambda facts: "its cores are synchronised as those of a MIX kernel are",
    FaultKind.partial_block: _partial_block,
    FaultKind.hccl_misuse: lambda facts: "the communication server takes no notice of it",
    FaultKind.gather_overlap: lambda facts: "each repeat is read before it is written",
    FaultKind.unpadded_rows: lambda facts: "its rows are whole blocks of 32 bytes, which need no padding",
    FaultKind.empty_buffer: lambda facts: "the buffer has no bytes",
}
