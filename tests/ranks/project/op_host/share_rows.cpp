// SPDX-License-Identifier: Apache-2.0
#include "register/op_def_registry.h"
#include "tiling/hccl/hccl_tiling.h"

struct ShareRowsTilingData {
    Mc2InitTiling initTiling;
    Mc2CcTiling sumTiling, largestTiling;
    uint32_t length, ranks, mistake, reserved;
};

namespace optiling {
static ge::graphStatus ShareRowsTiling(gert::TilingContext* context) {
    auto* tiling = context->GetTilingData<ShareRowsTilingData>();
    tiling->length = context->GetInputShape(0)->GetStorageShape().GetShapeSize();
    tiling->ranks = *context->GetAttrs()->GetInt(1);
    tiling->mistake = *context->GetAttrs()->GetInt(2);
    const std::string group = context->GetAttrs()->GetStr(0);
    AscendC::Mc2CcTilingConfig config(group, static_cast<uint32_t>(HcclCMDType::HCCL_CMD_ALLREDUCE), "AllReduce=level0:doublering",
                                      HCCL_REDUCE_SUM);
    if (tiling->mistake != 4) config.GetTiling(tiling->initTiling);
    config.GetTiling(tiling->sumTiling);
    config.SetGroupName(group);
    config.SetOpType(HCCL_CMD_REDUCE_SCATTER);
    config.SetAlgConfig("ReduceScatter=level0:doublering");
    config.SetReduceType(HCCL_REDUCE_MAX);
    config.GetTiling(tiling->largestTiling);
    context->SetBlockDim(1);
    return ge::GRAPH_SUCCESS;
}

static ge::graphStatus ShareRowsShape(gert::InferShapeContext* context) {
    *context->GetOutputShape(0) = *context->GetInputShape(0);
    *context->GetOutputShape(1) = *context->GetInputShape(0);
    context->GetOutputShape(1)->SetDim(0, context->GetInputShape(0)->GetDim(0) / *context->GetAttrs()->GetInt(1));
    return ge::GRAPH_SUCCESS;
}
} // namespace optiling

namespace ops {
class ShareRows : public OpDef {
  public:
    explicit ShareRows(const char* name) : OpDef(name) {
        this->Input("x").ParamType(REQUIRED).DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND});
        this->Output("total").ParamType(REQUIRED).DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND});
        this->Output("part").ParamType(REQUIRED).DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND});
        this->Attr("group").AttrType(REQUIRED).String();
        this->Attr("rank_size").AttrType(OPTIONAL).Int(2);
        this->Attr("mistake").AttrType(OPTIONAL).Int(0);
        this->SetInferShape(optiling::ShareRowsShape);
        this->AICore().SetTiling(optiling::ShareRowsTiling);
        this->AICore().AddConfig("ascend910b").AddConfig("ascend910_93");
        this->MC2().HcclGroup("group");
    }
};
OP_ADD(ShareRows);
} // namespace ops
