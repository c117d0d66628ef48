# SPDX-License-Identifier: Apache-2.0
"""Random operators in the generator's form, each from a seed: tiling classes, rows of types, inputs, attributes, keys, workspaces.

Every kernel computes  y_k = factor_k * ((x_0 * c) op x_1 op ... + sum) + k;  `sum` has every field of the tiling data in it, each with
a weight of its own and with most of its bits in use. A field that lies elsewhere than the kernel thinks changes every result.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray
from random_tilings import Attr, Tiling, random_tiling

from aclimb.op.declare.kernel import kernel_name
from aclimb.op.node.dtypes import dtype_of

GE = {"float16": "ge::DT_FLOAT16", "float32": "ge::DT_FLOAT", "bfloat16": "ge::DT_BF16", "int32": "ge::DT_INT32", "int16": "ge::DT_INT16"}
INPUTS = tuple(GE)
OUTPUTS = ("float16", "float32", "int32", "int16")  # bfloat16 has too few digits for an exact result
KEYS = (0, 1, 2, 7, 20, 101, 1000001)
STEPS: dict[str, Callable[[Any, Any], Any]] = {"Add": np.add, "Sub": np.subtract, "Max": np.maximum, "Min": np.minimum}


@dataclass(frozen=True)
class Input:
    name: str
    kind: str  # REQUIRED, OPTIONAL or DYNAMIC
    step: str  # how it joins what there is so far


@dataclass(frozen=True)
class RandomOperator:
    type: str
    inputs: tuple[Input, ...]
    outputs: tuple[tuple[str, int], ...]  # name, factor
    rows: tuple[dict[str, str], ...]  # types by name
    attrs: tuple[Attr, ...]
    tilings: tuple[Tiling, ...]  # one for each key
    coefficient: int
    blocks: int
    tile: int
    workspace: str  # none, zero or some
    by_name: bool  # GET_TILING_DATA_WITH_STRUCT

    @property
    def kernel(self) -> str:
        return kernel_name(self.type)

    @property
    def has_keys(self) -> bool:
        return len(self.tilings) > 1

    def arguments(self, random: Random, row: dict[str, str]) -> tuple[list[Any], dict[str, Any]]:
        """Return the inputs of a call, small whole numbers, and its attributes. An optional input is there or not."""
        numbers = np.random.default_rng(random.randrange(1 << 30))
        shape = random.choice([(1,), (5,), (64,), (3, 50), (257,)])

        def array(name: str) -> NDArray[Any]:
            return numbers.integers(-4, 5, shape).astype(dtype_of(row[name]))

        made: list[Any] = []
        for each in self.inputs:
            if each.kind == "DYNAMIC":
                made.append([array(each.name) for _ in range(random.randint(1, 3))])
            else:
                made.append(None if each.kind == "OPTIONAL" and random.random() < 0.5 else array(each.name))
        attrs = {each.name: each.draw(random) for each in self.attrs}
        return made, attrs | ({"mode": random.randrange(len(self.tilings))} if self.has_keys else {})

    def expected(self, given: Sequence[Any], attrs: dict[str, Any], row: dict[str, str]) -> list[NDArray[Any]]:
        made = given[0].astype(np.float64) * self.coefficient
        for each, value in zip(self.inputs[1:], given[1:], strict=True):
            for tensor in value if isinstance(value, list) else [] if value is None else [value]:
                made = STEPS[each.step](made, tensor.astype(np.float64))
        made = made + self.tilings[attrs.get("mode", 0)].sum(attrs)
        found = []
        for number, (name, factor) in enumerate(self.outputs):
            dtype, wide = dtype_of(row[name]), made * factor + number
            found.append((np.rint(wide) if np.issubdtype(dtype, np.integer) else wide).astype(dtype))
        return found


def random_operator(seed: int) -> RandomOperator:
    random = Random(seed)
    inputs = [Input("x0", "REQUIRED", "Add")]
    for number in range(1, random.randint(1, 3)):
        inputs.append(Input(f"x{number}", random.choice(["REQUIRED", "OPTIONAL", "DYNAMIC"]), random.choice(list(STEPS))))
    outputs = tuple((f"y{number}", random.choice([1, -1, 2])) for number in range(random.choice([1, 1, 2])))
    rows = _random_rows(random, [each.name for each in inputs], [name for name, _ in outputs])
    attrs = tuple(Attr(f"attr_{number}", random.choice(["Int", "Float", "Bool"])) for number in range(random.randrange(3)))
    keys = sorted(random.sample(KEYS, random.choice([1, 1, 2, 3])))
    name = f"RandomOp{seed}"
    tilings = tuple(random_tiling(random, name, key if len(keys) > 1 else 0, place, attrs) for place, key in enumerate(keys))
    return RandomOperator(name, tuple(inputs), outputs, rows, attrs, tilings, random.choice([1, -2, 3]), random.randint(1, 3),
                          random.choice([32, 64, 128]), random.choice(["none", "zero", "some"]), random.random() < 0.4)  # fmt: skip


def _random_rows(random: Random, inputs: list[str], outputs: list[str]) -> tuple[dict[str, str], ...]:
    """One to three, told apart by the first input, which is always there."""
    rows = {}
    for _ in range(random.randint(1, 3)):
        row = {name: random.choice(INPUTS) for name in inputs} | {name: random.choice(OUTPUTS) for name in outputs}
        rows[row["x0"]] = row
    return tuple(rows.values())


# --- the files of a project


def write_project(folder: Path, seeds: Sequence[int], unit: str = "ascend910_93") -> list[RandomOperator]:
    """A project with an operator for each seed, all host code in one file, because that is what a build takes longest with."""
    operators = [random_operator(seed) for seed in seeds]
    for side in ("op_host", "op_kernel"):
        (folder / side).mkdir(parents=True)
    (folder / "op_host" / "random_ops_tiling.h").write_text(_tiling_header(operators))
    (folder / "op_host" / "random_ops.cpp").write_text(
        _HEAD + '#include "random_ops_tiling.h"\n' + "".join(_host(each, unit) for each in operators)
    )
    (folder / "op_kernel" / "random_parts.h").write_text((Path(__file__).parent / "random_parts.h").read_text())
    for each in operators:
        (folder / "op_kernel" / f"{each.kernel}.cpp").write_text(_kernel(each))
    return operators


_HEAD = "// SPDX-License-Identifier: Apache-2.0\n"


def _tiling_header(operators: Sequence[RandomOperator]) -> str:
    lines = [_HEAD + '#pragma once\n#include "register/op_def_registry.h"\n#include "register/tilingdata_base.h"\n', "namespace optiling {"]
    for each in operators:
        for number, tiling in enumerate(each.tilings):
            lines += tiling.definition()
            lines.append(f"REGISTER_TILING_DATA_CLASS({each.type}{f'_{tiling.key}' if number else ''}, {tiling.name})")
    return "\n".join([*lines, "} // namespace optiling\n"])


def _host(made: RandomOperator, unit: str) -> str:
    return f"""
