# SPDX-License-Identifier: Apache-2.0
"""What a shell needs to take the toolkit's folder for CANN: set_env.sh in it, which `aclimb env` prints, and how to undo that.

Both are POSIX shell, run under `set -eu`, and change nothing when they run again. What a variable held before is kept in
ACLIMB_BEFORE_<name>.
"""

from __future__ import annotations

import shlex
from pathlib import Path

# Variable -> folder of the root that it names.
_FOLDERS = {
    "ASCEND_HOME_PATH": "",
    "ASCEND_TOOLKIT_HOME": "",
    "ASCEND_AICPU_PATH": "",
    "ASCEND_OPP_PATH": "opp",
    "TOOLCHAIN_HOME": "toolkit",
}
# torch_npu: a thread of its own that calls us would wait for Python's lock, which a thread that waits for it may hold.
_VALUES = {"TASK_QUEUE_ENABLE": "0"}
# (list of folders, folder of the root that comes first in it); the last line is the first to be looked in.
_LISTS = (
    ("CMAKE_PREFIX_PATH", "lib64/cmake"),
    ("LD_LIBRARY_PATH", "lib64"),
    ("PATH", "bin"),
    ("PATH", "compiler/ccec_compiler/bin"),
)
_FUNCTIONS = """\
_aclimb_read() { # NAME: its value in _aclimb_old
    eval "_aclimb_old=\\${$1-}"
}
_aclimb_drop() { # FOLDER: out of the list _aclimb_old
    _aclimb_old=":$_aclimb_old:"
    while :; do
        case "$_aclimb_old" in
            *":$1:"*) _aclimb_old="${_aclimb_old%%":$1:"*}:${_aclimb_old#*":$1:"}" ;;
            *) break ;;
        esac
    done
    _aclimb_old="${_aclimb_old#:}"
    _aclimb_old="${_aclimb_old%:}"
}
_aclimb_write() { # NAME: the value is _aclimb_old; nothing for an empty one
    if [ -n "$_aclimb_old" ]; then export "$1=$_aclimb_old"; else unset "$1"; fi
}
"""
_SET = """\
_aclimb_set() { # NAME VALUE
    _aclimb_read "$1"
    if [ -n "$_aclimb_old" ] && [ "$_aclimb_old" != "$2" ]; then
        export "ACLIMB_BEFORE_$1=$_aclimb_old"
        if [ "$1" = ASCEND_HOME_PATH ]; then
            echo "aclimb: the toolkit at $_aclimb_old was active; aclimb's is now, until: eval \\"\\$(aclimb env --undo)\\"" >&2
        fi
    fi
    export "$1=$2"
}
_aclimb_first() { # NAME FOLDER
    _aclimb_read "$1"
    _aclimb_drop "$2"
    export "$1=$2${_aclimb_old:+:$_aclimb_old}"
}
"""
_UNDO = """\
_aclimb_restore() { # NAME VALUE
    _aclimb_read "$1"
    if [ "$_aclimb_old" = "$2" ]; then
        _aclimb_read "ACLIMB_BEFORE_$1"
        _aclimb_write "$1"
    fi
    unset "ACLIMB_BEFORE_$1"
}
_aclimb_remove() { # NAME FOLDER
    _aclimb_read "$1"
    _aclimb_drop "$2"
    _aclimb_write "$1"
}
"""


def set_script(root: Path) -> str:
    """Makes a shell use the toolkit's folder."""
    return _script(root, _SET, "_aclimb_set", "_aclimb_first")


def undo_script(root: Path) -> str:
    """Makes it as it was before."""
    return _script(root, _UNDO, "_aclimb_restore", "_aclimb_remove")


def _script(root: Path, functions: str, of_variable: str, of_list: str) -> str:
    lines = [_FUNCTIONS, functions]
    lines += [f"{of_variable} {name} {_quoted(root, folder)}\n" for name, folder in _FOLDERS.items()]
    lines += [f"{of_variable} {name} {value}\n" for name, value in _VALUES.items()]
    lines += [f"{of_list} {name} {_quoted(root, folder)}\n" for name, folder in _LISTS]
    lines += [f"unset -f _aclimb_read _aclimb_drop _aclimb_write {of_variable} {of_list}\nunset _aclimb_old\n"]
    return "".join(lines)


def _quoted(root: Path, folder: str) -> str:
    return shlex.quote(str(root / folder))
