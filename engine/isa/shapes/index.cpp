// SPDX-License-Identifier: Apache-2.0
// CreateVecIndex: lane e of repeat r is scalar + r * lanes + e.
#include "isa/numeric/rounding.h"
#include "isa/shapes/repeat.h"

namespace aclimb {
namespace {

half half_at(uint64_t scalar, uint32_t index, bool saturate) {
    const float sum = odd_float(static_cast<double>(widen(half{static_cast<uint16_t>(scalar)})) + index);
    return narrow_half(saturate ? saturated(sum, kHalfMax) : sum);
}

template <class T, class Value> void fill(uint8_t* to, uint32_t lanes, Value value) {
    for (uint32_t i = 0; i < lanes; i++) {
        const T each = value(i);
        std::memcpy(to + i * sizeof(T), &each, sizeof(T));
    }
}

void make_row(uint8_t* to, const Vector& v, uint32_t first, uint32_t lanes) {
    switch (v.head.dtype) {
    case Dtype::f32: {
        const float from = float_of(static_cast<uint32_t>(v.scalar));
        return fill<float>(to, lanes, [&](uint32_t i) { return canonical(from + static_cast<float>(first + i)); });
    }
    case Dtype::half: return fill<half>(to, lanes, [&](uint32_t i) { return half_at(v.scalar, first + i, v.head.ctrl & kCtrlSaturate); });
    case Dtype::i16: return fill<uint16_t>(to, lanes, [&](uint32_t i) { return static_cast<uint16_t>(v.scalar + first + i); });
    default: return fill<uint32_t>(to, lanes, [&](uint32_t i) { return static_cast<uint32_t>(v.scalar + first + i); });
    }
}

} // namespace

bool run_index(Datapath& core, Head& head) {
    const Vector& v = vector_of(head);
    require_type(core, head.op, head.dtype);
    require_ub(core, v.dst, kBlockBytes, 0);
    const Extent extent = extent_of(head.dtype, v.counted == 1 ? Stride{1, 8} : v.dst_stride);
    const Repeats repeats = repeats_of(core, v, kRepeatBits >> extent.bits_shift);
    if (repeats.count == 0) return true;
    if (repeats.each.end > extent.block_lanes() && extent.block == 0) core.require_range("dstBlkStride", 0, 1, 65535);
    uint8_t* to = core.write(v.dst, repeats.span(extent), 0);
    for (uint32_t r = 0; r < repeats.count; r++, to += extent.repeat) {
        alignas(64) uint8_t row[kRepeatBytes];
        make_row(row, v, r * repeats.lanes, repeats.of(r).end);
        scatter(to, row, extent, repeats.of(r));
    }
    return true;
}

} // namespace aclimb
