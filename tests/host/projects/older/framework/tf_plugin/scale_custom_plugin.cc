// SPDX-License-Identifier: Apache-2.0
#include "register/register.h"

namespace domi {
REGISTER_CUSTOM_OP("ScaleCustom").FrameworkType(TENSORFLOW).OriginOpType("ScaleCustom").ParseParamsByOperatorFn(AutoMappingByOpFn);
REGISTER_CUSTOM_OP("ScaleOther").FrameworkType(ONNX).OriginOpType({"ai.onnx::11::Scale", "ai.onnx::12::Scale"});
} // namespace domi
