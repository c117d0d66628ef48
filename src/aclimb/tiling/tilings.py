# SPDX-License-Identifier: Apache-2.0
"""Many tilings at once: a table of whole numbers, with a column for each tiling and a row for each of its words."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from aclimb.tiling.problem import Problem

Ints = NDArray[np.int64]


def ceil_div(a: Ints, b: Ints | int) -> Ints:
    return -(-a // b)


def round_up(a: Ints, step: int) -> Ints:
    return ceil_div(a, step) * step


class _Word:
    def __set_name__(self, owner: type[Tilings], name: str) -> None:
        self.row = owner.rows.setdefault(name, len(owner.rows))

    def __get__(self, tilings: Tilings, owner: type[Tilings]) -> Ints:
        found: Ints = tilings.table[self.row]
        return found


class Tilings:
    """Words are those of TCubeTiling. iters: base blocks of a core. loads: buffers of step_m x step_ka base blocks that L1 has (1 or 2)."""

    rows: ClassVar[dict[str, int]] = {}
    parts_m, parts_n, parts_k = _Word(), _Word(), _Word()
    single_m, single_n, single_k = _Word(), _Word(), _Word()
    base_m, base_n, base_k = _Word(), _Word(), _Word()
    db_a, db_b, db_c = _Word(), _Word(), _Word()
    step_m, step_n, step_ka, step_kb = _Word(), _Word(), _Word(), _Word()
    loads_a, loads_b = _Word(), _Word()
    iters_m, iters_n, iters_k = _Word(), _Word(), _Word()

    def __init__(self, table: Ints) -> None:
        self.table = table

    @classmethod
    def of(cls, **words: Ints) -> Tilings:
        """What is not given is 1."""
        (count,) = {len(each) for each in words.values()}
        return cls(np.ones((len(cls.rows), count), dtype=np.int64)).but(**words)

    def but(self, **words: Ints | int) -> Tilings:
        """A copy with some words changed."""
        table = self.table.copy()
        for name, value in words.items():
            table[self.rows[name]] = value
        return Tilings(table)

    def where(self, chosen: NDArray[np.bool_] | NDArray[np.intp]) -> Tilings:
        return Tilings(self.table[:, chosen])

    def __len__(self) -> int:
        return int(self.table.shape[1])

    def words(self) -> dict[str, int]:
        """Of the only one."""
        (column,) = self.table.T.tolist()
        return dict(zip(self.rows, column, strict=True))

    def counted(self) -> Tilings:
        """With the base blocks of one core counted."""
        rows, columns = ceil_div(self.single_m, self.base_m), ceil_div(self.single_n, self.base_n)
        return self.but(iters_m=rows, iters_n=columns, iters_k=ceil_div(self.single_k, self.base_k))

    def block_bytes(self, p: Problem) -> tuple[Ints, Ints]:
        """Of one base block of A and of B in L1. Of a sparse B half is there."""
        return self.base_m * self.base_k * p.a_bits // 8, self.base_n * self.base_k * p.b_bits // (16 if p.is_sparse else 8)

    def l1_bytes(self, p: Problem) -> Ints:
        a, b = self.block_bytes(p)
        kept_a = self.step_m * self.step_ka * self.loads_a * a
        return kept_a + self.step_n * self.step_kb * self.loads_b * b + self.base_n * p.column_bytes


def joined(parts: list[Tilings]) -> Tilings:
    return Tilings(np.concatenate([each.table for each in parts], axis=1))
