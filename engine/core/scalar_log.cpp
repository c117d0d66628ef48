// SPDX-License-Identifier: Apache-2.0
#include "core/scalar_log.h"

#include <algorithm>
#include <tuple>

#include "core/launch.h"
#include "core/plan.h"
#include "isa/ranges.h"

namespace aclimb {
namespace {

std::shared_ptr<Image> image_with(const Kernel& kernel, uint64_t pc) {
    for (const auto& each : {kernel.aiv_image, kernel.aic_image})
        if (each && each->has_code(pc)) return each;
    for (size_t i = 0; kernel.plan && i < kernel.plan->subs.size(); i++)
        if (auto found = image_with(*kernel.plan->subs[i].kernel, pc)) return found;
    return nullptr;
}

} // namespace

Observer::Then ScalarLog::issued(Core& core, Head& head) {
    const ::aclimb::Row& row = row_of(head.op);
    if (row.kind != Class::scalar || row.record_size != sizeof(ScalarAccess)) return Then::go_on;
    const auto& access = reinterpret_cast<const ScalarAccess&>(head);
    const auto pc = reinterpret_cast<uint64_t>(core.pc);
    Ranges touched;
    ranges_of(core, head, touched);
    auto image = image_with(*core.launch->kernel, pc);
    const uint64_t offset = image ? pc - image->base : 0;
    const uint64_t bytes = touched.size() ? touched.begin()->length : 0;
    std::lock_guard lock(mutex_);
    rows_.push_back({core.launch->id, core.unit, core.origin.sub, head.op, access.way, static_cast<Memory>(access.at.memory),
                     access.at.addr, bytes, core.scalar_work, offset, std::move(image)});
    return Then::go_on;
}

void ScalarLog::left(Core& core) {
    std::lock_guard lock(mutex_);
    work_ += core.scalar_work;
    observed_ &= core.launch->kernel->is_observed;
}

std::vector<ScalarLog::Row> ScalarLog::rows() {
    std::lock_guard lock(mutex_);
    std::stable_sort(rows_.begin(), rows_.end(),
                     [](const Row& a, const Row& b) { return std::tie(a.launch, a.unit) < std::tie(b.launch, b.unit); });
    return rows_;
}

void ScalarLog::adopt(std::vector<Row> rows, uint64_t work, bool observed) {
    std::lock_guard lock(mutex_);
    rows_.insert(rows_.end(), rows.begin(), rows.end());
    work_ += work;
    observed_ &= observed;
}

uint64_t ScalarLog::work() {
    std::lock_guard lock(mutex_);
    return work_;
}

bool ScalarLog::observed() {
    std::lock_guard lock(mutex_);
    return observed_;
}

} // namespace aclimb
