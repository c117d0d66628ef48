# SPDX-License-Identifier: Apache-2.0
"""`aclimb profile` as its user meets it: the summary, the files, the options, and programs that do not end well."""

from __future__ import annotations

import csv
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from command import LINES, aclimb, write_program

CSV = ["ArithmeticUtilization", "L2Cache", "Memory", "MemoryL0", "MemoryUB", "OpBasicInfo", "PipeUtilization", "ResourceConflictRatio"]


@pytest.fixture
def program(tmp_path: Path) -> Path:
    return write_program(tmp_path)


@pytest.fixture(scope="module")
def profiled(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, subprocess.CompletedProcess[str]]:
    """A program, profiled once for all tests that only look."""
    folder = tmp_path_factory.mktemp("profiled")
    return folder, aclimb(folder, "profile", write_program(folder))


def data(folder: Path) -> dict[str, Any]:
    whole: dict[str, Any] = json.loads((folder / "aclimb_profile" / "profile.json").read_text())
    return whole


def table(path: Path) -> list[dict[str, str]]:
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


# --- the summary


def test_the_summary_has_time_bound_pipes_bandwidth_and_stalls(profiled: tuple[Path, subprocess.CompletedProcess[str]]) -> None:
    folder, done = profiled
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    lines = done.stdout.splitlines()
    launch = data(folder)["launches"][0]
    assert lines[0] == "right []"
    assert lines[1] == f"double_it  Ascend910_9392 (modelled), 4 blocks   {launch['task_us']:.2f} us   bound by {launch['bound']}"
    assert lines[2].split() == ["pipe", "active", "busy", "memory", "wait", "flag", "wait", "queue", "empty"]
    assert {line.split()[0] for line in lines[3:7]} == {"MTE2", "MTE3", "V", "S"}
    assert re.fullmatch(r"  HBM \d+ of 1500 GB/s \(\d+%\)   L2 \d+ of 6000 GB/s \(\d+%\)   0% of reads hit the L2", lines[7])
    wait = LINES["WaitFlag<HardEvent::MTE2_V>(0);"]
    (first,) = [number for number, line in enumerate(lines) if re.match(r"  \d\. V waits for MTE2_V 0   \d+\.\d\d us a core$", line)]
    assert lines[first + 1] == f"     double_it.cpp:{wait}, set at double_it.cpp:{wait - 1}   WaitFlag<HardEvent::MTE2_V>(0);"
    assert any(line.startswith("  try: more blocks: 4 now, 48 can run at once: about ") for line in lines)
    assert any(line.startswith("  try: double buffering: two buffers let MTE2 load the next tile") for line in lines)
    assert [line[:4] for line in lines if re.match(r"  \d\. ", line)] == ["  1.", "  2.", "  3."]
    assert any(line.startswith("modelled, not measured; assumed among others: ") for line in lines)


def test_the_parts_of_a_pipe_sum_to_the_whole(profiled: tuple[Path, subprocess.CompletedProcess[str]]) -> None:
    for line in profiled[1].stdout.splitlines()[3:7]:
        active, *parts = (float(word[:-1]) for word in line.split() if word.endswith("%"))
        assert sum(parts) == pytest.approx(100, abs=0.3)
        assert active == pytest.approx(parts[0] + parts[1], abs=0.2)


@pytest.mark.parametrize("columns", [60, 80, 120])
def test_long_lines_wrap_behind_their_beginning_or_are_cut(program: Path, columns: int) -> None:
    done = aclimb(program.parent, "profile", "--no-files", program, columns=columns)
    lines = done.stdout.splitlines()[1:]
    assert max(map(len, lines)) <= columns
    beginnings = ("double_it ", "modelled, not measured")
    assert [line for line in lines if line and not line.startswith((" ", *beginnings))] == []
    assert [line for line in lines if line.endswith("…")] or columns >= 80


