# SPDX-License-Identifier: Apache-2.0
"""`aclimb check` and ACLIMB_CHECK as their user meets them: words, files, exit status; the engine's checker is a fake (fake_site)."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import sarif as standard
from fakes import SOURCE

from aclimb import cli
from aclimb.check import asked
from aclimb.check.asked import Asked
from aclimb.errors import InvalidArgument

HERE = Path(__file__).parent
BAD = HERE.parent / "check" / "ub_count" / "bad.cpp"
PROGRAM = """\
import sys
from aclimb import Stream
Stream().synchronize()
print("program", sys.argv[1:])
"""
FAULTY = f"""\
import numpy as np
from aclimb import Buffer, Kernel, LaunchConfig, Program, Stream, launch
kernel, stream, x = Kernel(Program({str(BAD)!r}).compile()), Stream(), Buffer.from_array(np.zeros(1024, np.float32))
launch(stream, LaunchConfig(num_blocks=1), kernel, x, x)
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "add.cpp").write_text(SOURCE)
    (tmp_path / "program.py").write_text(PROGRAM)
    return tmp_path


def run(folder: Path, *words: object, finds: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
    fakes = {"PYTHONPATH": str(HERE / "fake_site"), "FAKE_SOURCE": str(folder / "add.cpp"), "FAKE_FINDINGS": finds}
    settings = {**os.environ, "COLUMNS": "80", "NO_COLOR": "1", **fakes, **environment}
    return subprocess.run(
        [sys.executable, *map(str, words)], cwd=folder, env=settings, capture_output=True, text=True, timeout=600, check=False
    )


def check(folder: Path, *words: object, finds: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
    return run(folder, "-m", "aclimb", "check", *words, finds=finds, **environment)


# --- words and status


def test_a_clean_program_ends_with_0(folder: Path) -> None:
    done = check(folder, "program.py", "one", "--two")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "program ['one', '--two']\nchecked 1 launch: nothing found\n"


def test_findings_end_with_1(folder: Path) -> None:
    done = check(folder, "program.py", finds="race race_equal")
    assert (done.returncode, done.stderr) == (1, "")
    lines = done.stdout.splitlines()
    assert lines[1] == "Race: V writes and MTE3 reads z (UB bytes 0x2000-0x2fff) in no order, add_custom block 0 (AIV 0)   [O1]"
    assert lines[-1] == "checked 1 launch: 1 error, 1 warning"


@pytest.mark.parametrize(("option", "status"), [((), 0), (("--warnings-as-errors",), 1)])
def test_warnings_alone_end_with_0_unless_they_are_errors(folder: Path, option: tuple[str, ...], status: int) -> None:
    assert check(folder, *option, "program.py", finds="race_equal").returncode == status


def test_a_program_that_fails_was_not_checked_to_its_end(folder: Path) -> None:
    (folder / "program.py").write_text(PROGRAM + "raise SystemExit(3)\n")
    done = check(folder, "program.py")
    assert (done.returncode, done.stdout.splitlines()[-1]) == (2, "checked 1 launch: nothing found; the program ended with exit status 3")
    (folder / "program.py").write_text(PROGRAM + "raise ValueError('mine')\n")
    done = check(folder, "program.py", finds="race")
    assert (done.returncode, done.stdout.splitlines()[-1]) == (1, "checked 1 launch: 1 error; the program ended with exit status 1")
    assert done.stderr.endswith("ValueError: mine\n")
    assert "aclimb/" not in done.stderr


def test_a_program_without_a_launch_was_not_checked(folder: Path) -> None:
    done = check(folder, "program.py", FAKE_LAUNCHES="0")
    assert (done.returncode, done.stdout.splitlines()[-1]) == (2, "checked 0 launches: nothing found; no kernel was launched")


def test_faults_are_findings_whether_the_program_sees_them_or_not(folder: Path) -> None:
    (folder / "program.py").write_text(FAULTY)
    done = check(folder, "program.py")
    assert done.returncode == 1
    assert "[B1]" in done.stdout
    assert done.stdout.splitlines()[-1] == "checked 1 launch: 1 error; the program ended with exit status 1"
    assert "nobody synchronised the stream of this task, which failed" in done.stderr
    (folder / "program.py").write_text(FAULTY + "try:\n    stream.synchronize()\nexcept Exception as error:\n    print('caught')\n")
    done = check(folder, "program.py")
    assert (done.returncode, done.stdout.splitlines()[0], done.stdout.splitlines()[-1]) == (1, "caught", "checked 1 launch: 1 error")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["gone.py"], "SourceNotFound: gone.py does not exist; give the path of a program"),
        (["--format", "yaml", "program.py"], "InvalidArgument: the format is 'yaml'; it takes text, json, sarif, junit, html"),
        (["--out", "x.pdf", "program.py"],
         "InvalidArgument: x.pdf: its suffix names no format; it takes .txt, .json, .sarif, .xml, .html, or give the format"),
        (["--format", "html", "program.py"],
         "InvalidArgument: the format html is a page for a browser; say which file it goes to, as report.html"),
        (["--auto-sync", "maybe", "program.py"], "InvalidArgument: auto_sync is 'maybe'; it takes on, off or warn"),
        (["--init", "maybe", "program.py"], "InvalidArgument: init is 'maybe'; it takes reach, eager or off"),
        (["--rule", "O99", "program.py"], "InvalidArgument: there is no rule 'O99'; is it O9? docs/reference/check.md lists them"),
        (["--strictness", "lax", "program.py"], "InvalidArgument: --strictness is 'lax'; it takes strict or hardware"),
        (["--baseline", "gone.json", "program.py"],
         "InvalidArgument: the baseline gone.json does not exist; `aclimb check --write-baseline FILE` writes one"),
    ],
)  # fmt: skip
def test_what_cannot_be_checked_is_a_sentence_and_status_2(
    folder: Path, words: list[str], message: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(folder)
    monkeypatch.setattr(sys, "argv", ["aclimb", "check", *words])
    with pytest.raises(SystemExit) as ended:
        cli.main()
    assert (ended.value.code, capsys.readouterr().err.strip()) == (2, message)


def test_a_report_that_cannot_be_written_is_a_sentence_and_status_2(folder: Path) -> None:
    done = check(folder, "--out", "no/x.json", "program.py")
    message = "InvalidArgument: no/x.json cannot be written: No such file or directory; choose another place"
    assert (done.returncode, done.stderr.strip()) == (2, message)


def test_an_option_that_is_misspelt_does_not_pass_for_the_program(folder: Path) -> None:
    done = check(folder, "--formats", "program.py")
    assert done.returncode == 2
    assert "no such option: --formats" in done.stderr


def test_a_source_that_does_not_build_could_not_be_checked(folder: Path) -> None:
    (folder / "wrong.cpp").write_text("int main() { return nothing; }\n")
    done = check(folder, "wrong.cpp")
    assert done.returncode == 2
    assert "wrong.cpp:1" in done.stderr


# --- formats and files


@pytest.mark.parametrize("format", ["json", "sarif"])
def test_a_format_without_a_file_is_printed(folder: Path, format: str) -> None:
    done = check(folder, "--format", format, "program.py", finds="race")
    assert done.returncode == 1
    data = json.loads(done.stdout.partition("\n")[2])
    assert data.get("format") == "aclimb check" if format == "json" else standard.wrong(data) == []


def test_files_by_suffix_and_the_text_beside_them(folder: Path) -> None:
    files = ["a.json", "b.sarif", "c.xml", "d.html", "e.txt"]
    done = check(folder, *(word for file in files for word in ("--out", file)), "program.py", finds="race")
    assert done.returncode == 1
    assert done.stdout.splitlines()[-6:] == ["checked 1 launch: 1 error", *files]
    text = (folder / "e.txt").read_text()
    assert text.startswith("Race: ")
    assert text in done.stdout
    assert all((folder / file).stat().st_size for file in files)


def test_a_named_format_is_that_of_the_file(folder: Path) -> None:
    check(folder, "--format", "json", "-o", "report", "program.py", finds="race")
    assert json.loads((folder / "report").read_text())["format"] == "aclimb check"


def test_colour_only_where_it_is_asked_for(folder: Path) -> None:
    assert "\x1b[" not in check(folder, "program.py", finds="race").stdout
    assert "\x1b[1;31mRace:" in check(folder, "program.py", finds="race", NO_COLOR="", FORCE_COLOR="1").stdout


def test_a_baseline_silences_what_is_known(folder: Path) -> None:
    done = check(folder, "--write-baseline", "known.json", "program.py", finds="race race_equal")
    assert (done.returncode, done.stdout.splitlines()[-2:]) == (0, ["checked 1 launch: nothing found (2 in the baseline)", "known.json"])
    done = check(folder, "--baseline", "known.json", "program.py", finds="race stale")
    assert done.returncode == 1
    assert done.stdout.splitlines()[-1] == "checked 1 launch: 1 error (1 in the baseline)"
    assert "stale: the baseline has O6 add.cpp:8, add.cpp:9" in done.stdout
    assert check(folder, "--baseline", "known.json", "program.py", finds="race").returncode == 0


def test_only_the_rule_that_is_asked_for(folder: Path) -> None:
    done = check(folder, "--rule", "equal-writes", "--rule", "A2", "program.py", finds="race race_equal short_copy")
    assert done.stdout.splitlines()[-1] == "checked 1 launch: 1 warning, 1 note"


def test_advice_is_told_when_it_is_asked_for(folder: Path) -> None:
    assert "[A2]" not in check(folder, "program.py", finds="short_copy").stdout
    assert "[A2]" in check(folder, "--advice", "program.py", finds="short_copy").stdout


def test_a_check_inside_a_checked_program_is_refused(folder: Path) -> None:
    (folder / "program.py").write_text("import aclimb\nwith aclimb.check():\n    pass\n")
    done = check(folder, "program.py")
    assert done.returncode == 2
    assert "a check is open already, by `aclimb check`; checks do not nest" in done.stderr


# --- ACLIMB_CHECK


def test_the_variable_checks_any_program_and_reports_on_stderr(folder: Path) -> None:
    done = run(folder, "program.py", finds="race", ACLIMB_CHECK="1")
    assert (done.returncode, done.stdout) == (0, "program []\n")
    assert done.stderr.startswith("Race: V writes and MTE3 reads z ")
    assert done.stderr.endswith("\nchecked 1 launch: 1 error\n")


@pytest.mark.parametrize("value", ["", "0", "off"])
def test_the_variable_may_be_off(folder: Path, value: str) -> None:
    assert run(folder, "program.py", finds="race", ACLIMB_CHECK=value).stderr == ""


def test_the_variable_names_formats_files_and_settings(folder: Path) -> None:
    done = run(folder, "program.py", finds="race short_copy", ACLIMB_CHECK="a.sarif 'b c.json' rules=A2,O1")
    assert done.stderr.splitlines()[-3:] == ["checked 1 launch: 1 error, 1 note", f"{folder}/a.sarif", f"{folder}/b c.json"]
    assert json.loads((folder / "b c.json").read_text())["settings"]["rules"] == ["A2", "O1"]
    done = run(folder, "program.py", finds="race", ACLIMB_CHECK="json")
    assert json.loads(done.stderr)["counts"]["error"] == 1


def test_the_report_also_comes_when_the_program_fails(folder: Path) -> None:
    (folder / "program.py").write_text(PROGRAM + "raise SystemExit(3)\n")
    done = run(folder, "program.py", finds="race", ACLIMB_CHECK="1")
    assert done.returncode == 3
    assert done.stderr.endswith("\nchecked 1 launch: 1 error\n")


def test_the_variable_sees_faults_that_nobody_waited_for(folder: Path) -> None:
    (folder / "program.py").write_text(FAULTY)
    done = run(folder, "program.py", ACLIMB_CHECK="1")
    assert "[B1]" in done.stderr
    assert done.stderr.endswith("\nchecked 1 launch: 1 error\n")


def test_a_program_that_uses_no_device_is_not_checked(folder: Path) -> None:
    (folder / "program.py").write_text("import aclimb\nprint('nothing')\n")
    assert run(folder, "program.py", finds="race", ACLIMB_CHECK="1").stderr == ""


def test_the_command_wins_over_the_variable(folder: Path) -> None:
    done = check(folder, "program.py", finds="race", ACLIMB_CHECK="1")
    assert (done.returncode, done.stderr) == (1, "")


def test_a_forked_child_reports_nothing(folder: Path) -> None:
    (folder / "program.py").write_text(PROGRAM + "import os\nif os.fork() == 0:\n    raise SystemExit(0)\nos.wait()\n")
    assert run(folder, "-W", "ignore", "program.py", finds="race", ACLIMB_CHECK="1").stderr.count("checked 1 launch") == 1


@pytest.mark.parametrize(
    ("value", "why"),
    [
        ("'a.json", "its quotes do not match (No closing quotation)"),
        ("yaml", "'yaml' is neither a format (text, json, sarif, junit, html) nor a file whose suffix names one"),
        ("cache=maybe", "cache takes on or off"),
        (
            "colour=red",
            "it knows no 'colour', only auto_sync, init, cache, advice, leaks, rules, baseline, write_baseline, warnings_as_errors",
        ),
    ],
)
def test_a_variable_that_makes_no_sense_is_refused(value: str, why: str) -> None:
    with pytest.raises(InvalidArgument) as caught:
        asked.from_variable(value)
    assert str(caught.value) == f"ACLIMB_CHECK is {value!r}: {why}. 1 checks and reports as text; unset it to check nothing"


def test_other_words_of_the_variable_are_refused_as_those_of_the_command() -> None:
    for value, message in [("x.pdf", "its suffix names no format"), ("html", "say which file it goes to"), ("rules=O99", "no rule 'O99'")]:
        with pytest.raises(InvalidArgument, match=message):
            asked.from_variable(value)


def test_what_is_asked_for_travels_in_words() -> None:
    whole = Asked(
        auto_sync="warn", init="eager", cache=False, advice=True, leaks=True, rules=("O1", "O9"), baseline=Path("/a b/k.json"),
        write_baseline=Path("/w.json"), warnings_as_errors=True, format="json", files=(Path("/x y.json"),), sets_status=True,
    )  # fmt: skip
    assert asked.from_variable(asked.to_variable(whole)) == whole
    assert asked.from_variable(asked.to_variable(Asked())) == Asked()
    assert asked.to_variable(Asked()) == "1"
