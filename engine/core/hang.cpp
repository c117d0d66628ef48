// SPDX-License-Identifier: Apache-2.0
#include "core/hang.h"

#include <algorithm>

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
    case Wait::gm_all: text = "SyncAll (soft)"; break;
    case Wait::gm_event:
        text = "IBWait(block " + std::to_string(core.wait.cores) + ", event " + std::to_string(core.wait.id) + "); nobody has set it";
        break;
    case Wait::feed: text = "a SyncAll of the sub-kernel that it sits out"; break;
    default: break;
    }
    const auto absent = absent_at(launch, core);
    if (!absent.empty()) text += "; not yet set by " + list_units(launch, absent);
    return text;
}

} // namespace

void check_hang(Launch& launch) {
    if (ACLIMB_LIKELY(launch.blocked == 0) || launch.blocked + launch.finished < launch.units || launch.cancelled) return;
    auto waiting = launch.waiting;
    std::sort(waiting.begin(), waiting.end(), [](const Core* a, const Core* b) { return a->unit < b->unit; });
    Core& first = *waiting[0];
    auto fault = first.make_fault("hang_across_cores");
    fault.number("waiting", launch.blocked).number("ended", launch.finished).number("cores", launch.units);
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