def test_colour_only_where_it_is_asked_for(program: Path) -> None:
    assert "\x1b[" not in aclimb(program.parent, "profile", "--no-files", program).stdout
    assert "\x1b[" in aclimb(program.parent, "profile", "--no-files", program, NO_COLOR="", FORCE_COLOR="1").stdout


def test_many_launches_are_counted_and_not_all_described(tmp_path: Path) -> None:
    more = "for _ in range(9):\n    launch(Stream(), LaunchConfig(num_blocks=1), double_it, buffer, 1024)\n"
    done = aclimb(tmp_path, "profile", "--no-files", write_program(tmp_path, more))
    assert done.stdout.count("double_it  Ascend910_9392") == 8
    assert re.search(r"^and 2 more launches, \d+\.\d\d us; profile.json has them all$", done.stdout, re.MULTILINE)


# --- the files


def test_files_are_named_with_what_they_are_for(profiled: tuple[Path, subprocess.CompletedProcess[str]]) -> None:
    folder, done = profiled
    assert done.stdout.splitlines()[-4:] == [
        "aclimb_profile/report.html   open in a browser",
        "aclimb_profile/trace.json   open in Perfetto or chrome://tracing",
        "aclimb_profile/profile.json   for --compare",
        "aclimb_profile/PipeUtilization.csv   and the other tables",
    ]
    names = sorted(path.name for path in (folder / "aclimb_profile").iterdir())
    assert names == sorted(["profile.json", "report.html", "trace.json", *(f"{name}.csv" for name in CSV)])


def test_the_files_agree_with_each_other(profiled: tuple[Path, subprocess.CompletedProcess[str]]) -> None:
    folder = profiled[0] / "aclimb_profile"
    whole = data(profiled[0])
    (launch,) = whole["launches"]
    rows = table(folder / "PipeUtilization.csv")
    assert len(rows) == len(launch["cores"]) == 4
    for column, pipe in (("aiv_vec_time(us)", "V"), ("aiv_mte2_time(us)", "MTE2"), ("aiv_mte3_time(us)", "MTE3")):
        written = sum(float(row[column]) for row in rows)
        assert written == pytest.approx(sum(core["pipes"][pipe]["active_us"] for core in launch["cores"]), abs=1e-5)
    (basic,) = table(folder / "OpBasicInfo.csv")
    assert (basic["Op Name"], basic["Block Dim"]) == ("double_it", "4")
    assert float(basic["Task Duration(us)"]) == pytest.approx(launch["task_us"], abs=1e-6)
    moved = sum(float(row["GM_to_UB_datas(KB)"]) for row in table(folder / "Memory.csv"))
    assert moved * 1024 == launch["bandwidth"]["gm_read_bytes"] == 65536 * 2
    events = json.loads((folder / "trace.json").read_text())["traceEvents"]
    on_cores = [each for each in events if each["ph"] == "X" and each["pid"] != "host"]
    assert len(on_cores) == len(whole["slices"]["lane"])
    assert sum(each["args"].get("process_bytes", 0) for each in on_cores) == sum(whole["slices"]["bytes"])


def test_no_files_writes_none(program: Path) -> None:
    assert aclimb(program.parent, "profile", "--no-files", program).returncode == 0
    assert not (program.parent / "aclimb_profile").exists()


def test_output_names_the_folder(program: Path) -> None:
    done = aclimb(program.parent, "profile", program, "-o", "a/b")
    assert "a/b/report.html   open in a browser" in done.stdout
    assert (program.parent / "a" / "b" / "profile.json").is_file()


def test_a_place_for_files_that_is_none_is_refused_before_the_program_runs(program: Path) -> None:
    done = aclimb(program.parent, "profile", program, "-o", "program.py")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "InvalidArgument: --output program.py: program.py is not a folder that can be written to\n"


# --- options


