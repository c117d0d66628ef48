// SPDX-License-Identifier: Apache-2.0
// The OpDef of the same operator. LIBRARY says which of two libraries it is compiled for.
#include "register/op_def_registry.h"

namespace ops {
class Parts : public OpDef {
  public:
    explicit Parts(const char* name) : OpDef(name) {
        this->Input("x")
            .ParamType(REQUIRED)
            .DataType({ge::DT_FLOAT16, ge::DT_FLOAT})
            .Format({ge::FORMAT_ND, ge::FORMAT_ND})
            .IgnoreContiguous();
        this->Output("out")
            .ParamType(REQUIRED)
            .DataType({ge::DT_FLOAT16, ge::DT_FLOAT})
            .Format({ge::FORMAT_ND, ge::FORMAT_ND})
            .InitValue(0);
        this->Comment(CommentSection::BRIEF, "y = x").EnableFallBack().FormatMatchMode(FormatCheckOption::STRICT);
        this->AICore().LaunchWithZeroEleOutputTensors(true);
        OpAICoreConfig only_floats;
        only_floats.Input("x").DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND});
        only_floats.Output("out").DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND});
        this->AICore().AddConfig("ascend910_93", only_floats);
        this->MC2().HcclGroup("group").HcclServerType(HcclServerType::AICPU);
        this->AICPU().OpKernelLib("");
    }
};
OP_ADD(Parts);
static OpAICoreConfig more() { return OpAICoreConfig("ascend910b").ExtendCfgInfo("opFile.value", "parts"); }
REGISTER_OP_AICORE_CONFIG(Parts, ascend910b, more);
} // namespace ops
