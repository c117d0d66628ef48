# SPDX-License-Identifier: Apache-2.0
"""Host callbacks: a stream hands calls to the thread that subscribed to it, which runs them in process_report."""

from __future__ import annotations

import itertools
import logging
import threading
from collections.abc import Callable
from typing import Any

from aclimb import _engine
from aclimb.errors import AclimbError, Refused
from aclimb.runtime.context import ContextStream
from aclimb.runtime.stream import Stream
from aclimb.runtime.where import users_frames

Gate = _engine.Reports  # a stream stands before a blocking call until whoever takes it has finished

STREAM_SUBSCRIBED, THREAD_NOT_SUBSCRIBED, STREAM_NOT_SUBSCRIBED, NOTHING_CAME, OVER_LIMIT = 107011, 107012, 107015, 507012, 207012
MAX_THREADS = 1024

_log = logging.getLogger("aclimb")
_lock = threading.Lock()
_by_thread: dict[int, Reports] = {}
_ids = itertools.count(1)
_host_functions: Reports | None = None
_operators: Reports | None = None


class Reports:
    """The queue of one thread, and the streams it listens to."""

    def __init__(self, thread: int) -> None:
        self.thread = thread
        self.native = _engine.Reports()
        self.streams: set[ContextStream] = set()
        self.calls: dict[int, tuple[Callable[[Any], Any], Any]] = {}

    def unsubscribe(self, stream: ContextStream) -> None:
        with _lock:
            self.streams.discard(stream)
            stream.reports = None
            if not self.streams and _by_thread.get(self.thread) is self:
                del _by_thread[self.thread]
                self.native.close()
                self.calls.clear()


def subscribe(thread: int, stream: ContextStream) -> None:
    with _lock:
        if stream.reports is not None:
            raise Refused(STREAM_SUBSCRIBED, f"stream {stream.id} is subscribed already, by thread {stream.reports.thread}")
        if thread not in _by_thread and len(_by_thread) >= MAX_THREADS:
            raise Refused(OVER_LIMIT, f"{MAX_THREADS} threads subscribe already, and that is the limit")
        reports = _by_thread.setdefault(thread, Reports(thread))
        reports.streams.add(stream)
        stream.reports = reports


def unsubscribe(thread: int, stream: ContextStream) -> None:
    if stream.reports is None or stream.reports.thread != thread:
        raise Refused(THREAD_NOT_SUBSCRIBED, f"thread {thread} does not subscribe to stream {stream.id}")
    stream.reports.unsubscribe(stream)


def launch_callback(call: Callable[[Any], Any], value: Any, blocking: bool, stream: ContextStream) -> None:
    reports = stream.reports
    if reports is None or reports is _host_functions:
        raise Refused(STREAM_NOT_SUBSCRIBED, f"no thread subscribes to stream {stream.id}; call acl.rt.subscribe_report first")
    _queue(reports, call, value, blocking, stream)


def _queue(reports: Reports, call: Callable[[Any], Any], value: Any, blocking: bool, stream: Stream, label: str = "") -> None:
    number = next(_ids)
    reports.calls[number] = (call, value)
    stream.native.call(reports.native, number, blocking=blocking, label=label)


def process_report(timeout_ms: int) -> None:
    """Waits for one callback for this thread and runs it."""
    reports = _by_thread.get(threading.get_ident())
    if reports is None:
        raise Refused(THREAD_NOT_SUBSCRIBED, "this thread subscribes to no stream; call acl.rt.subscribe_report with its id first")
    if not _run_one(reports, timeout_ms * 1_000_000 if timeout_ms > 0 else 2**62):
        raise Refused(NOTHING_CAME, f"no callback came within {timeout_ms} ms")


def _run_one(reports: Reports, at_most_ns: int) -> bool:
    found = reports.native.take(at_most_ns)
    if found is None:
        return False
    try:
        call, value = reports.calls.pop(found.id)
        call(value)
    except Exception as error:
        if reports is _operators:
            found.failure = str(error) if isinstance(error, AclimbError) else f"{type(error).__name__}: {error}"
        else:
            _log.error("a stream callback raised; the stream goes on", exc_info=(type(error), error, users_frames(error)))
    finally:
        found.finish()
    return True


def launch_host_function(call: Callable[[Any], Any], value: Any, stream: ContextStream) -> None:
    """Without subscription: runs on a thread of ours, and the stream waits for it."""
    global _host_functions
    with _lock:
        if _host_functions is None:
            _host_functions = Reports(0)
            threading.Thread(target=_serve, args=(_host_functions,), name="aclimb host functions", daemon=True).start()
    _queue(_host_functions, call, value, True, stream)


def launch_operator(label: str, compute: Callable[[], Any], stream: Stream) -> None:
    """An operator that the host computes: the stream waits for it, timelines show its label, what it raises is its task's failure.

    It has a thread of its own, since a host function may wait for a stream.
    """
    global _operators
    with _lock:
        if _operators is None:
            _operators = Reports(0)
            threading.Thread(target=_serve, args=(_operators,), name="aclimb operators", daemon=True).start()
    _queue(_operators, lambda _: compute(), None, True, stream, label)


def _serve(reports: Reports) -> None:
    while True:
        _run_one(reports, 2**62)
