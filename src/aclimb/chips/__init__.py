# SPDX-License-Identifier: Apache-2.0
"""The chips aclimb models: one data file a SoC, every number with unit and source, and what each product family
supports."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal, cast

from aclimb.chips.files import DATA, can_build, files, find, key, size_bytes, toml
from aclimb.chips.timing import Timing, TimingParameter, VectorCost, parse_overrides, superkernel_parameters, timing
from aclimb.errors import InvalidArgument, Unsupported

__all__ = [
    "FAMILIES",
    "Architecture",
    "Chip",
    "Support",
    "Timing",
    "TimingParameter",
    "VectorCost",
    "buildable",
    "load",
    "names",
    "parse_overrides",
    "superkernel_parameters",
    "support",
    "timing",
]
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
    family: str  # A2 or A3; 310P and 950 can be asked for and not be built for
    aic_cores: int
    aiv_cores: int
    ai_cpus: int  # 0 where no source gives it
    device_memory: int  # bytes
    l2_size: int  # bytes
    clock_mhz: int
    arch: Architecture
    sources: dict[str, str]  # where each number comes from, with its grade
    can_build: bool = True  # False: numbers to query only


def names(*, query_only: bool = False) -> tuple[str, ...]:
    """The chips that can be built for, the A2 ones first; with `query_only` those that can only be asked for follow."""
    chips = [load(path.stem) for path in files().values() if query_only or can_build(path)]
    return tuple(chip.name for chip in sorted(chips, key=lambda c: (not c.can_build, c.family, c.name)))


def load(name: str) -> Chip:
    """The chip of that name; upper and lower case are the same."""
    return _load(find(name))


def buildable(name: str) -> Chip:
    """`load`, with a sentence for products that exist and that aclimb does not build for."""
    if key(name) in files() and can_build(find(name)):
        return load(name)
    for prefix, reason in _OTHER_PRODUCTS.items():
        if key(name).startswith(prefix):
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
    return toml(Path(__file__).parent / "support.toml")


@lru_cache(maxsize=64)
def _load(path: Path) -> Chip:
    data = toml(path)
    rows = {name: row for name, row in data.items() if isinstance(row, dict) and "value" in row}
    return Chip(
        name=data["name"],
        family=data["family"],
        aic_cores=rows["aic_cores"]["value"],
        aiv_cores=rows["aiv_cores"]["value"],
        ai_cpus=rows["ai_cpus"]["value"] if "ai_cpus" in rows else 0,
        device_memory=size_bytes(rows["device_memory"]["value"]),
        l2_size=size_bytes(rows["l2_size"]["value"]),
        clock_mhz=rows["clock"]["value"],
        arch=_architecture(data["arch"]),
        sources={name: f"{row['source']} [{row['grade']}]" for name, row in rows.items()},
        can_build=can_build(path),
    )


@lru_cache(maxsize=4)
def _architecture(name: str) -> Architecture:
    data: dict[str, Any] = toml(DATA / f"{name}.toml")
    return Architecture(
        npu_arch=data["npu_arch"],
        cce_aicore=data["cce_aicore"],
        memory={name: size_bytes(row["size"]) for name, row in data["memory"].items()},
        alignment={name: size_bytes(row["alignment"]) for name, row in data["memory"].items()},
        limits={name: row["value"] for name, row in data["limits"].items()},
    )
