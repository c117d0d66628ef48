// SPDX-License-Identifier: Apache-2.0
// Comparison to bits. Results of successive repeats follow one another without gaps (8 bytes for 32-bit lanes, 16 for 16-bit ones);
// the destination strides and the mask have no effect, as documented for A2 and A3. Counted: whole repeats only, what is left over is
// not compared.
#include "isa/shapes/compare.h"
#include "aclimb/op.h"

#include <cstdio>

#include "isa/shapes/lanewise.h"

namespace aclimb {
namespace {

Lane require_compare(Datapath& core, const Vector& v, bool scalar) {
    core.require_range("cmpMode", v.mode, 0, kCmpmodes - 1);
    require_type(core, v.head.op, source_type(v.head));
    const Lane lane = ACLIMB_PICK(compare_lanes).lane[v.mode][static_cast<int>(column_of(source_type(v.head)))][scalar];
    if (ACLIMB_UNLIKELY(!lane)) {
        static thread_local char sentence[120];
        std::snprintf(sentence, sizeof sentence, "%s of int32_t has only CMPMODE::EQ on this chip; cmpMode is %d. Cast to float first.",
                      api_of(v.head.op), v.mode);
        core.fail_unsupported(sentence);
    }
    return lane;
}

LaneCall compare_call(const Vector& v, Lane lane, const void* scalar) {
    LaneCall call = lane_call(v, lane, source_type(v.head), scalar);
    call.lanes = kRepeatBits >> call.a.bits_shift;
    call.dst = {0, kBlockBytes, call.lanes / 8};
    return call;
}

template <int kSources> void compare_to_bits(Datapath& core, const Vector& v) {
    const LaneCall call = compare_call(v, require_compare(core, v, kSources == 1), &v.scalar);
    Vector whole = v;
    whole.mask[0] = whole.mask[1] = ~uint64_t{0};
    whole.dst_stride = {1, 8};
    whole.count -= v.count % call.lanes;
    Lanewise<kSources, false>::run(core, whole, call);
}

// One repeat into the register.
void compare_to_register(Datapath& core, const Vector& v) {
    const LaneCall call = compare_call(v, require_compare(core, v, false), nullptr);
    require_ub(core, v.a, kBlockBytes, 0);
    require_ub(core, v.b, kBlockBytes, 1);
    const Selection selection = v.counted ? first_lanes(v.count < call.lanes ? v.count : call.lanes) : masked_lanes(v.mask, call.lanes);
    if (selection.end == 0) return;
    alignas(64) uint8_t a[kRepeatBytes], b[kRepeatBytes];
    gather(a, core.read(v.a, call.a.reach(selection.end), 0), call.a, selection);
    gather(b, core.read(v.b, call.b.reach(selection.end), 1), call.b, selection);
    uint64_t bits[2] = {};
    call.lane(bits, a, b, selection.end);
    for (int word = 0; word < 2; word++)
        core.cmp_mask[word] = (core.cmp_mask[word] & ~selection.bits[word]) | (bits[word] & selection.bits[word]);
}

} // namespace

bool run_compare(Datapath& core, Head& head) {
    const Vector& v = vector_of(head);
    if (head.op == Op::vcmp_mask) compare_to_register(core, v);
    else if (head.op == Op::vcmps) compare_to_bits<1>(core, v);
    else compare_to_bits<2>(core, v);
    return true;
}

} // namespace aclimb
