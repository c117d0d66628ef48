# SPDX-License-Identifier: Apache-2.0
"""The kernel of an operator: what it is called, and where it comes from."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from aclimb.binary import KernelBinary
from aclimb.compile import Program
from aclimb.runtime.kernel import Kernel


def kernel_name(op_type: str) -> str:
    """AddCustom is add_custom, GRUCell gru_cell: every capital that starts a word becomes _ and its small letter."""
    split = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", op_type)
    return split.lower()


def load_kernel(op_type: str, source: Any, name: str | None) -> Kernel:
    """A Kernel is taken as it is; a binary, or the path of one or of a source, is loaded."""
    if isinstance(source, Kernel):
        return source
    binary = source if isinstance(source, KernelBinary) else None
    if binary is None:
        binary = KernelBinary.read(source) if Path(source).suffix == ".o" else Program(source).compile()
    return Kernel(binary, name or (kernel_name(op_type) if len(binary.kernels) > 1 else None))
