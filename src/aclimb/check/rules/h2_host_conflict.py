# SPDX-License-Identifier: Apache-2.0
"""H2: the host and a task."""

from __future__ import annotations

from aclimb.check.cases import Case
from aclimb.check.rules.host import both_write, host_and_task, task
from aclimb.check.rules.rule import Rule, Words
from aclimb.check.words import existing, what


def _words(case: Case) -> Words:
    host, other = host_and_task(case)
    before = f"{host.short}" if host.file else "the host touches it"
    return Words(f"{task(host)} and {task(other)} use {what(case)}, and the host has not waited for the task{both_write(case)}",
                 existing(case), "a synchronisation", f"synchronise the stream before {before}, or copy on that stream")  # fmt: skip


RULE = Rule(
    id="H2",
    name="host-conflict",
    title="Host",
    severity="error",
    meaning="The host reads or writes memory of a task that may still run: with a synchronous copy, or a pinned buffer.",
    grade="documented",
    basis="a synchronous copy is done when it returns and waits for no stream",
    kinds=("host_access",),
    words=_words,
)
