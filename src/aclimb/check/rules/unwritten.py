# SPDX-License-Identifier: Apache-2.0
"""What the rules of unwritten bytes have in common."""

from __future__ import annotations

from aclimb.check.finding import Access


def reached(end: Access) -> str:
    """Where the bytes matter at last."""
    if end.memory == "GM" or end.pipe in ("MTE3", "FIX"):
        return "global memory"
    return "the scalar unit" if end.pipe == "S" else end.call or end.pipe
