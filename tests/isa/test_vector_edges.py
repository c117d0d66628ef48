# SPDX-License-Identifier: Apache-2.0
"""Edge values: one row a case in edges/<instruction>.csv, each with where its expectation comes from.

Columns: dtype; mode (`inf` the default, `saturate`, `round` for ShiftRight); d, the destination before; a; b or the
scalar; expected; source.
"""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest
from core import NUMPY, SATURATE, Array, Core
from vector_reference import ROWS

CASES = [
    pytest.param(file.stem, row, id=f"{file.stem}-{row['dtype']}-{row['mode']}-{row['a']}-{row['b']}")
    for file in sorted((Path(__file__).parent / "edges").glob("*.csv"))
    for row in csv.DictReader(file.read_text().splitlines())
]


def element(text: str, dtype: str) -> Array:
    number = float(text) if dtype in ("half", "f32") else int(text)
    return np.full(3, number, NUMPY[dtype])


@pytest.mark.parametrize(("name", "row"), CASES)
def test_edge_value(core: Core, level: str, name: str, row: dict[str, str]) -> None:
    dtype = row["dtype"]
    sources = [element(row["a"], dtype)]
    scalar = 0
    if ROWS[name].sources == 2:
        sources.append(element(row["b"], dtype))
    elif row["b"]:
        scalar = float(row["b"]) if dtype in ("half", "f32") else int(row["b"])  # type: ignore[assignment]
    actual = core.run(
        name,
        *sources,
        dst=element(row["d"], dtype),
        count=3,
        scalar=scalar,
        ctrl=SATURATE if row["mode"] == "saturate" else 0,
        mode=row["mode"] == "round",
    )
    expected = element(row["expected"], dtype)
    if np.isnan(expected.astype(np.float64)).all():
        assert actual.view(f"u{actual.itemsize}").tolist() == [0x7E00 if dtype == "half" else 0x7FC00000] * 3, (
            "one NaN: quiet, positive, empty payload"
        )
    else:
        assert actual.tobytes() == expected.tobytes(), (actual, expected, row["source"])


def test_every_edge_file_belongs_to_an_instruction_and_says_where_it_comes_from() -> None:
    assert CASES
    for case in CASES:
        name, row = case.values
        assert name in ROWS
        assert isinstance(row, dict)
        assert row["source"]
