# SPDX-License-Identifier: Apache-2.0
"""What the contexts of all callbacks have in common."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from aclimb.op.node.node import Node, OpTensor
from aclimb.op.node.views import AttrsView, Lease, PrototypeView, TensorView


class NodeContext:
    """What all contexts know: the node."""

    _addressed = True  # whether tensors show where they lie

    def __init__(self, node: Node, readable: frozenset[int] = frozenset()) -> None:
        self._node, self._readable = node, readable
        self._lease = Lease(type(self).__name__)

    def _end(self) -> None:
        self._lease.alive = False

    @property
    def node_type(self) -> str:
        """GetNodeType."""
        self._lease.check()
        return self._node.op_type

    @property
    def node_name(self) -> str:
        """GetNodeName."""
        self._lease.check()
        return self._node.name

    @property
    def num_inputs(self) -> int:
        """GetComputeNodeInputNum: tensors that are there, and in a call of aclnn the absent ones too."""
        self._lease.check()
        return sum(1 for _ in self._node.numbered(self._node.inputs))

    @property
    def num_outputs(self) -> int:
        """GetComputeNodeOutputNum."""
        self._lease.check()
        return len(self._node.instances(self._node.outputs))

    def ir_input_instance(self, ir: int) -> tuple[int, int] | None:
        """GetIrInputInstanceInfo: (first tensor, how many) of an input of the prototype."""
        self._lease.check()
        return self._node.instance_of(self._node.inputs, ir)

    def ir_output_instance(self, ir: int) -> tuple[int, int] | None:
        """GetIrOutputInstanceInfo."""
        self._lease.check()
        return self._node.instance_of(self._node.outputs, ir)

    @property
    def attrs(self) -> AttrsView:
        """By name or index."""
        self._lease.check()
        return AttrsView(self._node.attrs, self._lease)

    def get_attrs(self) -> AttrsView:
        """GetAttrs."""
        return self.attrs

    # --- tensors

    def _show(self, tensor: OpTensor, ir: int) -> TensorView:
        return TensorView(tensor, self._lease, readable=ir in self._readable, addressed=self._addressed, role="input",
                          name=self._node.input_parameters[ir].name)  # fmt: skip

    def _show_output(self, tensor: OpTensor, ir: int) -> TensorView:
        return TensorView(tensor, self._lease, readable=False, addressed=self._addressed, role="output",
                          name=self._node.output_parameters[ir].name)  # fmt: skip

    @property
    def inputs(self) -> PrototypeView[TensorView]:
        """By name or by index in the prototype."""
        self._lease.check()
        return PrototypeView(self._node.input_parameters, self._node.inputs, self._lease, self._show)

    @property
    def outputs(self) -> PrototypeView[TensorView]:
        self._lease.check()
        return PrototypeView(self._node.output_parameters, self._node.outputs, self._lease, self._show_output)

    def get_input_tensor(self, index: int) -> TensorView | None:
        """GetInputTensor: counted as num_inputs counts; None for an absent one, and beyond."""
        self._lease.check()
        return self._instance(self._node.inputs, index, self._show)  # type: ignore[no-any-return]

    def get_output_tensor(self, index: int) -> TensorView | None:
        """GetOutputTensor."""
        self._lease.check()
        return self._instance(self._node.outputs, index, self._show_output)  # type: ignore[no-any-return]

    def _instance(self, values: Any, index: int, show: Callable[[OpTensor, int], Any]) -> Any:
        for number, (ir, each) in enumerate(self._node.numbered(values)):
            if number == index:
                return show(each, ir) if each is not None else None
        return None

    def get_required_input_tensor(self, ir: int) -> TensorView | None:
        """GetRequiredInputTensor."""
        return self._at(self._node.inputs, ir, 0, self._show)  # type: ignore[no-any-return]

    get_optional_input_tensor = get_required_input_tensor

    def get_dynamic_input_tensor(self, ir: int, relative: int) -> TensorView | None:
        """GetDynamicInputTensor."""
        return self._at(self._node.inputs, ir, relative, self._show)  # type: ignore[no-any-return]

    def get_required_output_tensor(self, ir: int) -> TensorView | None:
        """GetRequiredOutputTensor."""
        return self._at(self._node.outputs, ir, 0, self._show_output)  # type: ignore[no-any-return]

    def get_dynamic_output_tensor(self, ir: int, relative: int) -> TensorView | None:
        """GetDynamicOutputTensor."""
        return self._at(self._node.outputs, ir, relative, self._show_output)  # type: ignore[no-any-return]

    def _at(self, values: Any, ir: int, relative: int, show: Callable[[OpTensor, int], Any]) -> Any:
        self._lease.check()
        if not 0 <= ir < len(values) or values[ir] is None:
            return None
        several = values[ir] if isinstance(values[ir], list) else [values[ir]]
        return show(several[relative], ir) if 0 <= relative < len(several) else None
