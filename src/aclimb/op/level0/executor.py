# SPDX-License-Identifier: Apache-2.0
"""aclOpExecutor of a hand-written aclnn function: its tensors, and the tasks that L0 functions queue.

A tensor that the executor allocates lies in the workspace, whose address is known when the second phase runs. Until then its address is a
mark: the number of its piece of workspace in the bits from 40 on, a byte in that piece below.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any, Protocol, cast

import numpy as np
from numpy.typing import NDArray

from aclimb.op.aclnn.functions import attribute_of, parameters_of, planning_stream
from aclimb.op.aclnn.objects import ARRAYS, SCALAR_LISTS, SCALARS, TENSOR_LISTS, TENSORS, AclTensor, plain_strides
from aclimb.op.builtin.plan import HostPlan, Tensor
from aclimb.op.builtin.rows import ROWS
from aclimb.op.call import OpCall
from aclimb.op.execute.operator import Operator
from aclimb.op.execute.plan import OpPlan, values_read
from aclimb.op.node.borrowed import Borrowed
from aclimb.op.node.node import OpTensor, tensors_of
from aclimb.op.node.shape import Shape, StorageShape
from aclimb.op.options import Options
from aclimb.op.status import (
    ACLNN_ERR_INNER_INFERSHAPE_ERROR,
    ACLNN_ERR_INNER_WRONG_ATTR_INFO_SIZE,
    ACLNN_ERR_PARAM_INVALID,
    ACLNN_ERR_PARAM_NULLPTR,
    Format,
    OpError,
)
from aclimb.runtime.buffer import Buffer
from aclimb.runtime.context import ContextStream
from aclimb.runtime.device import Device

ALIGNMENT = 512  # of each piece of the workspace (assumed)
_PIECE_BITS = 40
_MARK = 1 << 62  # above all addresses, below all handles

Place = Callable[[int], int]  # a mark, or an address, as the address it is while the tasks run


class Task(Protocol):
    @property
    def workspace_size(self) -> int: ...
    def run(self, place: Place, workspace: int, stream: ContextStream) -> None: ...
    def make_repeatable(self) -> None: ...
    def close(self) -> None: ...


@dataclass(slots=True)
class KernelTask:
    """A kernel of an operator."""

    plan: OpPlan
    placed: list[tuple[OpTensor, int]]  # with the mark, or address, of each

    @property
    def workspace_size(self) -> int:
        return self.plan.workspace_size

    def run(self, place: Place, workspace: int, stream: ContextStream) -> None:
        for each, address in self.placed:
            each.buffer = cast(Buffer, Borrowed(place(address), each.shape.storage.dims, each.dtype, stream.device))
        self.plan.run(workspace, stream)

    def make_repeatable(self) -> None:
        self.plan.make_repeatable()

    def close(self) -> None:
        self.plan.close()


@dataclass(slots=True)
class HostTask:
    """A function of aclimb's own library, computed by NumPy on the host."""

    function: str
    arguments: list[Any]
    workspace_size: int = 0

    def run(self, place: Place, workspace: int, stream: ContextStream) -> None:
        HostPlan(ROWS[self.function], [_placed(each, place) for each in self.arguments]).run(stream)

    def make_repeatable(self) -> None: ...

    def close(self) -> None: ...


def _placed(argument: Any, place: Place) -> Any:
    if not isinstance(argument, AclTensor):
        return argument
    return argument.host if argument.host is not None else Tensor("a tensor of an L0 function", 0, argument.at(place(argument.data)))


