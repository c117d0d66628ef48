# SPDX-License-Identifier: Apache-2.0
"""The first half of a random program: devices, contexts, streams, events and callbacks."""

from __future__ import annotations

import gc
import threading
import time
from typing import Any

import numpy as np
from host import message
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule
from model import Model, Pick

import acl
import aclimb

PICKS = st.tuples(st.sampled_from(("right",) * 20 + ("ended", "ended", "other", "wild")), st.integers(0, 40))
DEVICES = st.sampled_from((0, 0, 1, 2, -1, 2**31 - 1))
EVENTS = st.sampled_from((acl.rt.create_event, lambda: acl.rt.create_event_with_flag(1), lambda: acl.rt.create_event_ex_with_flag(1)))
WAIT_MS, HOST_BYTES = 2000, 8192


class Streams(RuleBasedStateMachine):
    """One program. Its host memory holds zeros or addresses of device memory: a kernel that follows them goes wrong on the device only."""

    def __init__(self) -> None:
        super().__init__()
        gc.collect()
        self.before = dict(aclimb.live())
        self.model, self.memory = Model(), np.zeros(HOST_BYTES, np.uint8)
        self.host = self.memory.ctypes.data
        self.stop = threading.Event()
        self.reporter = threading.Thread(target=self._report, daemon=True)
        self.reporter.start()
        assert acl.init() in (0, 100002)  # again: when a begin failed before
        self.set_device(0)

    def _report(self) -> None:
        while not self.stop.is_set():
            if acl.rt.process_report(10) == 107012:  # nobody subscribed yet
                time.sleep(0.001)

    def current(self) -> int:
        context, ret = acl.rt.get_context()
        message()
        return context if ret == 0 else 0

    def numbers(self, kinds: tuple[str, ...], picks: tuple[Pick, ...]) -> list[int]:
        return [self.model.number(kind, pick) for kind, pick in zip(kinds, picks, strict=True)]

    # --- devices and contexts

    @rule(device=DEVICES)
    def set_device(self, device: int) -> None:
        if self.model.went_well(acl.rt.set_device(device), exists=0 <= device < 2):
            self.model.references[device] += 1
            self.model.default_contexts[device] = self.current()
            self.model.begin("context", self.current())

    @rule(device=DEVICES)
    def reset_device(self, device: int) -> None:
        if self.model.went_well(acl.rt.reset_device(device), was_set=device in (0, 1) and self.model.references[device] > 0):
            self.model.references[device] -= 1
            if self.model.references[device] == 0:
                context = self.model.default_contexts.pop(device)
                self.model.end("context", context)
                self.model.end_owned(context, "stream", surely=True)
                self.model.end_owned(context, "event", surely=False)

    @rule(device=DEVICES)
    def create_context(self, device: int) -> None:
        context, ret = acl.rt.create_context(device)
        if self.model.went_well(ret, exists=0 <= device < 2):
            self.model.begin("context", context)

    @rule(pick=PICKS)
    def destroy_context(self, pick: Pick) -> None:
        context = self.model.number("context", pick)
        made = context not in self.model.default_contexts.values()
        if self.model.went_well(acl.rt.destroy_context(context), ("context", context), made_by_us=made):
            self.model.end("context", context)
            self.model.end_owned(context, "stream", "event", surely=False)

    @rule(pick=PICKS)
    def set_context(self, pick: Pick) -> None:
        context = self.model.number("context", pick)
        if self.model.went_well(acl.rt.set_context(context), ("context", context)):
            assert self.current() == context

    # --- streams and events

    @rule()
    def create_stream(self) -> None:
        here = self.current()
        stream, ret = acl.rt.create_stream()
        if self.model.went_well(ret, context=here != 0):
            self.model.begin("stream", stream, here)

    @rule(pick=PICKS, call=st.sampled_from((acl.rt.destroy_stream, acl.rt.destroy_stream_force)))
    def destroy_stream(self, pick: Pick, call: Any) -> None:
        stream = self.model.number("stream", pick)
        if self.model.went_well(call(stream), ("stream", stream), not_default=stream != 0):
            if stream in self.model.alive["stream"]:
                self.model.end("stream", stream)
            self.model.unknown.discard(stream)

    @rule(pick=PICKS, call=st.sampled_from((acl.rt.stream_query, acl.rt.stream_get_id, acl.rt.synchronize_stream)))
    def use_stream(self, pick: Pick, call: Any) -> None:
        stream = self.model.number("stream", pick)
        self.model.went_well(call(stream), ("stream", stream))

    @rule(call=EVENTS)
    def create_event(self, call: Any) -> None:
        here = self.current()
        event, ret = call()
        if self.model.went_well(ret, context=here != 0):
            self.model.begin("event", event, here)

    @rule(event=PICKS, stream=PICKS)
    def record_event(self, event: Pick, stream: Pick) -> None:
        numbers = self.model.number("event", event), self.model.number("stream", stream)
        if self.model.went_well(acl.rt.record_event(*numbers), ("event", numbers[0]), ("stream", numbers[1])):
            self.model.recorded.add(numbers[0])

    @rule(event=PICKS, stream=PICKS)
    def stream_wait_event(self, event: Pick, stream: Pick) -> None:
        numbers = self.model.number("stream", stream), self.model.number("event", event)
        if numbers[1] in self.model.alive["event"] and numbers[1] not in self.model.recorded:
            return  # products differ in whether this waits for a record to come
        self.model.went_well(acl.rt.stream_wait_event(*numbers), ("stream", numbers[0]), ("event", numbers[1]))

    @rule(pick=PICKS, call=st.sampled_from((acl.rt.query_event_status, lambda e: acl.rt.synchronize_event_with_timeout(e, WAIT_MS))))
    def use_event(self, pick: Pick, call: Any) -> None:
        event = self.model.number("event", pick)
        self.model.went_well(call(event), ("event", event))

    @rule(picks=st.tuples(PICKS, PICKS))
    def event_elapsed_time(self, picks: tuple[Pick, Pick]) -> None:
        numbers = [self.model.number("event", pick) for pick in picks]
        self.model.went_well(acl.rt.event_elapsed_time(*numbers), *(("event", number) for number in numbers))

    @rule(pick=PICKS)
    def destroy_event(self, pick: Pick) -> None:
        event = self.model.number("event", pick)
        if self.model.went_well(acl.rt.destroy_event(event), ("event", event)):
            if event in self.model.alive["event"]:
                self.model.end("event", event)
            self.model.unknown.discard(event)

    # --- callbacks; the thread that runs them is always there

    @rule(pick=PICKS)
    def subscribe(self, pick: Pick) -> None:
        stream = self.model.number("stream", pick)
        if stream and self.model.went_well(acl.rt.subscribe_report(self.reporter.ident, stream), ("stream", stream)):
            self.model.subscribed.add(stream)

    @rule(pick=PICKS)
    def unsubscribe(self, pick: Pick) -> None:
        stream = self.model.number("stream", pick)
        if stream in self.model.alive["stream"]:
            acl.rt.synchronize_stream(stream)  # so that no callback waits for a thread that no longer listens
        result = acl.rt.unsubscribe_report(self.reporter.ident, stream)
        if self.model.went_well(result, ("stream", stream), subscribed=stream in self.model.subscribed | self.model.unknown):
            self.model.subscribed.discard(stream)

    @rule(pick=PICKS, blocks=st.sampled_from((0, 1)), call=st.sampled_from((len, lambda _: 1 // 0)))
    def launch_callback(self, pick: Pick, blocks: int, call: Any) -> None:
        stream = self.model.number("stream", pick)
        known = stream in self.model.subscribed | self.model.unknown
        self.model.went_well(acl.rt.launch_callback(call, [], blocks, stream), ("stream", stream), subscribed=known)

    @rule(timeout=st.sampled_from((0, -2, 5)))
    def process_report_without_subscription(self, timeout: int) -> None:
        assert acl.rt.process_report(timeout) != 0
