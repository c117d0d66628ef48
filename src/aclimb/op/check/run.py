# SPDX-License-Identifier: Apache-2.0
"""One run of an operator that is looked at closely: what its kernels are given, what becomes of its params, which stage broke."""

from __future__ import annotations

import os
import threading
import weakref
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from types import TracebackType
from typing import Any

from aclimb.errors import AclimbError, DeviceError, InvalidArgument
from aclimb.op.call import OpCall, results_of
from aclimb.op.check.order import EventOrder, held_up
from aclimb.op.declare.impl import OpImpl
from aclimb.op.execute.operator import Operator
from aclimb.op.execute.run import run_call
from aclimb.op.node.views import TensorView, WorkspaceView
from aclimb.op.status import OpError
from aclimb.op.two_stage.contexts import NO_DELETE, Prepared, default_deleter
from aclimb.op.workspace import pool_of
from aclimb.runtime import guard
from aclimb.runtime.buffer import Buffer
from aclimb.runtime.stream import Stream

_HERE = os.path.dirname(os.path.dirname(__file__))  # op/
Params = list[weakref.ref[Any]]


class Broken(Exception):
    """What is wrong with a row: the kind of finding, and the stage it belongs to."""

    def __init__(self, kind: str, stage: str, message: str) -> None:
        super().__init__(message)
        self.kind, self.stage = kind, stage


@dataclass(frozen=True, slots=True)
class Run:
    """What came of one run: its outputs in host memory, one after the other, and its params."""

    outputs: list[Any]
    params: Params
    uses_other_streams: bool


class Watch:
    """Looks at one call. `params` are those that only their last reference releases. `hold`: its stream stands still until the launch
    function is done."""

    def __init__(self, call: OpCall, hold: bool) -> None:
        self._call, self._hold, self._thread = call, hold, threading.get_ident()
        self.order = EventOrder(call.stream)
        self._own: list[Buffer] = []  # device memory that came with the params
        self.foreign: list[str] = []
        self.params: Params = []
        self._impl = impl = call.impl
        if impl.prepare is not None and impl.launch is not None:
            call.impl = replace(impl, prepare=self._prepare(impl), launch=self._held(self._launch(impl)))
        elif impl.op_execute_func is not None:
            call.impl = replace(impl, op_execute_func=self._held(impl.op_execute_func))

    def _held(self, launch: Any) -> Any:
        return held_up(self._call.stream, self.order, launch) if self._hold else launch

    def _prepare(self, impl: OpImpl) -> Any:
        def prepare(context: Any) -> Any:
            assert impl.prepare is not None
            result = impl.prepare(context)
            returned = isinstance(result, Prepared)
            params, deleter = (result.params, result.deleter) if returned else (context._params, context._deleter)
            closes = deleter is default_deleter and callable(getattr(params, "close", None))
            if deleter is NO_DELETE or (deleter is default_deleter and not closes):
                with suppress(TypeError):  # a number or a tuple: nothing to release
                    self.params.append(weakref.ref(params))
            return result

        return prepare

    def _launch(self, impl: OpImpl) -> Any:
        def launch(context: Any) -> Any:
            assert impl.launch is not None
            self._own = list(_buffers(context._params))
            return impl.launch(context)

        return launch

    # --- kernels

    def __enter__(self) -> Watch:
        guard.launch_watchers.append(self._note)
        self.order.__enter__()
        return self

    def __exit__(self, *_: Any) -> None:
        self.order.__exit__()
        guard.launch_watchers.remove(self._note)
        self._call.impl = self._impl

    def _note(self, stream: Stream, config: Any, kernel: Any, args: tuple[Any, ...]) -> None:
        if threading.get_ident() != self._thread:
            return
        self.order.launched(stream, kernel.name)
        pointers = [(parameter.name, value) for parameter, value in zip(kernel.info.parameters, args, strict=True)
                    if parameter.kind == "pointer" and value is not None]  # fmt: skip
        for name, value in [*pointers, ("its system workspace", config.workspace)]:
            if isinstance(value, TensorView | WorkspaceView):
                continue
            address = value.address if isinstance(value, Buffer) else int(value)
            if address and not any(start <= address < start + size for start, size in self._ranges(stream)):
                self.foreign.append(f"{kernel.name} was given 0x{address:x} for {name}, which is no input, output or workspace of this "
                                    "run; ask for a workspace")  # fmt: skip

    def _ranges(self, stream: Stream) -> Iterator[tuple[int, int]]:
        """Memory that belongs to the run; on another stream there may be workspaces of an operator that this one calls."""
        node = self._call.node
        for tensor in (*node.instances(node.inputs), *node.instances(node.outputs)):
            yield tensor.address, max(tensor.nbytes, 1)
        for block in (*pool_of(self._call.stream)._used.values(), *pool_of(stream)._used.values(), *self._own):
            yield block.address, block.nbytes


