# SPDX-License-Identifier: Apache-2.0
"""Commands of the prefix that are others' work: llvm-ar and its relatives, and ld.lld for what is not device code.

Each is a POSIX script that starts the command of the same name that comes behind it in PATH, so two such folders never call each
other in a circle.
"""

from __future__ import annotations

import shlex

_NEXT = """\
own=$(readlink -f "$0")
set -f
IFS=:
is_behind=yes # whether the folders of PATH come behind this command
for folder in $PATH; do
    [ "$(readlink -f "$folder/{name}")" != "$own" ] || is_behind=no
done
for folder in $PATH; do
    if [ "$(readlink -f "$folder/{name}")" = "$own" ]; then
        is_behind=yes
    elif [ $is_behind = yes ] && [ -f "$folder/{name}" ] && [ -x "$folder/{name}" ]; then
        exec "$folder/{name}" "$@"
    fi
done
"""
# Name -> the host's own command that does the same.
_OTHERS = {"ld.lld": "", "llvm-ar": "ar", "llvm-objcopy": "objcopy", "llvm-strip": "strip"}
NAMES = tuple(_OTHERS)
_DEVICE = 'case " $* " in *" -m aicorelinux "* | *" -maicorelinux "*) exec {python} -P -m aclimb.host.device_linker "$@" ;; esac\n'


def script(name: str, python: str) -> str:
    """The text of the command."""
    lines = ["#!/bin/sh\n", _DEVICE.format(python=shlex.quote(python)) if name == "ld.lld" else "", _NEXT.format(name=name)]
    if other := _OTHERS[name]:
        lines.append(f'command -v {other} >/dev/null && exec {other} "$@"\n')
        lines.append(f'echo "{name}: error: neither {name} nor {other} is on PATH; install one of them" >&2\n')
    else:
        lines.append(f'echo "{name}: error: without -m aicorelinux this is the next {name} of PATH, and there is none" >&2\n')
    return "".join([*lines, "exit 1\n"])
