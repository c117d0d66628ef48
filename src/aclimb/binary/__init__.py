# SPDX-License-Identifier: Apache-2.0
"""The operator binary: write, read, list, validate. Nothing here runs what it reads."""

from aclimb.binary.container import KernelBinary
from aclimb.binary.meta import ABI_VERSION, FORMAT_VERSION, BuildRecord, Rows
from aclimb.binary.plan import Plan

__all__ = ["ABI_VERSION", "FORMAT_VERSION", "BuildRecord", "KernelBinary", "Plan", "Rows"]
