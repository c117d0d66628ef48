# SPDX-License-Identifier: Apache-2.0
"""Streams of an operator under check: whether events order what it launches elsewhere, and what comes of it when its own one is slow."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from aclimb.runtime import guard
from aclimb.runtime.reports import Gate
from aclimb.runtime.stream import Stream

Clock = dict[int, int]  # by number of a stream: how many of its launches come before
_BEFORE = 1  # what was queued on the operator's own stream before the run
_PATIENCE_NS = 50_000_000  # for another stream that may be waiting for ours, with good reason
_FORGOTTEN_S = 2.0  # a launch function that waits for its stream would wait for ever


class EventOrder:
    """What each stream has waited for, by events and through the host, while one run lasts."""

    def __init__(self, home: Stream) -> None:
        self._home, self._thread = home.native.number, threading.get_ident()
        self._clocks: dict[int, Clock] = {self._home: {self._home: _BEFORE}}
        self._events: dict[Any, Clock] = {}
        self._host: Clock = {}
        self._elsewhere: list[tuple[int, int, str]] = []  # launches: stream, its count, kernel
        self.others: dict[int, Stream] = {}
        self.wrong: list[str] = []

    def __enter__(self) -> EventOrder:
        guard.order_watchers.append(self._note)
        return self

    def __exit__(self, *_: Any) -> None:
        guard.order_watchers.remove(self._note)

    def _clock(self, stream: int) -> Clock:
        return self._clocks.setdefault(stream, {})

    def _note(self, what: str, native: Any, event: Any) -> None:
        if threading.get_ident() != self._thread:
            return
        if what == "record":
            self._events[event] = dict(self._seen_by(native.number))
        elif what == "wait":
            _join(self._clock(native.number), self._events.get(event, {}))
        else:  # the host waits: for a stream, or for an event
            _join(self._host, self._events.get(event, {}) if native is None else self._clock(native.number))

    def _seen_by(self, stream: int) -> Clock:
        clock = self._clock(stream)
        _join(clock, self._host)
        return clock

    def launched(self, stream: Stream, kernel: str) -> None:
        number = stream.native.number
        clock = self._seen_by(number)
        if number != self._home:
            self.others[number] = stream
            if clock.get(self._home, 0) < _BEFORE:
                self.wrong.append(f"{kernel} is launched on another stream, and no event orders it behind the operator's own; record one "
                                  "on ctx.stream and let the other stream wait for it")  # fmt: skip
        clock[number] = clock.get(number, 0) + 1
        if number != self._home:
            self._elsewhere.append((number, clock[number], kernel))

    def end(self) -> None:
        """What comes next on the operator's stream has to find everything done."""
        home = self._seen_by(self._home)
        for stream, count, kernel in self._elsewhere:
            if home.get(stream, 0) < count:
                self.wrong.append(f"{kernel} is launched on another stream, and ctx.stream does not wait for it; record an event behind it "
                                  "and let ctx.stream wait")  # fmt: skip
                return


def _join(clock: Clock, other: Clock) -> None:
    for stream, count in other.items():
        clock[stream] = max(clock.get(stream, 0), count)


class Hold:
    """Holds a stream up from the beginning of a launch function to its end, and once more behind every event that is recorded there: what
    another stream does without waiting for all that it needs, it then does too early."""

    def __init__(self, stream: Stream, order: EventOrder) -> None:
        self._stream, self._order = stream, order
        self._gates: list[Gate] = []
        self._lock = threading.RLock()
        self._timer = threading.Timer(_FORGOTTEN_S, self._open_all)
        self._timer.daemon = True

    def __enter__(self) -> Hold:
        self._shut()
        self._timer.start()
        guard.order_watchers.append(self._note)
        return self

    def __exit__(self, *_: Any) -> None:
        guard.order_watchers.remove(self._note)
        self._timer.cancel()
        self._timer.join()  # its thread holds the stream until it ends
        while self._gates:
            for other in self._order.others.values():
                other.native.wait(_PATIENCE_NS)
            self._open()

    def _note(self, what: str, native: Any, event: Any) -> None:
        if what == "synchronize":
            self._open_all()
        elif what == "record" and native.number == self._stream.native.number and self._gates:
            self._shut()

    def _shut(self) -> None:
        gate = Gate()
        self._stream.native.call(gate, blocking=True)
        self._gates.append(gate)

    def _open(self) -> None:
        with self._lock:
            if self._gates:
                gate, call = self._gates[0], None
                while call is None:  # what stands before the gate ends, by its own limit at the latest
                    call = gate.take(_PATIENCE_NS)
                call.finish()
                gate.close()
                self._gates.pop(0)

    def _open_all(self) -> None:
        while self._gates:
            self._open()


def held_up(stream: Stream, order: EventOrder, launch: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """The launch function, on a stream that stands still."""

    def hold(context: Any) -> Any:
        with Hold(stream, order):
            return launch(context)

    return hold
