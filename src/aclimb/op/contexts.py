# SPDX-License-Identifier: Apache-2.0
"""The contexts of the execution callbacks: prepare, launch, and the single stage."""

from __future__ import annotations

import logging
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from aclimb.errors import InvalidArgument, OutOfMemory
from aclimb.op.node import Node, OpTensor
from aclimb.op.options import ShownOptions
from aclimb.op.status import GRAPH_SUCCESS, MAX_WORKSPACES
from aclimb.op.views import Attributes, Lease, Places, TensorView, WorkspaceView
from aclimb.op.workspace import WorkspacePool
from aclimb.runtime.buffer import LARGEST

Deleter = Callable[[Any], Any]
_log = logging.getLogger("aclimb")


def default_deleter(params: Any) -> None:
    """Closes what can be closed."""
    close = getattr(params, "close", None)
    if callable(close):
        close()


def NO_DELETE(params: Any) -> None:  # noqa: N802 - a constant that happens to be callable
    """The params are somebody else's."""


def delete(op_type: str, deleter: Deleter, params: Any) -> None:
    """Runs a deleter; when it raises, that is logged, and the run has its own end."""
    try:
        deleter(params)
    except Exception:
        _log.error("the deleter of the params of %s raised\n%s", op_type, traceback.format_exc())


@dataclass(frozen=True)
class Prepared:
    """What a prepare function may return instead of calling set_op_api_params and set_workspace_sizes."""

    params: Any
    workspace_sizes: Any
    deleter: Deleter = default_deleter


def checked_sizes(sizes: Any) -> list[int]:
    """Workspace sizes: at most 16 whole numbers, none below 0."""
    try:
        listed = list(sizes)
    except TypeError:
        raise InvalidArgument(f"workspace sizes are {sizes!r}; they are a list, and an empty one when no workspace is needed") from None
    if len(listed) > MAX_WORKSPACES:
        raise InvalidArgument(f"{len(listed)} workspaces are asked for; at most {MAX_WORKSPACES} are possible")
    if any(isinstance(size, bool) or not isinstance(size, int | np.integer) or size < 0 for size in listed):
        raise InvalidArgument(f"workspace sizes are {listed}; each takes a whole number of bytes, 0 and more")
    if sum(map(int, listed)) > LARGEST:
        raise InvalidArgument(f"workspace sizes are {listed}; together they take at most {LARGEST} bytes")
    return [int(size) for size in listed]


class Context:
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
        """GetComputeNodeInputNum: tensors that are there."""
        self._lease.check()
        return len(self._node.instances(self._node.inputs))

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
    def attrs(self) -> Attributes:
        """By name or index."""
        self._lease.check()
        return Attributes(self._node.attrs, self._lease)

    def get_attrs(self) -> Attributes:
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
    def inputs(self) -> Places[TensorView]:
        """By name or by index in the prototype."""
        self._lease.check()
        return Places(self._node.input_parameters, self._node.inputs, self._lease, self._show)

    @property
    def outputs(self) -> Places[TensorView]:
        self._lease.check()
        return Places(self._node.output_parameters, self._node.outputs, self._lease, self._show_output)

    def get_input_tensor(self, index: int) -> TensorView | None:
        """GetInputTensor: counted over the tensors that are there; None beyond."""
        self._lease.check()
        return self._instance(self._node.inputs, index, self._show)  # type: ignore[no-any-return]

    def get_output_tensor(self, index: int) -> TensorView | None:
        """GetOutputTensor."""
        self._lease.check()
        return self._instance(self._node.outputs, index, self._show_output)  # type: ignore[no-any-return]

    def _instance(self, values: Any, index: int, show: Callable[[OpTensor, int], Any]) -> Any:
        at = 0
        for ir, value in enumerate(values):
            for each in value if isinstance(value, list) else [value] if value is not None else []:
                if at == index:
                    return show(each, ir)
                at += 1
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


