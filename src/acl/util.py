# SPDX-License-Identifier: Apache-2.0
"""acl.util: addresses of Python objects, and threads."""

import typing as _typing

from acl import _assemble, _util

_assemble.fill(globals(), "acl.util", _util)
if _typing.TYPE_CHECKING:

    def __getattr__(name: str) -> _typing.Any: ...