class OpExecutor:
    """What CREATE_EXECUTOR makes."""

    type = "a hand-written aclnn function"

    def __init__(self) -> None:
        self._tasks: list[Task] = []
        self._owned: list[tuple[Any, int]] = []  # handles that end with it
        self._sizes: list[int] = []  # of the pieces of the workspace, as far as they are known
        self._device: Device | None = None  # of the tensors that the caller gave
        self._repeatable = self._ran = False

    # --- what it owns

    def own(self, table: Any, thing: Any) -> int:
        handle: int = table.add(thing)
        self._owned.append((table, handle))
        return handle

    def allocate(self, dims: tuple[int, ...], storage: tuple[int, ...], dtype: np.dtype[Any], format: int, origin_format: int) -> int:
        """A tensor in the workspace."""
        made = AclTensor(dims, dtype, plain_strides(dims), 0, format, storage, _MARK | len(self._sizes) << _PIECE_BITS,
                         origin_format=origin_format)  # fmt: skip
        self._sizes.append(0)
        return self.own(TENSORS, made)

    def allocate_like(self, dims: tuple[int, ...], of: AclTensor) -> int:
        return self.allocate(dims, dims, of.dtype, int(Format.ND), int(Format.ND))

    def host_tensor(self, values: NDArray[Any]) -> int:
        """A tensor in host memory, whose values tiling may read."""
        dims = values.shape
        made = AclTensor(dims, values.dtype, plain_strides(dims), 0, int(Format.ND), dims, values.ctypes.data, host=values)
        return self.own(TENSORS, made)

    def view(self, of: AclTensor, dims: tuple[int, ...], strides: tuple[int, ...], offset: int) -> int:
        """The same memory, seen in another way; `offset` counts elements from the start of the storage."""
        if of.host is not None:
            return self.host_tensor(_as_array(of, dims, strides, offset))
        return self.own(TENSORS, replace(of, dims=dims, strides=strides, offset=offset))

    # --- tasks

    def compute(self, function: str, *arguments: Any) -> None:
        """Queues a function of aclimb's library."""
        for each in arguments:
            if isinstance(each, AclTensor):
                self._see(each)
        self._tasks.append(HostTask(function, list(arguments)))

    def launch(self, operator: Operator, inputs: list[int], outputs: list[int], attrs: list[Any], hf32: bool) -> None:
        """Queues the kernel of an operator. C++: ADD_TO_LAUNCHER_LIST_AICORE."""
        for handle in (*inputs, *outputs):
            for each in TENSOR_LISTS.get(handle, [handle] if handle else []):
                self._see(TENSORS[each])
        values = self._values(operator.inputs, inputs, operator, "OP_INPUT")
        into = self._values(operator.outputs, outputs, operator, "OP_OUTPUT")
        tensors = [each for value in (*values, *into) for each in tensors_of(value)]
        self._require_known_values(operator, values)
        options = Options(allow_hf32="11") if hf32 else None
        plan = operator._plan(values, _attrs(operator, attrs), into, options=options, stream=planning_stream(tensors), counts_absent=True)
        self._tasks.append(KernelTask(plan, [(each, each.address) for each in tensors if isinstance(each.buffer, Borrowed)]))

    def infer(self, operator: Operator, inputs: list[int], outputs: list[int], attrs: list[Any]) -> None:
        """Gives outputs the shapes that the operator's own function infers. C++: INFER_SHAPE."""
        values = self._values(operator.inputs, inputs, operator, "OP_INPUT")
        stream = planning_stream([each for value in values for each in tensors_of(value)])
        call = operator._call(values, _attrs(operator, attrs), None, stream, None)
        call.node.counts_absent = True
        try:
            operator._inference(call).shapes()
        except OpError as error:
            raise OpError(ACLNN_ERR_INNER_INFERSHAPE_ERROR, str(error), operator=operator.type, stage="infer_shape") from error
        _give_shapes(call, outputs)

    def _values(self, names: list[str], handles: list[int], operator: Operator, what: str) -> list[Any]:
        if len(handles) > len(names):
            raise OpError(ACLNN_ERR_PARAM_INVALID, f"{what} has {len(handles)} tensors; {operator.type} declares {', '.join(names)}")
        values = [self._value(each) for each in handles]
        return values + [None] * (len(names) - len(values))

    def _value(self, handle: int) -> Any:
        if handle in TENSOR_LISTS:
            return [self._argument(TENSORS[each]) for each in TENSOR_LISTS[handle]]
        return self._argument(TENSORS[handle]) if handle else None

    def _argument(self, tensor: AclTensor) -> OpTensor:
        """As operators take it: values of a host tensor travel with the launch."""
        if tensor.host is not None:
            return OpTensor(StorageShape(Shape(tensor.dims), Shape(tensor.dims)), tensor.dtype, tensor.format, None, tensor.host)
        if not _is_mark(tensor.data):
            return tensor.as_argument()
        return tensor.on(self._device or planning_stream([]).device)

    def _see(self, tensor: AclTensor) -> None:
        """A task uses it: its piece of the workspace is as large as that, or the other tensors of the call lie on its device."""
        if _is_mark(tensor.data):
            piece = (tensor.data & ~_MARK) >> _PIECE_BITS
            self._sizes[piece] = max(self._sizes[piece], tensor.bytes_from_data)
        elif tensor.host is None:
            self._device = self._device or tensor.device

    def _require_known_values(self, operator: Operator, values: list[Any]) -> None:
        impl = operator._impl()
        for ir in values_read(impl):
            for each in tensors_of(values[ir]) if ir < len(values) else []:
                if each.buffer is not None and _is_mark(each.buffer.address):
                    raise OpError(
                        ACLNN_ERR_PARAM_INVALID,
                        f"tiling of {operator.type} reads the values of {operator.inputs[ir]}, which an earlier task of the same call "
                        "computes: give it a host tensor, as executor->ConvertToTensor makes one",
                    )

    # --- running

    def _layout(self) -> tuple[list[int], int]:
        """Where each piece of the workspace begins, and where the kernels' own begins."""
        for table, handle in self._owned:
            if table is TENSORS and handle in table:
                self._see(table[handle])
        starts, at = [], 0
        for size in self._sizes:
            starts.append(at)
            at += -(-size // ALIGNMENT) * ALIGNMENT
        return starts, at

    @property
    def workspace_size(self) -> int:
        """C++: GetWorkspaceSize."""
        _, end = self._layout()
        return end + max((each.workspace_size for each in self._tasks), default=0)

    @property
    def spent(self) -> bool:
        return self._ran and not self._repeatable

    def run(self, workspace: int, stream: ContextStream) -> None:
        """Queues every task, in the order of the calls. C++: CommonOpExecutorRun."""
        starts, end = self._layout()
        if self.workspace_size and not workspace:
            raise OpError(ACLNN_ERR_PARAM_NULLPTR, f"workspace is NULL; this call needs {self.workspace_size} bytes")
        self._ran = True

        def place(address: int) -> int:
            if not _is_mark(address):
                return address
            piece, byte = divmod(address & ~_MARK, 1 << _PIECE_BITS)
            return workspace + starts[piece] + byte

        for each in self._tasks:
            each.run(place, workspace + end, stream)

    def make_repeatable(self) -> None:
        """C++: SetRepeatable, aclSetAclOpExecutorRepeatable."""
        if self._ran:
            raise OpError(ACLNN_ERR_PARAM_INVALID, "this executor has run; whether it repeats is said before")
        for each in self._tasks:
            each.make_repeatable()
        self._repeatable = True

    def close(self) -> None:
        for task in self._tasks:
            task.close()
        for table, handle in self._owned:
            table.pop(handle, None)
        self._tasks, self._owned = [], []

    @property
    def _call(self) -> Any:
        raise OpError(ACLNN_ERR_PARAM_INVALID, "the addresses of a hand-written aclnn function cannot be changed; plan it again")

    _operator = _call


def _is_mark(address: int) -> bool:
    return address >> 61 == 2


def _as_array(of: AclTensor, dims: tuple[int, ...], strides: tuple[int, ...], offset: int) -> NDArray[Any]:
    assert of.host is not None
    flat = of.host.reshape(-1)[offset:]
    return np.ascontiguousarray(np.lib.stride_tricks.as_strided(flat, dims, [each * flat.itemsize for each in strides]))


def _attrs(operator: Operator, given: list[Any]) -> dict[str, Any]:
    """The values of OP_ATTR under the names of the declaration."""
    declared = [each for each in parameters_of(operator) if each.of in operator._declaration.attrs]
    if len(given) != len(declared):
        names = ", ".join(each.of.name for each in declared) or "none"
        raise OpError(ACLNN_ERR_INNER_WRONG_ATTR_INFO_SIZE, f"OP_ATTR has {len(given)} values; {operator.type} declares {names}")
    return {each.of.name: attribute_of(each, value) for each, value in zip(declared, given, strict=True)}


def _give_shapes(call: OpCall, outputs: Iterable[int]) -> None:
    for value, handle in zip(call.node.outputs, outputs, strict=False):
        for each, one in zip(tensors_of(value), TENSOR_LISTS.get(handle, [handle]), strict=False):
            if one:
                dims = each.shape.origin.dims
                TENSORS[one] = replace(TENSORS[one], dims=dims, strides=plain_strides(dims), storage_dims=each.shape.storage.dims)


HANDLES: dict[str, Any] = {"aclTensorList": TENSOR_LISTS, "aclScalarList": SCALAR_LISTS, "aclScalar": SCALARS, **ARRAYS}
