// SPDX-License-Identifier: Apache-2.0
// UB to UB, bits unchanged. With a mask it is lane-wise like everything else; in counter mode the count is that of each repeat,
// and blocks follow one another with the block stride for as long as the count reaches.
#include "isa/shapes/data.h"
#include "isa/shapes/lanewise.h"

namespace aclimb {
namespace {

void copy_repeat(uint8_t* to, const uint8_t* from, const LaneCall& call, uint32_t count) {
    uint8_t stage[kBlockBytes];
    for (uint64_t left = call.dst.bytes(count); left;) {
        const uint64_t some = left < kBlockBytes ? left : kBlockBytes;
        std::memcpy(stage, from, some);
        std::memcpy(to, stage, some);
        left -= some;
        to += call.dst.block;
        from += call.a.block;
    }
}

void copy_counted(Datapath& core, const Vector& v, const LaneCall& call) {
    require_ub(core, v.dst, kBlockBytes, 0);
    require_ub(core, v.a, kBlockBytes, 1);
    core.require_range("repeat", v.repeat, 0, kMaxRepeat);
    if (v.count == 0 || v.repeat == 0) return;
    const auto before_last = static_cast<uint64_t>(v.repeat - 1);
    uint8_t* to = core.write(v.dst, before_last * call.dst.repeat + call.dst.reach(v.count), 0);
    const uint8_t* from = core.read(v.a, before_last * call.a.repeat + call.a.reach(v.count), 1);
    for (int32_t r = 0; r < v.repeat; r++, to += call.dst.repeat, from += call.a.repeat) copy_repeat(to, from, call, v.count);
}

} // namespace

bool run_move(Datapath& core, Head& head) {
    const Vector& v = vector_of(head);
    require_type(core, head.op, head.dtype);
    LaneCall call = lane_call(v, ACLIMB_PICK(data_loops).copy[bits_shift_of(head.dtype) - 4], head.dtype);
    call.max_repeat_stride = 65535;
    if (v.counted) copy_counted(core, v, call);
    else Lanewise<1, false>::run(core, v, call);
    return true;
}

} // namespace aclimb
