# SPDX-License-Identifier: Apache-2.0
"""sweep.sqlite: a sweep that was killed or interrupted goes on, computes nothing twice, and can be shown again."""

from __future__ import annotations

import os
import re
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from aclimb.fleet.records import Records, Result

KERNEL = """\
#include "kernel_operator.h"
extern "C" __global__ __aicore__ void nothing(GM_ADDR x) {}
"""
# Each run leaves a line; behind the first ones, it waits for a file.
PROGRAM = """\
import os, time
from pathlib import Path
from aclimb import Buffer, Kernel, LaunchConfig, Program, Stream, launch
here = Path(__file__).parent
nothing = Kernel(Program(here / "nothing.cpp").compile())
stream = Stream()
launch(stream, LaunchConfig(num_blocks=2), nothing, Buffer(64))
stream.synchronize()
value = os.environ["ACLIMB_DEFINES"] if "ACLIMB_DEFINES" in os.environ else ""
if "HOLD" in os.environ and (here / "log.txt").exists():
    (here / "waits").touch()
    time.sleep(600)
with open(here / "log.txt", "a") as log:
    log.write("ran\\n")
"""
WORDS = ("program.py", "--blocks", "1..3", "-j", "1")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "nothing.cpp").write_text(KERNEL)
    (tmp_path / "program.py").write_text(PROGRAM)
    return tmp_path


def start(folder: Path, *words: str, **environment: str) -> subprocess.Popen[str]:
    command, settings = [sys.executable, "-m", "aclimb", "sweep", *words], {**os.environ, "COLUMNS": "100", "NO_COLOR": "1", **environment}
    return subprocess.Popen(command, cwd=folder, env=settings, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def sweep(folder: Path, *words: str) -> tuple[int, str, str]:
    process = start(folder, *words)
    out, err = process.communicate(timeout=600)
    return process.returncode, out, err


def stopped(folder: Path, number: signal.Signals) -> tuple[int, str]:
    """In the second run, which waits."""
    process = start(folder, *WORDS, HOLD="1")
    until = time.monotonic() + 600
    while not (folder / "waits").exists() and time.monotonic() < until:
        time.sleep(0.05)
    process.send_signal(number)
    return process.wait(60), process.communicate()[1]


def runs(folder: Path) -> int:
    return len((folder / "log.txt").read_text().split())


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT])
def test_a_sweep_that_is_stopped_goes_on_and_computes_nothing_twice(folder: Path, number: signal.Signals) -> None:
    code, said = stopped(folder, number)
    if number is signal.SIGINT:
        done = "stopped: 1 of 3 combinations are done and in aclimb_sweep/sweep.sqlite; the same command with --resume goes on\n"
        assert (code, said) == (130, done)
    assert runs(folder) == 1
    code, out, err = sweep(folder, "--show", "aclimb_sweep/sweep.sqlite", "-o", "half")
    assert (code, err) == (0, "")
    assert "1 of 3 combinations run; it was not finished, and goes on with --resume" in out
    code, out, err = sweep(folder, *WORDS, "--resume")
    assert (code, err) == (0, "")
    assert runs(folder) == 3
    with Records(folder / "aclimb_sweep" / "sweep.sqlite") as records:
        run = records.last()
        assert [each.parameters for each in records.results(run)] == [{"blocks": str(number)} for number in range(1, 4)]
        assert run.ending == ""
    if number is signal.SIGKILL:
        _same_as_a_sweep_in_one_go(folder)


def _same_as_a_sweep_in_one_go(folder: Path) -> None:
    assert sweep(folder, *WORDS, "-o", "whole")[0] == 0
    assert sweep(folder, "--show", "aclimb_sweep/sweep.sqlite", "-o", "shown")[0] == 0
    for name in ("sweep.csv", "sweep.svg", "sweep.html"):
        assert (folder / "aclimb_sweep" / name).read_bytes() == (folder / "whole" / name).read_bytes()
        assert (folder / "shown" / name).read_bytes() == (folder / "whole" / name).read_bytes()


def test_a_finished_sweep_resumes_to_the_same_without_a_run(folder: Path) -> None:
    first = sweep(folder, *WORDS)
    assert sweep(folder, *WORDS, "--resume") == first
    assert runs(folder) == 3


def test_a_search_goes_on_where_it_was(folder: Path) -> None:
    words = ("program.py", "--blocks", "1..40", "-j", "1", "--budget", "3")
    first = sweep(folder, *words)
    with sqlite3.connect(folder / "aclimb_sweep" / "sweep.sqlite") as database:
        database.execute("delete from result where number > 1")
    assert sweep(folder, *words, "--resume") == first
    assert runs(folder) == 4


