# SPDX-License-Identifier: Apache-2.0
"""acl.himpi: media processing (HiMPI). Not modelled; every call says so."""

from acl import _assemble

_assemble.add_unsupported(
    globals(),
    "acl.himpi",
    """
sys_init                      ->                     hi_mpi_sys_init
sys_exit                      ->                     hi_mpi_sys_exit
dvpp_malloc                   -> ptr                 hi_mpi_dvpp_malloc
dvpp_free                     ->                     hi_mpi_dvpp_free
""",
    "media processing (HiMPI) is out of scope: aclimb runs kernels",
)
__getattr__ = _assemble.missing(globals(), "acl.himpi")
