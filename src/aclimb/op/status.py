# SPDX-License-Identifier: Apache-2.0
"""Status codes and constants under the names of the C++ headers, and the exception that carries them."""

from __future__ import annotations

from enum import IntEnum

from aclimb.errors import AclimbError

GRAPH_SUCCESS = 0
GRAPH_FAILED = 0xFFFFFFFF
GRAPH_PARAM_INVALID = 50331649
PARAM_INVALID = 1343225857  # what the framework's wrapper reports, whatever the callback said

ACLNN_SUCCESS = 0
ACLNN_ERR_PARAM_NULLPTR = 161001
ACLNN_ERR_PARAM_INVALID = 161002
ACLNN_ERR_RUNTIME_ERROR = 361001
ACLNN_ERR_INNER_INFERSHAPE_ERROR = 561001
ACLNN_ERR_INNER_FIND_KERNEL_ERROR = 561003
ACLNN_ERR_INNER_CREATE_EXECUTOR = 561101
ACLNN_ERR_INNER_NOT_TRANS_EXECUTOR = 561102
ACLNN_ERR_INNER_NULLPTR = 561103
ACLNN_ERR_INNER_WRONG_ATTR_INFO_SIZE = 561104

MAX_WORKSPACES = 16
INT32_MAX = 2**31 - 1


class TilingPlacement(IntEnum):
    """Where a tiling function may run."""

    HOST = 0
    AICPU = 1


class TensorPlacement(IntEnum):
    """Where the data of a tensor lies."""

    ON_DEVICE_HBM = 0
    ON_HOST = 1
    FOLLOWING = 2
    ON_DEVICE_P2P = 3


class Format(IntEnum):
    """How the elements of a tensor are laid out."""

    UNDEFINED = -1
    NCHW = 0
    NHWC = 1
    ND = 2
    NC1HWC0 = 3
    FRACTAL_Z = 4
    FRACTAL_NZ = 29


TILING_ON_HOST, TILING_ON_AICPU = TilingPlacement.HOST, TilingPlacement.AICPU
kOnDeviceHbm, kOnHost, kFollowing, kOnDeviceP2p = TensorPlacement  # noqa: N816 - C++'s names


class _Undefined:
    """DT_UNDEFINED: the type of what is not there."""

    def __repr__(self) -> str:
        return "DT_UNDEFINED"


DT_UNDEFINED = _Undefined()


class OpError(AclimbError):
    """An operator could not run. A callback raises OpError(code, message); what a run raises also says `operator` and `stage`.

    `code` is the callback's own status, `framework_code` what the framework reports for any of them.
    """

    framework_code = PARAM_INVALID

    def __init__(self, code: int = GRAPH_FAILED, message: str = "", *, operator: str = "", stage: str = "") -> None:
        super().__init__(message or f"status {code}")
        self.code, self.operator, self.stage = code, operator, stage
