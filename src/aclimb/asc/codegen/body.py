# SPDX-License-Identifier: Apache-2.0
"""A function body being translated, with everything that statements and expressions can mean."""

from __future__ import annotations

import ast
from typing import Any

from aclimb.asc.codegen.matmul import Matmuls
from aclimb.asc.codegen.statements import NestedDef, Statements


class Body(Matmuls, Statements):
    """Frame < Expressions < Calls < Objects < Loops < Statements: each file adds what its name says."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.loops: list[int | None] = []
        self.base_depth = 0
        self.is_inlined = False
        self.named_constants: set[str] = set()

    def _apply(
        self, function: Any, args: list[Any], kwargs: dict[str, Any], node: ast.Call, nodes: list[ast.AST], keywords: dict[str, ast.AST]
    ) -> Any:
        if isinstance(function, NestedDef):
            return self.unit.helpers.nested(self, function, args, kwargs, node)
        return super()._apply(function, args, kwargs, node, nodes, keywords)
