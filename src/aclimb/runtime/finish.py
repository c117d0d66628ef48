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


# Told of every fault, and of every note, as soon as somebody asks the stream: a check.
fault_watchers: list[Callable[[Fault], None]] = []
_looked_at: dict[int, tuple[_engine.Stream, list[Failure]]] = {}  # by stream, which it keeps: what look_at took, for who synchronises


def collect(native: _engine.Stream) -> list[Failure]:
    """What went wrong on the stream since the last call, oldest first. Shows what its kernels printed meanwhile."""
    if native.settled and not _looked_at:
        return []
    for note in native.take_notes():
        _tell(note)
        words = _remark(note)
        if words:
            _log.warning("%s", words)
    text = native.take_output()
    if text:
        sys.stdout.write(text)
        sys.stdout.flush()
    _, seen = _looked_at.pop(native.number, (native, []))
    return [*seen, *_failures(native)]


def look_at(native: _engine.Stream) -> None:
    """Tells the watchers what went wrong; who waits for the stream still hears of it."""
    failures = [] if native.settled else _failures(native)
    if failures:
        _looked_at.setdefault(native.number, (native, []))[1].extend(failures)


def is_settled(native: _engine.Stream) -> bool:
    """Nothing runs there, and nothing is left to be told."""
    return native.settled and native.number not in _looked_at


def _failures(native: _engine.Stream) -> list[Failure]:
    faults = native.take_errors()
    for fault in faults:
        _tell(fault)
    return [Failure(_explain(fault), fault) for fault in faults]


def _tell(fault: Fault) -> None:
    for watcher in list(fault_watchers):
        watcher(fault)


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
