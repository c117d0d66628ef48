# SPDX-License-Identifier: Apache-2.0
"""The Python text of a function: its tree with the file's own line numbers, and the names it reads."""

from __future__ import annotations

import ast
import builtins
import hashlib
import inspect
import linecache
import textwrap
from functools import cached_property
from pathlib import Path
from types import FunctionType
from typing import Any

from aclimb.asc.codegen.errors import CodegenError


class FunctionSource:
    """A function as it is written."""

    def __init__(self, function: FunctionType) -> None:
        self.function, self.name = function, function.__name__
        self.file = _readable(function.__code__.co_filename)
        found: ast.stmt | None = _in_file(function)
        if found is None:
            lines, self.first_line = _lines_of(function)
            self.text = "".join(lines)
            found = _alone(lines, self.first_line)
        else:
            self.first_line = function.__code__.co_firstlineno
            self.text = "".join(linecache.getlines(function.__code__.co_filename)[self.first_line - 1 : found.end_lineno])
        if not isinstance(found, ast.FunctionDef):
            raise CodegenError(f"{self.name} is {'asynchronous' if isinstance(found, ast.AsyncFunctionDef) else 'not a def'}; "
                               "@asc.jit takes a plain function: def kernel(x, y): ...")  # fmt: skip
        self.tree = found

    @cached_property
    def signature(self) -> inspect.Signature:
        return inspect.signature(self.function)

    @cached_property
    def annotations(self) -> dict[str, Any]:
        return inspect.get_annotations(self.function)

    @cached_property
    def stored(self) -> frozenset[str]:
        """Names that it binds."""
        return frozenset(each.id for each in ast.walk(self.tree) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store))

    @cached_property
    def names(self) -> list[tuple[str, ...]]:
        """Names and dotted names that it reads."""
        return names_read(self.tree)

    @cached_property
    def words(self) -> frozenset[str]:
        """Every name and attribute in it."""
        return frozenset(part for name in self.names for part in name)

    def lookup(self, name: str) -> tuple[bool, Any]:
        """A name that the function does not bind itself: closure, globals, then Python's own."""
        function = self.function
        if name in function.__code__.co_freevars and function.__closure__:
            cell = function.__closure__[function.__code__.co_freevars.index(name)]
            try:
                return True, cell.cell_contents
            except ValueError:
                return False, None
        if name in function.__globals__:
            return True, function.__globals__[name]
        return (True, getattr(builtins, name)) if hasattr(builtins, name) else (False, None)


_Def = ast.FunctionDef | ast.AsyncFunctionDef
_parsed: dict[str, tuple[str, dict[int, _Def]]] = {}  # by file: its text, and its functions by their first line


def _in_file(function: FunctionType) -> _Def | None:
    """The function in the tree of its whole file, which is parsed once; None where the file is no plain Python, or has changed."""
    file = function.__code__.co_filename
    linecache.checkcache(file)
    text = "".join(linecache.getlines(file, function.__globals__))
    known = _parsed.get(file)
    if known is None or known[0] != text:
        try:
            tree = ast.parse(text)
        except (SyntaxError, ValueError):
            return None
        known = _parsed[file] = text, {}
        _find_functions(tree, known[1])
    found = known[1].get(function.__code__.co_firstlineno)
    return found if found is not None and found.name == function.__name__ else None


def _find_functions(node: ast.AST, found: dict[int, _Def]) -> None:
    """By the line that a code object calls its first, decorators included. Only statements hold functions."""
    if isinstance(node, _Def):
        found[node.decorator_list[0].lineno if node.decorator_list else node.lineno] = node
    for name in ("body", "orelse", "finalbody", "handlers", "cases"):
        inner = getattr(node, name, None)
        for each in inner if isinstance(inner, list) else ():
            _find_functions(each, found)


def _alone(lines: list[str], first: int) -> ast.stmt:
    """The function parsed by itself, with the places it has in its file."""
    indent = len(lines[0]) - len(lines[0].lstrip()) if lines else 0
    found = ast.parse(textwrap.dedent("".join(lines))).body[0]
    for node in ast.walk(found):
        if hasattr(node, "lineno"):
            node.lineno += first - 1
            node.end_lineno += first - 1  # type: ignore[attr-defined]
            node.col_offset += indent  # type: ignore[attr-defined]
            node.end_col_offset += indent  # type: ignore[attr-defined]
    return found


def _lines_of(function: FunctionType) -> tuple[list[str], int]:
    linecache.checkcache(function.__code__.co_filename)
    try:
        lines, first = inspect.getsourcelines(function)
    except (OSError, TypeError):
        raise CodegenError(
            f"the source of {function.__name__} cannot be read (it comes from {function.__code__.co_filename}); put the kernel into a file "
            "or a notebook cell: the compiler reads its text"
        ) from None
    return lines, max(first, 1)


_written: dict[str, str] = {}


def _readable(file: str) -> str:
    """The file itself, or a copy of a notebook cell: messages quote lines long after the cell is gone."""
    path = Path(file)
    if not file.startswith("<") and path.is_file():
        return str(path.absolute())
    text = "".join(linecache.getlines(file))
    key = hashlib.sha256(text.encode()).hexdigest()[:24]
    if key not in _written:
        from aclimb.compile.cache import open_cache

        folder = open_cache().folder / "sources" / key
        folder.mkdir(exist_ok=True)
        stem = "".join(c if c.isalnum() else "_" for c in path.stem).strip("_")[:40] or "cell"
        copy = folder / f"{stem}.py"
        copy.write_text(text)
        _written[key] = str(copy)
    return _written[key]


class _Names(ast.NodeVisitor):
    """Names and dotted names that are read."""

    def __init__(self) -> None:
        self.found: dict[tuple[str, ...], None] = {}

    def visit_Attribute(self, node: ast.Attribute) -> None:
        chain: list[str] = []
        inner: ast.expr = node
        while isinstance(inner, ast.Attribute):
            chain.append(inner.attr)
            inner = inner.value
        if isinstance(inner, ast.Name):
            self.found[inner.id, *reversed(chain)] = None
        else:
            self.visit(inner)

    def visit_Name(self, node: ast.Name) -> None:
        self.found[(node.id,)] = None


def names_read(tree: ast.AST) -> list[tuple[str, ...]]:
    """`a.b.c` as ("a", "b", "c"); annotations and decorators count too, and do no harm."""
    visitor = _Names()
    visitor.visit(tree)
    return list(visitor.found)
