# SPDX-License-Identifier: Apache-2.0
"""Imports and includes point down. The layers are in tools/layers.toml."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src"
LAYERS = tomllib.loads((ROOT / "tools" / "layers.toml").read_text())
LEVEL = {name: level for level, names in enumerate(LAYERS["python"]) for name in names}
ROOM_LEVEL = {name: level for level, names in enumerate(LAYERS["op"]) for name in names}


def part_of(module: str) -> str | None:
    """aclimb.compile.cache -> compile, acl.rt -> acl; None for what is not ours, and for aclimb itself."""
    words = module.split(".")
    if words[0] == "acl":
        return "acl"
    return words[1] if words[0] == "aclimb" and len(words) > 1 else None


def room_of(module: str) -> str | None:
    """aclimb.op.tiling.data -> tiling, aclimb.op.status -> status; None outside op, and for its public face."""
    words = module.split(".")
    return words[2] if words[:2] == ["aclimb", "op"] and len(words) > 2 and words[2] != "__init__" else None


def imports(tree: ast.AST) -> Iterator[tuple[int, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, name.name) for name in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            if node.module in ("aclimb", "aclimb.op"):
                yield from ((node.lineno, f"{node.module}.{name.name}") for name in node.names)
            else:
                yield node.lineno, node.module


def offences(path: Path, text: str) -> list[str]:
    relative = path.relative_to(SOURCE)
    own_module = ".".join(relative.with_suffix("").parts)
    own, room = part_of(own_module), room_of(own_module)
    if own is None or own == "__init__":
        return []  # the public face looks at everything
    found = []
    for line, module in imports(ast.parse(text)):
        other = part_of(module)
        if other is not None and LEVEL.get(other, 99) < LEVEL.get(own, -1):
            found.append(f"{relative}:{line}: {own} imports {module}, which lies above it")
        if room is not None and other == "op" and room_of(module) != room and ROOM_LEVEL.get(room_of(module) or "", -1) <= ROOM_LEVEL[room]:
            found.append(f"{relative}:{line}: {room} imports {module}, which does not lie below it")
    return found


FILES = sorted(SOURCE.rglob("*.py"))


@pytest.mark.parametrize("path", FILES, ids=[str(p.relative_to(SOURCE)) for p in FILES])
def test_imports_point_down(path: Path) -> None:
    module = ".".join(path.relative_to(SOURCE).with_suffix("").parts)
    own, room = part_of(module), room_of(module)
    assert room is None or room in ROOM_LEVEL, f"{path.relative_to(SOURCE)} is in no layer of op: add {room} to tools/layers.toml"
    assert own in (None, "__init__") or own in LEVEL, f"{path.relative_to(SOURCE)} is in no layer: add {own} to tools/layers.toml"
    assert offences(path, path.read_text()) == []


def test_a_file_that_turns_round_is_named() -> None:
    assert offences(SOURCE / "aclimb" / "binary" / "x.py", "import json\nfrom aclimb.compile import Program\n") == [
        "aclimb/binary/x.py:2: binary imports aclimb.compile, which lies above it"
    ]
    assert offences(SOURCE / "aclimb" / "compile" / "x.py", "from aclimb import knobs\nfrom aclimb.binary import elf\n") == []
    assert offences(
        SOURCE / "aclimb" / "op" / "tiling" / "x.py", "from aclimb.op.node.node import Node\nfrom aclimb.op.two_stage import run\n"
    ) == ["aclimb/op/tiling/x.py:2: tiling imports aclimb.op.two_stage, which does not lie below it"]
    assert offences(SOURCE / "aclimb" / "op" / "call.py", "from aclimb.op import define, status\n") == [
        "aclimb/op/call.py:1: call imports aclimb.op.define, which does not lie below it"
    ]


# --- the engine

ENGINE = ROOT / "engine"
FOLDERS = {name: level for level, name in enumerate(LAYERS["engine"])}
SOURCES = sorted(path for path in ENGINE.rglob("*.*") if path.suffix in (".h", ".cpp") and path.relative_to(ENGINE).parts[0] != "tests")


def turned_includes(own: str, text: str) -> list[str]:
    """What a file of that folder includes from folders above it."""
    included = re.findall(r'^#include "((\w+)/.*)"', text, re.MULTILINE)
    return [path for path, folder in included if folder in FOLDERS and FOLDERS[folder] > FOLDERS[own]]


def test_includes_of_the_engine_point_down() -> None:
    assert {path.relative_to(ENGINE).parts[0] for path in SOURCES} == set(FOLDERS)
    turned = {str(path.relative_to(ENGINE)): turned_includes(path.relative_to(ENGINE).parts[0], path.read_text()) for path in SOURCES}
    assert {path: includes for path, includes in turned.items() if includes} == {}


def test_an_include_that_turns_round_is_named() -> None:
    text = '#include <map>\n#include "aclimb/abi.h"\n#include "host/pool.h"\n#include "memory/local.h"\n'
    assert turned_includes("core", text) == ["host/pool.h"]
    assert turned_includes("bind", text) == []


def test_headers_of_the_engine_do_not_include_each_other_in_circles() -> None:
    headers = {str(path.relative_to(ENGINE)): path.read_text() for path in SOURCES if path.suffix == ".h"}
    waiting = {name: set(re.findall(r'^#include "(.*)"', text, re.MULTILINE)) & set(headers) for name, text in headers.items()}
    while free := {name for name, includes in waiting.items() if not includes}:
        waiting = {name: includes - free for name, includes in waiting.items() if name not in free}
    assert waiting == {}


def test_the_command_lines_libraries_stay_out_of_the_package() -> None:
    script = "import sys, aclimb; print([name for name in ('typer', 'rich', 'elftools') if name in sys.modules])"
    answer = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert answer.stdout.strip() == "[]"


def test_contributing_shows_the_layers_as_they_are() -> None:
    shown = re.search(r"```text\n(aclimb: .*?)```", (ROOT / "CONTRIBUTING.md").read_text(), re.DOTALL)
    assert shown is not None
    assert shown[1].splitlines() == [
        "aclimb: " + " / ".join(", ".join(layer) for layer in LAYERS["python"]),
        "op: " + " / ".join(", ".join(layer) for layer in LAYERS["op"]),
        "engine: " + " / ".join(reversed(LAYERS["engine"])),
    ]
