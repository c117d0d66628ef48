# SPDX-License-Identifier: Apache-2.0
"""A search among many combinations: near the best after a small part of them, stopped in time, and the winner explained."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from pathlib import Path

import pytest
from command import aclimb, write_program

from aclimb.errors import AclimbError
from aclimb.report.sweep.objective import objective
from aclimb.report.sweep.points import Point, axes_of, combinations
from aclimb.report.sweep.result import SweepOutcome
from aclimb.report.sweep.runs import Budget, search
from aclimb.report.sweep.words import effects, explain

TASK = objective("task")


def add_like(TILE: int, BUFFERS: int, blocks: int) -> float | None:  # noqa: N803
    """Larger tiles, two buffers and all cores, as far as the UB has room."""
    if TILE * BUFFERS >= 65536:
        return None
    return (200 / blocks) * (1 + 1500 / TILE) * (1.5 if BUFFERS == 1 else 1.0) + 0.4 * BUFFERS + 1.5 + 0.02 * blocks


def matmul_like(M: int, N: int, K: int, MODE: str) -> float | None:  # noqa: N803
    """The best lies at the edge of what fits, and three ways of doing it differ by a constant."""
    if M * N > 32768 or (M + N) * K > 65536:
        return None
    return 2e6 / (M * N) + 4e4 / K + abs(math.log2(M / N)) * 20 + {"a": 0, "b": 30, "c": 60}[MODE]


def steps(T: int, blocks: int) -> float:  # noqa: N803
    """Waves of blocks and whole tiles: the surface has edges."""
    return math.ceil(100 / blocks) * (3 + T * 0.1) * math.ceil(1000 / (T * 100)) + blocks * 0.05


def rugged(A: int, B: int, C: int) -> float:  # noqa: N803
    """A bowl with a random part at every point."""
    return 10 + 0.3 * ((A - 7) ** 2 + (B - 7) ** 2 + (C - 7) ** 2) + random.Random(f"{A} {B} {C}").random() * 2


SPACES: dict[str, tuple[list[str], str | None, Callable[..., float | None]]] = {
    "add": (["TILE=1024..32768*2", "BUFFERS=1,2,3"], "8..48+8", add_like),
    "matmul": (["M=16..256*2", "N=16..512*2", "K=16..256*2", "MODE=a,b,c"], None, matmul_like),
    "steps": (["T=1..20"], "1..48", steps),
    "rugged": (["A=1..12", "B=1..12", "C=1..12"], None, rugged),
}


def run(point: Point, function: Callable[..., float | None]) -> SweepOutcome:
    value = function(**{name: int(word) if word.isdigit() else word for name, word in point.values})
    return SweepOutcome(point, value, value or 0.0, "MTE2: HBM", 1, "" if value else "it does not fit")


@pytest.mark.parametrize("workers", [1, 4])
@pytest.mark.parametrize("name", SPACES)
def test_forty_runs_come_within_five_percent_of_the_best(name: str, workers: int) -> None:
    defines, blocks, function = SPACES[name]
    axes = axes_of(defines, blocks, None, [])
    every = [run(point, function).task_us for point in combinations(axes)]
    best = min(value for value in every if value is not None)
    outcomes, _ = search(axes, TASK, Budget.of("40"), workers, lambda points: [run(point, function) for point in points])
    assert len(outcomes) <= 40 < len(every)
    assert len({str(each.point) for each in outcomes}) == len(outcomes), "nothing is run twice"
    assert min(each.task_us for each in outcomes if each.task_us is not None) <= 1.05 * best


def test_the_same_search_takes_the_same_way() -> None:
    axes = axes_of(["A=1..12", "B=1..12", "C=1..12"], None, None, [])
    ways = [search(axes, TASK, Budget.of("15"), 2, lambda points: [run(point, rugged) for point in points])[0] for _ in range(2)]
    assert [str(each.point) for each in ways[0]] == [str(each.point) for each in ways[1]]


def test_a_search_that_gains_nothing_stops_early() -> None:
    axes = axes_of(["A=1..10", "B=1..10"], None, None, [])
    flat = lambda points: [SweepOutcome(point, 5.0, 5.0, "", 1) for point in points]  # noqa: E731
    outcomes, ending = search(axes, TASK, Budget.of("60", patience=7), 1, flat)
    assert ending == "stopped early: 7 runs in a row gained less than 1%"
    assert len(outcomes) == 2 * 2 + 2 + 7, "those that are spread out, and seven more"


def test_a_budget_is_not_passed_and_a_small_space_is_run_whole() -> None:
    axes = axes_of(["A=1..4", "B=1,2"], None, None, [])
    one = lambda points: [SweepOutcome(point, float(str(point).count("1") + 1), 1.0, "", 1) for point in points]  # noqa: E731
    assert len(search(axes, TASK, Budget.of("5", patience=99), 4, one)[0]) == 5
    outcomes, ending = search(axes, TASK, Budget.of("50", patience=99), 4, one)
    assert (len(outcomes), ending) == (8, "all 8 combinations were run")


def test_where_everything_fails_the_search_goes_on_spread_out() -> None:
    axes = axes_of(["A=1..9", "B=1..9"], None, None, [])
    failing = lambda points: [SweepOutcome(point, None, error="no") for point in points]  # noqa: E731
    assert len(search(axes, TASK, Budget.of("12", patience=99), 3, failing)[0]) == 12


@pytest.mark.parametrize(("word", "runs", "seconds"), [("40", 40, None), ("90s", None, 90.0), ("5m", None, 300.0), ("1h", None, 3600.0)])
def test_a_budget_is_runs_or_time(word: str, runs: int | None, seconds: float | None) -> None:
    assert (Budget.of(word).runs, Budget.of(word).seconds) == (runs, seconds)


@pytest.mark.parametrize("word", ["0", "-3", "5 minutes", "fast"])
def test_a_budget_that_is_none_is_refused(word: str) -> None:
    with pytest.raises(AclimbError, match=r"it takes a number of runs \(40\) or a time \(90s, 5m, 1h\)"):
        Budget.of(word)


# --- words


def outcome(values: dict[str, str], task: float, core: float, **facts: object) -> SweepOutcome:
    whole = {"core_us": core, "hbm_bytes": 4 << 20, "instructions": 1000, "pipes": {}, **facts}
    return SweepOutcome(Point(tuple(values.items()), ()), task, core, "MTE2: HBM", 1, facts=whole)


def pipes(memory: float) -> dict[str, dict[str, float]]:
    return {"MTE2": {"busy": 1.0, "memory": memory, "flag": 0.5, "empty": 3.0}}


def test_the_winner_is_explained_against_the_runner_up() -> None:
    outcomes = [
        outcome({"TILE": "4096", "N": "8"}, 9.0, 8.0, pipes=pipes(6.0), instructions=4000, hbm_bytes=8 << 20),
        outcome({"TILE": "16384", "N": "8"}, 6.0, 5.0, pipes=pipes(3.0)),
        outcome({"TILE": "16384", "N": "4"}, 12.0, 11.0, pipes=pipes(9.0)),
    ]
    assert explain(outcomes, TASK) == [
        "runner-up: TILE=4096 N=8   9.00 us, 50.0% more",
        "the winner has TILE=16384 instead of 4096",
        "MTE2 waits for memory 3.00 us a core against 6.00 us",
        "it moves 4.00 MiB from and to the HBM against 8.00 MiB",
        "it has 1000 instructions against 4000",
        "what mattered, with the others at their best: N (4 takes 2.00 times as much as 8), TILE (4096 takes 1.50 times as much as 16384)",
    ]


def test_what_is_too_close_to_call_is_said() -> None:
    outcomes = [outcome({"A": "1"}, 5.0, 4.0), outcome({"A": "2"}, 5.05, 3.0), outcome({"A": "3"}, 5.0, 4.0)]
    assert explain(outcomes[:2], TASK) == [
        "runner-up: A=2   5.05 us, 1.0% more: closer than the model can tell apart",
        "the winner has A=1 instead of 2",
        "its cores take longer, 4.00 us against 3.00 us: starting and ending blocks decides here",
        "what hardly mattered: A",
    ]
    assert explain([outcomes[0], outcomes[2]], TASK)[0] == "runner-up: A=3   5.00 us, the same"
    assert explain(outcomes[:1], TASK) == []


def test_an_effect_is_taken_at_the_best_of_the_others() -> None:
    outcomes = [outcome({"A": a, "B": b}, t, t) for a, b, t in (("1", "1", 8.0), ("1", "2", 2.0), ("2", "1", 4.0), ("2", "2", 3.0))]
    assert [(each.name, each.best, each.factor) for each in effects(outcomes, TASK)] == [
        ("B", {"1": 4.0, "2": 2.0}, 2.0),
        ("A", {"1": 2.0, "2": 3.0}, 1.5),
    ]


# --- objectives


@pytest.mark.parametrize(("word", "value"), [("task", 6.0), ("core", 5.0), ("hbm", 4.0), ("task:mul", 2.5), ("task:none", None)])
def test_an_objective_reads_what_it_says(word: str, value: float | None) -> None:
    assert objective(word).of(outcome({"A": "1"}, 6.0, 5.0, kernels={"add": 3.5, "mul": 2.5})) == value


def test_an_objective_that_is_none_says_what_there_is() -> None:
    with pytest.raises(AclimbError, match=r"--objective fast: it takes task \(time of all launches\), core"):
        objective("fast")


# --- the command


def test_the_command_searches_within_its_budget(tmp_path: Path) -> None:
    words = ("--define", "TILE=128..4096*2", "--blocks", "1..8", "--budget", "6", "--objective", "core", "-j", 2)
    done = aclimb(tmp_path, "sweep", write_program(tmp_path), *words)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "6 of 48 combinations run; the budget is spent" in " ".join(done.stdout.split())
    assert len((tmp_path / "aclimb_sweep" / "sweep.csv").read_text().splitlines()) == 7
    assert "Mean core time" in (tmp_path / "aclimb_sweep" / "sweep.html").read_text()


def test_patience_without_a_budget_is_refused(tmp_path: Path) -> None:
    done = aclimb(tmp_path, "sweep", write_program(tmp_path), "--blocks", "1,2", "--patience", "3")
    assert done.returncode == 2
    assert "--patience ends a search; give it a --budget too" in done.stderr
