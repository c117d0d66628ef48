# SPDX-License-Identifier: Apache-2.0
"""These tests run in a process of their own, where every device is isolated: tests/isolation/test_attacks.py starts it."""

from __future__ import annotations

from aclimb import knobs

collect_ignore_glob = [] if knobs.isolated() else ["*"]
