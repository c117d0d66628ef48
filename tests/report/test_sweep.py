# SPDX-License-Identifier: Apache-2.0
"""`aclimb sweep`: every combination once, the best one named, and failures that take their row and not the sweep."""

from __future__ import annotations

import csv
import re
import subprocess
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from command import aclimb, write_program

from aclimb.errors import AclimbError
from aclimb.report.sweep import show
from aclimb.report.sweep.objective import objective
from aclimb.report.sweep.points import Point, axes_of, combinations
from aclimb.report.sweep.result import SweepOutcome
from aclimb.report.sweep.runs import Swept


@pytest.fixture(scope="module")
def swept(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, subprocess.CompletedProcess[str]]:
    """Two tiles, of which one does not compile, and two numbers of blocks."""
    folder = tmp_path_factory.mktemp("swept")
    return folder, aclimb(folder, "sweep", write_program(folder), "--define", "TILE=512,65536", "--blocks", "1,4", "-j", 2)


def rows(folder: Path) -> list[dict[str, str]]:
    with (folder / "aclimb_sweep" / "sweep.csv").open(newline="") as file:
        return list(csv.DictReader(file))


def test_the_table_has_the_best_first_and_the_failed_last(swept: tuple[Path, subprocess.CompletedProcess[str]]) -> None:
    folder, done = swept
    assert done.returncode == 0, done.stderr
    lines = [line.split() for line in done.stdout.splitlines()]
    assert lines[0] == ["TILE", "blocks", "task", "us", "core", "us", "x", "best", "bound", "by"]
    assert [line[:2] for line in lines[1:5]] == [["512", "4"], ["512", "1"], ["65536", "1"], ["65536", "4"]]
    assert lines[1][4] == "1.00"
    assert float(lines[2][4]) > 2
    assert lines[3][2:] == lines[4][2:] == ["-", "-", "-", "failed"]
    best = next(row for row in rows(folder) if (row["TILE"], row["blocks"]) == ("512", "4"))
    assert f"best: TILE=512 blocks=4   {float(best['task_us']):.2f} us (modelled)" in done.stdout
    assert "runner-up: TILE=512 blocks=1" in done.stdout
    assert "the winner has blocks=4 instead of 1" in done.stdout
    assert done.stdout.splitlines()[-3:] == [
        "aclimb_sweep/sweep.html   open in a browser",
        "aclimb_sweep/sweep.csv",
        "aclimb_sweep/sweep.svg",
    ]


def test_a_combination_that_fails_says_why_once(swept: tuple[Path, subprocess.CompletedProcess[str]]) -> None:
    text = " ".join(swept[1].stdout.split())
    assert text.count("failed, 2 x: CompileError: double_it.cpp:6:") == 1
    assert "a tile of TILE elements does not fit" in text


def test_the_csv_has_a_row_for_each_combination_in_its_order(swept: tuple[Path, subprocess.CompletedProcess[str]]) -> None:
    found = rows(swept[0])
    assert [(row["TILE"], row["blocks"]) for row in found] == [("512", "1"), ("512", "4"), ("65536", "1"), ("65536", "4")]
    assert list(found[0]) == ["TILE", "blocks", "task_us", "core_us", "bound", "launches", "error"]
    assert all(float(row["task_us"]) > float(row["core_us"]) > 0 for row in found[:2])
    assert [row["error"] != "" for row in found] == [False, False, True, True]


def test_the_plot_of_two_parameters_is_a_heat_map(swept: tuple[Path, subprocess.CompletedProcess[str]]) -> None:
    drawing = ET.parse(swept[0] / "aclimb_sweep" / "sweep.svg").getroot()
    texts = [each.text for each in drawing.iter("{http://www.w3.org/2000/svg}text")]
    assert texts[0] == "Task time of program.py by TILE and blocks"
    assert {"TILE", "blocks", "512", "65536", "1", "4"} <= set(texts)
    assert texts.count("failed") == 2
    best = min(float(row["task_us"]) for row in rows(swept[0])[:2])
    assert f"{best:.2f}" in texts


def test_nothing_about_progress_where_nobody_looks(swept: tuple[Path, subprocess.CompletedProcess[str]]) -> None:
    assert swept[1].stderr == ""


def test_progress_goes_to_stderr(tmp_path: Path) -> None:
    done = aclimb(tmp_path, "sweep", write_program(tmp_path), "--blocks", 1, FORCE_COLOR="1", NO_COLOR="", TERM="xterm", columns=120)
    assert "sweep" in done.stderr
    assert "1/1" in done.stderr
    assert "1/1" not in done.stdout


@pytest.mark.parametrize("end", ["assert right", "sys.exit(not right)"])
def test_a_program_that_checks_its_results_is_swept_all_the_same(tmp_path: Path, end: str) -> None:
    """Without the arithmetic the results are wrong; the times are not."""
    done = aclimb(tmp_path, "sweep", write_program(tmp_path, end), "--blocks", "2", "--set", "launch_base_ns=5000,1000")
    assert done.returncode == 0, done.stdout
    assert "failed" not in done.stdout
    slow, fast = (float(row["task_us"]) for row in rows(tmp_path))
    assert slow > fast


@pytest.mark.parametrize(("more", "told"), [((), ""), (("--bad",), "failed, 1 x: the program ended with exit code 1")])
def test_with_full_results_count(tmp_path: Path, more: tuple[str, ...], told: str) -> None:
    program = write_program(tmp_path, "assert right\nsys.exit('--bad' in sys.argv)")
    done = aclimb(tmp_path, "sweep", program, "--blocks", "2", "--full", *more)
    assert done.returncode == bool(more)
    assert told in done.stdout


