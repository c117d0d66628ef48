// SPDX-License-Identifier: Apache-2.0
#include "core/core.h"

namespace aclimb {

const char* name_of(Pipe pipe) {
    constexpr const char* names[] = {"S", "V", "M", "MTE1", "MTE2", "MTE3", "FIX", "ALL"};
    return names[static_cast<int>(pipe) & 7];
}

const char* name_of(Memory memory) {
    constexpr const char* names[] = {"GM", "UB", "L1", "L0A", "L0B", "L0C", "BT", "FB"};
    return names[static_cast<int>(memory) & 7];
}

const char* name_of(CoreType type) { return type == CoreType::AIC ? "AIC" : type == CoreType::AIV ? "AIV" : "MIX"; }

const char* name_of(Op op) {
    constexpr const char* names[] = {
#define INSTRUCTION_ROW(name, shape, pipe, api) #name,
#include "aclimb/instructions.def"
#undef INSTRUCTION_ROW
        ""};
    return names[static_cast<int>(op)];
}

const char* api_of(Op op) {
    constexpr const char* names[] = {
#define INSTRUCTION_ROW(name, shape, pipe, api) api,
#include "aclimb/instructions.def"
#undef INSTRUCTION_ROW
        ""};
    return names[static_cast<int>(op)];
}

Pipe pipe_of(Op op) {
    constexpr Pipe ANY = Pipe::ALL, S = Pipe::S, V = Pipe::V, M = Pipe::M, MTE1 = Pipe::MTE1, MTE2 = Pipe::MTE2, FIX = Pipe::FIX;
    constexpr Pipe pipes[] = {
#define INSTRUCTION_ROW(name, shape, pipe, api) pipe,
#include "aclimb/instructions.def"
#undef INSTRUCTION_ROW
        ANY};
    return pipes[static_cast<int>(op)];
}

} // namespace aclimb
