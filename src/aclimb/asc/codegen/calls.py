# SPDX-License-Identifier: Apache-2.0
"""What a call means: a device call of the table, a method, a helper, a struct, or Python at compile time."""

from __future__ import annotations

import ast
import builtins
from typing import TYPE_CHECKING, Any, cast

from aclimb.asc.codegen import arguments, scalars
from aclimb.asc.codegen.arguments import NUMBERS, Given, Written
from aclimb.asc.codegen.errors import Refusal
from aclimb.asc.codegen.printing import format_and_values
from aclimb.asc.codegen.python_calls import PythonCalls
from aclimb.asc.codegen.tree import Effect
from aclimb.asc.codegen.values import POSTFIX, SUM, Address, Method, Object, Scalar, StructOf, Tensor, Type, Value, words
from aclimb.asc.language import table
from aclimb.asc.language.core.dtype import DataType, int32, uint8
from aclimb.asc.language.core.struct import Struct
from aclimb.asc.language.device import DeviceFunction, DeviceObject, Special

if TYPE_CHECKING:
    from aclimb.asc.codegen.body import Body

_AT_ONCE = {
    "GetBlockIdx",
    "GetBlockNum",
    "GetSubBlockIdx",
    "GetSubBlockNum",
    "GetTaskRatio",
    "GetDataBlockSizeInBytes",
    "GetSortLen",
    "GetSortOffset",
    "GetSize",
    "GetLength",
    "GetPosition",
    "GetUserTag",
    "GetPhyAddr",
    "ReinterpretCast",
    "GetSysWorkSpacePtr",
    "shape",
    "originalShape",
    "GetShapeSize",
}  # fmt: skip  results that do not depend on when they are asked for
_WRITTEN = ("dst", "shared_tmp", "temp_buffer", "tmp", "sum", "max", "ub_workspace")  # parameters that a call writes
_FETCHES = ("get_tensor_c", "get_batch_tensor_c", "async_get_tensor_c", "iterate_all")  # of a Matmul: into the tensor they are given


