// SPDX-License-Identifier: Apache-2.0
#include "isa/datapath.h"

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

} // namespace aclimb
