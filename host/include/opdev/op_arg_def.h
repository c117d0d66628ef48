// SPDX-License-Identifier: Apache-2.0
// What a kernel is given: tensors, attributes and modes, in packs.
#pragma once
#include "opdev/common_types.h"
#include "opdev/op_def.h"

namespace aclimb {
namespace level0 {
struct Pack {
    enum Kind { kInput, kOutput, kAttr, kMode, kIgnored, kUnsupported } kind;
    Values values;
    const char* name;
};
struct Empty {};
inline void put(Values& into, Empty) { into.add(nullptr); }
template <typename T> void put(Values& into, const T& each) { into.add(each); }
// OP_INPUT() has none: a macro's comma stays where nothing comes behind it.
struct Packer {
    Pack made;
    template <typename... T> Pack with(const T&... each) {
        (void)std::initializer_list<int>{0, (put(made.values, each), 0)...};
        return made;
    }
};
inline Packer pack(Pack::Kind kind, const char* name) { return {{kind, Values(), name}}; }
// Values in braces are not looked at.
struct Anything {
    template <typename... T> Anything(const T&...) {}
};
inline Pack unsupported(const char* name, std::initializer_list<Anything>) { return {Pack::kUnsupported, Values(), name}; }
} // namespace level0
} // namespace aclimb

#define OP_INPUT(...) ::aclimb::level0::pack(::aclimb::level0::Pack::kInput, "OP_INPUT").with(__VA_ARGS__)
#define OP_OUTPUT(...) ::aclimb::level0::pack(::aclimb::level0::Pack::kOutput, "OP_OUTPUT").with(__VA_ARGS__)
#define OP_ATTR(...) ::aclimb::level0::pack(::aclimb::level0::Pack::kAttr, "OP_ATTR").with(__VA_ARGS__)
#define OP_MODE(...) ::aclimb::level0::pack(::aclimb::level0::Pack::kMode, "OP_MODE").with(__VA_ARGS__)
#define OP_OPTION(...) ::aclimb::level0::pack(::aclimb::level0::Pack::kIgnored, "OP_OPTION").with(__VA_ARGS__) // one precision here
#define OP_WORKSPACE(...) ::aclimb::level0::unsupported("OP_WORKSPACE", {__VA_ARGS__})
#define OP_OUTSHAPE(...) ::aclimb::level0::unsupported("OP_OUTSHAPE", {__VA_ARGS__})
#define OP_EMPTY_ARG ::aclimb::level0::Empty()
