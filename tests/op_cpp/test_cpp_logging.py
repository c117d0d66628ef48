# SPDX-License-Identifier: Apache-2.0
"""The log and report headers of host code: what they say arrives in the log, in the operator's error or in acl.get_recent_err_msg()."""

from __future__ import annotations

import ctypes
import logging
import os
import re
import subprocess
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from cpp_parts import HEADERS, HERE, KERNELS, MORE_FLAGS, WARNINGS

import acl
from aclimb import op
from aclimb.compile import toolchain
from aclimb.host import programs

LOG_HEADERS = ("base/log_types.h", "base/dlog_pub.h", "base/err_msg.h", "toolchain/slog.h", "utils/log/asc_cpu_log.h",
               "common/util/error_manager/error_manager.h")  # fmt: skip


def compiled(source: Path, *flags: str) -> str:
    """What the compiler says."""
    command = [*toolchain.find().compiler(), "-c", *WARNINGS, *flags, f"-I{HEADERS}", str(source), "-o", os.devnull]
    return subprocess.run(command, capture_output=True, text=True, check=False).stderr


@pytest.fixture(params=[11, 17])
def logs(request: pytest.FixtureRequest, load_library: Callable[..., op.Library], load: Any) -> op.Operator:
    """The operator, its library built in an old and in a new standard."""
    found: op.Operator = load_library("logging.cpp", std=request.param)["Logs"]
    return found.kernel(load(KERNELS / "arithmetic.cpp", "accumulate"))


@pytest.mark.parametrize("standard", ["c++11", "c++17", "c++20"])
@pytest.mark.parametrize("header", LOG_HEADERS)
def test_each_header_alone_compiles_without_a_warning(header: str, standard: str, tmp_path: Path) -> None:
    source = tmp_path / "alone.cpp"
    source.write_text(f'#include "{header}"\n#include "{header}"\nint used;\n')
    assert compiled(source, f"-std={standard}", "-pedantic") == ""


def test_a_c_program_is_told_what_to_log_with(tmp_path: Path) -> None:
    source = tmp_path / "plain.cpp"
    source.write_text('#include "toolchain/slog.h"\n')
    assert "base/dlog_pub.h is for C++ host code here; a C program logs with aclAppLog of acl/acl.h" in compiled(source, "-xc")


@pytest.mark.parametrize(("how", "text"), [
    ("both", "3 rows are too few"),
    ("inner", "no rows"),
    ("user", "my own"),
    ("predefined", "op Logs, why x"),
    ("predefined alone", "EZ0002"),
    ("input", "path /x, errmsg ?"),
    ("env", "E10002"),
    ("call", "call of x"),
    ("old inner", "old"),
    ("asc", "seen by all"),
    ("dlog", "rank 9"),
    ("twice", "first; second"),
])  # fmt: skip
def test_what_tiling_logs_as_an_error_is_the_operators_error(how: str, text: str, logs: op.Operator) -> None:
    with pytest.raises(op.OpError, match=r"^Logs failed in tiling: ") as caught:
        logs(np.ones(3, np.float32), how=how)
    assert str(caught.value).endswith(f" returned 4294967295 (GRAPH_FAILED): {text}")


def test_what_is_no_error_goes_to_the_log_with_its_level_and_place(logs: op.Operator, caplog: pytest.LogCaptureFixture) -> None:
    source = HERE / "sources" / "logging.cpp"
    numbered = list(enumerate(source.read_text().splitlines(), 1))
    lines = {text: number for number, line in numbered for text in ("dlog_debug", "LOG_WARNING") if text in line}
    with caplog.at_level(logging.DEBUG, "aclimb"):
        logs.plan(np.ones(3, np.float32), how="quiet")
    found = [(record.levelname, record.getMessage()) for record in caplog.records if "logging.cpp:" in record.getMessage()]
    assert all("/tests/op_cpp/sources/logging.cpp:" in text for _, text in found)
    said = [(level, re.sub(r"\[/[^\]]*/", "[", text)) for level, text in found]  # the library may be another checkout's
    assert said[0] == ("DEBUG", f"OP [logging.cpp:{lines['dlog_debug']}] a 1")
    assert said[-1] == ("WARNING", f"ASCENDCKERNEL [logging.cpp:{lines['LOG_WARNING']}] [quiet] g")
    assert [(level, text.split(" ")[0], text.split("] ")[-1]) for level, text in said] == [
        ("DEBUG", "OP", "a 1"), ("INFO", "FE", "b"), ("WARNING", "ASCENDCL", "c"), ("INFO", "module", "d"),
        ("DEBUG", "ASCENDCKERNEL", "e"), ("INFO", "ASCENDCKERNEL", "f 2"), ("WARNING", "ASCENDCKERNEL", "g"),
    ]  # fmt: skip


def test_outside_of_callbacks_a_report_waits_for_the_thread_that_made_it(
    build: Any, load_library: Any, caplog: pytest.LogCaptureFixture
) -> None:
    load_library("logging.cpp")
    say = ctypes.CDLL(str(build("logging.cpp"))).say_outside
    acl.get_recent_err_msg()
    say(b"inner")
    say(b"predefined")
    other = threading.Thread(target=say, args=(b"user",))
    other.start()
    other.join()
    say(b"dlog")  # logged, not reported
    assert acl.get_recent_err_msg() == "EZ0001: op Logs, why x\nEZ9999: no rows"
    assert acl.get_recent_err_msg() is None
    errors = [record.getMessage() for record in caplog.records if record.levelname == "ERROR"]
    assert errors[:3] == ["EZ9999: no rows", "EZ0001: op Logs, why x", "EU0001: my own"]
    assert errors[3].startswith("GE [")
    assert errors[3].endswith("] rank 9")


def test_a_long_text_is_not_cut(build: Any, load_library: Any, caplog: pytest.LogCaptureFixture) -> None:
    load_library("logging.cpp")
    ctypes.CDLL(str(build("logging.cpp"))).say_outside(b"record")
    assert caplog.records[-1].getMessage() == "OP " + "x" * 5000


def test_the_level_that_host_code_asks_for_is_pythons(build: Any, load_library: Any, caplog: pytest.LogCaptureFixture) -> None:
    load_library("logging.cpp")
    library, event = ctypes.CDLL(str(build("logging.cpp"))), ctypes.c_int()
    for level, shown, number in ((logging.DEBUG, [1, 1, 1, 1, 0, 1], 0), (logging.WARNING, [0, 0, 1, 1, 0, 0], 2)):
        with caplog.at_level(level, "aclimb"):
            assert [library.check_level(each) for each in (0, 1, 2, 3, 4, 16)] == shown
            assert (library.get_level(ctypes.byref(event)), event.value) == (number, shown[5])


@pytest.mark.skipif(bool(os.environ.get(MORE_FLAGS)), reason="programs are started without the sanitizer that this session has")
def test_a_program_logs_and_reports_through_libascendcl(tmp_path: Path) -> None:
    made = programs.build([str(HERE / "programs" / "log_main.cpp")], tmp_path / "main")
    done = subprocess.run([str(made)], capture_output=True, text=True, timeout=600, env=os.environ | {"ACLIMB_LOG": "WARNING"})
    assert (done.returncode, done.stdout) == (0, "EZ9999: no rows|01|once\n")
    first, second = done.stderr.splitlines()
    assert first.startswith("aclimb warning: OP [")
    assert first.endswith("log_main.cpp:10] 7 blocks")
    assert second == "aclimb error: EZ9999: no rows"
