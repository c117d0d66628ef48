# SPDX-License-Identifier: Apache-2.0
"""What is registered for an operator type, and `OpImplRegisterV2`, which registers it: one method for each of C++'s.

A builder collects; `commit()` merges what was set into the registry, field by field. Leaving its `with` block commits, too.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any

from aclimb.errors import InvalidArgument
from aclimb.op.status import DT_UNDEFINED, GRAPH_FAILED, GRAPH_SUCCESS, TilingPlacement

if TYPE_CHECKING:
    from aclimb.op.contexts import OpExecLaunchFunc, OpExecPrepareFunc

DEFAULT_IMPL = "DefaultImpl"
DEFAULT_TILING_CAPACITY = 2048
MASK_BITS = 64
_log = logging.getLogger("aclimb")

Callback = Callable[..., Any]


@dataclass(slots=True)
class OpImpl:
    """Everything registered for one type; what is not set is None, 0 or empty."""

    op_type: str = ""
    infer_shape: Callback | None = None
    infer_shape_range: Callback | None = None
    infer_data_type: Callback | None = None
    tiling: Callback | None = None
    max_tiling_data_size: int = 0
    gen_simplified_key: Callback | None = None
    tiling_parse: Callback | None = None
    compile_info: Callback | None = None  # makes the object that tiling_parse fills
    op_execute_func: Callback | None = None
    prepare: Callback | None = None
    launch: Callback | None = None
    infer_format: Callback | None = None
    calc_op_param: Callback | None = None
    generate_task: Callback | None = None
    check_support: Callback | None = None
    op_select_format: Callback | None = None
    exception_dump_parse_func: Callback | None = None
    inputs_data_dependency: int = 0  # masks: bit i is IR index i
    tiling_inputs_data_dependency: int = 0
    tiling_placements: int = 0
    host_inputs: int = 0
    output_shape_depend_on_compute: int = 0
    nullable_outputs: int = 0
    private_attrs: list[tuple[str, Any]] = field(default_factory=list)  # name and default; None: required
    prototype: Any = None  # of the friendly layer: what define() declared

    def is_input_data_dependency(self, index: int) -> bool:
        """IsInputDataDependency."""
        return _bit(self.inputs_data_dependency, index)

    def is_tiling_input_data_dependency(self, index: int) -> bool:
        """IsTilingInputDataDependency."""
        return _bit(self.tiling_inputs_data_dependency, index)

    def is_host_input(self, index: int) -> bool:
        """IsHostInput."""
        return _bit(self.host_inputs, index)

    def is_output_shape_depend_on_compute(self, index: int) -> bool:
        """IsOutputShapeDependOnCompute."""
        return _bit(self.output_shape_depend_on_compute, index)

    def is_nullable_output(self, index: int) -> bool:
        """IsNullableOutput."""
        return _bit(self.nullable_outputs, index)

    def can_tile_on(self, placement: TilingPlacement) -> bool:
        """Whether tiling may run there."""
        return _bit(self.tiling_placements, placement)

    def merge(self, other: OpImpl, *, keep: bool) -> None:
        """Takes what is set in the other; what both set is kept (across libraries) or replaced (inside one)."""
        for each in fields(self):
            theirs = getattr(other, each.name)
            if each.name != "op_type" and theirs and not (keep and getattr(self, each.name)):
                setattr(self, each.name, theirs)


def _bit(mask: int, index: int) -> bool:
    return 0 <= index < MASK_BITS and bool(mask >> index & 1)


class OpImplRegistry:
    """The types of one library. `instance()` is the one of this program."""

    def __init__(self) -> None:
        self._types: dict[str, OpImpl] = {}
        self._lock = threading.RLock()

    _instance: OpImplRegistry | None = None
    _instance_lock = threading.Lock()

    @classmethod
    def instance(cls) -> OpImplRegistry:
        """GetInstance."""
        with cls._instance_lock:
            if cls._instance is None:
                cls._instance = cls()
            return cls._instance

    def create_or_get(self, op_type: str) -> OpImpl:
        """CreateOrGetOpImpl."""
        with self._lock:
            return self._types.setdefault(op_type, OpImpl(op_type))

    def get(self, op_type: str) -> OpImpl | None:
        """GetOpImpl; None for a type nobody mentioned."""
        return self._types.get(op_type)

    def types(self) -> list[str]:
        """GetAllRegisteredTypes."""
        return list(self._types)

    def commit(self, op_type: str, functions: OpImpl) -> None:
        """Merges what is set into the type; the last one counts."""
        with self._lock:
            merged = replace(self.create_or_get(op_type))  # whoever looks meanwhile sees all of it or nothing
            merged.merge(functions, keep=False)
            self._types[op_type] = merged

    def snapshot(self, op_type: str) -> OpImpl | None:
        """What is there now, to be restored later."""
        found = self._types.get(op_type)
        return replace(found) if found is not None else None

    def restore(self, op_type: str, before: OpImpl | None) -> None:
        """Puts a snapshot back; None: the type is unknown again."""
        with self._lock:
            if before is None:
                self._types.pop(op_type, None)
            else:
                self._types[op_type] = before

    def remove(self, op_type: str) -> None:
        """Forgets a type."""
        self.restore(op_type, None)


def same_as_first_input(context: Any) -> int:
    """InferOutDataTypeSameWithFirstInput: every output has the type of input 0."""
    first = context.ir_input_instance(0)
    dtype = context.get_input_data_type(0)
    if first is None or first[1] == 0 or dtype is DT_UNDEFINED:
        return GRAPH_FAILED
    for index in range(context.num_outputs):
        context.set_output_data_type(index, dtype)
    return GRAPH_SUCCESS


class RegistrationHandle:
    """One registration. `unregister()`, or leaving its `with` block, restores what was there before."""

    def __init__(self, registry: OpImplRegistry, op_type: str, before: OpImpl | None) -> None:
        self._registry, self.op_type, self._before = registry, op_type, before
        self.active = True

    def unregister(self) -> None:
        """A second time does nothing."""
        if self.active:
            self.active = False
            self._registry.restore(self.op_type, self._before)

    def __enter__(self) -> RegistrationHandle:
        return self

    def __exit__(self, *_: Any) -> None:
        self.unregister()


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

    def op_2stage_execute_funcs(self, prepare_func: OpExecPrepareFunc | None, launch_func: OpExecLaunchFunc | None) -> OpImplRegisterV2:
        """Op2StageExecuteFuncs: one function prepares what the kernels need, the other launches them."""
        return self._keep(prepare=prepare_func, launch=launch_func)

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
