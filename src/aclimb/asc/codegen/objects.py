# SPDX-License-Identifier: Apache-2.0
"""Device objects as a kernel makes them: tensors, queues, buffers, parameter structs; and the calls that no row of the table can say."""

from __future__ import annotations

import ast
import math
from typing import Any, NamedTuple

from aclimb.asc.codegen import arguments, scalars
from aclimb.asc.codegen.arguments import NUMBERS, Given, quoted
from aclimb.asc.codegen.calls import Calls
from aclimb.asc.codegen.errors import Refusal
from aclimb.asc.codegen.tree import Declare, Line
from aclimb.asc.codegen.values import POSTFIX, Array, Object, Scalar, Tensor, Value, Variable, words
from aclimb.asc.language import table
from aclimb.asc.language.core import enums
from aclimb.asc.language.core.dtype import DataType, KnownTypes, float32, int16, int32, uint32
from aclimb.asc.language.core.enums import TPosition

_PROPERTIES = {"ONE_BLK_SIZE": int16}


class Part(NamedTuple):
    """A parameter struct whose element type only the struct around it knows."""

    record: table.Record
    given: Given


def _bound(names: tuple[str, ...], defaults: Given, args: list[Any], kwargs: Given, node: ast.AST) -> Given:
    given = dict(zip(names, args, strict=False))
    for name, value in kwargs.items():
        if name not in names or name in given:
            raise Refusal(f"no argument {name} here", node, f"it takes {', '.join(names)}")
        given[name] = value
    missing = [name for name in names if name not in given and name not in defaults]
    if missing or len(args) > len(names):
        raise Refusal(f"{missing[0]} is missing" if missing else f"{len(args)} arguments", node, f"it takes {', '.join(names)}")
    return defaults | given


