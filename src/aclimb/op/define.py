# SPDX-License-Identifier: Apache-2.0
"""`op.define`: an operator declared, its functions added with decorators, registered when you say so."""

from __future__ import annotations

import inspect
import logging
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from aclimb.binary import KernelBinary
from aclimb.compile import Program
from aclimb.errors import AclimbError, InvalidArgument
from aclimb.op.call import Call, Inference, next_name, unknown_output
from aclimb.op.declare import REQUIRED, Declaration, Declared, DeclaredAttr
from aclimb.op.names import kernel_name
from aclimb.op.node import Node, OpTensor, Value, as_tensor
from aclimb.op.options import DEFAULT_OPTIONS, Options
from aclimb.op.prepared import PreparedCache
from aclimb.op.registration import (
    DEFAULT_IMPL,
    DEFAULT_TILING_CAPACITY,
    OpImpl,
    OpImplRegisterV2,
    OpImplRegistry,
    RegistrationHandle,
    same_as_first_input,
)
from aclimb.op.run import run_call, stream_for
from aclimb.op.stages import Stages
from aclimb.op.status import ACLNN_ERR_PARAM_INVALID, ACLNN_ERR_PARAM_NULLPTR, OpError
from aclimb.op.tiling_run import Loaded
from aclimb.runtime.buffer import Buffer
from aclimb.runtime.kernel import Kernel
from aclimb.runtime.stream import Stream
from aclimb.runtime.where import call_site

if TYPE_CHECKING:
    from aclimb.op.plan import Plan

_log = logging.getLogger("aclimb")
F = TypeVar("F", bound=Callable[..., Any])

# decorator -> field of OpImpl
_STAGES = {
    "infer_shape": "infer_shape",
    "infer_shape_range": "infer_shape_range",
    "infer_data_type": "infer_data_type",
    "prepare": "prepare",
    "launch": "launch",
    "execute": "op_execute_func",
    "simplified_key": "gen_simplified_key",
    "infer_format": "infer_format",
    "calc_op_param": "calc_op_param",
    "generate_task": "generate_task",
    "check_support": "check_support",
    "select_format": "op_select_format",
    "on_exception": "exception_dump_parse_func",
}


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


