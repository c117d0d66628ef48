# SPDX-License-Identifier: Apache-2.0
"""pyACL on a modelled chip: the names, argument orders, result tuples and codes of Ascend's `acl` module, on top of aclimb.

Handles and addresses are plain integers. docs/coming_from_pyacl.md says what is supported.
"""

import typing as _typing

from acl import _assemble, _base, _descriptors

_assemble.fill(globals(), "acl", _base, _descriptors)
if _typing.TYPE_CHECKING:

    def __getattr__(name: str) -> _typing.Any: ...


from acl import blas, fv, himpi, mdl, media, op, prof, rt, util  # noqa: E402 - after the functions of the module itself

__all__ = ["blas", "fv", "himpi", "mdl", "media", "op", "prof", "rt", "util"]
