// SPDX-License-Identifier: Apache-2.0
// Repeat r takes elements 8 r to 8 r + 7 of the source; element j fills block j of the destination. The mask has no say.
#include "isa/shapes/repeat.h"

namespace aclimb {
namespace {

template <class T> void broadcast(uint8_t* dst, const uint8_t* src, const Extent& extent, int32_t repeats) {
    for (int32_t r = 0; r < repeats; r++, dst += extent.repeat, src += 8 * sizeof(T))
        for (uint32_t j = 0; j < 8; j++) {
            T value, block[kBlockBytes / sizeof(T)];
            std::memcpy(&value, src + j * sizeof(T), sizeof(T));
            for (T& each : block) each = value;
            std::memcpy(dst + j * extent.block, block, sizeof block);
        }
}

} // namespace

bool run_broadcast_block(Datapath& core, Head& head) {
    const Vector& v = vector_of(head);
    require_type(core, head.op, head.dtype);
    require_ub(core, v.dst, kBlockBytes, 0);
    require_ub(core, v.a, kBlockBytes, 1);
    core.require_range("repeat", v.repeat, 0, kMaxRepeat);
    if (v.repeat == 0) return true;
    const Extent extent = extent_of(head.dtype, v.dst_stride);
    core.require_range("dstBlkStride", v.dst_stride.block, 1, 65535);
    uint8_t* dst = core.write(v.dst, static_cast<uint64_t>(v.repeat - 1) * extent.repeat + 7ull * extent.block + kBlockBytes, 0);
    const uint8_t* src = core.read(v.a, extent.bytes(8ull * static_cast<uint64_t>(v.repeat)), 1);
    if (extent.bits_shift == 4) broadcast<uint16_t>(dst, src, extent, v.repeat);
    else broadcast<uint32_t>(dst, src, extent, v.repeat);
    return true;
}

} // namespace aclimb
