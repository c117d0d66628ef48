// SPDX-License-Identifier: Apache-2.0
// y = x * factors[0] * factors[1] * factors[2] + addend + first
#include "part_structs_tiling.h"
#include "register/op_def_registry.h"

namespace optiling {
static ge::graphStatus TilingFunc(gert::TilingContext* context) {
    PartStructsTilingData tiling;
    const float factors[3] = {2.0f, -1.0f, 0.5f};
    tiling.set_first(200);
    tiling.sizes.set_total(context->GetInputShape(0)->GetStorageShape().GetShapeSize());
    tiling.sizes.set_tile(96);
    tiling.set_factors(factors);
    tiling.set_addend(*context->GetAttrs()->GetInt(0));
    context->SetBlockDim(3);
    tiling.SaveToBuffer(context->GetRawTilingData()->GetData(), context->GetRawTilingData()->GetCapacity());
    context->GetRawTilingData()->SetDataSize(tiling.GetDataSize());
    return ge::GRAPH_SUCCESS;
}
static ge::graphStatus InferShape(gert::InferShapeContext* context) {
    *context->GetOutputShape(0) = *context->GetInputShape(0);
    return ge::GRAPH_SUCCESS;
}
} // namespace optiling

namespace ops {
class PartStructs : public OpDef {
  public:
    explicit PartStructs(const char* name) : OpDef(name) {
        this->Input("x").ParamType(REQUIRED).DataType({ge::DT_FLOAT, ge::DT_INT32}).Format({ge::FORMAT_ND, ge::FORMAT_ND});
        this->Output("y").ParamType(REQUIRED).DataType({ge::DT_FLOAT, ge::DT_INT32}).Format({ge::FORMAT_ND, ge::FORMAT_ND});
        this->Attr("addend").AttrType(OPTIONAL).Int(-7);
        this->SetInferShape(optiling::InferShape);
        this->AICore().SetTiling(optiling::TilingFunc);
        this->AICore().AddConfig("ascend910b").AddConfig("ascend910_93");
    }
};
OP_ADD(PartStructs);
} // namespace ops
