# SPDX-License-Identifier: Apache-2.0
"""Tasks on a Ray cluster of two nodes: the same results as on this machine, and nothing lost when a node or the driver dies."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from fleet_tasks import MIB
from ray_cluster import Cluster

from aclimb.errors import AclimbError
from aclimb.fleet import Done, Fleet, Limits, Task, open_fleet
from aclimb.fleet.records import Records

pytestmark = [
    pytest.mark.xdist_group("ray"),
    pytest.mark.timeout(900),
    pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning", "ignore::ResourceWarning", "ignore::UserWarning"),
]
KERNEL = """\
#include "kernel_operator.h"
using namespace AscendC;
static_assert(TILE <= 4096, "a tile of TILE elements does not fit");
extern "C" __global__ __aicore__ void fill(GM_ADDR x) {
    GlobalTensor<half> gm;
    gm.SetGlobalBuffer((__gm__ half*)x + GetBlockIdx() * TILE, TILE);
    TPipe pipe;
    TBuf<TPosition::VECCALC> buffer;
    pipe.InitBuffer(buffer, TILE * sizeof(half));
    LocalTensor<half> local = buffer.Get<half>();
    Duplicate(local, half(1), TILE);
    PipeBarrier<PIPE_ALL>();
    DataCopy(gm, local, TILE);
}
"""
# Leaves a line for each run in the file that it is given; with a second file it waits once that is there.
PROGRAM = """\
import os, sys, time
from pathlib import Path
import numpy as np
from aclimb import Buffer, Kernel, LaunchConfig, Program, Stream, launch
fill = Kernel(Program(Path(__file__).with_name("fill.cpp")).compile())
values = np.fromfile(Path(__file__).with_name("data.bin"), np.float16)
stream, buffer = Stream(), Buffer.from_array(values)
launch(stream, LaunchConfig(num_blocks=2), fill, buffer)
stream.synchronize()
log, hold = Path(os.environ["ACLIMB_TEST_LOG"]), Path(os.environ["ACLIMB_TEST_LOG"] + ".hold")
if hold.exists() and log.exists():
    Path(f"{log}.waits").write_text(f"{os.getpid()}.")
    while hold.exists():
        time.sleep(0.1)
with log.open("a") as file:
    file.write("ran\\n")
