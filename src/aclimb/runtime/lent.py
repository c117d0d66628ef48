# SPDX-License-Identifier: Apache-2.0
"""Handles for C code that works on a stream of ours: the number that aclrt calls take, in the context that they look at."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from aclimb.runtime import context as contexts
from aclimb.runtime import counts
from aclimb.runtime.context import STREAMS, Context, ContextStream
from aclimb.runtime.device import Device
from aclimb.runtime.stream import Stream

_own: dict[Device, Context] = {}
_lock = threading.Lock()


class LentStream(ContextStream):
    """A stream that acl did not make, as acl knows streams. Queue, limits and capture are those of the stream itself."""

    def __init__(self, stream: Stream, context: Context) -> None:  # nothing new is made: no super().__init__
        self._stream, self.context = stream, context
        self.device, self.native, self.limits = stream.device, stream.native, stream.limits
        self.flags = self.id = 0
        self.failure_mode_set = False
        self.attributes, self.reports, self.at_end = {}, None, []

    @property
    def graph(self) -> Any:
        return self._stream.graph

    @graph.setter
    def graph(self, graph: Any) -> None:
        self._stream.graph = graph


@contextmanager
def lend(stream: Stream) -> Iterator[int]:
    """The stream's handle, and in this thread its context, while the block lasts. A stream that is not acl's has no other handle."""
    before = getattr(contexts._thread, "context", None)
    usable = before if before is not None and not before.ended and before.device is stream.device else None
    if isinstance(stream, ContextStream):
        context, number, is_lent = stream.context, _number_of(stream), False
    else:
        context = usable or _own_context(stream.device)
        number, is_lent = STREAMS.add(LentStream(stream, context)), True
    contexts.make_current(context)
    try:
        yield number
    finally:
        if before is None:
            contexts.forget_current()
        else:
            contexts.make_current(before)
        if is_lent:
            STREAMS.pop(number, None)


def _number_of(stream: ContextStream) -> int:
    return next(number for number, each in list(STREAMS.items()) if each is stream)


def _own_context(device: Device) -> Context:
    """For threads that have set no device: one for each device, that nobody sees."""
    with _lock:
        found = _own.get(device)
        if found is None or found.ended:
            found = _own[device] = Context(device, device.index)
            counts.discount("streams", found.default_stream)
        return found
