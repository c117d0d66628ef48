# SPDX-License-Identifier: Apache-2.0
"""acl.prof: the profiler of the hardware. Not modelled; every call says so."""

from acl import _assemble

_assemble.add_unsupported(
    globals(),
    "acl.prof",
    """
init                          ->                     aclprofInit
start                         ->                     aclprofStart
stop                          ->                     aclprofStop
finalize                      ->                     aclprofFinalize
create_config                 => config              aclprofCreateConfig
destroy_config                ->                     aclprofDestroyConfig
""",
    "the profiler of the hardware is out of scope; `aclimb profile`, or the key profiler of acl.init's configuration, is there",
)
__getattr__ = _assemble.missing(globals(), "acl.prof")
