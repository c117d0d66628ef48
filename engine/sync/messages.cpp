// SPDX-License-Identifier: Apache-2.0
// Calls that an AIV has its AIC do. The AIV posts a message and goes on, or waits for the answer; the AIC takes the messages of its AIVs,
// one after the other. On hardware these are words of the system workspace and cross-core flags; nothing tells a kernel what is in them.
//
// Whose message is next does not depend on which host thread was faster: the AIC waits until each of its AIVs has sent one, has quit or
// stands still, and takes from the one it has served least.
#include <algorithm>

#include "core/issue.h"
#include "core/launch.h"
#include "core/plan.h"
#include "core/start.h"
#include "isa/move.h"

namespace aclimb {
namespace {

int32_t unit_of(const Core& core, int32_t peer) { return peer == kToCube ? core.first_unit : core.first_aiv + peer; }

int aivs_of(const Core& core) {
    const Kernel& kernel = core.fused ? *core.fused->chosen[static_cast<size_t>(core.origin.sub)].kernel : *core.launch->kernel;
    return aivs_per_block(kernel.type);
}

void require_peer(Core& core) {
    if (ACLIMB_LIKELY(core.mixed)) return;
    core.fail_unsupported("a Matmul object whose calls an AIV makes needs a kernel with AICs and AIVs: declare it __mix__(1, 2) or "
                          "KERNEL_TYPE_MIX_AIC_1_2, or #define ASCENDC_CUBE_ONLY for a kernel of the AIC alone.");
}

// Of the record, behind what every message has.
size_t room_of(const Head& head) { return head.size > sizeof(MessageHead) ? head.size - sizeof(MessageHead) : 0; }

// The core that stands still, or null.
const Core* standing(const Launch& launch, int32_t unit) {
    const auto at = std::find_if(launch.waiting.begin(), launch.waiting.end(), [&](const Core* each) { return each->unit == unit; });
    return at == launch.waiting.end() ? nullptr : *at;
}

// An AIV that has come to WaitPreTaskEnd behind REGIST_MATMUL_OBJ: its next call was made there, or it stands still.
bool is_behind_wait(const Launch& launch, const Core& core, int32_t unit) {
    if (launch.mail.has(core.unit, unit)) return launch.mail.is_behind_wait(core.unit, unit);
    const Core* still = standing(launch, unit);
    return still && still->fused->waited_in == core.origin.sub;
}

// The AIV whose message is next, or -1 while it is not clear. An AIC that has to wait in its place serves those first that have not come
// so far: its wait needs all of them.
int32_t choose_sender(const Launch& launch, const Core& core, uint32_t senders) {
    int32_t best = -1;
    std::pair<bool, uint64_t> least = {true, ~uint64_t{0}};
    const bool owes = owes_wait(core);
    for (int32_t aiv = 0; senders >> aiv; aiv++) {
        if (!(senders >> aiv & 1)) continue;
        const int32_t unit = unit_of(core, aiv);
        if (!launch.mail.has(core.unit, unit)) {
            if (!standing(launch, unit)) return -1;
            continue;
        }
        const std::pair how = {owes && is_behind_wait(launch, core, unit), launch.mail.taken(core.unit, unit)};
        if (how < least) best = aiv, least = how;
    }
    return best;
}

// The AIC never comes to a WaitPreTaskEnd that stands behind REGIST_MATMUL_OBJ. It waits in its place when all AIVs that can still call
// have come to theirs: an AIV's wait may need its half.
bool waits_now(const Launch& launch, const Core& core, uint32_t senders) {
    if (!owes_wait(core)) return false;
    for (int32_t aiv = 0; senders >> aiv; aiv++)
        if (senders >> aiv & 1 && !is_behind_wait(launch, core, unit_of(core, aiv))) return false;
    return true;
}

} // namespace

void wake_receiver(Launch& launch, int32_t unit) {
    for (Core* core : launch.waiting) {
        if (core->unit != unit) continue;
        bool has_come = core->wait.kind == Wait::message && launch.mail.has(unit, core->wait.cores);
        if (core->wait.kind == Wait::any_message) {
            const auto senders = static_cast<uint32_t>(core->wait.expected);
            has_come = choose_sender(launch, *core, senders) >= 0 || waits_now(launch, *core, senders);
        }
        if (has_come) wake_core(*core);
        return;
    }
}

void wake_server_of(Core& core) { wake_receiver(*core.launch, unit_of(core, kToCube)); }

bool execute_post_message(Core& core, Head& head) {
    const auto& message = reinterpret_cast<const MessageHead&>(head);
    require_peer(core);
    if (message.peer >= aivs_of(core)) return true; // this block has no such AIV
    flush_stores();                                 // what this core wrote is visible before the message is
    const uint8_t* body = reinterpret_cast<const Message&>(head).body;
    Launch& launch = *core.launch;
    std::lock_guard lock(launch.mutex);
    const int32_t to = unit_of(core, message.peer);
    const bool behind_wait = core.fused && core.fused->waited_in == core.origin.sub;
    launch.mail.send(to, core.unit, {core.pc, {body, body + std::min<size_t>(message.bytes, room_of(head))}, behind_wait});
    wake_receiver(launch, to);
    return true;
}

bool execute_next_sender(Core& core, Head& head) {
    auto& message = reinterpret_cast<MessageHead&>(head);
    require_peer(core);
    Launch& launch = *core.launch;
    std::unique_lock lock(launch.mutex);
    const auto senders = static_cast<uint32_t>(message.peer & ((1 << aivs_of(core)) - 1));
    const void* line = core.pc;
    message.peer = -1;
    if (!senders) {
        if (core.fused) core.fused->served_at = line;
        return true;
    }
    for (;;) { // one that stood still may go on meanwhile
        if (waits_now(launch, core, senders)) {
            lock.unlock();
            wait_in_its_place(core, line);
            lock.lock();
        }
        if ((message.peer = choose_sender(launch, core, senders)) >= 0) return true;
        core.wait = {Wait::any_message, 0, 0, static_cast<int32_t>(senders), 0, 0};
        launch.servers_waiting++;
        block_core(core, lock);
        lock.lock();
        launch.servers_waiting--;
    }
}

bool execute_take_message(Core& core, Head& head) {
    auto& message = reinterpret_cast<MessageHead&>(head);
    require_peer(core);
    const int32_t from = unit_of(core, message.peer);
    Launch& launch = *core.launch;
    std::unique_lock lock(launch.mutex);
    if (!launch.mail.has(core.unit, from)) {
        core.wait = {Wait::message, 0, 0, 0, from, 0};
        block_core(core, lock);
        lock.lock();
    }
    const Letter letter = launch.mail.take(core.unit, from);
    message.line = letter.line;
    memcpy(reinterpret_cast<Message&>(head).body, letter.body.data(), std::min(letter.body.size(), room_of(head)));
    return true;
}

} // namespace aclimb
