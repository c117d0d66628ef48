# SPDX-License-Identifier: Apache-2.0
"""Contexts: which device a thread uses, with a default stream, and what belongs together when something fails."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable
from typing import Any, cast

from aclimb import _engine, knobs
from aclimb.errors import Refused
from aclimb.runtime import counts, unreported
from aclimb.runtime.device import Device
from aclimb.runtime.event import Event
from aclimb.runtime.finish import collect
from aclimb.runtime.handles import Handles
from aclimb.runtime.stream import Stream

INVALID_DEVICE, NO_CONTEXT, OTHER_CONTEXT, PARAM_INVALID, NO_STREAM_RESOURCE = 107001, 107002, 107003, 107000, 207008

CONTEXTS: Handles[Context] = Handles("context")
STREAMS: Handles[ContextStream] = Handles("stream")
EVENTS: Handles[ContextEvent] = Handles("event")

_thread = threading.local()
_lock = threading.RLock()
_primary: dict[int, Context] = {}  # by device, while somebody has it set
_stream_ids = itertools.count(1)


class ContextStream(Stream):
    """A stream that belongs to a context."""

    def __init__(self, context: Context, flags: int = 0) -> None:
        super().__init__(context.device, context.native)
        self.context = context
        self.flags = flags
        self.id = next(_stream_ids)
        self.failure_mode_set = False
        self.attributes: dict[str, int] = {}
        self.reports: Any = None  # where its callbacks go; see reports.py
        self.at_end: list[Callable[[], None]] = []  # called when its last task is done, for memory that goes with the stream


class ContextEvent(Event):
    """An event that belongs to a context, with the flags it was made with."""

    def __init__(self, context: Context, flags: int, *, ex: bool) -> None:
        super().__init__()
        self.context, self.flags, self.ex = context, flags, ex


class Context:
    """One device as a thread sees it. `number` is its handle."""

    def __init__(self, device: Device, user_id: int) -> None:
        self.device = device
        self.user_id = user_id  # the device's number as the program counts them
        self.native = _engine.Context()
        self.references = 0  # set_device less reset_device; for a default context
        self.stopped_by: Refused | None = None  # the failure that stopped it, in stop mode
        self.ended = False
        self.streams: dict[int, ContextStream] = {}
        self.events: set[int] = set()
        self.default_stream = ContextStream(self)
        self.default_number = STREAMS.add(self.default_stream)
        self.number = CONTEXTS.add(self)

    def device_streams(self) -> int:
        """How many streams were created on its device, in any context."""
        return sum(len(each.streams) for each in list(CONTEXTS.values()) if each.device is self.device)

    def new_stream(self, flags: int) -> int:
        with _lock:
            made = self.device_streams()
            if made >= knobs.streams():
                raise Refused(NO_STREAM_RESOURCE, f"{made} streams exist on {self.device}, and that is the limit; destroy some, "
                                                  f"or raise {knobs.streams.variable}")  # fmt: skip
            stream = ContextStream(self, flags)
            number = STREAMS.add(stream)
            self.streams[number] = stream
        return number

    def new_event(self, flags: int, *, ex: bool = False) -> int:
        number = EVENTS.add(ContextEvent(self, flags, ex=ex))
        self.events.add(number)
        return number

    def all_streams(self) -> list[ContextStream]:
        return [self.default_stream, *list(self.streams.values())]

    def end(self, *, wait: bool = True) -> None:
        """Its streams and events end with it: after their work, or at once."""
        for stream in self.all_streams():
            end_stream(stream, wait=wait)
        with _lock:
            self.ended = True
            for number in (self.default_number, *self.streams):
                STREAMS.pop(number, None)
            for number in self.events:
                counts.discount("events", EVENTS.pop(number, None))
            self.streams.clear()
            self.events.clear()
            CONTEXTS.pop(self.number, None)


def end_stream(stream: ContextStream, *, wait: bool) -> None:
    if not wait:
        stream.native.abort()
    stream.native.wait()
    failures = collect(stream.native)  # shows what kernels printed
    if wait:
        unreported.keep(failures)
    for call in stream.at_end:
        call()
    if stream.reports is not None:
        stream.reports.unsubscribe(stream)
    counts.discount("streams", stream)


# --- which context a thread uses


class _Default:
    device: int | None = None  # set in threads that have set none; from acl.init's configuration


def set_default_device(user_id: int | None) -> None:
    _Default.device = user_id


def current() -> Context:
    context: Context | None = getattr(_thread, "context", None)
    if context is None or context.ended:
        return _default_context()
    return context


def _default_context() -> Context:
    if _Default.device is not None:
        return retain_primary(_Default.device)
    raise Refused(NO_CONTEXT, "this thread has no context; call acl.rt.set_device(0) or acl.rt.set_context(...) in it first")


def make_current(context: Context) -> None:
    _thread.context = context


def forget_current() -> None:
    """The thread has no context, as before it ever set one."""
    vars(_thread).pop("context", None)


def use_limits_of(stream: ContextStream | None) -> None:
    """From now on this thread asks that stream how many cores an operator shall use."""
    _thread.limits = stream


def stream_in_use() -> ContextStream | None:
    return getattr(_thread, "limits", None)


def stream_of(number: int) -> ContextStream:
    """The stream to queue on: 0 is the default stream of the current context, others must belong to it."""
    try:
        context = _thread.context
    except AttributeError:
        context = current()
    if context.ended:
        context = current()
    if number == 0:
        return cast(ContextStream, context.default_stream)
    stream = STREAMS[number]
    if stream.context is not context:
        raise Refused(OTHER_CONTEXT, f"stream 0x{number:x} belongs to another context, of {stream.device}; "
                                     "call acl.rt.set_context with that one first")  # fmt: skip
    return stream


def any_stream(number: int) -> ContextStream:
    """The stream to wait for: of any context."""
    return STREAMS[number] if number else current().default_stream


# --- default contexts, counted by set_device and reset_device


def device_ids() -> list[int]:
    """The devices a program sees, in its order: all, or those of ASCEND_RT_VISIBLE_DEVICES."""
    return visible_devices(knobs.devices(), knobs.visible_devices())


def visible_devices(count: int, text: str) -> list[int]:
    if not text:
        return list(range(count))
    ids = []
    for word in text.split(","):  # the list ends where it stops making sense, as it does on hardware
        if not word.strip().isdecimal() or int(word) >= count or int(word) in ids:
            break
        ids.append(int(word))
    return ids


def device_of(user_id: int) -> Device:
    ids = device_ids()
    if not 0 <= user_id < len(ids):
        raise Refused(INVALID_DEVICE, f"device {user_id} does not exist; there are {len(ids)}, counted from 0 ({knobs.devices.variable})")
    return Device(ids[user_id])


def retain_primary(user_id: int) -> Context:
    device = device_of(user_id)
    with _lock:
        context = _primary.get(device.index)
        if context is None:
            context = _primary[device.index] = Context(device, user_id)
        context.references += 1
    make_current(context)
    return context


def release_primary(user_id: int, *, wait: bool) -> None:
    device = device_of(user_id)
    with _lock:
        context = _primary.get(device.index)
        if context is None:
            raise Refused(NO_CONTEXT, f"device {user_id} is not set, or was reset as often as it was set")
        context.references = context.references - 1 if wait else 0
        last = context.references == 0
        if last:
            _primary.pop(device.index)
    if last:
        context.end(wait=wait)
    else:
        for stream in context.all_streams():
            stream.native.wait()


def primary(user_id: int) -> Context | None:
    return _primary.get(device_of(user_id).index)
