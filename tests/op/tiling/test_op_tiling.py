# SPDX-License-Identifier: Apache-2.0
"""The tiling context: what it begins with, what it takes, what it knows of the chip, and when tiling is not called again."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from op_parts import AddTiling, Find, Register, add_scaled, floats, raised, ran, tile_add, watched, words, words_out

from aclimb import Kernel, Stream, op
from aclimb.errors import InvalidArgument
from aclimb.fuse import Member, fuse


class Large(ctypes.Structure):
    _fields_ = (("words", ctypes.c_uint32 * 16),)


def inside(kernel: Find, stream: Stream, register: Register, look: Callable[[Any], None], **options: Any) -> Any:
    """Runs z = x + y with this in its tiling function."""

    def tiling(ctx: Any) -> None:
        look(ctx)
        tile_add(ctx)

    made = add_scaled(kernel, tiling=None)
    made.tiling(**options)(tiling) if options else made.tiling(tiling)
    register(made)
    np.testing.assert_array_equal(ran(stream, made(floats(4), floats(4), stream=stream)), 2 * floats(4))
    return made


@pytest.mark.requirement("op-54")
def test_every_tiling_begins_with_the_same_values(kernel: Find, stream: Stream, register: Register) -> None:
    seen: list[Any] = []

    def look(ctx: Any) -> None:
        seen.append((ctx.tiling_key, ctx.num_blocks, ctx.need_atomic, ctx.tiling_cond, ctx.raw_tiling_data.data_size, ctx.schedule_mode))
        ctx.tiling_cond = 3

    made = inside(kernel, stream, register, look)
    made(floats(5), floats(5), stream=stream)
    assert seen == [(0, 0, True, -1, 0, 0)] * 2


@pytest.mark.requirement("op-54")
@pytest.mark.parametrize(
    ("name", "value"),
    [("tiling_key", 2**64 - 1), ("num_blocks", 48), ("block_dim", 7), ("need_atomic", False), ("tiling_cond", 5), ("schedule_mode", 1)],
)
def test_what_is_set_can_be_read_back(kernel: Find, stream: Stream, register: Register, name: str, value: int) -> None:
    def look(ctx: Any) -> None:
        before = getattr(ctx, name)
        setattr(ctx, name, value)
        assert getattr(ctx, name) == value
        setattr(ctx, name, before)

    inside(kernel, stream, register, look)


@pytest.mark.requirement("op-54")
@pytest.mark.parametrize(("name", "value"), [("tiling_key", -1), ("tiling_key", 2**64), ("schedule_mode", 2), ("num_blocks", "4")])
def test_a_value_outside_is_refused_where_it_is_set(kernel: Find, stream: Stream, register: Register, name: str, value: Any) -> None:
    inside(kernel, stream, register, lambda ctx: raised(InvalidArgument, setattr, ctx, name, value) and None)


@pytest.mark.requirement("op-55")
def test_typed_tiling_data_sets_the_size_and_is_none_where_it_does_not_fit(kernel: Find, stream: Stream, register: Register) -> None:
    def look(ctx: Any) -> None:
        assert ctx.raw_tiling_data.capacity == 32
        assert ctx.get_tiling_data(Large) is None
        view = ctx.get_tiling_data(AddTiling)
        view.count = 9
        assert ctx.raw_tiling_data.data_size == 8
        assert ctx.raw_tiling_data.data[:4] == (9).to_bytes(4, "little")
        ctx.raw_tiling_data.data_size = 0

    inside(kernel, stream, register, look, max_tiling_data_size=32)


@pytest.mark.requirement("op-55")
def test_more_than_16_workspace_sizes_are_none(kernel: Find, stream: Stream, register: Register) -> None:
    def look(ctx: Any) -> None:
        assert ctx.get_workspace_sizes(17) is None
        sizes = ctx.get_workspace_sizes(16)
        sizes[15] = 64
        assert (ctx.workspace_num, list(ctx.workspace_sizes)[15]) == (16, 64)
        raised(InvalidArgument, setattr, ctx, "workspace_sizes", [0] * 17)

    inside(kernel, stream, register, look)


@pytest.mark.requirement("op-56")
def test_tiling_data_that_does_not_fit_is_refused_and_changes_nothing(kernel: Find, stream: Stream, register: Register) -> None:
    def look(ctx: Any) -> None:
        raw = ctx.raw_tiling_data
        raw.append(bytes(30))
        raised(InvalidArgument, raw.append, np.uint32(1))
        raised(InvalidArgument, setattr, ctx, "tiling_data", Large())
        assert (raw.data_size, raw.data) == (30, bytes(30))
        raw.append(b"ab")
        raised(InvalidArgument, raw.append, b"c")
        raw.data_size = 0

    inside(kernel, stream, register, look, max_tiling_data_size=32)


@pytest.mark.requirement("op-56")
def test_attributes_are_appended_in_the_type_that_is_asked_for(stream: Stream, register: Register, kernel: Find) -> None:
    seen: list[bytes] = []
    made = add_scaled(kernel, tiling=None)
    made.attr("sizes", list[int], default=[1, -2])
    made.attr("on", bool, default=True)

    def tiling(ctx: Any) -> int:
        raw, attrs = ctx.raw_tiling_data, ctx.get_attrs()
        raw.append_converted_attr(attrs, 0, "float", "float16")
        raw.append_converted_attr(attrs, 1, "list_int", "int32")
        raw.append_converted_attr(attrs, 2, "bool", "uint8")
        seen.append(raw.data)
        raised(InvalidArgument, raw.append_converted_attr, attrs, 9, "int", "int32")
        raised(InvalidArgument, raw.append_converted_attr, attrs, 0, "list_int", "int32")
        assert raw.data == seen[0]
        return 1

    made.tiling(tiling)
    register(made)
    with pytest.raises(op.OpError):
        made(floats(2), floats(2), alpha=1.5, stream=stream)
    assert seen == [np.float16(1.5).tobytes() + np.array([1, -2], np.int32).tobytes() + b"\x01"]


@pytest.mark.requirement("op-57")
def test_workspace_sizes_are_rounded_in_a_run_and_not_in_a_plan(kernel: Find, stream: Stream, register: Register) -> None:
    def tiling(ctx: Any) -> None:
        ctx.num_blocks = 1
        ctx.tiling_data = bytes(16)
        ctx.workspace_sizes = [100, 513]

    made = words_out(kernel, "two_workspaces", tiling, inputs=("x", "y"))
    register(made)
    with watched("allocate_workspaces") as steps:
        made(floats(2), floats(2), stream=stream)
    assert list(steps[0].workspace_sizes) == [512, 1024]
    with made.plan(floats(2), floats(2)) as plan:
        assert plan.workspace_size == 613


@pytest.mark.requirement("op-59")
@pytest.mark.parametrize("key", [1, 20, 300])
def test_the_tiling_key_chooses_the_code(kernel: Find, stream: Stream, register: Register, key: int) -> None:
    def tiling(ctx: Any) -> None:
        ctx.tiling_key, ctx.num_blocks = key, 3

    made = words_out(kernel, "three_keys", tiling)
    register(made)
    assert words(made(floats(2), stream=stream))[:2] == [key, 3]


@pytest.mark.requirement("op-59")
@pytest.mark.parametrize("key", [0, 2, 2**63])
def test_an_unknown_key_names_those_that_exist(kernel: Find, stream: Stream, register: Register, key: int) -> None:
    def tiling(ctx: Any) -> None:
        ctx.tiling_key, ctx.num_blocks = key, 1

    made = words_out(kernel, "three_keys", tiling)
    register(made)
    with pytest.raises(op.OpError, match=rf"{key}.*1, 20, 300") as caught:
        made(floats(2), stream=stream)
    assert caught.value.operator == "WordsOut"


@pytest.mark.requirement("op-62")
@pytest.mark.parametrize("blocks", [0, 65536, 2**32 - 1])
def test_a_number_of_blocks_outside_is_refused(kernel: Find, stream: Stream, register: Register, blocks: int) -> None:
    def tiling(ctx: Any) -> None:
        ctx.tiling_key, ctx.num_blocks = 1, blocks

    made = words_out(kernel, "three_keys", tiling)
    register(made)
    with pytest.raises(op.OpError, match=rf"{blocks}.*65535"):
        made(floats(2), stream=stream)


@pytest.mark.requirement("op-62")
def test_in_batch_mode_all_blocks_have_to_run_at_once(kernel: Find, stream: Stream, register: Register) -> None:
    blocks = [stream.device.chip.aiv_cores]

    def tiling(ctx: Any) -> None:
        ctx.tiling_key, ctx.num_blocks, ctx.schedule_mode = 1, blocks[0], 1

    made = words_out(kernel, "three_keys", tiling, tiling_cache=False)
    register(made)
    with watched("launch") as steps:
        assert words(made(floats(2), stream=stream))[:2] == [1, blocks[0]]
    (record,) = steps[0].launches
    assert (record.schedule_mode, record.num_blocks, record.tiling_key) == (1, blocks[0], 1)
    blocks[0] += 1
    with pytest.raises(op.OpError, match=str(blocks[0])):
        made(floats(2), stream=stream)


@pytest.mark.requirement("op-53")
def test_compile_information_is_made_once_given_to_tiling_and_deleted_once(kernel: Find, stream: Stream) -> None:
    class Info:
        made = closed = 0

        def __init__(self) -> None:
            Info.made += 1
            self.cores = 0

        def close(self) -> None:
            Info.closed += 1

    seen: list[Any] = []

    def tiling(ctx: Any) -> None:
        seen.append((type(ctx.compile_info), ctx.compile_info.cores))
        tile_add(ctx)

    operator = add_scaled(kernel, tiling=tiling, tiling_cache=False)

    @operator.tiling_parse(Info)
    def parse(ctx: Any) -> None:
        ctx.compiled_info.cores = ctx.platform.vector_core_num
        assert ctx.compiled_json is not None

    with operator.registered():
        assert Info.made == 0
        for count in (2, 3, 2):
            operator(floats(count), floats(count), stream=stream)
        assert (Info.made, Info.closed) == (1, 0)
    assert (Info.made, Info.closed) == (1, 1)
    assert seen == [(Info, stream.device.chip.aiv_cores)] * 3


@pytest.mark.requirement("op-53")
def test_tiling_knows_the_chip(kernel: Find, stream: Stream, register: Register) -> None:
    chip = stream.device.chip
    memory = chip.arch.memory

    def look(ctx: Any) -> None:
        platform = ctx.platform
        assert (platform.soc_name, platform.cube_core_num, platform.vector_core_num) == (chip.name, chip.aic_cores, chip.aiv_cores)
        assert (platform.ub_size, platform.l1_size, platform.l2_size) == (memory["UB"], memory["L1"], chip.l2_size)
        assert (platform.l0a_size, platform.l0b_size, platform.l0c_size) == (memory["L0A"], memory["L0B"], memory["L0C"])

    inside(kernel, stream, register, look)


def test_a_superkernel_is_an_operator_that_has_its_own_number_of_blocks(kernel: Find, stream: Stream, register: Register) -> None:
    fused = Kernel(fuse([Member(kernel("add_scaled").binary, 4, "add_scaled")], name="fused_add"))

    def tiling(ctx: Any) -> None:
        tile_add(ctx)
        ctx.num_blocks = blocks

    made = add_scaled(lambda name: fused, type="FusedAdd", tiling=tiling)
    register(made)
    blocks = 4
    np.testing.assert_array_equal(ran(stream, made(floats(64), floats(64), stream=stream)), 2 * floats(64))
    blocks = 3
    with pytest.raises(op.OpError, match="fused_add is a SuperKernel of 4 blocks; 3 asked for: launch it with 4"):
        made(floats(65), floats(65), stream=stream)
