# SPDX-License-Identifier: Apache-2.0
"""matmul_tiling::MatmulApiTilingBase: what every tiling object can be told, each argument checked where it is given."""

from __future__ import annotations

from enum import IntEnum
from typing import TypeVar

from aclimb.errors import InvalidArgument, Unsupported
from aclimb.tiling.asked import UNSET, Asked, PlatformInfo
from aclimb.tiling.layout import TCubeTiling
from aclimb.tiling.words import (
    IN_UB,
    CubeFormat,
    DataType,
    DequantType,
    MatrixMadType,
    MatrixTraverse,
    ScheduleType,
    TPosition,
)

E = TypeVar("E", bound=IntEnum)
_INPUTS = (TPosition.GM, TPosition.TSCM, *IN_UB)
_FORMATS = {
    "A": (CubeFormat.ND, CubeFormat.NZ, CubeFormat.VECTOR, CubeFormat.SCALAR),
    "B": (CubeFormat.ND, CubeFormat.NZ, CubeFormat.SCALAR),
}
_MOST = 2**31 - 1


def one_of(name: str, given: int, kind: type[E], accepted: tuple[E, ...] = ()) -> E:
    try:
        found = kind(given)
    except ValueError:
        found = None
    if found is None or (accepted and found not in accepted):
        said = found.name if found is not None else given
        raise InvalidArgument(f"{name} is {said}; it is one of {', '.join(each.name for each in accepted or tuple(kind))}")
    return found


def sizes(name: str, unset: tuple[int, ...], **given: int) -> tuple[int, ...]:
    """Each 1 or more, or one of `unset`, which is stored as "not said"."""
    for each, value in given.items():
        if not (0 < value <= _MOST or value in unset):
            words = " or ".join(["1 and more", *map(str, unset)])
            raise InvalidArgument(f"{name}: {each} is {value}; it takes {words}")
    return tuple(value if value > 0 else UNSET for value in given.values())


