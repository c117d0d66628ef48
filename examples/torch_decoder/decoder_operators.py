# SPDX-License-Identifier: Apache-2.0
"""The operators of a decoder layer, beside AddRmsNorm: how each is declared, and how its work is cut."""

import ctypes
from pathlib import Path
from typing import Any

from aclimb import chips, knobs, op
from aclimb.tiling import CubeFormat, DataType, MultiCoreMatmulTiling, TPosition

HERE = Path(__file__).parent
DEPTH = 128  # of a head


def _struct(name: str, *fields: tuple[str, Any]) -> type[ctypes.Structure]:
    return type(name, (ctypes.Structure,), {"_fields_": fields})


RotaryTiling = _struct("RotaryTiling", ("tokens", ctypes.c_int32), ("heads", ctypes.c_int32))
SwiGluTiling = _struct("SwiGluTiling", ("rows", ctypes.c_int32), ("columns", ctypes.c_int32))
AttentionTiling = _struct(
    "DecodeAttentionTiling", *((name, ctypes.c_int32) for name in ("tokens", "heads", "length")), ("scale", ctypes.c_float)
)


def linear() -> op.Operator:
    """y = x @ w, of half."""
    made = op.define("Linear")
    made.input("x", dtype=["float16"])
    made.input("w", follow="x")
    made.output("y", follow="x")
    made.kernel(HERE / "linear.cpp")

    @made.infer_shape
    def infer_shape(ctx: op.InferShapeContext) -> None:
        x, w = (ctx.input_shape[name].origin.dims for name in ("x", "w"))
        if len(x) != 2 or len(w) != 2 or x[1] != w[0]:
            raise ValueError(f"x is {x} and w is {w}; it takes [m, k] and [k, n]")
        ctx.output_shape["y"] = (x[0], w[1])

    @made.tiling
    def tile(ctx: op.TilingContext) -> None:
        (m, k), n = ctx.input_shape["x"].storage.dims, ctx.input_shape["w"].storage.dims[1]
        tiler = MultiCoreMatmulTiling(chips.load(knobs.soc()).name)
        tiler.set_a_type(TPosition.GM, CubeFormat.ND, DataType.DT_FLOAT16)
        tiler.set_b_type(TPosition.GM, CubeFormat.ND, DataType.DT_FLOAT16)
        tiler.set_c_type(TPosition.GM, CubeFormat.ND, DataType.DT_FLOAT16)
        tiler.set_shape(m, n, k)
        tiler.set_dim(ctx.platform.cube_core_num)
        cut = tiler.get_tiling()
        ctx.num_blocks, ctx.tiling_data, ctx.workspace_sizes = cut.usedCoreNum, cut, [0]

    return made


def rotary() -> op.Operator:
    """q and k of qkv[tokens, 3 * heads * 128], turned by cosine and sine[tokens, 64]."""
    made = op.define("Rotary")
    made.input("qkv", dtype=["float16"])
    made.input("cosine", dtype=["float32"])
    made.input("sine", dtype=["float32"])
    made.output("z", follow="qkv")
    made.kernel(HERE / "rotary.cpp")

    @made.tiling
    def tile(ctx: op.TilingContext) -> None:
        tokens, width = ctx.input_shape["qkv"].storage.dims
        ctx.num_blocks, ctx.tiling_data = min(tokens, ctx.platform.vector_core_num), RotaryTiling(tokens, width // (3 * DEPTH))
        ctx.workspace_sizes = [0]

    return made


def decode_attention() -> op.Operator:
    """o[tokens, heads * 128] of one new token for each sequence, whose cache is [tokens, heads, length, 128]."""
    made = op.define("DecodeAttention")
    made.input("qkv", dtype=["float16"])
    made.input("keys", follow="qkv")
    made.input("values", follow="qkv")
    made.output("o", follow="qkv")
    made.kernel(HERE / "decode_attention.cpp")

    @made.infer_shape
    def infer_shape(ctx: op.InferShapeContext) -> None:
        qkv, keys, values = (ctx.input_shape[name].origin.dims for name in ("qkv", "keys", "values"))
        if keys != values or len(keys) != 4 or keys[3] != DEPTH or qkv != (keys[0], 3 * keys[1] * DEPTH):
            raise ValueError(
                f"qkv is {qkv}, keys {keys}, values {values}; it takes [tokens, 3 * heads * 128] and [tokens, heads, length, 128]"
            )
        ctx.output_shape["o"] = (keys[0], keys[1] * DEPTH)

    @made.tiling
    def tile(ctx: op.TilingContext) -> None:
        tokens, heads, length, depth = ctx.input_shape["keys"].storage.dims
        ctx.num_blocks = min(tokens * heads, ctx.platform.vector_core_num)
        ctx.tiling_data, ctx.workspace_sizes = AttentionTiling(tokens, heads, length, depth**-0.5), [0]

    return made


def swiglu() -> op.Operator:
    """up * silu(gate), of x[rows, 2 * n] with gate and up side by side."""
    made = op.define("SwiGlu")
    made.input("x", dtype=["float16"])
    made.output("z", follow="x")
    made.kernel(HERE / "swiglu.cpp", "swiglu")

    @made.infer_shape
    def infer_shape(ctx: op.InferShapeContext) -> None:
        rows, columns = ctx.input_shape["x"].origin.dims
        if columns % 64:
            raise ValueError(f"x has {columns} columns; it takes a multiple of 64")
        ctx.output_shape["z"] = (rows, columns // 2)

    @made.tiling
    def tile(ctx: op.TilingContext) -> None:
        rows, columns = ctx.input_shape["x"].storage.dims
        ctx.num_blocks, ctx.tiling_data = min(rows, ctx.platform.vector_core_num), SwiGluTiling(rows, columns // 2)
        ctx.workspace_sizes = [0]

    return made
