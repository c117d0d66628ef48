# SPDX-License-Identifier: Apache-2.0
"""The log shows: on stderr when nobody says where it goes, once when somebody does. And leaks say where they were made."""

from __future__ import annotations

import io
import logging
import os
import subprocess
import sys
from pathlib import Path

import pytest

from aclimb import log


def stderr_of(tmp_path: Path, text: str, **environment: str) -> str:
    """What a program of its own says there."""
    program = tmp_path / "program.py"
    program.write_text(text)
    settings = {name: value for name, value in os.environ.items() if not name.startswith("ACLIMB_")} | environment
    done = subprocess.run([sys.executable, program], capture_output=True, text=True, timeout=600, env=settings, check=False)
    assert done.returncode == 0, done.stderr
    return done.stderr


SAYS = "import acl\nacl.app_log(1, 'a detail')\nacl.app_log(2, 'a warning')\nacl.app_log(3, 'an error')\n"


@pytest.mark.parametrize(
    ("level", "said"),
    [
        ("", ["warning: a warning", "error: an error"]),
        ("ERROR", ["error: an error"]),
        ("INFO", ["info: a detail", "warning: a warning", "error: an error"]),
    ],
)
def test_the_level_that_is_asked_for_shows_without_any_handler(tmp_path: Path, level: str, said: list[str]) -> None:
    assert stderr_of(tmp_path, SAYS, ACLIMB_LOG=level).splitlines() == [f"aclimb.app {line}" for line in said]


def test_refused_calls_are_told_where_info_is_asked_for(tmp_path: Path) -> None:
    text = "import acl\nassert acl.rt.set_device(99) == 107001\nassert acl.rt.get_device_count()[1] == 0\n"
    assert stderr_of(tmp_path, text) == ""
    [line] = stderr_of(tmp_path, text, ACLIMB_LOG="INFO").splitlines()
    assert line.startswith("aclimb info: 107001: acl.rt.set_device: ")


def test_a_level_that_is_none_is_told_and_stops_nothing(tmp_path: Path) -> None:
    accepted = "it takes one of DEBUG, INFO, WARNING, ERROR, CRITICAL. Unset it for the default, WARNING"
    said = [f"aclimb warning: ACLIMB_LOG is 'loud'; {accepted}", "aclimb.app warning: a warning", "aclimb.app error: an error"]
    assert stderr_of(tmp_path, SAYS, ACLIMB_LOG="loud").splitlines() == said


@pytest.mark.parametrize(
    ("configure", "said"),
    [
        ("import logging\nlogging.basicConfig(format='mine: %(message)s')\n", ["mine: a warning", "mine: an error"]),
        ("import logging\nlogging.getLogger('aclimb').addHandler(logging.StreamHandler())\n", ["a warning", "an error"]),
        ("import logging\nlogging.getLogger('aclimb').addHandler(logging.NullHandler())\n", []),
    ],
    ids=["the root logger", "our logger", "silenced"],
)
def test_a_program_with_a_handler_of_its_own_sees_each_line_there_and_once(tmp_path: Path, configure: str, said: list[str]) -> None:
    assert stderr_of(tmp_path, configure + SAYS).splitlines() == said
    assert stderr_of(tmp_path, SAYS.replace("\n", "\n" + configure, 1)).splitlines() == said  # also when it comes later


