// SPDX-License-Identifier: Apache-2.0
// y = max(x, edge)
#include "edge_tiling.h"

namespace optiling {
REGISTER_TILING_DATA_CLASS(RaiseFloor, EdgeTilingData)
} // namespace optiling

namespace ops {
class RaiseFloor : public OpDef {
  public:
    explicit RaiseFloor(const char* name) : OpDef(name) {
        this->Input("x").ParamType(REQUIRED).DataType({ge::DT_FLOAT16, ge::DT_INT32}).Format({ge::FORMAT_ND, ge::FORMAT_ND});
        this->Output("y").ParamType(REQUIRED).DataType({ge::DT_FLOAT16, ge::DT_INT32}).Format({ge::FORMAT_ND, ge::FORMAT_ND});
        this->Attr("edge").AttrType(OPTIONAL).Float(4.0);
        this->SetInferShape(ge::InferSame);
        this->AICore().SetTiling(optiling::TileEdge);
        this->AICore().AddConfig("ascend910b").AddConfig("ascend910_93");
    }
};
OP_ADD(RaiseFloor);
} // namespace ops