def test_another_command_or_a_changed_source_does_not_go_on(folder: Path) -> None:
    words = ("program.py", "--blocks", "1", "-j", "1")
    assert sweep(folder, *words)[0] == 0
    code, _, err = sweep(folder, "program.py", "--blocks", "1,2", "--resume")
    assert code == 1
    assert " ".join(err.split()) == (
        'InvalidArgument: aclimb_sweep/sweep.sqlite cannot go on: parameters was {"blocks": ["1"]}, and is {"blocks": ["1", "2"]} now; '
        "give the same command as then, or leave --resume out to begin a new run"
    )
    (folder / "nothing.cpp").write_text(KERNEL + "\n")
    code, _, err = sweep(folder, *words, "--resume")
    assert code == 1
    assert re.search(r'cannot go on: sources was "\w{16}", and is "\w{16}" now; give the same command', " ".join(err.split()))


def test_what_is_in_the_file_is_documented(folder: Path) -> None:
    assert sweep(folder, "program.py", "--blocks", "2", "--soc", "Ascend910B1", "-j", "1")[0] == 0
    with sqlite3.connect(folder / "aclimb_sweep" / "sweep.sqlite") as database:
        [row] = database.execute("select run.id, run.command, parameters, chip, task_us > 0, findings, versions, attempts, seconds > 0 "
                                 "from result join run on run.id = result.run").fetchall()  # fmt: skip
    assert row[1:6] == ("sweep", '{"blocks": "2", "soc": "Ascend910B1"}', "Ascend910B1", 1, "[]")
    assert re.fullmatch(r"[0-9a-f]{12}", row[0])
    assert '"aclimb": ' in row[6]
    assert row[7:] == (1, 1)


def test_a_run_that_takes_too_long_is_a_row_that_failed(folder: Path) -> None:
    (folder / "program.py").write_text("import time\ntime.sleep(600)\n")
    code, out, _ = sweep(folder, "program.py", "--blocks", "2", "--time-limit", "3")
    assert code == 1
    assert "failed, 1 x: it was still running after 3 s, and was ended (2 attempts)" in out


def test_a_program_that_crashes_is_tried_again_and_a_row_that_failed(folder: Path) -> None:
    (folder / "program.py").write_text("import os\nprint('bye', flush=True)\nos.kill(os.getpid(), 11)\n")
    code, out, _ = sweep(folder, "program.py", "--blocks", "2")
    assert code == 1
    assert "failed, 1 x: the program ended by SIGSEGV: bye (2 attempts)" in out


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--show", "nope.sqlite"), "InvalidArgument: nope.sqlite does not exist; give the sweep.sqlite of a sweep"),
        ((*WORDS, "--resume"), "InvalidArgument: aclimb_sweep/sweep.sqlite does not exist; give the sweep.sqlite of a sweep"),
        (
            ("--show", "text"),
            "InvalidArgument: text cannot be used: file is not a database; give the sweep.sqlite of a sweep, or remove it",
        ),
        (
            ("--show", "other"),
            "InvalidArgument: other is a database, but none of aclimb's; give the sweep.sqlite of a sweep, or another folder",
        ),
        (("--show", "empty"), "InvalidArgument: empty has no run; sweep without --resume first"),
        ((*WORDS, "--time-limit", "0"), "InvalidArgument: --time-limit is 0; it takes seconds, a number above 0"),
        ((*WORDS, "--memory-limit", "much"), "InvalidArgument: --memory-limit is 'much'; it takes bytes above 0, with K, M, G or T"),
    ],
)  # fmt: skip
def test_files_and_limits_that_make_no_sense_are_refused(folder: Path, words: tuple[str, ...], sentence: str) -> None:
    (folder / "text").write_text("no database\n" * 100)
    with sqlite3.connect(folder / "other") as database:
        database.execute("create table t (x)")
    Records(folder / "empty").close()
    code, _, err = sweep(folder, *words)
    assert code == 1
    assert " ".join(err.split()).startswith(sentence)


def test_results_of_another_version_are_not_mixed_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Records(tmp_path / "a.sqlite") as records:
        monkeypatch.setattr("aclimb.fleet.records.__version__", "0.0.1")
        records.begin("sweep", {"x": 1}, 1)
        monkeypatch.undo()
        with pytest.raises(ValueError, match=r"cannot go on: it was begun with aclimb 0\.0\.1, and this is .*; results of both"):
            records.resume("sweep", {"x": 1})


def test_a_result_is_there_for_a_second_reader_at_once(tmp_path: Path) -> None:
    with Records(tmp_path / "a.sqlite") as records:
        run = records.begin("sweep", {}, 2)
        result = Result(0, "k", {"A": "1"}, "chip", 1.5, 1.0, ["found"], "", {"more": [1, 2]}, 2, 0.5, "node")
        records.add(run, result)
        with Records(tmp_path / "a.sqlite") as other:
            assert other.results(run) == [result]
        with pytest.raises(sqlite3.IntegrityError):
            records.add(run, result)
