# SPDX-License-Identifier: Apache-2.0
"""aclimb runs Ascend kernels on machines that have no Ascend NPU.

New here: docs/ten_minutes.md.
"""

import logging as _logging
from typing import Any as _Any

from aclimb import knobs as _knobs
from aclimb.binary import KernelBinary
from aclimb.compile import Program
from aclimb.runtime import Buffer, Device, Kernel, LaunchConfig, Stream, launch
from aclimb.runtime.finish import explain_faults_with as _explain_faults_with
from aclimb.version import __version__

__all__ = ["Buffer", "Device", "Kernel", "KernelBinary", "LaunchConfig", "Program", "Stream", "__version__", "launch"]

_logging.getLogger("aclimb").addHandler(_logging.NullHandler())
_logging.getLogger("aclimb").setLevel(_knobs.log())


def _explain(facts: dict[str, _Any]) -> Exception:
    from aclimb.report import faults  # reads debug information: only when something went wrong

    return faults.explain(facts)


_explain_faults_with(_explain)
