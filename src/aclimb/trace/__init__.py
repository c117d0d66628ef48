# SPDX-License-Identifier: Apache-2.0
"""The files other tools read, written from the JSON of a profile: Chrome's trace events and the CSV tables."""

from aclimb.trace.chrome import write_trace
from aclimb.trace.csv_files import write_csv

__all__ = ["write_csv", "write_trace"]
