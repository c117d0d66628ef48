// SPDX-License-Identifier: Apache-2.0
// Another library that registers the same types.
#include "register/op_def_registry.h"

static ge::graphStatus tile(gert::TilingContext* context) { return context->SetBlockDim(11) == 0 ? 88 : 0; }
static ge::graphStatus range(gert::InferShapeRangeContext*) { return 99; }
IMPL_OP(Parts).Tiling(tile).InferShapeRange(range);

namespace ops {
class Parts : public OpDef {
  public:
    explicit Parts(const char* name) : OpDef(name) {
        this->Input("other").DataType({ge::DT_INT8});
        this->Output("y").Follow("other");
    }
};
OP_ADD(Parts);
} // namespace ops
