# SPDX-License-Identifier: Apache-2.0
"""The two phases of a function: a plan holds its arguments, and running it queues one task that computes on the host."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aclimb.errors import AclimbError
from aclimb.op.aclnn import PHASE_1
from aclimb.op.aclnn.executors import EXECUTORS, end
from aclimb.op.aclnn.objects import ARRAYS, SCALARS, TENSOR_LISTS, TENSORS, AclTensor, dtype_of_number, refusal
from aclimb.op.builtin.rows import Row, row_of
from aclimb.op.status import (
    ACLNN_ERR_INNER_CREATE_EXECUTOR,
    ACLNN_ERR_PARAM_INVALID,
    ACLNN_ERR_PARAM_NULLPTR,
    OpError,
)
from aclimb.runtime import addresses, memory, reports
from aclimb.runtime.context import ContextStream, stream_of
from aclimb.runtime.handles import Handles

_PLAIN_FORMATS = {-1, 0, 1, 2, 27, 30, 35, 47}  # in which elements lie in the order of the dims
_MISTAKES = (ValueError, IndexError, TypeError)  # of the arguments, in NumPy's words


class HostPlan:
    """A function with its arguments. C: aclOpExecutor."""

    workspace_size = 0

    def __init__(self, row: Row, arguments: list[Any]) -> None:
        self.row, self._arguments = row, arguments
        self._repeatable = self._ran = False

    @property
    def type(self) -> str:
        return self.row.name

    @property
    def spent(self) -> bool:
        return self._ran and not self._repeatable

    @property
    def _call(self) -> Any:
        raise OpError(ACLNN_ERR_PARAM_INVALID, f"the addresses of {self.type} cannot be changed; plan it again with other tensors")

    _operator = _call

    def make_repeatable(self) -> None:
        self._repeatable = True

    def close(self) -> None:
        self._arguments = []

    def run(self, stream: ContextStream) -> None:
        self._ran = True
        work = partial(_compute, self.row, list(self._arguments))
        if stream.graph is not None:
            stream.graph.add(self.type, 0, stream, lambda on: reports.launch_operator(self.type, work, on))
        else:
            reports.launch_operator(self.type, work, stream)


# --- the first phase


def first_phase(name: str) -> Callable[..., tuple[int, int, int]]:
    row = row_of(name.removesuffix(PHASE_1))

    def first(*given: Any) -> tuple[int, int, int]:
        try:
            arguments = [_taken(letter, each, value) for (letter, each), value in zip(row.parameters, given, strict=True)]
        except AclimbError as error:
            return 0, 0, refusal(name, error, other=ACLNN_ERR_INNER_CREATE_EXECUTOR)
        return 0, EXECUTORS.add(HostPlan(row, arguments)), 0

    return first


def _taken(letter: str, name: str, given: Any) -> Any:
    """What a parameter stands for now: the caller may destroy its objects after the call."""
    kind, may_be_null = letter[0], letter.endswith("?")
    if kind in "tor":
        return _tensor(name, given) if given or not may_be_null else None
    if kind == "T":
        return [_tensor(name, each) for each in _there(TENSOR_LISTS, name, given)]
    if kind == "s":
        return _there(SCALARS, name, given)[()] if given or not may_be_null else None
    if kind == "l":
        return tuple(_there(ARRAYS["aclIntArray"], name, given).tolist()) if given or not may_be_null else None
    return dtype_of_number(given) if kind == "d" else given


def _there(known: Handles[Any], name: str, given: int) -> Any:
    if not given:
        raise OpError(ACLNN_ERR_PARAM_NULLPTR, f"{name} is NULL")
    return known[given]


def _tensor(name: str, handle: int) -> Tensor:
    found: AclTensor = _there(TENSORS, name, handle)
    if found.format not in _PLAIN_FORMATS:
        raise OpError(
            ACLNN_ERR_PARAM_INVALID, f"{name} has format {found.format}; aclimb's operator library takes plain formats, such as 2 (ND)"
        )
    if any(stride < 0 for stride in found.strides):
        raise OpError(ACLNN_ERR_PARAM_INVALID, f"{name} has strides {list(found.strides)}; none may be below 0")
    if 0 not in found.dims and not addresses.is_on_device(found.address):
        raise OpError(
            ACLNN_ERR_PARAM_INVALID, f"the data of {name} is at 0x{found.address:x}, which is {addresses.described(found.address)}"
        )
    return Tensor(name, handle, found)


# --- the second phase


def second_phase(name: str) -> Callable[..., int]:
    row = row_of(name)

    def second(workspace: int, size: int, executor: int, stream: int) -> int:
        try:
            plan = EXECUTORS[executor or 0]
            if plan.type != row.name:
                raise OpError(ACLNN_ERR_PARAM_INVALID, f"the executor is one of {plan.type}, not of {row.name}")
            plan.run(stream_of(stream or 0))
        except AclimbError as error:
            return refusal(name, error)
        if plan.spent:
            end(executor)
        return 0

    return second


class Tensor:
    """A tensor while a task runs: an array over its memory, which stays mapped meanwhile."""

    def __init__(self, name: str, handle: int, view: AclTensor) -> None:
        self.name, self._handle, self._view = name, handle, view

    @contextlib.contextmanager
    def mapped(self) -> Iterator[NDArray[Any]]:
        view = self._view
        if 0 in view.dims:
            yield np.empty(view.dims, view.dtype)
            return
        steps = [stride * view.dtype.itemsize for stride in view.strides]
        size = sum((dim - 1) * step for dim, step in zip(view.dims, steps, strict=True)) + view.dtype.itemsize
        held = memory.hold(view.address, size) if view.address + size < 2**63 else None
        if held is None:
            raise OpError(ACLNN_ERR_PARAM_INVALID, f"{self.name}: {memory.not_allocated(view.address, size)}")
        try:
            yield np.ndarray(view.dims, view.dtype, held, 0, steps)
        finally:
            memory.let_go(view.address)

    def shorten(self, dims: tuple[int, ...]) -> None:
        """What aclGetViewShape tells after the run, of an output whose shape depends on values."""
        if self._handle in TENSORS:
            plain = tuple(int(np.prod(dims[index + 1 :], dtype=np.int64)) for index in range(len(dims)))
            TENSORS[self._handle] = replace(self._view, dims=dims, strides=plain, storage_dims=dims)


def _compute(row: Row, arguments: list[Any]) -> None:
    """On the thread of the operators. What it raises becomes the failure of the task."""
    with contextlib.ExitStack() as held, np.errstate(all="ignore"):
        values = [_value(held, each) for each in arguments]
        try:
            shortened = row.compute(*values)
        except _MISTAKES as error:
            raise OpError(ACLNN_ERR_PARAM_INVALID, str(error)) from error
    if shortened is not None:  # the shape of the output, found while it ran
        outputs = [each for (letter, _), each in zip(row.parameters, arguments, strict=True) if letter == "o"]
        outputs[0].shorten(shortened)


def _value(held: contextlib.ExitStack, argument: Any) -> Any:
    if isinstance(argument, Tensor):
        return held.enter_context(argument.mapped())
    if isinstance(argument, list):
        return [_value(held, each) for each in argument]
    return argument
