// SPDX-License-Identifier: Apache-2.0
#include "check/exact.h"
#include "core/start.h"
#include "host/stream.h"
#include "tests/python/issued.h"

namespace aclimb::check {
namespace {

void keep(IssuedRecord& row, const Head& head) {
    const auto* bytes = reinterpret_cast<const uint8_t*>(&head);
    row.record.assign(bytes, bytes + row_of(head.op).record_size);
}

} // namespace

IssuedOfLaunch::IssuedOfLaunch(const Launch& launch) : early_start(launch.chip->early_start) {
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
    row.core_idx = core.core_idx;
    row.cores = static_cast<int32_t>(core.block_num * core.task_ratio);
    row.in_superkernel = core.in_superkernel;
    keep(row, head);
    own.in_flight.issued(head.pipe, static_cast<uint32_t>(own.rows.size() - 1));
    return Then::go_on;
}

void IssuedOfLaunch::executed(Core& core, const Head& head, const Ranges& touched) {
    OfCore& own = cores[static_cast<size_t>(core.unit)];
    IssuedRecord& row = own.rows[own.in_flight.ran(head.pipe)];
    row.has_run = true;
    keep(row, head);
    Ranges room;
    for (const Bytes& each : exact(core, head, touched, room)) {
        const OperandRow& operand = row_of(head.op).operand[each.operand];
        row.touched.push_back(each);
        row.memories.push_back(operand.any_memory ? static_cast<Memory>(place_of(head, operand).memory) : operand.memory);
    }
}

void IssuedSession::queued(Stream&, Task& task) {
    auto* const* launch = std::get_if<Launch*>(&task.work);
    if (!launch) return;
    const RecordedLaunch recorded{(*launch)->kernel, std::make_shared<IssuedOfLaunch>(**launch)};
    (*launch)->observe(recorded.records);
    std::lock_guard lock(mutex_);
    launches_.push_back(recorded);
}

std::vector<RecordedLaunch> IssuedSession::launches() const {
    std::lock_guard lock(mutex_);
    return launches_;
}

} // namespace aclimb::check
