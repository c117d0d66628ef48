# SPDX-License-Identifier: Apache-2.0
"""The `aclimb` command. Words and tables only; the work is done in the packages below."""

from aclimb.cli import check, kernels, listing, op, programs, samples, sweep  # each adds its commands
from aclimb.cli.app import app, main

__all__ = ["app", "check", "kernels", "listing", "main", "op", "programs", "samples", "sweep"]
