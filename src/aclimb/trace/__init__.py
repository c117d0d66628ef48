# SPDX-License-Identifier: Apache-2.0
"""What the modelled chip would do, and when: profiles, timelines, and the files other tools read."""

from __future__ import annotations

from aclimb.trace.chrome import write_trace
from aclimb.trace.csv_files import write_csv
from aclimb.trace.profiling import Profile, profile

__all__ = ["Profile", "profile", "write_csv", "write_trace"]