def test_options_stand_before_or_behind_the_program(program: Path) -> None:
    before = aclimb(program.parent, "profile", "--no-files", "--blocks", 2, program, "--size", 3)
    behind = aclimb(program.parent, "profile", program, "--size", 3, "--blocks", 2, "--no-files")
    assert before.stdout == behind.stdout
    assert before.stdout.splitlines()[0] == "right ['--size', '3']"
    assert "4 blocks" not in before.stdout
    assert ", 2 blocks   " in before.stdout


def test_behind_two_dashes_everything_is_the_programs(program: Path) -> None:
    done = aclimb(program.parent, "profile", "--no-files", program, "--", "--blocks", 2)
    assert done.stdout.splitlines()[0] == "right ['--blocks', '2']"
    assert ", 4 blocks   " in done.stdout


def test_a_misspelt_option_is_not_taken_for_the_program(program: Path) -> None:
    done = aclimb(program.parent, "profile", "--timing", program)
    assert done.returncode == 2
    assert "no such option: --timing" in done.stderr


def seconds(folder: Path, program: Path, *options: object) -> float:
    done = aclimb(folder, "profile", *options, program)
    assert done.returncode == 0, done.stderr
    return float(data(folder)["launches"][0]["task_us"])


def test_set_changes_a_parameter_of_the_model(program: Path) -> None:
    folder = program.parent
    usual = seconds(folder, program)
    slower = seconds(folder, program, "--set", "hbm_gbs=20", "--set", "launch_base_ns=5000")
    assert slower > usual + 2
    assert data(folder)["model"]["overrides"] == {"hbm_gbs": 20, "launch_base_ns": 5000}


def test_define_reaches_the_build(program: Path) -> None:
    folder = program.parent
    assert seconds(folder, program, "--define", "TILE=16384") < seconds(folder, program, "-D", "TILE=256")


def test_timing_only_says_so_and_computes_nothing(program: Path) -> None:
    done = aclimb(program.parent, "profile", "--timing-only", "--no-files", program)
    lines = done.stdout.splitlines()
    assert lines[0] == "wrong []"
    assert lines[1].startswith("double_it  Ascend910_9392 (modelled, timing-only), 4 blocks   ")
    assert "note: timing only: arithmetic and copies inside the kernels were left out;" in done.stdout


def test_sampled_says_so(program: Path) -> None:
    done = aclimb(program.parent, "profile", "--sampled", "--no-files", program, columns=200)
    assert "double_it  Ascend910_9392 (modelled, sampled), 4 blocks" in done.stdout
    assert "note: sampled: one block ran, with its share of the bandwidth; the others are assumed to be like it" in done.stdout


def test_soc_chooses_the_chip_of_build_and_model(program: Path) -> None:
    done = aclimb(program.parent, "profile", "--soc", "ascend910b4", "--no-files", program)
    assert "double_it  Ascend910B4 (modelled), 4 blocks" in done.stdout


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("--l2", "hot"), "InvalidArgument: l2 is 'hot'; it takes cold, clean-warm, dirty-warm: what a launch finds in the L2 cache"),
        (("--limit", "none"), "InvalidArgument: limit is 'none'; it takes bytes above 0, such as '1 GiB'"),
        (("--blocks", 0), "InvalidArgument: blocks is 0; it takes 1 to 65535, or None for what each launch asks for"),
        (("--set", "hbm"), "InvalidArgument: --set hbm: it takes name=value, such as hbm_gbs=1200"),
        (("--define", "=3"), "InvalidArgument: --define =3: it takes NAME or NAME=VALUE, without spaces"),
        (("--define", "T=a b"), "InvalidArgument: --define T=a b: it takes NAME or NAME=VALUE, without spaces"),
    ],
    ids=lambda value: " ".join(map(str, value)) if isinstance(value, tuple) else "",
)
def test_options_out_of_range_are_refused_by_sentence(program: Path, options: tuple[object, ...], sentence: str) -> None:
    done = aclimb(program.parent, "profile", *options, program)
    assert (done.returncode, done.stdout, done.stderr) == (1, "", sentence + "\n")


# --- programs that do not end well