class MatmulApiTilingBase:
    """Setters raise InvalidArgument and leave the object as it was."""

    _kind: int

    def __init__(self, platform: PlatformInfo | str = PlatformInfo(), *, asked: Asked | None = None) -> None:  # noqa: B008
        """`platform`: what tilings have to fit into, or the name of a chip."""
        self._asked = asked if asked is not None else Asked()
        if asked is None:
            self._asked.reset(self._kind, PlatformInfo.of(platform) if isinstance(platform, str) else platform)

    # --- types

    def set_a_type(self, pos: int, format: int, dtype: int, is_trans: bool = False) -> None:
        self._set_operand("A", pos, format, dtype, is_trans)

    def set_b_type(self, pos: int, format: int, dtype: int, is_trans: bool = False) -> None:
        self._set_operand("B", pos, format, dtype, is_trans)

    def _set_operand(self, side: str, pos: int, format: int, dtype: int, is_trans: bool) -> None:
        position = one_of(f"position of {side}", pos, TPosition, _INPUTS)
        layout = one_of(f"format of {side}", format, CubeFormat, _FORMATS[side])
        kind = one_of(f"type of {side}", dtype, DataType, tuple(each for each in DataType if each != DataType.DT_INT32))
        if side == "A" and is_trans and kind == DataType.DT_INT4:
            raise InvalidArgument("A is DT_INT4 and transposed; A of DT_INT4 is not transposed on Atlas A2 and A3")
        if side == "A" and is_trans and layout == CubeFormat.VECTOR:
            raise InvalidArgument("A is a VECTOR and transposed; a vector is not")
        if position == TPosition.TSCM and layout != CubeFormat.NZ:
            raise InvalidArgument(f"{side} is {layout.name} in TSCM; what lies in L1 is NZ")
        for name, value in (("pos", position), ("format", layout), ("type", kind), ("trans", int(is_trans))):
            setattr(self._asked, f"{side.lower()}_{name}", value)

    def set_c_type(self, pos: int, format: int, dtype: int) -> None:
        position = one_of("position of C", pos, TPosition, (TPosition.GM, TPosition.CO1, TPosition.TSCM, *IN_UB))
        layout = one_of("format of C", format, CubeFormat, (CubeFormat.ND, CubeFormat.NZ, CubeFormat.ND_ALIGN))
        kind = one_of("type of C", dtype, DataType, tuple(each for each in DataType if each != DataType.DT_INT4))
        self._asked.c_pos, self._asked.c_format, self._asked.c_type = position, layout, kind

    def set_bias_type(self, pos: int, format: int, dtype: int) -> None:
        position = one_of("position of the bias", pos, TPosition, _INPUTS)
        layout = one_of("format of the bias", format, CubeFormat, (CubeFormat.ND,))
        accepted = (DataType.DT_FLOAT, DataType.DT_FLOAT16, DataType.DT_INT32)
        self._asked.bias_pos, self._asked.bias_format = position, layout
        self._asked.bias_type = one_of("type of the bias", dtype, DataType, accepted)

    # --- sizes

    def set_shape(self, m: int, n: int, k: int) -> None:
        """What is to be computed; -1: as large as the matrices."""
        self._asked.m, self._asked.n, self._asked.k = sizes("SetShape", (-1,), m=m, n=n, k=k)

    def set_org_shape(self, m: int, n: int, ka: int, kb: int | None = None) -> None:
        """The matrices in memory; -1: as large as what is computed."""
        a = self._asked
        a.org_m, a.org_n, a.org_ka, a.org_kb = sizes("SetOrgShape", (-1,), m=m, n=n, ka=ka, kb=ka if kb is None else kb)

    def set_fix_split(self, base_m: int = -1, base_n: int = -1, base_k: int = -1) -> None:
        """Base blocks of this size. GetBaseM and the others give them at once."""
        a = self._asked
        a.fix_m, a.fix_n, a.fix_k = sizes("SetFixSplit", (-1,), baseM=base_m, baseN=base_n, baseK=base_k)
        a.base_m, a.base_n, a.base_k = a.fix_m, a.fix_n, a.fix_k

    def set_buffer_space(self, l1: int = -1, l0c: int = -1, ub: int = -1, bt: int = -1) -> None:
        """Bytes that may be used; -1: all."""
        a = self._asked
        a.use_l1, a.use_l0c, a.use_ub, a.use_bt = sizes("SetBufferSpace", (-1,), l1=l1, l0c=l0c, ub=ub, bt=bt)

    def set_split_range(self, *limits: int) -> None:
        """Accepted, without effect, as published."""

    def set_double_buffer(self, *which: bool) -> None:
        """Accepted, without effect, as published: buffers are double where that fits."""

    # --- how

    def set_traverse(self, traverse: int) -> None:
        self._asked.traverse = one_of("SetTraverse", traverse, MatrixTraverse)

    def set_mad_type(self, mad_type: int) -> None:
        """Accepted, without effect on the tiling."""
        one_of("SetMadType", mad_type, MatrixMadType)

    def set_bias(self, is_bias: bool = False) -> None:
        self._asked.bias = int(is_bias)

    enable_bias = set_bias

    def set_dequant_type(self, dequant_type: int) -> None:
        self._asked.dequant = one_of("SetDequantType", dequant_type, DequantType)

    def set_sparse(self, is_sparse: bool = False) -> None:
        self._asked.sparse = int(is_sparse)

    def set_matmul_config_params(
        self,
        mm_config_type: int = 1,
        enable_l1_cache_ub: bool = False,
        schedule_type: int = 0,
        traverse: int = 0,
        en_vec_nd2nz: bool = False,
    ) -> None:
        if mm_config_type not in (0, 1):
            raise InvalidArgument(f"SetMatmulConfigParams: the configuration is {mm_config_type}; it is 0 (Norm) or 1 (MDL)")
        for name, value in (("enableL1CacheUB", enable_l1_cache_ub), ("enVecND2NZ", en_vec_nd2nz)):
            if value:
                raise Unsupported(f"SetMatmulConfigParams: {name} is for products with a coupled core; leave it false on Atlas A2 and A3")
        schedule = one_of("SetMatmulConfigParams: the schedule", schedule_type, ScheduleType)
        order = one_of("SetMatmulConfigParams: the traverse", traverse, MatrixTraverse)
        self._asked.schedule = schedule
        if order != MatrixTraverse.NOSET:
            self._asked.traverse = order

    # --- batches

    def set_a_layout(self, b: int, s: int, n: int, g: int, d: int) -> None:
        self._set_layout("a", b, s, n, g, d)

    def set_b_layout(self, b: int, s: int, n: int, g: int, d: int) -> None:
        self._set_layout("b", b, s, n, g, d)

    def set_c_layout(self, b: int, s1: int, n: int, g: int, s2: int) -> None:
        self._set_layout("c", b, s1, n, g, s2)

    def _set_layout(self, side: str, *axes: int) -> None:
        names = zip("bsngd", axes, strict=True)
        for name, value in zip("bsngd", sizes(f"Set{side.upper()}Layout", (), **dict(names)), strict=True):
            setattr(self._asked, f"{side}_layout_{name}", value)

    def set_batch_num(self, batch: int) -> None:
        (self._asked.batch_num,) = sizes("SetBatchNum", (), batch=batch)

    def set_batch_info_for_normal(self, batch_a: int, batch_b: int, m: int, n: int, k: int) -> None:
        """One matrix behind the other: batch_a of A and batch_b of B, of which the larger is a multiple of the smaller."""
        sizes("SetBatchInfoForNormal", (), batchA=batch_a, batchB=batch_b, m=m, n=n, k=k)
        if max(batch_a, batch_b) % min(batch_a, batch_b):
            raise InvalidArgument(f"SetBatchInfoForNormal: {batch_a} and {batch_b} batches; one is a multiple of the other")
        self._asked.batch_num = max(batch_a, batch_b)
        self._asked.a_layout_b, self._asked.b_layout_b = batch_a, batch_b
        self._asked.m, self._asked.n, self._asked.k = m, n, k

    # --- what Atlas A2 and A3 do not have

    def set_scale_a_type(self, *given: int) -> None:
        raise Unsupported("SetScaleAType: scales belong to Ascend 950; on Atlas A2 and A3 quantise with SetDequantType")

    def set_scale_b_type(self, *given: int) -> None:
        raise Unsupported("SetScaleBType: scales belong to Ascend 950; on Atlas A2 and A3 quantise with SetDequantType")

    def enable_l1_bank_conflict_optimise(self) -> bool:
        """False: Atlas A2 and A3 do without."""
        return False

    # --- the answer

    def get_tiling(self) -> TCubeTiling:
        """Raises InvalidArgument where no tiling holds what was asked."""
        from aclimb.tiling.answer import answer

        return answer(self._asked)

    def get_base_m(self) -> int:
        return int(self._asked.base_m)

    def get_base_n(self) -> int:
        return int(self._asked.base_n)

    def get_base_k(self) -> int:
        return int(self._asked.base_k)

    def _require_tiling(self, function: str) -> Asked:
        if not self._asked.is_tiled:
            raise InvalidArgument(f"{function}: there is no tiling yet; call GetTiling, and look at what it returns")
        return self._asked
