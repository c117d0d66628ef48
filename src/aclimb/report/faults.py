# SPDX-License-Identifier: Apache-2.0
"""From the engine's facts about a fault to the exception a person reads: the user's own kernel first, then what to do.

The engine says what happened where, as numbers (engine/core/fault.h). sentences.py finds the words.
"""

from __future__ import annotations

from dataclasses import dataclass

from aclimb import errors, knobs
from aclimb.flow import Fault
from aclimb.report import fused_sentences as _fused  # noqa: F401
from aclimb.report import isolation_sentences as _isolation  # noqa: F401
from aclimb.report import memory_sentences as _memory  # noqa: F401
from aclimb.report import sentences as _sentences  # noqa: F401 - importing it fills KINDS
from aclimb.report import signal_sentences as _signals  # noqa: F401
from aclimb.report import wait_sentences as _waits  # noqa: F401
from aclimb.report.facts import KINDS, Facts, Words
from aclimb.report.places import SourcePlace, SourcePlaces

_ALLOW = f'LaunchConfig(strictness="hardware") for one launch, {knobs.strictness.variable}=hardware for a program'
CHIP_RUNS = f"a chip would run it; to allow it: {_ALLOW}"
_NO_FLAGS = "the source was compiled with auto-sync, for which the vendor's compiler inserts flags; aclimb inserts none: write them"


@dataclass(frozen=True, slots=True)
class Explained:
    """A fault with its words and its place."""

    facts: Facts
    error: type[errors.AclimbError]
    words: Words
    place: SourcePlace | None

    @property
    def core(self) -> str:
        return f"{self.facts.fault.core_type.name} {self.facts.fault.core_idx}"

    @property
    def kernel(self) -> str:
        """With the sub-kernel of a fused one."""
        fault = self.facts.fault
        return f"{fault.kernel}, sub-kernel {fault.sub} {fault.sub_name}," if fault.sub >= 0 else fault.kernel

    @property
    def where(self) -> str:
        fault = self.facts.fault
        block = f"{fault.kernel} block {fault.block} ({self.core})" if fault.block >= 0 else fault.kernel  # none when no core ran
        return f"{block}, sub-kernel {fault.sub} {fault.sub_name}" if fault.sub >= 0 else block


def explained(fault: Fault) -> Explained:
    facts = Facts(fault, SourcePlaces(fault.images))
    error, words_of = KINDS[fault.kind]
    try:
        words = words_of(facts)
    except (AttributeError, IndexError, TypeError, ValueError):
        if not fault.claimed:
            raise
        error, words = (
            errors.DeviceError,
            Words(f"the process of the isolated device reported {fault.kind.name}, with facts that make no sense"),
        )
    return Explained(facts, error, words, facts.where)


def explain(fault: Fault) -> errors.AclimbError:
    """The exception for a fault."""
    found = explained(fault)
    error, words, place = found.error, found.words, found.place
    text = f"{words.headline}, {found.where}" if found.where else words.headline  # a copy has no kernel
    rows = [f"    {place.row()}"] if place else []
    rows += [f"    {line}" for line in words.lines]
    rows += [f"    {words.advice}"] if words.advice else []
    rows += [f"    {CHIP_RUNS}"] if fault.chip_runs and not fault.went_on else []
    if issubclass(error, errors.Hang) and found.facts.places.counts_on_inserted_flags():
        rows.append(f"    {_NO_FLAGS}")
    message = "\n".join([text, *rows])
    if issubclass(error, errors.KernelFault):
        place = place or (found.facts.site(0) if fault.sites else None)  # a hang happens at its first wait
        made: errors.AclimbError = error(message, kind=error.kind, kernel=fault.kernel, block=fault.block, core=found.core,
                                         file=place.file if place else "", line=place.line if place else 0)  # fmt: skip
    else:
        made = error(message)
    queued_at(made, fault)
    return made


def queued_at(error: errors.AclimbError, fault: Fault) -> None:
    """Which call of the host program it was: the fault is told by a later one, maybe of somebody else."""
    site = fault.place
    if site is None:
        return
    error.launched_at = site
    row = SourcePlace(site[0], site[1], "").row(of_host=True)
    error.add_note(f"    launched at {row}" if fault.kernel else f"    queued at {row}")