@pytest.mark.parametrize(
    ("options", "end", "why"),
    [
        ((), "raise ValueError('no')", "ValueError: no"),
        (("--full",), "launch(Stream(), LaunchConfig(num_blocks=1), double_it, buffer, 1 << 20)", "double_it failed"),
    ],
)
def test_other_errors_fail_the_row(tmp_path: Path, options: tuple[str, ...], end: str, why: str) -> None:
    done = aclimb(tmp_path, "sweep", write_program(tmp_path, end), "--blocks", "2", *options, columns=120)
    assert done.returncode == 1
    assert f"failed, 1 x: {why}" in done.stdout


def test_a_program_that_launches_nothing_fails_its_row(tmp_path: Path) -> None:
    (tmp_path / "idle.py").write_text("")
    done = aclimb(tmp_path, "sweep", "idle.py", "--blocks", "2")
    assert done.returncode == 1
    assert "failed, 1 x: no kernel was launched" in done.stdout


def test_chips_are_an_axis(tmp_path: Path) -> None:
    done = aclimb(tmp_path, "sweep", write_program(tmp_path), "--soc", "Ascend910B1,ascend910b4", "--", "--blocks", "7")
    assert done.returncode == 0, done.stdout + done.stderr
    assert [row["soc"] for row in rows(tmp_path)] == ["Ascend910B1", "Ascend910B4"]
    assert re.search(r"^best: soc=Ascend910B1 ", done.stdout, re.MULTILINE)


def test_the_last_axis_varies_fastest() -> None:
    points = combinations(axes_of(["A=1,2", "B=3"], "4,5", None, []))
    assert [str(point) for point in points] == ["A=1 B=3 blocks=4", "A=1 B=3 blocks=5", "A=2 B=3 blocks=4", "A=2 B=3 blocks=5"]
    assert points[0].options == ("-D", "A=1", "-D", "B=3", "--blocks", "4")


@pytest.mark.parametrize(
    ("word", "values"),
    [
        ("1..4", "1,2,3,4"),
        ("8..48+16", "8,24,40"),
        ("1024..8192*2", "1024,2048,4096,8192"),
        ("1..3,8,10..12", "1,2,3,8,10,11,12"),
        ("a..b", "a..b"),
    ],
)
def test_ranges_are_lists_of_values(word: str, values: str) -> None:
    [axis] = axes_of([f"TILE={word}"], None, None, [])
    assert ",".join(axis.values) == values


@pytest.mark.parametrize(
    ("defines", "blocks", "socs", "overrides", "sentence"),
    [
        ([], None, None, [], "there is nothing to vary; give --define NAME=A,B, --blocks 1,8, --soc NAME,NAME or --set NAME=A,B"),
        (["TILE"], None, None, [], "--define TILE: it takes NAME=A,B,..."),
        (["=1,2"], None, None, [], "--define =1,2: it takes NAME=A,B,..."),
        (["TILE=1,,2"], None, None, [], "--define TILE '1,,2': a value is empty; it takes values with commas between them"),
        (["TILE=1,1"], None, None, [], "--define TILE '1,1': a value is given twice"),
        (["TILE=1", "TILE=2"], None, None, [], "--define TILE is given twice; give its values at once: TILE=A,B"),
        ([], "1,x", None, [], "--blocks x: it takes whole numbers, 1 to 65535"),
        ([], "0", None, [], "--blocks 0: it takes whole numbers, 1 to 65535"),
        ([], None, "Ascend310P3", [], "Ascend310P3 is not modelled"),
        ([], None, None, ["hbm_gbs=1,fast"], "--set hbm_gbs=fast: 'fast' is not a number"),
        (
            ["A=0..100"],
            "1..100",
            None,
            [],
            "10100 combinations are more than 10000; vary less at a time, or search among them: --budget 50",
        ),
        (["A=8..4"], None, None, [], "--define A '8..4': a range is A..B, A..B+STEP or A..B*FACTOR"),
        (["A=1..8*1"], None, None, [], "--define A '1..8*1': a range is A..B, A..B+STEP or A..B*FACTOR"),
        (["A=1..8,8"], None, None, [], "--define A '1..8,8': a value is given twice"),
    ],
)
def test_axes_that_make_no_sense_are_refused(
    defines: list[str], blocks: str | None, socs: str | None, overrides: list[str], sentence: str
) -> None:
    with pytest.raises(AclimbError) as caught:
        combinations(axes_of(defines, blocks, socs, overrides))
    assert str(caught.value).startswith(sentence)


def test_a_parameter_that_does_not_exist_fails_with_its_name(tmp_path: Path) -> None:
    done = aclimb(tmp_path, "sweep", write_program(tmp_path), "--set", "hbm=1,2")
    assert done.returncode == 1
    assert done.stderr.startswith("InvalidArgument: the timing model of Ascend910_9392 has no parameter 'hbm'; the closest are ")


def test_a_narrow_table_keeps_the_columns_that_vary(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    point = Point((("TILE", "16384"), ("blocks", "48")), ())
    outcome = SweepOutcome(point, 3.58, 0.76, "launch: the cores run for a small part of the task", 1)
    show.show(Swept([outcome], 1), objective("task"), Path("program.py"), tmp_path)
    assert capsys.readouterr().out.splitlines()[1].split()[:5] == ["16384", "48", "3.58", "0.76", "1.00"]
