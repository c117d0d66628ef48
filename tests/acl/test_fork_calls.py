# SPDX-License-Identifier: Apache-2.0
"""In a child that was forked from a process with a device every call of `acl` and `aclimb.capi` gives the same answer, at once."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

PROGRAM = f"""
import ctypes, gc, os, signal, sys
sys.path.insert(0, {str(Path(__file__).parent)!r})
import acl
from aclimb import Buffer, Event, Kernel, LaunchConfig, Program, Stream, capi, launch
from aclimb.errors import ForkedProcess
from fuzz import rows

acl.init(), acl.rt.set_device(0)
stream, event, memory = acl.rt.create_stream()[0], acl.rt.create_event()[0], acl.rt.malloc(64, 0)[0]
binary = Program('''#include "kernel_operator.h"
extern "C" __global__ __aicore__ void slow(GM_ADDR x) {{ for (volatile int i = 0; i < 300000000; i = i + 1); }}''', name="slow").compile()
objects = [Stream(), Event(), Kernel(binary), Buffer(64)]
data = ctypes.create_string_buffer(64)
HOST_ONLY = {{"aclGetRecentErrMsg", "aclAppLog", "aclFloat16ToFloat", "aclFloatToFloat16"}}


def child():
    signal.alarm(20)  # the default action ends the process
    answered = []
    for call, row in rows():
        given = {{"stream": stream, "event": event, "ptr": memory, "size": 64, "data": ctypes.addressof(data)}}
        plain = {{"k": 1, "p": 1, "i": 0, "I": 1, "s": "name", "z": "name", "l": [], "L": [], "n": None, "o": None}}
        answer = call(*[given.get(name, plain[letter[0]]) for letter, name in row.parameters]) if call.__module__ != "acl.util" else None
        text = acl.get_recent_err_msg()
        if row.name in ("get_recent_err_msg", "app_log", *HOST_ONLY) or call.__module__ == "acl.util":
            continue
        code = answer[-1] if isinstance(answer, tuple) else answer
        refused = text is not None and "before fork(); this child" in text and text.startswith("507899: ")
        if not refused or (not row.bare and code != 507899):
            answered.append(f"{{call.__module__}}.{{row.name}} -> {{answer}} {{text}}")
    print(len(answered), *answered[:5], sep="\\n")
    kept, done, kernel, buffer = objects
    for name, attempt in {{"synchronize": kept.synchronize, "record": lambda: kept.record(done), "wait": lambda: kept.wait(done),
                          "idle": lambda: kept.idle, "event": done.synchronize, "done": lambda: done.done, "free": buffer.free,
                          "launch": lambda: launch(kept, LaunchConfig(1), kernel, None), "numpy": buffer.to_numpy,
                          "used": lambda: buffer.device.memory_used, "device": lambda: buffer.device.synchronize(),
                          "capture": lambda: kept.capture().__enter__()}}.items():
        try:
            print(name, "works", attempt())
        except ForkedProcess:
            pass
    assert acl.util.ptr_to_bytes(acl.util.bytes_to_ptr(b"host"), 4) == b"host"


launch(objects[0], LaunchConfig(1), objects[2], None)
objects[0].record(objects[1])
sys.stdout.flush()
if os.fork() == 0:
    child()
    objects.clear()
    gc.collect()
    print("child has let go")
    sys.exit(0)
status = os.wait()[1]
print("child ended with", status)
objects[0].synchronize()
print("parent", acl.rt.synchronize_stream(stream), acl.rt.memset(memory, 64, 1, 64), objects[1].done)
"""


def test_every_call_in_a_forked_child_says_that_it_has_no_device_and_nothing_hangs() -> None:
    command = [sys.executable, "-W", "ignore", "-c", PROGRAM]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    assert done.stderr == ""
    assert done.stdout.splitlines() == ["0", "child has let go", "child ended with 0", "parent 0 0 True"]
