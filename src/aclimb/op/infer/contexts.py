# SPDX-License-Identifier: Apache-2.0
"""The contexts of shape, range and type inference."""

from __future__ import annotations

from typing import Any

import numpy as np

from aclimb.op.node.context import NodeContext
from aclimb.op.node.dtypes import dtype_of
from aclimb.op.node.node import Node, OpTensor
from aclimb.op.node.shape import Range, Shape, ShapeView, StorageShape
from aclimb.op.node.views import PrototypeView, Settable
from aclimb.op.status import DT_UNDEFINED, GRAPH_SUCCESS


class _Shapes(NodeContext):
    """Shapes of inputs; values only where they were declared to be needed."""

    _addressed = False

    @staticmethod
    def _shape(tensor: OpTensor, ir: int) -> StorageShape:
        return tensor.shape

    @property
    def input_shape(self) -> PrototypeView[StorageShape]:
        """By name or index; `.origin` and `.storage`."""
        self._lease.check()
        return PrototypeView(self._node.input_parameters, self._node.inputs, self._lease, self._shape)

    def get_input_shape(self, index: int) -> StorageShape | None:
        """GetInputShape: counted as num_inputs counts."""
        self._lease.check()
        return self._instance(self._node.inputs, index, self._shape)  # type: ignore[no-any-return]

    def get_required_input_shape(self, ir: int) -> StorageShape | None:
        """GetRequiredInputShape."""
        return self._at(self._node.inputs, ir, 0, self._shape)  # type: ignore[no-any-return]

    get_optional_input_shape = get_required_input_shape

    def get_dynamic_input_shape(self, ir: int, relative: int) -> StorageShape | None:
        """GetDynamicInputShape."""
        return self._at(self._node.inputs, ir, relative, self._shape)  # type: ignore[no-any-return]

    @staticmethod
    def _dtype(tensor: OpTensor, ir: int) -> Any:
        return tensor.dtype

    @property
    def input_dtype(self) -> PrototypeView[Any]:
        self._lease.check()
        return PrototypeView(self._node.input_parameters, self._node.inputs, self._lease, self._dtype)


class InferShapeContext(_Shapes):
    """Of a shape function: it sets the shape of every output."""

    def get_output_shape(self, index: int) -> Shape | None:
        """GetOutputShape: to be changed in place; set its rank first."""
        self._lease.check()
        return self._instance(self._node.outputs, index, self._origin)  # type: ignore[no-any-return]

    def _origin(self, tensor: OpTensor, ir: int) -> Shape:
        return ShapeView(tensor.shape.origin, self._lease)

    @property
    def output_shape(self) -> Settable:
        """By name or index; assign a Shape, a tuple or a list."""
        self._lease.check()
        return Settable(self._node.output_parameters, self._node.outputs, self._lease, self._origin, self._store)

    def _store(self, ir: int, value: Any) -> None:
        tensors = self._node.outputs[ir]
        if isinstance(tensors, list):
            for tensor, shape in zip(tensors, value, strict=True):
                _assign(tensor, shape)
        elif tensors is not None:
            _assign(tensors, value)


def _assign(tensor: OpTensor, value: Any) -> None:
    tensor.shape.origin.assign(value.origin if isinstance(value, StorageShape) else value)


class InferShapeRangeContext(_Shapes):
    """Of a range function: the smallest and the largest shape of every output."""

    def __init__(self, node: Node, readable: frozenset[int]) -> None:
        super().__init__(node, readable)
        self._ranges: dict[int, Range[Shape]] = {}

    def get_input_shape_range(self, index: int) -> Range[Shape] | None:
        """GetInputShapeRange: of a shape that is known, the same twice."""
        found = self.get_input_shape(index)
        return Range(found.origin, found.origin) if found is not None else None

    @property
    def input_shape_range(self) -> PrototypeView[Range[Shape]]:
        self._lease.check()
        return PrototypeView(
            self._node.input_parameters, self._node.inputs, self._lease, lambda t, _: Range(t.shape.origin, t.shape.origin)
        )

    def get_output_shape_range(self, index: int) -> Range[Shape] | None:
        """GetOutputShapeRange: both to be changed in place."""
        self._lease.check()
        return self._ranges.setdefault(index, Range(Shape(), Shape())) if 0 <= index < len(self._node.outputs) else None

    @property
    def output_shape_range(self) -> Settable:
        """Assign (smallest, largest)."""
        self._lease.check()
        return Settable(self._node.output_parameters, self._node.outputs, self._lease, lambda _, ir: self._ranges.get(ir), self._store)

    def _store(self, ir: int, value: Any) -> None:
        low, high = (value.min, value.max) if isinstance(value, Range) else value
        self._ranges[ir] = Range(Shape(low), Shape(high))


class InferDataTypeContext(NodeContext):
    """Of a type function: it sets the type of every output."""

    def get_input_data_type(self, index: int) -> Any:
        """GetInputDataType: DT_UNDEFINED beyond."""
        self._lease.check()
        found = self._instance(self._node.inputs, index, lambda tensor, _: tensor.dtype)
        return DT_UNDEFINED if found is None else found

    def get_output_data_type(self, index: int) -> Any:
        """GetOutputDataType."""
        self._lease.check()
        found = self._instance(self._node.outputs, index, lambda tensor, _: tensor.dtype)
        return DT_UNDEFINED if found is None else found

    def set_output_data_type(self, index: int, dtype: Any) -> int:
        """SetOutputDataType."""
        self._lease.check()
        tensors = self._node.instances(self._node.outputs)
        if not 0 <= index < len(tensors):
            raise IndexError(f"output {index} is not there; there are {len(tensors)}")
        tensors[index].dtype = dtype if dtype is DT_UNDEFINED else as_dtype(dtype)
        return GRAPH_SUCCESS

    @property
    def input_dtype(self) -> PrototypeView[Any]:
        self._lease.check()
        return PrototypeView(self._node.input_parameters, self._node.inputs, self._lease, lambda tensor, _: tensor.dtype)

    @property
    def output_dtype(self) -> Settable:
        self._lease.check()
        return Settable(self._node.output_parameters, self._node.outputs, self._lease, lambda tensor, _: tensor.dtype, self._store)

    def _store(self, ir: int, value: Any) -> None:
        tensors = self._node.outputs[ir]
        for tensor in tensors if isinstance(tensors, list) else [tensors] if tensors is not None else []:
            tensor.dtype = as_dtype(value)


def as_dtype(value: Any) -> np.dtype[Any]:
    return dtype_of(value) if isinstance(value, str) else np.dtype(value)
