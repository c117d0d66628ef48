// SPDX-License-Identifier: Apache-2.0
// GatherMask: the elements that a pattern or a tensor of bits chooses, packed over all repeats. A block is read before what it leaves is
// written, so that the destination may be the source.
#include "isa/shapes/gather_mask.h"

namespace aclimb {
namespace {

struct Choice {
    const GatherMask& shape;
    uint32_t pattern;    // 0: bits
    const uint8_t* bits; // of the first repeat

    // Which elements of block `block` of repeat `repeat` are kept.
    uint32_t of(uint32_t repeat, uint32_t block) const {
        const uint32_t lanes = shape.src.block_lanes(), left = shape.elements - block * lanes;
        const uint32_t there = left < lanes ? (1u << left) - 1 : (1u << lanes) - 1;
        if (pattern) return kPatternBits[pattern] & there;
        const uint8_t* at = bits + uint64_t{repeat} * shape.bits_step + block * lanes / 8;
        return (lanes == 8 || left <= 8 ? at[0] : at[0] | at[1] << 8) & there;
    }
    uint32_t blocks() const { return (shape.elements - 1) / shape.src.block_lanes() + 1; }
};

uint64_t kept_by(const Choice& choice) {
    uint64_t kept = 0;
    for (uint32_t r = 0; r < choice.shape.repeats; r++)
        for (uint32_t block = 0, end = choice.blocks(); block < end; block++)
            kept += static_cast<uint64_t>(__builtin_popcount(choice.of(r, block)));
    return kept;
}

template <class T> void pack(uint8_t* to, const uint8_t* from, const Choice& choice) {
    const Extent& src = choice.shape.src;
    const uint32_t full = (1u << src.block_lanes()) - 1;
    for (uint32_t r = 0; r < choice.shape.repeats; r++, from += src.repeat)
        for (uint32_t block = 0, end = choice.blocks(); block < end; block++) {
            uint32_t bits = choice.of(r, block);
            if (bits == 0) continue;
            T stage[kBlockBytes / sizeof(T)];
            std::memcpy(stage, from + uint64_t{block} * src.block, src.bytes(32 - static_cast<uint32_t>(__builtin_clz(bits))));
            if (bits == full) {
                std::memcpy(to, stage, kBlockBytes);
                to += kBlockBytes;
                continue;
            }
            for (; bits; bits &= bits - 1, to += sizeof(T)) std::memcpy(to, stage + __builtin_ctz(bits), sizeof(T));
        }
}

} // namespace

bool run_gather_mask(Datapath& core, Head& head) {
    const Vector& v = vector_of(head);
    require_type(core, head.op, head.dtype);
    require_ub(core, v.dst, kBlockBytes, 0);
    require_ub(core, v.a, kBlockBytes, 1);
    core.require_range("repeatTimes", v.repeat, 0, 65535);
    core.require_range("src1Pattern", v.mode, 0, 7);
    const GatherMask shape = gather_mask_of(v);
    core.gathered = 0;
    if (shape.is_empty()) return true;
    Choice choice{shape, v.mode, nullptr};
    if (v.mode == 0) {
        require_ub(core, v.b, kBlockBytes, 2);
        choice.bits = core.read(v.b, shape.bits_bytes(), 2);
    }
    const uint64_t kept = kept_by(choice);
    const uint8_t* from = core.read(v.a, shape.src_bytes(), 1);
    uint8_t* to = core.write(v.dst, shape.src.bytes(kept), 0);
    if (shape.src.bits_shift == 4) pack<uint16_t>(to, from, choice);
    else pack<uint32_t>(to, from, choice);
    core.gathered = kept;
    return true;
}

} // namespace aclimb
