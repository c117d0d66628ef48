# SPDX-License-Identifier: Apache-2.0
"""`with super_kernel("decode", "early-start=1"):` marks operators, as TorchAir's scope of that name does. Marks are operators of torch's
without tensors, so that they stay where they are in a traced graph; called for themselves they do nothing."""

from __future__ import annotations

from types import TracebackType

import torch
from torch.fx.node import has_side_effect

from aclimb.errors import InvalidArgument
from aclimb.fuse.options import FuseOptions

_library = torch.library.Library("aclimb", "FRAGMENT")
for _schema in ("scope_begin(str scope, str options) -> ()", "scope_end() -> ()"):
    _library.define(_schema)
    _library.impl(_schema.partition("(")[0], lambda *_: None, "CompositeExplicitAutograd")
BEGIN = (torch.ops.aclimb.scope_begin, torch.ops.aclimb.scope_begin.default)  # a graph has one or the other
END = (torch.ops.aclimb.scope_end, torch.ops.aclimb.scope_end.default)
for _mark in (*BEGIN, *END):
    has_side_effect(_mark)


class super_kernel:  # noqa: N801 - the name that programs know
    """Operators inside become one SuperKernel under `torch.compile(backend="aclimb")`. Scopes nest, and the inner one counts; None marks
    what is not to be fused. Outside a compiled function it does nothing, as on the chip."""

    def __init__(self, scope: str | None, options: str = "") -> None:
        self.scope = "" if scope is None else scope
        self.options = options
        if not torch.compiler.is_compiling():
            _require(scope, options)

    def __enter__(self) -> super_kernel:
        torch.ops.aclimb.scope_begin(self.scope, self.options)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        torch.ops.aclimb.scope_end()


def _require(scope: str | None, options: str) -> None:
    if scope is not None and (not isinstance(scope, str) or not scope.strip()):
        raise InvalidArgument(f"the name of a scope is {scope!r}; it takes a text, or None for what is not to be fused")
    FuseOptions.of(options or None)
