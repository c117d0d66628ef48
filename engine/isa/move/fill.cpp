// SPDX-License-Identifier: Apache-2.0
// fill  a constant into blocks of L1 (32 bytes), L0A or L0B (512 bytes).          Ascend C: InitConstValue, Fill
#include "isa/move.h"
#include "isa/move/geometry.h"

namespace aclimb {
namespace {

void repeat(uint8_t* dst, uint64_t bytes, uint64_t value, uint32_t element) {
    uint8_t pattern[kBlock];
    for (uint32_t at = 0; at < kBlock; at += element) std::memcpy(pattern + at, &value, element);
    for (uint64_t at = 0; at < bytes; at += kBlock) std::memcpy(dst + at, pattern, kBlock);
}

uint32_t unit_of(Datapath& core, const Place& dst) {
    switch (memory_of(dst)) {
    case Memory::L1: return kBlock;
    case Memory::L0A:
    case Memory::L0B: return kFractal;
    default: core.fail_unsupported("InitConstValue fills tensors in A1, B1, A2 or B2; use Duplicate for a tensor in UB.");
    }
}

} // namespace

bool execute_fill(Datapath& core, Head& head) {
    const auto& fill = reinterpret_cast<const Fill&>(head);
    if (fill.repeat == 0 || fill.blocks == 0) return true;
    const uint32_t unit = unit_of(core, fill.dst);
    core.require_range("repeatTimes", fill.repeat, 0, 32767);
    core.require_range("blockNum", fill.blocks, 0, 32767);
    core.require_range("dstGap", fill.dst_gap, 0, 32767);
    if (fill.element != 2 && fill.element != 4)
        core.fail_unsupported("InitConstValue takes half, bfloat16_t, int16_t, uint16_t, float, int32_t and uint32_t.");
    core.require_aligned(fill.dst, unit, 0);

    const Rectangle to = destination_of(fill);
    uint8_t* dst = core.write(fill.dst, to.end() - to.begin, 0);
    for (uint32_t i = 0; i < fill.repeat; ++i, dst += to.stride) repeat(dst, to.length, fill.value, fill.element);
    return true;
}

} // namespace aclimb