class Operator:
    """An operator: declared, registered, called."""

    def __init__(self, op_type: str, relaunchable: bool, cached: bool, tiling_cache: bool, zero: bool) -> None:
        if not isinstance(op_type, str) or not op_type.isidentifier():
            raise InvalidArgument(f"operator type is {op_type!r}; it takes a name such as AddCustom")
        self.type, self.relaunchable, self.cached, self.tiling_cache = op_type, relaunchable, cached, tiling_cache
        self.launch_with_zero_ele_output_tensors = zero
        self._declaration = Declaration(op_type)
        self._functions: dict[str, Any] = {}
        self._kernel_source: tuple[Any, str | None] | None = None
        self._kernel_made: Kernel | None = None
        self._handle: RegistrationHandle | None = None
        self._loaded = Loaded()
        self._prepared_cache = PreparedCache() if cached else None
        self._where = ""  # where it was registered

    # --- declaring

    def input(
        self,
        name: str,
        *,
        dtype: Iterable[str] | str | None = None,
        dtype_list: Iterable[str] | None = None,
        format: Iterable[str] | str | None = None,
        format_list: Iterable[str] | None = None,
        follow: str | None = None,
        optional: bool = False,
        dynamic: bool = False,
        value_depend: str | None = None,
        host: bool = False,
        scalar: bool = False,
    ) -> Operator:
        """OpDef::Input."""
        if value_depend not in (None, "all", "tiling"):
            raise InvalidArgument(f"{self.type}: value_depend of {name} is {value_depend!r}; it takes 'all' or 'tiling'")
        self._declaration.add(self._declaration.inputs, Declared(
            name, _texts(dtype), _texts(dtype_list), _texts(format), _texts(format_list), follow, optional, dynamic, value_depend, host,
            scalar))  # fmt: skip
        return self

    def output(
        self,
        name: str,
        *,
        dtype: Iterable[str] | str | None = None,
        dtype_list: Iterable[str] | None = None,
        format: Iterable[str] | str | None = None,
        format_list: Iterable[str] | None = None,
        follow: str | None = None,
        dynamic: bool = False,
        nullable: bool = False,
        shape_from_kernel: bool = False,
        init_value: Any = None,
    ) -> Operator:
        """OpDef::Output. One that follows an input has its type, and its shape where there is no infer_shape."""
        self._declaration.add(self._declaration.outputs, Declared(
            name, _texts(dtype), _texts(dtype_list), _texts(format), _texts(format_list), follow, dynamic=dynamic, nullable=nullable,
            shape_from_kernel=shape_from_kernel, init_value=init_value))  # fmt: skip
        return self

    def attr(self, name: str, type: Any, default: Any = REQUIRED) -> Operator:
        """OpDef::Attr."""
        self._declaration.add_attr(DeclaredAttr(name, type, default))
        return self

    def private_attr(self, name: str, type: Any, default: Any = None) -> Operator:
        """PrivateAttr."""
        self._declaration.add_attr(DeclaredAttr(name, type, REQUIRED if default is None else default, private=True))
        return self

    def kernel(self, binary: Kernel | KernelBinary | str | os.PathLike[str], name: str | None = None) -> Operator:
        """What tiling launches: a Kernel, a binary, or the path of a .cpp or .o file. The name is that of the type, in snake_case."""
        self._kernel_source, self._kernel_made = (binary, name), None
        return self

    @property
    def _kernel(self) -> Kernel | None:
        if self._kernel_made is None and self._kernel_source is not None:
            self._kernel_made = self._load(*self._kernel_source)
        return self._kernel_made

    def _load(self, source: Any, name: str | None) -> Kernel:
        if isinstance(source, Kernel):
            return source
        binary = source if isinstance(source, KernelBinary) else None
        if binary is None:
            binary = KernelBinary.read(source) if Path(source).suffix == ".o" else Program(source).compile()
        return Kernel(binary, name or (kernel_name(self.type) if len(binary.kernels) > 1 else None))

    # --- functions

    def _keep(self, stage: str, function: F) -> F:
        if not callable(function):
            raise InvalidArgument(f"{stage} of {self.type} is {function!r}; it takes a function")
        if stage in self._functions:
            raise InvalidArgument(f"{self.type} has a function for {stage} already")
        self._functions[stage] = function
        return function

    def tiling(self, function: Any = None, *, max_tiling_data_size: int = DEFAULT_TILING_CAPACITY) -> Any:
        """Tiling: `@add.tiling` or `@add.tiling(max_tiling_data_size=256)`."""

        def keep(given: F) -> F:
            self._functions["max_tiling_data_size"] = max_tiling_data_size
            return self._keep("tiling", given)

        return keep if function is None else keep(function)

    def tiling_parse(self, compile_info: Callable[[], Any]) -> Callable[[F], F]:
        """TilingParse<T>: `@add.tiling_parse(T)`; T() makes the compile info."""

        def keep(given: F) -> F:
            self._functions["compile_info"] = compile_info
            return self._keep("tiling_parse", given)

        return keep

    # --- what it is

    @property
    def inputs(self) -> list[str]:
        return [each.name for each in self._declaration.inputs]

    @property
    def outputs(self) -> list[str]:
        return [each.name for each in self._declaration.outputs]

    @property
    def attrs(self) -> list[str]:
        return [each.name for each in self._declaration.attrs if not each.private]

    @property
    def combinations(self) -> tuple[dict[str, str], ...]:
        """Which types go together."""
        return self._declaration.combinations()

    @property
    def signature(self) -> inspect.Signature:
        """What a call takes."""
        kind = inspect.Parameter
        inputs = [kind(each.name, kind.POSITIONAL_OR_KEYWORD, default=None if each.optional else kind.empty)
                  for each in sorted(self._declaration.inputs, key=lambda each: each.optional)]  # fmt: skip
        attrs = [kind(each.name, kind.KEYWORD_ONLY, default=kind.empty if each.default is REQUIRED else each.default)
                 for each in self._declaration.attrs if not each.private]  # fmt: skip
        more = [kind(name, kind.KEYWORD_ONLY, default=None) for name in ("out", "stream", "options")]
        return inspect.Signature([*inputs, *attrs, *more])

    def __repr__(self) -> str:
        return f"<Operator {self.type}({', '.join([*self.inputs, *self.attrs])}) -> {', '.join(self.outputs)}>"

    # --- registering

    def register(self, override: bool = False) -> RegistrationHandle:
        """Makes the operator known. A second time it says so; another one of the same type needs override=True."""
        if ("prepare" in self._functions) != ("launch" in self._functions):
            missing = "launch" if "prepare" in self._functions else "prepare"
            raise InvalidArgument(f"{self.type} has no {missing} function; prepare and launch come as a pair")
        if self.cached and not self.relaunchable:
            raise InvalidArgument(f"{self.type}: cached=True keeps what prepare made, which needs relaunchable=True")
        self._declaration.combinations()
        registry, where = OpImplRegistry.instance(), call_site()
        there = registry.get(self.type)
        if self._handle is not None and self._handle.active and there is not None and there.prototype is self:
            _log.warning("%s is registered already, at %s; nothing changed", self.type, self._where)
            return self._handle
        if there is not None and there.prototype is not None and not override:
            raise AclimbError(f"{self.type} is registered already, at {there.prototype._where}; {where} registers another one. Unregister "
                              "the first, or register(override=True)")  # fmt: skip
        self._where = where
        before = registry.snapshot(self.type)
        registry.restore(self.type, None)
        builder = OpImplRegisterV2(self.type, registry)
        self._fill(builder._set)
        builder.commit()
        self._handle = _OperatorHandle(self, registry, before)
        return self._handle

    def _fill(self, impl: OpImpl) -> None:
        for stage, value in self._functions.items():
            setattr(impl, _STAGES.get(stage, stage), value)
        if impl.infer_data_type is None and not self._declaration.outputs:
            impl.infer_data_type = same_as_first_input
        for index, each in enumerate(self._declaration.inputs):
            bit = 1 << index
            impl.host_inputs |= bit if each.host else 0
            impl.inputs_data_dependency |= bit if each.value_depend == "all" else 0
            impl.tiling_inputs_data_dependency |= bit if each.value_depend == "tiling" else 0
        for index, each in enumerate(self._declaration.outputs):
            impl.output_shape_depend_on_compute |= 1 << index if each.shape_from_kernel else 0
            impl.nullable_outputs |= 1 << index if each.nullable else 0
        impl.private_attrs = [(each.name, None if each.default is REQUIRED else each.default)
                              for each in self._declaration.attrs if each.private]  # fmt: skip
        impl.prototype = self

    def unregister(self) -> None:
        """Restores what was there before; nothing when it is not registered."""
        if self._handle is not None:
            self._handle.unregister()

    @contextmanager
    def registered(self) -> Iterator[RegistrationHandle]:
        """Registered while the block lasts."""
        handle = self.register()
        try:
            yield handle
        finally:
            handle.unregister()

    def clear_cache(self) -> None:
        """Forgets what tiling and prepare said before."""
        self._loaded.cache.clear()
        if self._prepared_cache is not None:
            self._prepared_cache.clear()

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

    def plan(self, *inputs: Any, out: Any = None, repeatable: bool = False, options: Options | None = None, **named: Any) -> Plan:
        """The first of two phases: everything but the launch, which `run` of the plan does. C: aclnn<Op>GetWorkspaceSize."""
        from aclimb.op.plan import make_plan  # which knows operators

        return make_plan(self, *self._bind_arguments(inputs, named), _as_list(out), repeatable=repeatable, options=options)

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
    ) -> Call:
        stages = Stages(self.type)
        impl = self._impl()
        on = stream_for(stream, [*values, *(out or [])])
        node: Node = stages("plan", self._node, values, attrs, out)
        return Call(impl, node, on, options or DEFAULT_OPTIONS, stages)

    def _impl(self) -> OpImpl:
        found = OpImplRegistry.instance().get(self.type)
        if found is None or found.prototype is not self:
            raise self._plan_error(ACLNN_ERR_PARAM_INVALID, f"{self.type} is not registered; call register() first")
        return found

    def _plan_error(self, code: int, text: str) -> OpError:
        return OpError(code, text, operator=self.type, stage="plan")

    def _node(self, values: list[Any], attrs: dict[str, Any], out: list[Any] | None) -> Node:
        declaration = self._declaration
        inputs = [self._value(each, value) for each, value in zip(declaration.inputs, values, strict=True)]
        bound = declaration.bind_attrs(attrs)
        given = {each.name: _tensors(value) for each, value in zip(declaration.inputs, inputs, strict=True)}
        outputs: list[Value]
        if out is not None:
            if len(out) != len(declaration.outputs):
                raise OpError(ACLNN_ERR_PARAM_INVALID, f"{self.type} has {len(declaration.outputs)} outputs; {len(out)} are given")
            outputs = [self._value(each, value) for each, value in zip(declaration.outputs, out, strict=True)]
            given |= {each.name: _tensors(value) for each, value in zip(declaration.outputs, outputs, strict=True)}
        else:
            outputs = [unknown_output() for _ in declaration.outputs]
        declaration.require_supported(given)
        return Node(self.type, next_name(self.type), [each.parameter for each in declaration.inputs],
                    [each.parameter for each in declaration.outputs], inputs, outputs, bound)  # fmt: skip

    def _value(self, declared: Declared, value: Any) -> Value:
        if declared.dynamic:
            if not isinstance(value, list | tuple):
                raise OpError(ACLNN_ERR_PARAM_NULLPTR if value is None else ACLNN_ERR_PARAM_INVALID,
                              f"{declared.name} of {self.type} takes a list of tensors")  # fmt: skip
            return [self._tensor(declared, each) for each in value]
        if value is None:
            if declared.optional or declared.nullable:
                return None
            raise OpError(ACLNN_ERR_PARAM_NULLPTR, f"{self.type} needs {declared.name}")
        return self._tensor(declared, value)

    def _tensor(self, declared: Declared, value: Any) -> OpTensor:
        try:
            return as_tensor(np.asarray(value) if declared.scalar and isinstance(value, int | float | bool) else value)
        except AclimbError as error:
            raise OpError(ACLNN_ERR_PARAM_INVALID, f"{declared.name} of {self.type}: {error}") from error

    def _inference(self, call: Call) -> Inference:
        given = {each.name: _tensors(value) for each, value in zip(self._declaration.inputs, call.node.inputs, strict=True)}
        return Inference(call, self._declaration.follows(), self._declaration.output_dtypes(given))

    def _init_values(self) -> dict[int, Any]:
        return {index: each.init_value for index, each in enumerate(self._declaration.outputs) if each.init_value is not None}


