// SPDX-License-Identifier: Apache-2.0
// The rules of a SuperKernel that are looked after while it runs: how often set and wait are called, and what one sub-kernel leaves for the
// next.
#include "core/fused_rules.h"

#include <algorithm>

#include "aclimb/op.h"
#include "core/core.h"
#include "core/launch.h"
#include "isa/rows.h"

namespace aclimb {

uint8_t leaks(const Core& core) {
    return static_cast<uint8_t>((core.mask_counted ? kLeakCounter : 0) | (core.atomic_op != AtomicOp::none ? kLeakAtomic : 0) |
                                (core.ctrl ? kLeakModes : 0));
}

void fail_count(Core& core, const char* call, int times, const void* before) {
    auto fault = core.make_fault("early_start_count");
    fault.text("call", call).number("times", times).number("key", static_cast<int64_t>(core.tiling_key));
    fault.number("blocks", core.block_num);
    if (before) fault.site("before", reinterpret_cast<uint64_t>(before));
    core.fail(std::move(fault));
}

namespace {

std::string names_of(uint8_t leaked) {
    std::string text;
    const std::pair<uint8_t, const char*> names[] = {
        {kLeakCounter, "the counter mode of the mask"}, {kLeakAtomic, "the atomic mode"}, {kLeakModes, "the saturation or HF32 mode"}};
    for (const auto& [bit, name] : names)
        if (leaked & bit) text += (text.empty() ? "" : ", ") + std::string(name);
    return text;
}

// Whether a pipe (not the scalar unit) touches global memory in that way.
bool moves(const Head& head, bool (*in_role)(Role)) {
    const Row& row = row_of(head.op);
    if (!handles_data(row.kind)) return false;
    for (int i = 0; i < row.operands; i++)
        if (in_role(row.operand[i].role) && is_in_gm(head, row.operand[i])) return true;
    return false;
}
bool moves_to_gm(const Head& head) { return moves(head, writes); }
bool moves_from_gm(const Head& head) { return moves(head, reads); }

bool stores_to_gm(const Head& head) {
    return head.op == Op::scalar_store && reinterpret_cast<const ScalarAccess&>(head).at.memory == static_cast<uint64_t>(Memory::GM);
}

// Once for each sub-kernel, and not again by this core: `told` is its own list.
void note_once(Core& core, Named<FaultKind> kind, const void* site, const std::string& text = "") {
    Launch& launch = *core.launch;
    auto& told = core.fused->told;
    if (std::find(told.begin(), told.end(), kind.value) != told.end()) return;
    told.push_back(kind);
    if (!launch.kernel->told.first_time(kind, static_cast<uint64_t>(core.origin.sub))) return;
    auto note = core.make_fault(kind);
    if (!text.empty()) note.text("what", text);
    if (site) note.site("before", reinterpret_cast<uint64_t>(site));
    launch.note(std::move(note));
}

void look_for_leak(Core& core, const Head& head) {
    uint8_t& leaked = core.fused->leaked;
    if (core.tpipe) leaked &= kLeakModes; // TPipe's constructor puts the others right
    uint8_t used = 0;
    const Row& row = row_of(head.op);
    if (row.kind == Class::vector && reinterpret_cast<const Vector&>(head).counted != 1) used |= kLeakCounter;
    if (row.kind == Class::vector || row.time == TimeUnit::steps) used |= kLeakModes;
    if (moves_to_gm(head)) used |= kLeakAtomic;
    if (!(leaked & used)) return;
    if (leaks(core) & leaked & used) note_once(core, "state_leak", nullptr, names_of(leaked & used));
    leaked = 0;
}

void count_early_start(Core& core, const Head& head) {
    const SubKernel& sub = *core.fused->sub;
    const bool is_set = head.op == Op::next_task_start;
    uint8_t& times = is_set ? core.early_set : core.early_wait;
    const char* call = is_set ? "SetNextTaskStart" : "WaitPreTaskEnd";
    if (times < 255) times++;
    if (!has_early_start(core)) return;
    if (times > 1 && (is_set ? sub.sets : sub.waits)) fail_count(core, call, times, is_set ? core.fused->set_site : nullptr);
    if (!(is_set ? sub.calls_set : sub.calls_wait)) core.fail(core.make_fault("early_start_unannounced").text("call", call));
    if (!is_set) return;
    core.fused->set_site = core.pc;
    if (!sub.sets) return;
    if (core.core_type == CoreType::AIV && head.pipe == Pipe::S) note_once(core, "set_on_scalar_pipe", nullptr);
    else if (core.fused->copying & ~bit_of(head.pipe)) note_once(core, "set_on_other_pipe", nullptr, name_of(head.pipe));
}

// Copies to global memory on the wrong side of set or wait. What the core has waited for is no longer under way.
void look_at_copies(Core& core, const SubKernel& sub, const Head& head) {
    uint8_t& copying = core.fused->copying;
    if (head.op == Op::pipe_barrier && head.pipe == Pipe::ALL) copying = 0;
    if (head.op == Op::wait_flag) copying &= static_cast<uint8_t>(~bit_of(reinterpret_cast<const Flag&>(head).src));
    const bool copies = moves_to_gm(head), too_early = sub.waits && !core.early_wait;
    if (copies) copying |= bit_of(head.pipe);
    if (copies || stores_to_gm(head)) {
        if (sub.sets && core.early_set) note_once(core, "set_before_copy", core.fused->set_site);
        if (too_early) note_once(core, "wait_after_write", nullptr);
    } else if (too_early && moves_from_gm(head)) {
        note_once(core, "wait_after_copy", nullptr);
    }
}

class FusedRules final : public Observer {
    Then issued(Core& core, Head& head) override {
        const SubKernel* sub = core.fused->sub;
        if (!sub) return Then::go_on;
        core.origin.waited = !sub->waits || core.early_wait;
        core.origin.set = core.early_set != 0;
        if (core.fused->leaked) look_for_leak(core, head);
        if (head.op == Op::next_task_start || head.op == Op::pre_task_end) count_early_start(core, head);
        else if (sub->sets || sub->waits) look_at_copies(core, *sub, head);
        return Then::go_on;
    }
};

} // namespace

std::shared_ptr<Observer> fused_rules() {
    static const auto& rules = *new std::shared_ptr<Observer>(std::make_shared<FusedRules>()); // it keeps nothing
    return rules;
}

void sync_all_begins(Core& core, const CrossFlag& flag, bool is_set) {
    const SubKernel* sub = core.fused->sub;
    if (!sub || !sub->feeds || core.core_idx != 0) return;
    const bool aic = core.core_type == CoreType::AIC;
    bool mixed;
    if (!aic && is_set && (flag.id == kAllAivs || flag.id == kAivsToAic)) {
        mixed = flag.id == kAivsToAic;
    } else if (aic && !is_set && flag.id == kAivsToAic) {
        mixed = core.fused->in_mixed_sync = true;
    } else if (aic && is_set && flag.id == kAllAics) {
        if (core.fused->in_mixed_sync) { // the middle of one that has begun
            core.fused->in_mixed_sync = false;
            return;
        }
        mixed = false;
    } else {
        return;
    }
    Launch& launch = *core.launch;
    const int kind = kind_index(core.core_type);
    std::unique_lock lock(launch.mutex);
    auto& state = launch.feeds[static_cast<size_t>(core.origin.sub)];
    state.index[kind]++;
    state.mixed[kind] = mixed;
    wake_all(launch, [&](const Core& each) { return each.wait.kind == Wait::feed && each.core_type == core.core_type; });
}

} // namespace aclimb
