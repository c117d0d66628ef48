# SPDX-License-Identifier: Apache-2.0
"""Small programs with a known answer, in pairs: with an edge of the model, and with exactly that edge taken away.

Shorthand: 64-byte tiles X, Z, Y, T of the UB; CI copies in, CO out, V computes, GV and SV are the scalar unit, SW sets and waits.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from events import GM, Access, Barrier, Clean, Core, CrossSet, CrossWait, DataBarrier, Event, Meet, Post, Program, Set, Take, Touch, Wait

Span = tuple[int, int]
X, Z, Y, T = (0, 64), (64, 128), (128, 192), (192, 256)
GX, GZ = (0, 64), (1024, 1088)


def tile(base: int, index: int) -> Span:
    return base + 64 * index, base + 64 * index + 64


def CI(to: Span, source: Span, memory: str = "UB", **more: object) -> Access:  # noqa: N802
    return Access("MTE2", (Touch("w", memory, *to), Touch("r", GM, *source)), **more)  # type: ignore[arg-type]


def CO(to: Span, source: Span, atomic: str = "", pipe: str = "MTE3", memory: str = "UB") -> Access:  # noqa: N802
    return Access(pipe, (Touch("r", memory, *source), Touch("a" if atomic else "w", GM, *to, atomic)))


def V(to: Span, *sources: Span, tensor: bool = True) -> Access:  # noqa: N802
    return Access("V", (Touch("w", "UB", *to), *(Touch("r", "UB", *each) for each in sources)), tensor)


def GV(at: Span, memory: str = "UB", tensor: bool = True, cached: bool = False) -> Access:  # noqa: N802
    return Access("S", (Touch("r", memory, *at),), tensor, cached=cached)


def SV(at: Span, memory: str = "UB", tensor: bool = True, cached: bool = False) -> Access:  # noqa: N802
    return Access("S", (Touch("w", memory, *at),), tensor, cached=cached)


def SW(source: str, target: str, number: int = 0) -> list[Event]:  # noqa: N802
    return [Set(source, target, number), Wait(source, target, number)]


def mmad(fractals: int, *, unit_flag: bool = False, first: bool = False, a: Span = (0, 512)) -> Access:
    return Access("M", (Touch("w" if first else "u", "L0C", 0, 1024), Touch("r", "L0A", *a)), True, unit_flag, fractals)


def fixpipe(*, unit_flag: bool = False, to: Span = GZ) -> Access:
    return Access("FIX", (Touch("r", "L0C", 0, 1024), Touch("w", GM, *to)), True, unit_flag)


class Case(NamedTuple):
    name: str  # the edges it is about
    clean: Program
    racy: Program | None  # the same without the edge


def one(*events: Event | list[Event], kind: str = "AIV", auto_sync: str = "on") -> Program:
    return Program((Core(kind, 0, _flat(events)),), auto_sync)


def several(events_of: Callable[[int], Sequence[Event | list[Event]]], count: int = 2, auto_sync: str = "on") -> Program:
    return Program(tuple(Core("AIV", i, _flat(events_of(i))) for i in range(count)), auto_sync)


def mixed(aic: Sequence[Event | list[Event]], aiv: Sequence[Event | list[Event]]) -> Program:
    """One AIC and two AIVs that do the same."""
    return Program((Core("AIC", 0, _flat(aic)), Core("AIV", 0, _flat(aiv)), Core("AIV", 0, _flat(aiv))))


def _flat(events: Sequence[Event | list[Event]]) -> tuple[Event, ...]:
    return tuple(each for item in events for each in (item if isinstance(item, list) else [item]))


def p0(index: int = 0) -> list[Event]:
    """A tile in, computed, and out."""
    return [CI(X, tile(0, index)), *SW("MTE2", "V"), V(Z, X), *SW("V", "MTE3"), CO(tile(1024, index), Z)]


def loop(without: str = "", count: int = 3) -> Program:
    """p0 again and again in the same tiles, with flags back."""
    events: list[Event] = []
    for i in range(count):
        back = [flag for flag in (("V", "MTE2"), ("MTE3", "V")) if "_".join(flag) != without]
        events += [Wait(*flag, 1) for flag in back if i and flag == ("V", "MTE2")]
        events += [CI(X, tile(0, i)), *SW("MTE2", "V")]
        events += [Wait(*flag, 1) for flag in back if i and flag == ("MTE3", "V")]
        events += [V(Z, X)]
        events += [Set(*flag, 1) for flag in back if i < count - 1 and flag == ("V", "MTE2")]
        events += [*SW("V", "MTE3"), CO(tile(1024, i), Z)]
        events += [Set(*flag, 1) for flag in back if i < count - 1 and flag == ("MTE3", "V")]
    return one(events)


def exchange(*between: Event) -> Program:
    """Each of two cores reads what the other wrote."""
    return several(lambda i: [p0(i), list(between), CI(T, tile(1024, 1 - i))])


def superkernel(
    set_pipe: str = "MTE3",
    *,
    set_first: bool = False,
    read_first: bool = False,
    own: bool = False,
    extra: Callable[[int], list[Event]] = lambda i: [],
) -> Program:
    """A member that writes tiles, and one that reads them; the set is the first one's, the wait the second's."""

    def events(i: int) -> list[Event | list[Event]]:
        out, mark = CO(tile(1024, i), Z), CrossSet(0, set_pipe, 14)
        first = [CI(X, tile(0, i)), *SW("MTE2", "V"), V(Z, X), *SW("V", "MTE3"), *((mark, out) if set_first else (out, mark))]
        read, wait = CI((256, 320), tile(1024, i if own else 1 - i)), CrossWait(14)
        second = [*((read, wait) if read_first else (wait, read)), *SW("MTE2", "V", 2), V((320, 384), (256, 320)), *SW("V", "MTE3", 2)]
        return [first, extra(i), second, CO(tile(2048, i), (320, 384))]

    return several(events)


SYNC_ALL = (Barrier("ALL"), CrossSet(0, "MTE3", 14), CrossWait(14))
ATOMIC = "add float"
STORE, LOAD = SV((0, 4), GM, False, True), GV((0, 4), GM, True, True)


def _cached(store: Sequence[Event], load: Sequence[Event]) -> Program:
    """Core 0 stores a word, core 1 loads it behind a word that it polls."""
    return Program((Core("AIV", 0, (*store, Post("word"))), Core("AIV", 1, (Take("word"), *load))))


CLEAN, DSB = Clean(0, 64), DataBarrier("ALL")
FIRST = [CI(X, GX), *SW("MTE2", "V"), V(Y, X)]

CASES = [
    Case(
        "E1 what stands behind a wait of the scalar unit is issued behind it",
        one(V(Z, X), SW("V", "S"), CO(GZ, Z)),
        one(V(Z, X), CO(GZ, Z)),
    ),
    Case(
        "E3 a pipe does not wait for itself",
        one(CI((0, 64), GX), Barrier("MTE2"), CI((32, 96), GX)),
        one(CI((0, 64), GX), CI((32, 96), GX)),
    ),
    Case("E4 scalar accesses of one core", one(SV((0, 4), tensor=False), GV((0, 4), tensor=False)), None),
    Case(
        "E6 a flag says that what came before it on its pipe has ended",
        one(p0()),
        one(Set("MTE2", "V", 0), CI(X, GX), Wait("MTE2", "V", 0), V(Z, X)),
    ),
    Case(
        "E6 a set is no barrier of its pipe",
        one(CI((0, 64), GX), SW("MTE2", "V"), Barrier("MTE2"), CI((32, 96), GX)),
        one(CI((0, 64), GX), SW("MTE2", "V"), CI((32, 96), GX)),
    ),
    Case(
        "E6 waits that the pipe has passed travel with its set",
        one(CI(X, GX), SW("MTE2", "V"), SW("V", "MTE3"), CO(GZ, X)),
        one(CI(X, GX), SW("V", "MTE3"), CO(GZ, X)),
    ),
    Case(
        "E7 the wait orders what comes behind it on its pipe",
        one(CI(X, GX), SW("MTE2", "V"), V(Z, X)),
        one(CI(X, GX), Set("MTE2", "V", 0), V(Z, X), Wait("MTE2", "V", 0)),
    ),
    Case(
        "E7 the wait says nothing about what its pipe began before",
        one(V(Z, X), SW("MTE2", "V"), SW("V", "MTE3"), CO(GZ, Z)),
        one(V(Z, X), SW("MTE2", "V"), CO(GZ, Z)),
    ),
    Case("E7 a wait of S orders all pipes", one(CI(X, GX), SW("MTE2", "S"), V(Z, X)), one(CI(X, GX), SW("MTE2", "MTE3"), V(Z, X))),
    Case("E8 the k-th set pairs with the k-th wait", loop(), None),
    Case("E9 a barrier of the pipe", one(V(Y, X), Barrier("V"), V(Z, Y), auto_sync="off"), one(V(Y, X), V(Z, Y), auto_sync="off")),
    Case("E9 a barrier of another pipe", one(CI(X, GX), Barrier("ALL"), V(Z, X)), one(CI(X, GX), Barrier("V"), V(Z, X))),
    Case("E10 PIPE_ALL waits for all pipes", one(CI(X, GX), Barrier("ALL"), CO(GZ, X)), one(CI(X, GX), CO(GZ, X))),
    Case("E10 ... but not for the cache", one(STORE, CLEAN, DSB, CI(X, GX)), one(STORE, CLEAN, Barrier("ALL"), CI(X, GX))),
    Case(
        "E12 DataSyncBarrier waits for the scalar unit",
        one(SV((0, 4), tensor=False), DataBarrier("UB"), CO(GZ, X)),
        one(SV((0, 4), tensor=False), DataBarrier("DDR"), CO(GZ, X)),
    ),
    Case("E12 ... and not for the pipes", one(CI(X, GX), Barrier("ALL"), V(Z, X)), one(CI(X, GX), DataBarrier("ALL"), V(Z, X))),
    Case("E13 flags back, as a queue sets them", loop(), loop("V_MTE2")),
    Case("E13 flags back towards V", loop(), loop("MTE3_V")),
    Case("E16 V after V", one(FIRST, V(Z, Y)), one(FIRST, V(Z, Y), auto_sync="off")),
    Case("E16 V after V, but not with pointers", one(FIRST, V(Z, Y)), one(FIRST, V(Z, Y, tensor=False))),
    Case("E16 GetValue behind V, and V behind GetValue", one(V(Z, X), GV((64, 68)), V(Z, X)), one(V(Z, X), GV((64, 68), tensor=False))),
    Case("E16 V behind SetValue", one(SV((64, 68)), V(Y, Z)), one(SV((64, 68), tensor=False), V(Y, Z))),
    Case(
        "E16 not on an AIC",
        one(V(Z, X), GV((64, 68))),
        one(Access("MTE2", (Touch("w", "L1", 0, 64),)), Access("S", (Touch("r", "L1", 0, 4),)), kind="AIC"),
    ),
    Case(
        "E16 a GetValue is no barrier for others",
        one(CI(X, GX), V(Y, Z), SW("MTE2", "V"), GV((128, 132)), V(Z, X)),
        one(CI(X, GX), V(Y, Z), GV((128, 132)), V(Z, X)),
    ),
    Case("E16 GetValue brings what it waits for to every pipe", one(V(Z, X), GV((64, 68)), CO(GZ, Z)), one(V(Z, X), CO(GZ, Z))),
    Case(
        "E17 a large Mmad comes behind the one it adds to",
        one(mmad(10, first=True), mmad(10), kind="AIC"),
        one(mmad(9, first=True), mmad(9), kind="AIC"),
    ),
    Case(
        "E17 ... by a barrier, a small one",
        one(mmad(1, first=True), Barrier("M"), mmad(1), kind="AIC"),
        one(mmad(1, first=True), mmad(1), kind="AIC"),
    ),
    Case(
        "E17 not where it begins anew",
        one(mmad(16, first=True), mmad(16), kind="AIC"),
        one(mmad(16, first=True), mmad(16, first=True), kind="AIC"),
    ),
    Case(
        "E18 unit flags order Mmad and Fixpipe",
        one(mmad(16, unit_flag=True, first=True), fixpipe(unit_flag=True), kind="AIC"),
        one(mmad(16, first=True), fixpipe(unit_flag=True), kind="AIC"),
    ),
    Case(
        "E19 a cross-core set is of its pipe", exchange(CrossSet(0, "MTE3", 0), CrossWait(0)), exchange(CrossSet(0, "V", 0), CrossWait(0))
    ),
    Case("E20 everybody has to set", exchange(CrossSet(0, "MTE3", 0), CrossWait(0)), exchange(CrossSet(1, "MTE3", 0), CrossWait(0))),
    Case(
        "E21 a cross-core wait orders all pipes",
        several(lambda i: [p0(i), CrossSet(0, "MTE3", 0), CrossWait(0), CO(tile(1024, 1 - i), T)]),
        several(lambda i: [p0(i), CrossSet(0, "MTE3", 0), CO(tile(1024, 1 - i), T), CrossWait(0)]),
    ),
    Case(
        "E21 a cross-core wait says nothing of the core's own stores",
        several(lambda i: [SV(Z, "UB", False), CrossSet(0, "MTE3", 0), CrossWait(0), SW("S", "MTE3"), CO(tile(1024, i), Z)]),
        several(lambda i: [SV(Z, "UB", False), CrossSet(0, "MTE3", 0), CrossWait(0), CO(tile(1024, i), Z)]),
    ),
    Case(
        "E22 sets of two ids, waited for the other way round",
        exchange(CrossSet(0, "MTE3", 0), CrossSet(0, "MTE3", 1), CrossWait(1), CrossWait(0)),
        None,
    ),
    Case(
        "E22 one id from two pipes: only what both imply",
        exchange(CrossSet(0, "MTE3", 0), CrossSet(0, "V", 0), CrossWait(0), CrossWait(0)),
        exchange(CrossSet(0, "MTE3", 0), CrossSet(0, "V", 0), CrossWait(0)),
    ),
    Case(
        "E22 one id from two pipes, one round after the other",
        exchange(CrossSet(0, "V", 0), CrossWait(0), CrossSet(0, "MTE3", 0), CrossWait(0)),
        exchange(CrossSet(0, "MTE2", 0), CrossWait(0), CrossSet(0, "V", 0), CrossWait(0)),
    ),
    Case("E23 SyncAll", exchange(*SYNC_ALL), exchange(Barrier("ALL"))),
    Case("E24 soft SyncAll", exchange(Barrier("ALL"), Meet("workspace", 2)), exchange(Meet("workspace", 2))),
    Case("E25 IBSet and IBWait", _cached([CO(GZ, Z), Barrier("ALL")], [CI(X, GZ)]), _cached([CO(GZ, Z)], [CI(X, GZ)])),
    Case("E28 a cached store, as the manual asks for it", _cached([STORE, CLEAN, DSB], [CLEAN, LOAD]), _cached([STORE], [CLEAN, LOAD])),
    Case("E28 cleaned, but nobody waited for it", _cached([STORE, CLEAN, DSB], [CLEAN, LOAD]), _cached([STORE, CLEAN], [CLEAN, LOAD])),
    Case(
        "E28 a copy of the line from before",
        _cached([STORE, CLEAN, DSB], [LOAD]),
        Program((Core("AIV", 0, (STORE, CLEAN, DSB, Post(0))), Core("AIV", 1, (GV((8, 12), GM, True, True), Take(0), LOAD)))),
    ),
    Case(
        "E28 one line, two writers",
        several(lambda i: [SV((64 * i, 64 * i + 4), GM, False, True), Clean(64 * i, 64 * i + 64), DSB]),
        several(lambda i: [SV((4 * i, 4 * i + 4), GM, False, True), CLEAN, DSB]),
    ),
    Case("E28 past the cache", _cached([SV((0, 4), GM, False), DSB], [GV((0, 4), GM)]), _cached([SV((0, 4), GM, False)], [GV((0, 4), GM)])),
    Case("E37 the next member waits", superkernel(), superkernel(set_first=True)),
    Case("E37 the set is of its pipe", superkernel(), superkernel("V")),
    Case("E37 what is read before the wait", superkernel(), superkernel(read_first=True)),
    Case("E37 ... on the same core too", superkernel(own=True), superkernel(read_first=True, own=True)),
    Case(
        "E38 blocks are in no order", several(lambda i: [CO(tile(1024, i), Z)]), several(lambda i: [CO((1024 + 32 * i, 1088 + 32 * i), Z)])
    ),
    Case("E39 a word that is polled", _cached([CO(GZ, Z), *SW("MTE3", "S")], [CI(X, GZ)]), _cached([CO(GZ, Z)], [CI(X, GZ)])),
    Case("atomics of one kind", several(lambda i: [CO(GZ, Z, ATOMIC)]), several(lambda i: [CO(GZ, Z, ATOMIC if i else "")])),
    Case("atomics of two kinds", several(lambda i: [CO(GZ, Z, ATOMIC)]), several(lambda i: [CO(GZ, Z, ATOMIC if i else "max float")])),
    Case("bytes decide, not blocks of 32", one(CI((0, 16), GX), V((16, 32))), one(CI((0, 17), GX), V((16, 32)))),
    Case(
        "a cube chain",
        one(
            CI(X, GX, "L1"),
            SW("MTE2", "MTE1"),
            Access("MTE1", (Touch("r", "L1", *X), Touch("w", "L0A", 0, 512))),
            SW("MTE1", "M"),
            mmad(4, first=True),
            SW("M", "FIX"),
            fixpipe(),
            kind="AIC",
        ),
        one(Access("MTE1", (Touch("w", "L0A", 0, 512),)), mmad(4, first=True), kind="AIC"),
    ),
    Case(
        "AIC to its AIVs",
        mixed([fixpipe(), CrossSet(2, "FIX", 0)], [CrossWait(0), CI(X, GZ)]),
        mixed([fixpipe(), CrossSet(2, "M", 0)], [CrossWait(0), CI(X, GZ)]),
    ),
    Case(
        "AIVs to their AIC",
        mixed([fixpipe(), CrossSet(2, "FIX", 0), CrossWait(1), fixpipe()], [CrossWait(0), CI(X, GZ), CrossSet(2, "MTE2", 1)]),
        mixed([fixpipe(), CrossSet(2, "FIX", 0), fixpipe()], [CrossWait(0), CI(X, GZ)]),
    ),
]
LEGAL = [
    Case("T1 a round trip orders V with itself", one(V(Y, X), SW("V", "MTE2"), SW("MTE2", "V"), V(Z, Y), auto_sync="off"), None),
    Case("T2 the wait stands before its set", one(Wait("MTE2", "V", 0), V(Z, X), CI(X, GX), Set("MTE2", "V", 0)), None),
    Case(
        "T5 columns of two blocks",
        several(lambda i: [Access("MTE3", tuple(Touch("w", GM, 128 * q + 64 * i, 128 * q + 64 * i + 64) for q in range(4)))]),
        None,
    ),
    Case("T23 everybody reads", several(lambda i: [CI(X, GX)], 6), None),
    Case("T24 private scratch behind the set", superkernel(extra=lambda i: [CO(tile(9024, i), (512, 576))]), None),
    Case("T25 weights before the wait", superkernel(extra=lambda i: [CI((512, 576), (7000, 7064))]), None),
    Case(
        "T26 what this core itself has read",
        several(lambda i: [p0(i), CrossSet(0, "MTE3", 14), CO(tile(0, i), (512, 576)), CrossWait(14), CI(T, tile(1024, 1 - i))]),
        None,
    ),
    Case("T27 in place", one(CI(X, GX), SW("MTE2", "V"), V(X, X), V(X, X), SW("V", "MTE3"), CO(GZ, X)), None),
    Case("T28 one's own store, loaded again", one(STORE, LOAD), None),
    Case(
        "T37 an id set again before the pipe reached its wait",
        one(Wait("MTE3", "V", 7), CI(X, GX), SW("MTE2", "V"), CI(Y, GX), SW("MTE2", "V"), V(Z, X, Y), Set("MTE3", "V", 7)),
        None,
    ),
]
