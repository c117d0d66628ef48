# SPDX-License-Identifier: Apache-2.0
"""The chips aclimb models: one data file a SoC, every number with unit and source, and what each product family
supports."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal, cast

from aclimb.errors import InvalidArgument, UnknownSoc, Unsupported

_DATA = Path(__file__).parent / "data"
_UNITS = {"B": 1, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30}
Support = Literal["effective", "no effect", "unsupported"]
FAMILIES = ("A2", "A3")
# Names that exist, with the reason why aclimb does not build for them.
_OTHER_PRODUCTS = {
    "ascend310p": "its core is coupled, cube and vector share one scalar unit",
    "ascend310b": "its core is coupled",
    "ascend950": "its vector core works on registers",
    "ascend350": "its vector core works on registers",
    "ascend910a": "its core is coupled",
    "ascend910proa": "its core is coupled",
}


@dataclass(frozen=True, slots=True)
class Architecture:
    """What chips of one architecture share. Sizes are bytes."""

    npu_arch: int
    cce_aicore: int
    memory: dict[str, int]  # UB, L1, L0A, L0B, L0C, BT, FB
    alignment: dict[str, int]  # by memory
    limits: dict[str, int]


@dataclass(frozen=True, slots=True)
class Chip:
    """One SoC version: one device, which on Atlas A3 is one die of the package."""

    name: str
    family: str  # A2 or A3
    aic_cores: int
    aiv_cores: int
    ai_cpus: int
    device_memory: int  # bytes
    l2_size: int  # bytes
    clock_mhz: int
    arch: Architecture
    sources: dict[str, str]  # where each number comes from, with its grade


def names() -> tuple[str, ...]:
    """Every chip, the A2 ones first."""
    chips = [load(path.stem) for path in _DATA.glob("Ascend*.toml")]
    return tuple(chip.name for chip in sorted(chips, key=lambda c: (c.family, c.name)))


def load(name: str) -> Chip:
    """The chip of that name; upper and lower case are the same."""
    return _load(_find(name))


def buildable(name: str) -> Chip:
    """`load`, with a sentence for products that exist and that aclimb does not build for."""
    if _key(name) in _files():
        return load(name)
    for prefix, reason in _OTHER_PRODUCTS.items():
        if _key(name).startswith(prefix):
            raise Unsupported(f"{name} is not modelled: {reason}; aclimb builds for Atlas A2 (Ascend910B1 ...) and A3 (Ascend910_9392 ...)")
    return load(name)


def support(api: str, family: str) -> Support:
    """Whether an API call works, is accepted without effect, or does not exist on a product family. The one reader of
    support.toml."""
    if family not in FAMILIES:
        raise InvalidArgument(f"product family {family!r} does not exist; it is one of {', '.join(FAMILIES)}")
    row = _support_table().get(api)
    return cast(Support, row[family]) if row else "effective"


@lru_cache(maxsize=1)
def _support_table() -> dict[str, dict[str, str]]:
    return _toml(Path(__file__).parent / "support.toml")


@lru_cache(maxsize=1)
def _files() -> dict[str, Path]:
    return {_key(path.stem): path for path in _DATA.glob("Ascend*.toml")}


def _key(name: object) -> str:
    return str(name).strip().lower()


def _find(name: str) -> Path:
    if _key(name) not in _files():
        raise UnknownSoc(_not_known(name))
    return _files()[_key(name)]


def _not_known(name: str) -> str:
    known = sorted(path.stem for path in _files().values())
    members = [each for each in known if _key(each).startswith(_key(name))]
    if 1 < len(members) < len(known):
        return f"SoC {name!r} is the name of a family; give one of {', '.join(members)}"
    import difflib

    close = difflib.get_close_matches(_key(name), map(_key, known), n=1, cutoff=0.7)
    hint = f"did you mean {next(each for each in known if _key(each) == close[0])}? " if close else ""
    return f"SoC {name!r} is not known; {hint}known are {', '.join(known)}"


@lru_cache(maxsize=32)
def _load(path: Path) -> Chip:
    data = _toml(path)
    number = {key: row["value"] for key, row in data.items() if isinstance(row, dict)}
    return Chip(
        name=data["name"],
        family=data["family"],
        aic_cores=number["aic_cores"],
        aiv_cores=number["aiv_cores"],
        ai_cpus=number["ai_cpus"],
        device_memory=_bytes(number["device_memory"]),
        l2_size=_bytes(number["l2_size"]),
        clock_mhz=number["clock"],
        arch=_architecture(data["arch"]),
        sources={key: f"{row['source']} [{row['grade']}]" for key, row in data.items() if isinstance(row, dict)},
    )


@lru_cache(maxsize=4)
def _architecture(name: str) -> Architecture:
    data: dict[str, Any] = _toml(_DATA / f"{name}.toml")
    return Architecture(
        npu_arch=data["npu_arch"],
        cce_aicore=data["cce_aicore"],
        memory={key: _bytes(row["size"]) for key, row in data["memory"].items()},
        alignment={key: _bytes(row["alignment"]) for key, row in data["memory"].items()},
        limits={key: row["value"] for key, row in data["limits"].items()},
    )


def _bytes(text: str) -> int:
    number, unit = text.split()
    return int(number) * _UNITS[unit]


def _toml(path: Path) -> dict[str, Any]:
    import tomllib  # not needed by those who never ask for a chip

    return tomllib.loads(path.read_text())
