# SPDX-License-Identifier: Apache-2.0
"""S1, `aclimb check --schedules`: launches of a program under provoking schedules, with the pair of the rule.

What a schedule changes is compared with fuse.stress, which runs the same schedules one kernel at a time. `python
tests/check_rules/test_check_schedules.py` writes bad.out.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from aclimb import Buffer, Kernel, LaunchConfig, Program
from aclimb.check.schedules.parts import LARGEST, Part, parts_of
from aclimb.errors import InvalidArgument
from aclimb.fuse import stress

HERE = Path(__file__).parent
PAIR = HERE / "S1"
PROGRAM = """\
import sys
from pathlib import Path
import numpy as np
from aclimb import Buffer, Kernel, LaunchConfig, Program, Stream, launch
twice = Kernel(Program(sys.argv[1]).compile())
x, z = Buffer.from_array(np.arange(2048, dtype=np.float32)), Buffer.from_array(np.zeros(2048, np.float32))
launch(Stream(), LaunchConfig(num_blocks=2), twice, x, z)
print("right" if (z.to_numpy() == 2 * x.to_numpy()).all() else "wrong")
"""


def check(folder: Path, *words: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "aclimb", "check", *map(str, words)]
    environment = {**os.environ, "NO_COLOR": "1"}
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=600, check=False, env=environment)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "program.py").write_text(PROGRAM)
    return tmp_path


def by_schedules(report: str) -> str:
    """The finding of S1, and the last line."""
    (found,) = [each for each in report.split("\n\n") if "[S1]" in each]
    return f"{found}\n\n{report.splitlines()[-1]}\n"


def bad_out(folder: Path) -> str:
    return by_schedules(check(folder, "program.py", PAIR / "bad.cpp", "--schedules", "24", "-j", "2").stdout)


def test_the_faulty_kernel_gives_the_finding_of_its_folder_and_the_status_1(folder: Path) -> None:
    done = check(folder, "program.py", PAIR / "bad.cpp", "--schedules", "24", "-j", "2")
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout.startswith("right\n")  # the program itself sees the plain run
    assert by_schedules(done.stdout) == (PAIR / "bad.out").read_text()


def test_the_mended_kernel_gives_nothing_and_the_status_0(folder: Path) -> None:
    done = check(folder, "program.py", PAIR / "good.cpp", "--schedules", "30", "-j", "2")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "right\nchecked 1 launch, each also under 30 schedules: nothing found\n"


def test_as_many_schedules_change_the_result_as_stress_says(folder: Path) -> None:
    """Up to the extremes and seeds, which do not depend on how long earlier runs were."""
    kernel = Kernel(Program(PAIR / "bad.cpp").compile())
    x, z = Buffer.from_array(np.arange(2048, dtype=np.float32)), Buffer.from_array(np.zeros(2048, np.float32))
    expected = stress(kernel, x, z, config=LaunchConfig(num_blocks=2), schedules=14)
    done = check(folder, "program.py", PAIR / "bad.cpp", "--schedules", "14")
    assert expected.runs == 14
    assert f", {len(expected.differences)} of 14 schedules   [S1]" in done.stdout
    assert f"    replay: {expected.differences[0].replay}   " in done.stdout


def test_files_are_the_same_for_any_number_of_workers(folder: Path) -> None:
    files = ["report.json", "report.sarif", "report.xml", "report.txt"]
    told = []
    for jobs in (1, 3):
        outputs = [word for name in files for word in ("-o", name)]
        done = check(folder, "program.py", PAIR / "bad.cpp", "--schedules", str(LARGEST + 3), "-j", str(jobs), *outputs)
        assert done.returncode == 1, done.stderr
        told.append([done.stdout, *((folder / name).read_text() for name in files)])
    assert told[0] == told[1]
    document = json.loads((folder / "report.json").read_text())
    (finding,) = [each for each in document["findings"] if each["rule"] == "S1"]
    assert (finding["replay"], finding["rule_name"], document["settings"]["schedules"]) == ("1:late:MTE2@AIV0", "other-result", 28)
    results = json.loads((folder / "report.sarif").read_text())["runs"][0]["results"]
    assert [each["properties"]["replay"] for each in results if each["ruleId"] == "S1"] == ["1:late:MTE2@AIV0"]
    failures = [each.get("type") for each in ElementTree.fromstring((folder / "report.xml").read_text()).iter("failure")]
    assert failures == ["O1", "S1"]


def test_the_replay_string_shows_it_again(folder: Path) -> None:
    done = check(folder, "program.py", PAIR / "bad.cpp", "--replay", "1:late:MTE2@AIV0")
    assert "twice leaves other bytes 0x0000-0x0bff in z under late(MTE2) on AIV 0   [S1]" in done.stdout


@pytest.mark.slow
def test_a_replay_finds_nothing_in_the_mended_kernel_and_says_where_there_are_no_such_cores(folder: Path) -> None:
    assert check(folder, "program.py", PAIR / "good.cpp", "--replay", "1:late:MTE2@AIV0").returncode == 0
    elsewhere = check(folder, "program.py", PAIR / "good.cpp", "--replay", "1:late:MTE2@AIV7")
    assert "note: twice was not run under 1:late:MTE2@AIV7: it has no such cores" in elsewhere.stdout


THREADS = """\
import sys
import threading
import numpy as np
from aclimb import Buffer, Event, Kernel, LaunchConfig, Program, Stream, launch
twice = Kernel(Program(sys.argv[1]).compile())
def work():
    x, y, z = (Buffer.from_array(np.arange(2048, dtype=np.float32)) for _ in range(3))
    one, other, done = Stream(), Stream(), Event()
    for _ in range(2):
        launch(one, LaunchConfig(num_blocks=2), twice, x, y)
        one.record(done)
        other.wait(done)
        launch(other, LaunchConfig(num_blocks=2), twice, y, z)
        other.record(done)
        one.wait(done)
    other.synchronize()
    assert (z.to_numpy() == 4 * x.to_numpy()).all()
