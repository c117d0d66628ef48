# SPDX-License-Identifier: Apache-2.0
"""All settings. Each is read when it is asked for, so a change of the environment takes effect at once.

`python -m aclimb.knobs` prints the reference page.
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Generic, TypeVar

from aclimb.errors import InvalidArgument

T = TypeVar("T")

_UNITS = {"": 1, "B": 1, "K": 2**10, "M": 2**20, "G": 2**30, "T": 2**40}
_SIZE = re.compile(r"\s*(\d+(?:\.\d+)?)\s*([KMGT]?)(?:i?B)?\s*", re.IGNORECASE)


class Knob(Generic[T]):
    """One environment variable. `knob()` reads it; an unset or empty variable gives the default."""

    kind = "text"

    def __init__(self, variable: str, default: T, doc: str, *, default_text: str | None = None) -> None:
        self.variable, self.default, self.doc = variable, default, doc
        self.default_text = default_text if default_text is not None else str(default)

    def __call__(self) -> T:
        text = os.environ.get(self.variable, "").strip()
        return self.parse(text) if text else self.default

    def parse(self, text: str) -> T:
        raise NotImplementedError

    def accepted(self) -> str:
        return self.kind

    def refuse(self, text: str) -> InvalidArgument:
        return InvalidArgument(f"{self.variable} is {text!r}; it takes {self.accepted()}. Unset it for the default, {self.default_text}")


class Text(Knob[str]):
    def parse(self, text: str) -> str:
        return text

    def accepted(self) -> str:
        return "a text"


class Choice(Knob[str]):
    def __init__(self, variable: str, default: str, doc: str, choices: tuple[str, ...]) -> None:
        super().__init__(variable, default, doc)
        self.choices = choices

    def parse(self, text: str) -> str:
        for choice in self.choices:
            if text.lower() == choice.lower():
                return choice
        raise self.refuse(text)

    def accepted(self) -> str:
        return "one of " + ", ".join(self.choices)


class Flag(Knob[bool]):
    def parse(self, text: str) -> bool:
        if text.lower() in ("1", "true", "yes", "on"):
            return True
        if text.lower() in ("0", "false", "no", "off"):
            return False
        raise self.refuse(text)

    def accepted(self) -> str:
        return "1, true, yes, on or 0, false, no, off"


class Count(Knob[int]):
    def __init__(self, variable: str, default: int, doc: str, *, low: int, high: int, default_text: str | None = None) -> None:
        super().__init__(variable, default, doc, default_text=default_text)
        self.low, self.high = low, high

    def parse(self, text: str) -> int:
        if not re.fullmatch(r"\d{1,12}", text) or not self.low <= int(text) <= self.high:
            raise self.refuse(text)
        return int(text)

    def accepted(self) -> str:
        return f"a whole number, {self.low} to {self.high}"


class Seconds(Knob[float]):
    def parse(self, text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            raise self.refuse(text) from None
        if not (math.isfinite(value) and value > 0):
            raise self.refuse(text)
        return value

    def accepted(self) -> str:
        return "seconds, a number above 0"


class Size(Knob[int]):
    """Bytes, with an optional suffix: 4096, 512K, 64 MiB, 1.5G."""

    def __init__(self, variable: str, default: int, doc: str, *, default_text: str | None = None, low: int = 1) -> None:
        super().__init__(variable, default, doc, default_text=default_text)
        self.low = low

    def parse(self, text: str) -> int:
        match = _SIZE.fullmatch(text)
        value = int(float(match[1]) * _UNITS[match[2].upper()]) if match else -1
        if value < self.low:
            raise self.refuse(text)
        return value

    def accepted(self) -> str:
        return f"bytes{' above 0' if self.low else ', 0 for none'}, with K, M, G or T if you like (64M, 1.5 GiB)"


class Folder(Knob[Path]):
    """A folder whose default is worked out when it is asked for (it depends on other variables)."""

    def __init__(self, variable: str, default: Callable[[], Path], doc: str, *, default_text: str) -> None:
        super().__init__(variable, Path(), doc, default_text=default_text)
        self.find_default = default

    def __call__(self) -> Path:
        text = os.environ.get(self.variable, "").strip()
        return self.parse(text) if text else self.find_default()

    def parse(self, text: str) -> Path:
        return Path(text).expanduser().absolute()

    def accepted(self) -> str:
        return "a folder"


def _user_cache() -> Path:
    base = os.environ.get("XDG_CACHE_HOME", "").strip()
    return (Path(base) if base else Path.home() / ".cache") / "aclimb"


soc = Text(
    "ACLIMB_SOC",
    "Ascend910_9392",
    "The chip that is modelled when a call does not name one. `aclimb chips` lists them.",
)
devices = Count("ACLIMB_DEVICES", 1, "How many devices there are.", low=1, high=64)
visible_devices = Text(
    "ASCEND_RT_VISIBLE_DEVICES",
    "",
    "Which devices acl sees, and in which order: 1,0. Ascend's own variable.",
    default_text="all",
)
custom_opp_path = Text(
    "ASCEND_CUSTOM_OPP_PATH",
    "",
    "Folders of operator packages, with : between them; of two that have an operator the first one counts. Ascend's own variable.",
    default_text="none",
)
opp_path = Text(
    "ASCEND_OPP_PATH",
    "",
    "The folder whose `vendors` are operator packages, looked at behind ASCEND_CUSTOM_OPP_PATH. Ascend's own variable.",
    default_text="none",
)
device_memory = Size(
    "ACLIMB_DEVICE_MEMORY",
    0,
    "Global memory of one device.",
    default_text="the smaller of the chip's memory and half of the host's",
)
quarantine = Size(
    "ACLIMB_QUARANTINE",
    2**30,
    "How many addresses of freed device memory, and of freed malloc_host memory, are not given out again at once, so that a use after "
    "the free is noticed. They hold no memory.",
    default_text="1 GiB",
    low=0,
)
threads = Count(
    "ACLIMB_THREADS",
    0,
    "Worker threads of the engine. Results do not depend on it, unless two cores touch the same bytes without synchronisation.",
    low=0,
    high=1024,
    default_text="0: as many as the host has cores",
)
timeout = Seconds("ACLIMB_TIMEOUT", 120.0, "How long one task may run before it ends with a TimeLimit error.", default_text="120")
strictness = Choice(
    "ACLIMB_STRICTNESS",
    "strict",
    "Whether a mistake that a chip would not notice ends the kernel, or is logged while it goes on. Read when a device is first used.",
    ("strict", "hardware"),
)
isolated = Flag(
    "ACLIMB_ISOLATED",
    False,
    "Whether kernels run in a process of their own, which can neither read the host's memory nor ask the operating system for anything: "
    "for kernels that you do not trust. docs/explain/trust.md says what that promises.",
    default_text="off",
)
isolated_memory = Size(
    "ACLIMB_ISOLATED_MEMORY",
    2**32,
    "How much memory the process of an isolated device may take, beside global memory.",
    default_text="4 GiB",
)
sources = Text(
    "ACLIMB_SOURCES",
    "",
    "Folders, with : between them, whose files may be quoted in reports about kernels of isolated devices, beside those that kernels were "
    "built from on this machine: a binary from elsewhere can name any file as its source.",
    default_text="none",
)
cache_dir = Folder(
    "ACLIMB_CACHE_DIR",
    _user_cache,
    "Where built kernels and precompiled headers are kept.",
    default_text="$XDG_CACHE_HOME/aclimb, else ~/.cache/aclimb",
)
cache_size = Size("ACLIMB_CACHE_SIZE", 2**30, "Above this the least recently used entries leave the cache.", default_text="1 GiB")
defines = Text(
    "ACLIMB_DEFINES",
    "",
    "Macros for every build, as TILE=4096 WIDE=1; they win over those the program gives.",
    default_text="none",
)
profile_limit = Size("ACLIMB_PROFILE_LIMIT", 2**30, "How much a profile records before it stops with a note.", default_text="1 GiB")
cxx = Text(
    "ACLIMB_CXX",
    "",
    "The C++ compiler for kernels: a name or a path of g++, clang++ or zig.",
    default_text="g++, else clang++, else the ziglang package",
)
python = Text(
    "ACLIMB_PYTHON",
    "",
    "The Python that a C or C++ program starts, or loads, when it is started directly: the path of an executable that has aclimb.",
    default_text="the one that aclimb.python, beside libascendcl.so, names",
)
streams = Count("ACLIMB_STREAMS", 1984, "How many streams acl can create on one device.", low=1, high=65536)
leaks = Flag(
    "ACLIMB_LEAKS",
    False,
    "Whether acl.finalize, or the end of the program without it, lists in the log what was not given back and where it was made.",
    default_text="off",
)
check = Text(
    "ACLIMB_CHECK",
    "",
    "Checks the program and reports when it ends: 1, and words with blanks between them if you like: a format (json), files (out.sarif), "
    "settings (auto_sync=warn). Read when a device is first used; docs/check_your_kernel.md has the list.",
    default_text="off",
)
py_slack = Size(
    "ACLIMB_PY_SLACK",
    0,
    "Zero-filled, accessible space behind each array of a kernel in Python, in bytes.",
    default_text="0: an access behind an array is an error",
)
op_debug = Flag("ACLIMB_OP_DEBUG", False, "Poison workspaces and unset shapes of operators, and log what they leave.", default_text="off")
log = Choice(
    "ACLIMB_LOG",
    "WARNING",
    "Level of the `aclimb` logger; INFO tells every call of acl that is refused. It writes to stderr, unless the program gives it or the "
    "root logger a handler.",
    ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"),
)
isa = Choice(
    "ACLIMB_ISA",
    "auto",
    "SIMD level of the engine. Every level gives the same bits.",
    ("auto", "scalar", "avx2", "avx512", "neon"),
)


def all_knobs() -> Iterator[Knob[Any]]:
    """Every knob of this file, in the order it is written."""
    return (value for value in globals().values() if isinstance(value, Knob))


def reference_page() -> str:
    """The text of docs/reference/knobs.md."""
    lines = [
        "# Settings",
        "",
        "Environment variables, read when they are needed. A value that is not accepted raises `InvalidArgument`.",
        "This page is printed by `python -m aclimb.knobs`.",
        "",
        "| variable | what it sets | takes | default |",
        "|---|---|---|---|",
    ]
    lines += [f"| `{knob.variable}` | {knob.doc} | {knob.accepted()} | {knob.default_text} |" for knob in all_knobs()]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    print(reference_page(), end="")
