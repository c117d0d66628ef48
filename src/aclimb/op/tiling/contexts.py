# SPDX-License-Identifier: Apache-2.0
"""The contexts of tiling, and what a tiling function decided."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np

from aclimb import chips
from aclimb.errors import InvalidArgument
from aclimb.op.infer.contexts import _Shapes
from aclimb.op.node.context import NodeContext
from aclimb.op.node.node import Node
from aclimb.op.node.shape import StorageShape
from aclimb.op.node.views import PrototypeView
from aclimb.op.options import ShownOptions
from aclimb.op.status import MAX_WORKSPACES
from aclimb.op.tiling.data import TilingData, pack_tiling, size_of
from aclimb.op.workspace import checked_sizes


@dataclass(frozen=True, slots=True)
class Platform:
    """What a tiling function may know of the chip. Core counts respect the limits of the stream and of the call."""

    soc_name: str
    cube_core_num: int
    vector_core_num: int
    ub_size: int
    l1_size: int
    l0a_size: int
    l0b_size: int
    l0c_size: int
    l2_size: int

    @classmethod
    def of(cls, chip: chips.Chip, aic: int, aiv: int) -> Platform:
        return _platform(chip.name, aic, aiv)


@cache
def _platform(soc: str, aic: int, aiv: int) -> Platform:
    chip = chips.load(soc)
    memory = chip.arch.memory
    return Platform(chip.name, aic, aiv, memory["UB"], memory["L1"], memory["L0A"], memory["L0B"], memory["L0C"], chip.l2_size)


@dataclass(slots=True)
class Tiling:
    """What a tiling function decided, and what it found before it did."""

    data: TilingData
    tiling_key: int = 0
    num_blocks: int = 0
    need_atomic: bool = True
    tiling_cond: int = -1
    schedule_mode: int = 0
    dyn_ubuf_size: int = 0
    aicpu_num_blocks: int = 0
    simt_block_dim: Any = None
    simt_grid_dim: Any = None
    workspace_sizes: list[int] = field(default_factory=list)


_LIMITS = {"tiling_key": (0, 2**64 - 1), "num_blocks": (0, 2**32 - 1), "schedule_mode": (0, 1), "tiling_cond": (-(2**31), 2**31 - 1),
           "dyn_ubuf_size": (0, 2**32 - 1), "aicpu_num_blocks": (0, 2**32 - 1)}  # fmt: skip


def _forwarded(name: str, cpp: str) -> Any:
    def get(self: TilingContext) -> Any:
        self._lease.check()
        return getattr(self._tiling, name)

    def put(self: TilingContext, value: Any) -> None:
        self._lease.check()
        if name in _LIMITS:
            low, high = _LIMITS[name]
            if not isinstance(value, int | np.integer) or not low <= int(value) <= high:
                raise InvalidArgument(f"{name} is {value!r}; it takes {low} to {high}")
        setattr(self._tiling, name, value)

    return property(get, put, doc=f"Set{cpp}, Get{cpp}.")


class TilingParseContext(NodeContext):
    """Of a parser: it fills the compile info, once for each loaded operator."""

    def __init__(self, node: Node, platform: Platform, info: Any, json: str) -> None:
        super().__init__(node)
        self._platform, self._info, self._json = platform, info, json

    @property
    def platform(self) -> Platform:
        """GetPlatformInfo."""
        self._lease.check()
        return self._platform

    @property
    def compiled_info(self) -> Any:
        """GetCompiledInfo<T>: the object to fill."""
        self._lease.check()
        return self._info

    @property
    def compiled_json(self) -> str:
        """GetCompiledJson."""
        self._lease.check()
        return self._json


class TilingContext(_Shapes):
    """Of a tiling function: shapes in; key, blocks, workspaces and tiling data out."""

    def __init__(
        self, node: Node, readable: frozenset[int], tiling: Tiling, platform: Platform, compile_info: Any, options: ShownOptions
    ) -> None:
        super().__init__(node, readable)
        self._tiling, self._platform, self._compile_info, self._options = tiling, platform, compile_info, options
        self._typed: Any = None
        tiling.data.lease = self._lease

    tiling_key = _forwarded("tiling_key", "TilingKey")
    num_blocks = block_dim = _forwarded("num_blocks", "SimdNumBlocks")
    need_atomic = _forwarded("need_atomic", "NeedAtomic")
    tiling_cond = _forwarded("tiling_cond", "TilingCond")
    schedule_mode = _forwarded("schedule_mode", "ScheduleMode")
    dyn_ubuf_size = _forwarded("dyn_ubuf_size", "DynUBufSize")
    aicpu_num_blocks = _forwarded("aicpu_num_blocks", "AicpuNumBlocks")
    simt_block_dim = _forwarded("simt_block_dim", "SimtBlockDim")
    simt_grid_dim = _forwarded("simt_grid_dim", "SimtGridDim")

    @property
    def platform(self) -> Platform:
        """GetPlatformInfo."""
        self._lease.check()
        return self._platform

    @property
    def compile_info(self) -> Any:
        """GetCompileInfo<T>: what the parser filled."""
        self._lease.check()
        return self._compile_info

    @property
    def deterministic(self) -> int:
        """GetDeterministic."""
        self._lease.check()
        return int(self._options.deterministic)

    @property
    def deterministic_level(self) -> int:
        """GetDeterministicLevel."""
        self._lease.check()
        return int(self._options.deterministic_level)

    @property
    def output_shape(self) -> PrototypeView[StorageShape]:
        """GetOutputShape."""
        self._lease.check()
        return PrototypeView(self._node.output_parameters, self._node.outputs, self._lease, self._shape)

    def get_output_shape(self, index: int) -> StorageShape | None:
        """GetOutputShape: counted over the tensors that are there."""
        self._lease.check()
        return self._instance(self._node.outputs, index, self._shape)  # type: ignore[no-any-return]

    @property
    def raw_tiling_data(self) -> TilingData:
        """GetRawTilingData."""
        self._lease.check()
        return self._tiling.data

    @property
    def tiling_data(self) -> bytes:
        """The bytes so far; assign bytes, a ctypes.Structure, a NumPy value or a dataclass."""
        self._lease.check()
        return self._tiling.data.data

    @tiling_data.setter
    def tiling_data(self, value: Any) -> None:
        self._lease.check()
        data = pack_tiling(value)
        if len(data) > self._tiling.data.capacity:
            raise InvalidArgument(f"tiling data of {len(data)} bytes; the capacity is {self._tiling.data.capacity}: give tiling a larger "
                                  "max_tiling_data_size")  # fmt: skip
        self._tiling.data.data_size = 0
        self._tiling.data.append(data)

    def get_tiling_data(self, kind: Any) -> Any:
        """GetTilingData<T>: an object to fill; None when it does not fit. `kind` is a ctypes.Structure."""
        self._lease.check()
        size = size_of(kind)
        if size > self._tiling.data.capacity:
            return None
        self._tiling.data.data_size = size
        if isinstance(kind, type) and issubclass(kind, ctypes.Structure):
            return kind.from_buffer(self._tiling.data.buffer)
        self._typed = kind()
        return self._typed

    def get_workspace_sizes(self, count: int) -> list[int] | None:
        """GetWorkspaceSizes: a list of that many, to fill; None for more than 16."""
        self._lease.check()
        if count > MAX_WORKSPACES:
            return None
        self._tiling.workspace_sizes = (self._tiling.workspace_sizes + [0] * count)[:count]
        return self._tiling.workspace_sizes

    @property
    def workspace_num(self) -> int:
        """GetWorkspaceNum."""
        self._lease.check()
        return len(self._tiling.workspace_sizes)

    @property
    def workspace_sizes(self) -> list[int]:
        self._lease.check()
        return self._tiling.workspace_sizes

    @workspace_sizes.setter
    def workspace_sizes(self, sizes: Any) -> None:
        self._lease.check()
        self._tiling.workspace_sizes = checked_sizes(sizes)

    def _end(self) -> None:
        if self._typed is not None:  # filled by the callback after get_tiling_data
            self._tiling.data.data_size = 0
            self._tiling.data.append(pack_tiling(self._typed))
        super()._end()
