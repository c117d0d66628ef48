# SPDX-License-Identifier: Apache-2.0
"""What arrives at the kernel: addresses in their order, tiling data byte for byte, lists of tensors, and the record of it."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
import pytest
from op_parts import (
    FOUR,
    AddTiling,
    Find,
    Inner,
    Nested,
    Padded,
    PaddedStructure,
    Part,
    Register,
    Whole,
    add_scaled,
    device,
    elements,
    floats,
    ran,
    six_times,
    watched,
    words,
    words_out,
)

from aclimb import Buffer, Stream, launch, op


def one_block(ctx: Any) -> None:
    ctx.num_blocks = 1


# --- order


@pytest.mark.requirement("op-60", "op-66")
def test_arguments_are_inputs_outputs_workspaces_and_tiling(kernel: Find, stream: Stream, register: Register) -> None:
    def tiling(ctx: Any) -> None:
        ctx.num_blocks = 1
        ctx.workspace_sizes = [64, 4096]
        ctx.tiling_data = np.array([0x1111, 0x2222], np.uint64).tobytes()

    made = words_out(kernel, "two_workspaces", tiling, inputs=("x", "y"))
    register(made)
    x, y = device(floats(2)), device(floats(2))
    with watched("launch") as steps:
        z = made(x, y, stream=stream)
    found = words(z)
    assert found[:3] == [x.address, y.address, z.address]
    assert 0 not in found[3:6]
    assert len(set(found[:6])) == 6
    assert found[6:8] == [0x1111, 0x2222]
    (record,) = steps[0].launches
    assert (record.kernel, record.num_blocks) == ("two_workspaces", 1)


@pytest.mark.requirement("op-60")
def test_without_a_workspace_tiling_stands_right_behind_the_outputs(kernel: Find, stream: Stream, register: Register) -> None:
    def tiling(ctx: Any) -> None:
        ctx.num_blocks = 1
        ctx.tiling_data = np.array([77], np.uint64).tobytes()

    made = words_out(kernel, "no_workspace", tiling)
    register(made)
    x = device(floats(2))
    z = made(x, stream=stream)
    assert words(z)[:3] == [x.address, z.address, 77]


@pytest.mark.requirement("op-60")
@pytest.mark.parametrize("sizes", [[], [64], [64, 64, 64]])
def test_a_number_of_workspaces_that_the_kernel_does_not_take_is_an_error(
    kernel: Find, stream: Stream, register: Register, sizes: list[int]
) -> None:
    def tiling(ctx: Any) -> None:
        ctx.num_blocks = 1
        ctx.workspace_sizes = sizes
        ctx.tiling_data = bytes(16)

    made = words_out(kernel, "two_workspaces", tiling, inputs=("x", "y"))
    register(made)
    with pytest.raises(op.OpError, match="two_workspaces") as caught:
        made(floats(2), floats(2), stream=stream)
    assert caught.value.operator == "WordsOut"


@pytest.mark.requirement("op-60")
def test_tiling_data_reaches_a_kernel_by_address_or_by_value(kernel: Find, stream: Stream, register: Register) -> None:
    for number, name in enumerate(("add_scaled", "add_by_value")):
        made = add_scaled(kernel, type=f"Add{number}", name=name)
        register(made)
        np.testing.assert_array_equal(ran(stream, made(floats(9), floats(9), alpha=2.0, stream=stream)), 3 * floats(9))


def needs_workspace(kernel: Find, sizes: list[int]) -> Any:
    """An operator whose kernel returns at a null workspace, and whose tiling asks for these."""

    def tiling(ctx: Any) -> None:
        ctx.num_blocks, ctx.workspace_sizes, ctx.tiling_data = 1, sizes, np.array([77], np.uint64).tobytes()

    return words_out(kernel, "needs_workspace", tiling)


@pytest.mark.requirement("op-60", "op-99")
@pytest.mark.parametrize("sizes", [[], [0], [64]], ids=["none asked", "0 bytes", "64 bytes"])
def test_a_workspace_is_never_null_whatever_tiling_asked_for(kernel: Find, stream: Stream, register: Register, sizes: list[int]) -> None:
    made = needs_workspace(kernel, sizes)
    register(made)
    x = device(floats(2))
    with watched("allocate_workspaces", "launch") as steps:
        z = made(x, stream=stream)
    found = words(z)
    assert (found[:2], found[3]) == ([x.address, z.address], 77)
    assert stream.device.native.contains(found[2])
    assert found[2] not in (x.address, z.address)
    assert tuple(steps[0].workspace_sizes) == tuple(512 * bool(size) for size in sizes), "what tiling asked for"
    assert steps[1].launches[0].slots == ("input", "output", "workspace", "tiling")


@pytest.mark.requirement("op-60", "op-99")
@pytest.mark.parametrize("name", ["add_scaled", "add_by_value"])
def test_a_kernel_that_does_not_use_its_workspace_needs_no_word_of_tiling(
    kernel: Find, stream: Stream, register: Register, name: str
) -> None:
    def tiling(ctx: Any) -> None:
        ctx.num_blocks, ctx.tiling_data = 1, AddTiling(elements(ctx), 2.0)

    made = add_scaled(kernel, name=name, tiling=tiling)
    register(made)
    np.testing.assert_array_equal(ran(stream, made(floats(9), floats(9), stream=stream)), 3 * floats(9))


@pytest.mark.requirement("op-60", "op-99")
def test_one_workspace_of_two_may_have_0_bytes(kernel: Find, stream: Stream, register: Register) -> None:
    def tiling(ctx: Any) -> None:
        ctx.num_blocks, ctx.workspace_sizes, ctx.tiling_data = 1, [0, 4096], bytes(16)

    made = words_out(kernel, "two_workspaces", tiling, inputs=("x", "y"))
    register(made)
    first, second = words(made(device(floats(2)), device(floats(2)), stream=stream))[3:5]
    assert len({first, second, 0}) == 3


@pytest.mark.requirement("op-60")
def test_several_workspaces_have_to_be_asked_for(kernel: Find, stream: Stream, register: Register) -> None:
    def tiling(ctx: Any) -> None:
        ctx.num_blocks, ctx.tiling_data = 1, bytes(16)

    made = words_out(kernel, "two_workspaces", tiling, inputs=("x", "y"))
    register(made)
    with pytest.raises(op.OpError) as caught:
        made(floats(2), floats(2), stream=stream)
    assert str(caught.value).endswith("tiling: GM_ADDR) takes 6 parameters; the call has 4: input, input, output, tiling")


@pytest.mark.requirement("op-60", "op-99")
@pytest.mark.parametrize("sizes", [[], [0]], ids=["none asked", "0 bytes"])
@pytest.mark.parametrize("given", [None, 0, 4096], ids=["none given", "null", "a buffer"])
def test_a_plan_that_needs_no_workspace_hands_one_over(
    kernel: Find, stream: Stream, register: Register, sizes: list[int], given: int | None
) -> None:
    made = needs_workspace(kernel, sizes)
    register(made)
    with made.plan(device(floats(2)), repeatable=True) as plan:
        assert plan.workspace_size == 0
        for _ in range(2):
            z = plan.run(Buffer(given) if given else given, stream)
            found = words(z)
            assert found[1] == z.address
            assert stream.device.native.contains(found[2])


@pytest.mark.requirement("op-60", "op-87", "op-99")
def test_a_replay_has_the_workspace_of_its_capture(kernel: Find, stream: Stream, register: Register) -> None:
    made = needs_workspace(kernel, [])
    register(made)
    x, z = device(floats(2)), device(np.zeros(16, np.uint64))
    with stream.capture() as graph:
        made(x, out=z, stream=stream)
    for _ in range(2):
        z.copy_from(np.zeros(16, np.uint64))
        graph.launch(stream)
        op.release_workspaces()  # the one of the capture is not among them
        stream.synchronize()
        assert words(z)[1] == z.address
        assert stream.device.native.contains(words(z)[2])


@pytest.mark.requirement("op-58", "op-60")
def test_a_struct_by_value_of_another_size_is_an_error(kernel: Find, stream: Stream, register: Register) -> None:
    def tiling(ctx: Any) -> None:
        ctx.num_blocks, ctx.workspace_sizes, ctx.tiling_data = 1, [0], bytes(12)

    made = add_scaled(kernel, name="add_by_value", tiling=tiling)
    register(made)
    with pytest.raises(op.OpError, match=r"12.*8|8.*12"):
        made(floats(2), floats(2), stream=stream)


@pytest.mark.requirement("op-61")
def test_tiling_data_of_a_queued_launch_stays_when_the_next_one_is_made(
    kernel: Find, stream: Stream, register: Register, gate: Any
) -> None:
    made = add_scaled(kernel)
    register(made)
    x = device(floats(5))
    gate.shut(stream)
    results = [made(x, x, alpha=float(alpha), stream=stream) for alpha in range(8)]
    gate.open()
    stream.synchronize()
    for alpha, result in enumerate(results):
        np.testing.assert_array_equal(result.to_numpy(), (1 + alpha) * floats(5))


# --- optional and list inputs


@pytest.mark.requirement("op-61")
def test_an_absent_optional_input_is_a_null_address(kernel: Find, stream: Stream, register: Register) -> None:
    made = op.define("Between")
    made.input("x", dtype=["float32"])
    made.input("bias", dtype=["float32"], optional=True)
    made.input("y", dtype=["float32"])
    made.output("z", dtype=["uint64"])
    made.infer_shape(lambda ctx: ctx.output_shape.__setitem__(0, (16,)))
    made.tiling(one_block)
    made.kernel(kernel("optional_between"))
    register(made)
    x, bias, y = (device(floats(2)) for _ in range(3))
    z = made(x, None, y, stream=stream)
    assert words(z)[:4] == [x.address, 0, y.address, z.address]
    z = made(x, bias, y, stream=stream)
    assert words(z)[:4] == [x.address, bias.address, y.address, z.address]
    z = made(x, y=y, stream=stream)
    assert words(z)[1] == 0


def lists(kernel: Find, name: str) -> Any:
    made = op.define("Lists")
    made.input("list", dtype=["int32"], dynamic=True)
    made.output("z", dtype=["uint64"])
    made.infer_shape(lambda ctx: ctx.output_shape.__setitem__(0, (16,)))
    made.tiling(one_block)
    made.kernel(kernel(name))
    return made


@pytest.mark.requirement("op-61")
def test_a_list_is_one_address_of_a_block_with_shapes_and_addresses(kernel: Find, stream: Stream, register: Register) -> None:
    made = lists(kernel, "list_words")
    register(made)
    first, second = device(np.zeros((2, 3), np.int32)), device(np.zeros((4, 5), np.int32))
    found = words(made([first, second], stream=stream))
    assert found[0] == 56, "bytes to the addresses, behind two ranks and four sides"
    assert (found[1] & 0xFFFFFFFF, found[4] & 0xFFFFFFFF) == (2, 2)
    assert found[1] >> 32 == 2 or (found[1] >> 32 == 0 and found[4] >> 32 == 1), "how many tensors there are"
    assert (found[2:4], found[5:7]) == ([2, 3], [4, 5])
    assert found[7:9] == [first.address, second.address]


@pytest.mark.requirement("op-61")
@pytest.mark.parametrize("count", [1, 2, 4])
def test_a_kernel_reads_a_list_with_its_own_interface(kernel: Find, stream: Stream, register: Register, count: int) -> None:
    made = lists(kernel, "read_list")
    register(made)
    tensors = [np.full((2, number + 3), 100 + number, np.int32) for number in range(count)]
    found = words(made(tensors, stream=stream))
    assert found[0] == count
    for number in range(count):
        assert found[1 + 3 * number : 4 + 3 * number] == [2, number + 3, 100 + number]


@pytest.mark.requirement("op-61")
def test_tensors_of_a_list_need_the_same_number_of_sides(kernel: Find, stream: Stream, register: Register) -> None:
    made = lists(kernel, "list_words")
    register(made)
    with pytest.raises(op.OpError, match="list"):
        made([np.zeros((2, 3), np.int32), np.zeros(6, np.int32)], stream=stream)


# --- bytes of structs


def laid_out(kernel: Find, stream: Stream, register: Register, name: str, data: Any) -> list[int]:
    def tiling(ctx: Any) -> None:
        ctx.num_blocks, ctx.tiling_data = 1, data

    made = words_out(kernel, name, tiling)
    register(made)
    return words(made(floats(2), stream=stream))


@pytest.mark.requirement("op-58")
@pytest.mark.parametrize("value", [Padded(250, 2**31, (3, 4, 65535), 2**63, 7.0), PaddedStructure(250, 2**31, (3, 4, 65535), 2**63, 7.0)])
def test_padding_and_arrays_are_those_of_the_compiler(kernel: Find, stream: Stream, register: Register, value: Any) -> None:
    size = len(op.pack_tiling(value))
    assert laid_out(kernel, stream, register, "padded", value)[:8] == [size, 250, 2**31, 3, 4, 65535, 2**63, 7]


@pytest.mark.requirement("op-58")
def test_nested_structs_are_those_of_the_compiler(kernel: Find, stream: Stream, register: Register) -> None:
    value = Nested(9, Inner(-1, -(2**40)), 200)
    expected = [len(op.pack_tiling(value)), 9, 2**64 - 1, 2**64 - 2**40, 200]
    assert laid_out(kernel, stream, register, "nested", value)[:5] == expected


@pytest.mark.requirement("op-58")
def test_a_macro_class_has_its_own_padding(kernel: Find, stream: Stream, register: Register) -> None:
    packed = op.pack_tiling(Whole(1, Part(2), 3), pad_to=8)
    assert laid_out(kernel, stream, register, "whole", packed)[:4] == [len(packed), 1, 2, 3]


@pytest.mark.requirement("op-58")
def test_raw_appends_are_the_layout(kernel: Find, stream: Stream, register: Register) -> None:
    def tiling(ctx: Any) -> None:
        ctx.num_blocks, ctx.workspace_sizes = 4, [0]
        ctx.raw_tiling_data.append(np.uint32(6))
        ctx.raw_tiling_data.append(ctypes.c_float(4.0))

    made = add_scaled(kernel, tiling=tiling)
    register(made)
    np.testing.assert_array_equal(ran(stream, made(floats(6), floats(6), stream=stream)), 5 * floats(6))
    assert ctypes.sizeof(AddTiling) == 8


# --- the record


@pytest.mark.requirement("op-91")
def test_the_record_of_a_launch_says_what_each_argument_is(kernel: Find, stream: Stream, register: Register) -> None:
    made = add_scaled(kernel)
    register(made)
    with watched("launch") as steps:
        made(floats(3), floats(3), stream=stream)
    (record,) = steps[0].launches
    assert tuple(record.slots) == ("input", "input", "output", "workspace", "tiling")
    assert (record.kernel, record.num_blocks, record.tiling_key) == ("add_scaled", 4, 0)


@pytest.mark.requirement("op-91")
def test_launches_of_a_callback_are_recorded_too(kernel: Find, stream: Stream, register: Register) -> None:
    scale, own = kernel("scale"), Buffer(6, np.float32)

    def run(ctx: Any) -> None:
        launch(ctx.stream, FOUR, scale, ctx.inputs["x"], ctx.workspaces[0], elements(ctx), 2.0)
        launch(ctx.stream, FOUR, scale, ctx.workspaces[0], ctx.outputs["y"], elements(ctx), 3.0)
        launch(ctx.stream, FOUR, scale, ctx.inputs["x"], own, elements(ctx), 3.0)

    made = six_times(kernel, launch=run)
    register(made)
    with watched("launch") as steps:
        made(floats(6), stream=stream)
    assert [tuple(record.slots) for record in steps[0].launches] == [
        ("input", "workspace", "scalar", "scalar"),
        ("workspace", "output", "scalar", "scalar"),
        ("input", "address", "scalar", "scalar"),
    ]