namespace optiling {{
static ge::graphStatus Tile{made.type}(gert::TilingContext* context) {{
{_tiling_body(made)}
    return ge::GRAPH_SUCCESS;
}}
static ge::graphStatus Infer{made.type}(gert::InferShapeContext* context) {{
    for (size_t i = 0; i < {len(made.outputs)}; ++i) *context->GetOutputShape(i) = *context->GetInputShape(0);
    return ge::GRAPH_SUCCESS;
}}
}} // namespace optiling

namespace ops {{
class {made.type} : public OpDef {{
  public:
    explicit {made.type}(const char* name) : OpDef(name) {{
{_declaration(made)}
        this->SetInferShape(optiling::Infer{made.type});
        this->AICore().SetTiling(optiling::Tile{made.type});
        this->AICore().AddConfig("{unit}");
    }}
}};
OP_ADD({made.type});
}} // namespace ops
"""


def _declaration(made: RandomOperator) -> str:
    lines = []
    formats = ", ".join(["ge::FORMAT_ND"] * len(made.rows))
    for side, name, kind in [
        *(("Input", each.name, each.kind) for each in made.inputs),
        *(("Output", n, "REQUIRED") for n, _ in made.outputs),
    ]:
        types = ", ".join(GE[row[name]] for row in made.rows)
        lines.append(f'        this->{side}("{name}").ParamType({kind}).DataType({{{types}}}).Format({{{formats}}});')
    if made.has_keys:
        lines.append('        this->Attr("mode").AttrType(OPTIONAL).Int(0);')
    lines += [f'        this->Attr("{each.name}").AttrType(OPTIONAL).{each.kind}({each.default});' for each in made.attrs]
    return "\n".join(lines)


def _tiling_body(made: RandomOperator) -> str:
    lines = ["const int64_t total = context->GetInputShape(0)->GetStorageShape().GetShapeSize();", "(void)total;"]
    first = int(made.has_keys)
    lines += [f"const auto {each.name} = *context->GetAttrs()->Get{each.kind}({first + place});" for place, each in enumerate(made.attrs)]
    lines += [f"(void){each.name};" for each in made.attrs]
    present = _present(made)
    lines.append(f"context->SetBlockDim({made.blocks});")
    if made.workspace == "zero":
        lines.append("context->GetWorkspaceSizes(1)[0] = 0;")
    if made.workspace == "some":
        lines += ["platform_ascendc::PlatformAscendC platform(context->GetPlatformInfo());",
                  "context->GetWorkspaceSizes(1)[0] = platform.GetLibApiWorkSpaceSize() + total * sizeof(float);"]  # fmt: skip
    if made.has_keys:
        lines.append("const int64_t mode = *context->GetAttrs()->GetInt(0);")
    for place, tiling in enumerate(made.tilings):
        lines.append(f"if (mode == {place}) {{" if made.has_keys else "{")
        lines += [f"    {line}" for line in tiling.settings(present)]
        if made.has_keys:
            lines.append(f"    context->SetTilingKey({tiling.key});")
        lines += ["    tiling.SaveToBuffer(context->GetRawTilingData()->GetData(), context->GetRawTilingData()->GetCapacity());",
                  "    context->GetRawTilingData()->SetDataSize(tiling.GetDataSize());", "}"]  # fmt: skip
    return "\n".join(f"    {line}" for line in lines)


def _present(made: RandomOperator) -> str:
    """How many tensors each further input has, two bits each, in C++."""
    parts = ["0"]
    for place, each in enumerate(made.inputs[1:], 1):
        count = {
            "REQUIRED": "1",
            "OPTIONAL": f"(context->GetOptionalInputShape({place}) != nullptr ? 1 : 0)",
            "DYNAMIC": f"context->GetIrInputInstanceInfo({place})->GetInstanceNum()",
        }[each.kind]
        parts.append(f"({count} << {2 * (place - 1)})")
    return " | ".join(parts)


def _kernel(made: RandomOperator) -> str:
    names = [*(each.name for each in made.inputs), *(name for name, _ in made.outputs)]
    parameters = ", ".join(f"GM_ADDR {name}" for name in names)
    get = "" if made.by_name and made.has_keys else f"    {_get(made, made.tilings[0])}\n"
    branches = []
    for tiling in made.tilings:
        own = f"{_get(made, tiling)} " if not get else ""
        call = f"{own}Compute({', '.join(names)}, room, data.total, data.present, {tiling.in_kernel()});"
        branches.append(f"    if (TILING_KEY_IS({tiling.key})) {{ {call} }}" if made.has_keys else f"    {call}")
    room = "    AscendC::SetSysWorkspace(workspace);\n    GM_ADDR room = AscendC::GetUserWorkspace(workspace);\n"
    return f"""{_HEAD}#include "random_parts.h"

