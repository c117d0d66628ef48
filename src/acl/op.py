# SPDX-License-Identifier: Apache-2.0
"""acl.op: single operators with kernels of one's own."""

import typing as _typing

from acl import _assemble, _op_attributes, _op_runs

_assemble.fill(globals(), "acl.op", _op_runs, _op_attributes)
if _typing.TYPE_CHECKING:

    def __getattr__(name: str) -> _typing.Any: ...
