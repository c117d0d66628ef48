# SPDX-License-Identifier: Apache-2.0
"""acl.blas: the BLAS library. Not modelled; every call says so."""

from acl import _assemble

_assemble.add_unsupported(
    globals(),
    "acl.blas",
    """
gemm_ex                       ->                     aclblasGemmEx
gemv_ex                       ->                     aclblasGemvEx
hgemm                         ->                     aclblasHgemm
hgemv                         ->                     aclblasHgemv
s8gemm                        ->                     aclblasS8gemm
s8gemv                        ->                     aclblasS8gemv
""",
    "the BLAS library is out of scope: aclimb runs kernels",
)
__getattr__ = _assemble.missing(globals(), "acl.blas")
