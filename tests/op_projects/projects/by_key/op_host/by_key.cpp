// SPDX-License-Identifier: Apache-2.0
// Mode 0 y = -x, 1 y = x + 1.5, 2 y = x * 2 * 0.25: a tiling key and a tiling class each.
#include "by_key_tiling.h"
#include "register/op_def_registry.h"

namespace optiling {
template <typename Tiling> static void Save(gert::TilingContext* context, Tiling& tiling, uint64_t key) {
    context->SetTilingKey(key);
    context->SetBlockDim(1);
    tiling.SaveToBuffer(context->GetRawTilingData()->GetData(), context->GetRawTilingData()->GetCapacity());
    context->GetRawTilingData()->SetDataSize(tiling.GetDataSize());
}

static ge::graphStatus TilingByKey(gert::TilingContext* context) {
    const int64_t length = context->GetInputShape(0)->GetStorageShape().GetShapeSize();
    const int64_t mode = *context->GetAttrs()->GetInt(0);
    if (mode == 0) {
        ByKeyTilingData tiling;
        tiling.set_length(length);
        Save(context, tiling, 0);
    } else if (mode == 1) {
        ByKeyAddTilingData tiling;
        tiling.set_addend(1.5f);
        tiling.set_length(length);
        Save(context, tiling, 1);
    } else {
        ByKeyMulTilingData tiling;
        const float factors[2] = {2.0f, 0.25f};
        tiling.set_factors(factors);
        tiling.set_length(length);
        Save(context, tiling, 20);
    }
    return ge::GRAPH_SUCCESS;
}
} // namespace optiling

namespace ge {
static ge::graphStatus InferShape(gert::InferShapeContext* context) {
    *context->GetOutputShape(0) = *context->GetInputShape(0);
    return GRAPH_SUCCESS;
}
} // namespace ge

namespace ops {
class ByKey : public OpDef {
  public:
    explicit ByKey(const char* name) : OpDef(name) {
        this->Input("x").ParamType(REQUIRED).DataType({ge::DT_FLOAT16, ge::DT_FLOAT}).Format({ge::FORMAT_ND, ge::FORMAT_ND});
        this->Output("y").ParamType(REQUIRED).DataType({ge::DT_FLOAT16, ge::DT_FLOAT}).Format({ge::FORMAT_ND, ge::FORMAT_ND});
        this->Attr("mode").AttrType(OPTIONAL).Int(0);
        this->SetInferShape(ge::InferShape);
        this->AICore().SetTiling(optiling::TilingByKey);
        this->AICore().AddConfig("ascend910b").AddConfig("ascend910_93");
    }
};
OP_ADD(ByKey);
} // namespace ops
