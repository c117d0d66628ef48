# SPDX-License-Identifier: Apache-2.0
"""Several built kernels become one SuperKernel: `fuse([(add, 8), (mul, 8)])` is an operator binary like any other.

New here: docs/fuse_your_kernels.md.
"""

from aclimb.binary.plan import Plan
from aclimb.fuse.accesses import Access, from_json, record, to_json
from aclimb.fuse.explain import explain
from aclimb.fuse.fuse import compile, forget, fuse, plan_of
from aclimb.fuse.member import Member
from aclimb.fuse.options import FuseOptions
from aclimb.fuse.scope import super_kernel
from aclimb.fuse.stress import Report, stress
from aclimb.fuse.timelines import ChainTimelines, timelines
from aclimb.schedules.difference import Difference
from aclimb.schedules.schedule import Numbered, Schedule
from aclimb.schedules.witness import Witness, witness

__all__ = [
    "Access",
    "ChainTimelines",
    "Difference",
    "FuseOptions",
    "Member",
    "Numbered",
    "Plan",
    "Report",
    "Schedule",
    "Witness",
    "compile",
    "explain",
    "forget",
    "from_json",
    "fuse",
    "plan_of",
    "record",
    "stress",
    "super_kernel",
    "timelines",
    "to_json",
    "witness",
]
