# SPDX-License-Identifier: Apache-2.0
"""Random tiling classes: scalars of all types, arrays, structs in structs. Each element has a value that uses the range of its type."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

# What is added to a small number, so that a field that is read at the wrong place or with the wrong width shows.
BASES: dict[str, int] = {"bool": 0, "int8_t": -100, "uint8_t": 230, "int16_t": -30000, "uint16_t": 65000, "int32_t": -2147483000,
                         "uint32_t": 4294967000, "int64_t": -(1 << 45), "uint64_t": 1 << 62, "float": 1024, "double": 1 << 20}  # fmt: skip
TOTALS = ("uint16_t", "uint32_t", "int64_t", "uint64_t")


@dataclass(frozen=True)
class Attr:
    name: str
    kind: str  # Int, Float or Bool

    @property
    def default(self) -> str:
        return {"Int": "1", "Float": "0.5", "Bool": "true"}[self.kind]

    def draw(self, random: Random) -> Any:
        return {"Int": random.randint(0, 3), "Float": random.choice([0.0, 1.0, 2.0]), "Bool": random.random() < 0.5}[self.kind]


@dataclass(frozen=True)
class Element:
    """One number of the tiling data."""

    type: str
    small: int
    weight: int
    attr: Attr | None = None  # whose value is added

    def host(self) -> str:
        """Its value, in C++ of the host."""
        number = f"{BASES[self.type] + self.small}{'ull' if self.type == 'uint64_t' else 'll'}"
        return f"static_cast<{self.type}>({number}{f' + static_cast<int64_t>({self.attr.name})' if self.attr else ''})"

    def kernel(self, path: str) -> str:
        """What it adds to the sum, in C++ of the kernel."""
        if self.type == "bool":
            return f"({path} ? {self.weight}.0f : 0.0f)"
        whole = "double" if self.type == "double" else "float" if self.type == "float" else "int64_t"
        return f"{self.weight}.0f * static_cast<float>(static_cast<{whole}>({path}) - static_cast<{whole}>({BASES[self.type]}ll))"

    def value(self, attrs: Mapping[str, Any]) -> int:
        return self.weight * (self.small + (int(attrs[self.attr.name]) if self.attr else 0))


@dataclass(frozen=True)
class Field:
    name: str
    elements: tuple[Element, ...] = ()
    is_array: bool = False
    struct: Struct | None = None


@dataclass(frozen=True)
class Struct:
    name: str
    fields: tuple[Field, ...]
    is_registered: bool = False

    def definition(self) -> list[str]:
        """With the structs inside of it first."""
        lines = [line for each in self.fields if each.struct for line in each.struct.definition()]
        lines.append(f"BEGIN_TILING_DATA_DEF({self.name})")
        for each in self.fields:
            if each.struct:
                lines.append(f"TILING_DATA_FIELD_DEF_STRUCT({each.struct.name}, {each.name});")
            elif each.is_array:
                lines.append(f"TILING_DATA_FIELD_DEF_ARR({each.elements[0].type}, {len(each.elements)}, {each.name});")
            else:
                lines.append(f"TILING_DATA_FIELD_DEF({each.elements[0].type if each.elements else 'uint32_t'}, {each.name});")
        lines.append("END_TILING_DATA_DEF;")
        return [*lines, *([f"REGISTER_TILING_DATA_CLASS({self.name}Op, {self.name})"] if self.is_registered else [])]

    def settings(self, at: str) -> Iterator[str]:
        for each in self.fields:
            if each.struct:
                yield from each.struct.settings(f"{at}{each.name}.")
            elif each.is_array:
                values = ", ".join(element.host() for element in each.elements)
                yield f"{{ const {each.elements[0].type} values[] = {{{values}}}; {at}set_{each.name}(values); }}"
            elif each.elements:
                yield f"{at}set_{each.name}({each.elements[0].host()});"

    def elements(self, at: str) -> Iterator[tuple[str, Element]]:
        """With the way to each."""
        for each in self.fields:
            if each.struct:
                yield from each.struct.elements(f"{at}{each.name}.")
            for number, element in enumerate(each.elements):
                yield f"{at}{each.name}" + (f"[{number}]" if each.is_array else ""), element


@dataclass(frozen=True)
class Tiling:
    """The tiling class of one key."""

    key: int
    struct: Struct
    total: str  # the type of the field `total`
    place: int  # among the fields, of `total`; `present` is the last one

    @property
    def name(self) -> str:
        return self.struct.name

    def definition(self) -> list[str]:
        lines = self.struct.definition()
        begin = lines.index(f"BEGIN_TILING_DATA_DEF({self.name})")
        lines.insert(begin + 1 + self.place, f"TILING_DATA_FIELD_DEF({self.total}, total);")
        lines.insert(lines.index("END_TILING_DATA_DEF;", begin), "TILING_DATA_FIELD_DEF(uint8_t, present);")
        return lines

    def settings(self, present: str) -> list[str]:
        more = [f"tiling.set_total(static_cast<{self.total}>(total));", f"tiling.set_present(static_cast<uint8_t>({present}));"]
        return [f"{self.name} tiling;", *self.struct.settings("tiling."), *more]

    def in_kernel(self) -> str:
        return " + ".join(["0.0f", *(element.kernel(path) for path, element in self.struct.elements("data."))])

    def sum(self, attrs: Mapping[str, Any]) -> int:
        return sum(element.value(attrs) for _, element in self.struct.elements("data."))


def random_tiling(random: Random, operator: str, key: int, place: int, attrs: tuple[Attr, ...]) -> Tiling:
    struct = _Drawing(random, attrs).struct(f"{operator}{'Main' if place == 0 else f'Key{key}'}Tiling", 2)
    return Tiling(key, struct, random.choice(TOTALS), random.randint(0, len(struct.fields)))


class _Drawing:
    """Draws one class. Of two numbers of one type in a row neither value nor weight is the same: the sum tells them apart."""

    def __init__(self, random: Random, attrs: tuple[Attr, ...]) -> None:
        self.random, self.attrs = random, attrs
        self.last: dict[str, Element] = {}

    def struct(self, name: str, depth: int) -> Struct:
        fields = []
        for number in range(self.random.randint(1, 5)):
            kind = self.random.random()
            if depth and kind < 0.25:
                fields.append(Field(f"part{number}", struct=self.struct(f"{name}Part{number}", depth - 1)))
            else:
                fields.append(self.field(number, kind < 0.5))
        return Struct(name, tuple(fields), depth < 2 and self.random.random() < 0.5)

    def field(self, number: int, is_array: bool) -> Field:
        kind = self.random.choice(list(BASES))
        names = ("tileNum", "lastCore_", "blockLength", "n", "scaleValue", "is_last")
        elements = tuple(self.element(kind) for _ in range(self.random.randint(1, 5) if is_array else 1))
        return Field(f"{self.random.choice(names)}{number}", elements, is_array)

    def element(self, kind: str) -> Element:
        last = self.last.get(kind)
        values = [each for each in range(2 if kind == "bool" else 8) if last is None or each != last.small]
        weights = [each for each in (-2, -1, 1, 2, 3) if last is None or each != last.weight]
        attr = None if kind == "bool" else self.random.choice([*self.attrs, None, None])
        self.last[kind] = Element(kind, self.random.choice(values), self.random.choice(weights), attr)
        return self.last[kind]
