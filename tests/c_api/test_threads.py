# SPDX-License-Identifier: Apache-2.0
"""Threads that a C++ program made, and what is left to say when Python has gone."""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from native import recent, stub

from aclimb.host import places

Native = Callable[[str], ctypes.CDLL]
HERE = Path(__file__).parent


@pytest.mark.requirement("cpp-6")
def test_last_errors_belong_to_threads(native_code: Native) -> None:
    recent()  # an earlier test's is not this one's
    assert native_code("threads.cpp").last_errors_are_per_thread() == 0
    assert recent() == ""


@pytest.mark.requirement("cpp-13")
def test_what_a_thread_has_set_stays_set(native_code: Native) -> None:
    assert native_code("threads.cpp").state_stays_with_its_thread(0) == 0


@pytest.mark.requirement("cpp-13")
@pytest.mark.parametrize("how", range(4), ids=["stream", "stream with a limit", "event", "device"])
def test_threads_that_wait_do_not_block_each_other(
    native_code: Native, function: Callable[[str], int], memory: Callable[[int], int], how: int
) -> None:
    program = native_code("threads.cpp")
    program.waits_do_not_block_each_other.argtypes = [ctypes.c_int, *[ctypes.c_void_p] * 5]
    context, busy, idle, event = (ctypes.c_void_p() for _ in range(4))
    argument, code = ctypes.c_uint64(memory(64)), ctypes.c_int(-1)
    assert stub("aclrtGetCurrentContext")(ctypes.addressof(context)) == 0
    for stream in (busy, idle):
        assert stub("aclrtCreateStream")(ctypes.addressof(stream)) == 0
    launch = stub("aclrtLaunchKernelWithHostArgs")
    assert launch(function("forever"), 1, busy.value, None, ctypes.addressof(argument), 8, None, 0) == 0
    assert stub("aclrtCreateEvent")(ctypes.addressof(event)) == 0
    assert stub("aclrtRecordEvent")(event.value, busy.value) == 0
    took = program.waits_do_not_block_each_other(how, context.value, busy.value, idle.value, event.value, ctypes.addressof(code))
    assert 0 <= took < 2000
    assert code.value in (0, 107023), "it waited until the other thread ended the kernel"
    assert stub("aclrtDestroyEvent")(event.value) == 0
    for stream in (busy, idle):
        assert stub("aclrtDestroyStream")(stream.value) == 0
    recent()


@pytest.mark.requirement("cpp-13")
def test_threads_that_end_leave_nothing_behind(native_code: Native) -> None:
    program = native_code("threads.cpp")
    assert program.many_threads(1) == 0
    before = len(sys._current_frames()), threading.active_count()
    assert program.many_threads(100) == 0
    assert (len(sys._current_frames()), threading.active_count()) == before


def run(text: str) -> str:
    environment = {**os.environ, "PYTHONPATH": str(HERE)}
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, timeout=600, check=False, env=environment)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


@pytest.mark.requirement("cpp-13")
def test_a_thread_that_python_never_saw_may_be_the_first_to_call(native_code: Native) -> None:
    path = native_code("threads.cpp")._name
    assert run(f"import ctypes; from aclimb.host.door import open_door; open_door(); print(ctypes.CDLL({path!r}).many_threads(3))") == "0\n"


@pytest.mark.requirement("cpp-5")
def test_a_destructor_that_calls_when_python_has_gone_gets_a_code_and_may_free(native_code: Native) -> None:
    path = native_code("threads.cpp")._name
    assert run(f"""
import ctypes
from native import stub, stubs
from aclimb.host.door import open_door
open_door()
program, memory = ctypes.CDLL({path!r}), ctypes.c_void_p()
assert stub("aclrtSetDevice")(0) == 0
assert stub("aclrtMalloc")(ctypes.addressof(memory), 64, 0) == 0
program.free_at_exit(memory)
print("main ends", flush=True)
""") == "main ends\nat exit 100001 no text, free 0\n"  # fmt: skip


def test_a_mistake_of_ours_is_a_code_and_a_sentence(device: None, monkeypatch: pytest.MonkeyPatch, caplog: Any) -> None:
    """What no function should raise does not leave the door either."""
    from aclimb.host import door

    assert door._refuse_error("aclrtMalloc", ZeroDivisionError("division by zero")) == 500000
    assert recent() == "500000: aclrtMalloc: ZeroDivisionError: division by zero"
    assert "aclrtMalloc failed inside aclimb" in caplog.text


def test_every_copy_of_the_library_in_a_process_is_answered(tmp_path: Path) -> None:
    """A program may bring one that lies elsewhere, and Python another."""
    for name in ("first", "second"):
        (tmp_path / name).mkdir()
        for file in (places.library(), places.library().with_name("aclimb.python")):
            if file.exists():
                shutil.copy(file, tmp_path / name / file.name)
    said = run(f"""
import ctypes
import aclimb
for folder in ("first", "second"):
    library, count = ctypes.CDLL("{tmp_path}/" + folder + "/libascendcl.so"), ctypes.c_uint32()
    print(library.aclrtGetDeviceCount(ctypes.byref(count)), count.value > 0)
""")
    assert said == "0 True\n0 True\n"


@pytest.mark.requirement("cpp-13", "tool-19")
def test_exit_handlers_may_call_whoever_was_first(native_code: Native) -> None:
    """One that was there before ours runs after it. Behind all handlers, calls are refused; so are those of other threads."""
    path = native_code("threads.cpp")._name
    assert run(f"""
import atexit, ctypes, threading
go, done, codes = threading.Event(), threading.Event(), []
def other():
    go.wait()
    codes.append(program.rtSetDevice(0))
    done.set()
def leave():
    go.set()
    done.wait()
    print("handler", program.rtDeviceReset(0), "other", *codes, flush=True)
atexit.register(leave)
threading.Thread(target=other, daemon=True).start()
from aclimb.host.door import open_door
open_door()
program = ctypes.CDLL({path!r})
print("set", program.rtSetDevice(0))
class Last:
    def __del__(self):
        print("destructor", program.rtDeviceSynchronize(), flush=True)
last = Last()
""") == "set 0\nhandler 0 other 100001\ndestructor 100001\n"  # fmt: skip
