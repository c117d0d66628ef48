// SPDX-License-Identifier: Apache-2.0
#include "core/hang.h"

#include <algorithm>

#include "aclimb/op.h"
#include "core/schedule.h"

namespace aclimb {
namespace {

std::string list_units(const Launch& launch, const std::vector<int32_t>& units) {
    constexpr size_t kShown = 8;
    std::string text;
    for (size_t i = 0; i < units.size() && i < kShown; i++) text += (i ? ", " : "") + describe_unit(launch, units[i]);
    if (units.size() > kShown) text += " and " + std::to_string(units.size() - kShown) + " more";
    return text;
}

std::vector<int32_t> absent_at(const Launch& launch, const Core& core) {
    std::vector<int32_t> absent;
    if (core.wait.kind == Wait::cross_flag) return launch.cross.missing(core.unit, core.wait.id);
    if (core.wait.kind == Wait::gm_all)
        launch.memory->with(core.wait.addr, 32 * static_cast<uint64_t>(core.wait.cores), [&] { // the program may have freed it
            for (int32_t i = 0; i < core.wait.cores; i++)
                if (*reinterpret_cast<const int32_t*>(core.wait.addr + 32 * static_cast<uint64_t>(i)) < core.wait.expected)
                    absent.push_back(i);
        });
    return absent;
}

std::string describe_wait(const Launch& launch, const Core& core) {
    std::string text;
    switch (core.wait.kind) {
    case Wait::cross_flag:
        if (core.wait.sync_all == 2) {
            text = "what stands between two sub-kernels, flag " + std::to_string(core.wait.id);
            break;
        }
        text = core.wait.sync_all ? "SyncAll" : "CrossCoreWaitFlag(" + std::to_string(core.wait.id) + ")";
        break;
    case Wait::cross_room: text = "CrossCoreSetFlag(" + std::to_string(core.wait.id) + ")"; break;
    case Wait::gm_all: text = "SyncAll (soft)"; break;
    case Wait::gm_event:
        text = "IBWait(block " + std::to_string(core.wait.cores) + ", event " + std::to_string(core.wait.id) + "); nobody has set it";
        break;
    case Wait::gm_empty:
        text = "IBSet(block " + std::to_string(core.wait.cores) + ", event " + std::to_string(core.wait.id) +
               "); nobody has waited for the one before, or the workspace was not zero";
        break;
    case Wait::gm_turn:
        text = "WaitPreBlock; it is the turn of block " +
               std::to_string(launch.turns.find(core.wait.addr)->second % std::max(core.wait.cores, 1)) +
               ", which has not called NotifyNextBlock";
        break;
    case Wait::gm_group: {
        const auto& group = launch.groups.find(core.wait.addr)->second;
        const int64_t waited = group.waited[static_cast<size_t>(core.wait.cores)];
        text = "GroupBarrier::Wait(" + std::to_string(core.wait.cores) + "); not arrived:";
        for (size_t i = 0; i < group.arrived.size(); i++)
            if (group.arrived[i] <= waited) text += " " + std::to_string(i);
        break;
    }
    case Wait::message: text = "the answer of " + describe_unit(launch, core.wait.cores) + " to a call of a Matmul object"; break;
    case Wait::any_message: text = "calls of Matmul objects by its AIVs"; break;
    case Wait::feed: text = "a SyncAll of the sub-kernel that it sits out"; break;
    default: break;
    }
    const auto absent = absent_at(launch, core);
    if (!absent.empty()) text += "; not yet set by " + list_units(launch, absent);
    return text;
}

bool is_full(const Core* core) { return core->wait.kind == Wait::cross_room || (core->scheduled && standing_set(*core)); }

} // namespace

Fault cross_flag_overflow(Core& core) {
    int id = core.wait.id;
    if (const PipeQueue* set = core.scheduled ? standing_set(core) : nullptr) { // in the queue of its pipe
        id = effect_of_first(core, *set).id;
        core.pc = first_of(*set).where;
        core.op = Op::cross_set;
        core.origin = origin_of(*set);
    }
    return std::move(core.make_fault("cross_flag_overflow").number("id", id).number("limit", kCrossLimit));
}

void check_hang(Launch& launch) {
    if (ACLIMB_LIKELY(launch.blocked == 0) || launch.blocked + launch.finished < launch.units || launch.cancelled) return;
    auto waiting = launch.waiting;
    std::sort(waiting.begin(), waiting.end(), [](const Core* a, const Core* b) { return a->unit < b->unit; });
    // A set that found its counter full, and nobody is left to take from it: the others only wait behind it.
    const auto full = std::find_if(waiting.begin(), waiting.end(), is_full);
    auto fault = full == waiting.end() ? waiting[0]->make_fault("hang_across_cores") : cross_flag_overflow(**full);
    if (full != waiting.end()) {
        waiting.erase(full);
        std::erase_if(launch.notes, [&](const Fault& note) { // it was not only slow; a later launch may be
            if (note.kind != "cross_flag_full") return false;
            launch.kernel->told.forget(FaultKind::cross_flag_full, note.pc);
            return true;
        });
    }
    fault.number("waiting", static_cast<int64_t>(waiting.size())).number("ended", launch.finished).number("cores", launch.units);
    constexpr size_t kShown = 8;
    for (size_t i = 0; i < waiting.size() && i < kShown; i++)
        fault.site(describe_unit(launch, waiting[i]->unit) + ": " + describe_wait(launch, *waiting[i]),
                   reinterpret_cast<uint64_t>(waiting[i]->pc));
    launch.fault = std::move(fault);
    launch.fault_unit = -1; // this explains more than any other
    launch.cancelled = true;
    launch.notify();
}

} // namespace aclimb
