// SPDX-License-Identifier: Apache-2.0
// Pairs that are none, because a function is null; and the same put right.
#include "register/op_impl_registry.h"

static uint32_t prepare(gert::OpExecutePrepareContext* context) {
    context->SetWorkspaceSizes({});
    return 0;
}
static uint32_t launch(gert::OpExecuteLaunchContext*) { return 43; }

IMPL_OP(NoPrepare).Op2StageExecuteFuncs(nullptr, launch);
IMPL_OP(NoLaunch).Op2StageExecuteFuncs(prepare, nullptr);
IMPL_OP(Neither).Op2StageExecuteFuncs(nullptr, nullptr);
IMPL_OP(Whole).Op2StageExecuteFuncs(nullptr, launch).Op2StageExecuteFuncs(prepare, launch);
