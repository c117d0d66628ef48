# SPDX-License-Identifier: Apache-2.0
"""Two phases: a plan is an operator with its arguments, up to and including tiling or prepare; `run` launches it, in a workspace of the
caller or in one of the stream's pool."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, cast

from aclimb.op.call import OpCall, bits, results_of
from aclimb.op.declare.definition import OpDef
from aclimb.op.declare.impl import OpImpl
from aclimb.op.execute.run import nothing_to_do, place, require_executable
from aclimb.op.infer.inference import Inference
from aclimb.op.node.borrowed import Borrowed
from aclimb.op.node.node import OpTensor, Value
from aclimb.op.status import ACLNN_ERR_INNER_NULLPTR, ACLNN_ERR_PARAM_INVALID, ACLNN_ERR_PARAM_NULLPTR
from aclimb.op.tiling.decide import Loaded, decide
from aclimb.op.tiling.launch import launch_tiled
from aclimb.op.two_stage import run as two_stage
from aclimb.runtime.buffer import Buffer
from aclimb.runtime.memory import bytes_behind
from aclimb.runtime.stream import Stream

ALIGNMENT = 32  # of addresses that are bound anew


class OpPlan:
    """What `operator.plan(...)` gives. C: aclOpExecutor.

    It runs once; made with repeatable=True, as often as one likes. Shapes and attributes are frozen, addresses are not: see `rebind`.
    """

    def __init__(self, operator: OpDef, loaded: Loaded, call: OpCall, way: str, *, repeatable: bool) -> None:
        self._operator, self._call, self._way = operator, call, way
        self._state = two_stage.prepare(call) if way == "two_stage" else None
        self._decision = decide(call, loaded, cached=operator.tiling_cache) if way == "tiling" else None
        self._kernel = operator._kernels.of(call.node) if way == "tiling" and operator._kernels is not None else None
        self._sizes = self._state.sizes if self._state else self._decision.tiling.workspace_sizes if self._decision else []
        self._repeatable = repeatable
        self._ran = self._closed = False

    @property
    def type(self) -> str:
        """Of the operator."""
        return self._operator.type

    @property
    def workspace_size(self) -> int:
        """The bytes that run() needs: the sum of all workspaces, not rounded. C: workspaceSize of aclnn<Op>GetWorkspaceSize."""
        return sum(self._sizes)

    @property
    def outputs(self) -> tuple[Any, ...]:
        """Those given, or those that were allocated; None for one that is absent."""
        return tuple(results_of(self._call))

    @property
    def spent(self) -> bool:
        """Whether it will not run again."""
        return self._closed or (self._ran and not self._repeatable)

    # --- running

    def run(self, workspace: Buffer | int | None = None, stream: Stream | None = None) -> Any:
        """Launches; returns the outputs before the device is done. C: aclnn<Op>.

        `workspace` is a Buffer or a device address with at least workspace_size bytes, which stay in use until the stream is through;
        None takes workspaces from the stream's pool.
        """
        self._require_open()
        if self.spent:
            raise self._error(ACLNN_ERR_PARAM_INVALID, f"this plan of {self.type} has run; make it with repeatable=True to run it again")
        given = self._cut(workspace)
        call = self._call_on(stream)
        self._ran = True
        try:
            self._launch(call, given)
        except BaseException:
            if not self._repeatable:
                call.discard_outputs()
                self._release()
            raise
        if not self._repeatable:
            self._release()
        results = self.outputs
        return results[0] if len(results) == 1 else results

    def _cut(self, workspace: Any) -> list[int] | None:
        """The addresses of the workspaces, one behind the other in what is given."""
        if workspace is None:
            return None
        needed = self.workspace_size
        if needed == 0:
            return [0] * len(self._sizes)
        address = workspace.address if isinstance(workspace, Buffer) else int(workspace)
        if address == 0:
            raise self._error(ACLNN_ERR_PARAM_NULLPTR, f"the workspace of {self.type} is null; it needs {needed} bytes")
        there = workspace.nbytes if isinstance(workspace, Buffer) else bytes_behind(self._call.stream.device, address)
        if there < needed:
            raise self._error(
                ACLNN_ERR_PARAM_INVALID, f"the workspace of {self.type} has {there} bytes of device memory; it needs {needed}"
            )
        starts = [address + sum(self._sizes[:index]) for index in range(len(self._sizes))]
        return [start if size else 0 for start, size in zip(starts, self._sizes, strict=True)]

    def _call_on(self, stream: Stream | None) -> OpCall:
        if stream is None or stream is self._call.stream:
            return self._call
        if stream.device is not self._call.stream.device:
            raise self._error(ACLNN_ERR_PARAM_INVALID, f"{self.type} was planned for {self._call.stream.device}; the stream is of "
                              f"{stream.device}")  # fmt: skip
        return replace(self._call, stream=stream)

    def _launch(self, call: OpCall, given: list[int] | None) -> None:
        if self._way == "execute":
            two_stage.execute(call)
        elif self._state is not None:
            two_stage.launch(call, self._state, call.stream, given)
        elif self._decision is not None:
            assert self._kernel is not None
            with _frozen_shapes(call):
                launch_tiled(call, self._decision, self._operator, self._kernel, self._sizes, given)

    def make_repeatable(self) -> None:
        """From now on it can run again. C: aclSetAclOpExecutorRepeatable, which comes before the first run."""
        self._require_open()
        if self._ran:
            raise self._error(ACLNN_ERR_PARAM_INVALID, f"this plan of {self.type} has run; whether it repeats is said before")
        _require_repeatable(self._operator, self._way)
        self._repeatable = True

    # --- other addresses

    def rebind(self, **memory: Any) -> None:
        """Other memory for inputs and outputs, by name: a Buffer of the same shape and type or a device address, a list of them for a
        list. Nothing changes when one of them is refused. C: aclSetInputTensorAddr and the like."""
        self._require_open()
        self._apply([change for name, given in memory.items() for change in self._changes(name, given)])

    def rebind_one(self, name: str, position: int, memory: Any) -> None:
        """Other memory for one tensor of a list. C: aclSetDynamicInputTensorAddr and the like."""
        self._require_open()
        changes = []
        for ir, value in self._places(name):
            if not isinstance(value, list) or not 0 <= position < len(value):
                raise self._error(ACLNN_ERR_PARAM_INVALID, f"{name} of {self.type} has no tensor {position}")
            changes.append((value[position], self._memory(name, ir, value[position], memory)))
        self._apply(changes)

    def _apply(self, changes: Sequence[tuple[OpTensor, Buffer]]) -> None:
        for tensor, buffer in changes:
            tensor.buffer = buffer

    def _places(self, name: str) -> Iterator[tuple[int, Value]]:
        """Where a name stands: IR index (-1 for an output) and value. An input that is an output, too, stands twice."""
        node = self._call.node
        found: list[tuple[int, Value]] = [(ir, node.inputs[ir]) for ir, each in enumerate(node.input_parameters) if each.name == name]
        found += [(-1, node.outputs[ir]) for ir, each in enumerate(node.output_parameters) if each.name == name]
        if not found:
            known = dict.fromkeys([*self._operator.inputs, *self._operator.outputs])
            raise self._error(ACLNN_ERR_PARAM_INVALID, f"{self.type} has no input or output {name!r}; it has {', '.join(known)}")
        return iter(found)

    def _changes(self, name: str, given: Any) -> Iterator[tuple[OpTensor, Buffer]]:
        for ir, value in self._places(name):
            if isinstance(value, list):
                if not isinstance(given, list | tuple) or len(given) != len(value):
                    raise self._error(ACLNN_ERR_PARAM_INVALID, f"{name} of {self.type} takes a list of {len(value)} tensors")
                yield from ((tensor, self._memory(name, ir, tensor, each)) for tensor, each in zip(value, given, strict=True))
            elif value is None:
                raise self._error(ACLNN_ERR_PARAM_INVALID, f"{name} was not there when {self.type} was planned; make another plan")
            else:
                yield value, self._memory(name, ir, value, given)

    def _memory(self, name: str, ir: int, tensor: OpTensor, given: Any) -> Buffer:
        device, shape = self._call.stream.device, tensor.shape.storage.dims
        if isinstance(given, Buffer):
            address, fits = given.address, (given.shape, given.dtype, given.device) == (shape, tensor.dtype, device)
        elif isinstance(given, int | None):
            address = given or 0
            fits = bytes_behind(device, address) >= tensor.nbytes
        else:
            raise self._error(
                ACLNN_ERR_PARAM_INVALID, f"{name} of {self.type} is a {type(given).__name__}; it takes a Buffer or an address"
            )
        if address == 0:
            raise self._error(ACLNN_ERR_INNER_NULLPTR, f"{name} of {self.type} is null; it takes a Buffer or a device address")
        if not fits:
            raise self._error(ACLNN_ERR_PARAM_INVALID, f"{name} of {self.type} is {given!r}; the plan is for {tensor.dtype}{list(shape)} "
                              f"on {device}")  # fmt: skip
        if address % ALIGNMENT:
            raise self._error(ACLNN_ERR_PARAM_INVALID, f"{name} of {self.type} is at 0x{address:x}; it takes a multiple of {ALIGNMENT}")
        if ir in values_read(self._call.impl):
            raise self._error(ACLNN_ERR_PARAM_INVALID, f"the value of {name} was read when {self.type} was planned; make another plan")
        return given if isinstance(given, Buffer) else cast(Buffer, Borrowed(address, shape, tensor.dtype, device))

    # --- the end

    def close(self) -> None:
        """Releases what was prepared, once. C: aclDestroyAclOpExecutor."""
        self._closed = True
        self._release()

    def _release(self) -> None:
        if self._state is not None:
            self._state.release()
        self._call.forget_inputs()

    def __enter__(self) -> OpPlan:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def __del__(self) -> None:
        if hasattr(self, "_closed"):  # else prepare or tiling failed
            self.close()

    def _require_open(self) -> None:
        if self._closed:
            raise self._error(ACLNN_ERR_PARAM_INVALID, f"this plan of {self.type} was closed")

    def _error(self, code: int, text: str) -> Exception:
        return self._operator._plan_error(code, text)


def make_plan(operator: OpDef, loaded: Loaded, call: OpCall, infer: Callable[[OpCall], Inference] | None, *, repeatable: bool) -> OpPlan:
    """The first phase: outputs inferred and allocated unless given, inputs placed, tiling or prepare. C: aclnn<Op>GetWorkspaceSize."""
    try:
        way = require_executable(call, operator._kernels is not None)
        if repeatable:
            _require_repeatable(operator, way)
        chip = call.stream.device.chip
        call.stages("plan", call.options.require_cores, chip.aic_cores, chip.aiv_cores)
        if any(tensor.buffer is not None and tensor.host is None for tensor in _tensors_read(call)):
            call.stream.device.native.wait_idle()  # no stream is known yet that the value could have been written on
        if infer is not None:
            infer(call).run()
        if nothing_to_do(call, operator):
            way = "nothing"
        else:
            place(call)
        return OpPlan(operator, loaded, call, way, repeatable=repeatable)
    except BaseException:
        call.discard_outputs()
        raise


def _require_repeatable(operator: OpDef, way: str) -> None:
    if way == "two_stage" and not operator.relaunchable:
        raise operator._plan_error(ACLNN_ERR_PARAM_INVALID, f"{operator.type} cannot be planned as repeatable: what its prepare made is "
                                   "for one launch; define it with relaunchable=True if that is not so")  # fmt: skip


def values_read(impl: OpImpl) -> frozenset[int]:
    """Inputs whose values the callbacks of the first phase see."""
    return bits(impl.inputs_data_dependency | impl.tiling_inputs_data_dependency | impl.host_inputs)


def _tensors_read(call: OpCall) -> list[OpTensor]:
    read = values_read(call.impl)
    return call.node.instances([value for ir, value in enumerate(call.node.inputs) if ir in read])


@contextmanager
def _frozen_shapes(call: OpCall) -> Iterator[None]:
    """Shapes that the kernel writes are for the outputs; the plan keeps its own, for the next run."""
    tensors = call.node.instances(call.node.outputs)
    before = [(tensor.shape, tensor.shape.origin.dims, tensor.shape.storage.dims) for tensor in tensors]
    try:
        yield
    finally:
        for shape, origin, storage in before:
            shape.origin.assign(origin)
            shape.storage.assign(storage)
