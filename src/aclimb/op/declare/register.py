# SPDX-License-Identifier: Apache-2.0
"""`OpImplRegisterV2`, which registers the functions of an operator type: one method for each of C++'s.

A builder collects; `commit()` merges what was set into the registry, field by field. Leaving its `with` block commits, too.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from aclimb.errors import InvalidArgument
from aclimb.op.declare.impl import DEFAULT_IMPL, DEFAULT_TILING_CAPACITY, MASK_BITS, Callback, OpImpl
from aclimb.op.declare.registry import OpImplRegistry, RegistrationHandle
from aclimb.op.status import DT_UNDEFINED, GRAPH_FAILED, GRAPH_SUCCESS, TilingPlacement

_log = logging.getLogger("aclimb")


def same_as_first_input(context: Any) -> int:
    """InferOutDataTypeSameWithFirstInput: every output has the type of input 0."""
    first = context.ir_input_instance(0)
    dtype = context.get_input_data_type(0)
    if first is None or first[1] == 0 or dtype is DT_UNDEFINED:
        return GRAPH_FAILED
    for index in range(context.num_outputs):
        context.set_output_data_type(index, dtype)
    return GRAPH_SUCCESS


class OpImplRegisterV2:
    """`gert::OpImplRegisterV2`: registers the callbacks of one operator type. Every method gives the builder back.

    Names are in snake_case; C++'s own stand beside them.
    """

    def __init__(self, op_type: str, registry: OpImplRegistry | None = None) -> None:
        if not isinstance(op_type, str) or not op_type:
            raise InvalidArgument(f"operator type is {op_type!r}; it takes a text that is not empty")
        self.op_type = op_type
        self._registry = registry or OpImplRegistry.instance()
        self._set = OpImpl()
        self._before = self._registry.snapshot(op_type)
        self._registry.create_or_get(op_type)
        self.handle: RegistrationHandle | None = None

    @classmethod
    def default(cls, registry: OpImplRegistry | None = None) -> OpImplRegisterV2:
        """IMPL_OP_DEFAULT: what tiling falls back to."""
        return cls(DEFAULT_IMPL, registry)

    def commit(self) -> RegistrationHandle:
        """Merges what was set into the registry. C++ does it when the builder is copied."""
        committed = replace(self._set)
        if committed.prepare is None or committed.launch is None:  # the pair counts as one
            committed.prepare = committed.launch = None
        if committed.tiling is None:
            committed.max_tiling_data_size = 0
        before = self._before if self.handle is None else self._registry.snapshot(self.op_type)
        self._registry.commit(self.op_type, committed)
        self.handle = RegistrationHandle(self._registry, self.op_type, before)
        return self.handle

    def __enter__(self) -> OpImplRegisterV2:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: Any) -> None:
        if kind is None:
            self.commit()

    # --- shapes and types

    def infer_shape(self, function: Callback | None) -> OpImplRegisterV2:
        """InferShape."""
        return self._keep(infer_shape=function)

    def infer_shape_range(self, function: Callback | None) -> OpImplRegisterV2:
        """InferShapeRange."""
        return self._keep(infer_shape_range=function)

    def infer_data_type(self, function: Callback | None) -> OpImplRegisterV2:
        """InferDataType."""
        return self._keep(infer_data_type=function)

    def infer_out_data_type_same_with_first_input(self) -> OpImplRegisterV2:
        """InferOutDataTypeSameWithFirstInput. It and infer_data_type write the same slot: the last one counts."""
        return self._keep(infer_data_type=same_as_first_input)

    def infer_format(self, function: Callback | None) -> OpImplRegisterV2:
        """InferFormat."""
        return self._keep(infer_format=function)

    # --- tiling

    def tiling(self, function: Callback | None, max_tiling_data_size: int = DEFAULT_TILING_CAPACITY) -> OpImplRegisterV2:
        """Tiling, with the capacity of the tiling data in bytes."""
        return self._keep(tiling=function, max_tiling_data_size=max_tiling_data_size)

    def tiling_parse(self, function: Callback | None, compile_info: Callback | None = None) -> OpImplRegisterV2:
        """TilingParse<T>: `compile_info` makes the object that the function fills."""
        return self._keep(tiling_parse=function, compile_info=compile_info)

    def gen_simplified_key(self, function: Callback | None) -> OpImplRegisterV2:
        """GenSimplifiedKey."""
        return self._keep(gen_simplified_key=function)

    def inputs_data_dependency(self, indices: Iterable[int]) -> OpImplRegisterV2:
        """InputsDataDependency: inputs whose values shape inference and tiling read. Adds to what was set."""
        return self._keep(inputs_data_dependency=self._set.inputs_data_dependency | _mask("inputs_data_dependency", indices))

    def tiling_inputs_data_dependency(
        self, indices: Iterable[int], placements: Iterable[TilingPlacement] = (TilingPlacement.HOST,)
    ) -> OpImplRegisterV2:
        """TilingInputsDataDependency: inputs whose values only tiling reads. Adds to what was set."""
        places = 0
        for place in placements:
            places |= 1 << TilingPlacement(place)
        mask = _mask("tiling_inputs_data_dependency", indices)
        return self._keep(tiling_inputs_data_dependency=self._set.tiling_inputs_data_dependency | mask,
                          tiling_placements=self._set.tiling_placements | places)  # fmt: skip

    # --- execution

    def op_execute_func(self, function: Callback | None) -> OpImplRegisterV2:
        """OpExecuteFunc: one function that does it all. It is preferred to the pair."""
        return self._keep(op_execute_func=function)

    def op_2stage_execute_funcs(self, prepare_func: Callback | None, launch_func: Callback | None) -> OpImplRegisterV2:
        """Op2StageExecuteFuncs: one function prepares what the kernels need, the other launches them."""
        null_stages = (prepare_func is None) | (launch_func is None) << 1
        return self._keep(prepare=prepare_func, launch=launch_func, null_stages=null_stages)

    def host_inputs(self, indices: Iterable[int]) -> OpImplRegisterV2:
        """HostInputs: inputs that the execution callbacks want in host memory. Replaces what was set."""
        return self._keep(host_inputs=_mask("host_inputs", indices))

    def output_shape_depend_on_compute(self, indices: Iterable[int]) -> OpImplRegisterV2:
        """OutputShapeDependOnCompute: outputs whose shape the kernel writes. Adds to what was set."""
        mask = _mask("output_shape_depend_on_compute", indices)
        return self._keep(output_shape_depend_on_compute=self._set.output_shape_depend_on_compute | mask)

    def nullable_outputs(self, indices: Iterable[int]) -> OpImplRegisterV2:
        """NullableOutputs: outputs that may be absent. Replaces what was set."""
        return self._keep(nullable_outputs=_mask("nullable_outputs", indices))

    # --- the rest

    def private_attr(self, name: str | None, default: Any = None) -> OpImplRegisterV2:
        """PrivateAttr: without a default it is required."""
        if not name:
            _log.warning("%s: a private attribute without a name is ignored", self.op_type)
        elif any(each == name for each, _ in self._set.private_attrs):
            _log.warning("%s: private attribute %s is there already; the first one counts", self.op_type, name)
        else:
            self._set.private_attrs = [*self._set.private_attrs, (name, default)]
        return self

    def calc_op_param(self, function: Callback | None) -> OpImplRegisterV2:
        """CalcOpParam."""
        return self._keep(calc_op_param=function)

    def generate_task(self, function: Callback | None) -> OpImplRegisterV2:
        """GenerateTask."""
        return self._keep(generate_task=function)

    def check_support(self, function: Callback | None) -> OpImplRegisterV2:
        """CheckSupport."""
        return self._keep(check_support=function)

    def op_select_format(self, function: Callback | None) -> OpImplRegisterV2:
        """OpSelectFormat."""
        return self._keep(op_select_format=function)

    def exception_dump_parse_func(self, function: Callback | None) -> OpImplRegisterV2:
        """ExceptionDumpParseFunc."""
        if function is None:
            _log.warning("%s: no exception dump function is given; ignored", self.op_type)
            return self
        return self._keep(exception_dump_parse_func=function)

    def _keep(self, **values: Any) -> OpImplRegisterV2:
        for name, value in values.items():
            setattr(self._set, name, value)
        return self

    # C++'s names
    InferShape, InferShapeRange, InferDataType, InferFormat = infer_shape, infer_shape_range, infer_data_type, infer_format
    InferOutDataTypeSameWithFirstInput = infer_out_data_type_same_with_first_input
    Tiling, TilingParse, GenSimplifiedKey = tiling, tiling_parse, gen_simplified_key
    InputsDataDependency, TilingInputsDataDependency = inputs_data_dependency, tiling_inputs_data_dependency
    OpExecuteFunc, Op2StageExecuteFuncs, HostInputs = op_execute_func, op_2stage_execute_funcs, host_inputs
    OutputShapeDependOnCompute, NullableOutputs, PrivateAttr = output_shape_depend_on_compute, nullable_outputs, private_attr
    CalcOpParam, GenerateTask, CheckSupport, OpSelectFormat = calc_op_param, generate_task, check_support, op_select_format
    ExceptionDumpParseFunc = exception_dump_parse_func


def _mask(what: str, indices: Iterable[int]) -> int:
    mask = 0
    for index in indices:
        if isinstance(index, bool) or not isinstance(index, int) or not 0 <= index < MASK_BITS:
            raise InvalidArgument(f"{what} has index {index!r}; it takes 0 to {MASK_BITS - 1}")
        mask |= 1 << index
    return mask


def impl_op(op_type: str) -> OpImplRegisterV2:
    """IMPL_OP, IMPL_OP_INFERSHAPE, IMPL_OP_OPTILING."""
    return OpImplRegisterV2(op_type)


IMPL_OP = IMPL_OP_INFERSHAPE = IMPL_OP_OPTILING = impl_op
IMPL_OP_DEFAULT = OpImplRegisterV2.default
