// SPDX-License-Identifier: Apache-2.0
#include "isa/shapes/sort.h"

#include <cstring>
#include <type_traits>

#include "isa/numeric/half.h"

ACLIMB_LEVEL_BEGIN

// Whole numbers in the order of the scores: +0 and -0 are equal, NaN is above infinity and equal to NaN.
ACLIMB_NUMERIC int32_t key_of(uint32_t bits, uint32_t infinity, uint32_t sign) {
    const auto magnitude = static_cast<int32_t>(bits & ~sign);
    const int32_t ordered = bits & sign ? -magnitude : magnitude;
    return magnitude > static_cast<int32_t>(infinity) ? INT32_MAX : ordered;
}
ACLIMB_NUMERIC int32_t key_of(float, uint32_t bits) { return key_of(bits, 0x7f800000u, 0x80000000u); }
ACLIMB_NUMERIC int32_t key_of(half, uint32_t bits) { return key_of(bits & 0xffff, 0x7c00u, 0x8000u); }

template <class T> static void sort(uint64_t* dst, const void* scores, const uint32_t* indices) {
    using Bits = std::conditional_t<sizeof(T) == 2, uint16_t, uint32_t>;
    const auto* bits = static_cast<const Bits*>(scores);
    int32_t keys[kSorted], rank[kSorted] = {};
    uint64_t pairs[kSorted];
    for (uint32_t i = 0; i < kSorted; i++) {
        keys[i] = key_of(T{}, bits[i]);
        pairs[i] = static_cast<uint64_t>(indices[i]) << 32 | bits[i];
    }
    // How many come before each: those greater, and of those equal the earlier ones. 32 x 32 comparisons without a branch.
    for (int32_t j = 0; j < static_cast<int32_t>(kSorted); j++)
        for (int32_t i = 0; i < static_cast<int32_t>(kSorted); i++) rank[i] += (keys[j] > keys[i]) | ((keys[j] == keys[i]) & (j < i));
    for (uint32_t i = 0; i < kSorted; i++) dst[rank[i]] = pairs[i];
}

// The keys of what is next in a list and, behind them, one below every score.
constexpr int32_t kNone = INT32_MIN;
constexpr uint64_t kRound = 512; // pairs that are merged before keys are made anew: no list can give more of them
template <class T> static void make_keys(int32_t* keys, const uint64_t* pairs, uint64_t left) {
    const uint64_t count = left < kRound ? left : kRound;
    for (uint64_t i = 0; i < count; i++) keys[i] = key_of(T{}, static_cast<uint32_t>(pairs[i]));
    keys[count] = kNone;
}

// The greatest of four heads goes out, the earlier list's where two are equal. Without a branch: which list it is cannot be foretold.
// False: a list is used up, and the merge stops there.
static bool merge_round(uint64_t*& to, const uint64_t* (&at)[4], const uint64_t* const (&end)[4], const int32_t (&keys)[4][kRound + 1],
                        uint64_t count, bool suspends) {
    const int32_t *k0 = keys[0], *k1 = keys[1], *k2 = keys[2], *k3 = keys[3];
    for (; count; count--) {
        const int32_t h0 = *k0, h1 = *k1, h2 = *k2, h3 = *k3;
        const int32_t low = h1 > h0 ? h1 : h0, high = h3 > h2 ? h3 : h2;
        const uint32_t upper = high > low, second = h1 > h0, fourth = h3 > h2;
        k0 += ~upper & ~second & 1;
        k1 += ~upper & second & 1;
        k2 += upper & ~fourth & 1;
        k3 += upper & fourth;
        const uint32_t best = upper << 1 | (upper & fourth) | (~upper & second & 1);
        *to++ = *at[best]++;
        if (suspends && at[best] == end[best]) return false;
    }
    return true;
}

template <class T> static uint64_t merge(uint64_t* dst, Merging& m) {
    const uint64_t *at[4], *end[4];
    uint64_t* to = dst;
    for (int i = 0; i < 4; i++) {
        at[i] = m.list[i];
        end[i] = m.list[i] + m.length[i];
    }
    for (bool goes_on = true; goes_on;) {
        int32_t keys[4][kRound + 1];
        uint64_t left = 0;
        for (int i = 0; i < 4; i++) {
            make_keys<T>(keys[i], at[i], static_cast<uint64_t>(end[i] - at[i]));
            left += static_cast<uint64_t>(end[i] - at[i]);
        }
        goes_on = merge_round(to, at, end, keys, left < kRound ? left : kRound, m.suspends) && left > kRound;
    }
    for (int i = 0; i < 4; i++) m.used[i] = static_cast<uint32_t>(at[i] - m.list[i]);
    return static_cast<uint64_t>(to - dst);
}

const SortTable& sort_loops() {
    static constexpr SortTable table = {{{sort<half>, merge<half>}, {sort<float>, merge<float>}}};
    return table;
}

ACLIMB_LEVEL_END
