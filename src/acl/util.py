# SPDX-License-Identifier: Apache-2.0
"""acl.util: addresses of Python objects, and threads."""

from acl import _assemble, _util

_assemble.fill(globals(), "acl.util", _util)
