# SPDX-License-Identifier: Apache-2.0
"""What the compiler of Python kernels says no to: the Python line, a caret, and what to write instead."""

from __future__ import annotations

import ast
import linecache
from typing import TYPE_CHECKING

from aclimb.errors import CompileError, Diagnostic

if TYPE_CHECKING:
    from aclimb.asc.codegen.source import FunctionSource


class CodegenError(CompileError):
    """A kernel, or something it calls, that cannot be compiled."""


class UnsupportedSyntaxError(CodegenError):
    """Python that has no meaning on a core."""


class Refusal(Exception):
    """Inside the compiler: a sentence and the expression it is about. `located` makes the user's error of it."""

    def __init__(self, sentence: str, node: ast.AST | None = None, hint: str = "", *, is_syntax: bool = False) -> None:
        super().__init__(sentence)
        self.sentence, self.node, self.hint, self.is_syntax = sentence, node, hint, is_syntax


def located(refusal: Refusal, source: FunctionSource, node: ast.AST) -> CodegenError:
    """The error at its line. `node`: where the compiler stood, for a refusal that names no expression."""
    where = refusal.node if refusal.node is not None and hasattr(refusal.node, "lineno") else node
    line: int = getattr(where, "lineno", source.first_line)
    text = linecache.getline(source.file, line).rstrip("\n")
    column = len(text.encode()[: getattr(where, "col_offset", 0)].decode(errors="replace"))
    sentence = refusal.sentence + (f"; {refusal.hint}" if refusal.hint else "")
    out = f"{source.file}:{line}:{column + 1}: error: {sentence}"
    if text.strip():
        margin = f"{line:>6} | "
        ends_here = getattr(where, "end_lineno", line) == line
        last = (
            len(text.encode()[: where.end_col_offset].decode(errors="replace"))
            if ends_here and hasattr(where, "end_col_offset")
            else len(text)
        )
        out += f"\n{margin}{text}\n{' ' * (len(margin) - 2)}| {' ' * column}{'^' * max(last - column, 1)}"
    kind = UnsupportedSyntaxError if refusal.is_syntax else CodegenError
    found = Diagnostic(source.file, line, column + 1, "error", sentence)
    return kind(f"{source.name} does not compile\n{out}", [found])
