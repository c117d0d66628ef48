# SPDX-License-Identifier: Apache-2.0
"""A stream: tasks in order, asynchronous to the caller."""

from __future__ import annotations

import sys
import threading
from typing import Any

from aclimb import _engine, engine
from aclimb.errors import AclimbError
from aclimb.runtime.device import Device


def plain_words(facts: dict[str, Any]) -> AclimbError:
    """The error of a failed task. report/ replaces this by one that knows source lines; see `explain_faults_with`."""
    return AclimbError(f"{facts['kernel']} failed: {facts['kind']}")


_explain = plain_words


def explain_faults_with(explain: Any) -> None:
    """report/ stands above runtime/ and hands its words down."""
    global _explain
    _explain = explain


class Stream:
    """Launches queue up here and run one after another; two streams overlap.

    A task that fails does not stop the ones behind it; its error is raised once, by the next `synchronize()`.
    """

    def __init__(self, device: Device | None = None) -> None:
        engine.require_own_process()
        self.device = device or Device()
        self.native = _engine.Stream(self.device.native)
        self.device._streams.add(self)

    def synchronize(self) -> None:
        """Waits until everything queued so far has ended. Shows what kernels printed; raises the first fault since the last call."""
        engine.require_own_process()
        facts = self.native.synchronize(threading.current_thread() is threading.main_thread())
        text = self.native.take_output()
        if text:
            sys.stdout.write(text)
            sys.stdout.flush()
        if facts is not None:
            raise _explain(facts)

    @property
    def idle(self) -> bool:
        """Whether everything queued has ended."""
        return self.native.idle

    def __repr__(self) -> str:
        return f"<Stream of {self.device}>"
