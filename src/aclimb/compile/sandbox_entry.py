# SPDX-License-Identifier: Apache-2.0
"""Enters a sandbox and becomes a compiler: `python sandbox_entry.py '{"read": [...], "write": [...], ...}' g++ ...`.

A program of its own, so that the limits hold for the compiler and not for whoever builds. It imports nothing of aclimb.
"""

from __future__ import annotations

import ctypes
import json
import os
import resource
import sys

CREATE, ADD_RULE, RESTRICT = 444, 445, 446  # the same on every architecture
PATH_BENEATH, VERSION = 1, 1
READ_FILE, READ_DIR, EXECUTE = 1 << 2, 1 << 3, 1 << 0
RIGHTS = {1: (1 << 13) - 1, 2: (1 << 14) - 1, 3: (1 << 15) - 1, 5: (1 << 16) - 1}  # on files, by the version that brought them
OF_FILES = EXECUTE | 1 << 1 | READ_FILE | 1 << 14 | 1 << 15
NO_NEW_PRIVILEGES = 38

_libc = ctypes.CDLL(None, use_errno=True)


class Ruleset(ctypes.Structure):
    _fields_ = [("files", ctypes.c_uint64), ("network", ctypes.c_uint64), ("scoped", ctypes.c_uint64)]


class PathRule(ctypes.Structure):
    _pack_ = 1
    _fields_ = [("rights", ctypes.c_uint64), ("folder", ctypes.c_int32)]


def version() -> int:
    """Of Landlock; 0: this system has none."""
    found = int(_libc.syscall(CREATE, None, ctypes.c_size_t(0), ctypes.c_uint32(VERSION)))
    return max(found, 0)


def enter(read: list[str], write: list[str]) -> None:
    """From here on this process, and all that it starts, reads and writes below these alone, and has no network."""
    abi = version()
    if not abi:
        raise OSError("Landlock is not there")
    every = RIGHTS[max(number for number in RIGHTS if number <= abi)]
    asked = Ruleset(every, 3 if abi >= 4 else 0, 3 if abi >= 6 else 0)
    size = 24 if abi >= 6 else 16 if abi >= 4 else 8
    rules = _libc.syscall(CREATE, ctypes.byref(asked), ctypes.c_size_t(size), ctypes.c_uint32(0))
    if rules < 0:
        raise OSError(ctypes.get_errno(), "no set of rules")
    for paths, rights in ((read, READ_FILE | READ_DIR | EXECUTE), (write, every)):
        for path in paths:
            _allow(rules, path, rights)
    if _libc.prctl(NO_NEW_PRIVILEGES, 1, 0, 0, 0) or _libc.syscall(RESTRICT, rules, ctypes.c_uint32(0)):
        raise OSError(ctypes.get_errno(), "the rules were not taken")
    os.close(rules)


def _allow(rules: int, path: str, rights: int) -> None:
    try:
        opened = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except FileNotFoundError:
        return
    rule = PathRule(rights if os.path.isdir(path) else rights & OF_FILES, opened)
    if _libc.syscall(ADD_RULE, rules, ctypes.c_uint32(PATH_BENEATH), ctypes.byref(rule), ctypes.c_uint32(0)):
        raise OSError(ctypes.get_errno(), f"no rule for {path}")
    os.close(opened)


def main() -> None:
    asked, command = json.loads(sys.argv[1]), sys.argv[2:]
    for name, value in asked["limits"].items():
        kind = getattr(resource, name)
        resource.setrlimit(kind, (value, value))
    enter(asked["read"], asked["write"])
    os.execve(command[0], command, os.environ)  # by its path: Python itself may be out of reach now


if __name__ == "__main__":
    main()