"""


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """Its second node has no compiler."""
    made = Cluster(tmp_path_factory.mktemp("cluster"), ACLIMB_CXX="no-such-compiler")
    yield made
    made.close()


@pytest.fixture
def on_ray(cluster: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAY_ADDRESS", cluster.address)


@pytest.fixture
def ray_fleet(on_ray: None) -> Iterator[Fleet]:
    with open_fleet("ray") as made:
        yield made


def task(name: str, arguments: Any = None, **more: Any) -> Task:
    return Task(f"fleet_tasks:{name}", arguments, **more)


def counts(fleet: Fleet) -> dict[str, int]:
    return fleet._hands.counts()  # type: ignore[attr-defined]


def both_have_come(fleet: Fleet) -> None:
    """However long a busy machine takes to start the second worker."""
    for _ in range(200):
        if len({done.node for done in fleet.run([task("sleep_then", (0.2, at)) for at in range(4)])}) == 2:
            return
    raise AssertionError("one of the two nodes does nothing")


# --- the same as on this machine


def test_results_come_in_order_from_both_nodes(ray_fleet: Fleet) -> None:
    assert ray_fleet.workers == 2
    both_have_come(ray_fleet)
    found = list(ray_fleet.run([task("sleep_then", (0.3 * (at % 2), at)) for at in range(20)]))
    assert [done.value for done in found] == list(range(20))
    assert len({done.node for done in found}) == 2


def test_reasons_are_those_of_this_machine(ray_fleet: Fleet, tmp_path: Path) -> None:
    tasks = [
        task("raises", "not today"),
        task("exits", 3),
        task("segfaults"),
        task("segfaults_once", str(tmp_path / "marker")),
        task("hangs_with_a_child", str(tmp_path / "pids"), limits=Limits(seconds=0.5)),
        task("holds", 400 * MIB, limits=Limits(memory=250 * MIB)),
        task("child_holds", 400 * MIB, limits=Limits(memory=250 * MIB)),
        task("square", 7),
    ]
    there = [(done.value, done.reason, done.attempts) for done in ray_fleet.run(tasks)]
    (tmp_path / "marker").unlink()
    with open_fleet(jobs=2) as fleet:
        here = [(done.value, done.reason, done.attempts) for done in fleet.run(tasks)]
    assert there == here
    assert [reason for _, reason, _ in there][4:7] == [
        "it was still running after 0.5 s, and was ended (2 attempts)",
        *["it needed more memory than the 250 MiB that it may have, and was ended (2 attempts)"] * 2,
    ]


def test_another_attempt_is_made_on_another_node(ray_fleet: Fleet, tmp_path: Path) -> None:
    both_have_come(ray_fleet)
    [done] = ray_fleet.run([task("segfaults_once_there", str(tmp_path / "marker"))])
    first, second = done.value
    assert first != second


def test_files_travel_once_and_a_second_run_brings_nothing(on_ray: None, tmp_path: Path) -> None:
    for number in range(3):
        (tmp_path / f"{number}.txt").write_text(f"file {number} of {tmp_path}")
    (tmp_path / "again.txt").write_text(f"file 1 of {tmp_path}")  # the same content under another name
    tasks = [(str(tmp_path / f"{at % 3}.txt"), f"file {at % 3} of {tmp_path}") for at in range(12)]
    fetched = []
    for _ in range(2):
        with open_fleet("ray") as fleet:
            both_have_come(fleet)
            folders = fleet.carry([tmp_path, tmp_path / "0.txt"])
            assert [each.root for each in folders] == [str(tmp_path)]
            found = list(fleet.run([task("has_a_file_slowly", path, folders=folders) for path, _ in tasks]))
            assert [done.value for done in found] == tasks
            fetched.append(sum(count for name, count in counts(fleet).items() if name != "built"))
        shutil.rmtree(Path(tempfile.gettempdir()) / f"aclimb-fleet-{os.getuid()}" / folders[0].digest[:16])
    assert 4 <= fetched[0] <= 8  # the list and three files, for one node or for each
    assert fetched[1] <= 8 - fetched[0]  # what only one of them had


@pytest.fixture
def program(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "fill.cpp").write_text(KERNEL)
    (folder / "data.bin").write_bytes(bytes(2 * 2 * 4096))
    path = folder / "program.py"
    path.write_text(PROGRAM)
    return path


def sweep(program: Path, *words: str, log: Path, **more: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "aclimb", "sweep", program.name, *words]
    environment = {**os.environ, "COLUMNS": "100", "NO_COLOR": "1", "ACLIMB_TEST_LOG": str(log), **more}
    return subprocess.Popen(command, cwd=program.parent, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def finished(process: subprocess.Popen[str]) -> tuple[int, str, str]:
    out, err = process.communicate(timeout=600)
    return process.returncode, out, err


@pytest.mark.parametrize("how", ["address", "client"])
def test_a_sweep_gives_the_same_files_here_on_ray_and_through_a_client(
    cluster: Cluster, program: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    """The kernels of a node without a compiler come from the other one."""
    words = ("-D", "TILE=512,1024,8192", "--blocks", "1,2")
    here = finished(sweep(program, *words, "-o", "here", log=tmp_path / "log"))
    monkeypatch.setenv("RAY_ADDRESS", cluster.address)
    on = cluster.client if how == "client" else "ray"
    there = finished(sweep(program, *words, "-o", "there", "--on", on, log=tmp_path / "log2"))
    assert (there[0], there[2]) == (0, "")
    assert there[1].replace("there/", "here/") == here[1]
    assert here[0] == 0
    for name in ("sweep.csv", "sweep.svg", "sweep.html"):
        assert (program.parent / "there" / name).read_bytes() == (program.parent / "here" / name).read_bytes(), name
    with Records(program.parent / "there" / "sweep.sqlite") as records:
        results = records.results(records.last())
    assert len(results) == 6
    assert (tmp_path / "log2").read_text().count("ran") == 4


def test_kernels_are_built_once_for_both_nodes(ray_fleet: Fleet, program: Path) -> None:
    """Three sources, each wanted by six tasks, on nodes of one kind, of which one has no compiler."""
    for number in range(3):
        text = KERNEL.replace("TILE", str(256 << number)).replace("void fill", f"void fill_{number}")
        (program.parent / f"k{number}.cpp").write_text(text)
    folders = ray_fleet.carry([program.parent])
    tasks = [
        Task("aclimb.report.coverage:build_one", (str(program.parent / f"k{at % 3}.cpp"), [], []), folders=folders) for at in range(18)
    ]
    both_have_come(ray_fleet)
    found = [*ray_fleet.run(tasks), *ray_fleet.run(tasks)]  # the second time both are free, and everything is there
    assert [(done.value, done.reason) for done in found] == [("", "")] * 36
    assert len({done.node for done in found}) == 2  # the one without a compiler had its share
    assert counts(ray_fleet)["built"] == 3


def test_op_check_reports_the_same(on_ray: None) -> None:
    command = [sys.executable, str(Path(__file__).with_name("op_program.py"))]
    ways = [["0"], ["2", "ray"]]
    here, there = (subprocess.run([*command, *way], capture_output=True, text=True, check=True, timeout=600).stdout for way in ways)
    assert there == here


def test_coverage_and_try_print_the_same(on_ray: None, tmp_path: Path) -> None:
    folder = tmp_path / "samples"
    folder.mkdir()
    (folder / "fill.cpp").write_text(KERNEL.replace("TILE", "256"))
    (folder / "broken.cpp").write_text(KERNEL.replace("TILE", "256").replace("PipeBarrier<PIPE_ALL>();", "nonsense;"))
    for words in (["coverage", str(folder), "--build", "--json"], ["try", str(folder), "--json"]):
        here, there = (
            subprocess.run([sys.executable, "-m", "aclimb", *words, *more], capture_output=True, text=True, check=False, timeout=600)
            for more in ([], ["--on", "ray"])
        )
        assert (there.returncode, there.stderr) == (here.returncode, here.stderr)
        assert _without_times(there.stdout) == _without_times(here.stdout)
        assert "nonsense" in here.stdout


@pytest.mark.parametrize("name", ["program.py", "program.asc"])
def test_check_with_schedules_tells_the_same(on_ray: None, tmp_path: Path, name: str) -> None:
    """Two parts of the schedules, one for each node, of which one has no compiler; the lines are those of the user's files."""
    shutil.copy(Path(__file__).with_name("racing") / name, tmp_path)
    shutil.copy(Path(__file__).parents[1] / "check_rules" / "S1" / "bad.cpp", tmp_path)
    told = []
    for more in ([], ["--on", "ray"]):
        command = [sys.executable, "-m", "aclimb", "check", name, "--schedules", "30", "-o", "report.json", *more]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=600, cwd=tmp_path)
        told.append((done.returncode, done.stdout, done.stderr, (tmp_path / "report.json").read_bytes()))
    assert told[1] == told[0]
    assert (told[0][0], told[0][2]) == (1, "")
    assert "of 30 schedules   [S1]" in told[0][1]
    assert f"    task launch   {name}:" in told[0][1]


