# SPDX-License-Identifier: Apache-2.0
"""aclimb runs Ascend kernels on machines that have no Ascend NPU.

New here: docs/ten_minutes.md.  Coming from pyACL: `import acl` works as it is.
"""

import logging as _logging
from typing import Any as _Any

from aclimb import knobs as _knobs
from aclimb.binary import KernelBinary
from aclimb.compile import Program
from aclimb.runtime import Buffer, Device, Event, Kernel, LaunchConfig, Stream, launch, live
from aclimb.runtime.finish import explain_faults_with as _explain_faults_with
from aclimb.version import __version__

__all__ = ["Buffer", "Device", "Event", "Kernel", "KernelBinary", "LaunchConfig", "Program", "Stream", "__version__", "launch", "live"]

_logging.getLogger("aclimb").addHandler(_logging.NullHandler())
_logging.getLogger("aclimb").setLevel(_knobs.log())


def _explain(facts: dict[str, _Any]) -> Exception:
    from aclimb.report import faults  # reads debug information: only when something went wrong

    return faults.explain(facts)


_explain_faults_with(_explain)
