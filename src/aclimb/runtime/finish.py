# SPDX-License-Identifier: Apache-2.0
"""What happens when a stream is waited for: kernels' output is shown, the faults of its tasks become exceptions."""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable
from dataclasses import dataclass

from aclimb import _engine, engine
from aclimb.errors import AclimbError
from aclimb.flow import Fault
from aclimb.runtime import guard

_log = logging.getLogger("aclimb")


@dataclass(frozen=True, slots=True)
class Failure:  # runtime/ -> acl
    """A task that failed: the exception for a person, and the engine's account."""

    error: AclimbError
    fault: Fault


def plain_words(fault: Fault) -> AclimbError:
    """The error of a failed task. report/ replaces this by one that knows source lines; see `explain_faults_with`."""
    return AclimbError(f"{fault.kernel} failed: {fault.kind.name}")


_explain: Callable[[Fault], AclimbError] = plain_words
_remark: Callable[[Fault], str] = str


def explain_faults_with(explain: Callable[[Fault], AclimbError], remark: Callable[[Fault], str]) -> None:
    """report/ stands above runtime/ and hands its words down. `remark` finds those of a note, "" where there is nothing to say."""
    global _explain, _remark
    _explain, _remark = explain, remark


def collect(native: _engine.Stream) -> list[Failure]:
    """What went wrong on the stream since the last call, oldest first. Shows what its kernels printed meanwhile."""
    if native.settled:
        return []
    for note in native.take_notes():
        words = _remark(note)
        if words:
            _log.warning("%s", words)
    text = native.take_output()
    if text:
        sys.stdout.write(text)
        sys.stdout.flush()
    return [Failure(_explain(fault), fault) for fault in native.take_errors()]


def finish(native: _engine.Stream) -> None:
    """Waits until everything queued on the stream so far has ended; raises the first failure, with the others as its notes."""
    engine.require_own_process()
    if guard.order_watchers:
        guard.tell_order("synchronize", native, None)
    native.wait()
    failures = collect(native)
    if failures:
        first = failures[0].error
        for later in failures[1:]:
            first.add_note(f"After it on the same stream: {later.error.in_full()}")
        raise first
