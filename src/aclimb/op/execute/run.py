# SPDX-License-Identifier: Apache-2.0
"""A run: infer, allocate, place, and then whichever way the operator is executed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from aclimb import knobs
from aclimb.op.call import OpCall, bits
from aclimb.op.declare.impl import OpImpl
from aclimb.op.declare.space import find_op_impl, find_tiling
from aclimb.op.infer.inference import Inference
from aclimb.op.node.node import Node, OpParameter, Value, as_tensor, next_name, unknown_output
from aclimb.op.options import DEFAULT_OPTIONS, Options
from aclimb.op.stages import Stages
from aclimb.op.status import OpError
from aclimb.op.tiling.decide import decide
from aclimb.op.tiling.launch import launch_tiled, rounded
from aclimb.op.two_stage import run as two_stage
from aclimb.runtime import counts
from aclimb.runtime.buffer import Buffer
from aclimb.runtime.device import Device
from aclimb.runtime.stream import Stream

_own_streams: dict[Device, Stream] = {}


def own_stream(device: Device | None = None) -> Stream:
    """The framework's own stream of a device, for calls that name none."""
    device = device or Device.known(0, knobs.soc()) or Device()
    found = _own_streams.get(device)
    if found is None:
        found = _own_streams[device] = Stream(device)
        counts.discount("streams", found)
    return found


def stream_for(stream: Stream | None, values: Sequence[Any]) -> Stream:
    if stream is not None:
        return stream
    device = next((value.device for value in values if isinstance(value, Buffer)), None)
    return own_stream(device)


def registered(op_type: str) -> OpImpl:
    found = find_op_impl(op_type)
    if found is None:
        raise OpError(message=f"operator {op_type} is not registered; register it first", operator=op_type, stage="plan")
    return found


def run(
    op_type: str,
    inputs: Sequence[Any],
    outputs: Sequence[Any] | None = None,
    attrs: Mapping[str, Any] | None = None,
    stream: Stream | None = None,
    options: Options | None = None,
    num_outputs: int = 1,
) -> list[Any]:
    """Runs an operator by its type, also one that only OpImplRegisterV2 knows: every input is required, a list is a dynamic one.

    C++: what the graph engine does for a node of the aclnn route.
    """
    impl = registered(op_type)
    if impl.prototype is not None:
        result = impl.prototype._run(list(inputs), dict(attrs or {}), list(outputs) if outputs is not None else None, stream, options)
        return list(result)
    stages = Stages(op_type)
    on = stream_for(stream, inputs)
    values: list[Value] = stages("plan", lambda: [_value(each) for each in inputs])
    count = len(outputs) if outputs is not None else num_outputs
    targets: list[Value] = [as_tensor(each) if each is not None else None for each in outputs] if outputs is not None else []
    node = Node(op_type, next_name(op_type), [OpParameter(f"input{i}", dynamic=isinstance(v, list)) for i, v in enumerate(values)],
                [OpParameter(f"output{i}") for i in range(count)], values,
                targets or [unknown_output() for _ in range(count)], _with_private(impl, list((attrs or {}).items())))  # fmt: skip
    call = OpCall(impl, node, on, options or DEFAULT_OPTIONS, stages)
    run_call(call, Inference(call, {}, {}) if outputs is None else None)
    return [value.buffer if value is not None and not isinstance(value, list) else value for value in node.outputs]


def _value(value: Any) -> Value:
    if value is None:
        return None
    return [as_tensor(each) for each in value] if isinstance(value, list) else as_tensor(value)


def _with_private(impl: OpImpl, attrs: list[tuple[str, Any]]) -> list[tuple[str, Any]]:
    given = dict(attrs)
    return attrs + [(name, default) for name, default in impl.private_attrs if name not in given]


def require_executable(call: OpCall, has_kernel: bool) -> str:
    """How the operator is executed: the single stage is preferred, then the pair, then tiling with a kernel."""
    impl = call.impl
    if impl.op_execute_func is not None:
        return "execute"
    if impl.prepare is not None and impl.launch is not None:
        return "two_stage"
    if has_kernel and find_tiling(impl.op_type) is not None:
        return "tiling"
    raise OpError(message=f"{impl.op_type}: Do not find op execute function. {_what_is_missing(impl)}", operator=impl.op_type, stage="plan")


def _what_is_missing(impl: OpImpl) -> str:
    if impl.null_stages:
        null = ("prepare_func is", "launch_func is", "prepare_func and launch_func are")[impl.null_stages - 1]
        return f"Op2StageExecuteFuncs was called, and its {null} null; give both functions"
    why = getattr(impl.prototype, "without_kernel", "")
    return f"Register OpExecuteFunc, Op2StageExecuteFuncs, or Tiling with a kernel{f': {why}' if why else ''}"


def place(call: OpCall) -> None:
    """Inputs to where the callbacks and kernels want them."""
    host = bits(call.impl.host_inputs)
    call.stages("place_inputs", call.place_inputs, host)
    call.stages("place_host_inputs", lambda: call.place_on_host(host, move=True))


def run_call(call: OpCall, inference: Inference | None, operator: Any = None) -> None:
    """The whole of it; what the call made is released when it fails."""
    try:
        way = require_executable(call, operator is not None and operator._kernels is not None)
        if call.options is not DEFAULT_OPTIONS:
            chip = call.stream.device.chip
            call.options.require_cores(chip.aic_cores, chip.aiv_cores)
        if inference is not None:
            inference.run()
        if nothing_to_do(call, operator):
            return
        place(call)
        if way == "execute":
            two_stage.execute(call)
        elif way == "two_stage":
            _run_two_stage(call, operator)
        else:
            decision = decide(call, operator._loaded, cached=operator.tiling_cache)
            sizes = rounded(decision.tiling.workspace_sizes)
            launch_tiled(call, decision, operator, operator._kernels.of(call.node), sizes)
    except BaseException:
        call.discard_outputs()
        raise
    call.forget_inputs()


def _run_two_stage(call: OpCall, operator: Any) -> None:
    kept = operator._prepared_cache if operator is not None else None
    if kept is not None:
        kept.launch(call)
        return
    state = two_stage.prepare(call)
    try:
        two_stage.launch(call, state, call.stream)
    finally:
        state.release()


def nothing_to_do(call: OpCall, operator: Any) -> bool:
    """All outputs are empty: there is nothing to compute, unless the operator wants to be launched all the same."""
    if operator is not None and operator.launch_with_zero_ele_output_tensors:
        return False
    tensors = call.node.instances(call.node.outputs)
    return bool(tensors) and all(tensor.shape.storage.size == 0 for tensor in tensors)
