# SPDX-License-Identifier: Apache-2.0
"""acl.op besides executions: handles, who owns a kernel's binary, and inferred shapes."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from acl_parts import OP, VECTOR, Run, Single, Tensor, choosing, message, ok, tiling
from op_parts import Register, floats

import acl
from aclimb import capi, op

# --- handles


def handle_of(run: Run) -> tuple[int, int]:
    answer: tuple[int, int] = acl.op.create_handle(OP, [run.x.desc, run.y.desc], [run.z.desc], 0)
    return answer


@pytest.mark.requirement("op-86")
def test_a_handle_made_after_an_update_runs_without_another(inline: Single) -> None:
    inline.select(OP, choosing("k", tiling(9), workspaces=[64, 64]))
    run = Run(inline)
    ok(run.update())
    handle = ok(handle_of(run))
    ok(acl.op.set_max_op_queue_num(1))
    ok(Run(inline, 5).update())  # what is stored has left; the handle has its own
    assert run.execute() == 100024
    for _ in range(2):
        ok(acl.op.execute_with_handle(handle, [run.x.buffer, run.y.buffer], [run.z.buffer], inline.stream))
        assert run.words()[5] == 9
    assert acl.op.destroy_handle(handle) is None
    assert acl.op.execute_with_handle(handle, [run.x.buffer, run.y.buffer], [run.z.buffer], inline.stream) != 0


@pytest.mark.requirement("op-77", "op-86")
def test_a_handle_counts_its_inputs_and_outputs(inline: Single) -> None:
    inline.select(OP, choosing("k", tiling(9), workspaces=[64, 64]))
    run = Run(inline)
    ok(run.update())
    handle = ok(handle_of(run))
    assert acl.op.execute_with_handle(handle, [run.x.buffer], [run.z.buffer], inline.stream) == 100021
    assert acl.op.execute_with_handle(handle, [run.x.buffer, run.y.buffer], [], inline.stream) == 100022
    assert acl.op.execute_with_handle(0, [run.x.buffer, run.y.buffer], [run.z.buffer], inline.stream) == 100000
    acl.op.destroy_handle(handle)


@pytest.mark.requirement("op-77")
def test_a_handle_needs_something_that_fits_and_device_memory(inline: Single) -> None:
    run = Run(inline)
    assert handle_of(run) == (0, 100024)
    inline.select(OP, choosing("k", tiling(9), workspaces=[64, 64]))
    ok(run.update())
    ok(acl.set_tensor_place_ment(run.x.desc, 1))
    assert handle_of(run) == (0, 200001)


@pytest.mark.requirement("op-77", "op-86")
def test_a_buffer_smaller_than_its_descriptor_is_refused(inline: Single) -> None:
    """With a handle, by type and tensors, and in C; the same buffers at their full size are good."""
    inline.select(OP, choosing("k", tiling(9), workspaces=[64, 64]))
    run = Run(inline)
    ok(run.update())
    handle = ok(handle_of(run))
    inputs, outputs = [run.x.buffer, run.y.buffer], [run.z.buffer]
    descs = [run.x.desc, run.y.desc], [run.z.desc]
    calls = (
        ("acl.op.execute_with_handle", lambda: acl.op.execute_with_handle(handle, inputs, outputs, inline.stream)),
        ("acl.op.execute_v2", lambda: acl.op.execute_v2(OP, descs[0], inputs, descs[1], outputs, 0, inline.stream)),
        ("aclopExecWithHandle", lambda: capi.aclopExecWithHandle(handle, 2, inputs, 1, outputs, inline.stream)),
        ("aclopExecuteV2", lambda: capi.aclopExecuteV2(OP, 2, descs[0], inputs, 1, descs[1], outputs, 0, inline.stream)),
    )
    for which, tensor in (("input 1", run.y), ("output 0", run.z)):
        full = tensor.nbytes
        for size in (full - 1, 0):
            ok(acl.update_data_buffer(tensor.buffer, tensor.address, size))
            for name, call in calls:
                assert call() == 100000
                assert message() == (
                    f"100000: {name}: {which} of {OP} takes {full} bytes, as its descriptor says; its data buffer has {size}"
                )
        ok(acl.update_data_buffer(tensor.buffer, tensor.address, full))
    for _, call in calls:
        assert call() == 0
        assert run.words()[5] == 9
    acl.op.destroy_handle(handle)


# --- who owns the binary


@pytest.mark.requirement("op-83")
def test_the_deallocator_runs_when_the_registration_ends_and_not_when_it_failed(single: Single) -> None:
    content, size = single.data("inline_bytes")
    first, second = ok(acl.rt.malloc_host(size)), ok(acl.rt.malloc_host(size))
    for each in (first, second):
        ctypes.memmove(each, content, size)
    assert acl.op.create_kernel(OP, "k", "inline_bytes", first, size, VECTOR, 1) == 0
    assert acl.op.create_kernel(OP, "k", "inline_bytes", second, size, VECTOR, 1) == 100031
    assert ctypes.string_at(second, size) == ctypes.string_at(content, size)
    assert acl.rt.free_host(second) == 0, "it is still the caller's"
    run = Run(single)
    single.select(OP, choosing("k", tiling(3), workspaces=[64, 64]))
    ok(run.update())
    ok(run.execute())
    assert run.words()[5] == 3
    single.close()
    assert acl.rt.free_host(first) != 0, "it was freed with the registration"


# --- shapes


def infer(tensors: list[Tensor], z: int, attr: int = 0) -> int:
    code: int = acl.op.infer_shape("Inferred", [each.desc for each in tensors], [each.buffer for each in tensors], 1, [z], attr)
    return code


@pytest.fixture
def unknown(single: Single) -> Any:
    """unknown() is the descriptor of an output of unknown shape."""
    made: list[int] = []

    def make() -> int:
        made.append(acl.create_tensor_desc(0, [], 2))
        return made[-1]

    yield make
    for desc in made:
        acl.destroy_tensor_desc(desc)


def dims_of(desc: int) -> list[int]:
    return [acl.get_tensor_desc_dim(desc, index) for index in range(acl.get_tensor_desc_num_dims(desc))]


@pytest.mark.requirement("op-76")
def test_shapes_are_inferred_by_what_is_registered(single: Single, register: Register, unknown: Callable[[], int]) -> None:
    def shape(ctx: Any) -> None:
        ctx.output_shape[0] = [*ctx.input_shape[0].origin, ctx.get_attrs().get_int(0)]

    z, attr, x = unknown(), single.attr(), single.tensor(np.zeros((2, 3), np.float32))
    assert infer([x], z) != 0
    assert "Inferred" in message()
    register(op.OpImplRegisterV2("Inferred").infer_shape(shape))
    ok(acl.op.set_attr_int(attr, "n", 7))
    assert infer([x], z, attr) == 0
    assert dims_of(z) == [2, 3, 7]


@pytest.mark.requirement("op-76")
def test_a_side_that_the_kernel_decides_is_minus_one_with_a_range(single: Single, register: Register, unknown: Callable[[], int]) -> None:
    builder = op.OpImplRegisterV2("Inferred").output_shape_depend_on_compute([0])
    builder.infer_shape(lambda ctx: ctx.output_shape.__setitem__(0, (-1, 3)))
    builder.infer_shape_range(lambda ctx: ctx.output_shape_range.__setitem__(0, ((0, 3), (8, 3))))
    register(builder)
    z = unknown()
    assert infer([single.tensor(floats(8))], z) == 0
    assert dims_of(z) == [-1, 3]
    assert acl.get_tensor_desc_dim_range(z, 0, 2) == ([0, 8], 0)


@pytest.mark.requirement("op-76")
def test_an_inference_that_raises_is_a_failure_with_its_sentence(single: Single, register: Register, unknown: Callable[[], int]) -> None:
    def shape(ctx: Any) -> None:
        raise ValueError("axis 9 is none")

    register(op.OpImplRegisterV2("Inferred").infer_shape(shape))
    assert infer([single.tensor(floats(8))], unknown()) != 0
    assert "axis 9 is none" in message()
