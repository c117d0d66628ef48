// SPDX-License-Identifier: Apache-2.0
// Conversion: one iteration covers 256 bytes of the wider side, the narrower one has the same lanes in fewer blocks.
#include "isa/shapes/cast.h"

#include <cstdio>

#include "isa/shapes/lanewise.h"

namespace aclimb {
namespace {

constexpr const char* kModes[] = {"CAST_NONE", "CAST_RINT", "CAST_FLOOR", "CAST_CEIL", "CAST_ROUND", "CAST_TRUNC", "CAST_ODD"};

[[noreturn]] void fail_cast(Datapath& core, Dtype dst, Dtype src) {
    static thread_local char sentence[160];
    std::snprintf(sentence, sizeof sentence, "Cast does not convert %s to %s on this chip; go through half or float.", spelling_of(src),
                  spelling_of(dst));
    core.fail_unsupported(sentence);
}

[[noreturn]] void fail_mode(Datapath& core, Dtype dst, Dtype src, unsigned mode, unsigned modes) {
    static thread_local char sentence[256];
    int at = std::snprintf(sentence, sizeof sentence, "Cast from %s to %s does not take %s (%u); it takes", spelling_of(src),
                           spelling_of(dst), mode < 7 ? kModes[mode] : "round mode", mode);
    for (unsigned each = 0; each < 7; each++)
        if (modes >> each & 1) at += std::snprintf(sentence + at, sizeof sentence - at, " %s", kModes[each]);
    core.fail_unsupported(sentence);
}

} // namespace

bool run_cast(Datapath& core, Head& head) {
    const Vector& v = vector_of(head);
    const CastTable& table = ACLIMB_PICK(cast_lanes);
    const int to = static_cast<int>(head.dtype), from = static_cast<int>(head.dtype2);
    const Lane lane = table.lane[to][from];
    if (ACLIMB_UNLIKELY(!lane)) fail_cast(core, head.dtype, head.dtype2);
    if (ACLIMB_UNLIKELY(v.mode > 6 || !(table.modes[to][from] >> v.mode & 1)))
        fail_mode(core, head.dtype, head.dtype2, v.mode, table.modes[to][from]);
    if (head.dtype == Dtype::i4 || head.dtype2 == Dtype::i4) core.require_range("count modulo 2", v.counted ? v.count % 2 : 0, 0, 0);
    const CastOptions options{v.mode, (head.ctrl & kCtrlSaturate) != 0, (head.ctrl & kCtrlCastTruncates) != 0,
                              static_cast<uint16_t>(v.scalar)};
    LaneCall call = lane_call(v, lane, head.dtype2, &options);
    const uint32_t widest = call.dst.bits_shift > call.a.bits_shift ? call.dst.bits_shift : call.a.bits_shift;
    call.lanes = kRepeatBits >> widest;
    Lanewise<1, false>::run(core, v, call);
    return true;
}

} // namespace aclimb
