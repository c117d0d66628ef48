# SPDX-License-Identifier: Apache-2.0
"""Imports point down. The layers, from the top:

cli, acl, capi / report / calls, fuse, op, trace / compile, runtime / binary / chips / flow, errors, knobs, log
"""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[1] / "src"
LAYERS = [
    ["cli", "__main__", "run", "acl", "capi"],
    ["report"],
    ["calls", "fuse", "op", "trace"],
    ["compile", "runtime", "engine"],
    ["binary"],
    ["chips"],
    ["flow", "errors", "knobs", "log", "version"],
    ["_engine"],  # who may reach for it is in test_border.py
]
LEVEL = {name: level for level, names in enumerate(LAYERS) for name in names}


def part_of(module: str) -> str | None:
    """aclimb.compile.cache -> compile, acl.rt -> acl; None for what is not ours, and for aclimb itself."""
    words = module.split(".")
    if words[0] == "acl":
        return "acl"
    return words[1] if words[0] == "aclimb" and len(words) > 1 else None


def imports(tree: ast.AST) -> Iterator[tuple[int, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, name.name) for name in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            if node.module == "aclimb":
                yield from ((node.lineno, f"aclimb.{name.name}") for name in node.names)
            else:
                yield node.lineno, node.module


def offences(path: Path, text: str) -> list[str]:
    relative = path.relative_to(SOURCE)
    own = part_of(".".join(relative.with_suffix("").parts))
    if own is None or own == "__init__":
        return []  # the public face looks at everything
    found = []
    for line, module in imports(ast.parse(text)):
        other = part_of(module)
        if other is not None and LEVEL.get(other, 99) < LEVEL.get(own, -1):
            found.append(f"{relative}:{line}: {own} imports {module}, which lies above it")
    return found


FILES = sorted(SOURCE.rglob("*.py"))


@pytest.mark.parametrize("path", FILES, ids=[str(p.relative_to(SOURCE)) for p in FILES])
def test_imports_point_down(path: Path) -> None:
    own = part_of(".".join(path.relative_to(SOURCE).with_suffix("").parts))
    assert own in (None, "__init__") or own in LEVEL, f"{path.relative_to(SOURCE)} is in no layer: add {own} to LAYERS"
    assert offences(path, path.read_text()) == []


def test_a_file_that_turns_round_is_named() -> None:
    assert offences(SOURCE / "aclimb" / "binary" / "x.py", "import json\nfrom aclimb.compile import Program\n") == [
        "aclimb/binary/x.py:2: binary imports aclimb.compile, which lies above it"
    ]
    assert offences(SOURCE / "aclimb" / "compile" / "x.py", "from aclimb import knobs\nfrom aclimb.binary import elf\n") == []


def test_the_command_lines_libraries_stay_out_of_the_package() -> None:
    script = "import sys, aclimb; print([name for name in ('typer', 'rich', 'elftools') if name in sys.modules])"
    answer = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert answer.stdout.strip() == "[]"
