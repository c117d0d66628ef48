# SPDX-License-Identifier: Apache-2.0
"""The `aclimb` command. Words and tables only; the work is done in the packages below."""

from aclimb.cli import kernels, listing, op, programs, samples  # each adds its commands
from aclimb.cli.app import app, main

__all__ = ["app", "kernels", "listing", "main", "op", "programs", "samples"]
