// SPDX-License-Identifier: Apache-2.0
#include "register/op_def_registry.h"
#include "tiling/hccl/hccl_tiling.h"

struct GatherOthersTilingData {
    Mc2InitTiling mc2InitTiling;
    Mc2CcTiling mc2CcTiling;
    uint64_t length;
};

namespace optiling {
static ge::graphStatus GatherOthersTiling(gert::TilingContext* context) {
    auto* tiling = context->GetTilingData<GatherOthersTilingData>();
    tiling->length = context->GetInputShape(0)->GetStorageShape().GetShapeSize();
    AscendC::Mc2CcTilingConfig config("world", HCCL_CMD_ALLGATHER, "AllGather=level0:doublering");
    if (config.SetSkipLocalRankCopy(1) || config.GetTiling(tiling->mc2InitTiling) || config.GetTiling(tiling->mc2CcTiling))
        return ge::GRAPH_FAILED;
    context->SetBlockDim(1);
    return ge::GRAPH_SUCCESS;
}

static ge::graphStatus GatherOthersShape(gert::InferShapeContext* context) {
    *context->GetOutputShape(0) = {2 * context->GetInputShape(0)->GetDim(0)};
    return ge::GRAPH_SUCCESS;
}
} // namespace optiling

namespace ops {
class GatherOthers : public OpDef {
  public:
    explicit GatherOthers(const char* name) : OpDef(name) {
        this->Input("x").ParamType(REQUIRED).DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND});
        this->Output("y").ParamType(REQUIRED).DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND});
        this->SetInferShape(optiling::GatherOthersShape);
        this->AICore().SetTiling(optiling::GatherOthersTiling);
        this->AICore().AddConfig("ascend910b").AddConfig("ascend910_93");
    }
};
OP_ADD(GatherOthers);
} // namespace ops
