// SPDX-License-Identifier: Apache-2.0
// Two sources, a destination of another type: a repeat is 256 bytes of the wider one, as in Cast. AddDeqRelu has a scale besides.
#include "isa/shapes/binary_cast.h"

#include <cstdio>

#include "aclimb/op.h"
#include "isa/numeric/rounding.h"
#include "isa/shapes/lanewise.h"

namespace aclimb {
namespace {

[[noreturn]] void fail_pair(Datapath& core, Dtype dst, Dtype src) {
    static thread_local char sentence[160];
    std::snprintf(sentence, sizeof sentence, "%s does not convert %s to %s on this chip; compute first and Cast then.", api_of(core.op),
                  spelling_of(src), spelling_of(dst));
    core.fail_unsupported(sentence);
}

BinaryCast kind_of(Op op) {
    return op == Op::vmulconv ? BinaryCast::mul : op == Op::vaddreluconv ? BinaryCast::add_relu : BinaryCast::sub_relu;
}

// The sum first, as Add has it; then the product rounded once.
template <bool kSaturate> half dequantised(int32_t a, int32_t b, double scale) {
    const auto wide = int64_t{a} + b;
    const int64_t sum = !kSaturate         ? static_cast<int32_t>(static_cast<uint32_t>(wide))
                        : wide > INT32_MAX ? INT32_MAX
                        : wide < INT32_MIN ? INT32_MIN
                                           : wide;
    const float product = odd_float(static_cast<double>(sum) * scale);
    const float result = kSaturate ? saturated(product, kHalfMax) : canonical(product);
    return narrow_half(result != result ? result : result > 0 ? result : 0.0f);
}

template <bool kSaturate> void dequantise(Datapath& core, const Vector& v, const Extent& dst, const Extent& a, const Extent& b) {
    const double scale = widen(half{static_cast<uint16_t>(v.scalar)});
    const Repeats repeats = repeats_of(core, v, kRepeatBytes / sizeof(int32_t));
    if (repeats.count == 0) return;
    if (repeats.each.end > dst.block_lanes() && dst.block == 0) core.require_range("dstBlkStride", 0, 1, 255);
    const uint8_t *from_a = core.read(v.a, repeats.span(a), 1), *from_b = core.read(v.b, repeats.span(b), 2);
    uint8_t* to = core.write(v.dst, repeats.span(dst), 0);
    for (uint32_t r = 0; r < repeats.count; r++, to += dst.repeat, from_a += a.repeat, from_b += b.repeat) {
        alignas(64) int32_t x[kRepeatBytes / 4], y[kRepeatBytes / 4];
        half z[kRepeatBytes / 4];
        const Selection& selection = repeats.of(r);
        gather(reinterpret_cast<uint8_t*>(x), from_a, a, selection);
        gather(reinterpret_cast<uint8_t*>(y), from_b, b, selection);
        for (uint32_t i = 0; i < selection.end; i++)
            if (selection.has(i)) z[i] = dequantised<kSaturate>(x[i], y[i], scale);
        scatter(to, reinterpret_cast<const uint8_t*>(z), dst, selection);
    }
}

void add_deq_relu(Datapath& core, const Vector& v) {
    require_ub(core, v.dst, kBlockBytes, 0);
    require_ub(core, v.a, kBlockBytes, 1);
    require_ub(core, v.b, kBlockBytes, 2);
    const bool dense = v.counted == 1;
    const auto extent = [&](Dtype type, Stride stride, uint16_t repeat) { return extent_of(type, dense ? Stride{1, repeat} : stride); };
    const Extent dst = extent(Dtype::half, v.dst_stride, 4), a = extent(Dtype::i32, v.a_stride, 8), b = extent(Dtype::i32, v.b_stride, 8);
    if (v.head.ctrl & kCtrlSaturate) dequantise<true>(core, v, dst, a, b);
    else dequantise<false>(core, v, dst, a, b);
}

} // namespace

bool run_binary_cast(Datapath& core, Head& head) {
    const Vector& v = vector_of(head);
    require_type(core, head.op, head.dtype);
    if (head.op == Op::vadddeqrelu) {
        if (head.dtype2 != Dtype::i32) fail_pair(core, head.dtype, head.dtype2);
        add_deq_relu(core, v);
        return true;
    }
    const auto& lanes = ACLIMB_PICK(binary_cast_lanes).lane[static_cast<int>(kind_of(head.op))];
    const Lane lane = lanes[static_cast<int>(head.dtype)][static_cast<int>(head.dtype2)][head.ctrl & kCtrlSaturate ? 1 : 0];
    if (ACLIMB_UNLIKELY(!lane)) fail_pair(core, head.dtype, head.dtype2);
    LaneCall call = lane_call(v, lane, head.dtype2);
    call.lanes = kRepeatBits >> call.a.bits_shift; // the sources are the wider ones
    Lanewise<2, false>::run(core, v, call);
    return true;
}

} // namespace aclimb
