# SPDX-License-Identifier: Apache-2.0
"""What a sweep varies: axes with their values, and the combinations of them."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass

from aclimb import chips, knobs
from aclimb.errors import InvalidArgument

MOST = 10_000  # combinations that are all run
MOST_SEARCHED = 200_000  # of which some are run
MOST_VALUES = 10_000  # of a range


@dataclass(frozen=True, slots=True)
class Axis:
    name: str  # "TILE", "blocks", "soc"
    values: tuple[str, ...]
    options: tuple[tuple[str, ...], ...]  # of `aclimb profile`, for each value

    @property
    def is_number(self) -> bool:
        return all(_number(value) is not None for value in self.values)


@dataclass(frozen=True, slots=True)
class Point:  # command line -> one process
    """One combination: what varies, in words, and as options of `aclimb profile`."""

    values: tuple[tuple[str, str], ...]  # ("TILE", "4096"), ("blocks", "8"), ("soc", "Ascend910B1")
    options: tuple[str, ...]

    def __str__(self) -> str:
        return " ".join(f"{name}={value}" for name, value in self.values)


def axes_of(defines: list[str], blocks: str | None, socs: str | None, overrides: list[str]) -> list[Axis]:
    """The axes in the order in which they are named."""
    axes = [_axis(*_named("--define", word), lambda name, value: ("-D", f"{name}={value}")) for word in defines]
    if blocks:
        values = [str(_count(each)) for each in _values("--blocks", blocks)]
        axes.append(_axis("blocks", values, lambda _, value: ("--blocks", value)))
    if socs:
        values = [chips.buildable(each).name for each in _values("--soc", socs)]
        axes.append(_axis("soc", values, lambda _, value: ("--soc", value)))
    for word in overrides:
        name, values = _named("--set", word)
        for value in values:
            chips.timing(knobs.soc(), chips.parse_overrides([f"{name}={value}"]))  # refuses names and values that are none
        axes.append(_axis(name, values, lambda name, value: ("--set", f"{name}={value}")))
    names = [axis.name for axis in axes]
    for name in names:
        if names.count(name) > 1:
            raise InvalidArgument(f"--define {name} is given twice; give its values at once: {name}=A,B")
    if not axes:
        raise InvalidArgument("there is nothing to vary; give --define NAME=A,B, --blocks 1,8, --soc NAME,NAME or --set NAME=A,B")
    return axes


def combinations(axes: Sequence[Axis], *, is_searched: bool = False) -> list[Point]:
    """Every combination; the last named axis varies fastest."""
    count = 1
    for axis in axes:
        count *= len(axis.values)
    if count > (MOST_SEARCHED if is_searched else MOST):
        raise InvalidArgument(
            f"{count} combinations are more than {MOST_SEARCHED}; vary less at a time"
            if is_searched
            else f"{count} combinations are more than {MOST}; vary less at a time, or search among them: --budget 50"
        )
    return [point_at(axes, index) for index in itertools.product(*(range(len(axis.values)) for axis in axes))]


def point_at(axes: Sequence[Axis], index: Sequence[int]) -> Point:
    chosen = list(zip(axes, index, strict=True))
    return Point(
        tuple((axis.name, axis.values[i]) for axis, i in chosen),
        tuple(word for axis, i in chosen for word in axis.options[i]),
    )


def _axis(name: str, values: Sequence[str], option: object) -> Axis:
    assert callable(option)
    return Axis(name, tuple(values), tuple(option(name, value) for value in values))


def _named(option: str, word: str) -> tuple[str, list[str]]:
    name, equals, text = word.partition("=")
    if not (name and equals):
        raise InvalidArgument(f"{option} {word}: it takes NAME=A,B,...")
    return name, _values(f"{option} {name}", text)


def _values(option: str, text: str) -> list[str]:
    values = [value for each in text.split(",") for value in _range(option, each.strip())]
    if not all(values):
        raise InvalidArgument(f"{option} {text!r}: a value is empty; it takes values with commas between them")
    if len(set(values)) < len(values):
        raise InvalidArgument(f"{option} {text!r}: a value is given twice")
    return values


def _range(option: str, text: str) -> list[str]:
    """1024..8192*2 is 1024, 2048, 4096, 8192; 8..48+8 is 8, 16, ... 48; 1..4 is 1, 2, 3, 4. Anything else is itself."""
    found = re.fullmatch(r"(\d+)\.\.(\d+)(?:([*+])(\d+))?", text)
    if found is None:
        return [text]
    first, last, step = int(found[1]), int(found[2]), int(found[4] or 1)
    is_product = found[3] == "*"
    if first > last or step < 1 or (is_product and (step < 2 or first < 1)):
        raise InvalidArgument(f"{option} {text!r}: a range is A..B, A..B+STEP or A..B*FACTOR, with A at most B and a factor of 2 or more")
    values: list[str] = []
    while first <= last:
        values.append(str(first))
        if len(values) > MOST_VALUES:
            raise InvalidArgument(f"{option} {text!r}: that is more than {MOST_VALUES} values; take a larger step")
        first = first * step if is_product else first + step
    return values


def _count(text: str) -> int:
    if not text.isdigit() or not 1 <= int(text) <= 65535:
        raise InvalidArgument(f"--blocks {text}: it takes whole numbers, 1 to 65535")
    return int(text)


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None