def _without_times(text: str) -> str:
    """And without the name of the copy, which is another one each time."""
    return re.sub(r"/tmp/aclimb-try-\w+", "", re.sub(r'("seconds": )[\d.]+', r"\1", text))


# --- what dies


def test_a_driver_that_is_killed_goes_on_and_computes_nothing_twice(
    on_ray: None, program: Path, tmp_path: Path, has_ended: Callable[[int], bool]
) -> None:
    log, hold = tmp_path / "log", tmp_path / "log.hold"
    words = ("-D", "TILE=512", "--blocks", "1..5", "--on", "ray", "-j", "1")
    hold.touch()
    driver = sweep(program, *words, log=log)
    until = time.monotonic() + 600
    while not (tmp_path / "log.waits").exists() and time.monotonic() < until:
        time.sleep(0.1)
    driver.send_signal(signal.SIGKILL)
    finished(driver)
    assert has_ended(int((tmp_path / "log.waits").read_text().rstrip(".")))  # Ray ends its worker, and that what it was at
    hold.unlink()
    assert log.read_text().count("ran") == 1
    code, _, err = finished(sweep(program, *words, "--resume", log=log))
    assert (code, err) == (0, "")
    assert log.read_text().count("ran") == 5
    with Records(program.parent / "aclimb_sweep" / "sweep.sqlite") as records:
        assert [each.parameters["blocks"] for each in records.results(records.last())] == ["1", "2", "3", "4", "5"]


def test_a_node_that_dies_in_the_middle_loses_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cluster, log = Cluster(tmp_path / "cluster"), tmp_path / "log"
    monkeypatch.setenv("RAY_ADDRESS", cluster.address)
    came: list[int] = []

    def note(done: Done) -> None:
        came.append(done.number)
        if len(came) == 700:
            cluster.second.kill()

    try:
        with open_fleet("ray") as fleet:
            both_have_come(fleet)
            found = list(fleet.run((task("noted_slowly", (str(log), number, 0.002)) for number in range(2000)), note))
    finally:
        cluster.close()
    assert [done.value for done in found] == list(range(2000))
    assert sorted(came) == list(range(2000))  # told once each
    ran = sorted(map(int, log.read_text().split()))
    assert set(ran) == set(range(2000))
    assert len(ran) <= 2001  # only what the node was at may have been done before
    assert len({done.node for done in found[:500]}) == 2
    assert len({done.node for done in found[1000:]}) == 1


# --- sentences


@pytest.mark.parametrize(
    ("on", "hint"),
    [("ray", "start one with `ray start --head`"), ("ray://127.0.0.1:1", "is it running, and with the same Ray and Python?")],
)
def test_without_a_cluster_a_sentence_says_what_to_do(monkeypatch: pytest.MonkeyPatch, on: str, hint: str) -> None:
    monkeypatch.setenv("RAY_ADDRESS", "127.0.0.1:1")
    with pytest.raises(AclimbError) as caught:
        open_fleet(on)
    assert str(caught.value) == f"--on {on}: there is no Ray cluster ([Errno 111] Connection refused); {hint}"
