# SPDX-License-Identifier: Apache-2.0
"""What ASCENDC_TPL_ARGS_DECL and ASCENDC_TPL_SEL say, read from the text that template_argument.h makes of them."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from aclimb.compile import headers
from aclimb.compile.tokens import Token, closing, spell, split, tokens_of
from aclimb.errors import CompileError

_MARK = "is_template_key"  # what template_argument.h leaves in the text
_WIDTHS = {"dtype": 8, "datatype": 8, "format": 8, "bool": 1, "shared_kernel_type": 8}
_RANGE, _LIST, _MIX = 0, 1, 2  # ASCENDC_TPL_UI_*
_TYPES = {
    0: "float", 1: "half", 2: "int8_t", 3: "int32_t", 4: "uint8_t", 6: "int16_t", 7: "uint16_t", 8: "uint32_t", 9: "int64_t",
    10: "uint64_t", 11: "double", 12: "bool", 27: "bfloat16_t", 29: "AscendC::int4b_t",
}  # fmt: skip
_NUMBER = re.compile(r"(0[xX][0-9a-fA-F]+|0[bB][01]+|\d+)[uUlL]*")


@dataclass(frozen=True)
class TemplateParameter:
    """ASCENDC_TPL_UINT_DECL(name, bits, mode, values...) and relatives."""

    name: str
    kind: str
    bits: int
    values: tuple[int, ...]
    input: int | None = None  # of ASCENDC_TPL_INPUT(i): the kernel parameter whose type this is

    def encode(self, value: int) -> int:
        return self.values.index(value) if self.kind == "uint" else value

    def argument(self, value: int) -> str:
        if self.kind != "datatype":
            return str(value)
        if value not in _TYPES:
            raise CompileError(f"template parameter {self.name} has data type {value}, which Atlas A2 and A3 have no element type for")
        return _TYPES[value]


@dataclass(frozen=True)
class Selection:
    """ASCENDC_TPL_ARGS_SEL: values for each parameter, and what holds for all their combinations."""

    values: tuple[tuple[int, ...], ...]
    kernel_type: int | None
    struct: str | None
    deterministic: bool | None


@dataclass(frozen=True)
class Call:
    """name(words and further calls)"""

    name: str
    parts: tuple[tuple[Token, ...], ...]

    @classmethod
    def of(cls, text: str) -> Call:
        tokens = list(tokens_of(text))
        return cls._from(tokens)

    @classmethod
    def _from(cls, tokens: list[Token]) -> Call:
        inner = tokens[2 : closing(tokens, 1) - 1]
        return cls(tokens[0].text, tuple(tuple(part) for part in split(inner)))

    def calls(self) -> Iterator[Call]:
        return (Call._from(list(part)) for part in self.parts if len(part) > 2 and part[1].text == "(")

    @property
    def words(self) -> list[str]:
        return [spell(list(part)) for part in self.parts]


def texts_in(tokens: list[Token]) -> Iterator[str]:
    for at, token in enumerate(tokens):
        if token.text == _MARK:
            inside = tokens[at + 2 : closing(tokens, at + 1) - 1]
            yield "".join(each.text[1:-1] for each in inside if each.kind == "string")


def parameter_of(call: Call) -> TemplateParameter:
    name, *words = call.words
    if call.name == "uint":
        bits = number(words[0], name) if words else 0
        values = _uint_values(words[1:], name)
        if bits <= 0 or len(values) > 2**bits:
            raise CompileError(
                f"template parameter {name} has {len(values)} values and {bits} bits, which take {2 ** max(bits, 0)}; widen it"
            )
        return _without_twins(TemplateParameter(name, "uint", bits, values))
    places = [re.fullmatch(r"(input|output)\((\d+)\)", word) for word in words]
    values = tuple(number(word, name) for word, place in zip(words, places, strict=True) if place is None)
    values = values or tuple(_TYPES)
    bits = _WIDTHS[call.name]
    for value in values:
        if value >= 2**bits:
            raise CompileError(f"template parameter {name} has the value {value}, which does not fit into its {bits} bits")
    source = next((int(place[2]) for place in places if place is not None and place[1] == "input"), None)
    return _without_twins(TemplateParameter(name, call.name, bits, values, source))


def _uint_values(words: list[str], name: str) -> tuple[int, ...]:
    mode, *numbers = [number(word, name) for word in words] or [-1]
    if mode == _LIST:
        return tuple(numbers)
    if mode not in (_RANGE, _MIX):
        raise CompileError(
            f"template parameter {name} does not say how its values are listed; write ASCENDC_TPL_UI_RANGE, ASCENDC_TPL_UI_LIST"
            " or ASCENDC_TPL_UI_MIX"
        )
    count, *rest = numbers or [0]
    if len(rest) < 2 * count:
        raise CompileError(f"template parameter {name} announces {count} ranges and has {len(rest)} numbers; a range has two")
    ranges = [range(rest[2 * i], rest[2 * i + 1] + 1) for i in range(count)]
    single = rest[2 * count :] if mode == _MIX else []
    return (*itertools.chain(*ranges), *single)


def _without_twins(parameter: TemplateParameter) -> TemplateParameter:
    twins = sorted({value for value in parameter.values if parameter.values.count(value) > 1})
    if twins:
        raise CompileError(f"template parameter {parameter.name} lists {', '.join(map(str, twins))} twice")
    return parameter


def number(word: str, name: str) -> int:
    plain = word.strip().strip("()").removeprefix("ge::")
    if match := _NUMBER.fullmatch(plain):
        return int(match[1], 0) if not match[1].isdecimal() else int(match[1])
    if plain in ("true", "false"):
        return int(plain == "true")
    code = _codes().get(plain.removeprefix("C_"))
    if code is None:
        raise CompileError(
            f"template parameter {name} has the value {word}, which is not a number after preprocessing; use a macro or a number, because"
            " the tiling key is made of it before anything is compiled"
        )
    return code


@lru_cache(maxsize=1)
def _codes() -> dict[str, int]:
    """DT_* and FORMAT_*, which data_types.h has; in template arguments they may begin with C_."""
    text = (headers.include_dir() / "aclimb" / "data_types.h").read_text()
    return {name: int(value) for name, value in re.findall(r"^#define ((?:DT|FORMAT)_\w+) (\d+)$", text, re.MULTILINE)}


def selection_of(call: Call, parameters: tuple[TemplateParameter, ...]) -> Selection:
    given: dict[str, tuple[int, ...]] = {}
    kernel_type = struct = deterministic = None
    for each in call.calls():
        name, *words = each.words
        match each.name:
            case "kernel_type":
                kernel_type = number(name, "of ASCENDC_TPL_KERNEL_TYPE_SEL")
            case "deterministic":
                deterministic = bool(number(name, "of ASCENDC_TPL_DETERMINISTIC_SEL"))
            case "tiling_struct":
                struct = name
            case _:
                given[name] = _selected(each.name, name, words, parameters)
    missing = [each.name for each in parameters if each.name not in given]
    if missing:
        raise CompileError(f"ASCENDC_TPL_ARGS_SEL has no value for template parameter {missing[0]}; every declared parameter needs one")
    return Selection(tuple(given[each.name] for each in parameters), kernel_type, struct, deterministic)


def _selected(kind: str, name: str, words: list[str], parameters: tuple[TemplateParameter, ...]) -> tuple[int, ...]:
    parameter = next((each for each in parameters if each.name == name), None)
    if parameter is None:
        raise CompileError(f"ASCENDC_TPL_ARGS_SEL selects {name}, which ASCENDC_TPL_ARGS_DECL does not declare")
    if parameter.kind != kind:
        raise CompileError(
            f"template parameter {name} is declared as {parameter.kind.upper()} and selected as {kind.upper()}; it takes one kind"
        )
    if any(re.fullmatch(r"(?:in|out)put\(\d+\)", word) for word in words):
        return parameter.values
    values = _uint_values(words, name) if kind == "uint" else tuple(number(word, name) for word in words)
    for value in values:
        if value not in parameter.values:
            known = ", ".join(map(str, parameter.values))
            raise CompileError(f"ASCENDC_TPL_ARGS_SEL selects {value} for template parameter {name}, which is declared with {known}")
    return values
