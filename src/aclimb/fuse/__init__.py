# SPDX-License-Identifier: Apache-2.0
"""Several built kernels become one SuperKernel: `fuse([(add, 8), (mul, 8)])` is an operator binary like any other.

New here: docs/fuse_your_kernels.md.
"""

from aclimb.binary.plan import Plan
from aclimb.fuse.fuse import compile, forget, fuse, plan_of
from aclimb.fuse.member import Member
from aclimb.fuse.options import FuseOptions

__all__ = ["FuseOptions", "Member", "Plan", "compile", "forget", "fuse", "plan_of"]
