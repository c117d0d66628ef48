# SPDX-License-Identifier: Apache-2.0
"""What was asked, made whole: every size known, every rule of the arguments held, nothing chosen yet."""

from __future__ import annotations

from dataclasses import dataclass

from aclimb.errors import InvalidArgument
from aclimb.tiling.asked import KINDS, UNSET, Asked
from aclimb.tiling.words import BIAS_TYPES, BITS, C_TYPES, IN_UB, CubeFormat, DataType, DequantType, ScheduleType, TPosition

MULTI, BATCH = KINDS.index("MultiCoreMatmulTiling"), KINDS.index("BatchMatmulTiling")
_FRACTAL = 16
_BLOCK_BITS = 256  # 32 bytes: the inner side of a fractal


def up(value: int, step: int) -> int:
    return -(-value // step) * step


@dataclass(frozen=True, slots=True)
class Axis:
    """One of M, N and K: its length, what one core shall have of it, what one base block."""

    name: str
    length: int
    single: int  # UNSET: to be chosen
    low: int
    high: int
    align: int  # of a part
    base: int  # UNSET: to be chosen
    block: int  # a base that is chosen is a multiple of it


@dataclass(frozen=True, slots=True)
class Problem:
    m: Axis
    n: Axis
    k: Axis
    dim: int
    aic: int
    split_k: bool
    a_bits: int
    b_bits: int
    c_bits: int
    bias_bits: int  # 0: no bias
    bias_type_bits: int
    a_trans: bool
    b_trans: bool
    a_rows: bool  # ND: copied row by row
    b_rows: bool
    a_in_l1: bool  # TSCM: the kernel has put it there
    b_in_l1: bool
    c_in_ub: bool
    c_aligned: bool  # ND_ALIGN
    is_integer: bool
    quant_vector: bool
    is_sparse: bool
    order: int  # 0: m runs first
    schedule: ScheduleType
    l1: int
    l0a: int
    l0b: int
    l0c: int
    ub: int
    bt: int

    @property
    def clients(self) -> int:
        """Cores that one AIC works for: two where they are the AIVs of a mixed kernel."""
        return 2 if self.dim > self.aic or self.c_in_ub else 1

    @property
    def column_bytes(self) -> int:
        """L1 for one column of a base block: bias and quantisation words."""
        return self.bias_bits // 8 + (8 if self.quant_vector else 0)


def problem_of(asked: Asked) -> Problem:
    a, b = DataType(_said(asked.a_type, 0)), DataType(_said(asked.b_type, 0))
    if a != b:
        raise InvalidArgument(f"A is {a.name} and B is {b.name}; on Atlas A2 and A3 both have one type")
    natural = DataType.DT_INT32 if a in (DataType.DT_INT8, DataType.DT_INT4) else DataType.DT_FLOAT
    c = DataType(_said(asked.c_type, natural))
    if c not in C_TYPES[a]:
        raise InvalidArgument(f"C is {c.name}; A and B of {a.name} give {_names(C_TYPES[a])}")
    bias = DataType(_said(asked.bias_type, natural))
    if asked.bias and bias not in BIAS_TYPES[a]:
        raise InvalidArgument(f"the bias is {bias.name}; with A and B of {a.name} it is {_names(BIAS_TYPES[a])}")
    c0 = _BLOCK_BITS // BITS[a]
    m, n, k = _axes(asked, c0)
    return Problem(
        m=m, n=n, k=k, dim=_dim(asked), aic=asked.aic, split_k=bool(asked.split_k),
        a_bits=BITS[a], b_bits=BITS[a], c_bits=BITS[c], bias_bits=BITS[bias] if asked.bias else 0, bias_type_bits=BITS[bias],
        a_trans=bool(asked.a_trans), b_trans=bool(asked.b_trans),
        a_rows=asked.a_format == CubeFormat.ND, b_rows=asked.b_format == CubeFormat.ND,
        a_in_l1=asked.a_pos == TPosition.TSCM, b_in_l1=asked.b_pos == TPosition.TSCM,
        c_in_ub=asked.c_pos in IN_UB, c_aligned=asked.c_format == CubeFormat.ND_ALIGN,
        is_integer=natural == DataType.DT_INT32, quant_vector=asked.dequant == DequantType.TENSOR and c != natural,
        is_sparse=bool(asked.sparse), order=int(asked.traverse == 2), schedule=ScheduleType(asked.schedule),
        l1=_least(asked.l1, asked.use_l1), l0a=asked.l0a, l0b=asked.l0b, l0c=_least(asked.l0c, asked.use_l0c),
        ub=_least(asked.ub, asked.use_ub), bt=_least(asked.bt, asked.use_bt),
    )  # fmt: skip


def shape_of(asked: Asked) -> tuple[int, int, int]:
    """M, N and K to compute: SetShape's, or else those of the whole matrices."""
    m, n, k = (_said(own, whole) for own, whole in ((asked.m, asked.org_m), (asked.n, asked.org_n), (asked.k, asked.org_ka)))
    for name, value in zip("MNK", (m, n, k), strict=True):
        if value <= 0:
            raise InvalidArgument(f"{name} is not known; call SetShape or SetOrgShape with sizes of 1 and more")
    return m, n, k


def _axes(asked: Asked, c0: int) -> tuple[Axis, Axis, Axis]:
    m, n, k = shape_of(asked)
    column = max(_FRACTAL, c0)
    # K is the inner side of both: a fractal is C0 long there. Otherwise one side is turned, 16 at a time.
    k_block = c0 if asked.b_trans and not asked.a_trans else max(_FRACTAL, c0)
    if asked.sparse:  # half of it is there, in whole fractals
        k_block *= 2
    is_multi = asked.kind == MULTI
    fixed = (asked.single_m, asked.single_n, asked.single_k) if is_multi else (m, n, k)
    found = []
    for name, length, single, block in zip("mnk", (m, n, k), fixed, (column if asked.a_trans else _FRACTAL, column, k_block), strict=True):
        base = getattr(asked, f"fix_{name}")
        smallest = (c0 if name == "k" else _FRACTAL) if base != UNSET else block
        if base != UNSET and base % smallest:
            raise InvalidArgument(f"SetFixSplit: base{name.upper()} is {base}; it is a multiple of {smallest}")
        low, high, align = (getattr(asked, f"{what}_{name}") if is_multi else UNSET for what in ("min", "max", "align"))
        step = align if align > 0 else base if base != UNSET and name != "k" else block
        found.append(Axis(name.upper(), length, single, max(low, 1), high if high > 0 else length, step, base, block))
    _check_formats(asked, c0, m, n, k)
    return found[0], found[1], found[2]


def _check_formats(asked: Asked, c0: int, m: int, n: int, k: int) -> None:
    """NZ keeps whole fractals."""
    for side, format, rows, name in (("A", asked.a_format, m, "M"), ("B", asked.b_format, n, "N")):
        if format == CubeFormat.NZ and (rows % _FRACTAL or k % c0):
            raise InvalidArgument(f"{side} is NZ, with {name} {rows} and K {k}; {name} is a multiple of 16 and K of {c0} there")
    if asked.a_format == CubeFormat.VECTOR and m != 1:
        raise InvalidArgument(f"A is a VECTOR and M is {m}; a vector has 1 row")


def _dim(asked: Asked) -> int:
    if asked.kind != MULTI:
        return 1
    if asked.dim != UNSET:
        return int(asked.dim)
    # SetDim was not called: one core, unless the parts are given.
    m, n, k = shape_of(asked)
    parts = [-(-length // single) if single > 0 else 1 for length, single in ((m, asked.single_m), (n, asked.single_n))]
    return parts[0] * parts[1] * (-(-k // asked.single_k) if asked.split_k and asked.single_k > 0 else 1)


def _said(value: int, other: int) -> int:
    return value if value != UNSET else other


def _least(room: int, allowed: int) -> int:
    return min(room, allowed) if allowed != UNSET else room


def _names(types: tuple[DataType, ...]) -> str:
    return " or ".join(each.name for each in types)
