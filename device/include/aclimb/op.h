// SPDX-License-Identifier: Apache-2.0
// The instructions by name: one number for each row of instructions.def. What includes this file is compiled anew for a new row.
#pragma once
#include "aclimb/abi.h"

namespace aclimb {

enum class Op : uint16_t {
#define INSTRUCTION_ROW(name, ...) name,
#include "aclimb/instructions.def"
#undef INSTRUCTION_ROW
    count
};
constexpr int kRowsKnown = static_cast<int>(Op::count);

// What a built kernel takes for granted of a row. Everything else about it is the engine's own business.
struct RowIdentity {
    const char *name, *record;
    size_t size;
};
constexpr RowIdentity kRowIdentities[] = {
#define INSTRUCTION_ROW(name, shape, record, ...) {#name, #record, sizeof(record)},
#include "aclimb/instructions.def"
#undef INSTRUCTION_ROW
};

// Of the first rows (FNV-1a, 48 bits): a binary carries that of the rows it was built with, and rows appended later leave it valid.
constexpr uint64_t rows_fingerprint(int count) {
    uint64_t hash = 0xcbf29ce484222325;
    const auto add = [&hash](uint64_t value) { hash = (hash ^ value) * 0x100000001b3; };
    for (int i = 0; i < count; ++i) {
        for (const char* at = kRowIdentities[i].name; *at; ++at) add(static_cast<unsigned char>(*at));
        add(0);
        for (const char* at = kRowIdentities[i].record; *at; ++at) add(static_cast<unsigned char>(*at));
        add(kRowIdentities[i].size);
    }
    return hash >> 16;
}

} // namespace aclimb
