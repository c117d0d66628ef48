# SPDX-License-Identifier: Apache-2.0
"""Types and shapes of outputs, and the memory for them."""

from __future__ import annotations

from typing import Any

from aclimb.op.call import OpCall, bits
from aclimb.op.debug import guard
from aclimb.op.infer.contexts import InferDataTypeContext, InferShapeContext, InferShapeRangeContext
from aclimb.op.node.node import tensors_of
from aclimb.op.node.shape import INVALID_DIM, StorageShape
from aclimb.op.status import DT_UNDEFINED, OpError


class Inference:
    """Types and shapes of outputs, from the registered functions or from what the prototype says."""

    def __init__(self, call: OpCall, follows: dict[int, int], dtypes: dict[int, Any]) -> None:
        self._call, self._follows, self._dtypes = call, follows, dtypes

    def run(self) -> None:
        self.shapes()
        self._call.stages("allocate_outputs", self._allocate)

    def shapes(self) -> None:
        """Types and shapes, without memory."""
        call = self._call
        impl, stages = call.impl, call.stages
        dependent = bits(impl.inputs_data_dependency)
        stages("infer_data_type", self._data_types)
        if impl.infer_shape is not None or not impl.output_shape_depend_on_compute:
            stages("infer_shape", self._shapes, dependent)
        if impl.output_shape_depend_on_compute:
            stages("infer_shape_range", self._ranges, dependent)

    def _data_types(self) -> None:
        node, impl = self._call.node, self._call.impl
        for ir, dtype in self._dtypes.items():
            for tensor in tensors_of(node.outputs[ir]):
                tensor.dtype = dtype
        if impl.infer_data_type is not None:
            self._call.stages.callback("infer_data_type", impl.infer_data_type, InferDataTypeContext(node))
        inputs = node.instances(node.inputs)
        for tensor in node.instances(node.outputs):
            if tensor.dtype is DT_UNDEFINED and inputs:
                tensor.dtype = inputs[0].dtype

    def _shapes(self, dependent: frozenset[int]) -> None:
        node, impl = self._call.node, self._call.impl
        for ir, source in self._follows.items():
            followed = tensors_of(node.inputs[source])
            for tensor in tensors_of(node.outputs[ir]):
                if followed:
                    tensor.shape.origin.assign(followed[0].shape.origin)
                    tensor.format = followed[0].format
        if impl.infer_shape is not None:
            self._call.place_on_host(dependent)
            if guard():
                for tensor in node.instances(node.outputs):
                    tensor.shape.origin.assign([INVALID_DIM])
            self._call.stages.callback("infer_shape", impl.infer_shape, InferShapeContext(node, dependent))
        elif len(self._follows) < len(node.outputs):
            raise OpError(message="there is no infer_shape function, and not every output follows an input; give outputs, or register one")
        for tensor in node.instances(node.outputs):
            dims = tensor.shape.origin.dims
            if INVALID_DIM in dims:
                raise OpError(message="infer_shape left the shape of an output unset: set its rank before its dims")
            if not impl.output_shape_depend_on_compute and (any(dim < 0 for dim in dims) or tensor.shape.origin.size < 0):
                raise OpError(message=f"infer_shape set the shape of an output to {list(dims)}; every dim takes 0 and more, their product "
                                      "has to fit into 64 bits")  # fmt: skip
            tensor.shape.storage.assign(tensor.shape.origin)

    def _ranges(self, dependent: frozenset[int]) -> None:
        node, impl = self._call.node, self._call.impl
        if impl.infer_shape_range is None:
            raise OpError(message="the kernel decides the shape of an output, so its memory has to fit the largest one: register "
                                  "infer_shape_range")  # fmt: skip
        self._call.place_on_host(dependent)
        context = InferShapeRangeContext(node, dependent)
        self._call.stages.callback("infer_shape_range", impl.infer_shape_range, context)
        for ir, found in context._ranges.items():
            for tensor in tensors_of(node.outputs[ir]):
                tensor.shape = StorageShape.of(found.max)

    def _allocate(self) -> None:
        for tensor in self._call.node.instances(self._call.node.outputs):
            if tensor.buffer is None:
                self._call.allocate(tensor, what=self._call.made)
