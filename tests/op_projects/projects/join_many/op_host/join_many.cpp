// SPDX-License-Identifier: Apache-2.0
// z is one tensor behind the other, each with a factor: y[0] * 1, y[1] * 2, y[2] * 3, ... and x in front.
#include "join_many_tiling.h"
#include "register/op_def_registry.h"

namespace optiling {
static ge::graphStatus TilingFunc(gert::TilingContext* context) {
    JoinManyTilingData tiling;
    const uint32_t count = context->GetIrInputInstanceInfo(1)->GetInstanceNum();
    uint32_t lengths[MAX_TENSORS] = {}, longest = context->GetInputShape(0)->GetStorageShape().GetShapeSize();
    float factors[MAX_TENSORS] = {};
    if (count + 1 > MAX_TENSORS) return ge::GRAPH_FAILED;
    lengths[0] = longest;
    factors[0] = 1;
    for (uint32_t i = 0; i < count; ++i) {
        lengths[i + 1] = context->GetDynamicInputShape(1, i)->GetStorageShape().GetShapeSize();
        factors[i + 1] = static_cast<float>(i + 1);
        longest = lengths[i + 1] > longest ? lengths[i + 1] : longest;
    }
    tiling.set_tensorNum(count);
    tiling.set_lengths(lengths);
    tiling.set_factors(factors);
    tiling.set_maxLength(longest);
    context->SetBlockDim(1);
    tiling.SaveToBuffer(context->GetRawTilingData()->GetData(), context->GetRawTilingData()->GetCapacity());
    context->GetRawTilingData()->SetDataSize(tiling.GetDataSize());
    return ge::GRAPH_SUCCESS;
}
} // namespace optiling

namespace ge {
static ge::graphStatus InferShape(gert::InferShapeContext* context) {
    int64_t length = context->GetInputShape(0)->GetShapeSize();
    for (size_t i = 1; i < context->GetComputeNodeInputNum(); ++i) length += context->GetInputShape(i)->GetShapeSize();
    context->GetOutputShape(0)->SetDimNum(1);
    context->GetOutputShape(0)->SetDim(0, length);
    return GRAPH_SUCCESS;
}
} // namespace ge

namespace ops {
class JoinMany : public OpDef {
  public:
    explicit JoinMany(const char* name) : OpDef(name) {
        this->Input("x").ParamType(REQUIRED).DataType({ge::DT_FLOAT16, ge::DT_FLOAT}).Format({ge::FORMAT_ND, ge::FORMAT_ND});
        this->Input("y").ParamType(DYNAMIC).DataType({ge::DT_FLOAT16, ge::DT_FLOAT}).Format({ge::FORMAT_ND, ge::FORMAT_ND});
        this->Output("z").ParamType(REQUIRED).DataType({ge::DT_FLOAT16, ge::DT_FLOAT}).Format({ge::FORMAT_ND, ge::FORMAT_ND});
        this->SetInferShape(ge::InferShape);
        this->AICore().SetTiling(optiling::TilingFunc);
        this->AICore().AddConfig("ascend910b").AddConfig("ascend910_93");
    }
};
OP_ADD(JoinMany);
} // namespace ops
