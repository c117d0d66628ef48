# SPDX-License-Identifier: Apache-2.0
"""Triton's interpreter on the same problems, when triton and torch are installed: what running kernels in Python costs."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Iterable
from typing import Any

from benchmarks.harness import Row, bench, best

MI = 2**20


@bench("triton")
def interpreter() -> Iterable[Row]:
    if not (importlib.util.find_spec("triton") and importlib.util.find_spec("torch")):
        return
    os.environ["TRITON_INTERPRET"] = "1"  # read when triton is imported
    import torch

    from benchmarks.triton_kernels import add, matmul

    x, y = (torch.rand(MI).to(torch.float16) for _ in range(2))
    z = torch.empty_like(x)
    yield _row("triton.add.half.1Mi", lambda: add[(MI // 8192,)](x, y, z, MI, 8192), torch.equal, z, x + y)
    a, b = (torch.rand(256, 256).to(torch.float16) for _ in range(2))
    c = torch.empty(256, 256)
    expected = a.float() @ b.float()
    yield _row("triton.matmul.half.256", lambda: matmul[(4, 4)](a, b, c, 256, 64, 64), _close, c, expected)


def _close(found: Any, expected: Any) -> bool:
    return bool((found - expected).abs().max() < 1e-2)


def _row(name: str, run: Any, check: Any, found: Any, expected: Any) -> Row:
    seconds = best(run, rounds=2)
    assert check(found, expected), f"{name} computed something else"
    return Row(name, seconds * 1e3, "ms", note="Triton's interpreter")