def test_a_program_under_aclimb_run_configures_its_log_as_anywhere(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text("import logging\nlogging.basicConfig(format='mine: %(message)s')\nlogging.warning('of the program')\n" + SAYS)
    done = subprocess.run([sys.executable, "-m", "aclimb", "run", "-q", program], capture_output=True, text=True, timeout=600, check=False)
    assert done.stderr.splitlines() == ["mine: of the program", "mine: a warning", "mine: an error"]


def test_colour_is_for_terminals(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    record = logging.LogRecord("aclimb", logging.WARNING, "", 0, "it is late", None, None)
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    assert log.Stderr().format(record) == "aclimb warning: it is late"
    monkeypatch.setattr(sys, "stderr", Terminal())
    assert log.Stderr().format(record) == "\x1b[33maclimb warning:\x1b[0m it is late"
    monkeypatch.setenv("NO_COLOR", "1")
    assert log.Stderr().format(record) == "aclimb warning: it is late"


def test_a_cache_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    text = "from aclimb.compile import open_cache\nopen_cache()\n"
    said = stderr_of(tmp_path, text, ACLIMB_CACHE_DIR=str(tmp_path / "file" / "cache"))
    assert said.startswith(f"aclimb.compile warning: cache folder {tmp_path}/file/cache cannot be used (Not a directory); kernels are kept")
    assert stderr_of(tmp_path, text, ACLIMB_CACHE_DIR=str(tmp_path / "cache")) == ""


CALLBACK = """\
import acl
from aclimb import capi

def late(data):
    {body}

acl.rt.set_device(0)
stream, _ = acl.rt.create_stream()
capi.aclrtLaunchHostFunc(stream, late, 7)
assert acl.rt.synchronize_stream(stream) == 0
"""


def test_what_a_stream_callback_raises_shows_with_its_own_frames(tmp_path: Path) -> None:
    said = stderr_of(tmp_path, CALLBACK.format(body="print(data // 0)")).splitlines()
    assert said[0] == "aclimb error: a stream callback raised; the stream goes on"
    assert said[2] == f'  File "{tmp_path}/program.py", line 5, in late'
    assert said[-1] == "ZeroDivisionError: integer division or modulo by zero"
    assert sum(line.startswith("  File ") for line in said) == 1
    assert stderr_of(tmp_path, CALLBACK.format(body="print(data // 1)")) == ""


LEAKY = """\
import acl
from aclimb import Buffer
acl.init()
acl.rt.set_device(0)
def make():
    return acl.rt.malloc(1000, 0)[0]
blocks = [make() for _ in range(3)]
host, _ = acl.rt.malloc_host(24)
stream, _ = acl.rt.create_stream()
event, _ = acl.rt.create_event()
buffer = Buffer(10)
acl.rt.free(blocks.pop())
"""
GIVEN_BACK = """\
for block in blocks:
    acl.rt.free(block)
acl.rt.free_host(host)
acl.rt.destroy_event(event)
acl.rt.destroy_stream(stream)
acl.rt.reset_device(0)
buffer.free()
"""
LEFT = """\
not given back: 4 buffers (2034 bytes), 2 streams, 1 event
    2 buffers made at program.py:6
    1 stream made at program.py:4
    1 stream made at program.py:9
    1 event made at program.py:10
    1 buffer made at program.py:11
    1 buffer made at program.py:8
"""


@pytest.mark.parametrize(
    ("end", "said"),
    [
        ("acl.finalize()\n", "aclimb warning: acl.finalize: " + LEFT),
        ("acl.finalize_reference()\n", "aclimb warning: acl.finalize: " + LEFT),
        ("", "aclimb warning: the program ended without acl.finalize: " + LEFT),
        (
            GIVEN_BACK + "acl.finalize()\nacl.init()\nacl.rt.set_device(0)\nacl.rt.malloc(64, 0)\n",
            "aclimb warning: the program ended without acl.finalize: not given back: 1 buffer (64 bytes), 1 stream\n"
            "    1 stream made at program.py:22\n    1 buffer made at program.py:23\n",
        ),
        (GIVEN_BACK + "acl.finalize()\n", ""),
        (GIVEN_BACK, ""),
    ],
    ids=["finalize", "finalize_reference", "no finalize", "initialised again", "given back", "given back, no finalize"],
)
def test_leaks_are_listed_with_the_lines_that_made_them(tmp_path: Path, end: str, said: str) -> None:
    assert stderr_of(tmp_path, LEAKY + end, ACLIMB_LEAKS="1") == said


def test_leaks_are_not_listed_unasked(tmp_path: Path) -> None:
    assert stderr_of(tmp_path, LEAKY + "acl.finalize()\n") == ""
