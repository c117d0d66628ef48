// SPDX-License-Identifier: Apache-2.0
// The geometry every vector instruction shares: a repeat is 256 bytes of the widest operand, seen as 8 blocks of 32 bytes.
// Block j of repeat r lies at base + 32 * (r * repeat stride + j * block stride), for each operand by itself; a narrower operand
// has the same lanes in fewer blocks.
#pragma once
#include <cstring>

#include "isa/datapath.h"
#include "isa/shapes/lane.h"

namespace aclimb {

constexpr uint32_t kBlockBytes = 32, kRepeatBytes = 256;
constexpr uint32_t kRepeatBits = 8 * kRepeatBytes;

// How the lanes of one operand lie in memory.
struct Extent {
    uint32_t bits_shift;    // log2 of the bits of an element: 0 for a compare result, 2 for int4b_t, 4 for half, ...
    uint32_t block, repeat; // distance in bytes from one block, one repeat, to the next

    uint64_t bytes(uint64_t lanes) const { return ((lanes << bits_shift) + 7) >> 3; }
    uint32_t block_lanes() const { return 256u >> bits_shift; }
    // One past the last byte that lanes below `end` touch inside a repeat.
    uint64_t reach(uint32_t end) const {
        const uint32_t last = (end - 1) / block_lanes();
        if (ACLIMB_UNLIKELY(block == 0 && last > 0)) return kBlockBytes;
        return uint64_t{last} * block + bytes(end - last * block_lanes());
    }
    bool is_contiguous(uint32_t lanes) const { return block == kBlockBytes || lanes <= block_lanes(); }
};

constexpr uint8_t kBitsShift[kDtypes] = {3, 3, 3, 4, 4, 5, 5, 6, 6, 4, 4, 5, 2};
inline uint32_t bits_shift_of(Dtype type) { return kBitsShift[static_cast<int>(type)]; }
inline Extent extent_of(Dtype type, Stride stride) {
    return {bits_shift_of(type), stride.block * kBlockBytes, stride.repeat * kBlockBytes};
}

// Which lanes of a repeat take part.
struct Selection {
    uint64_t bits[2];
    uint32_t end; // one past the last selected lane; 0: none
    bool dense;   // every lane below `end` is selected

