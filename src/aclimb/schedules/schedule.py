# SPDX-License-Identifier: Apache-2.0
"""A schedule, and the string that stands for it: at most 80 characters that bring back the same steps on any machine.

1:seed:5                                   what stress(..., seeds=[5]) runs
1:late:MTE3  1:late:MTE3@AIV  1:late:MTE3@AIV0,AIV4-7
1:early:V                                  MTE3, V, ...: a pipe, or S for the scalar unit; @: on these cores only
1:late-core@AIV3  1:early-core@AIV3        everything of these cores last, or first
1:reverse                                  the cores in descending order
1:pct:17:d3:120,4511                       priorities by seed 17; behind steps 120 and 4511 whoever took them falls behind all others
1:witness:AIV0.MTE3.12>AIV1.MTE2.3         the third instruction of MTE2 on AIV 1 before the twelfth of MTE3 on AIV 0
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal

from aclimb.errors import InvalidArgument
from aclimb.flow import PIPES, Pipe
from aclimb.runtime.fused_runs import Priorities, PriorityKind, ScheduleMode
from aclimb.schedules.cores import WHOLE, Core, LaunchCores, parse_cores, write_cores

VERSION, LONGEST = "1", 80
LATE, EARLY = 0, 1  # the first two seeds are two extremes
Kind = Literal["seed", "late", "early", "late-core", "early-core", "reverse", "pct", "witness"]
PIPES_OF = {"AIC": ("M", "MTE1", "MTE2", "MTE3", "FIX", "S"), "AIV": ("V", "MTE2", "MTE3", "S")}
_NUMBER = re.compile(r"0|[1-9]\d{0,19}", re.ASCII)
_INSTRUCTION = re.compile(rf"(AIC|AIV)(0|[1-9]\d{{0,5}})\.({'|'.join(PIPES)})\.([1-9]\d{{0,14}})", re.ASCII)
_MOST_SEED, _DEEPEST = 2**64 - 1, 3


@dataclass(frozen=True, slots=True)
class Numbered:
    """The instruction with this number, from 1, among those of a pipe of a core that touch memory."""

    core: Core
    pipe: str
    number: int

    @classmethod
    def parse(cls, text: str) -> Numbered:
        match = _INSTRUCTION.fullmatch(text)
        if not match:
            raise ValueError(f"{text!r} is no instruction: AIV0.MTE3.12 is the twelfth of MTE3 on AIV 0")
        kind, index, pipe, number = match.groups()
        if pipe not in PIPES_OF[kind]:
            raise ValueError(f"an {kind} has no {pipe}; it has {', '.join(PIPES_OF[kind])}")
        return cls((kind, int(index)), pipe, int(number))

    def __str__(self) -> str:
        return f"{self.core[0]}{self.core[1]}.{self.pipe}.{self.number}"

    @property
    def words(self) -> str:
        return f"{self.pipe} instruction {self.number} of {self.core[0]} {self.core[1]}"


@dataclass(frozen=True, slots=True)
class Schedule:
    """One order out of many. `str()` is what stress(..., replay=...) takes."""

    kind: Kind
    pipe: str = ""  # late, early
    cores: tuple[Core, ...] = ()  # none: all
    seed: int = 0  # seed, pct
    changes: tuple[int, ...] = ()  # pct
    pair: tuple[Numbered, ...] = ()  # witness: the first comes behind the second

    @property
    def depth(self) -> int:
        """Of pct: how many constraints on the order it can meet."""
        return len(self.changes) + 1

    def __str__(self) -> str:
        fields = [VERSION, self.kind]
        if self.kind in ("late", "early"):
            fields += [self.pipe]
        elif self.kind == "seed":
            fields += [str(self.seed)]
        elif self.kind == "pct":
            fields += [str(self.seed), f"d{self.depth}", *([",".join(map(str, self.changes))] if self.changes else [])]
        elif self.kind == "witness":
            fields += [">".join(map(str, self.pair))]
        return ":".join(fields) + (f"@{write_cores(self.cores)}" if self.cores else "")

    @property
    def fits(self) -> bool:
        return len(str(self)) <= LONGEST

    @property
    def words(self) -> str:
        """For a person. What a seed is depends on the kernel: Difference knows."""
        on = f" on {_said(self.cores)}" if self.cores else ""
        match self.kind:
            case "seed":
                return f"seed {self.seed}"
            case "late" | "early":
                return f"{self.kind}({self.pipe}){on}"
            case "late-core" | "early-core":
                return f"{_said(self.cores)} {'last' if self.kind == 'late-core' else 'first'}"
            case "reverse":
                return "the cores in reverse order"
            case "pct":
                return f"priorities by chance, depth {self.depth}{on}"
            case _:
                return " behind ".join(each.words for each in self.pair)

    def engine(self, cores: LaunchCores) -> tuple[ScheduleMode, int] | Priorities:
        """What the engine takes for it."""
        if self.kind == "seed":
            return {LATE: ScheduleMode.late, EARLY: ScheduleMode.early}.get(self.seed, ScheduleMode.random), self.seed
        if self.kind == "witness":
            return Priorities.directed(*((cores.unit(each.core), Pipe[each.pipe], each.number) for each in self.pair))
        kind = {"pct": PriorityKind.chance}.get(self.kind) or PriorityKind.__members__[self.kind.replace("-", "_")]
        units = cores.units(self.cores)
        if self.cores and not units:
            raise InvalidArgument(f"{self} is about cores that this launch of {cores.kernel} does not have")
        return Priorities(kind, Pipe[self.pipe or "S"], units, self.seed, list(self.changes))

    @classmethod
    def parse(cls, text: str) -> Schedule:
        """The schedule that a string stands for; an error says what is wrong with it."""
        if not isinstance(text, str):
            raise InvalidArgument(f"replay is {text!r}; it takes a string that a report printed, such as '1:late:MTE3'")
        try:
            return _parse(text)
        except ValueError as error:
            shown = text if len(text) <= LONGEST else f"{text[:LONGEST]}..."
            raise InvalidArgument(f"replay is {shown!r}; {error}") from None


def _said(cores: tuple[Core, ...]) -> str:
    return ", ".join(kind if index == WHOLE else f"{kind} {index}" for kind, index in cores)


def _parse(text: str) -> Schedule:
    if len(text) > LONGEST:
        raise ValueError(f"it has {len(text)} characters; at most {LONGEST} are printed")
    body, at, listed = text.partition("@")
    version, *rest = body.split(":")
    if version != VERSION:
        raise ValueError(f"it has to begin with the version, and this aclimb reads version {VERSION}: {VERSION}:late:MTE3")
    kind, fields = (rest[0], rest[1:]) if rest else ("", [])
    if kind not in _FORMS:
        raise ValueError(f"{kind!r} is no kind of schedule; known are {', '.join(_FORMS)}")
    form = _FORMS[kind]
    if len(fields) not in form.fields or bool(at) not in form.cores:
        raise ValueError(f"this kind is written {form.written}")
    return replace(form.read(*fields), cores=parse_cores(listed) if at else ())


def _number(text: str, what: str, most: int) -> int:
    if not _NUMBER.fullmatch(text) or int(text) > most:
        raise ValueError(f"{what} is {text!r}; it takes 0 to {most}")
    return int(text)


def _read_seed(seed: str) -> Schedule:
    return Schedule("seed", seed=_number(seed, "the seed", _MOST_SEED))


def _read_pipe(kind: Literal["late", "early"], pipe: str) -> Schedule:
    if pipe not in PIPES:
        raise ValueError(f"{pipe!r} is no pipe; there are {', '.join(PIPES)}")
    return Schedule(kind, pipe=pipe)


def _read_pct(seed: str, depth: str, changes: str = "") -> Schedule:
    number = _number(seed, "the seed", _MOST_SEED)
    if depth not in {f"d{each}" for each in range(1, _DEEPEST + 1)}:
        raise ValueError(f"the depth is {depth!r}; it takes d1 to d{_DEEPEST}")
    steps = tuple(_number(each, "a step", 2**53) for each in changes.split(",")) if changes else ()
    if len(steps) != int(depth[1:]) - 1 or list(steps) != sorted(steps):
        raise ValueError(f"{depth} takes {int(depth[1:]) - 1} steps in ascending order; {changes or 'none'!r} are given")
    return Schedule("pct", seed=number, changes=steps)


def _read_witness(pair: str) -> Schedule:
    first, _, second = pair.partition(">")
    if first == second:
        raise ValueError("it names one instruction twice; a pair has two")
    return Schedule("witness", pair=(Numbered.parse(first), Numbered.parse(second)))


@dataclass(frozen=True, slots=True)
class _Form:
    """How one kind is written."""

    fields: tuple[int, ...]  # how many
    cores: tuple[bool, ...]  # whether it may have a list of cores, whether it may be without
    written: str
    read: Callable[..., Schedule]


_FORMS = {
    "seed": _Form((1,), (False,), "1:seed:5", _read_seed),
    "late": _Form((1,), (False, True), "1:late:MTE3 or 1:late:MTE3@AIV0", partial(_read_pipe, "late")),
    "early": _Form((1,), (False, True), "1:early:V or 1:early:V@AIV0", partial(_read_pipe, "early")),
    "late-core": _Form((0,), (True,), "1:late-core@AIV0", partial(Schedule, "late-core")),
    "early-core": _Form((0,), (True,), "1:early-core@AIV0", partial(Schedule, "early-core")),
    "reverse": _Form((0,), (False,), "1:reverse", partial(Schedule, "reverse")),
    "pct": _Form((2, 3), (False, True), "1:pct:17:d1 or 1:pct:17:d3:120,4511@AIV0", _read_pct),
    "witness": _Form((1,), (False,), "1:witness:AIV0.MTE3.12>AIV1.MTE2.3", _read_witness),
}
