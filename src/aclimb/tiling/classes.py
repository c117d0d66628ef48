# SPDX-License-Identifier: Apache-2.0
"""The tiling objects: for one core, for several, for batches."""

from __future__ import annotations

from aclimb.errors import InvalidArgument
from aclimb.tiling.asked import KINDS
from aclimb.tiling.base import MatmulApiTilingBase, sizes


class MatmulApiTiling(MatmulApiTilingBase):
    """One core, which computes all of the shape."""

    _kind = KINDS.index("MatmulApiTiling")


class MultiCoreMatmulTiling(MatmulApiTilingBase):
    """The shape is the whole; each core computes a part of it."""

    _kind = KINDS.index("MultiCoreMatmulTiling")

    def set_dim(self, dim: int) -> None:
        """How many cores there are: AIVs for a mixed kernel, AICs for one of the cube alone."""
        (self._asked.dim,) = sizes("SetDim", (), dim=dim)

    def set_single_shape(self, m: int = -1, n: int = -1, k: int = -1) -> None:
        """The part of one core; -1: to be chosen."""
        self._asked.single_m, self._asked.single_n, self._asked.single_k = sizes("SetSingleShape", (-1,), m=m, n=n, k=k)

    def set_single_range(
        self, max_m: int = -1, max_n: int = -1, max_k: int = -1, min_m: int = -1, min_n: int = -1, min_k: int = -1
    ) -> None:
        a = self._asked
        given = sizes("SetSingleRange", (-1, 0), maxM=max_m, maxN=max_n, maxK=max_k, minM=min_m, minN=min_n, minK=min_k)
        for name, high, low in zip("MNK", given[:3], given[3:], strict=True):
            if 0 < high < low:
                raise InvalidArgument(f"SetSingleRange: min{name} is {low} and max{name} is {high}; the least is not above the most")
        a.max_m, a.max_n, a.max_k, a.min_m, a.min_n, a.min_k = given

    def set_align_split(self, m: int = -1, n: int = -1, k: int = -1) -> None:
        self._asked.align_m, self._asked.align_n, self._asked.align_k = sizes("SetAlignSplit", (-1, 0), m=m, n=n, k=k)

    def set_split_k(self, enable: bool = True) -> None:
        self._asked.split_k = int(enable)

    enable_multi_core_split_k = set_split_k

    def get_core_num(self) -> tuple[int, int, int]:
        """Cores in all, along M, along N. More in all than their product where K is split, too."""
        a = self._require_tiling("GetCoreNum")
        return a.cores, a.parts_m, a.parts_n

    def get_single_shape(self) -> tuple[int, int, int]:
        a = self._require_tiling("GetSingleShape")
        return a.got_m, a.got_n, a.got_k


class BatchMatmulTiling(MatmulApiTilingBase):
    """One core, which computes several matrices: with a layout, or one behind the other."""

    _kind = KINDS.index("BatchMatmulTiling")

    def get_core_num(self) -> tuple[int, int, int, int, int]:
        """Cores in all, along M, along N, and over the batches of A and of B."""
        a = self._require_tiling("GetCoreNum")
        return a.cores, a.parts_m, a.parts_n, 1, 1
