// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "isa/shapes/lane.h"

namespace aclimb {

enum class Cmpmode : uint8_t { LT, GT, EQ, LE, GE, NE }; // the numbers are those of AscendC::CMPMODE
constexpr int kCmpmodes = 6;

struct CompareTable {
    Lane lane[kCmpmodes][kColumns][2]; // the last index: b is a scalar. The destination is bits.
};

ACLIMB_DECLARE_LEVELS(CompareTable, compare_lanes)

} // namespace aclimb