threads = [threading.Thread(target=work) for _ in range(3)]
[each.start() for each in threads]
[each.join() for each in threads]
"""


def test_threads_and_streams_do_not_disturb_each_others_launches(folder: Path) -> None:
    """Memory is put back between two runs of a launch: what others write meanwhile has to stay."""
    (folder / "program.py").write_text(THREADS)
    done = check(folder, "program.py", PAIR / "good.cpp", "--schedules", "20", "--rule", "S1")
    assert (done.returncode, done.stderr, done.stdout) == (0, "", "checked 12 launches, each also under 20 schedules: nothing found\n")


COPIES = """\
import sys
import threading
import numpy as np
from aclimb import Buffer, Kernel, LaunchConfig, Program, Stream, launch
sys.setswitchinterval(1e-6)
twice = Kernel(Program(sys.argv[1]).compile())
over = threading.Event()
def copy():
    buffer, count = Buffer(2048, np.float32), 0
    while not over.is_set():
        count += 1
        buffer.copy_from(np.full(2048, count, np.float32))
        found = buffer.to_numpy()
        assert (found == count).all(), (count, found)
def work():
    x, z = Buffer.from_array(np.arange(2048, dtype=np.float32)), Buffer.from_array(np.zeros(2048, np.float32))
    for _ in range(5):
        launch(Stream(), LaunchConfig(num_blocks=2), twice, x, z)
    assert (z.to_numpy() == 2 * x.to_numpy()).all()
