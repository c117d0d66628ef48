// SPDX-License-Identifier: Apache-2.0
// What went wrong on a core, as facts. The sentences are written in Python (src/aclimb/report), where source lines are known.
#pragma once
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "aclimb/abi.h"

namespace aclimb {

struct Site {          // a place in the kernel that matters for the message
    std::string label; // "", "MTE2", "SetFlag", ...
    uint64_t pc = 0;
};

struct Fault {
    std::string kind; // "out_of_bounds", "hang", ...: the key of the sentence in report/sentences.py
    int64_t block = -1;
    CoreType core_type = CoreType::MIX;
    int64_t core_idx = -1;
    int32_t sub = -1;     // the sub-kernel, in a fused kernel
    int32_t unit = -1;    // the core, where a note has to say whose it is
    bool went_on = false; // a note: strict would have ended the core here
    uint64_t pc = 0;
    std::string instruction;                                // name of the instruction, "" when none
    std::vector<std::pair<std::string, int64_t>> numbers;   // "first_byte", "last_byte", ...
    std::vector<std::pair<std::string, std::string>> texts; // "memory", "field", ...
    std::vector<Site> sites;

    Fault& number(const char* name, int64_t value) {
        numbers.emplace_back(name, value);
        return *this;
    }
    Fault& text(const char* name, std::string value) {
        texts.emplace_back(name, std::move(value));
        return *this;
    }
    Fault& site(std::string label, uint64_t at) {
        sites.push_back({std::move(label), at});
        return *this;
    }
};

} // namespace aclimb
