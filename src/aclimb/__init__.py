# SPDX-License-Identifier: Apache-2.0
"""aclimb runs Ascend kernels on machines that have no Ascend NPU.

New here: docs/ten_minutes.md.  Coming from pyACL: `import acl` works as it is.
"""

from typing import TYPE_CHECKING as _TYPE_CHECKING
from typing import Any as _Any

from aclimb import engine as _engine_door
from aclimb import knobs as _knobs
from aclimb import log as _log
from aclimb.binary import KernelBinary
from aclimb.compile import Program
from aclimb.errors import AclimbError as _AclimbError
from aclimb.flow import Fault as _Fault
from aclimb.pages import write_pages_with as _write_pages_with
from aclimb.runtime import Buffer, Device, Event, Kernel, LaunchConfig, Stream, launch, live, ranks
from aclimb.runtime.finish import explain_faults_with as _explain_faults_with
from aclimb.version import __version__

if _TYPE_CHECKING:
    from aclimb.check.session import check
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
    "check",
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


def _page_writers() -> _Any:
    from aclimb.report import html

    return html.WRITERS


_explain_faults_with(_explain, _remark)
_write_pages_with(_page_writers)


def _check_if_asked() -> None:
    if _knobs.check():
        from aclimb.check import environment

        environment.start()


_engine_door.when_started(_check_if_asked)


def __getattr__(name: str) -> _Any:
    """What most programs never need."""
    from importlib import import_module

    if name == "check":
        return import_module("aclimb.check")  # the package itself is the call
    if name not in ("Profile", "profile"):
        raise AttributeError(f"module 'aclimb' has no attribute {name!r}")
    return getattr(import_module("aclimb.trace.profiling"), name)
