// SPDX-License-Identifier: Apache-2.0
#include <nanobind/nanobind.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>

#include <sys/mman.h>
#include <sys/stat.h>

#include <algorithm>

#include "bind/bind.h"
#include "core/plan.h"

namespace nb = nanobind;

namespace aclimb {
namespace {

// Every image of the kernel with a name: AIC and AIV, in a fused kernel with the number of the sub-kernel behind it.
std::vector<std::pair<std::string, std::shared_ptr<Image>>> images_of(const Kernel& kernel) {
    std::vector<std::pair<std::string, std::shared_ptr<Image>>> images;
    auto add = [&](const Kernel& each, const std::string& suffix) {
        if (each.aic_image) images.emplace_back("AIC" + suffix, each.aic_image);
        if (each.aiv_image) images.emplace_back("AIV" + suffix, each.aiv_image);
    };
    add(kernel, "");
    for (size_t i = 0; kernel.plan && i < kernel.plan->subs.size(); i++) add(*kernel.plan->subs[i].kernel, "#" + std::to_string(i));
    return images;
}

// A place as Python wants it: which image, and the offset in it. ("", 0) when it is in none.
nb::tuple locate(const std::vector<std::pair<std::string, std::shared_ptr<Image>>>& images, uint64_t pc, nb::dict& used) {
    for (const auto& [name, image] : images)
        if (image->has_code(pc)) {
            used[name.c_str()] = nb::none();
            return nb::make_tuple(name, pc - image->base);
        }
    return nb::make_tuple("", 0);
}

} // namespace

nb::object image_bytes(const std::shared_ptr<Image>& image) {
    if (!image) return nb::none();
    struct stat about{};
    fstat(image->fd, &about);
    const auto size = static_cast<size_t>(about.st_size);
    void* view = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, image->fd, 0);
    if (view == MAP_FAILED) return nb::none();
    nb::bytes bytes(static_cast<const char*>(view), size);
    munmap(view, size);
    return bytes;
}

// A plain dictionary: the facts, for report/faults.py.
nb::object fault_object(const TaskError& error) {
    const Fault& fault = error.fault;
    nb::dict facts, numbers;
    nb::list texts, sites;
    for (const auto& [name, value] : fault.numbers) numbers[name.c_str()] = value;
    for (const auto& [name, value] : fault.texts) texts.append(nb::make_tuple(name, value));
    static const Kernel none; // a copy has no kernel
    const Kernel& kernel = error.kernel ? *error.kernel : none;
    const SubKernel* sub = kernel.plan && fault.sub >= 0 && static_cast<size_t>(fault.sub) < kernel.plan->subs.size()
                               ? &kernel.plan->subs[static_cast<size_t>(fault.sub)]
                               : nullptr;
    auto images = images_of(kernel);
    if (sub) { // its own come first: a sub-kernel may be there twice
        const std::string mine = "#" + std::to_string(fault.sub);
        std::stable_partition(images.begin(), images.end(), [&](const auto& each) { return each.first.substr(3) == mine; });
    }
    nb::dict used;
    for (const auto& site : fault.sites) sites.append(nb::make_tuple(site.label, locate(images, site.pc, used)));
    facts["kind"] = fault.kind;
    facts["kernel"] = kernel.name;
    facts["kernel_type"] = static_cast<int>(kernel.type);
    facts["owner"] = kernel.owner;
    facts["block"] = fault.block;
    facts["core_type"] = name_of(fault.core_type);
    facts["core_idx"] = fault.core_idx;
    facts["where"] = locate(images, fault.pc, used);
    facts["instruction"] = fault.instruction;
    facts["numbers"] = numbers;
    facts["texts"] = texts;
    facts["sites"] = sites;
    for (const auto& [name, image] : images)
        if (used.contains(name.c_str())) used[name.c_str()] = image_bytes(image);
    const Kernel& own = sub ? *sub->kernel : kernel; // where other places of the same code are looked for
    facts["aic_image"] = image_bytes(own.aic_image);
    facts["aiv_image"] = image_bytes(own.aiv_image);
    facts["images"] = used;
    facts["sub"] = sub ? fault.sub : -1;
    facts["sub_name"] = sub ? sub->kernel->name : "";
    facts["went_on"] = fault.went_on;
    facts["loaded"] = kernel.serial;
    facts["task"] = error.task;
    facts["thread"] = error.thread;
    facts["site"] = place_of(error.site);                           // (file, line) of the call that queued it, or None
    facts["args"] = error.args ? nb::cast(error.args) : nb::none(); // keeps the block
    return facts;
}

} // namespace aclimb
