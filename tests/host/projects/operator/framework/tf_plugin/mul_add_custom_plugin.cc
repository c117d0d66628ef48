// SPDX-License-Identifier: Apache-2.0
// How a framework's model names the operator; nothing here reads such models.
#include "register/register.h"

namespace domi {
REGISTER_CUSTOM_OP("MulAddCustom").FrameworkType(TENSORFLOW).OriginOpType("MulAddCustom").ParseParamsByOperatorFn(AutoMappingByOpFn);
}
