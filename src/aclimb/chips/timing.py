# SPDX-License-Identifier: Apache-2.0
"""What the timing model knows of a chip: parameters, the vector table and the peaks of the paths, all from the data files.

    data/arch2201.toml       [timing] and [vector]: what the chips of one architecture share
    data/Ascend910B1.toml    clock, l2_size, [timing] and [path_peaks]: what is this chip's own

Every number has a unit, a source and a grade: A published and measured, B published by the vendor, C fitted to
measurements, D assumed, "conflict" where two sources disagree. `set` marks a number that the user gave for one run.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from aclimb.chips.files import DATA, find, size_bytes, toml
from aclimb.errors import InvalidArgument

GRADES = ("A", "B", "C", "D", "conflict")
# A cost may be nothing (what if a flag were free?); what the model divides by, or counts with, may not.
_MAY_BE_ZERO = ("ns", "cycles", "of the copy's size", "of the bytes asked for", "of the task time")  # how such units begin
_WHOLE = ("queue_depth", "vf_queue_depth", "sector_bytes")


@dataclass(frozen=True, slots=True)
class TimingParameter:
    value: float
    unit: str
    source: str
    grade: str  # one of GRADES, or "set"


@dataclass(frozen=True, slots=True)
class VectorCost:
    """Cycles of one vector instruction: fixed + repeats x slope; a repeat is 256 bytes."""

    b32: float  # slope for elements of 4 bytes, without bank conflicts
    b16: float  # and of 2
    fixed: float  # head and tail together
    sources: int  # operands that come from UB
    grade: str  # of the slopes, the worse of the two
    fixed_grade: str
    source: str


@dataclass(frozen=True, slots=True)
class Timing:
    parameters: dict[str, TimingParameter]
    vector: dict[str, VectorCost]  # by Ascend C name; Cast has two rows; empty for chips that can only be queried
    peaks: dict[str, float]  # GB/s of one core, by path, for the usage rates of the memory report
    peaks_source: str = ""
    peaks_grade: str = ""


def timing(name: str, overrides: Mapping[str, float] = MappingProxyType({})) -> Timing:
    """What the model knows of a chip, with the user's own numbers in place of some."""
    known = _read(find(name))
    parameters = dict(known.parameters)
    for each, value in overrides.items():
        parameters[each] = _overridden(each, value, known.parameters, find(name).stem)
    return Timing(parameters, dict(known.vector), dict(known.peaks), known.peaks_source, known.peaks_grade)


def parse_overrides(words: Iterable[str]) -> dict[str, float]:
    """The numbers of `--set name=value`, each name once."""
    found: dict[str, float] = {}
    for word in words:
        name, equals, text = (part.strip() for part in word.partition("="))
        if not (name and equals and text):
            raise InvalidArgument(f"--set {word}: it takes name=value, such as hbm_gbs=1200")
        if name in found:
            raise InvalidArgument(f"--set {word}: {name} is given twice")
        found[name] = _number(word, text)
    return found


def _number(word: str, text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise InvalidArgument(f"--set {word}: {text!r} is not a number; it takes name=value, such as hbm_gbs=1200") from None


def _overridden(name: str, value: float, known: Mapping[str, TimingParameter], chip: str) -> TimingParameter:
    if name not in known:
        import difflib

        close = difflib.get_close_matches(name, known, n=3, cutoff=0.5)
        nearest = f"the closest are {', '.join(close)}" if close else f"there are {', '.join(sorted(known))}"
        raise InvalidArgument(f"the timing model of {chip} has no parameter {name!r}; {nearest}")
    old = known[name]
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise InvalidArgument(f"{name} is {value!r}; it takes a number, in {old.unit}")
    lowest = "0 or more" if old.unit.startswith(_MAY_BE_ZERO) else "more than 0"
    if not math.isfinite(value) or value < 0 or (value == 0 and lowest != "0 or more"):
        raise InvalidArgument(f"{name} is {value:g}; it takes a number, {lowest}, in {old.unit} ({old.value:g} by default)")
    if name in _WHOLE and value != int(value):
        raise InvalidArgument(f"{name} is {value:g}; it takes a whole number, in {old.unit} ({old.value:g} by default)")
    return TimingParameter(float(value), old.unit, f"set for this run; {old.value:g} by default", "set")


@lru_cache(maxsize=64)
def _read(path: Path) -> Timing:
    chip = toml(path)
    shared = toml(DATA / f"{chip['arch']}.toml")
    peaks = dict(chip.get("path_peaks", {}))
    about = {key: peaks.pop(key, "") for key in ("unit", "source", "grade")}
    return Timing(
        parameters=_own(chip) | {key: _parameter(row) for rows in (chip, shared) for key, row in rows["timing"].items()},
        vector={key: VectorCost(**row) for key, row in shared.get("vector", {}).items()},
        peaks={key: float(value) for key, value in peaks.items()},
        peaks_source=about["source"],
        peaks_grade=about["grade"],
    )


def _own(chip: Mapping[str, Any]) -> dict[str, TimingParameter]:
    """Two facts of every chip that are also parameters."""
    clock, l2 = chip["clock"], chip["l2_size"]
    return {
        "clock_mhz": _parameter(clock),
        "l2_mib": TimingParameter(size_bytes(l2["value"]) / 2**20, "MiB", l2["source"], l2["grade"]),
    }


def _parameter(row: Mapping[str, Any]) -> TimingParameter:
    return TimingParameter(float(row["value"]), row["unit"], row["source"], row["grade"])


@lru_cache(maxsize=1)
def superkernel_parameters() -> dict[str, TimingParameter]:
    """What the closed forms of a chain of kernels take, in microseconds; the same for every chip so far."""
    return {key: _parameter(row) for key, row in toml(DATA / "arch2201.toml")["superkernel"].items()}