copies, threads = threading.Thread(target=copy), [threading.Thread(target=work) for _ in range(2)]
[each.start() for each in (copies, *threads)]
[each.join() for each in threads]
over.set()
copies.join()
"""


def test_copies_of_other_threads_wait_and_keep_nobody_waiting_for_ever(folder: Path) -> None:
    (folder / "program.py").write_text(COPIES)
    done = check(folder, "program.py", PAIR / "good.cpp", "--schedules", "5", "--rule", "S1")
    assert (done.returncode, done.stderr, done.stdout) == (0, "", "checked 10 launches, each also under 5 schedules: nothing found\n")


def test_a_comment_leaves_it_out(folder: Path) -> None:
    (folder / "program.py").write_text(PROGRAM.replace("twice, x, z)\n", "twice, x, z)  # aclimb: ignore[S1] known\n"))
    done = check(folder, "program.py", PAIR / "bad.cpp", "--schedules", "2", "--rule", "S1")
    assert (done.returncode, "nothing found (1 ignored)" in done.stdout) == (0, True), done.stdout


@pytest.mark.slow
def test_a_baseline_leaves_it_out(folder: Path) -> None:
    check(folder, "program.py", PAIR / "bad.cpp", "--schedules", "2", "--write-baseline", "known.json")
    assert check(folder, "program.py", PAIR / "bad.cpp", "--schedules", "2", "--baseline", "known.json").returncode == 0


def test_a_program_that_dies_under_schedules_was_not_checked_to_its_end(folder: Path) -> None:
    dies = 'import os\nif "provoke" in os.environ.get("ACLIMB_CHECK", ""):\n    os.kill(os.getpid(), 9)\n'
    (folder / "program.py").write_text(dies + PROGRAM)
    done = check(folder, "program.py", PAIR / "good.cpp", "--schedules", "2")
    assert done.returncode == 2
    assert done.stdout.splitlines()[-1].endswith(
        "; schedules 1 to 2 were not tried: the program ended by SIGKILL: it said nothing (2 attempts)"
    )


def test_launches_that_the_program_looks_at_itself_are_a_note(folder: Path) -> None:
    text = PROGRAM.replace("launch(Stream()", "import aclimb\nwith aclimb.profile(): launch(Stream()")
    (folder / "program.py").write_text(text)
    done = check(folder, "program.py", PAIR / "good.cpp", "--schedules", "2")
    note = "1 launch under a profile, a check or a schedule of the program's own, or with several ranks: not run under schedules"
    assert f"note: {note}\n" in done.stdout


def test_a_kernel_whose_plain_runs_differ_is_a_note(folder: Path) -> None:
    clock = PAIR.joinpath("good.cpp").read_text().replace("GetBlockIdx() * kRows * kCount, kRows * kCount);\n    LocalTensor", """\
GetBlockIdx() * kRows * kCount, kRows * kCount);
    ((__gm__ int64_t*)x)[GetBlockIdx()] = GetSystemCycle();
    LocalTensor""")  # fmt: skip
    (folder / "clock.cpp").write_text(clock)
    done = check(folder, "program.py", "clock.cpp", "--schedules", "2")
    assert "note: twice: two plain runs from the same memory leave different bytes, so schedules cannot be compared; " in done.stdout


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--schedules", "5", "--replay", "1:reverse"), "--schedules tries many and --replay one; give one of them"),
        (("--jobs", "2"), "are for runs under --schedules; add how many, or put -- before options of the program's own"),
        (("--schedules", "5", "--rule", "O1"), "schedules find S1, which --rule leaves out; add --rule S1"),
        (("--rule", "S1"), "S1 is what schedules find; add how many: --schedules 200"),
        (("--schedules", "1000000"), "--schedules is 1000000; it takes 1 to 100000"),
        (("--replay", "1:lat:V"), "replay is '1:lat:V'; 'lat' is no kind of schedule"),
        (
            ("--replay", "1:witness:AIV0.V.1>AIV0.MTE2.1"),
            "replay is '1:witness:AIV0.V.1>AIV0.MTE2.1', which is about two instructions of one launch; aclimb.fuse.witness runs it",
        ),
    ],
)
def test_what_makes_no_sense_is_refused_before_anything_runs(folder: Path, words: tuple[str, ...], sentence: str) -> None:
    done = check(folder, *words, "program.py", PAIR / "good.cpp")
    assert (done.returncode, done.stdout) == (2, "")
    assert sentence in done.stderr


def test_parts_cover_all_schedules_once() -> None:
    for total in (1, LARGEST, LARGEST + 1, 1000):
        assert [number for part in parts_of(total) for number in range(part.first, part.end)] == list(range(total))
    assert [Part.of(str(part)) for part in parts_of(60)] == parts_of(60)
    with pytest.raises(InvalidArgument, match="--schedules is 0; it takes 1 to 100000"):
        parts_of(0)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as made:
        Path(made, "program.py").write_text(PROGRAM)
        (PAIR / "bad.out").write_text(bad_out(Path(made)))
