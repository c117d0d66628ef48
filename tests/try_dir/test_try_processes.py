# SPDX-License-Identifier: Apache-2.0
"""Commands end in time, with everything they started; the copy holds what the folder holds, and the folder stays as it is."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path

from aclimb.trial import processes
from aclimb.trial.scratch import copy_tree


def python(text: str, folder: Path, seconds: float = 600) -> tuple[int, str, bool]:
    ended = processes.run([sys.executable, "-c", text], folder, os.environ, seconds)
    return ended.code, ended.output, ended.timed_out


def test_status_and_both_streams_come_back(tmp_path: Path) -> None:
    code, output, timed_out = python("import sys, os; print('a', flush=True); sys.stderr.write(os.getcwd()); sys.exit(3)", tmp_path)
    assert (code, output, timed_out) == (3, f"a\n{tmp_path}", False)
    assert python("input()", tmp_path)[1].endswith("EOFError: EOF when reading a line\n")  # nobody types


def test_a_signal_is_a_negative_status(tmp_path: Path) -> None:
    assert python("import os; os.kill(os.getpid(), 11)", tmp_path)[0] == -signal.SIGSEGV


def test_a_command_that_does_not_exist_says_so(tmp_path: Path) -> None:
    ended = processes.run(["./nope"], tmp_path, os.environ, 5)
    assert (ended.code, ended.output) == (127, "./nope: No such file or directory\n")


def test_at_the_limit_the_whole_group_is_killed(tmp_path: Path, has_ended: Callable[[int], bool]) -> None:
    ended = processes.run(["sh", "-c", "sleep 600 & echo $!; wait"], tmp_path, os.environ, 3)
    assert (ended.code, ended.timed_out) == (-signal.SIGKILL, True)
    assert has_ended(int(ended.output))


def test_what_a_command_leaves_behind_is_killed_as_well(tmp_path: Path, has_ended: Callable[[int], bool]) -> None:
    text = "import os, time\npid = os.fork()\nif pid: print(pid)\nelse: time.sleep(600)"  # the child holds the pipe open
    code, output, _ = python(text, tmp_path)
    assert code == 0
    assert has_ended(int(output))


def test_of_much_output_beginning_and_end_are_kept(tmp_path: Path) -> None:
    code, output, _ = python("print('first'); [print('x' * 999) for _ in range(3000)]; print('last')", tmp_path)
    assert code == 0
    assert output.startswith("first\n")
    assert output.endswith("last\n")
    assert "bytes left out ..." in output
    assert len(output) < 1 << 20


def test_bytes_that_are_no_text_come_through(tmp_path: Path) -> None:
    assert python(r"import os; os.write(1, b'a\xff\n')", tmp_path)[1] == "a\N{REPLACEMENT CHARACTER}\n"


# --- the copy


def test_a_copy_holds_files_with_their_modes_and_leaves_histories_out(tmp_path: Path) -> None:
    source, target = tmp_path / "source", tmp_path / "target"
    (source / "sub").mkdir(parents=True)
    (source / ".git").mkdir()
    (source / ".git" / "config").write_text("x")
    (source / "sub" / "run.sh").write_text("echo")
    (source / "sub" / "run.sh").chmod(0o755)
    (source / "fixed.txt").write_text("a")
    (source / "fixed.txt").chmod(0o444)
    os.mkfifo(source / "pipe")
    copy_tree(source, target)
    assert sorted(str(path.relative_to(target)) for path in target.rglob("*")) == ["fixed.txt", "sub", "sub/run.sh"]
    assert os.access(target / "sub" / "run.sh", os.X_OK)
    (target / "fixed.txt").write_text("b")  # may be written, unlike the original
    assert (source / "fixed.txt").read_text() == "a"


def test_no_link_of_a_copy_leads_back_to_the_folder_or_out_of_it(tmp_path: Path) -> None:
    source, target, other = tmp_path / "source", tmp_path / "deep" / "target", tmp_path / "other"
    for folder in (source / "common", source / "a", other):
        folder.mkdir(parents=True)
    (source / "common" / "x.h").write_text("x")
    (other / "y.h").write_text("y")
    (source / "a" / "common").symlink_to(source / "common")
    (source / "a" / "loop").symlink_to("..")
    (source / "a" / "outside").symlink_to(other)
    (source / "a" / "y.h").symlink_to(other / "y.h")
    (source / "a" / "gone.h").symlink_to("nowhere")
    copy_tree(source, target)
    assert sorted(path.name for path in (target / "a").iterdir()) == ["common", "loop", "y.h"]
    assert (target / "a" / "common").resolve() == target.resolve() / "common"
    assert (target / "a" / "loop").resolve() == target.resolve()
    assert not (target / "a" / "y.h").is_symlink()
    (target / "a" / "common" / "x.h").write_text("changed")
    assert (source / "common" / "x.h").read_text() == "x"
