# SPDX-License-Identifier: Apache-2.0
"""An event: a mark in one stream that other streams and the host can wait for."""

from __future__ import annotations

import time
from typing import Any

from aclimb import _engine, engine
from aclimb.errors import DeviceError
from aclimb.runtime import capturing, counts, guard

_PATIENCE_S = 60.0


def stamp_ns(native: _engine.Event) -> int:
    """When its last record was done. Inside a profile that is modelled time, known when all that was queued before has been timed."""
    until = time.monotonic() + _PATIENCE_S
    while not native.modelled:
        if time.monotonic() > until:
            raise DeviceError("the modelled time of the event is not known: tasks queued before it, on other streams, have not ended")
        time.sleep(0.0002)
    return native.status[2]


class Event:
    """`stream.record(event)` marks what is queued so far; `other.wait(event)` orders it before what comes there.

    Recording again moves the mark; a wait holds for the mark as it was when the wait was queued.
    """

    def __init__(self) -> None:
        engine.require_own_process()
        self.native = _engine.Event()
        self.captured: Any = None  # where in a capture it was recorded; see capturing.py
        counts.count("events", self)

    @property
    def recorded(self) -> bool:
        return self.native.status[0]

    @property
    def done(self) -> bool:
        """Whether the work before the last record has ended; an event never recorded has nothing to wait for."""
        recorded, done, _ = self.native.status
        return done or not recorded

    def synchronize(self) -> None:
        """Waits until the work before the last record has ended. Faults are raised when the stream is synchronised."""
        engine.require_own_process()
        capturing.require_no_capture("wait for an event")
        if guard.order_watchers:
            guard.tell_order("synchronize", None, self.native)
        self.native.wait()

    def elapsed_ms(self, start: Event) -> float:
        """Time from the other event's record to this one's, in milliseconds: the host's, or the model's inside a profile."""
        times = []
        for event, what in ((start, "the start"), (self, "the end")):
            recorded, done, _ = event.native.status
            if not (recorded and done):
                raise DeviceError(f"{what} event was {'recorded, and is not done yet' if recorded else 'never recorded'}; "
                                  "record both and synchronise first")  # fmt: skip
            times.append(stamp_ns(event.native))
        return (times[1] - times[0]) / 1e6