__aicore__ inline void Compute({parameters}, GM_ADDR room, uint32_t total, uint32_t present, float sum) {{
    RandomParts parts({made.tile});
    for (uint32_t at = AscendC::GetBlockIdx() * {made.tile}; at < total; at += AscendC::GetBlockNum() * {made.tile}) {{
        const uint32_t count = at + {made.tile} < total ? {made.tile} : total - at;
        AscendC::Muls(parts.all, parts.Load<DTYPE_X0>(x0, at, count), {made.coefficient}.0f, count);
{_joins(made)}
        AscendC::Adds(parts.all, parts.all, sum, count);
{"        parts.Through(room, at, count);" if made.workspace == "some" else ""}
{_stores(made)}
    }}
}}

extern "C" __global__ __aicore__ void {made.kernel}({parameters}, GM_ADDR workspace, GM_ADDR tiling) {{
    if (workspace == nullptr) {{
        return;
    }}
{room if made.workspace == "some" else "    GM_ADDR room = workspace;"}
{get}{chr(10).join(branches)}
}}
"""


def _get(made: RandomOperator, tiling: Tiling) -> str:
    return f"GET_TILING_DATA_WITH_STRUCT({tiling.name}, data, tiling);" if made.by_name else "GET_TILING_DATA(data, tiling);"


def _joins(made: RandomOperator) -> str:
    lines = []
    for place, each in enumerate(made.inputs[1:]):
        count = f"(present >> {2 * place} & 3)"
        load = f"parts.LoadOf<DTYPE_{each.name.upper()}>" if each.kind == "DYNAMIC" else f"parts.Load<DTYPE_{each.name.upper()}>"
        more = ", i" if each.kind == "DYNAMIC" else ""
        lines.append(f"        for (uint32_t i = 0; i < {count}; ++i) "
                     f"AscendC::{each.step}(parts.all, parts.all, {load}({each.name}, at, count{more}), count);")  # fmt: skip
    return "\n".join(lines)


def _stores(made: RandomOperator) -> str:
    return "\n".join(f"        parts.Store<DTYPE_{name.upper()}>({name}, at, count, {factor}.0f, {number}.0f);"
                     for number, (name, factor) in enumerate(made.outputs))  # fmt: skip
