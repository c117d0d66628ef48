# SPDX-License-Identifier: Apache-2.0
"""A C or C++ program notices nothing of the Python around it: arguments, streams, ends, signals, threads, static objects."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.programs.route import Route, own

Kernel = Callable[..., Route]


# --- arguments, names, streams


@pytest.mark.requirement("cpp-14")
def test_arguments_and_environment_arrive_as_they_are(any_route: Route) -> None:
    words = ["a b", "", "--help", "-q", "naïve ☃", "$HOME *", "\udcff"]
    done = any_route("words", *words, MINE="it's mine", LC_ALL="C.UTF-8")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "".join(f"[{word}]\n" for word in words[:-1]) + "[\udcff]\nMINE=it's mine\n"


@pytest.mark.requirement("cpp-14")
@pytest.mark.parametrize("environment", [{}, {"LC_ALL": "", "LANG": "", "LC_CTYPE": ""}, {"PYTHONUNBUFFERED": "1"}], ids=str)
def test_name_locale_and_signals_are_those_of_a_fresh_process(route: Route, environment: dict[str, str]) -> None:
    done = route("surroundings", **environment)
    ctype = environment.get("LC_CTYPE", "is not set")
    assert done.stdout == f"scenes scenes C\nLC_CTYPE {ctype}\n1111\n"


@pytest.mark.requirement("cpp-14")
def test_stdin_is_read_and_printf_and_cout_keep_their_order(any_route: Route) -> None:
    done = any_route("echo", stdin="one\ntwo\n")
    assert done.stdout == "cout one\nprintf one\ncout two\nprintf two\n"
    assert done.stderr == "to stderr\n"


def test_children_by_popen_and_system(route: Route) -> None:
    assert route("children", MINE="me").stdout == "from a child of me\n0 6\n"


@pytest.mark.parametrize("scene", ["fork_before_use", "fork_after_use"])
def test_a_forked_child_has_a_device_if_it_is_the_first_to_use_it_and_is_refused_otherwise(route: Route, scene: str) -> None:
    done = route(scene)
    assert (done.returncode, done.stdout, done.stderr) == (0, "child 4, parent 0\n", "")


def test_what_a_kernel_prints_comes_between_what_the_program_prints(with_kernel: Kernel) -> None:
    assert with_kernel("says")("synchronize").stdout == "before\nkernel says 42\nafter 0\n"


# --- ways to end


@pytest.mark.requirement("cpp-14")
@pytest.mark.parametrize(
    ("words", "status", "stdout"),
    [
        (["return", "0"], 0, ""),
        (["return", "3"], 3, ""),
        (["return", "-1"], 255, ""),
        (["exit", "4"], 4, "handler\n"),
        (["exit_on_a_thread", "5"], 5, ""),
        (["leave_at_once", "6"], 6, ""),
        (["detached", "7"], 7, ""),
        (["catch"], 0, "caught mine\n"),
    ],
    ids=lambda value: "-".join(value) if isinstance(value, list) else "",
)
def test_the_status_is_the_programs(route: Route, words: list[str], status: int, stdout: str) -> None:
    done = route(*words)
    assert (done.returncode, done.stdout, done.stderr) == (status, stdout, "")


@pytest.mark.requirement("cpp-14")
@pytest.mark.parametrize(
    ("words", "number"),
    [
        (["abort"], signal.SIGABRT),
        (["segv", "x"], signal.SIGSEGV),
        (["raise", str(int(signal.SIGSEGV))], signal.SIGSEGV),
        (["raise", str(int(signal.SIGTRAP))], signal.SIGTRAP),
        (["raise", str(int(signal.SIGTERM))], signal.SIGTERM),
        (["broken_pipe"], signal.SIGPIPE),
    ],
    ids=lambda value: "-".join(value) if isinstance(value, list) else "",
)
def test_a_crash_is_a_plain_crash(route: Route, words: list[str], number: signal.Signals) -> None:
    done = route(*words)
    assert (done.returncode, done.stdout, done.stderr) == (-number, "", "")


@pytest.mark.requirement("cpp-14")
def test_an_exception_that_nobody_catches_and_an_assertion_say_what_they_say(route: Route) -> None:
    thrown, asserted = route("throw"), route("assert", "x")
    assert thrown.returncode == asserted.returncode == -signal.SIGABRT
    assert thrown.stderr == "terminate called after throwing an instance of 'std::runtime_error'\n  what():  mine\n"
    assert asserted.stderr.startswith("scenes: ")
    assert asserted.stderr.endswith('Assertion `words.empty() && "the words are none"\' failed.\n')


def test_a_status_and_a_crash_pass_through_the_command(by_command: Route) -> None:
    assert [by_command(*words).returncode for words in (["exit", "4"], ["segv", "x"])] == [4, -signal.SIGSEGV]


def test_a_debugger_sees_the_users_frames(direct: Route) -> None:
    gdb = shutil.which("gdb")
    if gdb is None:
        pytest.skip("there is no gdb")
    command = [gdb, "-batch", "-nx", "-ex", "set auto-solib-add off", "-ex", "run", "-ex", "sharedlibrary scenes", "-ex", "backtrace 3"]
    done = subprocess.run([*command, "--args", *direct.command("segv", "x")], capture_output=True, text=True, timeout=600, check=False)
    assert "users_own_function" in done.stdout, done.stdout + done.stderr
    assert "scene_segv" in done.stdout


@pytest.mark.requirement("cpp-14")
def test_a_fault_that_nobody_asked_for_is_told_at_the_end_and_makes_the_status_1(with_kernel: Kernel) -> None:
    silent, loud, asked = with_kernel("fails")("nothing"), with_kernel("fails")("return", "3"), with_kernel("fails")("synchronize")
    assert "nobody synchronised the stream of this task" in silent.stderr
    assert (silent.returncode, loud.returncode, asked.returncode) == (1, 3, 0)
    assert asked.stdout.startswith("before\nafter 507")


@pytest.mark.requirement("cpp-14")
@pytest.mark.parametrize("early", [{}, {"TAKE_EARLY": "1"}], ids=["in_main", "before_main"])
def test_static_objects_and_handlers_go_in_order_and_may_call_acl_after_finalize(route: Route, early: dict[str, str]) -> None:
    done = route("statics", **early)
    expected = ["constructor 0 0", "main, finalize 0", "local 0", "handler 0", "destructor 0"]
    assert done.stdout.splitlines()[:-1] == expected  # then a function with the attribute destructor, which may be refused
    assert (done.returncode, done.stderr) == (0, "")


def test_static_objects_may_call_acl_when_another_thread_calls_exit(route: Route) -> None:
    done = route("exit_on_a_thread", "5", TAKE_EARLY="1")
    assert (done.returncode, done.stdout.splitlines()[:2]) == (5, ["constructor 0 0", "destructor 0"])


def test_settings_hold_for_a_program_that_is_started_directly(route: Route) -> None:
    done = route("leak", ACLIMB_LEAKS="1")
    assert "the program ended without acl.finalize: not given back: 1 buffer (12345 bytes)" in done.stderr
    assert "1 buffer made at a call from C" in done.stderr


# --- signals


@pytest.mark.requirement("cpp-14")
@pytest.mark.parametrize(("scene", "status"), [("busy", -signal.SIGINT), ("own_handler", 5)])
def test_control_c_ends_a_busy_main_unless_the_program_says_otherwise(any_route: Route, scene: str, status: int) -> None:
    assert interrupted(any_route, scene, "busy\n") == status


@pytest.mark.requirement("cpp-14")
def test_control_c_ends_a_program_that_waits_for_a_kernel(with_kernel: Kernel) -> None:
    assert interrupted(with_kernel("spins"), "synchronize", "before\n") == -signal.SIGINT


@pytest.mark.requirement("cpp-13")
def test_a_handler_of_the_program_does_not_end_its_kernel_and_other_threads_call_while_one_waits(with_kernel: Kernel) -> None:
    done = with_kernel("takes_a_while")("wait_through_control_c")
    assert (done.stdout, done.stderr) == ("heard 1, synchronize 0, meanwhile 0\n", "")


def interrupted(route: Route, scene: str, says: str) -> int:
    with route.start(scene) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == says
        process.send_signal(signal.SIGINT)
        try:
            return process.wait(30)
        finally:
            process.kill()


# --- threads


@pytest.mark.requirement("cpp-13")
def test_a_thread_that_never_saw_python_is_the_first_to_call(route: Route) -> None:
    done = route("first_on_a_thread")
    assert (done.returncode, done.stdout, done.stderr) == (0, "0 0\n", "")


@pytest.mark.requirement("cpp-13")
def test_fifty_threads_call_and_everything_is_given_back(route: Route) -> None:
    done = route("many_threads", ACLIMB_LEAKS="1")
    assert (done.returncode, done.stdout, done.stderr) == (0, "0 of 50 failed, finalize 0\n", "")


# --- C, and the other compiler


def test_a_program_in_c(tmp_path: Path) -> None:
    done = Route(own("plain.c"))("5,6")
    assert (done.returncode, done.stdout, done.stderr) == (5, "1 of 1: 0 1, NULL gives 100000\nhandler 0\n", "")
    missing = Route(own("plain.c"))()
    assert missing.returncode == -signal.SIGABRT
    assert missing.stderr.startswith("plain: ")


@pytest.mark.requirement("cpp-42")
def test_the_calls_that_programs_use_most(tmp_path: Path) -> None:
    done = Route(own("everyday.c"))(str(tmp_path / "model.json"), ACLIMB_LEAKS="1")
    assert done.stdout == (
        "memset 0xabababab\ntwo streams 1024 of 1024\nreplay 1024 of 1024\nrefused 107000, last 107000 then 0\n"
        "107000: aclrtMemcpy: 4096 bytes are to be copied to a destination of 4\n"
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert [each["name"] for each in json.loads((tmp_path / "model.json").read_text())["traceEvents"]] == ["MEMCPY_ASYNC", "MEMCPY_ASYNC"]


@pytest.mark.slow  # zig builds its C++ library first
def test_programs_built_by_zig() -> None:
    pytest.importorskip("ziglang")
    done = Route(own("plain.c", "zig"))("5,6")
    assert (done.returncode, done.stdout, done.stderr) == (5, "1 of 1: 0 1, NULL gives 100000\nhandler 0\n", "")
    route = Route(own("scenes.cpp", "zig"))
    statics = ["constructor 0 0", "main, finalize 0", "local 0", "handler 0", "destructor 0"]
    assert route("statics", TAKE_EARLY="1").stdout.splitlines()[:-1] == statics
    assert route("catch").stdout == "caught mine\n"
    assert [route(*words).returncode for words in (["exit", "4"], ["throw"], ["segv", "x"])] == [4, -signal.SIGABRT, -signal.SIGSEGV]
    assert route("many_threads").stdout == "0 of 50 failed, finalize 0\n"
    assert interrupted(route, "busy", "busy\n") == -signal.SIGINT
