# SPDX-License-Identifier: Apache-2.0
"""`op.define`: an operator declared, its functions added with decorators, registered when you say so, and called."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from aclimb.op.call import OpCall, results_of
from aclimb.op.declare.binding import bind
from aclimb.op.declare.definition import OpDef
from aclimb.op.declare.impl import DEFAULT_IMPL
from aclimb.op.execute.plan import OpPlan, make_plan
from aclimb.op.execute.run import place, require_executable, run_call, stream_for
from aclimb.op.infer.inference import Inference
from aclimb.op.node.node import Node, tensors_of
from aclimb.op.options import DEFAULT_OPTIONS, Options
from aclimb.op.stages import Stages
from aclimb.op.status import ACLNN_ERR_PARAM_INVALID, OpError
from aclimb.op.tiling.decide import Loaded
from aclimb.op.two_stage import run as two_stage
from aclimb.op.two_stage.prepared import PreparedCache, PreparedOp
from aclimb.runtime.buffer import Buffer
from aclimb.runtime.stream import Stream


def define(
    op_type: str,
    *,
    relaunchable: bool = False,
    cached: bool = False,
    tiling_cache: bool = True,
    launch_with_zero_ele_output_tensors: bool = False,
) -> Operator:
    """An operator to declare. Nothing is registered before `register()`. C++: OpDef, OpImplRegisterV2."""
    return Operator(op_type, relaunchable, cached, tiling_cache, launch_with_zero_ele_output_tensors)


def default_impl() -> Operator:
    """What tiling falls back to. C++: IMPL_OP_DEFAULT."""
    return define(DEFAULT_IMPL)


class Operator(OpDef):
    """An operator: declared, registered, called."""

    def __init__(self, op_type: str, relaunchable: bool, cached: bool, tiling_cache: bool, zero: bool) -> None:
        super().__init__(op_type, relaunchable, cached, tiling_cache, zero)
        self._loaded = Loaded()
        self._prepared_cache = PreparedCache() if cached else None

    def clear_cache(self) -> None:
        """Forgets what tiling and prepare said before."""
        self._loaded.cache.clear()
        if self._prepared_cache is not None:
            self._prepared_cache.clear()

    def _close(self) -> None:
        self._loaded.close()
        self.clear_cache()

    # --- calling

    def __call__(self, *inputs: Any, out: Any = None, stream: Stream | None = None, options: Options | None = None, **named: Any) -> Any:
        """Runs it: infer, allocate, prepare and launch, or tiling and launch. Returns before the device is done."""
        kept = self._prepared_cache
        if kept is not None and out is not None and stream is not None:
            buffers = (*inputs, *out) if isinstance(out, list | tuple) else (*inputs, out)
            if kept.launch_again(self, buffers, stream, options, named):
                return out if isinstance(out, Buffer) or len(out) > 1 else out[0]
        result = self._run(*self._bind_arguments(inputs, named), _as_list(out), stream, options)
        return result[0] if len(result) == 1 else tuple(result)

    def plan(self, *inputs: Any, out: Any = None, repeatable: bool = False, options: Options | None = None, **named: Any) -> OpPlan:
        """The first of two phases: everything but the launch, which `run` of the plan does. C: aclnn<Op>GetWorkspaceSize."""
        return self._plan(*self._bind_arguments(inputs, named), _as_list(out), repeatable=repeatable, options=options)

    def _plan(
        self,
        values: list[Any],
        attrs: dict[str, Any],
        out: list[Any] | None,
        *,
        repeatable: bool = False,
        options: Options | None = None,
        stream: Stream | None = None,
        counts_absent: bool = False,
    ) -> OpPlan:
        """`stream` says whose core limits hold."""
        call = self._call(values, attrs, out, stream, options)
        call.node.counts_absent = counts_absent
        return make_plan(self, self._loaded, call, self._inference if out is None else None, repeatable=repeatable)

    def _run(
        self, values: list[Any], attrs: dict[str, Any], out: list[Any] | None, stream: Stream | None, options: Options | None
    ) -> list[Any]:
        call = self._call(values, attrs, out, stream, options)
        run_call(call, self._inference(call) if out is None else None, self)
        return results_of(call)

    def _bind_arguments(self, inputs: Sequence[Any], named: dict[str, Any]) -> tuple[list[Any], dict[str, Any]]:
        """Inputs in the order of the prototype, and the attributes."""
        names = self.inputs
        if len(inputs) > len(names):
            raise self._plan_error(ACLNN_ERR_PARAM_INVALID, f"{self!r} takes {len(names)} inputs; {len(inputs)} are given")
        values = dict(zip(names, inputs, strict=False))
        attrs = {}
        for name, value in named.items():
            if name in names and name not in values:
                values[name] = value
            else:
                attrs[name] = value
        return [values.get(name) for name in names], attrs

    def _call(
        self, values: list[Any], attrs: dict[str, Any], out: list[Any] | None, stream: Stream | None, options: Options | None
    ) -> OpCall:
        stages = Stages(self.type)
        impl = self._impl()
        on = stream_for(stream, [*values, *(out or [])])
        node: Node = stages("plan", bind, self._declaration, values, attrs, out)
        return OpCall(impl, node, on, options or DEFAULT_OPTIONS, stages)

    def _inference(self, call: OpCall) -> Inference:
        given = {each.name: tensors_of(value) for each, value in zip(self._declaration.inputs, call.node.inputs, strict=True)}
        return Inference(call, self._declaration.follows(), self._declaration.output_dtypes(given))


def prepare(
    operator: Operator, *inputs: Any, out: Any = None, options: Options | None = None, stream: Stream | None = None, **named: Any
) -> PreparedOp:
    """Infers, allocates and prepares; the result can be launched. An addition: C++ has nothing like it."""
    values, attrs = operator._bind_arguments(inputs, named)
    outputs = _as_list(out)
    call = operator._call(values, attrs, outputs, stream, options)
    try:
        if require_executable(call, operator._kernels is not None) != "two_stage":
            raise OpError(message=f"{operator.type} has no prepare and launch functions", operator=operator.type, stage="plan")
        if outputs is None:
            operator._inference(call).run()
        place(call)
        state = two_stage.prepare(call)
    except BaseException:
        call.discard_outputs()
        raise
    return PreparedOp(operator, call, state, results_of(call))


def _as_list(out: Any) -> list[Any] | None:
    if out is None:
        return None
    return list(out) if isinstance(out, list | tuple) else [out]
