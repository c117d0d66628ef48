# SPDX-License-Identifier: Apache-2.0
"""Faults that end a kernel as findings: which rule each kind belongs to. Their words stay those of report/."""

from __future__ import annotations

import re

from aclimb.binary.source_lines import source_lines, source_text
from aclimb.check.finding import Access, Finding, fingerprint_of
from aclimb.check.rules import RULES
from aclimb.flow import Fault, FaultKind
from aclimb.report.faults import CHIP_RUNS, Explained, explained

RULE_OF = {FaultKind[name]: rule.id for rule in RULES.values() for name in rule.faults.split()}
NO_RULE: dict[FaultKind, str] = {
    **dict.fromkeys((FaultKind.arithmetic_trap, FaultKind.assertion, FaultKind.bad_jump, FaultKind.float_trap, FaultKind.stack_overflow,
                     FaultKind.system_call, FaultKind.trap, FaultKind.trap_call, FaultKind.unknown_instruction),
                    "the kernel's own code gave up"),
    **dict.fromkeys((FaultKind.dynamic_blocks, FaultKind.dynamic_key, FaultKind.operator_failed, FaultKind.ranks_missing,
                     FaultKind.unsupported, FaultKind.warning), "the launch was not what it should be"),
    **dict.fromkeys((FaultKind.event_wait_timeout, FaultKind.interrupted, FaultKind.time_limit), "time ran out"),
    **dict.fromkeys((FaultKind.sampled_block_waits, FaultKind.timing_only_steers), "a mode of profiles"),
    **dict.fromkeys((FaultKind.set_before_copy, FaultKind.set_on_other_pipe, FaultKind.set_on_scalar_pipe, FaultKind.wait_after_copy,
                     FaultKind.wait_after_write), "a hint; X1 to X5 know whether anybody minds"),
    FaultKind.state_leak: "a hint in the log",
    **dict.fromkeys((FaultKind.device_lost, FaultKind.isolation_refused), "the process that the kernel ran in"),
}  # fmt: skip


def finding_of(fault: Fault) -> Finding | None:
    """None for what is no rule's. What the launch survived is a warning."""
    if fault.kind not in RULE_OF:
        return None
    found = explained(fault)
    rule, access = _rule_of(found), _access(found)
    ended = not fault.went_on and fault.kind is not FaultKind.cross_flag_full
    return Finding(
        rule=rule,
        severity="error" if ended else "warning",
        headline=f"{RULES[rule].title}: {found.words.headline}{f', {found.where}' if found.where else ''}",
        accesses=(access,) if access.file or access.kernel else (),
        fix=found.words.advice,
        details=(*found.words.lines, *([CHIP_RUNS] if fault.chip_runs and ended else [])),
        launch_place=fault.place,
        fingerprint=fingerprint_of(rule, [access]),
    )


def _rule_of(found: Explained) -> str:
    fault = found.facts.fault
    if fault.kind is FaultKind.copy_refused and fault.memory_of == "host":
        return "H2"
    if fault.kind is FaultKind.not_from_queue and _is_of_tbuf(found):
        return "Q4"
    return RULE_OF[fault.kind]


def _is_of_tbuf(found: Explained) -> bool:
    """Whether the source takes the tensor from a TBuf: the engine only knows that it is not the queue's."""
    name = found.facts.given(found.facts.fault.text or "FreeTensor", "")
    if not (name.isidentifier() and found.place):
        return False
    text = "\n".join(source_lines(found.place.file))
    return re.search(rf"\b{name}\s*=\s*[\w.>-]+(?:\.|->)(?:template\s+)?Get(?:WithOffset)?\s*<", text) is not None


def _access(found: Explained) -> Access:
    fault = found.facts.fault
    place = found.place or (found.facts.site(0) if fault.sites else None)  # a hang happens at its first wait
    return Access(
        file=place.file if place else "",
        line=place.line if place else 0,
        text=source_text(place.file, place.line) if place else "",
        core=found.core if fault.block >= 0 else "",
        block=fault.block,
        memory=fault.memory or "",
        kernel=fault.kernel,
        member=f"{fault.sub} {fault.sub_name}" if fault.sub >= 0 else "",
        call=fault.instruction,
        launched_at=fault.place,
    )
