# SPDX-License-Identifier: Apache-2.0
"""Where a package of operators has its parts.

what                aclimb op build, npu_op_package    older generated projects, as the vendor installs packages
the host code       libop_host.so                      op_impl/ai_core/tbe/op_tiling/lib/linux/<machine>/libcust_opmaster_rt2.0.so
kernels of a chip   op_kernel/<chip>                   op_impl/ai_core/tbe/kernel/<chip>
for programs        op_api/include, op_api/lib         the same
"""

from __future__ import annotations

import platform
from pathlib import Path

HOST_LIBRARY, KERNELS = "libop_host.so", "op_kernel"
_TBE = Path("op_impl/ai_core/tbe")
_OLDER_HOST = _TBE / "op_tiling/lib/linux" / platform.machine() / "libcust_opmaster_rt2.0.so"


def is_package(root: Path) -> bool:
    return host_library(root).is_file()


def is_older(root: Path) -> bool:
    return not (root / HOST_LIBRARY).is_file() and (root / _OLDER_HOST).is_file()


def host_library(root: Path) -> Path:
    return root / _OLDER_HOST if is_older(root) else root / HOST_LIBRARY


def kernel_folder(root: Path) -> Path:
    return root / _TBE / "kernel" if is_older(root) else root / KERNELS
