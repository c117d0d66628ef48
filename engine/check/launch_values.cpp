// SPDX-License-Identifier: Apache-2.0
#include "check/launch_check.h"
#include "core/launch.h"
#include "isa/rows.h"

namespace aclimb::check {
namespace {

int scratch_of(const Row& row) {
    const auto found =
        std::find_if(row.operand, row.operand + row.operands, [](const OperandRow& each) { return each.role == Role::scratches; });
    return static_cast<int>(found - row.operand);
}

} // namespace

// Where a byte without a value matters: the place that first read it, and this one.
void LaunchCheck::look_at_values(Core& core, const Head& head, const Ranges& touched) {
    if (!options_.init) return;
    auto& values = values_[static_cast<size_t>(core.unit)];
    if (!values) values = std::make_unique<Validity>(*core.memory, global_);
    const auto member = static_cast<uint8_t>(core.origin.sub + 1);
    values->enter(member);
    CoreCheck& checked = of(core);
    const uint32_t here = checked.spots.number(spot(core, head));
    thread_local std::vector<Unwritten> told;
    told.clear();
    values->run(core, head, touched, here + 1, member, options_.eager, told);
    for (const Unwritten& each : told) {
        Access second;
        second.agent = agent_of(head.pipe);
        second.site = Spots::with_operand(here, each.operand);
        Access first = second;
        if (each.origin) first.site = Spots::with_operand(each.origin - 1, 0);
        const Row& row = row_of(checked.spots[first.site].op);
        if (each.from_scratch) {
            first.site = Spots::with_operand(each.origin - 1, scratch_of(row));
            first.way = Way::writes;
        }
        if (row.pipe != Pipe::ALL) first.agent = agent_of(row.pipe);
        Finding made;
        made.kind = each.of_other_member ? FindingKind::other_member
                    : each.from_global   ? FindingKind::unwritten_gm
                                         : FindingKind::unwritten;
        made.first = checked.side(first);
        made.second = checked.side(second);
        made.has_second = each.origin && each.origin != here + 1;
        made.memory = each.memory;
        made.begin = each.begin;
        made.end = each.end;
        findings.add(std::move(made));
    }
}

} // namespace aclimb::check
