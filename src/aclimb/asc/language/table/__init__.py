# SPDX-License-Identifier: Apache-2.0
"""The one table of names and signatures: what the compiler emits, what the stubs and the reference page say, comes from these files.

    == V | dst = op src, element by element        a group: the unit that works, and what its calls do
    (dst: L, src: L, count: i32) => (dst, src)     an overload of every name that follows in the group, and how it is called in C++
    abs exp bitwise_not:Not                        names; `x:Y` where the C++ name is not x in camel case
    trap() -> i32                                  an overload of one name

Kinds of a parameter: L, G, T are tensors (local, global, either); i32 and the like a number of that type; `of dst` one of dst's element
type; mask a number or a list of two; truth a bool; flag a bool, and const a number, known at compile time; dtype a type; the name of an
enumeration or record one of these. Behind => stands what differs from the plain rule: template arguments (written only where one is not
its default, or always with !) and arguments in C++'s order; `type x` is the element type of x, and an argument that is None is left out.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

_LINE = re.compile(
    r"(?P<name>[\w:]*)(?P<dtype><dtype>)?\((?P<parameters>[^)]*)\)\s*(?P<braces>\{\})?(?:->\s*(?P<result>[\w ]+?))?\s*(?:=>\s*(?P<how>.*))?"
)
_HOW = re.compile(r"(?:<(?P<template>[^>]*)>(?P<always>!)?)?\s*(?:(?P<open>[(\[])(?P<arguments>[^)\]]*)[)\]])?")


@dataclass(frozen=True, slots=True)
class Parameter:
    name: str
    kind: str
    default: str | None = None  # as Python writes it; None: it must be given
    member: str = ""  # of a record: the C++ name


@dataclass(frozen=True, slots=True)
class Overload:
    parameters: tuple[Parameter, ...]
    result: str = ""
    template: tuple[str, ...] = ()
    always_template: bool = False
    arguments: tuple[str, ...] | None = None  # in C++'s order; None: as the parameters stand
    is_subscript: bool = False


@dataclass(frozen=True, slots=True)
class Call:
    """A function or a method."""

    name: str
    cpp: str
    unit: str  # V, copy, M, S, sync, cross, print
    says: str
    overloads: tuple[Overload, ...]


@dataclass(frozen=True, slots=True)
class Record:
    name: str
    fields: tuple[Parameter, ...]
    is_generic: bool  # its first argument is an element type
    has_braces: bool  # the C++ constructor takes the fields in this order


def camel(name: str) -> str:
    return "".join(part[:1].upper() + part[1:] for part in name.split("_"))


def member(name: str) -> str:
    whole = camel(name)
    return whole[:1].lower() + whole[1:]


def _parameter(text: str) -> Parameter:
    head, _, default = text.partition(" = ")
    name, _, kind = head.rpartition(": ")
    name, _, spelled = name.partition(":")
    return Parameter(name.strip(), kind.strip(), default.strip() or None, spelled or member(name.strip()))


def _parameters(text: str) -> tuple[Parameter, ...]:
    return tuple(_parameter(part) for part in text.split(", ")) if text.strip() else ()


def _overload(match: re.Match[str]) -> Overload:
    how = _HOW.match(match["how"] or "")
    assert how is not None
    template = tuple(part.strip() for part in how["template"].split(",")) if how["template"] else ()
    arguments = None if how["open"] is None else tuple(part.strip() for part in how["arguments"].split(",") if part.strip())
    return Overload(_parameters(match["parameters"]), match["result"] or "", template, bool(how["always"]), arguments, how["open"] == "[")


def _read(file: str) -> dict[str, dict[str, Call]]:
    """Calls by class ("" for functions) and name."""
    found: dict[str, dict[str, Call]] = {}
    group, unit, says, shared = "", "", "", list[Overload]()
    for line in Path(__file__).with_name(file).read_text().splitlines():
        if line.startswith("== "):
            unit, _, says = (part.strip() for part in line[3:].partition("|"))
            group, shared = unit.removeprefix("class ") if unit.startswith("class ") else "", []
        elif not line or line.startswith("# "):
            continue
        elif (match := _LINE.fullmatch(line)) is None:
            for name in line.split():
                _add(found, group, name, unit, says, shared)
        elif match["name"]:
            _add(found, group, match["name"], unit, says, [_overload(match)])
        else:
            shared.append(_overload(match))
    return found


def _add(found: dict[str, dict[str, Call]], group: str, spelled: str, unit: str, says: str, overloads: list[Overload]) -> None:
    name, _, cpp = spelled.partition(":")
    calls = found.setdefault(group, {})
    before = calls[name].overloads if name in calls else ()
    calls[name] = Call(name, cpp or camel(name), unit, says, (*before, *overloads))


@cache
def basic() -> dict[str, Call]:
    return _read("basic.txt")[""]


@cache
def adv() -> dict[str, Call]:
    return _read("adv.txt")[""]


@cache
def methods() -> dict[str, dict[str, Call]]:
    """By class and name."""
    return _read("methods.txt")


@cache
def records() -> dict[str, Record]:
    found = {}
    for line in Path(__file__).with_name("records.txt").read_text().splitlines():
        match = _LINE.fullmatch(line) if line and not line.startswith("#") else None
        if match:
            found[match["name"]] = Record(match["name"], _parameters(match["parameters"]), bool(match["dtype"]), bool(match["braces"]))
    return found
