// SPDX-License-Identifier: Apache-2.0
// Tiling data of a registered class that is larger than what tiling has by default, for an operator that OpDef registers.
#include "register/op_def_registry.h"
#include "register/tilingdata_base.h"

namespace optiling {
BEGIN_TILING_DATA_DEF(ManyWords)
TILING_DATA_FIELD_DEF_ARR(uint32_t, 1024, words);
TILING_DATA_FIELD_DEF(float, last);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(BigTiling, ManyWords)

static ge::graphStatus Tile(gert::TilingContext* context) {
    ManyWords data;
    data.get_words()[0] = 7;
    data.get_words()[1023] = 9;
    data.set_last(0.5f);
    data.SaveToBuffer(context->GetRawTilingData()->GetData(), context->GetRawTilingData()->GetCapacity());
    context->GetRawTilingData()->SetDataSize(data.GetDataSize());
    context->SetBlockDim(1);
    return ge::GRAPH_SUCCESS;
}
} // namespace optiling

namespace ops {
class BigTiling : public OpDef {
  public:
    explicit BigTiling(const char* name) : OpDef(name) {
        this->Input("x").ParamType(REQUIRED).DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND});
        this->Output("y").ParamType(REQUIRED).DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND}).Follow("x");
        this->AICore().SetTiling(optiling::Tile).AddConfig("ascend910b").AddConfig("ascend910_93");
    }
};
OP_ADD(BigTiling);
} // namespace ops