class Calls(PythonCalls):
    def special(self, name: str, args: list[Any], kwargs: Given, node: ast.Call) -> Any:
        raise NotImplementedError

    def call(self, node: ast.Call) -> Any:
        hint, self.hint = self.hint, ""
        function = self.evaluate(node.func)
        if function is builtins.print or (isinstance(function, Special) and function.__name__ == "printf"):
            return self._print(node, is_python=function is builtins.print)
        args, nodes = self._positional(node)
        kwargs: Given = {}
        for keyword in node.keywords:
            if keyword.arg is None:
                raise Refusal("** in a call has no meaning in a kernel", keyword.value, "write the arguments out", is_syntax=True)
            kwargs[keyword.arg] = self.operand(keyword.value)
        self.hint = hint
        keywords: dict[str, ast.AST] = {keyword.arg: keyword.value for keyword in node.keywords if keyword.arg}
        return self._apply(function, args, kwargs, node, nodes, keywords)

    def _positional(self, node: ast.Call) -> tuple[list[Any], list[ast.AST]]:
        args, nodes = list[Any](), list[ast.AST]()
        for each in node.args:
            found = self.iterable(self.operand(each.value), each) if isinstance(each, ast.Starred) else [self.operand(each)]
            args += found
            nodes += [each] * len(found)
        return args, nodes

    def _apply(
        self, function: Any, args: list[Any], kwargs: Given, node: ast.Call, nodes: list[ast.AST], keywords: dict[str, ast.AST]
    ) -> Any:
        if isinstance(function, Method):
            return self._method(function, args, kwargs, node, nodes, keywords)
        if isinstance(function, DeviceFunction):
            return self.table_call(function.call, None, "", args, kwargs, nodes, keywords)
        if isinstance(function, Special) or (isinstance(function, type) and issubclass(function, DeviceObject)):
            return self.special(function.__name__, args, kwargs, node)
        if isinstance(function, type) and issubclass(function, Struct):
            return self._struct(function, args, kwargs, node)
        if isinstance(function, Value):
            return self.part(function, args[0] if len(args) == 1 else None, node)
        if hasattr(function, "asc_source"):
            return self.unit.helpers.helper(cast("Body", self), function.asc_source(), args, kwargs, node)
        return self._at_compile_time(function, args, kwargs, node)

    # --- the table

    def table_call(
        self,
        call: table.Call,
        own: Value | None,
        owner: str,
        args: list[Any],
        kwargs: Given,
        nodes: list[ast.AST],
        keywords: dict[str, ast.AST],
    ) -> Any:
        """The first overload that takes the arguments, as text."""
        for overload in call.overloads:
            given = arguments.fit(overload, args, kwargs)
            if given is not None:
                break
        else:
            raise arguments.no_fit(f"{owner}.{call.name}" if owner else call.name, call, args, kwargs)
        places: dict[str, ast.AST] = {each.name: at for each, at in zip(overload.parameters, nodes, strict=False)} | keywords
        written = Written(self, overload, given, places, own)
        texts, template = written.arguments(), written.template()
        effect = _effect(call, owner, own, overload, given)
        self.unit.uses(call, owner, self)
        if call.name == "get_shape_size":
            return self._shape_size(given["shape_info"])
        if call.name == "gather_mask":  # C++ gives the count back through its last argument
            rest = self.declare(Scalar(NUMBERS["u64"]), "rsvd_cnt", "0")
            texts.append(rest.text)
            self.emit(f"{call.cpp}{template}({', '.join(texts)})", effect)
            return rest
        head = f"{own.inside(POSTFIX)}." if own else ""
        tail = f"[{texts[0]}]" if overload.is_subscript else f"({', '.join(texts)})"
        text = f"{head}{call.cpp}{template}{tail}"
        if not overload.result:
            self.emit(text, effect)
            return None
        return self._result(overload.result, text, call, own, given, effect)

    def _shape_size(self, info: Value) -> Value:
        """The device headers have no call for it: the product of the sides."""
        assert isinstance(info.type, Object)
        sides = range(info.type.facts.get("sides", 1))
        return Value(Scalar(int32), f"static_cast<int32_t>({' * '.join(f'{info.text}.shape[{side}]' for side in sides)})")

    def _result(self, result: str, text: str, call: table.Call, own: Value | None, given: Given, effect: Effect) -> Value:
        is_pending = call.cpp not in _AT_ONCE
        kind: Type
        bare = ""
        if result in NUMBERS:
            kind = Scalar(NUMBERS[result])
            if result not in ("bool", "i64", "u64"):
                text, bare = f"static_cast<{kind.cpp()}>({text})", text
        elif result.startswith("of "):
            dtype = self.dtype_of(own, self.node) if result == "of self" and own else given[result[3:]]
            kind = Scalar(dtype)
        elif result.startswith("tensor of "):
            kind = Tensor(True, given[result[10:]])
        elif result.startswith("address"):
            kind = Address(self.dtype_of(own, self.node) if result.endswith("self") and own else uint8)
        else:
            kind = Object(result, result)
        root = own.root if own is not None and isinstance(kind, Tensor) else None  # a part of that tensor, queue or buffer
        return Value(kind, text, POSTFIX, is_pending=is_pending, bare=bare, root=root, effect=effect)

    # --- methods

    def _method(
        self, method: Method, args: list[Any], kwargs: Given, node: ast.Call, nodes: list[ast.AST], keywords: dict[str, ast.AST]
    ) -> Any:
        value, name, kind = method.value, method.name, method.value.type
        if isinstance(kind, Scalar):
            return self._scalar_method(value, name, args, kwargs, node)
        if isinstance(kind, Tensor):
            owner = "LocalTensor" if kind.is_local else "GlobalTensor"
        else:
            owner = kind.kind if isinstance(kind, Object) else ""
        if owner == "GlobalTensor" and name == "set_global_buffer":
            return self._set_global_buffer(value, args, kwargs, node)
        special = getattr(self, f"_{owner}_{name}", None)
        if special is not None:
            return special(value, args, kwargs, node)
        found = table.methods().get({"TQueBind": "TQue", "LocalTensorAuto": "LocalTensor"}.get(owner, owner), {}).get(name)
        if found is None:
            raise Refusal(f"{words(value)} has no {name}", node.func)
        return self.table_call(found, value, owner, args, kwargs, nodes, keywords)

    def _scalar_method(self, value: Value, name: str, args: list[Any], kwargs: Given, node: ast.Call) -> Any:
        given = [*args, *kwargs.values()]
        if name == "cast" and len(given) == 1 and isinstance(given[0], DataType):
            return scalars.convert(value, given[0], node, is_explicit=True)
        if name == "ceildiv" and len(given) == 1:
            return self.ceildiv(value, given[0], node)
        raise Refusal(f"{words(value)} has no {name} like this", node, "numbers have x.cast(dtype), x.ceildiv(y) and x.dtype")

    def ceildiv(self, x: Any, y: Any, node: ast.AST) -> Any:
        if not isinstance(x, Value) and not isinstance(y, Value):
            return (x + y - 1) // y
        if any(isinstance(each, Value) and each.is_scalar and each.dtype.is_float() for each in (x, y)):
            raise Refusal("ceildiv is for whole numbers", node, "cast first: x.cast(asc.int32)")
        above = scalars.binary(ast.Sub(), scalars.binary(ast.Add(), x, y, node), 1, node)
        return scalars.binary(ast.FloorDiv(), above, y, node)

    def _set_global_buffer(self, value: Value, args: list[Any], kwargs: Given, node: ast.Call) -> None:
        given = dict(zip(("buffer", "buffer_size"), args, strict=False)) | kwargs
        buffer, size = given.get("buffer"), given.get("buffer_size")
        if not isinstance(buffer, Value) or not isinstance(buffer.type, Address):
            raise Refusal(
                f"set_global_buffer was given {words(buffer)}", node, "it takes an address: a pointer parameter, or one plus an offset"
            )
        assert isinstance(value.type, Tensor)
        if value.type.dtype not in (None, buffer.dtype):
            raise Refusal(
                f"the global tensor has elements of {value.type.dtype}; the address is one of {buffer.dtype}",
                node,
                "use a second GlobalTensor",
            )
        value.type.dtype = buffer.dtype
        texts = [buffer.text, *([self.number(size, node.args[1] if len(node.args) > 1 else node)] if size is not None else [])]
        self.emit(f"{value.inside(POSTFIX)}.SetGlobalBuffer({', '.join(texts)})")

    def number(self, value: Any, node: ast.AST) -> str:
        """A whole number, as an argument."""
        if isinstance(value, Value):
            return value.bare or value.text
        return self.unit.named(self, node, value) or scalars.constant(value, node).text

    # --- structs, printing, Python

    def _struct(self, cls: type[Struct], args: list[Any], kwargs: Given, node: ast.Call) -> Value:
        """A local one; what is not given has its default."""
        if args:
            raise Refusal(f"{cls.__name__} takes its fields by name", node, f"{cls.__name__}({next(iter(cls._fields), 'x')}=...)")
        self.unit.struct(cls)
        made = self.declare(StructOf(cls), self.hint or cls.__name__.lower(), "{}", owner=self.hint)
        for name, field in cls._fields.items():
            value = kwargs.pop(name, field.default)
            if value is not None and not isinstance(value, Struct) and not (value == 0 and not isinstance(value, Value)):
                self.set_field(made, name, value, node)
        if kwargs:
            raise Refusal(f"{cls.__name__} has no field {next(iter(kwargs))}", node)
        return made

    def set_field(self, value: Value, name: str, new: Any, node: ast.AST) -> None:
        target = self.unit.field(value, name)
        text = scalars.convert(new, target.dtype, node).text if target.is_scalar else new.text
        self.emit(f"{target.text} = {text}")

    def _print(self, node: ast.Call, *, is_python: bool) -> None:
        text, values = format_and_values(self, node, is_python=is_python)
        self.emit(f"AscendC::printf({', '.join([arguments.quoted(text), *values])})")


def _effect(call: table.Call, owner: str, own: Value | None, overload: table.Overload, given: Given) -> Effect:
    effect = Effect(call, owner, own)
    for parameter in overload.parameters:
        value = given[parameter.name]
        for each in value if isinstance(value, list | tuple) else [value]:
            if isinstance(each, Value) and each.is_tensor:
                (effect.writes if parameter.name.startswith(_WRITTEN) else effect.reads).append(each)
    if owner == "Matmul" and call.name in _FETCHES:
        effect.reads, effect.writes = [], [*effect.writes, *effect.reads]
    if owner in ("LocalTensor", "GlobalTensor") and own is not None:
        (effect.writes if call.name == "set_value" else effect.reads).append(own)
    return effect


assert SUM > POSTFIX
