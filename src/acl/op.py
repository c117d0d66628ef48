# SPDX-License-Identifier: Apache-2.0
"""acl.op: single operators with kernels of one's own."""

from acl import _assemble, _op_attributes, _op_runs

_assemble.fill(globals(), "acl.op", _op_runs, _op_attributes)
