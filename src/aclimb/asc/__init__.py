# SPDX-License-Identifier: Apache-2.0
"""Kernels in Python: `import asc` under `aclimb run` and pytest, `import aclimb.asc as asc` everywhere.

New here: docs/kernel_in_python.md.  Types of all names: __init__.pyi.
"""

import sys
from typing import Any

from aclimb.asc import language, runtime
from aclimb.asc.language import adv, basic, core, fwk
from aclimb.asc.runtime.jit import jit
from aclimb.asc.runtime.options import CodegenOptions, CompileOptions, LaunchOptions

NAMES: dict[str, Any] = core.NAMES | basic.NAMES | fwk.NAMES
__all__ = [
    "CodegenOptions", "CompileOptions", "LaunchOptions", "adv", "basic", "core", "fwk", "jit", "language", "runtime", *sorted(NAMES),
]  # fmt: skip
globals().update(NAMES)
sys.modules.update({f"{__name__}.{part}": globals()[part] for part in ("adv", "basic", "core", "fwk")})  # import asc.adv
