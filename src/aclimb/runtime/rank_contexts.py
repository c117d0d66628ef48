# SPDX-License-Identifier: Apache-2.0
"""What GetHcclContext leads to: the two structs that kernels carry a copy of, as bytes.

Kernels read rank, number of ranks, size of a window and the windows' addresses; all else is 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

COMBIN_RANKS = 32  # windows that HcclCombinOpParam has room for
OP_RES_RANKS = 131072  # entries of HcclOpResParam.remoteRes

_HEAD: list[tuple[Any, ...]] = [
    ("workSpace", "<u8"), ("workSpaceSize", "<u8"), ("rankId", "<u4"), ("rankNum", "<u4"), ("winSize", "<u8"),
]  # fmt: skip
COMBIN = np.dtype([*_HEAD, ("windowsIn", "<u8", COMBIN_RANKS), ("windowsOut", "<u8", COMBIN_RANKS)])
# The first fields of HcclOpResParam; its table of peers lies further on, where the kernel's copy of the struct has it.
OP_RES = np.dtype([
    *_HEAD, ("localWindowsIn", "<u8"), ("localWindowsOut", "<u8"), ("hcomId", "S128"), ("winExpSize", "<u8"), ("localWindowsExp", "<u8"),
    ("rWinStart", "<u4"), ("rWinOffset", "<u4"), ("version", "<u8"),
])  # fmt: skip
REMOTE_RES = np.dtype([("nextHostPtr", "<u8"), ("nextDevicePtr", "<u8")])
RELATION = np.dtype([
    ("remoteUsrRankId", "<u4"), ("remoteWorldRank", "<u4"), ("windowsIn", "<u8"), ("windowsOut", "<u8"), ("windowsExp", "<u8"),
    ("nextTagRes", "<u8", 4),
])  # fmt: skip
# Assumed: behind version lie the local resources, the topology and the configuration, whose sizes no document gives. With those of the
# definitions that kernels for CANN 8 carry, notifysize is at 2976 and remoteRes at 2984.
REMOTE_RES_AT = 2984

LAYOUTS = ("HcclCombinOpParam", "HcclOpResParam")


@dataclass(frozen=True, slots=True)
class Addresses:
    """The windows of one rank, as every rank sees them."""

    windows_in: int
    windows_out: int
    windows_exp: int


def combin(rank: int, window: int, ranks: list[Addresses]) -> NDArray[Any]:
    """HcclCombinOpParam of one rank, alias HcclA2CombineOpParam."""
    made = np.zeros((), COMBIN)
    _fill_head(made, rank, window, ranks)
    made["windowsIn"][: len(ranks)] = [each.windows_in for each in ranks]
    made["windowsOut"][: len(ranks)] = [each.windows_out for each in ranks]
    return made


def op_res(rank: int, window: int, exp: int, ranks: list[Addresses]) -> NDArray[Any]:
    """The head of one rank's HcclOpResParam."""
    made = np.zeros((), OP_RES)
    _fill_head(made, rank, window, ranks)
    own = ranks[rank]
    made["localWindowsIn"], made["localWindowsOut"], made["localWindowsExp"] = own.windows_in, own.windows_out, own.windows_exp
    made["winExpSize"] = exp
    return made


def relations(ranks: list[Addresses]) -> NDArray[Any]:
    """HcclRankRelationResV2 of every rank."""
    made = np.zeros(len(ranks), RELATION)
    for index, each in enumerate(ranks):
        row = made[index]
        row["remoteUsrRankId"] = row["remoteWorldRank"] = index
        row["windowsIn"], row["windowsOut"], row["windowsExp"] = each.windows_in, each.windows_out, each.windows_exp
    return made


def peers(rank: int, count: int, relations_at: int) -> NDArray[Any]:
    """The first entries of remoteRes; a rank's own stays 0: its windows are the local ones."""
    made = np.zeros(count, REMOTE_RES)
    made["nextDevicePtr"] = [0 if index == rank else relations_at + index * RELATION.itemsize for index in range(count)]
    return made


def _fill_head(made: NDArray[Any], rank: int, window: int, ranks: list[Addresses]) -> None:
    made["rankId"], made["rankNum"], made["winSize"] = rank, len(ranks), window
