# SPDX-License-Identifier: Apache-2.0
"""Shapes of a single operator's outputs, from what is registered in aclimb.op for its type."""

from __future__ import annotations

import contextlib
import itertools
import traceback
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aclimb.errors import Refused
from aclimb.op.declare.impl import OpImpl
from aclimb.op.declare.space import find_op_impl
from aclimb.op.infer.contexts import InferShapeContext, InferShapeRangeContext
from aclimb.op.node.dtypes import GE_DTYPES, dtype_of
from aclimb.op.node.node import Node, OpParameter, OpTensor, Value
from aclimb.op.node.shape import Shape, StorageShape
from aclimb.op.single.attributes import attributes
from aclimb.op.single.descriptors import BUFFERS, DESCS, DataBuffer, TensorDesc
from aclimb.op.single.registry import FAILURE, OP_NOT_FOUND, on_this_chip
from aclimb.op.stages import Stages
from aclimb.op.status import DT_UNDEFINED
from aclimb.runtime import addresses
from aclimb.runtime.handles import NULL

_DTYPES = {number: dtype_of(name) for name, number in GE_DTYPES.items()}
_ABSENT = DataBuffer(0, 0)


@on_this_chip
def infer_shape(
    op_type: str, in_descs: Sequence[int], inputs: Sequence[int], num_outputs: int, out_descs: Sequence[int], attr: int
) -> None:
    """The output descriptors get the shapes that follow from the inputs. Input buffers are in host memory."""
    sources, buffers = [DESCS[each] for each in in_descs], [BUFFERS[each] for each in inputs]
    if len(sources) != len(buffers):
        raise Refused(NULL, f"{len(sources)} input descriptors and {len(buffers)} buffers are given for {op_type}; they go in pairs")
    if not 0 <= num_outputs <= len(out_descs):
        raise Refused(NULL, f"{num_outputs} outputs are announced for {op_type}, and {len(out_descs)} descriptors are given")
    _infer(op_type, sources, buffers, [DESCS[each] for each in out_descs[:num_outputs]], attributes(attr))


def refresh(op_type: str, sources: Sequence[TensorDesc], targets: Sequence[TensorDesc], attr: int) -> None:
    """After an execution: shapes that are open are filled in, where somebody can say them."""
    with contextlib.suppress(Refused):
        _infer(op_type, sources, [_ABSENT] * len(sources), targets, attributes(attr))


def _infer(
    op_type: str, sources: Sequence[TensorDesc], buffers: Sequence[DataBuffer], targets: Sequence[TensorDesc], attrs: dict[str, Any]
) -> None:
    impl = find_op_impl(op_type)
    if impl is None or (impl.infer_shape is None and impl.prototype is None):
        raise Refused(OP_NOT_FOUND, f"operator {op_type} has no function that infers shapes; register one in aclimb.op")
    try:
        node = _node(impl, sources, buffers, targets, attrs)
        dependent = frozenset(index for index in range(len(node.inputs)) if impl.is_input_data_dependency(index))
        _shapes(impl, node, dependent)
        ranges = _ranges(impl, node, dependent)
    except Exception as error:
        told = "".join(traceback.format_exception(error))
        raise Refused(FAILURE, f"the shapes of operator {op_type} cannot be inferred:\n{told}") from None
    for index, (target, tensor) in enumerate(zip(targets, node.instances(node.outputs), strict=True)):
        target.dims, target.ranges = list(tensor.shape.origin), ranges.get(index, [])


# --- the node