def _buffers(params: Any) -> Iterator[Buffer]:
    """Device memory that params hold, directly or as an item or attribute."""
    if isinstance(params, list | tuple):
        inside = list(params)
    else:
        inside = list((params if isinstance(params, dict) else getattr(params, "__dict__", {})).values())
    for each in (params, *inside):
        if isinstance(each, Buffer):
            yield each


def run_watched(operator: Operator, inputs: list[Any], attrs: dict[str, Any], stream: Stream, hold: bool = False) -> Run:
    """Runs the operator once; raises Broken."""
    values, named = operator._bind_arguments(inputs, attrs)
    try:
        call = operator._call(values, named, None, stream, None)
    except OpError as error:
        raise Broken("failed", error.stage, str(error)) from None
    watch = Watch(call, hold)
    try:
        with watch:
            run_call(call, operator._inference(call), operator)
        watch.order.end()
        outputs = _results(call, watch.order)
    except AclimbError as error:
        if not (watch.foreign or watch.order.wrong):
            raise _broken(error) from None
    finally:
        overruns = pool_of(stream).overruns()
    if watch.foreign:
        raise Broken("foreign-workspace", "launch", watch.foreign[0])
    if watch.order.wrong:
        raise Broken("unordered-streams", "launch", watch.order.wrong[0])
    for size, beyond in overruns:
        raise Broken("workspace-overrun", "launch", f"a workspace of {size} bytes is written up to {beyond} bytes behind its end; ask for "
                     "as much as the kernels use")  # fmt: skip
    return Run(outputs, watch.params, bool(watch.order.others))


def _results(call: OpCall, order: EventOrder) -> list[Any]:
    """Behind everything that the run has queued, on whatever stream."""
    for each in (call.stream, *order.others.values()):
        each.synchronize()
    found = [each for result in results_of(call) for each in (result if isinstance(result, list) else [result])]
    return [each.to_numpy() if each is not None else None for each in found]


def _broken(error: AclimbError) -> Broken:
    if not isinstance(error, OpError):  # a kernel that failed
        return Broken("failed", "launch", f"{type(error).__name__}: {error}")
    cause, kind = error.__cause__, "failed"
    if isinstance(cause, IndexError | KeyError) and _is_ours(cause.__traceback__):
        kind = "index-range"
    elif isinstance(cause, InvalidArgument) and error.stage == "tiling" and "capacity" in str(cause):
        kind = "tiling-capacity"
    elif isinstance(cause, DeviceError) and error.stage == "prepare" and "read" in str(cause):
        kind = "device-read-in-prepare"
    return Broken(kind, error.stage, str(error))


def _is_ours(traceback: TracebackType | None) -> bool:
    """Whether it was raised in this package, and not by the user's own lists."""
    while traceback is not None and traceback.tb_next is not None:
        traceback = traceback.tb_next
    return traceback is not None and traceback.tb_frame.f_code.co_filename.startswith(_HERE)
