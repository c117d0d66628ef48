# SPDX-License-Identifier: Apache-2.0
"""Bytes on every way between memories, from the HBM to the vector and cube units."""

from __future__ import annotations

from typing import Any

from aclimb.trace.launch import LaunchTiming

# From, to, and the counter of a core that has the bytes.
WAYS = (
    ("HBM", "L2", "hbm_read"),
    ("L2", "HBM", "hbm_write"),
    ("L2", "UB", "gm_ub_bytes"),
    ("UB", "L2", "ub_gm_bytes"),
    ("UB", "UB", "ub_ub_bytes"),
    ("UB", "Vector", "vector_read"),
    ("Vector", "UB", "vector_write"),
    ("L2", "L1", "gm_l1_bytes"),
    ("L1", "L2", "l1_gm_bytes"),
    ("L2", "L0", "gm_l0_bytes"),
    ("L1", "L0A", "l1_l0a_bytes"),
    ("L1", "L0B", "l1_l0b_bytes"),
    ("L1", "BT", "l1_bt_bytes"),
    ("L0C", "L1", "l0c_l1_bytes"),
    ("L0C", "L2", "l0c_gm_bytes"),
)


def memory_flow(launch: LaunchTiming) -> list[dict[str, Any]]:
    """The ways that were used; the rate is over the whole task."""
    microseconds = max(launch.task_us, 1e-6)
    moved = [(source, target, launch.counter(counter)) for source, target, counter in WAYS]
    return [{"from": source, "to": target, "bytes": size, "gbs": size / microseconds / 1e3} for source, target, size in moved if size]
