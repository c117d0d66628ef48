# SPDX-License-Identifier: Apache-2.0
"""The data files: which there are, and how one is read."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

from aclimb.errors import UnknownSoc

DATA = Path(__file__).parent / "data"
_UNITS = {"B": 1, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30, "GB": 10**9}


@lru_cache(maxsize=64)
def toml(path: Path) -> dict[str, Any]:
    """A file's content; whoever gets it does not change it."""
    import tomllib  # not needed by those who never ask for a chip

    return tomllib.loads(path.read_text())


def key(name: object) -> str:
    return str(name).strip().lower()


@lru_cache(maxsize=1)
def files() -> dict[str, Path]:
    return {key(path.stem): path for path in DATA.glob("Ascend*.toml")}


def find(name: str) -> Path:
    """The file of the chip of that name, in any case of letters."""
    if key(name) not in files():
        raise UnknownSoc(_not_known(name))
    return files()[key(name)]


def can_build(path: Path) -> bool:
    return bool(toml(path).get("build", True))


def size_bytes(text: str) -> int:
    number, unit = text.split()
    return int(number) * _UNITS[unit]


def _not_known(name: str) -> str:
    every = sorted(path.stem for path in files().values())
    known = sorted(path.stem for path in files().values() if can_build(path))
    members = [each for each in every if key(each).startswith(key(name))]
    if len(members) > 1 and not set(known) <= set(members):
        return f"SoC {name!r} is the name of a family; give one of {', '.join(members)}"
    import difflib

    close = difflib.get_close_matches(key(name), map(key, every), n=1, cutoff=0.7)
    hint = f"did you mean {next(each for each in every if key(each) == close[0])}? " if close else ""
    return f"SoC {name!r} is not known; {hint}known are {', '.join(known)}"
