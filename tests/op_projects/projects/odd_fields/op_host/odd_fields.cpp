// SPDX-License-Identifier: Apache-2.0
// y = direction * factor * (-x or x) + (large - 2^40) + 1 where shifted + 1 for each of `added` + precise + last
#include "odd_fields_tiling.h"
#include "register/op_def_registry.h"

namespace optiling {
static ge::graphStatus TilingFunc(gert::TilingContext* context) {
    odd::OddFieldsTilingData tiling;
    const gert::RuntimeAttrs* attrs = context->GetAttrs();
    const auto* added = attrs->GetAttrPointer<gert::ContinuousVector>(2);
    bool flags[3] = {};
    for (size_t i = 0; i < added->GetSize() && i < 3; ++i) flags[i] = static_cast<const bool*>(added->GetData())[i];
    tiling.set_total(context->GetInputShape(0)->GetStorageShape().GetShapeSize());
    tiling.set_isNegative(*attrs->GetBool(0));
    tiling.set_large((int64_t(1) << 40) + *attrs->GetInt(1));
    tiling.set_isShifted(!*attrs->GetBool(0));
    tiling.set_factor(1.25f);
    tiling.set_direction(odd::BACKWARD);
    tiling.set_added(flags);
    tiling.set_precise(0.5);
    tiling.set_last(-3);
    context->SetBlockDim(1);
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
class OddFields : public OpDef {
  public:
    explicit OddFields(const char* name) : OpDef(name) {
        this->Input("x").ParamType(REQUIRED).DataType({ge::DT_FLOAT, ge::DT_FLOAT16}).Format({ge::FORMAT_ND, ge::FORMAT_ND});
        this->Output("y").ParamType(REQUIRED).DataType({ge::DT_FLOAT, ge::DT_FLOAT16}).Format({ge::FORMAT_ND, ge::FORMAT_ND});
        this->Attr("negative").AttrType(OPTIONAL).Bool(false);
        this->Attr("large").AttrType(OPTIONAL).Int(4);
        this->Attr("added").AttrType(OPTIONAL).ListBool({true, false, true});
        this->SetInferShape(optiling::InferShape);
        this->AICore().SetTiling(optiling::TilingFunc);
        this->AICore().AddConfig("ascend910b").AddConfig("ascend910_93");
    }
};
OP_ADD(OddFields);
} // namespace ops
