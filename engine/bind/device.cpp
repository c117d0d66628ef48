// SPDX-License-Identifier: Apache-2.0
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cstring>

#include "bind/bind.h"
#include "core/plan.h"

namespace nb = nanobind;

namespace aclimb {
namespace {

LocalSizes sizes_of(const std::vector<uint32_t>& bytes) {
    LocalSizes sizes{};
    for (size_t i = 0; i < bytes.size() && i < kMemories; i++) sizes.bytes[i] = bytes[i];
    return sizes;
}

using BoundStep = std::tuple<int, int, int, int, int, int, uint64_t, uint64_t>; // kind, who, pipe, mode, flag, sub, at, value
std::vector<PlanStep> steps_of(const std::vector<BoundStep>& rows) {
    std::vector<PlanStep> steps;
    for (const auto& [kind, who, pipe, mode, flag, sub, at, value] : rows)
        steps.push_back({static_cast<PlanStep::Kind>(kind), static_cast<PlanStep::Who>(who), static_cast<Pipe>(pipe),
                         static_cast<uint8_t>(mode), static_cast<uint8_t>(flag), sub, at, value});
    return steps;
}

SubKernel sub_kernel_of(nb::dict row) {
    SubKernel sub;
    sub.kernel = nb::cast<BoundKernel&>(row["kernel"]).kernel;
    sub.num_blocks = nb::cast<int64_t>(row["num_blocks"]);
    sub.tiling_key = nb::cast<uint64_t>(row["tiling_key"]);
    sub.args_offset = nb::cast<uint64_t>(row["args_offset"]);
    sub.sets = nb::cast<bool>(row["sets"]);
    sub.waits = nb::cast<bool>(row["waits"]);
    sub.calls_set = nb::cast<bool>(row["calls_set"]);
    sub.calls_wait = nb::cast<bool>(row["calls_wait"]);
    sub.feeds = nb::cast<bool>(row["feeds"]);
    sub.dynamic = nb::cast<bool>(row["dynamic"]);
    sub.tiling_at = nb::cast<uint64_t>(row["tiling_at"]);
    sub.inner_wait[0] = steps_of(nb::cast<std::vector<BoundStep>>(row["aic_wait"]));
    sub.inner_wait[1] = steps_of(nb::cast<std::vector<BoundStep>>(row["aiv_wait"]));
    for (auto pair : nb::cast<nb::list>(row["by_key"]))
        sub.by_key.emplace_back(nb::cast<uint64_t>(pair[0]), nb::cast<BoundKernel&>(pair[1]).kernel);
    return sub;
}

// Everything was checked in Python when the plan was made or read.
BoundKernel fused_kernel(const std::string& name, int type, bool in_block_order, nb::list subs, const std::vector<BoundStep>& aic,
                         const std::vector<BoundStep>& aiv, uint64_t profile_at,
                         const std::vector<std::tuple<std::string, uint32_t, uint32_t>>& parameters) {
    auto kernel = std::make_shared<Kernel>();
    kernel->name = name;
    kernel->type = static_cast<KernelType>(type);
    kernel->in_block_order = in_block_order;
    kernel->plan = std::make_shared<Plan>();
    for (auto row : subs) kernel->plan->subs.push_back(sub_kernel_of(nb::cast<nb::dict>(row)));
    kernel->plan->steps[0] = steps_of(aic);
    kernel->plan->steps[1] = steps_of(aiv);
    kernel->plan->profile_at = profile_at;
    kernel->find_block_local();
    BoundKernel made{kernel, {}, 0};
    for (const auto& [kind, size, offset] : parameters) {
        made.parameters.push_back({kind[0], size, offset});
        made.args_bytes = offset + size;
    }
    return made;
}

void tell_copied(uint64_t dst, uint64_t src, uint64_t bytes) {
    QueueObserver::tell([&](QueueObserver& each) {
        MemoryCopy copy;
        copy.dst = dst;
        copy.src = src;
        copy.width = bytes;
        each.host_copied(copy);
    });
}

} // namespace

void bind_device(nb::module_& module) {
    nb::class_<BoundDevice>(module, "Device")
        .def("__init__",
             [](BoundDevice* self, uint64_t capacity, int aics, int aivs, const std::vector<uint32_t>& aic,
                const std::vector<uint32_t>& aiv, bool early_start) {
                 new (self)
                     BoundDevice{std::make_shared<Device>(capacity, ChipLimits{aics, aivs, sizes_of(aic), sizes_of(aiv), early_start})};
             })
        .def_prop_rw(
            "lax", [](BoundDevice& self) { return self.device->strictness == Strictness::hardware; },
            [](BoundDevice& self, bool lax) { self.device->strictness = lax ? Strictness::hardware : Strictness::strict; })
        .def_prop_ro("capacity", [](BoundDevice& self) { return self.device->memory.capacity(); })
        .def_prop_ro("used", [](BoundDevice& self) { return self.device->memory.used(); })
        .def_prop_ro("allocations", [](BoundDevice& self) { return self.device->memory.count(); })
        .def_prop_ro("pending", [](BoundDevice& self) { return self.device->pending.load(); })
        .def("wait_idle",
             [](BoundDevice& self) {
                 for (;;) { // Ctrl-C gets through
                     {
                         WithoutGil without;
                         if (self.device->wait_idle(50000000)) return;
                     }
                     if (PyErr_CheckSignals() != 0) throw nb::python_error();
                 }
             })
        // A plain address, owned by whoever remembers it or, when kept, by an object of ours; 0: no memory left.
        .def("allocate",
             [](BoundDevice& self, uint64_t size, uint64_t slack, bool kept) {
                 return self.device->memory.allocate(size, slack, kept ? Owner::object : Owner::address, call_site(1));
             })
        .def("release", [](BoundDevice& self, uint64_t addr,
                           bool kept) { return self.device->memory.release(addr, kept ? Owner::object : Owner::address, call_site(1)); })
        .def("find",
             [](BoundDevice& self, uint64_t addr) -> nb::object { // the allocation around or nearest to an address
                 Allocation found;
                 if (!self.device->memory.nearest(addr, found)) return nb::none();
                 return nb::make_tuple(found.addr, found.size);
             })
        .def("contains", [](BoundDevice& self, uint64_t addr) { return self.device->memory.contains(addr); });

    nb::class_<Buffer>(module, "Buffer")
        .def("__init__",
             [](Buffer* self, BoundDevice& owner, uint64_t size) {
                 // address 0: no memory left
                 new (self) Buffer{owner.device, owner.device->memory.allocate(size, 0, Owner::object, call_site(1)), size};
             })
        .def_ro("address", &Buffer::address)
        .def_ro("nbytes", &Buffer::size)
        .def("release", &Buffer::release)
        .def("discard", &Buffer::discard) // as when the object dies: without waiting, the device releases it when it is idle
        // Host addresses come from NumPy arrays that the caller keeps alive.
        .def(
            "copy_in",
            [](Buffer& self, uint64_t host, uint64_t offset, uint64_t size) {
                memcpy(reinterpret_cast<void*>(self.address + offset), reinterpret_cast<const void*>(host), size);
                tell_copied(self.address, host, size);
            },
            nb::call_guard<WithoutGil>())
        .def(
            "copy_out",
            [](Buffer& self, uint64_t host, uint64_t offset, uint64_t size) {
                memcpy(reinterpret_cast<void*>(host), reinterpret_cast<const void*>(self.address + offset), size);
                tell_copied(host, self.address, size);
            },
            nb::call_guard<WithoutGil>());

    nb::class_<BoundImage>(module, "Image")
        .def("__init__", [](BoundImage* self, nb::bytes bytes,
                            const std::string& name) { new (self) BoundImage{std::make_shared<Image>(bytes.c_str(), bytes.size(), name)}; })
        .def_prop_ro("base", [](BoundImage& self) { return self.image->base; });

    nb::class_<BoundKernel>(module, "Kernel")
        .def(
            "__init__",
            [](BoundKernel* self, const std::string& name, int type, bool in_block_order, BoundImage* aic_image, BoundImage* aiv_image,
               const std::string& symbol, const std::vector<std::tuple<std::string, uint32_t, uint32_t>>& parameters, bool prints) {
                auto kernel = std::make_shared<Kernel>();
                const std::shared_ptr<Image> aic = aic_image ? aic_image->image : Kept<Image>();
                const std::shared_ptr<Image> aiv = aiv_image ? aiv_image->image : Kept<Image>();
                kernel->name = name;
                kernel->type = static_cast<KernelType>(type);
                kernel->in_block_order = in_block_order;
                kernel->prints = prints;
                kernel->aic_image = aic;
                kernel->aiv_image = aiv;
                if (aic) kernel->aic_entry = reinterpret_cast<Entry>(aic->symbol(symbol));
                if (aiv) kernel->aiv_entry = reinterpret_cast<Entry>(aiv->symbol(symbol));
                if ((aics_per_block(kernel->type) && !kernel->aic_entry) || (aivs_per_block(kernel->type) && !kernel->aiv_entry))
                    throw std::runtime_error("the image has no entry " + symbol);
                kernel->find_block_local();
                BoundKernel made{kernel, {}, 0};
                for (const auto& [kind, size, offset] : parameters) {
                    made.parameters.push_back({kind[0], size, offset});
                    made.args_bytes = offset + size;
                }
                new (self) BoundKernel(std::move(made));
            },
            nb::arg(), nb::arg(), nb::arg(), nb::arg().none(), nb::arg().none(), nb::arg(), nb::arg(), nb::arg())
        .def_prop_rw(
            "owner", [](BoundKernel& self) { return self.kernel->owner; },
            [](BoundKernel& self, uint64_t number) { self.kernel->owner = number; })
        .def_prop_ro("number", [](BoundKernel& self) { return reinterpret_cast<uint64_t>(self.kernel.get()); }) // as a capture lists it
        .def_prop_ro("addresses", [](BoundKernel& self) { // of the AIC and the AIV entry
            const auto& kernel = *self.kernel;
            return nb::make_tuple(reinterpret_cast<uint64_t>(kernel.aic_entry), reinterpret_cast<uint64_t>(kernel.aiv_entry));
        });
    module.def("fused_kernel", fused_kernel);

    nb::class_<BoundAccesses>(module, "Accesses")
        .def("__init__", [](BoundAccesses* self) { new (self) BoundAccesses{std::make_shared<Accesses>()}; })
        .def("clear", [](BoundAccesses& self) { self.accesses->clear(); })
        .def("ranges", [](BoundAccesses& self) { // (sub-kernel, after its wait, after its set, writes, begin, end)
            nb::list rows;
            for (const auto& [key, ranges] : self.accesses->ranges())
                for (const auto& range : ranges)
                    rows.append(nb::make_tuple(key[0], key[1] != 0, key[2] != 0, key[3] != 0, range.begin, range.end));
            return rows;
        });
}

} // namespace aclimb