    uint64_t of(uint32_t first, uint32_t count) const { // count divides 64 and first
        const uint64_t word = bits[first >> 6] >> (first & 63);
        return count == 64 ? word : word & ((uint64_t{1} << count) - 1);
    }
    bool has(uint32_t lane) const { return bits[lane >> 6] >> (lane & 63) & 1; }
};

inline Selection first_lanes(uint32_t count) {
    const auto word = [](uint32_t n) { return n >= 64 ? ~uint64_t{0} : (uint64_t{1} << n) - 1; };
    return {{word(count), count > 64 ? word(count - 64) : 0}, count, true};
}

// Bits beyond the lanes of a repeat are ignored.
inline Selection masked_lanes(const uint64_t mask[2], uint32_t lanes) {
    const Selection all = first_lanes(lanes);
    const uint64_t low = mask[0] & all.bits[0], high = mask[1] & all.bits[1];
    const uint32_t end = high ? 128 - __builtin_clzll(high) : low ? 64 - __builtin_clzll(low) : 0;
    const Selection prefix = first_lanes(end);
    return {{low, high}, end, low == prefix.bits[0] && high == prefix.bits[1]};
}

// What an instruction covers: `count` repeats, all with the lanes of `each` except the last one.
struct Repeats {
    uint32_t count, lanes;
    Selection each, last;
    const Selection& of(uint32_t repeat) const { return repeat + 1 == count ? last : each; }
    uint64_t span(const Extent& extent) const { // bytes from the operand's start to the last one touched
        const uint64_t tail = uint64_t{count - 1} * extent.repeat + extent.reach(last.end);
        if (ACLIMB_LIKELY(last.end == each.end) || count == 1) return tail;
        const uint64_t before = uint64_t{count - 2} * extent.repeat + extent.reach(each.end);
        return before > tail ? before : tail;
    }
};

// count 0: nothing to do (repeat 0, mask 0 or count 0).
inline Repeats repeats_in(const Vector& v, uint32_t lanes) {
    if (v.counted) {
        if (v.count == 0) return {0, lanes, {}, {}};
        const uint32_t count = (v.count - 1) / lanes + 1;
        return {count, lanes, first_lanes(lanes), first_lanes(v.count - (count - 1) * lanes)};
    }
    const Selection each = masked_lanes(v.mask, lanes);
    return {each.end ? static_cast<uint32_t>(v.repeat) : 0, lanes, each, each};
}

constexpr int32_t kMaxRepeat = 255;
// The same, with the repeat count checked.
Repeats repeats_of(Datapath& core, const Vector& v, uint32_t lanes, int32_t max_repeat = kMaxRepeat);

// The blocks of one repeat that hold selected lanes, one behind the other in `to`; and the selected lanes back.
void gather(uint8_t* to, const uint8_t* from, const Extent& extent, const Selection& selection);
void scatter(uint8_t* to, const uint8_t* from, const Extent& extent, const Selection& selection);

// All blocks of a repeat up to a lane, without asking which hold selected ones; and back, whole or where `keep` has ones.
inline void gather_blocks(uint8_t* to, const uint8_t* from, uint32_t distance, uint32_t blocks) {
    for (uint32_t j = 0; j < blocks; j++) std::memcpy(to + j * kBlockBytes, from + uint64_t{j} * distance, kBlockBytes);
}
inline void scatter_blocks(uint8_t* to, const uint8_t* from, uint32_t distance, uint32_t blocks) {
    for (uint32_t j = 0; j < blocks; j++) std::memcpy(to + uint64_t{j} * distance, from + j * kBlockBytes, kBlockBytes);
}
inline void blend_blocks(uint8_t* to, const uint8_t* from, const uint8_t* keep, uint32_t distance, uint32_t blocks) {
    constexpr uint32_t kWords = kBlockBytes / 8;
    for (uint32_t j = 0; j < blocks; j++) {
        uint64_t old[kWords], made[kWords], kept[kWords];
        std::memcpy(old, to + uint64_t{j} * distance, kBlockBytes);
        std::memcpy(made, from + j * kBlockBytes, kBlockBytes);
        std::memcpy(kept, keep + j * kBlockBytes, kBlockBytes);
        for (uint32_t k = 0; k < kWords; k++) old[k] = (old[k] & ~kept[k]) | (made[k] & kept[k]);
        std::memcpy(to + uint64_t{j} * distance, old, kBlockBytes);
    }
}
// Ones in the bytes of selected lanes, of elements of at least a byte.
void spread(uint8_t* keep, const Extent& extent, const Selection& selection);

// True when a lane loop may run over both ranges: the same bytes, or no common one.
inline bool same_or_apart(const uint8_t* a, uint64_t a_bytes, const uint8_t* b, uint64_t b_bytes) {
    return (a == b && a_bytes == b_bytes) || a + a_bytes <= b || b + b_bytes <= a;
}

[[noreturn]] void fail_memory(Datapath& core, const Place& place, int operand);
// Vector operands live in the UB, on the given alignment.
inline void require_ub(Datapath& core, const Place& place, uint32_t alignment, int operand) {
    if (ACLIMB_UNLIKELY(place.memory != static_cast<uint64_t>(Memory::UB))) fail_memory(core, place, operand);
    core.require_aligned(place, alignment, operand);
}

// The instruction does not have this element type; the sentence lists those it has.
[[noreturn]] void fail_type(Datapath& core, Op op, Dtype type);
bool has_type(Op op, Dtype type);
inline void require_type(Datapath& core, Op op, Dtype type) {
    if (ACLIMB_UNLIKELY(!has_type(op, type))) fail_type(core, op, type);
}
Fold fold_of(Op op); // of a reduction
const char* spelling_of(Dtype type);

inline Dtype source_type(const Head& head) { return head.dtype2 == Dtype::none ? head.dtype : head.dtype2; }
inline Vector& vector_of(Head& head) { return reinterpret_cast<Vector&>(head); }

} // namespace aclimb
