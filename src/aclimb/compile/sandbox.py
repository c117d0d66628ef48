# SPDX-License-Identifier: Apache-2.0
"""The build of a stranger's source: compilers run where they can read the given folders and nothing else, with limits on everything.

What cannot be read is decided by the operating system (Landlock). What a kernel may not contain is read from the text the compiler reads.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import IO

from aclimb.compile import sandbox_entry
from aclimb.errors import CompileError, DeviceError, InvalidArgument

SECONDS = 120.0  # of one run of a compiler, by the clock
LIMITS = {"RLIMIT_AS": 4 << 30, "RLIMIT_CPU": 100, "RLIMIT_FSIZE": 256 << 20, "RLIMIT_CORE": 0}
MOST_WORDS = 16 << 20  # that it says
# Where compilers, their libraries and the system's headers are; the rest of the machine is not there.
_SYSTEM = ("/usr", "/bin", "/lib", "/lib64", "/etc/ld.so.cache", "/etc/alternatives")
_DEVICES = ("/dev/null",)
_ASM = re.compile(r"\b(?:asm|__asm|__asm__)\b")
_STRINGS = re.compile(r'"(?:\\.|[^"\\\n])*"|' + r"'(?:\\.|[^'\\\n])*'")
# A directive may stand behind a comment, and have comments inside; # is also spelled %: and ??=.
_HASH = r"(?:^|\*/)[ \t\f\v]*(?:/\*.*?\*/\s*)*(?:#|%:|\?\?=)\s*(?:/\*.*?\*/\s*)*"
_LINE = re.compile(_HASH + r"(?:line\b|\d)", re.MULTILINE | re.DOTALL)
_EMBED = re.compile(_HASH + r"embed\b", re.MULTILINE | re.DOTALL)
_FOREIGN_FLAGS = (
    "-fplugin",
    "-B",
    "-specs",
    "--specs",
    "-wrapper",
    "@",
    "-Xclang",
    "-load",
    "-Wa,",
    "-Wp,",
    "-Wl,",
    "-x",
    "-include",
    "-imacros",
)


def require() -> None:
    """Refuses where the system cannot keep the promise."""
    if not sandbox_entry.version():
        raise DeviceError(
            "an isolated build needs Landlock, which this system does not have (Linux 5.13 and later, enabled at boot); "
            "build in a container or a virtual machine instead"
        )


def require_flags(flags: Sequence[str]) -> None:
    for flag in flags:
        if flag.startswith(_FOREIGN_FLAGS):
            raise InvalidArgument(f"{flag} is not taken by an isolated build: it may bring code or files of another's; leave it out")


def run(
    command: list[str], environment: dict[str, str], read: Sequence[Path], write: Sequence[Path], cwd: str = "/"
) -> subprocess.CompletedProcess[str]:
    """As subprocess.run, in the sandbox. What takes too long is ended with all that it started."""
    path = shutil.which(command[0]) or command[0]
    tool = Path(path).resolve()
    tools = [] if tool.is_relative_to("/usr") else [tool.parent.parent]
    asked = {
        "read": [*_SYSTEM, *map(str, [*tools, *read])],
        "write": [*_DEVICES, *map(str, write)],
        "limits": LIMITS,
    }
    words = [sys.executable, "-I", "-S", sandbox_entry.__file__, json.dumps(asked), path, *command[1:]]
    own = {"PATH": environment.get("PATH", os.defpath), "LC_ALL": "C", "TMPDIR": str(write[0])}
    own |= {name: value for name, value in environment.items() if name.startswith("ZIG_")}
    # Into files, which the limits hold for: what a compiler says would fill the host's memory otherwise.
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        child = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=out, stderr=err, env=own, cwd=cwd, start_new_session=True)
        try:
            child.wait(timeout=SECONDS)
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, signal.SIGKILL)
            child.wait()
            raise CompileError(f"the isolated build took longer than {SECONDS:g} s and was ended") from None
        if sum(os.fstat(each.fileno()).st_size for each in (out, err)) > MOST_WORDS:
            raise CompileError(
                f"the isolated build said more than {MOST_WORDS >> 20} MiB; does a header include itself, or a template never end?"
            )
        return subprocess.CompletedProcess(command, child.returncode, *map(_text, (out, err)))


def _text(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read().decode(errors="replace")


def require_plain(files: Sequence[Path], preprocessed: str) -> None:
    """Refuses what could hide from whoever reads the text: directives that rename lines, embedded files, assembly."""
    for path in files:
        text = re.sub(r"\\[ \t]*\r?\n", "", path.read_text(errors="replace"))
        if _LINE.search(text):
            raise CompileError(
                f"{path} renames its lines with #line, which an isolated build does not take; messages would name other files"
            )
        if _EMBED.search(text):
            raise CompileError(f"{path} has #embed, which an isolated build does not take; give the data as an argument")
    if _ASM.search(_STRINGS.sub('""', preprocessed)):
        raise CompileError(f"{files[0]} has inline assembly, which an isolated build does not take; a chip would not run it either")


def inside(paths: Sequence[Path], folders: Sequence[Path]) -> list[Path]:
    """Those below the folders."""
    return [path for path in paths if any(path.is_relative_to(folder) for folder in folders)]


def read_files(rules: str) -> list[Path]:
    """From the compiler's list of what it has read (-MD)."""
    words = re.sub(r"\\\r?\n", " ", rules).partition(":")[2]
    return [Path(word.replace("\\ ", " ")) for word in re.split(r"(?<!\\)\s+", words.strip()) if word]
