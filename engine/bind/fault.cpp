// SPDX-License-Identifier: Apache-2.0
#include <nanobind/nanobind.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>

#include <sys/mman.h>
#include <sys/stat.h>

#include "bind/bind.h"

namespace nb = nanobind;

namespace aclimb {
namespace {

// A place as Python wants it: which image, and the offset in it. ("", 0) when it is in neither.
nb::tuple locate(const Kernel& kernel, uint64_t pc) {
    for (const auto& [name, image] : {std::pair{"AIC", kernel.aic_image}, std::pair{"AIV", kernel.aiv_image}})
        if (image && image->has_code(pc)) return nb::make_tuple(name, pc - image->base);
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
    for (const auto& site : fault.sites) sites.append(nb::make_tuple(site.label, locate(kernel, site.pc)));
    facts["kind"] = fault.kind;
    facts["kernel"] = kernel.name;
    facts["kernel_type"] = static_cast<int>(kernel.type);
    facts["owner"] = kernel.owner;
    facts["block"] = fault.block;
    facts["core_type"] = name_of(fault.core_type);
    facts["core_idx"] = fault.core_idx;
    facts["where"] = locate(kernel, fault.pc);
    facts["instruction"] = fault.instruction;
    facts["numbers"] = numbers;
    facts["texts"] = texts;
    facts["sites"] = sites;
    facts["aic_image"] = image_bytes(kernel.aic_image);
    facts["aiv_image"] = image_bytes(kernel.aiv_image);
    facts["task"] = error.task;
    facts["thread"] = error.thread;
    facts["args"] = error.args ? nb::cast(error.args) : nb::none(); // keeps the block
    return facts;
}

} // namespace aclimb
