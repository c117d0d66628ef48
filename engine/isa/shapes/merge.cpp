// SPDX-License-Identifier: Apache-2.0
// MrgSort: up to four sorted lists of pairs become one. Several repeats: each has four lists of equal length, one behind the other.
#include "isa/shapes/sort.h"

#include "isa/shapes/repeat.h"

namespace aclimb {
namespace {

constexpr int kLists = 4;
constexpr int64_t kMostPairs = 4095;

void require_lists(Datapath& core, const MergeSort& record) {
    for (int i = 0; i < kLists; i++) core.require_range("elementLengths", record.length[i], 0, kMostPairs);
    core.require_range("repeatTimes", record.vector.repeat, 0, kMaxRepeat);
    if (record.vector.repeat <= 1) return;
    const bool alike = record.length[0] && record.length[0] == record.length[1] && record.length[0] == record.length[2] &&
                       record.length[0] == record.length[3];
    const uint64_t step = uint64_t{record.length[0]} * kPairBytes, first = record.vector.a.addr;
    const bool behind = record.vector.b.addr == first + step && record.c.addr == first + 2 * step && record.d.addr == first + 3 * step;
    if (!alike || !behind || record.suspends)
        core.fail_unsupported("MrgSort with repeatTimes above 1 takes four lists of equal length, one behind the other, validBit 15 and no "
                              "ifExhaustedSuspension; merge them one repeat at a time.");
}

} // namespace

bool run_merge(Datapath& core, Head& head) {
    const auto& record = reinterpret_cast<const MergeSort&>(head);
    const Vector& v = record.vector;
    require_type(core, head.op, head.dtype);
    require_lists(core, record);
    require_ub(core, v.dst, kBlockBytes, 0);
    const Place* places[kLists] = {&v.a, &v.b, &record.c, &record.d};
    const auto repeats = static_cast<uint64_t>(v.repeat);
    Merging merging{};
    merging.suspends = record.suspends;
    uint64_t total = 0;
    for (int i = 0; i < kLists; i++) {
        merging.length[i] = record.length[i];
        total += record.length[i];
        if (!record.length[i]) continue;
        require_ub(core, *places[i], kPairBytes, i + 1);
    }
    if (repeats == 0 || total == 0) {
        core.merged = 0;
        return true;
    }
    for (int i = 0; i < kLists; i++)
        if (record.length[i])
            merging.list[i] = core.read<uint64_t>(*places[i], (total * (repeats - 1) + record.length[i]) * kPairBytes, i + 1);
    auto* to = core.write<uint64_t>(v.dst, total * repeats * kPairBytes, 0);
    const auto merge = ACLIMB_PICK(sort_loops).of[head.dtype == Dtype::f32].merge;
    for (uint64_t r = 0; r < repeats; r++) {
        to += merge(to, merging);
        for (int i = 0; i < kLists; i++)
            if (merging.list[i]) merging.list[i] += total;
    }
    core.merged = 0;
    for (int i = 0; i < kLists; i++) core.merged |= uint64_t{merging.used[i]} << (16 * i);
    return true;
}

} // namespace aclimb
