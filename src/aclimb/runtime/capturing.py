# SPDX-License-Identifier: Apache-2.0
"""Capturing: which streams record into which graph, who may end it, and what a program cannot do meanwhile."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from aclimb import engine
from aclimb.errors import Refused
from aclimb.runtime import guard
from aclimb.runtime.captured import Crossing
from aclimb.runtime.graph import CAPTURING, Graph

if TYPE_CHECKING:
    from aclimb.runtime.event import Event
    from aclimb.runtime.stream import Stream

EVENT_CAPTURED, UNJOINED, NOT_CAPTURING, NOT_CAPTURABLE, WRONG_THREAD = 107024, 107025, 107029, 107030, 107038

_thread = threading.local()


def active() -> Graph | None:
    """The capture that this thread began last and nobody has ended; another thread may, in relaxed mode."""
    stack: list[Graph] = getattr(_thread, "graphs", [])
    while stack and not stack[-1].is_capturing:
        stack.pop()
    return stack[-1] if stack else None


def begin(stream: Stream) -> Graph:
    engine.require_own_process()
    if stream.graph is not None:
        raise Refused(CAPTURING, f"{stream!r} is being captured already")
    graph = Graph(stream)
    graph.join(stream)
    if not hasattr(_thread, "graphs"):
        _thread.graphs = []
    _thread.graphs.append(graph)
    return graph


def end(stream: Stream) -> Graph:
    graph = stream.graph
    if graph is None or graph.origin is not stream:
        raise Refused(NOT_CAPTURING, f"no capture was begun on {stream!r}")
    if graph.thread != threading.get_ident() and not graph.any_thread:
        raise Refused(WRONG_THREAD, "the capture was begun by another thread; end it there")
    abandon(graph)
    unjoined = graph.unjoined()
    if unjoined:
        raise Refused(UNJOINED, f"{unjoined} streams that events pulled into the capture were not led back: record an event on "
                                "each and let the first stream wait for it")  # fmt: skip
    graph.finish()
    return graph


def abandon(graph: Graph) -> None:
    graph.leave()
    stack: list[Graph] = getattr(_thread, "graphs", [])
    if graph in stack:
        stack.remove(graph)


@contextmanager
def capture(stream: Stream) -> Iterator[Graph]:
    graph = begin(stream)
    try:
        yield graph
    except BaseException:
        abandon(graph)
        raise
    end(stream)


def require_no_capture(what: str) -> None:
    """Waiting and reading would be for work that has not run."""
    graph = active()
    if graph is not None:
        raise Refused(
            CAPTURING, f"a stream is being captured: its launches have not run, so a program cannot {what} before the capture ends"
        )


def require_not_captured(stream: Stream) -> None:
    if stream.graph is not None:
        raise Refused(CAPTURING, f"{stream!r} is being captured: it can neither be waited for nor copy arrays")


def record_event(stream: Stream, event: Event) -> bool:
    """True: the record belongs to a capture."""
    graph = stream.graph
    event.captured = None if graph is None else (graph, stream.native.number, graph.mark)
    return graph is not None


def wait_event(stream: Stream, event: Event) -> bool:
    """True: the wait belongs to a capture, into which it may pull the stream."""
    if guard.order_watchers:
        guard.tell_order("wait", stream.native, event.native)
    found = event.captured
    if found is None:
        if stream.graph is not None:
            raise Refused(EVENT_CAPTURED, "the event was recorded outside the capture; a captured stream waits for captured events")
        return False
    graph, source, behind = found
    if not graph.is_capturing or (stream.graph is not None and stream.graph is not graph):
        raise Refused(EVENT_CAPTURED, "the event was recorded in another capture, and cannot be awaited outside it; record it again")
    if stream.graph is None:
        graph.join(stream)
    graph.crossings.append(Crossing(behind, source, graph.mark, stream.native.number))
    return True
