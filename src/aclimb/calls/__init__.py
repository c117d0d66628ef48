# SPDX-License-Identifier: Apache-2.0
"""What `acl` and `aclimb.capi` have in common: tables of calls, the wrapper made from each row, codes, and the last errors."""

from aclimb.calls.errors import code_of, recent
from aclimb.calls.in_c import in_c
from aclimb.calls.table import Row, bind, rows_of, unsupported

__all__ = ["Row", "bind", "code_of", "in_c", "recent", "rows_of", "unsupported"]
