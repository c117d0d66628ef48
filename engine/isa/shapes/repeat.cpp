// SPDX-License-Identifier: Apache-2.0
#include "isa/shapes/repeat.h"

#include <cstdio>

namespace aclimb {

Repeats repeats_of(Datapath& core, const Vector& v, uint32_t lanes, int32_t max_repeat) {
    if (!v.counted) core.require_range("repeat", v.repeat, 0, max_repeat);
    return repeats_in(v, lanes);
}

void gather(uint8_t* to, const uint8_t* from, const Extent& extent, const Selection& selection) {
    const uint32_t step = extent.block_lanes();
    for (uint32_t lane = 0; lane < selection.end; lane += step, to += kBlockBytes, from += extent.block)
        if (selection.of(lane, step)) std::memcpy(to, from, kBlockBytes);
}

namespace {

template <class T> void scatter_lanes(uint8_t* to, const uint8_t* from, uint64_t bits) {
    for (; bits; bits &= bits - 1) {
        const size_t at = static_cast<size_t>(__builtin_ctzll(bits)) * sizeof(T);
        std::memcpy(to + at, from + at, sizeof(T));
    }
}

// int4b_t: lanes go in pairs, a pair is a byte; the mask of such an instruction is even.
void scatter_nibbles(uint8_t* to, const uint8_t* from, uint64_t bits) {
    for (int at = 0; at < 32; at++)
        if (bits >> (2 * at) & 3) to[at] = from[at];
}

void scatter_block(uint8_t* to, const uint8_t* from, uint32_t bits_shift, uint64_t bits) {
    switch (bits_shift) {
    case 2: return scatter_nibbles(to, from, bits);
    case 3: return scatter_lanes<uint8_t>(to, from, bits);
    case 4: return scatter_lanes<uint16_t>(to, from, bits);
    case 5: return scatter_lanes<uint32_t>(to, from, bits);
    default: return scatter_lanes<uint64_t>(to, from, bits);
    }
}

} // namespace

void scatter(uint8_t* to, const uint8_t* from, const Extent& extent, const Selection& selection) {
    const uint32_t step = extent.block_lanes();
    if (selection.dense && extent.is_contiguous(selection.end)) {
        std::memcpy(to, from, extent.bytes(selection.end));
        return;
    }
    const uint64_t full = step == 64 ? ~uint64_t{0} : (uint64_t{1} << step) - 1;
    for (uint32_t lane = 0; lane < selection.end; lane += step, to += extent.block, from += kBlockBytes) {
        const uint64_t bits = selection.of(lane, step);
        if (bits == full) std::memcpy(to, from, kBlockBytes);
        else scatter_block(to, from, extent.bits_shift, bits);
    }
}

void spread(uint8_t* keep, const Extent& extent, const Selection& selection) {
    const uint32_t size = 1u << (extent.bits_shift - 3);
    std::memset(keep, 0, kRepeatBytes);
    for (uint32_t lane = 0; lane < selection.end; lane++)
        if (selection.has(lane)) std::memset(keep + lane * size, 0xff, size);
}

const char* spelling_of(Dtype type) {
    constexpr const char* names[kDtypes] = {"no type", "int8_t",   "uint8_t", "int16_t",    "uint16_t", "int32_t", "uint32_t",
                                            "int64_t", "uint64_t", "half",    "bfloat16_t", "float",    "int4b_t"};
    return names[static_cast<int>(type)];
}

void fail_memory(Datapath& core, const Place& place, int operand) {
    static thread_local char sentence[160];
    std::snprintf(sentence, sizeof sentence, "%s works on tensors in the UB; operand %d is in %s. Copy it to the UB first.",
                  api_of(core.op), operand, name_of(static_cast<Memory>(place.memory)));
    core.fail_unsupported(sentence);
}

void fail_type(Datapath& core, Op op, Dtype given) {
    static thread_local char sentence[256];
    int at = std::snprintf(sentence, sizeof sentence, "%s does not take %s on this chip; it takes", api_of(op), spelling_of(given));
    bool first = true;
    for (int type = 0; type < kDtypes; type++)
        if (has_type(op, static_cast<Dtype>(type)) && at < static_cast<int>(sizeof sentence)) {
            at += std::snprintf(sentence + at, sizeof sentence - at, "%s %s", first ? "" : ",", spelling_of(static_cast<Dtype>(type)));
            first = false;
        }
    if (at < static_cast<int>(sizeof sentence)) std::snprintf(sentence + at, sizeof sentence - at, ". Cast first.");
    core.fail_unsupported(sentence);
}

} // namespace aclimb
