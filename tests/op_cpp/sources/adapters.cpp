// SPDX-License-Identifier: Apache-2.0
// Adapters of frameworks, in every form of their registration.
#include "register/register.h"

namespace domi {
static Status Parse(const ge::Operator&, ge::Operator&) { return SUCCESS; }

REGISTER_CUSTOM_OP("ScaleCustom")
    .FrameworkType(TENSORFLOW)
    .OriginOpType("Scale")
    .ParseParamsByOperatorFn(AutoMappingByOpFn);
REGISTER_CUSTOM_OP("ScaleOther")
    .FrameworkType(ONNX)
    .OriginOpType({"ai.onnx::11::Scale", "ai.onnx::12::Scale"})
    .ParseParamsFn([](const void*, ge::Operator&) -> Status { return FAILED; })
    .ParseParamsByOperatorFn(Parse)
    .ParseSubgraphPostFn(AutoMappingFn)
    .ImplyType(1);
} // namespace domi

extern "C" __attribute__((visibility("default"))) unsigned int both_statuses() { return domi::SUCCESS - domi::FAILED; }
