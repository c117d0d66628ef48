// SPDX-License-Identifier: Apache-2.0
// Synchronisation through global memory: soft SyncAll, IBSet and IBWait. On hardware a core polls a word that another core
// writes; here the writer wakes those who poll, so that a hang is seen at once. The words are the documented ones: 32 bytes
// for every core (soft SyncAll) or for every (block, event) pair.
#include "core/issue.h"
#include "core/launch.h"
#include "isa/control.h"
#include "isa/move.h"

namespace aclimb {
namespace {

constexpr uint64_t kSlotBytes = 32;

int32_t& word(uint64_t addr) { return *reinterpret_cast<int32_t*>(addr); }

bool all_arrived(uint64_t gm, int32_t cores, int32_t round) {
    for (int32_t i = 0; i < cores; i++)
        if (word(gm + i * kSlotBytes) < round) return false;
    return true;
}

void wake_pollers(Launch& launch) {
    for (size_t i = launch.waiting.size(); i-- > 0;) {
        Core& core = *launch.waiting[i];
        if (core.wait.kind == Wait::gm_all && all_arrived(core.wait.addr, core.wait.cores, core.wait.expected)) wake_core(core);
        if (core.wait.kind == Wait::gm_event && word(core.wait.addr) == core.wait.expected) {
            word(core.wait.addr) = 0;
            wake_core(core);
        }
    }
}

Place at(const GmSync& sync, uint64_t offset) {
    Place place = sync.gm;
    place.addr += offset;
    if (place.size) place.size = place.size > offset ? place.size - offset : 1;
    return place;
}

// One slot for each (event, block): cores * 32 * events bytes in all, the size the documentation asks for.
uint64_t event_offset(Core& core, const GmSync& sync) {
    const int64_t cores = core.block_num * core.task_ratio;
    core.require_range("blockIdx", sync.block_idx, 0, cores - 1);
    core.require_range("eventID", sync.event_id, 0, 255);
    return (static_cast<uint64_t>(sync.event_id) * cores + sync.block_idx) * kSlotBytes;
}

} // namespace

bool execute_gm_sync_all(Core& core, Head& head) {
    const auto& sync = reinterpret_cast<GmSync&>(head);
    require_idle(core, "SyncAll");
    Launch& launch = *core.launch;
    const int32_t cores = sync.used_cores > 0 ? sync.used_cores : static_cast<int32_t>(core.block_num * core.task_ratio);
    core.require_range("usedCores", cores, 1, launch.units);
    core.write(sync.gm, cores * kSlotBytes, 0);
    flush_stores();
    std::unique_lock lock(launch.mutex);
    const int32_t round = ++word(sync.gm.addr + core.core_idx * kSlotBytes);
    wake_pollers(launch);
    if (all_arrived(sync.gm.addr, cores, round)) return true;
    core.wait = {Wait::gm_all, 0, 1, round, cores, sync.gm.addr};
    block_core(core, lock);
    return true;
}

bool execute_ib_set(Core& core, Head& head) {
    const auto& sync = reinterpret_cast<GmSync&>(head);
    require_idle(core, "IBSet");
    const uint64_t offset = event_offset(core, sync);
    core.write(at(sync, offset), kSlotBytes, 0);
    flush_stores();
    Launch& launch = *core.launch;
    std::unique_lock lock(launch.mutex);
    word(sync.gm.addr + offset) = 1;
    wake_pollers(launch);
    return true;
}

bool execute_ib_wait(Core& core, Head& head) {
    const auto& sync = reinterpret_cast<GmSync&>(head);
    require_idle(core, "IBWait");
    const uint64_t offset = event_offset(core, sync);
    core.write(at(sync, offset), kSlotBytes, 0);
    Launch& launch = *core.launch;
    std::unique_lock lock(launch.mutex);
    const uint64_t addr = sync.gm.addr + offset;
    if (word(addr) == 1) {
        word(addr) = 0;
        return true;
    }
    core.wait = {Wait::gm_event, static_cast<uint8_t>(sync.event_id), 0, 1, sync.block_idx, addr};
    block_core(core, lock);
    return true;
}

} // namespace aclimb
