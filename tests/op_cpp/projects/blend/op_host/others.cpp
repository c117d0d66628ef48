// SPDX-License-Identifier: Apache-2.0
// Accumulate, whose input is its output, and Repeat, which reads a value on the host. Their kernels return at a null workspace; one tiling
// does not speak of workspaces, the other one asks for 0 bytes.
#include "../op_kernel/blend_tiling.h"
#include "register/op_def_registry.h"

namespace {
ge::graphStatus TileSum(gert::TilingContext* context) {
    *context->GetTilingData<CountTiling>() = {static_cast<uint32_t>(context->GetInputShape(0)->GetStorageShape().GetShapeSize()), 1};
    context->SetBlockDim(3);
    return ge::GRAPH_SUCCESS;
}

ge::graphStatus TileRepeat(gert::TilingContext* context) {
    const int64_t times = context->GetInputTensor(1)->GetData<int64_t>()[0];
    const int64_t count = context->GetInputShape(0)->GetStorageShape().GetShapeSize();
    *context->GetTilingData<CountTiling>() = {static_cast<uint32_t>(count), static_cast<uint32_t>(times)};
    context->SetBlockDim(1);
    context->GetWorkspaceSizes(1)[0] = 0;
    return ge::GRAPH_SUCCESS;
}
} // namespace

namespace ops {
class Accumulate : public OpDef {
  public:
    explicit Accumulate(const char* name) : OpDef(name) {
        this->Input("sum").ParamType(REQUIRED).DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND});
        this->Input("x").ParamType(REQUIRED).DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND});
        this->Output("sum").ParamType(REQUIRED).DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND});
        this->AICore().SetTiling(TileSum);
        this->AICore().AddConfig("ascend910_93");
    }
};
OP_ADD(Accumulate);

class Repeat : public OpDef {
  public:
    explicit Repeat(const char* name) : OpDef(name) {
        this->Input("x").ParamType(REQUIRED).DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND});
        this->Input("times").ParamType(REQUIRED).DataType({ge::DT_INT64}).Format({ge::FORMAT_ND}).ValueDepend(REQUIRED);
        this->Output("y").ParamType(REQUIRED).DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND});
        this->AICore().SetTiling(TileRepeat);
        this->AICore().AddConfig("ascend910_93");
    }
};
OP_ADD(Repeat);
} // namespace ops