@pytest.mark.parametrize(
    ("end", "code", "said"),
    [
        ("raise SystemExit(7)", 7, ""),
        ("sys.exit()", 0, ""),
        ("sys.exit('bad [thing] happened')", 1, "bad [thing] happened\n"),
    ],
)
def test_the_programs_exit_code_is_passed_on(tmp_path: Path, end: str, code: int, said: str) -> None:
    done = aclimb(tmp_path, "profile", "--no-files", write_program(tmp_path, end))
    assert (done.returncode, done.stderr) == (code, said)
    assert "double_it  Ascend910_9392 (modelled), 4 blocks" in done.stdout


def test_a_program_that_raises_shows_its_own_frames_and_what_was_timed(tmp_path: Path) -> None:
    program = write_program(tmp_path, "raise ValueError('not [today]')\n")
    done = aclimb(tmp_path, "profile", "--no-files", program)
    assert done.returncode == 1
    assert done.stderr.splitlines()[0] == "Traceback (most recent call last):"
    assert done.stderr.splitlines()[-1] == "ValueError: not [today]"
    assert done.stderr.count("  File ") == 1
    assert f'  File "{program}", line ' in done.stderr
    assert "double_it  Ascend910_9392 (modelled), 4 blocks" in done.stdout


def test_an_error_of_aclimb_is_one_sentence_with_its_line(tmp_path: Path) -> None:
    program = write_program(tmp_path, "launch(Stream(), LaunchConfig(num_blocks=1), double_it, buffer)\n")
    done = aclimb(tmp_path, "profile", "--no-files", program)
    line = len(program.read_text().splitlines())
    sentence = "InvalidArgument: double_it(x: GM_ADDR, length: uint32) takes 2 arguments; 1 given"
    assert (done.returncode, done.stderr) == (1, f"{sentence} (program.py:{line})\n")


def test_a_kernel_that_fails_is_marked(tmp_path: Path) -> None:
    program = write_program(tmp_path, "launch(Stream(), LaunchConfig(num_blocks=1), double_it, buffer, 1 << 20)\nbuffer.to_numpy()\n")
    done = aclimb(tmp_path, "profile", "--no-files", program)
    assert done.returncode == 1
    assert done.stderr.startswith("OutOfBounds: ")
    assert len(re.findall(r"^double_it  .* us   failed", done.stdout, re.MULTILINE)) == 1


def test_a_program_that_launches_nothing_is_told_so(tmp_path: Path) -> None:
    (tmp_path / "idle.py").write_text("print('hello')\n")
    done = aclimb(tmp_path, "profile", "idle.py")
    assert (done.returncode, done.stdout) == (0, "hello\nno kernel was launched while the profile was open\n")
    assert not (tmp_path / "aclimb_profile").exists()


def test_a_program_that_is_not_there_is_refused(tmp_path: Path) -> None:
    done = aclimb(tmp_path, "profile", "missing.py")
    assert (done.returncode, done.stderr) == (1, "SourceNotFound: missing.py does not exist; give the path of a program\n")


def test_a_program_is_needed(tmp_path: Path) -> None:
    done = aclimb(tmp_path, "profile")
    assert done.returncode == 2
    assert "give a program, or --compare a.json b.json" in done.stderr


# --- two profiles


PAGE = "both/compare.html   both side by side, with their timelines; open in a browser"


