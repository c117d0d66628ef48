# SPDX-License-Identifier: Apache-2.0
"""Random correct kernels, by seed, as Ascend C: with exactly the flags they need.

A kernel of the first sort is a list of statements in phases: tiles copied in, computed with, copied out, some in loops over several
buffers. Flags come last: as long as the search finds a pair in no order, a flag or a barrier is put between the two; then whatever can
go again goes. Kernels of the other sorts (queues, products, both kinds of cores) are drawn from patterns that are right by themselves.

Many kernels make one source file, so that a thousand of them take a minute or two to build.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field

from events import GM, Access, Barrier, Core, CrossSet, CrossWait, Event, Program, Set, Touch, Wait
from reachability import order_of

BLOCKS, TILE_BYTES, UB_TILES, MOST_TURNS = 4, 64, 12, 4
IDS = 6  # 6 and 7 are the compiler's
SIGNATURE = "(GM_ADDR in, GM_ADDR out, GM_ADDR work)"


@dataclass(frozen=True)
class Tile:
    """A tile of the UB; in a loop, one of `buffers` that take turns."""

    first: int
    buffers: int = 1

    def at(self, turn: int) -> int:
        return self.first + turn % self.buffers

    def text(self) -> str:
        return (
            f"Ub({self.first * TILE_BYTES})" if self.buffers == 1 else f"Ub({self.first * TILE_BYTES} + i % {self.buffers} * {TILE_BYTES})"
        )


@dataclass(frozen=True)
class Statement:
    """One instruction. `array` is a phase's part of the workspace, or 0 for the input; `shift` 1 is the neighbour's tile."""

    pipe: str  # MTE2, V, MTE3
    writes: Tile | None = None
    reads: tuple[Tile, ...] = ()
    array: int = -1
    shift: int = 0
    call: str = ""

    def touches(self, turn: int, core: int) -> tuple[Touch, ...]:
        local = [Touch("w", "UB", *_bytes(self.writes.at(turn)))] if self.writes else []
        local += [Touch("r", "UB", *_bytes(tile.at(turn))) for tile in self.reads]
        if self.array >= 0:
            place = (self.array * BLOCKS + (core + self.shift) % BLOCKS) * MOST_TURNS + turn
            local.append(Touch("r" if self.pipe == "MTE2" else "w", GM, *_bytes(place)))
        return tuple(local)

    def text(self, turn: str) -> str:
        if self.array < 0:
            return self.call
        place = f"Gm({'work' if self.array else 'in'}, TileOf({max(0, self.array - 1)}, {self.shift}, {turn}))"
        if self.pipe == "MTE2":
            assert self.writes
            return f"DataCopy({self.writes.text()}, {place}, kTile);"
        return f"DataCopy({place}, {self.reads[0].text()}, kTile);"


@dataclass(frozen=True)
class Sync:
    """A flag or barrier between two statements of a phase. `distance` is how many turns of the loop lie between them."""

    source: str
    target: str
    after: int  # statement whose end is meant
    before: int  # statement that has to wait
    distance: int = 0
    id: int = 0

    @property
    def is_barrier(self) -> bool:
        return self.source == self.target

    @property
    def ids(self) -> int:
        return 0 if self.is_barrier else max(1, self.distance)

    def number(self, turn: int) -> int:
        return self.id + (turn % self.distance if self.distance > 1 else 0)

    def number_text(self) -> str:
        return f"{self.id} + i % {self.distance}" if self.distance > 1 else str(self.id)


@dataclass
class Phase:
    """Statements that run `turns` times; what stands before them lets cores meet."""

    statements: list[Statement]
    turns: int = 1
    meeting: str = ""  # SyncAll, or the pipe of a cross-core flag
    meeting_id: int = 0
    syncs: list[Sync] = field(default_factory=list)
    waits: list[tuple[str, str, int]] = field(default_factory=list)  # flags of an earlier phase, waited for in front of it
    sets: list[tuple[str, str, int]] = field(default_factory=list)  # flags for a later one, set behind it


# --- from phases to events


def program_of(phases: list[Phase], cores: int = BLOCKS) -> tuple[Program, dict[tuple[int, int], tuple[int, int, int]]]:
    """What the kernel issues, and for each event the phase, the statement and the turn it comes from."""
    made, origins = [], {}
    for core in range(cores):
        events: list[Event] = []
        for number, phase in enumerate(phases):
            events += _meeting(phase)
            events += [Wait(*flag) for flag in phase.waits]
            for turn in range(phase.turns):
                for at, statement in enumerate(phase.statements):
                    events += [Wait(s.source, s.target, s.number(turn)) for s in _waits(phase, at) if turn >= s.distance]
                    events += [Barrier(s.source) for s in phase.syncs if s.is_barrier and s.before == at]
                    origins[core, len(events)] = (number, at, turn)
                    events.append(Access(statement.pipe, statement.touches(turn, core)))
                    events += [Set(s.source, s.target, s.number(turn)) for s in _sets(phase, at) if turn + s.distance < phase.turns]
            events += [Set(*flag) for flag in phase.sets]
        made.append(Core("AIV", core, tuple(events)))
    return Program(tuple(made)), origins


def _meeting(phase: Phase) -> list[Event]:
    if phase.meeting == "SyncAll":
        return [Barrier("ALL"), CrossSet(0, "MTE3", 14), CrossWait(14)]
    return [CrossSet(0, phase.meeting, phase.meeting_id), CrossWait(phase.meeting_id)] if phase.meeting else []


def _waits(phase: Phase, at: int) -> list[Sync]:
    return [sync for sync in phase.syncs if not sync.is_barrier and sync.before == at]


def _sets(phase: Phase, at: int) -> list[Sync]:
    return [sync for sync in phase.syncs if not sync.is_barrier and sync.after == at]


# --- exactly the flags that are needed


def put_in_order(phases: list[Phase], rng: random.Random) -> None:
    while True:
        program, origins = program_of(phases)
        races = sorted(order_of(program).races)
        if not races:
            return _drop_what_can_go(phases)
        (x, y), cores = races[0], {where[0] for where in races[0]}
        earlier, later = sorted((origins[x], origins[y]))
        if len(cores) == 2:
            _let_meet(phases, earlier, later, rng)
        elif earlier[0] != later[0]:
            _link(phases, earlier, later)
        else:
            (number, a, turn_a), (_, b, turn_b) = origins[x], origins[y]  # in the order of the program
            _add_sync(phases, number, a, b, turn_b - turn_a)


class NoIdLeft(Exception):
    """More flags than there are ids: draw another kernel."""


Origin = tuple[int, int, int]  # phase, statement, turn


def _let_meet(phases: list[Phase], earlier: Origin, later: Origin, rng: random.Random) -> None:
    """Before the later phase: everybody, or by a flag of the pipe that has to be done."""
    phase = phases[later[0]]
    pipe = phases[earlier[0]].statements[earlier[1]].pipe
    phase.meeting = "SyncAll" if phase.meeting or rng.random() < 0.5 else pipe
    phase.meeting_id = later[0]


def _ids_used(phases: list[Phase], source: str, target: str) -> tuple[int, int]:
    """Inside of phases, counted from below, and between them, counted from above."""
    inside = [sum(sync.ids for sync in phase.syncs if (sync.source, sync.target) == (source, target)) for phase in phases]
    between = sum((source, target) == flag[:2] for phase in phases for flag in phase.sets)
    return max(inside), between


def _link(phases: list[Phase], earlier: Origin, later: Origin) -> None:
    source, target = (phases[number].statements[at].pipe for number, at, _ in (earlier, later))
    if source == target:
        phases[later[0]].syncs.append(Sync(target, target, later[1], later[1]))
        return
    inside, between = _ids_used(phases, source, target)
    if inside + between >= IDS:
        raise NoIdLeft
    flag = source, target, IDS - 1 - between
    phases[earlier[0]].sets.append(flag)
    phases[later[0]].waits.append(flag)


def _add_sync(phases: list[Phase], number: int, a: int, b: int, distance: int) -> None:
    phase = phases[number]
    source, target = phase.statements[a].pipe, phase.statements[b].pipe
    if source == target:
        phase.syncs.append(Sync(source, source, a, b))
        return
    used = sum(sync.ids for sync in phase.syncs if (sync.source, sync.target) == (source, target))
    if used + max(1, distance) + _ids_used(phases, source, target)[1] > IDS:
        raise NoIdLeft
    phase.syncs.append(Sync(source, target, a, b, distance, used))


def _drop_what_can_go(phases: list[Phase]) -> None:
    for phase in phases:
        for sync in list(phase.syncs):
            kept, phase.syncs = phase.syncs, [each for each in phase.syncs if each is not sync]
            if order_of(program_of(phases)[0]).races:
                phase.syncs = kept


def _bytes(tile: int) -> tuple[int, int]:
    return tile * TILE_BYTES, (tile + 1) * TILE_BYTES


# --- random phases


def random_phases(rng: random.Random) -> list[Phase]:
    """Each phase reads the input or what an earlier one wrote, its own part or the neighbour's, and writes its own."""
    count = rng.randint(1, 3)
    phases: list[Phase] = []
    for number in range(count):
        turns = rng.choice((1, 1, 3, 4))
        phases.append(Phase(_statements(rng, number, turns, phases), turns))
    return phases


