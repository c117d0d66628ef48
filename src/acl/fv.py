# SPDX-License-Identifier: Apache-2.0
"""acl.fv: feature retrieval. Not modelled; every call says so."""

from acl import _assemble

_assemble.add_unsupported(
    globals(),
    "acl.fv",
    """
init                          ->                     aclfvInit
release                       ->                     aclfvRelease
search                        ->                     aclfvSearch
""",
    "feature retrieval is out of scope: aclimb runs kernels",
)
__getattr__ = _assemble.missing(globals(), "acl.fv")