def test_two_profiles_become_one_page_and_a_table(profiled: tuple[Path, subprocess.CompletedProcess[str]]) -> None:
    folder = profiled[0]
    before, after = folder / "before.json", folder / "after.json"
    whole = data(folder)
    (launch,) = whole["launches"]
    before.write_text(json.dumps(whole))
    other = {**launch, "kernel": "other", "task_us": 1.0}
    after.write_text(json.dumps({**whole, "launches": [{**launch, "task_us": launch["task_us"] / 4, "bound": "V"}, other]}))
    done = aclimb(folder, "profile", "--compare", before, after, "-o", "both")
    now, then = launch["task_us"] / 4, launch["task_us"]
    assert done.returncode == 0, done.stderr
    assert [line.split() for line in done.stdout.splitlines()[:3]] == [
        ["kernel", "before", "us", "after", "us", "factor", "bound", "by"],
        ["double_it", f"{then:.2f}", f"{now:.2f}", "x", "0.25", "MTE2:", "HBM", "->", "V"],
        ["other", "-", "1.00", "new", *launch["bound"].split()],
    ]
    factor = then / (now + 1)
    assert done.stdout.splitlines()[3:] == [
        f"after is {factor:.2f} times as fast as before: {now + 1:.2f} us against {then:.2f} us (modelled)",
        PAGE,
    ]
    assert "double_it" in (folder / "both" / "compare.html").read_text()


def test_a_profile_compared_with_itself_is_the_same(profiled: tuple[Path, subprocess.CompletedProcess[str]]) -> None:
    path = profiled[0] / "aclimb_profile" / "profile.json"
    done = aclimb(profiled[0], "profile", "--compare", path, path, "-o", "both")
    took = f"{data(profiled[0])['launches'][0]['task_us']:.2f}"
    assert done.stdout.splitlines()[1].split() == ["double_it", took, took, "same", "MTE2:", "HBM"]
    assert done.stdout.splitlines()[2:] == [f"B takes as long as A: {took} us (modelled)", PAGE]


@pytest.mark.parametrize("command", ["profile", "sweep"])
def test_who_stops_reading_gets_the_files_all_the_same(program: Path, command: str) -> None:
    """As `| head -0` does: nobody reads what is printed."""
    options = ["--blocks", "1,2"] if command == "sweep" else []
    words = [sys.executable, "-m", "aclimb", command, *options, str(program)]
    read, write = os.pipe()
    os.close(read)
    settings = {**os.environ, "PYTHONUNBUFFERED": ""}
    done = subprocess.run(
        words, cwd=program.parent, stdout=write, stderr=subprocess.PIPE, text=True, timeout=600, env=settings, check=False
    )
    os.close(write)
    written = {path.name for path in (program.parent / f"aclimb_{command}").iterdir()}
    assert written >= ({"sweep.csv", "sweep.svg"} if command == "sweep" else {"profile.json", "report.html", "trace.json"})
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (None, "does not exist; `aclimb profile program.py` writes a profile.json"),
        ("{", "cannot be read as a profile: Expecting property name enclosed in double quotes: line 1 column 2 (char 1)"),
        ('{"format": "aclimb profile", "version": 1}', "is damaged: it has no 'soc'; take the profile again"),
        ("[1]", "is not a profile; `aclimb profile program.py` writes a profile.json"),
        ('{"a": 1}', "is not a profile; `aclimb profile program.py` writes a profile.json"),
        ('{"format": "aclimb profile", "version": 99}', "has version 99; this aclimb reads version 1: take the profile again"),
    ],
)
def test_files_that_cannot_be_compared_are_refused(tmp_path: Path, text: str | None, sentence: str) -> None:
    if text is not None:
        (tmp_path / "a.json").write_text(text)
    done = aclimb(tmp_path, "profile", "--compare", "a.json", "a.json")
    assert (done.returncode, done.stdout, done.stderr) == (1, "", f"InvalidArgument: a.json {sentence}\n")
    assert not (tmp_path / "aclimb_profile").exists()


@pytest.mark.parametrize(
    ("first", "second", "names"),
    [
        ("before/profile.json", "after/profile.json", ("before", "after")),
        ("p/one.json", "p/two.json", ("one", "two")),
        ("p/one.json", "p/one.json", ("A", "B")),
    ],
)
def test_a_comparison_names_what_tells_the_two_apart(first: str, second: str, names: tuple[str, str]) -> None:
    from aclimb.report.profiles import comparison_names

    assert comparison_names(Path(first), Path(second)) == names