class OpExecutePrepareContext(Context):
    """Of a prepare function: tensors, attributes, options; it stores params and workspace sizes. There is no stream."""

    def __init__(self, node: Node, options: ShownOptions, host_inputs: frozenset[int]) -> None:
        super().__init__(node, host_inputs)
        self._options = options
        self._params: Any = None
        self._deleter: Deleter = NO_DELETE
        self._sizes: list[int] | None = None
        self._most_sizes: int | None = None  # how many the first call had
        self._stored = False

    @property
    def options(self) -> ShownOptions:
        """GetDeterministic, GetAllowHf32, GetPrecisionMode."""
        self._lease.check()
        return self._options

    def set_op_api_params(self, params: Any, deleter: Deleter | None = default_deleter) -> int:
        """SetOpApiParams: what launch gets. Stored before, it is released now, with its own deleter."""
        self._lease.check()
        if deleter is None:
            raise InvalidArgument("deleter is None; give a function, or op.NO_DELETE when nothing is to be released")
        self._release()
        self._params, self._deleter, self._stored = params, deleter, True
        return GRAPH_SUCCESS

    def set_workspace_sizes(self, sizes: Any) -> int:
        """SetWorkspaceSizes: at most 16; an empty list when no workspace is needed. Again: as many sizes as the first time, or fewer; more
        are refused, and what was set stays."""
        self._lease.check()
        checked = checked_sizes(sizes)
        if self._most_sizes is not None and len(checked) > self._most_sizes:
            raise InvalidArgument(f"workspace sizes are set again, and {len(checked)} of them; the first call had {self._most_sizes}, and "
                                  "later ones take as many or fewer: give all of them in the first")  # fmt: skip
        self._sizes = checked
        self._most_sizes = len(checked) if self._most_sizes is None else self._most_sizes
        return GRAPH_SUCCESS

    def _release(self) -> None:
        params, deleter = self._params, self._deleter
        self._params, self._deleter = None, NO_DELETE
        delete(self._node.op_type, deleter, params)


class OpExecuteLaunchContext(Context):
    """Of a launch function: the tensors of prepare, its params, the workspaces, and the stream to launch on."""

    def __init__(self, node: Node, host_inputs: frozenset[int], params: Any, sizes: list[int], addresses: list[int], stream: Any) -> None:
        super().__init__(node, host_inputs)
        self._params, self._sizes, self._stream = params, sizes, stream
        self._workspaces = [WorkspaceView(address, size, self._lease) for address, size in zip(addresses, sizes, strict=True)]

    @property
    def params(self) -> Any:
        """GetOpApiParams: None when prepare stored none."""
        self._lease.check()
        return self._params

    @property
    def workspaces(self) -> list[WorkspaceView]:
        self._lease.check()
        return self._workspaces

    @property
    def workspace_sizes(self) -> list[int]:
        self._lease.check()
        return list(self._sizes)

    @property
    def stream(self) -> Any:
        """GetStream."""
        self._lease.check()
        return self._stream

    def get_op_api_params(self) -> Any:
        """GetOpApiParams."""
        return self.params

    def get_workspace_addrs(self) -> list[WorkspaceView] | None:
        """GetWorkspaceAddrs: None when there are none."""
        return self.workspaces or None

    def get_workspace_sizes(self) -> list[int]:
        """GetWorkspaceSizes."""
        return self.workspace_sizes


class OpExecuteContext(Context):
    """Of a single-stage function: it takes its workspaces itself."""

    def __init__(self, node: Node, host_inputs: frozenset[int], options: ShownOptions, stream: Any, pool: WorkspacePool) -> None:
        super().__init__(node, host_inputs)
        self._options, self._stream, self._pool = options, stream, pool
        self._held: list[int] = []

    @property
    def options(self) -> ShownOptions:
        self._lease.check()
        return self._options

    @property
    def stream(self) -> Any:
        """GetStream."""
        self._lease.check()
        return self._stream

    def malloc_workspace(self, size: int) -> WorkspaceView | None:
        """MallocWorkspace: None when there is no memory."""
        self._lease.check()
        if isinstance(size, bool) or not isinstance(size, int | np.integer) or size < 0:
            raise InvalidArgument(f"a workspace of {size!r} is asked for; it takes a whole number of bytes, 0 and more")
        size = int(size)
        try:
            address = self._pool.take(min(size, LARGEST))
        except OutOfMemory:
            return None
        self._held.append(address)
        return WorkspaceView(address, size, self._lease)

    def free_workspace(self) -> None:
        """FreeWorkspace: gives all of them back."""
        self._lease.check()
        held, self._held = self._held, []
        self._pool.give(held)


# What Op2StageExecuteFuncs takes: a status, or None for success.
OpExecPrepareFunc = Callable[[OpExecutePrepareContext], int | Prepared | None]
OpExecLaunchFunc = Callable[[OpExecuteLaunchContext], int | None]
