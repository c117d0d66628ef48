// SPDX-License-Identifier: Apache-2.0
#include "isa/shapes/sort.h"

#include <cstring>

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

// The greatest of four heads goes out, the earlier list's where two are equal. A list that is used up has a key below every score.
template <class T> static uint64_t merge(uint64_t* dst, Merging& m) {
    constexpr int64_t kNone = INT64_MIN;
    const uint64_t *at[4], *end[4];
    int64_t key[4];
    uint64_t total = 0;
    const auto head = [&](int i) { return at[i] == end[i] ? kNone : key_of(T{}, static_cast<uint32_t>(*at[i])); };
    for (int i = 0; i < 4; i++) {
        at[i] = m.list[i];
        end[i] = at[i] + m.length[i];
        key[i] = head(i);
        total += m.length[i];
    }
    uint64_t* to = dst;
    for (uint64_t left = total; left; left--) {
        const int low = key[1] > key[0] ? 1 : 0, high = key[3] > key[2] ? 3 : 2;
        const int best = key[high] > key[low] ? high : low;
        *to++ = *at[best]++;
        key[best] = head(best);
        if (key[best] == kNone && m.suspends) break;
    }
    for (int i = 0; i < 4; i++) m.used[i] = static_cast<uint32_t>(at[i] - m.list[i]);
    return static_cast<uint64_t>(to - dst);
}

const SortTable& sort_loops() {
    static constexpr SortTable table = {{{sort<half>, merge<half>}, {sort<float>, merge<float>}}};
    return table;
}

ACLIMB_LEVEL_END
