# SPDX-License-Identifier: Apache-2.0
"""Runs the main of a C or C++ program in this process: `python -m aclimb.host.hosted program argv0 arguments...`.

Such a program is to notice nothing of Python: what Python changed in the process when it started is put back before the program is
loaded, and the process ends by C's exit(), which calls `ending` last of all.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NoReturn

from aclimb import engine
from aclimb.host import c_stdout, ending
from aclimb.host.door import open_door
from aclimb.host.places import library
from aclimb.runtime import where

NOT_STARTED = 127  # as a shell says that there is no such program
_PR_SET_NAME = 15
_LC_ALL = 6
_IOFBF, _IOLBF = 0, 1
_Main = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)
_C = ctypes.CDLL(None)
_C.dlopen.restype = _C.dlsym.restype = ctypes.c_void_p
_C.dlsym.argtypes = [ctypes.c_void_p, ctypes.c_char_p]
_C.setvbuf.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int, ctypes.c_size_t]
_C.dlerror.restype = ctypes.c_char_p
_kept: list[object] = []  # memory that the program was given


def main() -> NoReturn:
    program, *argv = sys.argv[1:]
    run(Path(program), argv)


def run(program: Path, argv: Sequence[str], at_end: Callable[[int], int] | None = None) -> NoReturn:
    """`argv` begins with the name that the user gave. `at_end(status)` is called when the program exits; the status is what it returns."""
    _open(at_end)
    words = [ctypes.create_string_buffer(os.fsencode(word)) for word in argv]
    _put_back_signals()
    _put_back_locale()
    _put_back_buffers()
    _put_name(words[0])
    main = _Main(_load(program))
    arguments = (ctypes.c_void_p * (len(words) + 1))(*map(ctypes.addressof, words), None)
    _kept.extend([*words, arguments])
    _C.exit(main(len(words), ctypes.addressof(arguments), ctypes.c_void_p.in_dll(_C, "environ")))
    raise AssertionError("exit() came back")


def embedded() -> None:
    """Python came into a program as a library, with its first call of acl."""
    _open(None)


def _open(at_end: Callable[[int], int] | None) -> None:
    open_door()
    engine.leave_to_c()
    where.leave_to_c()
    c_stdout.use()
    ending.expect(at_end)
    loaded = ctypes.CDLL(library().name)  # by its name, wherever it came from
    loaded.aclimb_hosts_program()
    os.register_at_fork(after_in_child=loaded.aclimb_hosts_program)


def _load(program: Path) -> int:
    """Where its main is. The lock is not held while its constructors run: they may call acl, on threads of their own."""
    opened = _C.dlopen(os.fsencode(program.absolute()), os.RTLD_NOW | os.RTLD_GLOBAL)
    found: int | None = _C.dlsym(opened, b"aclimb_main") if opened else None
    if not found:
        print(f"aclimb: {program} cannot be loaded: {(_C.dlerror() or b'').decode(errors='replace')}", file=sys.stderr, flush=True)
        _C.exit(NOT_STARTED)
    assert found is not None
    return found


def _put_back_signals() -> None:
    """Python hears of Ctrl-C and ignores broken pipes and full files. What was ignored before Python started stays so for Ctrl-C."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    for number in (signal.SIGPIPE, signal.SIGXFSZ):
        signal.signal(number, signal.SIG_DFL)


def _put_back_locale() -> None:
    """A C program starts in the locale C. Python has chosen another, and may have told its children so."""
    _C.setlocale(_LC_ALL, b"C")
    given = dict(line.partition(b"=")[::2] for line in Path("/proc/self/environ").read_bytes().split(b"\0"))
    if b"LC_CTYPE" in given:
        os.environb[b"LC_CTYPE"] = given[b"LC_CTYPE"]
    else:
        os.environ.pop("LC_CTYPE", None)


def _put_back_buffers() -> None:
    """PYTHONUNBUFFERED is meant for Python; it takes C's buffers, too."""
    if os.environ.get("PYTHONUNBUFFERED"):
        for name, descriptor in (("stdin", 0), ("stdout", 1)):
            mode = _IOLBF if os.isatty(descriptor) else _IOFBF
            buffer = ctypes.create_string_buffer(8192)
            _C.setvbuf(ctypes.c_void_p.in_dll(_C, name), buffer, mode, len(buffer))
            _kept.append(buffer)


def _put_name(argv0: ctypes.Array[ctypes.c_char]) -> None:
    """For assert, error() and ps."""
    short = argv0.value.rpartition(b"/")[2]
    ctypes.c_void_p.in_dll(_C, "program_invocation_name").value = ctypes.addressof(argv0)
    ctypes.c_void_p.in_dll(_C, "program_invocation_short_name").value = ctypes.addressof(argv0) + len(argv0.value) - len(short)
    _C.prctl(_PR_SET_NAME, short, 0, 0, 0)


if __name__ == "__main__":
    main()
