// SPDX-License-Identifier: Apache-2.0
#include "check/issued.h"

#include "aclimb/op.h"
#include "check/exact.h"
#include "check/launch_parts.h"
#include "core/launch.h"
#include "core/plan.h"
#include "core/start.h"

namespace aclimb::check {
namespace {

template <class Record> const Record& as(const Head& head) { return reinterpret_cast<const Record&>(head); }

std::vector<int64_t> numbers_of(const Core& core, const Head& head) {
    if (is_soft_sync(head.op)) {
        const GmSync& sync = as<GmSync>(head);
        const int64_t all = core.block_num * core.task_ratio, used = sync.used_cores > 0 ? sync.used_cores : all;
        return {static_cast<int64_t>(sync.gm.addr), used, sync.block_idx, sync.event_id, core.core_idx, all};
    }
    switch (head.op) {
    case Op::set_flag:
    case Op::wait_flag: return {static_cast<int>(as<Flag>(head).src), static_cast<int>(as<Flag>(head).dst), as<Flag>(head).id};
    case Op::cross_set:
    case Op::cross_wait: return {as<CrossFlag>(head).mode, as<CrossFlag>(head).id};
    case Op::next_task_start: {
        const bool sets =
            has_early_start(core) && core.origin.sub >= 0 && core.launch->kernel->plan->subs[static_cast<size_t>(core.origin.sub)].sets;
        return {sets, flag_of_all(core.core_type)};
    }
    case Op::scalar_load:
    case Op::scalar_store:
        return {static_cast<int>(as<ScalarAccess>(head).way), static_cast<int64_t>(as<ScalarAccess>(head).value), core.in_superkernel};
    case Op::dsb: return {static_cast<int64_t>(as<ScalarAccess>(head).value)};
    case Op::merged_result:
    case Op::gathered_result:
    case Op::sum_result:
    case Op::extreme_result: return {static_cast<int64_t>(row_of(head.op).reads)};
    case Op::mmad:
    case Op::mmad_sparse: return {as<Mmad>(head).m, as<Mmad>(head).n, as<Mmad>(head).unit_flag};
    case Op::fixpipe: return {as<Fixpipe>(head).unit_flag, as<Fixpipe>(head).atomic};
    case Op::copy: return {as<Copy>(head).atomic};
    case Op::sub_kernel: return {as<SubKernelMark>(head).index, as<SubKernelMark>(head).end};
    case Op::post_message:
    case Op::take_message: return {unit_of_peer(core, as<MessageHead>(head).peer)};
    case Op::vsel: return {as<Select>(head).has_mask};
    default: return {};
    }
}

} // namespace

IssuedOfLaunch::IssuedOfLaunch(const Launch& launch) {
    for (int32_t unit = 0; unit < launch.units; unit++) {
        OfCore& core = cores.emplace_back();
        int32_t sub;
        place_unit(launch, unit, core.type, core.block, sub);
    }
}

Observer::Then IssuedOfLaunch::issued(Core& core, Head& head) {
    OfCore& own = cores[static_cast<size_t>(core.unit)];
    IssuedRecord& row = own.rows.emplace_back();
    row.op = head.op;
    row.pipe = head.pipe;
    row.dtype = head.dtype;
    row.sub = core.origin.sub;
    row.pc = reinterpret_cast<uint64_t>(core.pc);
    row.numbers = numbers_of(core, head);
    own.queued[static_cast<size_t>(head.pipe)].push_back(own.rows.size() - 1);
    return Then::go_on;
}

// Each pipe runs its records in the order in which they were issued to it; one that lets the core issue others meanwhile (WaitPreTaskEnd)
// is the last of them to have run.
void IssuedOfLaunch::executed(Core& core, const Head& head, const Ranges& touched) {
    OfCore& own = cores[static_cast<size_t>(core.unit)];
    auto& queued = own.queued[static_cast<size_t>(head.pipe)];
    while (!queued.empty() && own.rows[queued.front()].op == Op::pre_task_end && head.op != Op::pre_task_end) queued.pop_front();
    if (queued.empty()) return;
    IssuedRecord& row = own.rows[queued.front()];
    queued.pop_front();
    row.has_run = true;
    if (head.op == Op::scalar_load) row.numbers = numbers_of(core, head); // with the value it found
    Ranges room;
    for (const Bytes& each : exact(core, head, touched, room)) {
        const OperandRow& operand = row_of(head.op).operand[each.operand];
        row.touched.push_back(each);
        row.memories.push_back(operand.any_memory ? static_cast<Memory>(place_of(head, operand).memory) : operand.memory);
    }
}

} // namespace aclimb::check
