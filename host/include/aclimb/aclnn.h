// SPDX-License-Identifier: Apache-2.0
// What the generated functions aclnn<Op>GetWorkspaceSize and aclnn<Op> are made of (aclimb/op/aclnn/generate.py): libascendcl hands the
// call on to Python, which knows the package that the library belongs to.
#pragma once
#include <cstddef>

#include "acl/acl_rt.h"
#include "aclnn/acl_meta.h"

extern "C" {
// One argument of the first phase; `kind` says which member counts.
struct aclimb_value {
    enum Kind : uint32_t { kHandle, kInt, kFloat, kBool, kText } kind;
    union {
        const void* handle; // of a tensor, an array, a scalar or a list
        int64_t integer;
        double number;
        const char* text;
    };
};

// `inside` is an address of the library that has the function; by it the package is found.
aclnnStatus aclimb_aclnn_plan(const void* inside, const char* function, const struct aclimb_value* values, uint32_t count,
                              uint64_t* workspaceSize, aclOpExecutor** executor);
aclnnStatus aclimb_aclnn_run(const void* inside, const char* function, void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                             aclrtStream stream);

// For hand-written functions (aclimb/level0.h): what Python makes of a call of that name; `results` has room for 64 numbers. `function` is
// the aclnn function that asks, for messages.
aclnnStatus aclimb_level0(const void* inside, const char* function, const char* method, const struct aclimb_value* values, uint32_t count,
                          int64_t* results);
}

namespace aclimb {
namespace aclnn {
inline aclimb_value value(aclimb_value::Kind kind) {
    aclimb_value made;
    made.kind = kind;
    made.integer = 0;
    return made;
}
inline aclimb_value of(const void* handle) {
    aclimb_value made = value(aclimb_value::kHandle);
    made.handle = handle;
    return made;
}
inline aclimb_value of(int64_t integer) {
    aclimb_value made = value(aclimb_value::kInt);
    made.integer = integer;
    return made;
}
inline aclimb_value of(double number) {
    aclimb_value made = value(aclimb_value::kFloat);
    made.number = number;
    return made;
}
inline aclimb_value of(bool flag) {
    aclimb_value made = value(aclimb_value::kBool);
    made.integer = flag;
    return made;
}
inline aclimb_value of(const char* text) {
    aclimb_value made = value(aclimb_value::kText);
    made.text = text;
    return made;
}

template <size_t count> aclnnStatus plan(const void* inside, const char* function, const aclimb_value (&values)[count],
                                         uint64_t* workspaceSize, aclOpExecutor** executor) {
    return aclimb_aclnn_plan(inside, function, values, static_cast<uint32_t>(count), workspaceSize, executor);
}
} // namespace aclnn
} // namespace aclimb
