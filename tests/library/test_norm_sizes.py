# SPDX-License-Identifier: Apache-2.0
"""Scratch of normalisation, quantisation and reductions: whole blocks, the least not above the most, more for a greater shape."""

from __future__ import annotations

from itertools import pairwise

import pytest

from aclimb.tiling import library

LENGTHS = [1, 7, 8, 31, 32, 64, 65, 200, 256, 2047, 2048, 5000]
# Each with the place of the length among its arguments.
CALLS: list[tuple[str, tuple[int, ...], int]] = [
    *(("Sum", (0, size), 0) for size in (2, 4)),
    *(("Mean", (0, size, total), 0) for size, total in ((2, 2), (2, 4), (4, 4))),
    *((f"Reduce{kind}", (keeps, 40, 0, 4), 2) for kind in ("Sum", "Mean", "Max", "Min", "Prod", "Any", "All") for keeps in (0, 1)),
    *((f"Reduce{kind}", (keeps, 0, 40, 1), 1) for kind in ("Any", "All") for keeps in (0, 1)),
    ("ReduceXorSum", (0,), 0),
    *(("AscendQuant", (0, size), 0) for size in (2, 4)),
    ("AscendDequant", (0,), 0),
    *(("AscendAntiQuant", (0, transposed, half), 0) for transposed in (0, 1) for half in (0, 1)),
    ("BatchNorm", (0,), 0),
    ("GroupNorm", (0, 24), 0),
    ("GroupNorm", (5, 0), 1),
]


@pytest.mark.requirement("lib-7")
@pytest.mark.parametrize(("call", "arguments", "place"), CALLS)
def test_sizes_are_whole_blocks_and_grow(call: str, arguments: tuple[int, ...], place: int) -> None:
    sizes = [library.other_sizes(call, *arguments[:place], length, *arguments[place + 1 :]) for length in LENGTHS]
    for most, least in sizes:
        assert most % 32 == least % 32 == 0
        assert least <= most
    for (most, least), (more, at_least) in pairwise(sizes):
        assert most <= more
        assert least <= at_least


@pytest.mark.requirement("lib-7")
@pytest.mark.parametrize("call", ["LayerNorm", "DeepNorm", "RmsNorm", "Normalize", "WelfordFinalize", "LayerNormGrad", "LayerNormGradBeta"])
def test_sizes_of_rows(call: str) -> None:
    for shapes in ([(9, 8 * length) for length in LENGTHS], [(length, 40) for length in LENGTHS]):
        for (most, least), (more, at_least) in pairwise(library.row_sizes(call, *shape) for shape in shapes):
            assert most % 32 == least % 32 == 0
            assert least <= most <= more
            assert least <= at_least
