# SPDX-License-Identifier: Apache-2.0
"""The catalogue: one file for each rule, whose name begins with the rule's id. Ids hold still for good."""

from __future__ import annotations

import difflib
import pkgutil
import re
from collections.abc import Iterable
from importlib import import_module

from aclimb.check.cases import Case
from aclimb.check.finding import rule_order
from aclimb.check.rules.rule import GRADES, Grade, Pair, Rule, Words
from aclimb.errors import InvalidArgument

__all__ = ["GRADES", "RULES", "Grade", "Pair", "Rule", "Words", "by_name", "chosen", "rule_for"]


def _read() -> dict[str, Rule]:
    files = [each.name for each in pkgutil.iter_modules(__path__) if re.match(r"[a-z]\d_", each.name)]
    found = [import_module(f"{__name__}.{file}").RULE for file in files]
    return {rule.id: rule for rule in sorted(found, key=lambda rule: rule_order(rule.id))}


RULES = _read()


def rule_for(case: Case) -> Rule:
    """The rule that a finding of the engine belongs to; exactly one takes it."""
    return next(rule for rule in RULES.values() if case.kind in rule.kinds and rule.applies(case))


def by_name(word: str) -> Rule:
    """O1, o1 or race-between-pipes."""
    wanted = word.strip().lower()
    for rule in RULES.values():
        if wanted in (rule.id.lower(), rule.name):
            return rule
    known = [*RULES, *(rule.name for rule in RULES.values())]
    near = difflib.get_close_matches(word.strip(), known, 1)
    hint = f" is it {near[0]}?" if near else ""
    raise InvalidArgument(f"there is no rule {word!r};{hint} docs/reference/check.md lists them")


def chosen(words: Iterable[str] | None) -> frozenset[str] | None:
    """The ids of the rules that are asked for; None: all."""
    if words is None:
        return None
    if isinstance(words, str):
        words = words.replace(",", " ").split()
    return frozenset(by_name(word).id for word in words)
