# SPDX-License-Identifier: Apache-2.0
"""Tilings for Matmul under the names that pyasc's programs use; the tiler is aclimb's one and only."""

from __future__ import annotations

from typing import Any

from aclimb import chips
from aclimb.asc.language.core import dtype as dtypes
from aclimb.asc.language.core.dtype import DataType as AscType
from aclimb.asc.language.tilings import snake
from aclimb.asc.runtime import config
from aclimb.errors import InvalidArgument
from aclimb.tiling import BatchMatmulTiling as _Batch
from aclimb.tiling import CubeFormat, DataType, DequantType, MatrixMadType, MatrixTraverse, PlatformInfo, ScheduleType, TPosition
from aclimb.tiling import MatmulApiTiling as _One
from aclimb.tiling import MultiCoreMatmulTiling as _Several
from aclimb.tiling.layout import FIELDS

__all__ = [
    "BatchMatmulTiling", "CubeFormat", "DataType", "DequantType", "MatmulApiTiling", "MatmulConfigParams", "MatrixMadType",
    "MatrixTraverse",
    "MultiCoreMatmulTiling", "PlatformAscendC", "PlatformAscendCManager", "ScheduleType", "TPosition", "get_ascendc_platform",
]  # fmt: skip

_TYPES = {
    dtypes.float16: DataType.DT_FLOAT16,
    dtypes.float32: DataType.DT_FLOAT,
    dtypes.int8: DataType.DT_INT8,
    dtypes.int32: DataType.DT_INT32,
}


class PlatformAscendC:
    """What a tiler has to know of a chip."""

    def __init__(self, soc: str | None = None) -> None:
        self.soc = soc or config.soc()
        self.info = PlatformInfo.of(self.soc)
        self._chip = chips.load(self.soc)

    def get_core_num(self) -> int:
        return self._chip.aiv_cores

    def get_core_num_aic(self) -> int:
        return self._chip.aic_cores

    def get_core_num_aiv(self) -> int:
        return self._chip.aiv_cores


class PlatformAscendCManager:
    @staticmethod
    def get_instance(soc: str | None = None) -> PlatformAscendC:
        return PlatformAscendC(soc)


def get_ascendc_platform() -> PlatformAscendC:
    """The chip that kernels run on."""
    return PlatformAscendC()


class MatmulConfigParams:
    """What set_matmul_config_params takes."""

    def __init__(self, **options: Any) -> None:
        self.options = options


def _dtype(given: Any) -> Any:
    """asc.float16 is as good as DataType.DT_FLOAT16."""
    if not isinstance(given, AscType):
        return given
    if given not in _TYPES:
        raise InvalidArgument(f"a Matmul has no operands of {given}; it takes {', '.join(map(str, _TYPES))}")
    return _TYPES[given]


class _Tiling:
    """get_tiling fills an asc.adv.TCubeTiling in place: 0, or -1 where nothing fits; `why` says why not."""

    why = ""

    def __init__(self, platform: PlatformAscendC | None = None) -> None:
        super().__init__((platform or get_ascendc_platform()).info)  # type: ignore[call-arg]

    def set_a_type(self, pos: Any, type: Any, data_type: Any, is_trans: bool = False) -> None:
        super().set_a_type(pos, type, _dtype(data_type), is_trans)  # type: ignore[misc]

    def set_b_type(self, pos: Any, type: Any, data_type: Any, is_trans: bool = False) -> None:
        super().set_b_type(pos, type, _dtype(data_type), is_trans)  # type: ignore[misc]

    def set_c_type(self, pos: Any, type: Any, data_type: Any) -> None:
        super().set_c_type(pos, type, _dtype(data_type))  # type: ignore[misc]

    def set_bias_type(self, pos: Any, type: Any, data_type: Any) -> None:
        super().set_bias_type(pos, type, _dtype(data_type))  # type: ignore[misc]

    def enable_bias(self, flag: bool = False) -> None:
        self.set_bias(flag)  # type: ignore[attr-defined]

    def get_tiling(self, tiling: Any) -> int:
        try:
            found = super().get_tiling()  # type: ignore[misc]
        except InvalidArgument as error:
            self.why = str(error)
            return -1
        for name in FIELDS:
            setattr(tiling, snake(name), getattr(found, name))
        return 0


class MatmulApiTiling(_Tiling, _One):  # type: ignore[misc]
    """One core, which computes all of the shape."""


class MultiCoreMatmulTiling(_Tiling, _Several):  # type: ignore[misc]
    """The shape is the whole; each core computes a part of it."""


class BatchMatmulTiling(_Tiling, _Batch):  # type: ignore[misc]
    """One core, which computes several matrices."""
