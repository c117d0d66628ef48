# SPDX-License-Identifier: Apache-2.0
"""An operator's prototype in torch's words: `(Tensor x, Tensor? bias, *, float alpha=1.0) -> Tensor`."""

from __future__ import annotations

from typing import Any

from aclimb.errors import InvalidArgument
from aclimb.op.declare.declaration import REQUIRED, Declaration, Declared, DeclaredAttr

_KINDS: dict[Any, str] = {
    bool: "bool",
    int: "int",
    float: "float",
    str: "str",
    list[bool]: "bool[]",
    list[int]: "int[]",
    list[float]: "float[]",
}


def schema_of(declaration: Declaration) -> str:
    """Behind the name. Refuses what torch has no word for."""
    inputs = [_input(declaration, each) for each in declaration.inputs]
    attrs = [_attr(declaration, each) for each in sorted(declaration.attrs, key=_has_default) if not each.private]
    parameters = ", ".join([*inputs, "*", *attrs] if attrs else inputs)
    for each in declaration.outputs:
        if each.dynamic:
            raise InvalidArgument(
                f"{declaration.op_type}: output {each.name} is a list of tensors, whose length torch cannot know beforehand; "
                "give each tensor an output of its own"
            )
    if not declaration.outputs:
        raise InvalidArgument(f"{declaration.op_type} declares no output; torch would drop calls of it")
    results = ["Tensor"] * len(declaration.outputs)
    return f"({parameters}) -> {results[0] if len(results) == 1 else '(' + ', '.join(results) + ')'}"


def _input(declaration: Declaration, each: Declared) -> str:
    if each.name in ("self", "from", "lambda"):  # fine in a schema, not as the name of an argument in Python
        raise InvalidArgument(f"{declaration.op_type}: an input called {each.name} cannot be passed by name in Python; call it otherwise")
    return f"Tensor{'[]' if each.dynamic else '?' if each.optional or each.nullable else ''} {each.name}"


def _has_default(attr: DeclaredAttr) -> bool:
    return attr.default is not REQUIRED


def _attr(declaration: Declaration, attr: DeclaredAttr) -> str:
    if attr.kind not in _KINDS:
        raise InvalidArgument(
            f"{declaration.op_type}: attribute {attr.name} is {attr.kind}; torch's operators take {', '.join(_KINDS.values())}"
        )
    kind = _KINDS[attr.kind]
    if attr.default is REQUIRED:
        return f"{kind} {attr.name}"
    return f"{kind}{'?' if attr.default is None else ''} {attr.name}={_value(attr.default)}"


def _value(value: Any) -> str:
    if isinstance(value, str):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_value, value)) + "]"
    return repr(value)
