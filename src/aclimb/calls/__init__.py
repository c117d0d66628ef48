# SPDX-License-Identifier: Apache-2.0
"""What `acl` and `aclimb.capi` have in common: tables of calls, the wrapper made from each row, codes, and the last errors."""

from aclimb.calls.errors import code_of, recent, refuse
from aclimb.calls.in_c import Group, group_of, in_c
from aclimb.calls.table import C_API, Row, bind, rows_of, unsupported

__all__ = ["C_API", "Group", "Row", "bind", "code_of", "group_of", "in_c", "recent", "refuse", "rows_of", "unsupported"]
