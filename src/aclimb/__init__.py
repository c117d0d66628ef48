# SPDX-License-Identifier: Apache-2.0
"""aclimb runs Ascend kernels on machines that have no Ascend NPU.

New here: docs/ten_minutes.md.  Coming from pyACL: `import acl` works as it is.
"""

from typing import TYPE_CHECKING as _TYPE_CHECKING
from typing import Any as _Any

from aclimb import log as _log
from aclimb.binary import KernelBinary
from aclimb.compile import Program
from aclimb.errors import AclimbError as _AclimbError
from aclimb.flow import Fault as _Fault
from aclimb.runtime import Buffer, Device, Event, Kernel, LaunchConfig, Stream, launch, live, ranks
from aclimb.runtime.finish import explain_faults_with as _explain_faults_with
from aclimb.version import __version__

if _TYPE_CHECKING:
    from aclimb.trace.profiling import Profile, profile

__all__ = [
    "Buffer",
    "Device",
    "Event",
    "Kernel",
    "KernelBinary",
    "LaunchConfig",
    "Profile",
    "Program",
    "Stream",
    "__version__",
    "launch",
    "live",
    "profile",
    "ranks",
]

_log.start()


def _explain(fault: _Fault) -> _AclimbError:
    from aclimb.report import faults  # reads debug information: only when something went wrong

    return faults.explain(fault)


def _remark(fault: _Fault) -> str:
    from aclimb.report import remarks

    return remarks.remark(fault)


_explain_faults_with(_explain, _remark)


def __getattr__(name: str) -> _Any:
    if name not in ("Profile", "profile"):
        raise AttributeError(f"module 'aclimb' has no attribute {name!r}")
    from aclimb.trace import profiling as module  # most programs never profile

    return getattr(module, name)
