// SPDX-License-Identifier: Apache-2.0
#include <nanobind/nanobind.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <sys/mman.h>
#include <sys/stat.h>

#include <algorithm>

#include "bind/bind.h"
#include "bind/images.h"
#include "core/plan.h"

namespace nb = nanobind;

namespace aclimb {

NamedImages images_of(const Kernel& kernel, int32_t sub) {
    NamedImages images;
    auto add = [&](const Kernel& each, const std::string& suffix) {
        if (each.aic_image) images.emplace_back("AIC" + suffix, each.aic_image);
        if (each.aiv_image) images.emplace_back("AIV" + suffix, each.aiv_image);
    };
    add(kernel, "");
    for (size_t i = 0; kernel.plan && i < kernel.plan->subs.size(); i++) add(*kernel.plan->subs[i].kernel, "#" + std::to_string(i));
    const std::string first = "#" + std::to_string(sub);
    if (sub >= 0) std::stable_partition(images.begin(), images.end(), [&](const auto& each) { return each.first.substr(3) == first; });
    return images;
}

nb::tuple locate(const NamedImages& images, uint64_t pc, nb::dict& used) {
    for (const auto& [name, image] : images)
        if (image->has_code(pc)) {
            used[name.c_str()] = nb::none();
            return nb::make_tuple(name, pc - image->base);
        }
    return nb::make_tuple("", 0);
}

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

BoundFault fault_of(const TaskError& error) {
    const Fault& fault = error.fault;
    static const Kernel none; // a copy has no kernel
    const Kernel& kernel = error.kernel ? *error.kernel : none;
    const SubKernel* sub = kernel.plan && fault.sub >= 0 && static_cast<size_t>(fault.sub) < kernel.plan->subs.size()
                               ? &kernel.plan->subs[static_cast<size_t>(fault.sub)]
                               : nullptr;
    const auto images = images_of(kernel, sub ? fault.sub : -1);
    BoundFault made{fault,
                    kernel.name,
                    sub ? sub->kernel->name : "",
                    kernel.type,
                    kernel.owner,
                    kernel.serial,
                    sub ? fault.sub : -1,
                    error.task,
                    error.thread,
                    {},
                    {},
                    {},
                    place_of(error.site),
                    nb::none()};
    nb::dict used;
    made.where = locate(images, fault.pc, used);
    for (const auto& site : fault.sites) made.sites.append(nb::make_tuple(site.label, locate(images, site.pc, used)));
    const Kernel& own = sub ? *sub->kernel : kernel; // where other places of the same code are looked for
    made.images["AIC"] = image_bytes(own.aic_image);
    made.images["AIV"] = image_bytes(own.aiv_image);
    for (const auto& [name, image] : images)
        if (used.contains(name.c_str())) made.images[name.c_str()] = image_bytes(image);
    if (error.args) made.args = nb::cast(error.args);
    return made;
}

namespace {

int64_t number_of(const BoundFault& self, FaultNumber name) {
    for (const auto& [key, value] : self.fault.numbers)
        if (key == name) return value;
    throw nb::attribute_error((std::string(enum_name<FaultKind>(self.fault.kind)) + " has no " + enum_name(name)).c_str());
}

std::vector<std::string> texts_of(const BoundFault& self, FaultText name) {
    std::vector<std::string> found;
    for (const auto& [key, value] : self.fault.texts)
        if (key == name) found.push_back(value);
    return found;
}

} // namespace

void bind_fault(nb::module_& module) {
    auto bound = nb::class_<BoundFault>(module, "Fault", "A number that this kind of fault has not is no attribute; a text is empty.")
                     .def_prop_ro("kind", [](const BoundFault& self) { return self.fault.kind.value; })
                     .def_ro("kernel", &BoundFault::kernel)
                     .def_ro("kernel_type", &BoundFault::kernel_type)
                     .def_ro("owner", &BoundFault::owner)
                     .def_ro("loaded", &BoundFault::loaded)
                     .def_ro("sub", &BoundFault::sub)
                     .def_ro("sub_name", &BoundFault::sub_name)
                     .def_prop_ro("block", [](const BoundFault& self) { return self.fault.block; })
                     .def_prop_ro("core_type", [](const BoundFault& self) { return self.fault.core_type; })
                     .def_prop_ro("core_idx", [](const BoundFault& self) { return self.fault.core_idx; })
                     .def_prop_ro("instruction", [](const BoundFault& self) { return self.fault.instruction; })
                     .def_prop_ro("went_on", [](const BoundFault& self) { return self.fault.went_on; })
                     .def_prop_ro("chip_runs", [](const BoundFault& self) { return self.fault.chip_runs; })
                     .def_prop_ro("claimed", [](const BoundFault& self) { return self.fault.claimed; })
                     .def_ro("task", &BoundFault::task)
                     .def_ro("thread", &BoundFault::thread)
                     .def_ro("where", &BoundFault::where, nb::for_getter(nb::sig("def where(self) -> tuple[str, int]")))
                     .def_ro("sites", &BoundFault::sites, nb::for_getter(nb::sig("def sites(self) -> list[tuple[str, tuple[str, int]]]")))
                     .def_ro("images", &BoundFault::images, nb::for_getter(nb::sig("def images(self) -> dict[str, bytes | None]")))
                     .def_ro("place", &BoundFault::place, nb::for_getter(nb::sig("def place(self) -> tuple[str, int] | None")))
                     .def_ro("args", &BoundFault::args, nb::for_getter(nb::sig("def args(self) -> ArgsBlock | None")))
                     .def_prop_ro("waits", [](const BoundFault& self) { return texts_of(self, FaultText::wait); });
    for (size_t i = 0; i < kNames<FaultNumber>.size(); i++)
        bound.def_prop_ro(kNames<FaultNumber>[i], [i](const BoundFault& self) { return number_of(self, static_cast<FaultNumber>(i)); });
    for (size_t i = 0; i < kNames<FaultText>.size(); i++)
        bound.def_prop_ro(kNames<FaultText>[i], [i](const BoundFault& self) {
            const auto found = texts_of(self, static_cast<FaultText>(i));
            return found.empty() ? std::string() : found[0];
        });
}

} // namespace aclimb
