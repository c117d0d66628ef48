# SPDX-License-Identifier: Apache-2.0
"""Random matmuls, and what every tiling of one has to hold: written from the published rules, not from the tiler."""

from __future__ import annotations

import random
from dataclasses import dataclass

from aclimb.tiling import CubeFormat, DataType, MultiCoreMatmulTiling, TCubeTiling, TPosition

GM, ND = TPosition.GM, CubeFormat.ND
BITS = {"half": 16, "bf16": 16, "float": 32, "int8": 8, "int4": 4}
NUMBERS = {"half": 1, "bf16": 27, "float": 0, "int8": 2, "int4": 29}
L1, L0A, L0B, L0C, UB, BT = 524288 - 256, 65536, 65536, 131072, 196608 - 256, 1024


@dataclass(frozen=True)
class Asked:
    m: int
    n: int
    k: int
    dtype: str = "half"
    a_trans: bool = False
    b_trans: bool = False
    dim: int = 24
    fix: tuple[int, int, int] = (-1, -1, -1)
    bias: bool = False
    c_in_ub: bool = False
    order_n: bool = False

    def tiler(self) -> MultiCoreMatmulTiling:
        tiler = MultiCoreMatmulTiling()
        number = NUMBERS[self.dtype]
        is_integer = self.dtype in ("int8", "int4")
        tiler.set_a_type(GM, ND, number, self.a_trans)
        tiler.set_b_type(GM, ND, number, self.b_trans)
        tiler.set_c_type(TPosition.VECIN if self.c_in_ub else GM, ND, DataType.DT_INT32 if is_integer else DataType.DT_FLOAT)
        tiler.set_bias_type(GM, ND, DataType.DT_INT32 if is_integer else DataType.DT_FLOAT)
        tiler.set_shape(self.m, self.n, self.k)
        tiler.set_dim(self.dim)
        tiler.set_bias(self.bias)
        tiler.set_traverse(2 if self.order_n else 1)
        if self.fix != (-1, -1, -1):
            tiler.set_fix_split(*self.fix)
        return tiler


def up(value: int, step: int) -> int:
    return (value + step - 1) // step * step


def random_problem(dice: random.Random, most: int = 8192) -> Asked:
    m, n, k = (dice.randint(1, dice.choice((64, 1024, most))) for _ in range(3))
    dtype = dice.choice(tuple(BITS))
    fix = (-1, -1, -1)
    if dice.random() < 0.2 and BITS[dtype] >= 16:
        # A base block that may be given: no larger than the shape, within L0C.
        fix = (min(dice.choice((16, 32, 64, 128)), up(m, 16)), min(dice.choice((16, 64, 128, 256)), up(n, 16)), -1)
    a_trans = dice.random() < 0.5 and dtype != "int4"
    return Asked(
        m=m, n=n, k=k, dtype=dtype, a_trans=a_trans, b_trans=dice.random() < 0.5, dim=dice.choice((1, 1, 2, 2, 4, 8, 20, 24, 40, 48)),
        fix=fix, bias=dice.random() < 0.5, c_in_ub=dice.random() < 0.3, order_n=dice.random() < 0.2,
    )  # fmt: skip


def broken(asked: Asked, t: TCubeTiling) -> list[str]:
    """The rules that the tiling breaks, with numbers."""
    bits = BITS[asked.dtype]
    c0 = 256 // bits
    k_step = c0 if asked.b_trans and not asked.a_trans else max(16, c0)
    column = max(16, c0)
    a, b = t.baseM * t.baseK * bits // 8, t.baseN * t.baseK * bits // 8
    rows, columns, deep = -(-t.singleCoreM // t.baseM), -(-t.singleCoreN // t.baseN), -(-t.singleCoreK // t.baseK)
    passes = -(-deep // t.stepKa), -(-deep // t.stepKb)
    rules = {
        "positive": min(t.baseM, t.baseN, t.baseK, t.stepM, t.stepN, t.stepKa, t.stepKb, t.depthA1, t.depthB1) > 0,
        "cores": 1 <= t.usedCoreNum <= asked.dim,
        "grid": t.usedCoreNum == -(-asked.m // t.singleCoreM) * -(-asked.n // t.singleCoreN),
        "all of K": t.singleCoreK == asked.k,
        "inside": t.singleCoreM <= up(asked.m, 16) and t.singleCoreN <= up(asked.n, column),
        "L0A": a * t.dbL0A <= L0A and t.dbL0A in (1, 2),
        "L0B": b * t.dbL0B <= L0B and t.dbL0B in (1, 2),
        "L0C": t.baseM * t.baseN * 4 * t.dbL0C <= L0C and t.dbL0C in (1, 2),
        "bias table": not asked.bias or t.baseN * 4 <= BT,
        "depth": t.depthA1 in (t.stepM * t.stepKa, 2 * t.stepM * t.stepKa) and t.depthB1 in (t.stepN * t.stepKb, 2 * t.stepN * t.stepKb),
        "L1": t.depthA1 * a + t.depthB1 * b + (t.baseN * 4 if asked.bias else 0) <= L1,
        "fractals": t.baseM % 16 == 0 and t.baseN % 16 == 0 and t.baseK % k_step == 0,
        "base in single": t.baseM <= up(t.singleCoreM, column) and t.baseN <= up(t.singleCoreN, column),
        "base K in single": t.baseK <= up(t.singleCoreK, k_step),
        "steps": t.stepM <= rows and t.stepN <= columns and t.stepKa <= deep and t.stepKb <= deep,
        "several rows only with all of K": (deep <= t.stepKa or t.stepM == 1) and (deep <= t.stepKb or t.stepN == 1),
        "loads of K": max(passes) % min(passes) == 0,
        "UB": not asked.c_in_ub or t.baseM * t.baseN * 4 <= (UB if asked.fix[0] > 0 else UB // 2),
        "said": (t.M, t.N, t.Ka, t.Kb) == (asked.m, asked.n, asked.k, asked.k) and t.isBias == asked.bias,
        "order": t.iterateOrder == asked.order_n,
        "fixed": all(want in (-1, got) for want, got in zip(asked.fix, (t.baseM, t.baseN, t.baseK), strict=True)),
        "rest": (t.batchM, t.batchN, t.singleBatchM, t.singleBatchN, t.transLength, t.mxTypePara) == (1, 1, 1, 1, 0, 0),
    }  # fmt: skip
    return [f"{name}: {t}" for name, holds in rules.items() if not holds]
