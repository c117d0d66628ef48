# SPDX-License-Identifier: Apache-2.0
"""`OpDef`: what an operator declares, its functions added with decorators, registered when you say so."""

from __future__ import annotations

import inspect
import logging
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Self, TypeVar

from aclimb.binary import KernelBinary
from aclimb.errors import AclimbError, InvalidArgument
from aclimb.op.declare.declaration import REQUIRED, Declaration, Declared, DeclaredAttr
from aclimb.op.declare.impl import DEFAULT_TILING_CAPACITY, OpImpl
from aclimb.op.declare.kernel import KernelSource
from aclimb.op.declare.kernels import Kernels
from aclimb.op.declare.register import OpImplRegisterV2, same_as_first_input
from aclimb.op.declare.registry import OpImplRegistry, RegistrationHandle
from aclimb.op.declare.space import default_space_registry
from aclimb.op.status import ACLNN_ERR_PARAM_INVALID, OpError
from aclimb.runtime.kernel import Kernel
from aclimb.runtime.where import call_site

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


class OpDef:
    """An operator as it is declared and registered. Calling it is the business of `Operator`, which everybody has."""

    has_system_workspace = False  # whether a workspace that is large enough begins with the library's part

    def __init__(self, op_type: str, relaunchable: bool, cached: bool, tiling_cache: bool, zero: bool) -> None:
        if not isinstance(op_type, str) or not op_type.isidentifier():
            raise InvalidArgument(f"operator type is {op_type!r}; it takes a name such as AddCustom")
        self.type, self.relaunchable, self.cached, self.tiling_cache = op_type, relaunchable, cached, tiling_cache
        self.launch_with_zero_ele_output_tensors = zero
        self._declaration = Declaration(op_type)
        self._functions: dict[str, Any] = {}
        self._kernels: Kernels | None = None
        self._handle: RegistrationHandle | None = None
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
    ) -> Self:
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
    ) -> Self:
        """OpDef::Output. One that follows an input has its type, and its shape where there is no infer_shape."""
        self._declaration.add(self._declaration.outputs, Declared(
            name, _texts(dtype), _texts(dtype_list), _texts(format), _texts(format_list), follow, dynamic=dynamic, nullable=nullable,
            shape_from_kernel=shape_from_kernel, init_value=init_value))  # fmt: skip
        return self

    def attr(self, name: str, type: Any, default: Any = REQUIRED) -> Self:
        """OpDef::Attr."""
        self._declaration.add_attr(DeclaredAttr(name, type, default))
        return self

    def private_attr(self, name: str, type: Any, default: Any = None) -> Self:
        """PrivateAttr."""
        self._declaration.add_attr(DeclaredAttr(name, type, REQUIRED if default is None else default, private=True))
        return self

    def kernel(self, binary: Kernel | KernelBinary | KernelSource | str | os.PathLike[str], name: str | None = None) -> Self:
        """What tiling launches: a Kernel, a binary, or the path of a .cpp or .o file. The name is that of the type, in snake_case.

        A source that reads DTYPE_X, ORIG_DTYPE_X or FORMAT_X is built for each row of the declared types that is called.
        """
        self._kernels = Kernels(self._declaration, binary, name)
        return self

    # --- functions

    def _keep(self, stage: str, function: F) -> F:
        if not callable(function):
            raise InvalidArgument(f"{stage} of {self.type} is {function!r}; it takes a function")
        if stage in self._functions:
            raise InvalidArgument(f"{self.type} has a function for {stage} already")
        self._functions[stage] = function
        return function

    if TYPE_CHECKING:  # a decorator for each of _STAGES, made below

        def _stage(self, function: F, /) -> F: ...

        infer_shape = infer_shape_range = infer_data_type = prepare = launch = execute = simplified_key = _stage
        infer_format = calc_op_param = generate_task = check_support = select_format = on_exception = _stage

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
        there = default_space_registry().get_op_impl(self.type)
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
        self._handle = _DefinitionHandle(self, registry, before)
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

    def _close(self) -> None:
        """The operator is no longer registered."""

    def _impl(self) -> OpImpl:
        found = default_space_registry().get_op_impl(self.type)
        if found is None or found.prototype is not self:
            raise self._plan_error(ACLNN_ERR_PARAM_INVALID, f"{self.type} is not registered; call register() first")
        return found

    def _plan_error(self, code: int, text: str) -> OpError:
        return OpError(code, text, operator=self.type, stage="plan")

    def _init_values(self) -> dict[int, Any]:
        return {index: each.init_value for index, each in enumerate(self._declaration.outputs) if each.init_value is not None}


def _decorator(stage: str) -> Any:
    def keep(self: OpDef, function: F) -> F:
        return self._keep(stage, function)

    keep.__name__, keep.__doc__ = stage, f"The function for {stage}; gives it back, so that it can be a decorator."
    return keep


for _stage in _STAGES:
    setattr(OpDef, _stage, _decorator(_stage))


class _DefinitionHandle(RegistrationHandle):
    """Also ends what was made once for the operator."""

    def __init__(self, definition: OpDef, registry: OpImplRegistry, before: OpImpl | None) -> None:
        super().__init__(registry, definition.type, before)
        self._definition = definition

    def unregister(self) -> None:
        if self.active:
            super().unregister()
            self._definition._close()


def _texts(names: Iterable[str] | str | None) -> tuple[str, ...]:
    return () if names is None else (names,) if isinstance(names, str) else tuple(names)
