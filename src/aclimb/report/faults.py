# SPDX-License-Identifier: Apache-2.0
"""From the engine's facts about a fault to the exception a person reads: the user's own kernel first, then what to do.

The engine says what happened where, as numbers (engine/core/fault.h). sentences.py finds the words.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from aclimb import errors
from aclimb.report import fused_sentences as _fused  # noqa: F401
from aclimb.report import sentences as _sentences  # noqa: F401 - importing it fills KINDS
from aclimb.report import signal_sentences as _signals  # noqa: F401
from aclimb.report.facts import KINDS, Facts, Words
from aclimb.report.places import SourcePlace, SourcePlaces


@dataclass(frozen=True, slots=True)
class Explained:
    """A fault with its words and its place."""

    facts: Facts
    error: type[errors.AclimbError]
    words: Words
    place: SourcePlace | None

    @property
    def core(self) -> str:
        return f"{self.facts.raw['core_type']} {self.facts.raw['core_idx']}"

    @property
    def kernel(self) -> str:
        """With the sub-kernel of a fused one."""
        raw = self.facts.raw
        return f"{raw['kernel']}, sub-kernel {raw['sub']} {raw['sub_name']}," if raw.get("sub", -1) >= 0 else str(raw["kernel"])

    @property
    def where(self) -> str:
        raw = self.facts.raw
        block = f"{raw['kernel']} block {raw['block']} ({self.core})" if raw["block"] >= 0 else raw["kernel"]  # none when no core ran
        return f"{block}, sub-kernel {raw['sub']} {raw['sub_name']}" if raw.get("sub", -1) >= 0 else str(block)


def explained(raw: dict[str, Any]) -> Explained:
    facts = Facts(raw, SourcePlaces({"AIC": raw["aic_image"], "AIV": raw["aiv_image"], **raw.get("images", {})}))
    error, words_of = KINDS[raw["kind"]]
    return Explained(facts, error, words_of(facts), facts.where)


def explain(raw: dict[str, Any]) -> errors.AclimbError:
    """The exception for a fault."""
    found = explained(raw)
    error, words, place = found.error, found.words, found.place
    text = f"{words.headline}, {found.where}" if found.where else words.headline  # a copy has no kernel
    rows = [f"    {place.row()}"] if place else []
    rows += [f"    {line}" for line in words.lines]
    rows += [f"    {words.advice}"] if words.advice else []
    message = "\n".join([text, *rows])
    if issubclass(error, errors.KernelFault):
        place = place or (found.facts.site(0) if raw["sites"] else None)  # a hang happens at its first wait
        made: errors.AclimbError = error(message, kind=error.kind, kernel=raw["kernel"], block=raw["block"], core=found.core,
                                         file=place.file if place else "", line=place.line if place else 0)  # fmt: skip
    else:
        made = error(message)
    queued_at(made, raw)
    return made


def queued_at(error: errors.AclimbError, raw: dict[str, Any]) -> None:
    """Which call of the host program it was: the fault is told by a later one, maybe of somebody else."""
    site = raw.get("site")
    if site is None:
        return
    error.launched_at = site
    row = SourcePlace(site[0], site[1], "").row()
    error.add_note(f"    launched at {row}" if raw["kernel"] else f"    queued at {row}")
