# SPDX-License-Identifier: Apache-2.0
"""A stream: tasks in order, asynchronous to the caller."""

from __future__ import annotations

import weakref
from contextlib import AbstractContextManager

from aclimb import _engine, engine
from aclimb.runtime import capturing, counts, graph, guard
from aclimb.runtime.device import Device
from aclimb.runtime.event import Event
from aclimb.runtime.finish import finish


class Stream:
    """Launches queue up here and run one after another; two streams overlap, and events order them.

    A task that fails does not stop the ones behind it; its error is raised once, by the next `synchronize()`.
    At most 1024 tasks wait in a stream: a further one waits for room.
    """

    def __init__(self, device: Device | None = None, context: _engine.Context | None = None) -> None:
        engine.require_own_process()
        self.device = device or Device()
        self.native = _engine.Stream(self.device.native, context or _engine.Context())
        self.graph: graph.Graph | None = None  # into which it is being captured
        self.limits: dict[int, int] = {}  # cores that operators shall use: 0 AIC, 1 AIV
        self.device.watch(self.native)
        counts.count("streams", self)
        weakref.finalize(self, self.device.unwatch, self.native).atexit = False

    @property
    def cores(self) -> tuple[int, int]:
        """How many AICs and AIVs operators shall use here."""
        aic, aiv = self.device.cores
        return self.limits.get(0, aic), self.limits.get(1, aiv)

    def synchronize(self) -> None:
        """Waits until everything queued so far has ended. Shows what kernels printed; raises the first fault since the last call."""
        capturing.require_not_captured(self)
        finish(self.native)

    def record(self, event: Event) -> None:
        """Marks in the event what is queued here so far."""
        engine.require_own_process()
        if not capturing.record_event(self, event):
            self.native.record(event.native)
        if guard.order_watchers:
            guard.tell_order("record", self.native, event.native)

    def wait(self, event: Event) -> None:
        """What is queued here from now on starts after the work that the event marks now."""
        engine.require_own_process()
        if not capturing.wait_event(self, event):
            self.native.await_event(event.native, 0)

    def capture(self) -> AbstractContextManager[graph.Graph]:
        """`with stream.capture() as graph:` records launches instead of running them; `graph.launch(stream)` runs them."""
        return capturing.capture(self)

    @property
    def idle(self) -> bool:
        """Whether everything queued has ended."""
        return self.native.idle

    def __repr__(self) -> str:
        return f"<Stream of {self.device}>"
