# SPDX-License-Identifier: Apache-2.0
"""Tasks on processes of this machine: results in order, and what goes wrong has its reason."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from fleet_tasks import MIB

from aclimb.errors import InvalidArgument, Unsupported
from aclimb.fleet import Done, Fleet, Limits, Task, open_fleet, trees


def task(name: str, arguments: Any = None, **more: Any) -> Task:
    return Task(f"fleet_tasks:{name}", arguments, **more)


def one(fleet: Fleet, name: str, arguments: Any = None, **more: Any) -> Done:
    [done] = fleet.run([task(name, arguments, **more)])
    return done


def test_results_come_in_the_order_of_the_tasks(fleet: Fleet) -> None:
    waits = [0.4, 0.0, 0.2, 0.0, 0.0]
    came: list[int] = []
    found = list(fleet.run([task("sleep_then", (wait, at)) for at, wait in enumerate(waits)], lambda done: came.append(done.number)))
    assert [(done.number, done.value) for done in found] == [(at, at) for at in range(5)]
    assert sorted(came) == list(range(5))
    assert came[0] == 1  # told as they come


def test_two_thousand_tasks_none_lost_and_none_twice(fleet: Fleet, tmp_path: Path) -> None:
    log = tmp_path / "log"
    found = list(fleet.run(task("noted", (str(log), number)) for number in range(2000)))
    assert [done.value for done in found] == list(range(2000))
    assert sorted(map(int, log.read_text().split())) == list(range(2000))


def test_a_second_run_uses_the_same_workers(fleet: Fleet) -> None:
    once = {done.value for done in fleet.run([task("pid")] * 20)}
    assert {done.value for done in fleet.run([task("pid")] * 20)} <= once


def test_workers_share_the_cores(fleet: Fleet) -> None:
    assert one(fleet, "threads").value == str(max(1, (os.cpu_count() or 1) // 2))


def test_an_exception_is_the_reason_and_is_not_tried_again(fleet: Fleet) -> None:
    done = one(fleet, "raises", "not today")
    assert (done.ok, done.value, done.reason, done.attempts) == (False, None, "ValueError: not today", 1)


@pytest.mark.parametrize(
    ("name", "arguments", "reason"),
    [
        ("exits", 3, "the process ended with exit code 3: the last words (2 attempts)"),
        ("segfaults", None, "the process ended by SIGSEGV (2 attempts)"),
    ],
)
def test_a_crash_is_tried_again_and_then_told(fleet: Fleet, name: str, arguments: Any, reason: str) -> None:
    found = list(fleet.run([task("square", 3), task(name, arguments), task("square", 4)]))
    assert [done.value for done in found] == [9, None, 16]
    assert (found[1].reason, found[1].attempts) == (reason, 2)


def test_a_task_that_crashes_once_is_well_the_second_time(fleet: Fleet, tmp_path: Path) -> None:
    done = one(fleet, "segfaults_once", str(tmp_path / "marker"))
    assert (done.ok, done.value, done.attempts) == (True, "well", 2)


def test_a_task_that_hangs_is_ended_with_what_it_started(fleet: Fleet, tmp_path: Path, has_ended: Callable[[int], bool]) -> None:
    path = tmp_path / "pids"
    done = one(fleet, "hangs_with_a_child", str(path), limits=Limits(seconds=0.5))
    assert done.reason == "it was still running after 0.5 s, and was ended (2 attempts)"
    assert all(has_ended(int(pid)) for pid in path.read_text().split())
    assert one(fleet, "square", 5).value == 25


@pytest.mark.parametrize("name", ["holds", "child_holds"])
def test_a_task_that_exceeds_its_memory_is_ended(fleet: Fleet, name: str) -> None:
    done = one(fleet, name, 400 * MIB, limits=Limits(memory=250 * MIB))
    assert done.reason == "it needed more memory than the 250 MiB that it may have, and was ended (2 attempts)"


def test_within_its_limits_a_task_is_left_alone(fleet: Fleet) -> None:
    assert one(fleet, "sleep_then", (0.2, "x"), limits=Limits(seconds=30, memory=1024 * MIB)).value == "x"


def test_what_a_task_prints_disturbs_nobody_and_nobody_types(fleet: Fleet, capfd: pytest.CaptureFixture[str]) -> None:
    assert one(fleet, "talks", "hello").value == ""
    assert capfd.readouterr() == ("", "")


def test_a_result_that_cannot_travel_is_told(fleet: Fleet) -> None:
    reason = one(fleet, "gives_what_cannot_travel").reason
    assert reason.startswith("its result cannot travel: ")
    assert one(fleet, "square", 6).value == 36


def test_a_place_that_cannot_do_it_says_so(fleet: Fleet) -> None:
    done = one(fleet, "wants_another_place")
    assert (done.reason, done.attempts) == ("there is no oven here (6 attempts)", 6)


def test_folders_of_this_machine_are_where_they_are(fleet: Fleet, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("content")
    done = one(fleet, "has_a_file", str(tmp_path / "a.txt"), folders=fleet.carry([tmp_path]))
    assert done.value == (str(tmp_path / "a.txt"), "content")


def test_closing_in_the_middle_leaves_no_process(tmp_path: Path, has_ended: Callable[[int], bool]) -> None:
    path = tmp_path / "pids"
    with open_fleet(jobs=1) as fleet:
        found = fleet.run([task("square", 1), task("hangs_with_a_child", str(path))])
        assert next(found).value == 1
        with pytest.raises(KeyboardInterrupt):
            _interrupt_when(path, found)
    assert all(has_ended(int(pid)) for pid in path.read_text().split())


def _interrupt_when(path: Path, found: Any) -> None:
    """Ctrl-C, as soon as the task has begun."""
    parent = os.getpid()
    text = f"import os, time\nwhile not os.path.exists({str(path)!r}) or not open({str(path)!r}).read(): time.sleep(0.05)\n"
    watcher = subprocess.Popen([sys.executable, "-c", f"{text}os.kill({parent}, {signal.SIGINT.value})"])
    try:
        next(found)
    finally:
        watcher.wait()


def test_when_the_driver_is_killed_its_workers_end_with_what_they_started(tmp_path: Path, has_ended: Callable[[int], bool]) -> None:
    path = tmp_path / "pids"
    text = f"""
