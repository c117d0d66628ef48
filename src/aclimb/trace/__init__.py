# SPDX-License-Identifier: Apache-2.0
"""What the modelled chip would do, and when: slices, timelines, and the files other tools read."""

from __future__ import annotations

from aclimb.trace.profiling import Profile, profile

__all__ = ["Profile", "profile"]
