// SPDX-License-Identifier: Apache-2.0
// Synchronisation through global memory: soft SyncAll, IBSet and IBWait. On hardware a core polls a word that another core
// writes; here the writer wakes those who poll, so that a hang is seen at once. The words are the documented ones: 32 bytes
// for every core (soft SyncAll) or for every (block, event) pair. They are touched with the launch locked, where a fault would leave
// the lock behind; so memory that a program frees under a running kernel is asked for each time.
#include "sync/gm_sync.h"

#include <algorithm>

#include "core/issue.h"
#include "isa/move.h"

namespace aclimb {
namespace {

int32_t& word(uint64_t addr) { return *reinterpret_cast<int32_t*>(addr); }

bool all_arrived(uint64_t gm, int32_t cores, int32_t round) {
    for (int32_t i = 0; i < cores; i++)
        if (word(gm + i * kSlotBytes) < round) return false;
    return true;
}

bool take_event(uint64_t addr) {
    if (word(addr) != 1) return false;
    word(addr) = 0;
    return true;
}

bool fill_slot(uint64_t addr) {
    if (word(addr) != 0) return false;
    word(addr) = 1;
    return true;
}

bool has_come(Launch& launch, const Core& core) {
    const Wait& wait = core.wait;
    bool come = false;
    if (wait.kind == Wait::gm_all)
        launch.memory->with(wait.addr, wait.cores * kSlotBytes, [&] { come = all_arrived(wait.addr, wait.cores, wait.expected); });
    if (wait.kind == Wait::gm_event) launch.memory->with(wait.addr, kSlotBytes, [&] { come = take_event(wait.addr); });
    if (wait.kind == Wait::gm_empty) launch.memory->with(wait.addr, kSlotBytes, [&] { come = fill_slot(wait.addr); });
    if (wait.kind == Wait::gm_turn) come = is_turn_of(launch, core, wait.addr);
    if (wait.kind == Wait::gm_group) come = take_group(launch, wait.addr, wait.cores);
    return come;
}

} // namespace

void wake_pollers(Launch& launch) {
    for (bool again = true; again;) { // one that goes on may let another
        again = false;
        for (size_t i = launch.waiting.size(); i-- > 0;)
            if (has_come(launch, *launch.waiting[i])) {
                wake_core(*launch.waiting[i]);
                again = true;
            }
    }
}

namespace {

// Between the look at the address and the lock somebody freed the memory.
[[noreturn]] void fail_gone(Core& core, std::unique_lock<std::mutex>& lock, const Place& place, uint64_t span) {
    lock.unlock(); // no destructor runs
    core.window = {};
    core.write(place, span, 0); // does not come back, unless the same place was allocated again just now
    core.fail(core.make_fault("gm_out_of_bounds")
                  .number("operand", 0)
                  .number("addr", static_cast<int64_t>(place.addr))
                  .number("span", static_cast<int64_t>(span)));
}

// The word of a block and event: cores * 32 * events bytes in all, the size the documentation asks for.
Place word_of(Core& core, const GmSync& sync, uint64_t address) {
    core.require_range("blockIdx", sync.block_idx, 0, core.block_num * core.task_ratio - 1);
    core.require_range("eventID", sync.event_id, 0, 255);
    const uint64_t offset = address - sync.gm.addr;
    Place place = sync.gm;
    place.addr = address;
    if (place.size) place.size = place.size > offset ? place.size - offset : 1;
    return place;
}

} // namespace

bool execute_gm_sync_all(Core& core, Head& head) {
    const auto& sync = reinterpret_cast<GmSync&>(head);
    require_idle(core, "SyncAll");
    Launch& launch = *core.launch;
    const auto cores = static_cast<int32_t>(effect_of(core, head).arrivals);
    core.require_range("usedCores", cores, 1, launch.units);
    const uint64_t span = std::max(cores, core.core_idx + 1) * kSlotBytes;
    core.write(sync.gm, span, 0);
    flush_stores();
    std::unique_lock lock(launch.mutex);
    int32_t round = 0;
    bool complete = false;
    const auto arrive = [&] {
        round = ++word(sync.gm.addr + core.core_idx * kSlotBytes);
        complete = all_arrived(sync.gm.addr, cores, round);
    };
    if (!launch.memory->with(sync.gm.addr, span, arrive)) fail_gone(core, lock, sync.gm, span);
    wake_pollers(launch);
    if (complete) return true;
    core.wait = {Wait::gm_all, 0, 1, round, cores, sync.gm.addr};
    block_core(core, lock);
    return true;
}

// One word holds one event: a second set waits until the first was taken.
bool execute_ib_set(Core& core, Head& head) {
    const auto& sync = reinterpret_cast<GmSync&>(head);
    require_idle(core, "IBSet");
    const Place place = word_of(core, sync, effect_of(core, head).signals_at);
    core.write(place, kSlotBytes, 0);
    flush_stores();
    Launch& launch = *core.launch;
    std::unique_lock lock(launch.mutex);
    bool set = false;
    if (!launch.memory->with(place.addr, kSlotBytes, [&] { set = fill_slot(place.addr); })) fail_gone(core, lock, place, kSlotBytes);
    if (set) {
        wake_pollers(launch);
        return true;
    }
    core.wait = {Wait::gm_empty, static_cast<uint8_t>(sync.event_id), 0, 1, sync.block_idx, place.addr};
    block_core(core, lock);
    return true;
}

bool execute_ib_wait(Core& core, Head& head) {
    const auto& sync = reinterpret_cast<GmSync&>(head);
    require_idle(core, "IBWait");
    const Place place = word_of(core, sync, effect_of(core, head).waits_at);
    core.write(place, kSlotBytes, 0);
    Launch& launch = *core.launch;
    std::unique_lock lock(launch.mutex);
    bool come = false;
    if (!launch.memory->with(place.addr, kSlotBytes, [&] { come = take_event(place.addr); })) fail_gone(core, lock, place, kSlotBytes);
    if (come) {
        wake_pollers(launch); // an IBSet that waited for the empty word
        return true;
    }
    core.wait = {Wait::gm_event, static_cast<uint8_t>(sync.event_id), 0, 1, sync.block_idx, place.addr};
    block_core(core, lock);
    return true;
}

} // namespace aclimb
