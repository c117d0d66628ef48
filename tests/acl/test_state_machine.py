# SPDX-License-Identifier: Apache-2.0
"""Random sequences of calls, right and wrong: none crashes, none finds an ended handle usable, and nothing is left at the end."""

from __future__ import annotations

import ctypes
import gc
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest
from host import DEVICE_TO_DEVICE, DEVICE_TO_HOST, HOST_TO_DEVICE, argument_list, code, launch, ok, read, write
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule, run_state_machine_as_test
from machine import PICKS, Streams
from model import Pick
from steps import attributes, no_longer_than, packed

import acl
import aclimb

SIZES = st.sampled_from((0, 1, 8, 16, 64, 1000, 4096, 2**40, 2**64 - 1))
SMALL = st.sampled_from((0, 8, 16, 64, 1000, 4096))  # sizes of what lies in host memory: never more than there is
OFFSETS = st.sampled_from((0, 0, 0, 8, 60, 4096, -8))
BLOCKS = st.sampled_from((1,) * 6 + (2, 50, 0, 65536))
CONFIGS = st.sampled_from(([],) * 6 + (attributes(schedule_mode=1), attributes(timeout=1, timeout_us=1), [{"id": 77}], [{}]))


class Host(Streams):
    """The whole program: memory, binaries, argument lists and launches too."""

    kernel_file: ClassVar[Path]

    def __init__(self) -> None:
        """Begins with one of everything, so that few steps lead far."""
        super().__init__()
        right = ("right", 0)
        self.malloc(4096, 0)
        self.memory[:16] = packed(self.model.alive["memory"][0], np.int64(1))
        for _ in range(2):
            self.create_stream()
            self.create_event(acl.rt.create_event)
            self.record_event(("right", 1), ("right", 1))
        self.load(True, [])
        self.get_function(right, "append_digit")
        self.args_init(right)
        self.args_append(right, 16, False)
        self.args_finalize(right)

    # --- memory

    @rule(size=SIZES, policy=st.sampled_from((0, 2, 77)))
    def malloc(self, size: int, policy: int) -> None:
        here = self.current()
        address, ret = acl.rt.malloc(size, policy)
        if self.model.went_well(ret, positive=size > 0, possible=size <= 2**40, context=here != 0):
            self.model.sizes[address] = size
            self.model.begin("memory", address)

    @rule(pick=PICKS, offset=OFFSETS)
    def free(self, pick: Pick, offset: int) -> None:
        address = self.model.number("memory", pick) + offset
        if self.model.went_well(acl.rt.free(address), ("memory", address)):
            self.model.end("memory", address)

    @rule(picks=st.tuples(PICKS, PICKS), offset=OFFSETS, count=SMALL, kind=st.sampled_from((1, 2, 3)), stream=st.none() | PICKS)
    def memcpy(self, picks: tuple[Pick, Pick], offset: int, count: int, kind: int, stream: Pick | None) -> None:
        first, second = (self.model.number("memory", pick) for pick in picks)
        to = self.host if kind == DEVICE_TO_HOST else first + offset
        source = self.host if kind == HOST_TO_DEVICE else second
        inside = [self.model.covers(address, count) for address in (to, source) if address != self.host]
        facts = {"inside": count == 0 or all(inside) or (kind == DEVICE_TO_DEVICE and to == source)}
        if stream is None:
            self.model.went_well(acl.rt.memcpy(to, count, source, count, kind), **facts)
        else:
            queue = self.model.number("stream", stream)
            ret = acl.rt.memcpy_async(to, count, source, count, kind, queue)
            self.model.went_well(ret, *([("stream", queue)] if count else []), **facts)

    def once_memory(self, index: int) -> int:
        """An address of device memory, freed or not."""
        return list(self.model.sizes)[index % len(self.model.sizes)]

    @rule(index=st.integers(0, 20), offset=OFFSETS, count=SMALL, stream=st.none() | PICKS)
    def memset(self, index: int, offset: int, count: int, stream: Pick | None) -> None:
        """Of host memory too: so only numbers that are, or were, device memory."""
        address = self.once_memory(index) + offset
        inside = count == 0 or self.model.covers(address, count)
        if stream is None:
            self.model.went_well(acl.rt.memset(address, count, 0, count), inside=inside)
        else:
            queue = self.model.number("stream", stream)
            ret = acl.rt.memset_async(address, count, 0, count, queue)
            self.model.went_well(ret, *([("stream", queue)] if count else []), inside=inside)

    @rule(size=SMALL)
    def malloc_host(self, size: int) -> None:
        address, ret = acl.rt.malloc_host(size)
        if self.model.went_well(ret, positive=size > 0):
            ctypes.memset(address, 0, size)
            self.model.begin("pinned", address)

    @rule(pick=PICKS)
    def free_host(self, pick: Pick) -> None:
        address = self.model.number("pinned", pick)
        if self.model.went_well(acl.rt.free_host(address), ("pinned", address)):
            self.model.end("pinned", address)

    # --- binaries, argument lists, launches

    @rule(good=st.sampled_from((True, True, False)), options=st.sampled_from(([], [{"type": 1, "value": 1}], [{"type": 9}])))
    def load(self, good: bool, options: list[dict[str, int]]) -> None:
        path = self.kernel_file if good else self.kernel_file.parent
        binary, ret = acl.rt.binary_load_from_file(str(path), options)
        if self.model.went_well(ret, good=good, options=options != [{"type": 9}]):
            self.model.begin("binary", binary)

    @rule(pick=PICKS)
    def unload(self, pick: Pick) -> None:
        binary = self.model.number("binary", pick)
        if self.model.went_well(acl.rt.binary_unload(binary), ("binary", binary)):
            self.model.end("binary", binary)
            self.model.end_owned(binary, "function", surely=True)

    @rule(pick=PICKS, name=st.sampled_from(("append_digit", "append_digit", "fill_index", "no_such_kernel")))
    def get_function(self, pick: Pick, name: str) -> None:
        binary = self.model.number("binary", pick)
        function, ret = acl.rt.binary_get_function(binary, name)
        if self.model.went_well(ret, ("binary", binary), known=name != "no_such_kernel"):
            self.model.begin("function", function, binary)

    @rule(pick=PICKS)
    def args_init(self, pick: Pick) -> None:
        function = self.model.number("function", pick)
        args, ret = acl.rt.kernel_args_init(function)
        if self.model.went_well(ret, ("function", function)):
            self.model.begin("args", args)
            self.model.end_owned(args, "parameter", surely=True)

    @rule(pick=PICKS, size=SMALL, placeholder=st.booleans())
    def args_append(self, pick: Pick, size: int, placeholder: bool) -> None:
        args = self.model.number("args", pick)
        call = acl.rt.kernel_args_append_place_holder
        parameter, ret = call(args) if placeholder else acl.rt.kernel_args_append(args, self.host, size)
        if self.model.went_well(ret, ("args", args), has_size=placeholder or size > 0):
            self.model.begin("parameter", parameter, args)

    @rule(picks=st.tuples(PICKS, PICKS), size=SMALL, update=st.booleans())
    def args_change(self, picks: tuple[Pick, Pick], size: int, update: bool) -> None:
        args, parameter = self.model.number("args", picks[0]), self.model.number("parameter", picks[1])
        uses = ("args", args), ("parameter", parameter)
        if update:
            self.model.went_well(acl.rt.kernel_args_para_update(args, parameter, self.host, size), *uses, has_size=size > 0)
        else:
            buffer, ret = acl.rt.kernel_args_get_place_holder_buffer(args, parameter, size)
            if self.model.went_well(ret, *uses, has_size=size > 0):
                ctypes.memset(buffer, 0, size)

    @rule(pick=PICKS)
    def args_finalize(self, pick: Pick) -> None:
        args, here = self.model.number("args", pick), self.current()
        self.model.went_well(acl.rt.kernel_args_finalize(args), ("args", args), context=here != 0)

    @rule(picks=st.tuples(PICKS, PICKS, PICKS), blocks=BLOCKS, config=CONFIGS, reserve=st.sampled_from((0,) * 9 + (1,)))
    def launch_list(self, picks: tuple[Pick, Pick, Pick], blocks: int, config: list[dict[str, int]], reserve: int) -> None:
        function, args, stream = self.numbers(("function", "args", "stream"), picks)
        facts = {"blocks": 0 < blocks < 65536, "reserve": reserve == 0, "context": self.current() != 0}
        ret = acl.rt.launch_kernel_with_config(function, blocks, stream, config, args, reserve)
        self.model.went_well(ret, ("function", function), ("args", args), ("stream", stream), **facts)

    @rule(picks=st.tuples(PICKS, PICKS, PICKS), blocks=BLOCKS, size=SIZES)
    def launch_from_device_memory(self, picks: tuple[Pick, Pick, Pick], blocks: int, size: int) -> None:
        function, block, stream = self.numbers(("function", "memory", "stream"), picks)
        facts = {"blocks": 0 < blocks < 65536, "inside": self.model.covers(block, 1), "context": self.current() != 0}
        ret = acl.rt.launch_kernel(function, blocks, block, size, stream)
        self.model.went_well(ret, ("function", function), ("stream", stream), **facts)

    @rule(picks=st.tuples(PICKS, PICKS, PICKS), blocks=BLOCKS, config=CONFIGS)
    def launch_from_host_memory(self, picks: tuple[Pick, Pick, Pick], blocks: int, config: list[dict[str, int]]) -> None:
        function, stream = self.model.number("function", picks[0]), self.model.number("stream", picks[1])
        block = packed(self.once_memory(picks[2][1]), np.int64(1))
        facts = {"blocks": 0 < blocks < 65536, "context": self.current() != 0}
        ret = acl.rt.launch_kernel_with_host_args(function, blocks, stream, config, block.ctypes.data, block.nbytes, [], 0)
        self.model.went_well(ret, ("function", function), ("stream", stream), **facts)

    @precondition(lambda self: self.model.default_contexts)
    @rule(pick=st.integers(0, 9))
    def a_right_program_still_works(self, pick: int) -> None:
        """Whatever was called before."""
        contexts = list(self.model.default_contexts.values())
        ok(acl.rt.set_context(contexts[pick % len(contexts)]))
        acl.rt.synchronize_device()  # kernels that were given freed memory are done with it
        stream, number = ok(acl.rt.create_stream()), ok(acl.rt.malloc(8, 0))
        binary = ok(acl.rt.binary_load_from_file(str(self.kernel_file), []))
        function = ok(acl.rt.binary_get_function(binary, "append_digit"))
        self.model.end_owned(argument_list(function, 0), "parameter", surely=True)
        write(number, np.zeros(1, np.int64))
        for digit in (4, 2):
            ok(launch(function, 1, stream, number, np.int64(digit)))
        ok(acl.rt.synchronize_stream(stream))
        assert read(number, 1, np.int64)[0] == 42
        ok(acl.rt.binary_unload(binary))
        ok(acl.rt.free(number))
        ok(acl.rt.destroy_stream(stream))

    # --- the end

    def teardown(self) -> None:
        model = self.model
        for device in range(2):
            ok(acl.rt.set_device(device))
            acl.rt.synchronize_device()
        for context in [*model.alive["context"], 0]:
            if context:
                ok(acl.rt.set_context(context))
            for number in [*model.alive["stream"], *model.alive["event"], *model.unknown]:
                if context in (0, model.owner[number]):
                    acl.rt.destroy_stream(number)
                    acl.rt.destroy_event(number)
            if context and context not in model.default_contexts.values():
                ok(acl.rt.destroy_context(context))
        for binary in model.alive["binary"]:
            ok(acl.rt.binary_unload(binary))
        for device in range(2):
            ok(acl.rt.set_device(device))
        for address in model.alive["memory"]:
            ok(acl.rt.free(address))
        for address in model.alive["pinned"]:
            ok(acl.rt.free_host(address))
        for device in range(2):
            for _ in range(model.references[device] + 2):
                ok(acl.rt.reset_device(device))
        ok(acl.finalize())
        self.stop.set()
        self.reporter.join(10)
        gc.collect()
        assert dict(aclimb.live()) == self.before
        assert code(acl.rt.get_context()) != 0


def run(kernels: dict[str, Path], examples: int, steps: int, seconds: float) -> None:
    Host.kernel_file = kernels["append_digit"]
    options = settings(max_examples=examples, stateful_step_count=steps, deadline=None, suppress_health_check=list(HealthCheck))
    with no_longer_than(seconds):
        run_state_machine_as_test(Host, settings=options)


@pytest.mark.random
@pytest.mark.requirement("host-15", "host-33", "host-38", "host-58", "host-87", "host-91")
def test_no_sequence_of_calls_crashes_or_leaves_anything(kernels: dict[str, Path]) -> None:
    run(kernels, examples=25, steps=50, seconds=600)


@pytest.mark.slow
@pytest.mark.requirement("host-15", "host-33", "host-38", "host-58", "host-87", "host-91")
def test_no_long_sequence_of_calls_crashes_or_leaves_anything(kernels: dict[str, Path]) -> None:
    run(kernels, examples=1000, steps=100, seconds=3000)
