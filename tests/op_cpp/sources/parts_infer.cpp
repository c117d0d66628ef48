// SPDX-License-Identifier: Apache-2.0
// Inference of an operator whose parts are in three files.
#include "register/op_impl_registry.h"

static uint32_t infer(gert::InferShapeContext* context) {
    *context->GetOutputShape(0) = *context->GetInputShape(0);
    return ge::GRAPH_SUCCESS;
}
IMPL_OP_INFERSHAPE(Parts).InferShape(infer).InferOutDataTypeSameWithFirstInput();
