// SPDX-License-Identifier: Apache-2.0
// Gatherb: block j of repeat r is the 32 bytes of the source at byte offsets[8 r + j]. The mask has no say.
#include "isa/shapes/gather.h"

#include <optional>

#include "isa/shapes/repeat.h"

namespace aclimb {

constexpr uint32_t kBlocksOfRepeat = 8;

namespace {

struct BlocksTo {
    uint8_t* to;
    uint64_t step, repeat_step, blocks;

    uint8_t* block(uint64_t i) const { return to + i / kBlocksOfRepeat * repeat_step + i % kBlocksOfRepeat * step; }
    bool writes(const uint8_t* there) const { // a block of 32 bytes, as all of them are
        for (uint64_t i = 0; i < blocks; i += kBlocksOfRepeat) {
            const auto at = static_cast<uint64_t>(there - block(i)); // before it: too large for the other question
            if (at % step == 0 && at / step < kBlocksOfRepeat) return true;
        }
        return false;
    }
};

// The number of the first block that is read where the instruction writes.
std::optional<uint64_t> read_where_written(const BlocksTo& dst, const uint8_t* from, const uint32_t* offsets) {
    for (uint64_t i = 0; i < dst.blocks; i++)
        if (dst.writes(from + offsets[i])) return i;
    return {};
}

// Each repeat is read before it is written.
void gather_staged(const BlocksTo& dst, const uint8_t* from, const uint32_t* offsets) {
    alignas(64) uint8_t stage[kRepeatBytes];
    for (uint64_t i = 0; i < dst.blocks; i += kBlocksOfRepeat) {
        for (uint32_t j = 0; j < kBlocksOfRepeat; j++) std::memcpy(stage + j * kBlockBytes, from + offsets[i + j], kBlockBytes);
        for (uint32_t j = 0; j < kBlocksOfRepeat; j++) std::memcpy(dst.block(i + j), stage + j * kBlockBytes, kBlockBytes);
    }
}

} // namespace

bool run_gather_block(Datapath& core, Head& head) {
    const Vector& v = vector_of(head);
    require_type(core, head.op, head.dtype);
    require_ub(core, v.dst, kBlockBytes, 0);
    require_ub(core, v.a, kBlockBytes, 1);
    require_ub(core, v.b, kBlockBytes, 2);
    core.require_range("repeatTime", v.repeat, 0, kMaxRepeat);
    if (v.repeat == 0) return true;
    const uint64_t blocks = kBlocksOfRepeat * static_cast<uint64_t>(v.repeat);
    const uint64_t step = (v.dst_stride.block ? v.dst_stride.block : 1) * kBlockBytes; // 0 acts as 1
    const uint64_t repeat_step = v.dst_stride.repeat * kBlockBytes;
    const auto* offsets = core.read<uint32_t>(v.b, blocks * sizeof(uint32_t), 2);
    const OffsetFacts facts = ACLIMB_PICK(gather_loops).look(offsets, blocks);
    if (ACLIMB_UNLIKELY(facts.bits % kBlockBytes)) {
        uint32_t at = 0;
        while (offsets[at] % kBlockBytes == 0) at++;
        core.fail(core.make_fault("gather_offset")
                      .number("value", offsets[at])
                      .number("count", at)
                      .number("alignment", kBlockBytes)
                      .number("addr", 0));
    }
    const uint64_t reach = uint64_t{facts.highest} + kBlockBytes;
    const uint8_t* from = core.read(v.a, reach, 1);
    const uint64_t span = static_cast<uint64_t>(v.repeat - 1) * repeat_step + (kBlocksOfRepeat - 1) * step + kBlockBytes;
    uint8_t* to = core.write(v.dst, span, 0);
    offsets = out_of_the_way(offsets, blocks, to, span);
    if (ACLIMB_UNLIKELY(may_overlap(from, reach, to, span))) {
        const BlocksTo dst = {to, step, repeat_step, blocks};
        if (const auto block = read_where_written(dst, from, offsets)) {
            refuse_overlap(core, v.a, 0, *block, offsets[*block], kBlockBytes);
            gather_staged(dst, from, offsets);
            return true;
        }
    }
    for (uint64_t i = 0; i < blocks; i++)
        std::memcpy(to + i / kBlocksOfRepeat * repeat_step + i % kBlocksOfRepeat * step, from + offsets[i], kBlockBytes);
    return true;
}

} // namespace aclimb