class Objects(Calls):
    loops: list[int | None]  # by open loop: its depth where it is unrolled, None where it is one of C++

    def special(self, name: str, args: list[Any], kwargs: Given, node: ast.Call) -> Any:
        if name in self.unit.records:
            return self._record(self.unit.records[name], args, kwargs, node)
        make = getattr(self, f"_make_{name}", None)
        if make is None:
            raise Refusal(f"asc.{name} is not supported yet", node)
        return make(args, kwargs, node)

    def _known(self, value: Any, kind: type, what: str, node: ast.AST) -> Any:
        if not isinstance(value, kind):
            raise Refusal(f"{what} is {words(value)}; it takes a {kind.__name__} that is known at compile time", node)
        return value

    def _object(self, kind: str, cpp: str, node: ast.AST, **facts: Any) -> Value:
        return self.declare(Object(kind, cpp, facts), self.hint or kind.lower(), None, owner=self.hint)

    # --- tensors

    def _make_GlobalTensor(self, args: list[Any], kwargs: Given, node: ast.Call) -> Value:  # noqa: N802
        return self.declare(Tensor(False), self.hint or "global_tensor", None, owner=self.hint)

    def _make_LocalTensor(self, args: list[Any], kwargs: Given, node: ast.Call) -> Value:  # noqa: N802
        given = _bound(("dtype", "pos", "addr", "tile_size"), {"pos": None, "addr": 0, "tile_size": 0}, args, kwargs, node)
        kind = Tensor(True, self._known(given["dtype"], DataType, "dtype", node))
        if given["pos"] is None and len(args) + len(kwargs) == 1:
            return self.declare(kind, self.hint or "local", None, owner=self.hint)
        pos = given["pos"] if given["pos"] is not None else TPosition.VECIN
        texts = [
            enums.in_cpp(self._known(pos, TPosition, "pos", node)),
            *(self.number(given[each], node) for each in ("addr", "tile_size")),
        ]
        inside = ", ".join(texts)
        return self.declare(kind, self.hint or "local", inside, owner=self.hint, is_constructed=True)

    def _make_LocalTensorAuto(self, args: list[Any], kwargs: Given, node: ast.Call) -> Value:  # noqa: N802
        """A buffer of its own; insert_sync orders who touches it."""
        given = _bound(("dtype", "shape"), {}, args, kwargs, node)
        dtype, shape = self._known(given["dtype"], DataType, "dtype", node), given["shape"]
        sides = list(shape) if isinstance(shape, list | tuple) else [shape]
        name = self.hint or "tensor"
        pipe = self.unit.own_pipe(self)
        known = not any(isinstance(each, Value) for each in sides)
        if not known and any(depth is None for depth in self.loops):
            raise Refusal("the shape is only known when the kernel runs, and this is a loop, which would take new memory every turn", node,
                          "make the tensor before the loop, or its shape a ConstExpr")  # fmt: skip
        size = str(-(-math.prod(sides) * dtype.sizeof() // 32) * 32) if known else self._auto_size(sides, dtype, node)
        buffer = Variable(self.fresh(f"{name}_buf"), self, "", line=self.place.line)
        kind = Object("TBuf", "TBuf<TPosition::VECCALC>")
        made = [Declare(self.place, kind, buffer), Line(self.place, f"{pipe}.InitBuffer({buffer.name}, {size})")]
        self.cpp_names[0].add(buffer.name)
        if known:
            self.unit.autos += made
        else:
            self.statements += made
        return self.declare(Tensor(True, dtype), name, f"{buffer.name}.Get<{dtype.cpp}>()", owner=self.hint)

    def _auto_size(self, sides: list[Any], dtype: DataType, node: ast.AST) -> str:
        product = " * ".join([f"static_cast<int64_t>({self.number(each, node)})" for each in sides] + [str(dtype.sizeof())])
        return f"({product} + 31) / 32 * 32"

    def _make_LocalMemAllocator(self, args: list[Any], kwargs: Given, node: ast.Call) -> Value:  # noqa: N802
        given = _bound(("hard",), {"hard": enums.Hardware["UB"]}, args, kwargs, node)
        return self._object("LocalMemAllocator", f"LocalMemAllocator<{enums.in_cpp(given['hard'])}>", node)

    def _LocalMemAllocator_alloc(self, own: Value, args: list[Any], kwargs: Given, node: ast.Call) -> Value:  # noqa: N802
        given = _bound(("pos", "data_type", "tile_size"), {}, args, kwargs, node)
        pos, dtype, size = given["pos"], self._known(given["data_type"], DataType, "data_type", node), given["tile_size"]
        head = f"{own.inside(POSTFIX)}.Alloc<{enums.in_cpp(pos)}, {dtype.cpp}"
        text = f"{head}>({size.text})" if isinstance(size, Value) else f"{head}, {size}>()"
        return Value(Tensor(True, dtype), text, POSTFIX, is_pending=True)

    def _make_MrgSortSrcList(self, args: list[Any], kwargs: Given, node: ast.Call) -> Value:  # noqa: N802
        given = _bound(("dtype", "src1", "src2", "src3", "src4"), {"src3": None, "src4": None}, args, kwargs, node)
        sources = [given[f"src{i}"] for i in range(1, 5)]
        texts = [(each if each is not None else sources[1]).text for each in sources]
        made = self._object("MrgSortSrcList", f"MrgSortSrcList<{given['dtype'].cpp}>", node)
        for index, text in enumerate(texts):
            self.emit(f"{made.text}.src{index + 1} = {text}")
        return made

    # --- framework

    def _make_TPipe(self, args: list[Any], kwargs: Given, node: ast.Call) -> Value:  # noqa: N802
        if self.unit.pipe is not None and self.unit.wanted.insert_sync:
            return self.unit.pipe
        if self.unit.pipe is not None:
            raise Refusal("a kernel has one TPipe, and there is one already", node, "pass it on, or ask asc.get_tpipe_ptr()")
        self.unit.pipe = self._object("TPipe", "TPipe", node)
        return self.unit.pipe

    def _make_get_tpipe_ptr(self, args: list[Any], kwargs: Given, node: ast.Call) -> Value:
        if self.unit.pipe is None:
            raise Refusal("there is no TPipe yet", node, "make one: pipe = asc.TPipe()")
        if self.unit.pipe.variable is not None and self.unit.pipe.variable.frame is self:
            return self.unit.pipe
        return Value(Object("TPipe", "TPipe"), "(*GetTPipePtr())")

    def _make_TQue(self, args: list[Any], kwargs: Given, node: ast.Call) -> Value:  # noqa: N802
        given = _bound(("pos", "depth", "mask"), {"pos": TPosition.VECIN, "mask": 0}, args, kwargs, node)
        pos, depth = self._known(given["pos"], TPosition, "pos", node), self._known(given["depth"], int, "depth", node)
        mask = f", {given['mask']}" if given["mask"] else ""
        return self._object("TQue", f"TQue<{enums.in_cpp(pos)}, {depth}{mask}>", node, pos=pos)

    def _make_TQueBind(self, args: list[Any], kwargs: Given, node: ast.Call) -> Value:  # noqa: N802
        given = _bound(("src", "dst", "depth", "mask"), {"depth": 0, "mask": 0}, args, kwargs, node)
        ends = f"{enums.in_cpp(given['src'])}, {enums.in_cpp(given['dst'])}"
        mask = f", {given['mask']}" if given["mask"] else ""
        return self._object(
            "TQueBind", f"TQueBind<{ends}, {self._known(given['depth'], int, 'depth', node)}{mask}>", node, pos=given["src"]
        )

    def _make_TBuf(self, args: list[Any], kwargs: Given, node: ast.Call) -> Value:  # noqa: N802
        given = _bound(("pos",), {"pos": TPosition.VECCALC}, args, kwargs, node)
        return self._object("TBuf", f"TBuf<{enums.in_cpp(self._known(given['pos'], TPosition, 'pos', node))}>", node, pos=given["pos"])

    def _make_TBufPool(self, args: list[Any], kwargs: Given, node: ast.Call) -> Value:  # noqa: N802
        given = _bound(("pos", "buf_id_size"), {"buf_id_size": 4}, args, kwargs, node)
        return self._object("TBufPool", f"TBufPool<{enums.in_cpp(given['pos'])}, {given['buf_id_size']}>", node)

    # --- scalars and arrays

    def _make_number(self, args: list[Any], kwargs: Given, node: ast.Call) -> Value:
        given = _bound(("value", "dtype"), {"dtype": None}, args, kwargs, node)
        value, dtype = given["value"], given["dtype"]
        made = (
            scalars.convert(value, dtype, node, is_explicit=True)
            if dtype
            else value
            if isinstance(value, Value)
            else scalars.constant(value, node)
        )
        return self.declare(made.type, self.hint or "number", made.text, owner=self.hint)

    def _make_array(self, args: list[Any], kwargs: Given, node: ast.Call) -> Value:
        given = _bound(("dtype", "n", "fill_value"), {"fill_value": None}, args, kwargs, node)
        dtype, size, fill = self._known(given["dtype"], DataType, "dtype", node), given["n"], given["fill_value"]
        values = list(size) if isinstance(size, list | tuple) else None
        length = len(values) if values is not None else self._known(size, int, "n", node)
        if values is None and fill is not None:
            values = [fill] * length
        texts = [scalars.convert(each, dtype, node).text for each in values or []]
        return self.declare(Array(dtype, length), self.hint or "array", f"{{{', '.join(texts)}}}" if texts else "{}", owner=self.hint)

    def _make_ceildiv(self, args: list[Any], kwargs: Given, node: ast.Call) -> Any:
        given = _bound(("x", "y"), {}, args, kwargs, node)
        return self.ceildiv(given["x"], given["y"], node)

    def _make_property(self, args: list[Any], kwargs: Given, node: ast.Call) -> Value:
        name = str(args[0])
        return Value(Scalar(_PROPERTIES.get(name, int32)), f"static_cast<{_PROPERTIES.get(name, int32).cpp}>(AscendC::{name})")

    def _make_static_assert(self, args: list[Any], kwargs: Given, node: ast.Call) -> None:
        given = _bound(("test", "message"), {"message": None}, args, kwargs, node)
        if isinstance(given["test"], Value):
            raise Refusal("the condition is only known when the kernel runs", node, "use assert")
        if not given["test"]:
            raise Refusal(f"static_assert: {given['message'] or ast.unparse(node.args[0])}", node)

    def _make_inline(self, args: list[Any], kwargs: Given, node: ast.Call) -> None:
        given = _bound(("code", "args", "before_function"), {"args": None, "before_function": False}, args, kwargs, node)
        code = self._known(given["code"], str, "code", node)
        for index, value in reversed(list(enumerate(given["args"] or []))):
            code = code.replace(f"${index}", value.text if isinstance(value, Value) else scalars.constant(value, node).text)
        if given["before_function"]:
            self.unit.kernel.before.append(code)
        else:
            self.emit(code.strip().rstrip(";"))

    def _make_ascend_is_aic(self, args: list[Any], kwargs: Given, node: ast.Call) -> Value:
        return Value(Scalar(KnownTypes.bit), "(g_coreType == AscendC::AIC)", bare="ASCEND_IS_AIC")

    def _make_ascend_is_aiv(self, args: list[Any], kwargs: Given, node: ast.Call) -> Value:
        return Value(Scalar(KnownTypes.bit), "(g_coreType == AscendC::AIV)", bare="ASCEND_IS_AIV")

    # --- parameter structs

    def _record(self, record: table.Record, args: list[Any], kwargs: Given, node: ast.Call) -> Value | Part:
        """As one expression where the C++ constructor takes the fields in this order; else a variable, member by member."""
        dtype = float32
        if record.is_generic:
            dtype, *args = args if args else [kwargs.pop("dtype", None)]
            dtype = self._known(dtype, DataType, "dtype", node)
        names = tuple(each.name for each in record.fields)
        spare = {f"{each.name}_in": each.name for each in record.fields}  # as some published overloads spell them
        kwargs = {spare.get(name, name): value for name, value in kwargs.items()}
        given = _bound(
            names, {each.name: arguments.default_of(each) for each in record.fields if each.default is not None}, args, kwargs, node
        )
        return Part(record, given) if any(each.kind == "of outer" for each in record.fields) else self._made(record, given, dtype, node)

    def _made(self, record: table.Record, given: Given, dtype: DataType, node: ast.Call) -> Value:
        is_generic = record.is_generic or any(each.kind == "of outer" for each in record.fields)
        members = {each.name: (each.member, NUMBERS.get(each.kind, dtype)) for each in record.fields}
        cpp = f"{record.name}<{dtype.cpp}>" if is_generic else record.name
        kind = Object(record.name, cpp, {"members": members})
        if record.has_braces:
            texts = [self._field_text(each, given[each.name], dtype, node) for each in record.fields]
            return Value(kind, f"{cpp}({', '.join(texts)})", POSTFIX)
        hint, self.hint = self.hint, ""
        given = {name: self._made(each.record, each.given, dtype, node) if isinstance(each, Part) else each for name, each in given.items()}
        made = self.declare(kind, hint or "params", None, owner=hint)
        for each in record.fields:
            value = given[each.name]
            if each.kind == "u16s" and isinstance(value, list | tuple):
                for index, item in enumerate(value):
                    self.emit(f"{made.text}.{each.member}[{index}] = {self.number(item, node)}")
            elif value is not None:
                self.emit(f"{made.text}.{each.member} = {self._field_text(each, value, dtype, node)}")
        return made

    def _field_text(self, field: table.Parameter, value: Any, dtype: DataType, node: ast.AST) -> str:
        if field.kind in enums.ALL:
            return enums.in_cpp(self._known(value, enums.ALL[field.kind], field.name, node))
        if isinstance(value, Value):
            if field.kind in NUMBERS and not NUMBERS[field.kind].is_float() and value.is_scalar and value.dtype.is_float():
                raise Refusal(f"{field.name} is a float; it takes a whole number", node)
            return value.bare or value.text
        if field.kind.startswith("of "):
            return scalars.literal(value, dtype, node)
        return scalars.literal(value, NUMBERS.get(field.kind, scalars.natural(value)), node)

    def _make_QuantConfig(self, args: list[Any], kwargs: Given, node: ast.Call) -> Value:  # noqa: N802
        """A constant with static storage: a template argument of quant."""
        names = ("calc_count", "offset_count", "scale_count", "work_local_size")
        given = _bound(names, dict.fromkeys(names, 0), args, kwargs, node)
        numbers = ", ".join(str(self._known(given[name], int, name, node)) for name in names)
        text = f"{{{numbers}}};"
        for line in self.unit.kernel.before:
            if line.startswith("constexpr AscendQuantConfig ") and line.endswith(text):
                return Value(Object("QuantConfig", "AscendQuantConfig"), line.split()[2])
        name = f"QUANT_CONFIG_{sum(line.startswith('constexpr AscendQuantConfig') for line in self.unit.kernel.before)}"
        self.unit.kernel.before.append(f"constexpr AscendQuantConfig {name} = {text}")
        return Value(Object("QuantConfig", "AscendQuantConfig"), name)

    def _make_FixpipeConfig(self, args: list[Any], kwargs: Given, node: ast.Call) -> Value:  # noqa: N802
        given = _bound(("layout",), {"layout": enums.CO2Layout["ROW_MAJOR"]}, args, kwargs, node)
        return Value(Object("FixpipeConfig", "FixpipeConfig"), "CFG_NZ" if given["layout"] == enums.CO2Layout["NZ"] else "CFG_ROW_MAJOR")

    def _make_ShapeInfo(self, args: list[Any], kwargs: Given, node: ast.Call) -> Value:  # noqa: N802
        given = _bound(
            ("shape", "original_shape", "data_format"), {"original_shape": None, "data_format": enums.DataFormat["ND"]}, args, kwargs, node
        )
        shapes = [self._shape(given[name], name, node) for name in ("shape", "original_shape") if given[name] is not None]
        inside = ", ".join([*(f"{length}, {text}" for text, length in shapes), enums.in_cpp(given["data_format"])])
        return self.declare(
            Object("ShapeInfo", "ShapeInfo", {"sides": shapes[0][1]}),
            self.hint or "shape_info",
            inside,
            owner=self.hint,
            is_constructed=True,
        )

    def _shape(self, value: Any, name: str, node: ast.AST) -> tuple[str, int]:
        if isinstance(value, Value) and isinstance(value.type, Array):
            if value.type.dtype == uint32:
                return value.text, value.type.length
            value = [Value(Scalar(value.type.dtype), f"{value.text}[{i}]", POSTFIX) for i in range(value.type.length)]
        items = self.iterable(value, node)
        array = self.fresh(name)
        self.emit(
            f"uint32_t {array}[{len(items)}] = {{{', '.join(f'static_cast<uint32_t>({self.number(each, node)})' for each in items)}}}"
        )
        return array, len(items)


__all__ = ["Objects", "quoted"]
