# SPDX-License-Identifier: Apache-2.0
"""The page of libopapi.so's operators, from the tables that serve them."""

from __future__ import annotations

from collections.abc import Iterator

from device_table import table
from make_op_library import TYPES

from aclimb.op.builtin import ROWS, Row


def op_library_page() -> Iterator[str]:
    yield "# The operator library"
    yield "From the tables in `src/aclimb/op/builtin`. `libopapi.so` serves these functions of aclnn, each as `aclnnXxxGetWorkspaceSize`"
    yield "and `aclnnXxx`. NumPy computes them on the host, as a task of the stream; timelines show them as computed by the host, in no"
    yield "time of the chip."
    yield ""
    yield "Types: float32, float16, bfloat16, float64, integers of 8 to 64 bits, bool, complex64 and complex128, where the operation has"
    yield "a meaning for them. Halves are computed in float32 and rounded once. Tensors may have strides and an offset; formats are plain"
    yield "(ND and its like). The workspace is 0 bytes. A mistake that only the values show, such as an index outside, is told by the"
    yield "next synchronise, with 507018."
    for group in dict.fromkeys(row.group for row in ROWS.values()):
        yield f"\n## {group}\n"
        rows = [row for row in ROWS.values() if row.group == group]
        yield from table(("function", "parameters"), [(f"`{row.name}`", f"`{_parameters(row)}`") for row in rows])


def _parameters(row: Row) -> str:
    return ", ".join(f"{TYPES[letter[0]]} {name}{' /*or NULL*/' if letter.endswith('?') else ''}" for letter, name in row.parameters)
