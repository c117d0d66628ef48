# SPDX-License-Identifier: Apache-2.0
"""aic-<chip>-ops-info.ini: what an operator's declaration looks like to the scripts of older generated projects.

[Twice]
input0.name=x
input0.paramType=required
input0.dtype=float16,float32        position by position, the rows
input0.format=ND,ND
attr.list=scale
attr_scale.type=float
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, get_args, get_origin

from aclimb.op.declare.declaration import REQUIRED, Declared, DeclaredAttr
from aclimb.op.native.prototype import LoadedOperator


def ops_info(operators: Iterable[LoadedOperator]) -> str:
    return "".join(f"{line}\n" for each in operators for line in _section(each))


def _section(operator: LoadedOperator) -> Iterator[str]:
    declared, rows = operator._declaration, operator.combinations
    yield f"[{operator.type}]"
    for side, parameters in (("input", declared.inputs), ("output", declared.outputs)):
        for index, each in enumerate(parameters):
            yield f"{side}{index}.name={each.name}"
            yield f"{side}{index}.paramType={_kind(each)}"
            yield f"{side}{index}.dtype={','.join(_type(row.get(each.name, 'float32')) for row in rows)}"
            yield f"{side}{index}.format={','.join(row.get(f'{each.name}.format', 'ND') for row in rows)}"
    attrs = [each for each in declared.attrs if not each.private]
    if attrs:
        yield f"attr.list={','.join(each.name for each in attrs)}"
    for attr in attrs:
        yield from _attr(attr)
    yield from ("dynamicFormat.flag=false", "dynamicRankSupport.flag=true", "dynamicShapeSupport.flag=true", "needCheckSupport.flag=false")
    yield f"opFile.value={operator.file_stem}"
    yield f"opInterface.value={operator.entry}"


def _type(name: str) -> str:
    return "double" if name == "float64" else name


def _kind(declared: Declared) -> str:
    return "dynamic" if declared.dynamic else "optional" if declared.optional or declared.nullable else "required"


def _attr(attr: DeclaredAttr) -> Iterator[str]:
    yield f"attr_{attr.name}.type={_attr_kind(attr.kind)}"
    yield f"attr_{attr.name}.value=all"
    yield f"attr_{attr.name}.paramType={'required' if attr.default is REQUIRED else 'optional'}"
    if attr.default is not REQUIRED and attr.default is not None:
        yield f"attr_{attr.name}.defaultValue={_text(attr.default)}"


def _attr_kind(kind: Any) -> str:
    if get_origin(kind) is not list:
        return str(kind.__name__)
    inner = _attr_kind(get_args(kind)[0])
    return f"list{inner[0].upper()}{inner[1:]}"


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return f"[{','.join(map(_text, value))}]" if isinstance(value, list | tuple) else str(value)