from aclimb.fleet import Task, open_fleet
with open_fleet(jobs=1) as fleet:
    list(fleet.run([Task("fleet_tasks:hangs_with_a_child", {str(path)!r})]))
"""
    driver = subprocess.Popen([sys.executable, "-c", text])
    until = time.monotonic() + 600
    while not (path.exists() and len(path.read_text().split()) == 2) and time.monotonic() < until:
        time.sleep(0.05)
    driver.kill()
    driver.wait()
    assert all(has_ended(int(pid)) for pid in path.read_text().split())


def test_without_ray_a_sentence_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(Unsupported) as caught:
        open_fleet("ray")
    assert str(caught.value) == "--on ray needs Ray, which is not installed; `pip install aclimb[ray]` brings it"


def test_a_tree_has_the_children_of_every_thread_whichever_ends_meanwhile(monkeypatch: pytest.MonkeyPatch) -> None:
    found: list[subprocess.Popen[bytes]] = []
    is_done = threading.Event()

    def start() -> None:
        found.append(subprocess.Popen(["sleep", "60"]))
        is_done.wait()

    thread = threading.Thread(target=start)
    thread.start()
    while not found:
        time.sleep(0.01)
    listed = os.listdir
    monkeypatch.setattr(os, "listdir", lambda path: ["1", *listed(path)] if str(path).endswith("/task") else listed(path))
    try:
        assert found[0].pid in trees.tree(os.getpid())  # "1" is no thread of this process
    finally:
        is_done.set()
        thread.join()
        found[0].kill()
        found[0].wait()


@pytest.mark.parametrize(
    ("on", "jobs", "sentence"),
    [
        (None, 0, "--jobs is 0; it takes how many tasks run at a time, 1 and up"),
        ("slurm", 1, "--on slurm: it takes ray, the Ray cluster that this machine belongs to, or ray://host:port, a remote one"),
    ],
)
def test_places_that_there_are_not_are_refused(on: str | None, jobs: int, sentence: str) -> None:
    with pytest.raises(InvalidArgument) as caught:
        open_fleet(on, jobs)
    assert str(caught.value) == sentence
