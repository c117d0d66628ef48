# SPDX-License-Identifier: Apache-2.0
"""Operators in torch: `register` makes one of ours a `torch.ops` operator, `super_kernel` and `backend="aclimb"` fuse several of them.

New here: docs/use_it_from_torch.md.
"""

try:
    import torch as _torch  # noqa: F401 - asked for first, so that its absence is told in our words
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        "aclimb.torch needs torch, which is not installed; aclimb does not bring it along: pip install torch", name="torch"
    ) from error

from aclimb.torch.backend import compile_graph, reports
from aclimb.torch.register import register, unregister
from aclimb.torch.report import GraphReport, NodeReport
from aclimb.torch.scope import super_kernel

__all__ = ["GraphReport", "NodeReport", "compile_graph", "register", "reports", "super_kernel", "unregister"]
