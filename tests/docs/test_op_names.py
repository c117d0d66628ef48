# SPDX-License-Identifier: Apache-2.0
"""docs/reference/op_names.md names what exists, and everything that has a C++ name."""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import acl
from acl import _op_attributes, _op_runs
from aclimb import op
from aclimb.op.execute.plan import OpPlan
from aclimb.op.node.context import NodeContext
from aclimb.op.node.views import AttrsView, TensorView
from aclimb.op.tiling.contexts import Platform

PAGE = (Path(__file__).parents[2] / "docs" / "reference" / "op_names.md").read_text()
SECTIONS = dict(re.findall(r"^## ([^\n]+)\n(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL))
CONTEXTS = {
    "All contexts": NodeContext,
    **{name: value for name, value in vars(op).items() if name.endswith("Context")},
}
OBJECTS = {
    "op": op,
    "o": op.Operator,
    "builder": op.OpImplRegisterV2,
    "plan": OpPlan,
    "attrs": AttrsView,
    "tensor": TensorView,
    "shape": op.Shape,
    "platform": Platform,
    "data": op.TilingData,
    "acl.op": acl.op,
}


def ours(prefix: str, text: str) -> Iterator[str]:
    """What the page says of an object: `ctx.stream` says stream of ctx."""
    return (match[1] for match in re.finditer(rf"`@?{re.escape(prefix)}\.(\w+)", text))


@pytest.mark.parametrize("prefix", OBJECTS)
def test_names_on_the_page_exist(prefix: str) -> None:
    names = set(ours(prefix, PAGE)) - {"aclnn"}
    assert names
    assert [name for name in sorted(names) if not hasattr(OBJECTS[prefix], name)] == []


@pytest.mark.parametrize("name", CONTEXTS)
def test_accessors_of_a_context_are_those_on_the_page(name: str) -> None:
    told = set(ours("ctx", SECTIONS[name]))
    own = {each for each in vars(CONTEXTS[name]) if not each.startswith("_")}
    assert [each for each in sorted(told) if not hasattr(CONTEXTS[name], each)] == []
    assert own - told == set()


def test_every_registration_method_is_on_the_page() -> None:
    names = {name for name in vars(op.OpImplRegisterV2) if name[0].isupper()}
    assert len(names) > 20
    assert [name for name in sorted(names) if not re.search(rf"^\| `{name}(<T>)?` \|", SECTIONS["Registration"], re.MULTILINE)] == []
    for name in names:
        method = getattr(op.OpImplRegisterV2, name)
        assert re.search(rf"^\| `{name}(<T>)?` \| `builder\.{method.__name__}` \|", PAGE, re.MULTILINE), name


def test_every_aclop_function_is_on_the_page_beside_its_pyacl_name() -> None:
    rows = [line.split() for module in (_op_runs, _op_attributes) for line in module.TABLE.strip().splitlines()]
    assert rows
    for row in rows:
        assert f"| `{row[-1]}` | `acl.op.{row[0]}` |" in PAGE
    refused = [line.split()[-1] for table in _op_runs.UNSUPPORTED.values() for line in table.strip().splitlines()]
    assert [name for name in refused if f"`{name}`" not in SECTIONS["aclop"]] == []


def test_aclnn_names_on_the_page_are_those_of_the_module() -> None:
    aclnn = importlib.import_module("aclimb.op.aclnn")
    told = {name for name in ours("aclnn", SECTIONS["aclnn"]) if name != "aclnn"}  # aclnn<Op> is any operator
    there = {name for name in vars(aclnn) if name.startswith("acl") and callable(getattr(aclnn, name))}
    assert told == there