def _decorator(stage: str) -> Any:
    def keep(self: Operator, function: F) -> F:
        return self._keep(stage, function)

    keep.__name__, keep.__doc__ = stage, f"The function for {stage}; gives it back, so that it can be a decorator."
    return keep


for _stage in _STAGES:
    setattr(Operator, _stage, _decorator(_stage))


class _OperatorHandle(RegistrationHandle):
    """Also ends what was made once for the operator."""

    def __init__(self, operator: Operator, registry: OpImplRegistry, before: OpImpl | None) -> None:
        super().__init__(registry, operator.type, before)
        self._operator = operator

    def unregister(self) -> None:
        if self.active:
            super().unregister()
            self._operator._loaded.close()
            self._operator.clear_cache()


def results_of(call: Call) -> list[Any]:
    """The buffers of the outputs; None for one that is absent."""
    return [[each.buffer for each in value] if isinstance(value, list) else value.buffer if value is not None else None
            for value in call.node.outputs]  # fmt: skip


def _tensors(value: Value) -> list[OpTensor]:
    return value if isinstance(value, list) else [value] if value is not None else []


def _as_list(out: Any) -> list[Any] | None:
    if out is None:
        return None
    return list(out) if isinstance(out, list | tuple) else [out]


def _texts(names: Iterable[str] | str | None) -> tuple[str, ...]:
    return () if names is None else (names,) if isinstance(names, str) else tuple(names)
