// SPDX-License-Identifier: Apache-2.0
// A kernel as the device process needs it: entries by their offsets in images that went ahead, and the plan of a fused one.
#include "core/launch.h"
#include "core/plan.h"
#include "isolation/wire.h"

namespace aclimb {
namespace {

constexpr uint64_t kNone = ~uint64_t{0};
constexpr uint32_t kMostSteps = 1 << 20, kMostName = 1 << 16;

void add_images(const Kernel& kernel, std::vector<std::shared_ptr<Image>>& found) {
    if (kernel.aic_image) found.push_back(kernel.aic_image);
    if (kernel.aiv_image) found.push_back(kernel.aiv_image);
    if (!kernel.plan) return;
    for (const SubKernel& sub : kernel.plan->subs) {
        if (sub.kernel) add_images(*sub.kernel, found);
        for (const auto& [key, each] : sub.by_key) add_images(*each, found);
    }
}

struct Ids {
    const std::vector<uint64_t>& all;
    size_t next = 0;
};

void put_steps(Writer& to, const std::vector<PlanStep>& steps) {
    to.put(static_cast<uint32_t>(steps.size()));
    for (const PlanStep& each : steps) to.put(each);
}

std::vector<PlanStep> get_steps(Reader& from) {
    std::vector<PlanStep> steps(from.get_count(kMostSteps));
    for (PlanStep& each : steps) each = from.get<PlanStep>();
    return steps;
}

void put_entry(Writer& to, const std::shared_ptr<Image>& image, Entry entry, Ids& ids) {
    to.put(image ? ids.all[ids.next++] : kNone);
    to.put(image && entry ? reinterpret_cast<uint64_t>(entry) - image->base : kNone);
}

void get_entry(Reader& from, FindImage find, std::shared_ptr<Image>& image, Entry& entry) {
    const auto id = from.get<uint64_t>(), offset = from.get<uint64_t>();
    if (id == kNone) return;
    image = find(id);
    if (!image) from.bad = true;
    else if (offset != kNone) entry = reinterpret_cast<Entry>(image->base + offset);
}

void put_one(Writer& to, const Kernel& kernel, Ids& ids);

void put_sub(Writer& to, const SubKernel& sub, Ids& ids) {
    put_one(to, *sub.kernel, ids);
    to.put(sub.num_blocks);
    to.put(sub.tiling_key);
    to.put(sub.args_offset);
    for (const bool each : {sub.sets, sub.waits, sub.calls_set, sub.calls_wait, sub.feeds, sub.dynamic}) to.put(each);
    to.put(sub.tiling_at);
    for (const auto& steps : sub.inner_wait) put_steps(to, steps);
    to.put(static_cast<uint32_t>(sub.by_key.size()));
    for (const auto& [key, each] : sub.by_key) {
        to.put(key);
        put_one(to, *each, ids);
    }
}

SubKernel get_sub(Reader& from, FindImage find) {
    SubKernel sub;
    sub.kernel = get_kernel(from, find);
    sub.num_blocks = from.get<int64_t>();
    sub.tiling_key = from.get<uint64_t>();
    sub.args_offset = from.get<uint64_t>();
    for (bool* each : {&sub.sets, &sub.waits, &sub.calls_set, &sub.calls_wait, &sub.feeds, &sub.dynamic}) *each = from.get<bool>();
    sub.tiling_at = from.get<uint64_t>();
    for (auto& steps : sub.inner_wait) steps = get_steps(from);
    for (uint32_t i = from.get_count(kMostSteps); i > 0; i--) {
        const auto key = from.get<uint64_t>();
        sub.by_key.emplace_back(key, get_kernel(from, find));
    }
    return sub;
}

void put_one(Writer& to, const Kernel& kernel, Ids& ids) {
    to.put_text(kernel.name);
    to.put(static_cast<uint32_t>(kernel.type));
    to.put(kernel.in_block_order);
    to.put(kernel.prints);
    to.put(kernel.asserts);
    to.put(kernel.is_observed);
    to.put(kernel.args_bytes);
    put_entry(to, kernel.aic_image, kernel.aic_entry, ids);
    put_entry(to, kernel.aiv_image, kernel.aiv_entry, ids);
    to.put(kernel.plan != nullptr);
    if (!kernel.plan) return;
    to.put(static_cast<uint32_t>(kernel.plan->subs.size()));
    for (const SubKernel& sub : kernel.plan->subs) put_sub(to, sub, ids);
    for (const auto& steps : kernel.plan->steps) put_steps(to, steps);
    to.put(kernel.plan->profile_at);
}

} // namespace

int64_t members_of(const Launch& launch) { return launch.kernel->plan ? static_cast<int64_t>(launch.kernel->plan->subs.size()) : 0; }

Images images_in(const Kernel& kernel) {
    std::vector<std::shared_ptr<Image>> found;
    add_images(kernel, found);
    return found;
}

void put_kernel(Writer& to, const Kernel& kernel, const std::vector<uint64_t>& image_ids) {
    Ids ids{image_ids};
    put_one(to, kernel, ids);
}

std::shared_ptr<Kernel> get_kernel(Reader& from, FindImage find) {
    auto kernel = std::make_shared<Kernel>();
    kernel->name = from.get_text(kMostName);
    kernel->type = from.get_enum<KernelType>(kNames<KernelType>.size());
    kernel->in_block_order = from.get<bool>();
    kernel->prints = from.get<bool>();
    kernel->asserts = from.get<bool>();
    kernel->is_observed = from.get<bool>();
    kernel->args_bytes = from.get<uint64_t>();
    get_entry(from, find, kernel->aic_image, kernel->aic_entry);
    get_entry(from, find, kernel->aiv_image, kernel->aiv_entry);
    if (from.get<bool>()) {
        kernel->plan = std::make_shared<Plan>();
        for (uint32_t i = from.get_count(kMostSteps); i > 0; i--) kernel->plan->subs.push_back(get_sub(from, find));
        for (auto& steps : kernel->plan->steps) steps = get_steps(from);
        kernel->plan->profile_at = from.get<uint64_t>();
    }
    kernel->find_block_local();
    return kernel;
}

} // namespace aclimb