def _node(
    impl: OpImpl, sources: Sequence[TensorDesc], buffers: Sequence[DataBuffer], targets: Sequence[TensorDesc], attrs: dict[str, Any]
) -> Node:
    inputs, outputs = list(_places(list(zip(sources, buffers, strict=True)))), [_output(each) for each in targets]
    declaration = impl.prototype._declaration if impl.prototype is not None else None
    if declaration is None:
        given = [*attrs.items(), *((name, default) for name, default in impl.private_attrs if name not in attrs)]
        return Node(impl.op_type, impl.op_type, [OpParameter(f"input{i}", dynamic=isinstance(each, list)) for i, each in enumerate(inputs)],
                    [OpParameter(f"output{i}") for i in range(len(outputs))], inputs, outputs, given)  # fmt: skip
    if len(outputs) != len(declaration.outputs) or len(inputs) > len(declaration.inputs):
        raise ValueError(f"{impl.op_type} has {len(declaration.inputs)} inputs and {len(declaration.outputs)} outputs; "
                         f"{len(inputs)} and {len(outputs)} are given")  # fmt: skip
    inputs += [None] * (len(declaration.inputs) - len(inputs))
    return Node(impl.op_type, impl.op_type, [each.parameter for each in declaration.inputs],
                [each.parameter for each in declaration.outputs], inputs, outputs, declaration.bind_attrs(attrs))  # fmt: skip


def _places(tensors: list[tuple[TensorDesc, DataBuffer]]) -> Iterator[Value]:
    """By their place in the prototype: those that set_tensor_dynamic_input gave the same name are one list."""
    for name, group in itertools.groupby(tensors, lambda each: each[0].other.get("dynamic_input")):
        members = [_input(desc, buffer) for desc, buffer in group]
        if name is None:
            yield from members
        else:
            yield [each for each in members if each is not None]


def _input(desc: TensorDesc, buffer: DataBuffer) -> OpTensor | None:
    if desc.is_absent:
        return None
    origin, storage = (Shape(desc.other.get(name, desc.dims)) for name in ("origin_shape", "storage_shape"))
    return OpTensor(StorageShape(origin, storage), _DTYPES.get(desc.dtype, DT_UNDEFINED), desc.format, host=_value(desc, buffer))


def _value(desc: TensorDesc, buffer: DataBuffer) -> NDArray[Any] | None:
    """What is in an input, where that is known: set_tensor_const comes first."""
    dtype = _DTYPES.get(desc.dtype)
    if dtype is None or not desc.is_known:
        return None
    size = desc.elements * dtype.itemsize
    data = desc.other.get("const", b"")
    if not data and buffer.data and buffer.size >= size and not addresses.is_on_device(buffer.data):
        data = addresses.read(buffer.data, size, "an input")
    return np.frombuffer(data, dtype, desc.elements).reshape(desc.dims) if data and len(data) >= size else None


def _output(desc: TensorDesc) -> Value:
    return OpTensor(StorageShape(Shape(), Shape()), _DTYPES.get(desc.dtype, DT_UNDEFINED), desc.format)


# --- the functions


def _shapes(impl: OpImpl, node: Node, dependent: frozenset[int]) -> None:
    if impl.infer_shape is not None:
        Stages(impl.op_type).callback("infer_shape", impl.infer_shape, InferShapeContext(node, dependent))
        return
    follows = impl.prototype._declaration.follows()
    if len(follows) < len(node.outputs):
        raise ValueError(f"{impl.op_type} has no function that infers shapes, and not every output follows an input")
    for index, source in follows.items():
        followed, tensor = node.instances([node.inputs[source]]), node.outputs[index]
        if followed and isinstance(tensor, OpTensor):
            tensor.shape.origin.assign(followed[0].shape.origin)


def _ranges(impl: OpImpl, node: Node, dependent: frozenset[int]) -> dict[int, list[tuple[int, int]]]:
    """(lowest, highest) of every side, for outputs that have an open one."""
    tensors = node.instances(node.outputs)
    if impl.infer_shape_range is None or all(dim >= 0 for tensor in tensors for dim in tensor.shape.origin):
        return {}
    context = InferShapeRangeContext(node, dependent)
    Stages(impl.op_type).callback("infer_shape_range", impl.infer_shape_range, context)
    return {index: list(zip(each.min, each.max, strict=True)) for index, each in context._ranges.items()}
