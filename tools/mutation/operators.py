# SPDX-License-Identifier: Apache-2.0
"""The operators: from the lines of a correct kernel to the same with one mistake. Lines keep their numbers: what goes leaves an empty line,
what moves joins the line it goes to.

An operator is a function from lines to mutants, under the names of its group. Which of them a mutant is counted under may depend on the
flag.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass


@dataclass(frozen=True)
class Mutant:
    operator: str  # M1
    what: str  # drops SetFlag and WaitFlag<HardEvent::MTE2_V>(0)
    changes: tuple[tuple[int, str], ...]  # line (from 0) and what stands there now
    words: tuple[str, ...] = ()  # what a message may call it: MTE2_V, SyncAll

    @property
    def lines(self) -> tuple[int, ...]:
        return tuple(sorted(line + 1 for line, _ in self.changes))


Lines = list[str]
Operator = Callable[[Lines], Iterator[Mutant]]
OPERATORS: list[Operator] = []

FLAG = re.compile(r"\b(SetFlag|WaitFlag)<(?:AscendC::)?HardEvent::(\w+)>\((.*)\);")
HELPER = re.compile(r"^\s*(?!.*\b(?:SetFlag|WaitFlag)<)\w[\w.]*<(?:AscendC::)?HardEvent::(\w+)>\(.*\);\s*$")
BARRIER = re.compile(r"\b(?:AscendC::)?PipeBarrier<PIPE_(\w+)>\(\);")
CROSS_SET = re.compile(r"\b(?:AscendC::)?CrossCoreSetFlag<(\d), PIPE_(\w+)>\((\w+)\);")
CROSS_WAIT = re.compile(r"\b(?:AscendC::)?CrossCoreWaitFlag(?:<[^>]*>)?\((\w+)\);")
INSTRUCTION = re.compile(
    r"\b(?:DataCopy|DataCopyPad|Add|Adds|Sub|Mul|Muls|Div|Max|Exp|Sqrt|Cast|Relu|LeakyRelu|Duplicate|Select|Brcb|Compares?|ReduceSum|ReduceMax|"
    r"WholeReduce\w+|LoadData|Mmad|Fixpipe|Reciprocal|Rsqrt|Gather)(?:<[^;]*?>)?\("
)
STORE = re.compile(r"\bDataCopy(?:Pad)?\((?:Gm\(|a\.g|\w*Gm\b)")  # to global memory
SCALAR_ACCESS = re.compile(r"\b(?:GetValue|SetValue)\(")
DROPPED = {"MTE2_V": "M1", "V_MTE3": "M2", "V_MTE2": "M3", "MTE3_V": "M4"}
CUBE = {"MTE2_MTE1", "MTE1_MTE2", "MTE1_M", "M_MTE1", "M_FIX", "FIX_M"}
OTHER_SOURCE = {"MTE2_V": "MTE3_V", "V_MTE3": "MTE2_MTE3", "V_MTE2": "MTE3_MTE2", "MTE3_V": "MTE2_V", "MTE1_M": "MTE2_M"}


def operator(function: Operator) -> Operator:
    OPERATORS.append(function)
    return function


def mutants_of(lines: Lines) -> Iterator[Mutant]:
    for each in OPERATORS:
        yield from each(lines)


def _code(line: str) -> str:
    return line.split("//")[0].rstrip()


def _with_guard(line: str) -> str:
    """The statement of a line without its margin."""
    return _code(line).strip()


def _group_of(event: str) -> str:
    if event.endswith("_S"):
        return "M13"
    return "M32" if event in CUBE else DROPPED.get(event, "M1")


def _flags(lines: Lines) -> dict[tuple[str, str], list[int]]:
    """Lines that set or wait for one flag: by event and id where both are written alike, else by event."""
    found: dict[str, list[tuple[int, str, str]]] = defaultdict(list)
    for number, line in enumerate(lines):
        if match := FLAG.search(_code(line)):
            found[match[2]].append((number, match[1], match[3]))
    groups: dict[tuple[str, str], list[int]] = {}
    for event, uses in found.items():
        sets, waits = ({text for _, call, text in uses if call == each} for each in ("SetFlag", "WaitFlag"))
        for number, _, text in uses:
            groups.setdefault((event, text if sets == waits else ""), []).append(number)
    return groups


# --- flags


@operator
def drop_a_flag(lines: Lines) -> Iterator[Mutant]:
    for (event, text), where in _flags(lines).items():
        yield Mutant(_group_of(event), f"drops {event}({text})", tuple((line, "") for line in where), (event,))
    for number, line in enumerate(lines[:-1]):
        here, there = FLAG.search(_code(line)), FLAG.search(_code(lines[number + 1]))
        if here and there and (here[1], there[1]) == ("SetFlag", "WaitFlag") and here.group(2, 3) == there.group(2, 3):
            yield Mutant(_group_of(here[2]), f"drops one {here[2]} pair", ((number, ""), (number + 1, "")), (here[2],))
    for number, line in enumerate(lines):
        if match := HELPER.match(_code(line)):
            yield Mutant(_group_of(match[1]), f"drops {_with_guard(line)}", ((number, ""),), (match[1],))


@operator
def change_the_source(lines: Lines) -> Iterator[Mutant]:
    for (event, number), where in _flags(lines).items():
        if other := OTHER_SOURCE.get(event):
            changes = tuple((line, lines[line].replace(f"HardEvent::{event}", f"HardEvent::{other}")) for line in where)
            yield Mutant("M5", f"{event}({number}) becomes {other}", changes, (event,))


def _next_instruction(lines: Lines, number: int, step: int) -> int | None:
    """The next line with an instruction, in the same block of code."""
    depth = 0
    for at in range(number + step, -1 if step < 0 else len(lines), step):
        code = _code(lines[at])
        depth += step * (code.count("{") - code.count("}"))
        if depth < 0 or "return" in code or "} else" in code:
            return None
        if depth == 0 and code.endswith(";") and (INSTRUCTION.search(code) or SCALAR_ACCESS.search(code)) and "for (" not in code:
            return at
    return None


def _moved(lines: Lines, number: int, step: int) -> tuple[tuple[int, str], ...] | None:
    """The statement of a line behind the next instruction, or before the last."""
    at = _next_instruction(lines, number, step)
    if at is None:
        return None
    statement, other = _with_guard(lines[number]), _with_guard(lines[at])
    margin = lines[at][: len(lines[at]) - len(lines[at].lstrip())]
    joined = f"{other} {statement}" if step > 0 else f"{statement} {other}"
    return (number, ""), (at, margin + joined)


@operator
def move_a_wait_down(lines: Lines) -> Iterator[Mutant]:
    for number, line in enumerate(lines):
        match = FLAG.search(_code(line))
        if match and match[1] == "WaitFlag" and (changes := _moved(lines, number, 1)):
            yield Mutant("M6", f"moves WaitFlag<{match[2]}> behind the next instruction", changes, (match[2],))


@operator
def move_a_set_up(lines: Lines) -> Iterator[Mutant]:
    for number, line in enumerate(lines):
        match = FLAG.search(_code(line))
        if match and match[1] == "SetFlag" and (changes := _moved(lines, number, -1)):
            yield Mutant("M7", f"moves SetFlag<{match[2]}> before the last instruction", changes, (match[2],))


@operator
def change_or_double_a_set(lines: Lines) -> Iterator[Mutant]:
    for number, line in enumerate(lines):
        match = FLAG.search(_code(line))
        if not match or match[1] != "SetFlag":
            continue
        other = line.replace(f"({match[3]});", f"(({match[3]} + 3) % 6);")
        yield Mutant("M8", f"SetFlag<{match[2]}> with another id", ((number, other),), (match[2],))
        yield Mutant("M9", f"SetFlag<{match[2]}> twice", ((number, f"{_code(line)} {_with_guard(line)}"),), (match[2],))


# --- barriers


@operator
def weaken_or_drop_a_barrier(lines: Lines) -> Iterator[Mutant]:
    for number, line in enumerate(lines):
        match = BARRIER.search(_code(line))
        if not match:
            continue
        pipe = match[1]
        if pipe == "ALL":
            yield Mutant("M10", "PIPE_ALL becomes PIPE_V", ((number, line.replace("PIPE_ALL", "PIPE_V")),), ("PIPE_ALL",))
        group = {"V": "M11", "M": "M32", "ALL": "M27"}.get(pipe, "M12")
        yield Mutant(group, f"drops PipeBarrier<PIPE_{pipe}>", ((number, BARRIER.sub(";", line)),), (f"PIPE_{pipe}",))


# --- between cores


@operator
def change_what_is_between_cores(lines: Lines) -> Iterator[Mutant]:
    flags: dict[str, list[int]] = defaultdict(list)
    modes: dict[str, tuple[str, str]] = {}
    for number, line in enumerate(lines):
        code = _code(line)
        if match := CROSS_WAIT.search(code):
            flags[match[1]].append(number)
            if changes := _moved(lines, number, 1):
                yield Mutant(
                    "M14", "moves CrossCoreWaitFlag behind the next instruction", changes, ("CrossCoreWaitFlag", "CrossCoreSetFlag")
                )
        if match := CROSS_SET.search(code):
            mode, pipe, flag = match.groups()
            flags[flag].append(number)
            modes[flag] = mode, pipe
            other = "M" if pipe == "FIX" else "V"
            group = "M33" if pipe == "FIX" else "M15"
            words = ("CrossCoreSetFlag", f"PIPE_{pipe}")
            yield Mutant(group, f"cross-core set on {other}", ((number, line.replace(f"PIPE_{pipe}", f"PIPE_{other}")),), words)
            changed = line.replace(f"<{mode},", f"<{'0' if mode == '1' else '1'},")
            yield Mutant("M16", f"mode {mode} becomes another", ((number, changed),), words)
        if re.search(r"\bSyncAll(?:<\w+>)?\(.*\);", code):
            yield Mutant("M17", "drops SyncAll", ((number, ""),), ("SyncAll", "CrossCoreSetFlag"))
    for flag, where in flags.items():
        group = "M34" if modes.get(flag, ("", ""))[0] == "2" else "M17"
        yield Mutant(group, f"drops cross-core flag {flag}", tuple((line, _without_cross(lines[line])) for line in where), ("CrossCore",))


def _without_cross(line: str) -> str:
    return CROSS_SET.sub(";", CROSS_WAIT.sub(";", line))


# --- early start


@operator
def move_early_start(lines: Lines) -> Iterator[Mutant]:
    for number, line in enumerate(lines):
        code = _code(line)
        if re.search(r"\bSetNextTaskStart(?:<[^>]*>)?\(\);", code):
            if changes := _moved(lines, number, -1):
                yield Mutant("M18", "moves SetNextTaskStart before the last instruction", changes, ("SetNextTaskStart",))
            on_v = re.sub(r"SetNextTaskStart(?:<[^>]*>)?", "SetNextTaskStart<PIPE_V>", line)
            yield Mutant("M20", "SetNextTaskStart on PIPE_V", ((number, on_v),), ("SetNextTaskStart",))
        if "WaitPreTaskEnd();" in code and (changes := _moved(lines, number, 1)):
            group = "M21" if STORE.search(changes[1][1]) else "M19"
            yield Mutant(group, "moves WaitPreTaskEnd behind the next instruction", changes, ("WaitPreTaskEnd",))


# --- places and values


@operator
def overlap_blocks_and_tensors(lines: Lines) -> Iterator[Mutant]:
    for number, line in enumerate(lines):
        if "DataCopy" in line and (match := re.search(r"GetBlockIdx\(\) \* (\w+)", _code(line))):
            short = line.replace(match[0], f"GetBlockIdx() * ({match[1]} - 8)")
            yield Mutant("M23", "blocks 32 bytes too near", ((number, short),), ())
        for match in re.finditer(r"\bUb\((\d+)\)|TPosition::VECCALC, (\d+), ", _code(line)):
            place = next(group for group in match.groups() if group)
            if int(place) >= 32:
                changed = match[0].replace(place, str(int(place) - 32))
                yield Mutant("M26", f"UB {place} becomes {int(place) - 32}", ((number, line.replace(match[0], changed, 1)),), ())


@operator
def change_atomics(lines: Lines) -> Iterator[Mutant]:
    for number, line in enumerate(lines):
        if match := re.search(r"\bSetAtomicAdd<(\w+)>\(\);", _code(line)):
            plain = line.replace(match[0], f"if (AscendC::GetBlockIdx() != 0) {match[0]}")
            yield Mutant("M24", "plain in block 0", ((number, plain),), ("SetAtomic", "atomic"))
            other = line.replace(match[0], f"{match[0]} if (AscendC::GetBlockIdx() == 0) AscendC::SetAtomicMax<{match[1]}>();")
            yield Mutant("M25", "a maximum in block 0", ((number, other),), ("SetAtomic", "atomic"))


@operator
def leave_bytes_unwritten(lines: Lines) -> Iterator[Mutant]:
    for number, line in enumerate(lines):
        match = re.match(r"^\s*(?:AscendC::)?Duplicate\((.*), ([\w ]+)\);\s*$", _code(line))
        if match:
            yield Mutant("M28", "drops Duplicate", ((number, ""),), ("Duplicate",))
            yield Mutant(
                "M29", "Duplicate of one less", ((number, line.replace(f", {match[2]});", f", {match[2]} - 1);")),), ("Duplicate",)
            )


@operator
def forget_the_cache(lines: Lines) -> Iterator[Mutant]:
    for number, line in enumerate(lines):
        if re.match(r"^\s*(?:CleanLine|(?:AscendC::)?DataCacheCleanAndInvalid)\b.*;", _code(line)):
            yield Mutant("M30", "drops a clean", ((number, ""),), ("DataCacheCleanAndInvalid",))
        if (match := re.search(r"Gm\((\w+), GetBlockIdx\(\)\)", _code(line))) and "Global word" in line:
            yield Mutant("M31", "words side by side", ((number, line.replace(match[0], f"Gm({match[1]}, 0, 64)[GetBlockIdx()]")),), ("64",))


@operator
def free_too_early(lines: Lines) -> Iterator[Mutant]:
    for number, line in enumerate(lines):
        if re.search(r"\.FreeTensor\(", _code(line)) and (changes := _moved(lines, number, -1)):
            yield Mutant("M36", "FreeTensor before the last instruction", changes, ("FreeTensor",))


# --- the host


@operator
def forget_the_host(lines: Lines) -> Iterator[Mutant]:
    for number, line in enumerate(lines):
        if match := re.match(r"^    \w+\.(wait|synchronize)\(\w*\)$", line):
            yield Mutant("M35", f"drops {line.strip()}", ((number, ""),), (match[1], "synchroni", "event"))
