// SPDX-License-Identifier: Apache-2.0
// y = max(x, low), and min(y, high) where there is a high: the second tiling class is for tiling key 7.
#include "by_key_tiling.h"
#include "register/op_def_registry.h"

namespace optiling {
static ge::graphStatus TilingPick(gert::TilingContext* context) {
    const int64_t length = context->GetInputShape(0)->GetStorageShape().GetShapeSize();
    const float low = *context->GetAttrs()->GetFloat(0), high = *context->GetAttrs()->GetFloat(1);
    gert::TilingData* raw = context->GetRawTilingData();
    context->SetBlockDim(1);
    if (high > low) {
        PickBothTilingData tiling;
        tiling.set_length(length);
        tiling.set_low(low);
        tiling.set_high(high);
        context->SetTilingKey(7);
        tiling.SaveToBuffer(raw->GetData(), raw->GetCapacity());
        raw->SetDataSize(tiling.GetDataSize());
    } else {
        PickTilingData tiling;
        tiling.set_length(length);
        tiling.set_low(low);
        context->SetTilingKey(3);
        tiling.SaveToBuffer(raw->GetData(), raw->GetCapacity());
        raw->SetDataSize(tiling.GetDataSize());
    }
    return ge::GRAPH_SUCCESS;
}
static ge::graphStatus InferPick(gert::InferShapeContext* context) {
    *context->GetOutputShape(0) = *context->GetInputShape(0);
    return ge::GRAPH_SUCCESS;
}
} // namespace optiling

namespace ops {
class Pick : public OpDef {
  public:
    explicit Pick(const char* name) : OpDef(name) {
        this->Input("x").ParamType(REQUIRED).DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND});
        this->Output("y").ParamType(REQUIRED).DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND});
        this->Attr("low").AttrType(REQUIRED).Float();
        this->Attr("high").AttrType(OPTIONAL).Float(0.0);
        this->SetInferShape(optiling::InferPick);
        this->AICore().SetTiling(optiling::TilingPick);
        this->AICore().AddConfig("ascend910b").AddConfig("ascend910_93");
    }
};
OP_ADD(Pick);
} // namespace ops
