// SPDX-License-Identifier: Apache-2.0
// The callbacks of Op2StageExecuteFuncs with the document's UINT32, beside what a program of its own may have under that name.
#ifdef MACRO_BEFORE
#define UINT32 unsigned int
#endif
#ifdef TYPEDEF_BEFORE
typedef unsigned int UINT32;
#endif
#include "register/op_impl_registry.h"
#ifdef TYPEDEF_BEHIND
typedef uint32_t UINT32;
#endif
#ifdef MACRO_BEHIND
#define UINT32 uint32_t
#endif
using namespace gert;
#ifdef USING_BEHIND
using UINT32 = std::uint32_t;
#endif

namespace doc {
using OpExecPrepareFunc = UINT32 (*)(OpExecutePrepareContext*);
using OpExecLaunchFunc = UINT32 (*)(OpExecuteLaunchContext*);
} // namespace doc
static UINT32 Prepare(OpExecutePrepareContext* context) {
    context->SetWorkspaceSizes({});
    return 0;
}
static UINT32 Launch(OpExecuteLaunchContext*) { return 41; }
static ge::graphStatus PrepareStatus(OpExecutePrepareContext* context) { return Prepare(context); }
static uint32_t LaunchWord(OpExecuteLaunchContext*) { return 42; }

static doc::OpExecPrepareFunc prepare = Prepare;
static doc::OpExecLaunchFunc launch = Launch;
IMPL_OP(Documented).Op2StageExecuteFuncs(prepare, launch);
IMPL_OP(Plain).Op2StageExecuteFuncs(PrepareStatus, LaunchWord);
