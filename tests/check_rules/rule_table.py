# SPDX-License-Identifier: Apache-2.0
"""The rules of the checker, and how the two programs of each are run: the rule's file says it, but for arrays of its kernel's own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

import numpy as np

from aclimb.check import rules
from aclimb.check.settings import Settings

HERE = Path(__file__).parent
FAULTS = HERE.parent / "check"

Array = np.ndarray[Any, Any]


def doubled(x: Array) -> Array:
    return x + x


def next_row(times: int) -> Callable[[Array], Array]:
    """Each block has the row of its neighbour."""
    return lambda x: np.roll(x.reshape(-1, 256), -1, axis=0).ravel() * times


@dataclass(frozen=True)
class Rule:
    id: str
    pair: rules.Pair
    severity: str  # of what is found in the faulty one
    check: Mapping[str, Any]  # arguments of aclimb.check
    x: Array = field(default_factory=lambda: np.arange(1024, dtype=np.float32))  # what a kernel reads
    z: str = "float32"  # element type of what it writes
    expected: Callable[[Array], Array] = doubled  # what the good one leaves in z; as many elements are compared as this has

    @property
    def folder(self) -> Path:
        """Where the pair lies that the page of the rule shows."""
        return FAULTS / self.pair.faults.split()[0] if self.pair.faults else HERE / self.id

    @property
    def on_host(self) -> bool:
        return (self.folder / "bad.py").exists()

    def source(self, which: str) -> Path:
        return self.folder / f"{which}.{'py' if self.on_host else 'cpp'}"


_INTS = np.arange(1024, dtype=np.int32)
_LONG = np.arange(8192, dtype=np.float32)
_SQUARE = (np.arange(256) % 7).astype(np.float16)

ARRAYS: dict[str, dict[str, Any]] = {
    "O2": {"expected": lambda x: np.tile(x[:128], 2) * 2},
    "O4": {"expected": next_row(2)},
    "O7": {"x": _INTS, "z": "int32", "expected": lambda x: x.reshape(4, 256).sum(0)},
    "O8": {"x": _SQUARE, "expected": lambda x: np.linalg.matrix_power(x.reshape(16, 16).astype(np.float32), 2).ravel()},
    "N1": {"expected": lambda x: x.reshape(4, 256).sum(0)},
    "C3": {"expected": lambda x: np.where(np.arange(64) % 16 == 0, x[:64] * 2, 0)},
    "C4": {"expected": lambda x: np.where(np.arange(16) % 8 == 0, x[:16] * 2, 0)},
    "B4": {"expected": lambda x: x[:248] * 2},
    "B5": {"severity": "error", "expected": lambda x: x[:25] * 2},  # a warning where strictness is hardware
    "B6": {"z": "uint8", "expected": lambda x: np.packbits(x[:128] > 0, bitorder="little")},
    "B7": {"x": np.arange(256, dtype=np.float16), "expected": lambda x: x.astype(np.float32)},
    "X1": {"expected": next_row(4)},
    "X2": {"expected": next_row(4)},
    "X3": {"expected": next_row(4)},
    "X4": {"expected": next_row(2)},
    "X6": {"expected": lambda x: x * 4},
    "X7": {"expected": next_row(4)},
    "S1": {"x": np.arange(2048, dtype=np.float32)},
    "A1": {"x": _LONG[:4096]},
    "A2": {"x": _LONG[:4096]},
    "A3": {"x": _LONG, "expected": lambda x: x[128 : 128 + 4096] * 2},
    "A4": {"x": _LONG[:4096]},
}


def _of(rule: rules.Rule) -> Rule:
    named = {each.name: each.metadata.get("named") for each in fields(Settings)}
    own = {rule.setting: named[rule.setting]} if named.get(rule.setting) else {}
    return Rule(
        **{"id": rule.id, "pair": rule.pair, "severity": rule.severity, "check": {**own, **rule.pair.check}, **ARRAYS.get(rule.id, {})}
    )


RULES = [_of(each) for each in rules.RULES.values()]