def _statements(rng: random.Random, number: int, turns: int, before: list[Phase]) -> list[Statement]:
    buffers = rng.choice((1, 2)) if turns > 1 else 1
    places = [0] + [i + 1 for i, phase in enumerate(before) if phase.turns == turns]
    tiles = [Tile(i * buffers, buffers) for i in range(UB_TILES // buffers)]
    rng.shuffle(tiles)
    made, filled = [], list[Tile]()
    for _ in range(rng.randint(1, 2)):
        tile, array = tiles.pop(), rng.choice(places)
        made.append(Statement("MTE2", tile, (), array, rng.randint(0, 1)))
        filled.append(tile)
    for _ in range(rng.randint(1, 4)):
        made.append(_compute(rng, tiles, filled))
    made.append(Statement("MTE3", None, (filled[-1],), number + 1))
    return made


def _compute(rng: random.Random, tiles: list[Tile], filled: list[Tile]) -> Statement:
    sources = tuple(rng.choice(filled) for _ in range(rng.randint(1, 2)))
    target = rng.choice(filled) if rng.random() < 0.4 or not tiles else tiles.pop()
    names = [target.text(), *(tile.text() for tile in sources)]
    call = f"Add({', '.join(names)}, kTile);" if len(sources) == 2 else f"Adds({', '.join(names)}, {rng.randint(1, 9)}, kTile);"
    if target in filled:
        filled.remove(target)
    filled.append(target)
    return Statement("V", target, sources, call=call)


# --- from phases to Ascend C


def text_of(phases: list[Phase], name: str) -> str:
    has_meeting = any(phase.meeting for phase in phases)
    lines = [f'extern "C" __global__ {"__mix__(0, 1)" if has_meeting else "__vector__"} void {name}{SIGNATURE} {{', "    InitSocState();"]
    for phase in phases:
        lines += [f"    {line}" for line in _phase_lines(phase)]
    return "\n".join([*lines, "}"])


def _phase_lines(phase: Phase) -> Iterator[str]:
    if phase.meeting == "SyncAll":
        yield "SyncAll();"
    elif phase.meeting:
        yield f"CrossCoreSetFlag<0, PIPE_{phase.meeting}>({phase.meeting_id});"
        yield f"CrossCoreWaitFlag({phase.meeting_id});"
    yield from (f"WaitFlag<HardEvent::{source}_{target}>({number});" for source, target, number in phase.waits)
    if phase.turns > 1:
        yield f"for (int i = 0; i < {phase.turns}; ++i) {{"
    indent = "    " if phase.turns > 1 else ""
    for at, statement in enumerate(phase.statements):
        for sync in _waits(phase, at):
            guard = f"if (i >= {sync.distance}) " if sync.distance else ""
            yield f"{indent}{guard}WaitFlag<HardEvent::{sync.source}_{sync.target}>({sync.number_text()});"
        for sync in phase.syncs:
            if sync.is_barrier and sync.before == at:
                yield f"{indent}PipeBarrier<PIPE_{sync.source}>();"
        yield indent + statement.text("i" if phase.turns > 1 else "0")
        for sync in _sets(phase, at):
            guard = f"if (i + {sync.distance} < {phase.turns}) " if sync.distance else ""
            yield f"{indent}{guard}SetFlag<HardEvent::{sync.source}_{sync.target}>({sync.number_text()});"
    if phase.turns > 1:
        yield "}"
    yield from (f"SetFlag<HardEvent::{source}_{target}>({number});" for source, target, number in phase.sets)


HEAD = """// SPDX-License-Identifier: Apache-2.0
#include "cube.h"

// Tile `turn` of this block, or of its neighbour, in one of the arrays of a buffer: up to four tiles for each block.
__aicore__ inline int64_t TileOf(int64_t array, int64_t shift, int64_t turn) {
    return (array * GetBlockNum() + (GetBlockIdx() + shift) % GetBlockNum()) * 4 + turn;
}
"""


def phases_kernel(rng: random.Random, name: str) -> str:
    while True:
        phases = random_phases(rng)
        try:
            put_in_order(phases, rng)
        except NoIdLeft:
            continue
        return text_of(phases, name)


# --- queues: the framework sets the flags


def queue_kernel(rng: random.Random, name: str) -> str:
    inputs, turns = rng.randint(1, 3), rng.randint(1, 4)
    depths = [rng.choice((1, 2)) for _ in range(inputs + 1)]
    lines = [f'extern "C" __global__ __vector__ void {name}{SIGNATURE} {{', "    TPipe pipe;"]
    lines += [f"    TQue<TPosition::VECIN, {depths[i]}> inputs{i};" for i in range(inputs)]
    lines += [f"    TQue<TPosition::VECOUT, {depths[-1]}> outputs;", "    TBuf<TPosition::VECCALC> buffer;"]
    lines += [f"    pipe.InitBuffer(inputs{i}, {depths[i]}, kTileBytes);" for i in range(inputs)]
    lines += [f"    pipe.InitBuffer(outputs, {depths[-1]}, kTileBytes);", "    pipe.InitBuffer(buffer, kTileBytes);"]
    lines += ["    Local t = buffer.Get<int32_t>();", f"    for (int i = 0; i < {turns}; ++i) {{"]
    for i in range(inputs):
        lines += [
            f"        Local x{i} = inputs{i}.AllocTensor<int32_t>();",
            f"        DataCopy(x{i}, Gm(in, TileOf(0, {rng.randint(0, 1)}, i)), kTile);",
        ]
        lines += [f"        inputs{i}.EnQue(x{i});"]
    lines += [f"        x{i} = inputs{i}.DeQue<int32_t>();" for i in range(inputs)]
    lines += [f"        Adds(t, x0, {rng.randint(1, 9)}, kTile);"]
    lines += [f"        {rng.choice(('Add', 'Max', 'Sub'))}(t, t, x{rng.randrange(inputs)}, kTile);" for _ in range(rng.randint(0, 3))]
    lines += [
        "        Local z = outputs.AllocTensor<int32_t>();",
        f"        Adds(z, t, {rng.randint(1, 9)}, kTile);",
        "        outputs.EnQue(z);",
    ]
    order = list(range(inputs))
    rng.shuffle(order)
    lines += [f"        inputs{i}.FreeTensor(x{i});" for i in order]
    lines += [
        "        z = outputs.DeQue<int32_t>();",
        "        DataCopy(Gm(out, TileOf(0, 0, i)), z, kTile);",
        "        outputs.FreeTensor(z);",
    ]
    return "\n".join([*lines, "    }", "}"])


# --- products


def cube_kernel(rng: random.Random, name: str) -> str:
    """Steps along k through one or two halves of L0A and L0B."""
    m, n, steps, halves = rng.choice((16, 32, 64)), rng.choice((16, 32, 64)), rng.randint(1, 4), rng.choice((1, 2))
    is_large, unit = m * n // 256 >= 10, rng.random() < 0.3
    lines = [f'extern "C" __global__ __cube__ void {name}{SIGNATURE} {{', f"    Cube u(in, {m}, {n}, {16 * steps});", "    u.Fetch();"]
    lines += ["    SetFlag<HardEvent::MTE2_MTE1>(0);", "    WaitFlag<HardEvent::MTE2_MTE1>(0);"]
    for step in range(steps):
        half, last = step % halves, step == steps - 1
        lines += [f"    WaitFlag<HardEvent::M_MTE1>({half});"] if step >= halves else []
        lines += [f"    u.Load({step}, {half});", f"    SetFlag<HardEvent::MTE1_M>({half});", f"    WaitFlag<HardEvent::MTE1_M>({half});"]
        lines += ["    PipeBarrier<PIPE_M>();"] if step and (not is_large or rng.random() < 0.3) else []
        flag = (3 if last else 2) if unit else 0
        lines += [f"    Mmad(u.c, u.a2[{half * m * 16}], u.b2[{half * n * 16}], u.Step({step}, {flag}));"]
        lines += [f"    SetFlag<HardEvent::M_MTE1>({half});"] if step + halves < steps else []
    lines += [] if unit else ["    SetFlag<HardEvent::M_FIX>(0);", "    WaitFlag<HardEvent::M_FIX>(0);"]
    lines += [f"    Fixpipe(Floats(out), u.c, u.Out({3 if unit else 0}));"]
    return "\n".join([*lines, "}"])


def mixed_kernel(rng: random.Random, name: str) -> str:
    """The AIC multiplies again and again, into one or two places; its AIVs take the product on and say when the place is free."""
    turns, places = rng.randint(1, 4), rng.choice((1, 2))
    ready, free = rng.sample(range(8), 2)
    lines = [f'extern "C" __global__ __mix__(1, 2) void {name}{SIGNATURE} {{', "    LocalTensor<float> part(TPosition::VECCALC, 0, 128);"]
    lines += [f"    for (int i = 0; i < {turns}; ++i) {{", "        if ASCEND_IS_AIC {", "            Cube u(in, 16, 16, 16);"]
    lines += ["            if (i) PipeBarrier<PIPE_ALL>();", "            u.Fetch();"]
    for flag, then in (("MTE2_MTE1", "u.Load(0, 0);"), ("MTE1_M", "Mmad(u.c, u.a2, u.b2, u.Step(0));"), ("M_FIX", "")):
        lines += [f"            SetFlag<HardEvent::{flag}>(0);", f"            WaitFlag<HardEvent::{flag}>(0);", f"            {then}"]
    lines += [
        f"            if (i >= {places}) CrossCoreWaitFlag({free});",
        f"            Fixpipe(Floats(work, i % {places} * 256), u.c, u.Out());",
    ]
    lines += [f"            CrossCoreSetFlag<2, PIPE_FIX>({ready});", "        } else {", "            InitSocState();"]
    lines += [f"            CrossCoreWaitFlag({ready});", "            if (i) WaitFlag<HardEvent::MTE3_MTE2>(0);"]
    lines += [f"            DataCopy(part, Floats(work, i % {places} * 256 + GetSubBlockIdx() * 128), 128);"]
    lines += [f"            if (i + {places} < {turns}) CrossCoreSetFlag<2, PIPE_MTE2>({free});"]
    lines += ["            SetFlag<HardEvent::MTE2_V>(0);", "            WaitFlag<HardEvent::MTE2_V>(0);"]
    lines += [f"            Adds(part, part, {rng.randint(1, 9)}.0f, 128);"]
    lines += ["            SetFlag<HardEvent::V_MTE3>(0);", "            WaitFlag<HardEvent::V_MTE3>(0);"]
    lines += ["            DataCopy(Floats(out, i * 256 + GetSubBlockIdx() * 128), part, 128);"]
    lines += [f"            if (i + 1 < {turns}) SetFlag<HardEvent::MTE3_MTE2>(0);", "        }"]
    return "\n".join([*lines, "    }", "}"])


# --- files of many


KINDS = {"phases": (phases_kernel, BLOCKS), "queue": (queue_kernel, BLOCKS), "cube": (cube_kernel, 1), "mixed": (mixed_kernel, 1)}
SHARES = ("phases",) * 6 + ("queue",) * 2 + ("cube", "mixed")


@dataclass(frozen=True)
class Made:
    name: str
    blocks: int
    is_cube: bool  # halves in, floats out


def source_of(first: int, count: int) -> tuple[str, list[Made]]:
    """One source file with the kernels of `count` seeds."""
    parts, made = [HEAD], []
    for seed in range(first, first + count):
        rng = random.Random(seed)
        kind = SHARES[seed % len(SHARES)]
        make, blocks = KINDS[kind]
        name = f"{kind}_{seed}"
        parts.append(make(rng, name))
        made.append(Made(name, blocks, kind in ("cube", "mixed")))
    return "\n\n".join(parts) + "\n", made
