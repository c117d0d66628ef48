// SPDX-License-Identifier: Apache-2.0
// One access of one instruction, as order is concerned.
#pragma once
#include "check/clock.h"

namespace aclimb::check {

enum class Way : uint8_t { reads, writes, updates, atomic };
inline bool reads(Way way) { return way == Way::reads || way == Way::updates; }
inline bool writes(Way way) { return way == Way::writes || way == Way::updates; }

// Marks: pairs in which both have one of these are in an order of their own.
constexpr uint8_t kUnitFlag = 1;  // Mmad and Fixpipe, by blocks of L0C
constexpr uint8_t kSyncWord = 2;  // words that are there to be read while they are written
constexpr uint8_t kRaw = 4;       // through a plain pointer: the compiler inserts no flag
constexpr uint8_t kListed = 8;    // a scalar access that the compiler orders against V, MTE2 and MTE3
constexpr uint8_t kCached = 16;   // a scalar access to global memory through the data cache
constexpr uint8_t kUniform = 32;  // what it wrote is one word again and again: `value`
constexpr uint8_t kFloatAdd = 64; // atomic: the sum depends on the order

struct Access {
    int32_t unit = 0;
    Agent agent = Agent::S;
    Way way = Way::reads;
    uint8_t marks = 0;
    uint8_t atomic = 0; // operation and type of an atomic access
    uint32_t count = 0; // its number on that agent
    uint32_t site = 0;  // where it was written: Sites
    uint64_t value = 0;
};

inline bool same_instruction(const Access& x, const Access& y) { return x.unit == y.unit && x.agent == y.agent && x.count == y.count; }

// Whether the two, to a common byte, need an order.
inline bool conflict(const Access& x, const Access& y) {
    if (x.way == Way::reads && y.way == Way::reads) return false;
    if (x.way == Way::atomic && y.way == Way::atomic && x.atomic == y.atomic) return false;
    const auto both = static_cast<uint8_t>(x.marks & y.marks);
    if (both & kSyncWord || (both & kUnitFlag && x.agent != y.agent)) return false;
    return !same_instruction(x, y);
}

} // namespace aclimb::check
