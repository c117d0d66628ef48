# SPDX-License-Identifier: Apache-2.0
"""Kernel source -> operator binary."""

from aclimb.compile.cache import CacheInfo, open_cache
from aclimb.compile.options import Options
from aclimb.compile.program import Program

__all__ = ["CacheInfo", "Options", "Program", "open_cache"]
