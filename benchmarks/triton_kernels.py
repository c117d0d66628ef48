# SPDX-License-Identifier: Apache-2.0
"""The add and the matmul of the benchmarks, written for Triton."""

# Triton reads annotations itself, and has none for its own decorator:
# mypy: disable-error-code="no-untyped-def, untyped-decorator"

from __future__ import annotations

import triton
import triton.language as tl


@triton.jit
def add(x, y, z, n, BLOCK: tl.constexpr):  # noqa: N803
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = at < n
    tl.store(z + at, tl.load(x + at, mask=mask) + tl.load(y + at, mask=mask), mask=mask)


@triton.jit
def matmul(a, b, c, n, TILE: tl.constexpr, DEPTH: tl.constexpr):  # noqa: N803
    rows = tl.program_id(0) * TILE + tl.arange(0, TILE)
    columns = tl.program_id(1) * TILE + tl.arange(0, TILE)
    depth = tl.arange(0, DEPTH)
    total = tl.zeros((TILE, TILE), dtype=tl.float32)
    for k in range(0, n, DEPTH):
        left = tl.load(a + rows[:, None] * n + (k + depth)[None, :])
        right = tl.load(b + (k + depth)[:, None] * n + columns[None, :])
        total += tl.dot(left, right)
    tl.store(c + rows[:, None] * n + columns[None, :], total)
