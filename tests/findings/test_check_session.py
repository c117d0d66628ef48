# SPDX-License-Identifier: Apache-2.0
"""`with aclimb.check() as c:` as a program meets it, with an engine's session that is a fake."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import fakes
import numpy as np
import pytest
from fakes import race

import aclimb
from aclimb import Buffer, Kernel, LaunchConfig, Program, Stream, launch
from aclimb.check import engine_side, session
from aclimb.check.session import Check
from aclimb.errors import AclimbError, CheckFailed, DeviceError, InvalidArgument, OutOfBounds

BAD = Path(__file__).parents[1] / "check" / "ub_count" / "bad.cpp"
Open = Callable[..., Check]


@pytest.fixture
def open_check(monkeypatch: pytest.MonkeyPatch, source: Path) -> Open:
    """A check whose engine has found these."""

    fakes.point_to(source, monkeypatch.setattr)

    def _open(*found: fakes.Launch, **settings: Any) -> Check:
        monkeypatch.setattr(engine_side, "Session", lambda asked: fakes.Session.of(*found))
        return aclimb.check(**settings)

    return _open


def test_the_package_is_the_call() -> None:
    from aclimb.check import Finding, finding

    assert Finding is finding.Finding
    assert callable(aclimb.check)
    assert aclimb.check.Finding is Finding
    with pytest.raises(AttributeError, match=r"^module 'aclimb.check' has no attribute 'nothing'$"):
        aclimb.check.nothing  # noqa: B018


def test_findings_are_there_when_the_block_has_ended(open_check: Open) -> None:
    with (
        open_check(race(), race("race_equal")) as c,
        pytest.raises(DeviceError, match=r"^the check is still open; its findings are complete when the `with` block ends$"),
    ):
        _ = c.findings
    assert [each.rule for each in c.findings] == ["O1", "O6"]
    assert c.report().endswith("checked 1 launch: 1 error, 1 warning\n")
    assert c.result.status == 1
    assert c._native.calls == ["open", "close"]  # type: ignore[attr-defined]


def test_a_clean_block_is_clean(open_check: Open) -> None:
    with open_check(raise_=True) as c:
        pass
    assert c.findings == ()
    assert c.report() == "checked 1 launch: nothing found\n"


def test_raise_raises_the_report(open_check: Open) -> None:
    with pytest.raises(CheckFailed) as caught, open_check(race(), raise_=True) as c:
        pass
    assert str(caught.value) == c.report().rstrip("\n")
    assert caught.value.findings == c.findings
    assert isinstance(caught.value, AclimbError)


def test_warnings_raise_where_they_are_errors(open_check: Open) -> None:
    with open_check(race("race_equal"), raise_=True):
        pass
    with pytest.raises(CheckFailed), open_check(race("race_equal"), raise_=True, warnings_as_errors=True):
        pass


def test_an_error_of_the_block_itself_comes_first(open_check: Open) -> None:
    with pytest.raises(ZeroDivisionError), open_check(race(), raise_=True) as c:
        1 / 0  # noqa: B018
    assert len(c.findings) == 1


def test_checks_do_not_nest(open_check: Open) -> None:
    inner = open_check()
    with open_check():
        line = sys._getframe().f_lineno - 1
        words = rf"^a check is open already, since test_check_session.py:{line}; checks do not nest: close that one first$"
        with pytest.raises(DeviceError, match=words):
            inner.__enter__()
    with inner:  # it was not used up
        pass


def test_of_two_threads_one_is_refused(open_check: Open) -> None:
    refused: list[str] = []

    def other() -> None:
        try:
            with open_check():
                pass
        except DeviceError as error:
            refused.append(str(error))

    with open_check():
        thread = threading.Thread(target=other)
        thread.start()
        thread.join()
    assert len(refused) == 1
    assert refused[0].startswith("a check is open already, since ")


def test_a_check_is_used_once(open_check: Open) -> None:
    with open_check() as c:
        pass
    c.close()
    with pytest.raises(DeviceError, match=r"^this check has ended; make another one with aclimb\.check\(\)$"):
        c.__enter__()


def test_settings_are_refused_where_they_are_written(open_check: Open, tmp_path: Path) -> None:
    with pytest.raises(InvalidArgument, match=r"^auto_sync is 'sometimes'; it takes on, off or warn$"):
        open_check(auto_sync="sometimes")
    with pytest.raises(InvalidArgument, match=r"^there is no rule 'O77'"):
        open_check(rules=["O77"])
    with pytest.raises(InvalidArgument, match=r"gone.json does not exist"):
        open_check(baseline=tmp_path / "gone.json")
    assert not session.is_open()


def test_only_the_rules_that_are_named(open_check: Open) -> None:
    with open_check(race(), race("race_equal"), rules="equal-writes") as c:
        pass
    assert [each.rule for each in c.findings] == ["O6"]


def test_a_baseline_is_written_and_read_back(open_check: Open, tmp_path: Path) -> None:
    with open_check(race(), race("race_equal")) as c:
        pass
    known = c.write_baseline(tmp_path / "known.json")
    with open_check(race(), race("stale"), baseline=known) as c:
        pass
    assert [each.rule for each in c.findings] == ["C2"]
    assert [each.rule for each in c.result.known] == ["O1"]
    assert [each.rule for each in c.result.stale] == ["O6"]
    c.write_baseline(known)
    with open_check(race(), race("stale"), baseline=known) as c:
        pass
    assert c.findings == c.result.stale == ()


def test_write_takes_every_format(open_check: Open, tmp_path: Path) -> None:
    with open_check(race()) as c:
        pass
    for name, begins in {"a.txt": "Race: ", "a.json": "{\n", "a.sarif": "{\n", "a.xml": "<?xml", "a.html": "<!doctype html>"}.items():
        assert c.write(tmp_path / name).read_text().startswith(begins)


def test_comments_of_the_source_count(open_check: Open, source: Path) -> None:
    source.write_text(fakes.SOURCE.replace("Add(z, x, y, 2048);", "Add(z, x, y, 2048);  // aclimb: ignore[O1] for the test"))
    with open_check(race(), raise_=True) as c:
        pass
    assert [by.reason for _, by in c.result.suppressed] == ["for the test"]


# --- with the engine


def faulty(stream: Stream) -> None:
    x = Buffer.from_array(np.zeros(1024, np.float32))
    launch(stream, LaunchConfig(num_blocks=1), Kernel(Program(BAD).compile()), x, x)


def test_faults_inside_are_findings_and_are_raised_as_ever(open_check: Open) -> None:
    stream = Stream()
    with open_check() as c:
        faulty(stream)
        with pytest.raises(OutOfBounds):
            stream.synchronize()
    assert [each.rule for each in c.findings] == ["B1"]


def test_faults_that_nobody_waited_for_are_found_and_still_raised_later(open_check: Open) -> None:
    stream = Stream()
    with open_check() as c:
        faulty(stream)
    assert [each.rule for each in c.findings] == ["B1"]
    with pytest.raises(OutOfBounds):
        stream.synchronize()


def test_faults_outside_are_nobody_elses(open_check: Open) -> None:
    stream = Stream()
    with open_check() as c:
        pass
    faulty(stream)
    with pytest.raises(OutOfBounds):
        stream.synchronize()
    assert c.findings == ()


LEAK = """
import acl, aclimb
from aclimb.check import engine_side
import fakes
engine_side.Session = lambda asked: fakes.Session()
acl.init(); acl.rt.set_device(0)
with aclimb.check(leaks=True) as c:
    kept, _ = acl.rt.malloc(64, 0)
    gone, _ = acl.rt.malloc(64, 0)
    acl.rt.free(gone)
print(c.report(), end="")
with aclimb.check() as c:
    pass
print(c.report(), end="")
acl.rt.free(kept)
"""


def test_leaks_are_told_where_they_are_asked_for(tmp_path: Path) -> None:
    program = tmp_path / "leak.py"
    program.write_text(LEAK)
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parent)}
    done = subprocess.run([sys.executable, program], capture_output=True, text=True, env=environment, check=False)
    assert done.stderr == ""
    assert (
        done.stdout
        == """\
Leak: 1 buffer made at leak.py:8 is still there   [L4]
    host buffers   leak.py:8   kept, _ = acl.rt.malloc(64, 0)
    missing: what gives it back
    smallest change: free or destroy it before the program ends

checked 1 launch: 1 warning
checked 1 launch: nothing found
"""
    )
