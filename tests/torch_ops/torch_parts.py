# SPDX-License-Identifier: Apache-2.0
"""Operators that the tests call from torch."""

from __future__ import annotations

import ctypes
import sys
from pathlib import Path

import pytest

from aclimb import op

HERE = Path(__file__).parent
EXAMPLES = HERE.parents[1] / "examples"
sys.path.append(str(EXAMPLES))
LEFT_OUT = sum(path.read_text().count("\ndef test_") for path in HERE.glob("test_*.py"))
torch = pytest.importorskip("torch", reason=f"torch is not installed: {LEFT_OUT} tests left out; `make test-torch` has it")


class AddScaledTiling(ctypes.Structure):
    _fields_ = (("count", ctypes.c_uint32), ("share", ctypes.c_uint32), ("alpha", ctypes.c_float))


def add_scaled(op_type: str = "AddScaled", beyond: int = 0) -> op.Operator:
    """z = x + alpha * y, of float32; `beyond`: so many elements too many."""
    add = op.define(op_type)
    add.input("x", dtype=["float32"])
    add.input("y", follow="x")
    add.output("z", follow="x")
    add.attr("alpha", float, default=1.0)
    add.kernel(HERE / "add_scaled.cpp", "add_scaled")

    @add.infer_shape
    def infer_shape(ctx: op.InferShapeContext) -> None:
        if ctx.input_shape["x"] != ctx.input_shape["y"]:
            raise ValueError(f"x is {ctx.input_shape['x'].origin}, y is {ctx.input_shape['y'].origin}")
        ctx.output_shape["z"] = ctx.input_shape["x"]

    @add.tiling
    def tiling(ctx: op.TilingContext) -> None:
        count = ctx.input_shape["x"].storage.size + beyond
        share = max(-(-count // ctx.platform.vector_core_num), 1024)
        ctx.num_blocks = max(-(-count // share), 1)
        ctx.tiling_data = AddScaledTiling(count, share, ctx.attrs["alpha"])
        ctx.workspace_sizes = [0]

    return add
