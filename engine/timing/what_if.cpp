// SPDX-License-Identifier: Apache-2.0
#include "timing/what_if.h"

namespace aclimb::timing {
namespace {

constexpr uint64_t kApart = uint64_t{1} << 40, kPlacesApart = uint64_t{1} << 48; // a copy's memory, and where its cores meet

void change_move(TapeEntry& entry, const WhatIf& change, uint64_t offset) {
    entry.addr += offset;
    if (change.past_l2 && !(entry.info & kWrites)) entry.info |= kBypass;
    if (!change.aligned) return;
    entry.addr &= ~(kLineBytes - 1);
    const auto lines = (entry.stride + static_cast<int64_t>(kLineBytes) / 2) / static_cast<int64_t>(kLineBytes);
    if (entry.stride > static_cast<int64_t>(kLineBytes)) entry.stride = lines * static_cast<int64_t>(kLineBytes);
}

bool meets(EntryKind kind) {
    return kind == EntryKind::meet || kind == EntryKind::arrive || kind == EntryKind::wait_round || kind == EntryKind::exchange ||
           kind == EntryKind::post || kind == EntryKind::take;
}

void add_changed(Tape& to, const Tape& from, const WhatIf& change, uint64_t copy) {
    const uint64_t offset = copy * kApart;
    for (uint32_t i = 0; i < from.size(); i++) {
        TapeEntry entry = from[i];
        if (entry.kind == EntryKind::move) change_move(entry, change, offset);
        if (entry.kind == EntryKind::scalar_gm) entry.addr += offset;
        if (meets(entry.kind)) entry.addr += copy * kPlacesApart;
        if (entry.kind == EntryKind::exchange) entry.stride += static_cast<int64_t>(copy * kPlacesApart);
        if (entry.kind == EntryKind::vector && change.no_conflicts) entry.b = 16;
        if (entry.kind == EntryKind::barrier && change.no_barriers) {
            entry.kind = EntryKind::control;
            entry.pipe = Pipe::S;
        }
        to.add() = entry;
    }
}

} // namespace

LaunchTiming timed_again(const Parameters& parameters, KernelType type, const std::vector<Tape>& tapes, int64_t num_blocks,
                         const WhatIf& change) {
    Work work;
    work.type = type;
    work.num_blocks = num_blocks * change.copies;
    work.second_buffer = change.second_buffer;
    work.tapes.resize(tapes.size() * static_cast<size_t>(change.copies));
    for (size_t i = 0; i < work.tapes.size(); i++) add_changed(work.tapes[i], tapes[i % tapes.size()], change, i / tapes.size());
    L2 l2(parameters.l2_bytes());
    if (change.warm) Simulation(parameters, l2, work, false).run();
    return Simulation(parameters, l2, work, false).run();
}

} // namespace aclimb::timing
