# SPDX-License-Identifier: Apache-2.0
"""A project of small operators in the generator's form, all host code in one file, of which some have a mistake in their kernel."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from aclimb.op.declare.kernel import kernel_name

SOUND = """// SPDX-License-Identifier: Apache-2.0
#include "kernel_operator.h"
#include "TOP"
using namespace AscendC;

extern "C" __global__ __aicore__ void KERNEL(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    GET_TILING_DATA(data, tiling);
    for (uint32_t i = 0; i < data.total; ++i) ((__gm__ DTYPE_Y*)y)[i] = ((__gm__ DTYPE_X*)x)[i] * (DTYPE_X)data.factor;
}
"""
_TILING = """
namespace optiling {
BEGIN_TILING_DATA_DEF(OPTilingData)
TILING_DATA_FIELD_DEF(uint32_t, total);
TILING_DATA_FIELD_DEF(int32_t, factor);
END_TILING_DATA_DEF;
REGISTER
static ge::graphStatus TileOP(gert::TilingContext* context) {
    OPTilingData tiling;
    tiling.set_total(context->GetInputShape(0)->GetStorageShape().GetShapeSize());
    tiling.set_factor(2);
    context->SetBlockDim(1);
    tiling.SaveToBuffer(context->GetRawTilingData()->GetData(), context->GetRawTilingData()->GetCapacity());
    context->GetRawTilingData()->SetDataSize(tiling.GetDataSize());
    return ge::GRAPH_SUCCESS;
}
static ge::graphStatus InferOP(gert::InferShapeContext* context) {
    *context->GetOutputShape(0) = *context->GetInputShape(0);
    return ge::GRAPH_SUCCESS;
}
} // namespace optiling
namespace ops {
class OP : public OpDef {
  public:
    explicit OP(const char* name) : OpDef(name) {
        this->Input("x").ParamType(REQUIRED).DataType({ge::DT_FLOAT, ge::DT_INT32}).Format({ge::FORMAT_ND, ge::FORMAT_ND});
        this->Output("y").ParamType(REQUIRED).DataType({ge::DT_FLOAT, ge::DT_INT32}).Format({ge::FORMAT_ND, ge::FORMAT_ND});
        this->SetInferShape(optiling::InferOP);
        this->AICore().SetTiling(optiling::TileOP);
        this->AICore().AddConfig("ascend910_93");
    }
};
OP_ADD(OP);
} // namespace ops
"""


@dataclass(frozen=True)
class Twice:
    """y = 2 x, with an edit of its kernel."""

    before: str = ""
    after: str = ""
    top: str = ""  # a line behind the first #include
    registered_for: str | None = None  # another operator, or nobody: ""
    places: tuple[str, ...] = ("",)  # folders of op_kernel, or files


def write(folder: Path, operators: Mapping[str, Twice]) -> Path:
    for side in ("op_host", "op_kernel"):
        (folder / side).mkdir(parents=True)
    host = '// SPDX-License-Identifier: Apache-2.0\n#include "register/op_def_registry.h"\n#include "register/tilingdata_base.h"\n'
    for name, each in operators.items():
        owner = name if each.registered_for is None else each.registered_for
        register = f"REGISTER_TILING_DATA_CLASS({owner}, {name}TilingData)" if owner else ""
        host += _TILING.replace("REGISTER", register).replace("OP", name).replace(f"{name}_ADD", "OP_ADD")
        text = SOUND.replace('#include "TOP"', each.top).replace("KERNEL", kernel_name(name))
        assert each.before in text
        for place in each.places:
            path = folder / "op_kernel" / place / ("" if place.endswith(".cpp") else f"{kernel_name(name)}.cpp")
            path.parent.mkdir(exist_ok=True)
            path.write_text(text.replace(each.before, each.after) if each.before else text)
    (folder / "op_host" / "all.cpp").write_text(host)
    return folder
