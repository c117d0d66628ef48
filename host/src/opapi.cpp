// SPDX-License-Identifier: Apache-2.0
// libopapi.so: the operators that aclimb computes on the host (src/aclimb/op/builtin), as functions of aclnn; a refusal for each other
// one that programs ask for by name; and what they ask this library for besides. Python answers through libascendcl.so.
#include "aclimb/aclnn.h"

#define EXPORTED extern "C" __attribute__((visibility("default")))

using aclimb::aclnn::of;

// No address inside: the library is no package's.
#define SERVED(name, declarations, ...)                                                                                                    \
    EXPORTED aclnnStatus name##GetWorkspaceSize ARGUMENTS declarations {                                                                   \
        const aclimb_value values[] = {__VA_ARGS__};                                                                                       \
        return aclimb::aclnn::plan(nullptr, #name "GetWorkspaceSize", values, workspaceSize, executor);                                    \
    }                                                                                                                                      \
    SECOND(name)
#define ARGUMENTS(...) (__VA_ARGS__, uint64_t* workspaceSize, aclOpExecutor** executor)
#define SECOND(name)                                                                                                                       \
    EXPORTED aclnnStatus name(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor, aclrtStream stream) {                      \
        return aclimb_aclnn_run(nullptr, #name, workspace, workspaceSize, executor, stream);                                               \
    }
// Whatever its parameters are: nobody looks at them.
#define REFUSED(name)                                                                                                                      \
    EXPORTED aclnnStatus name##GetWorkspaceSize() { return refuse(#name "GetWorkspaceSize"); }                                             \
    SECOND(name)

static aclnnStatus refuse(const char* function) {
    uint64_t size;
    aclOpExecutor* executor;
    return aclimb_aclnn_plan(nullptr, function, nullptr, 0, &size, &executor);
}

#include "op_library.inc"

// torch_npu brackets its calls by these, for workspaces of a pool that has no equal here.
EXPORTED int InitHugeMemThreadLocal(void*, bool) { return 0; }
EXPORTED void UnInitHugeMemThreadLocal(void*, bool) {}
EXPORTED void ReleaseHugeMem(void*, bool) {}
