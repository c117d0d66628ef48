// SPDX-License-Identifier: Apache-2.0
#include <nanobind/nanobind.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cstring>

#include "bind/bind.h"
#include "core/plan.h"
#include "host/provoke.h"
#include "isa/simd.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace aclimb {
namespace {

// By name; a memory that is not named has no bytes.
LocalSizes sizes_of(const std::map<Memory, uint32_t>& bytes) {
    LocalSizes sizes{};
    for (const auto& [memory, size] : bytes) sizes.bytes[static_cast<size_t>(memory)] = size;
    return sizes;
}

void set_parameters(Kernel& kernel, std::vector<Parameter>&& parameters) {
    kernel.parameters = std::move(parameters);
    if (!kernel.parameters.empty()) kernel.args_bytes = kernel.parameters.back().offset + kernel.parameters.back().size;
}

void make_kernel(BoundKernel* self, const std::string& name, KernelType type, BoundImage* aic, BoundImage* aiv, const std::string& entry,
                 std::vector<Parameter> parameters, bool in_block_order, bool prints, bool asserts, bool reads_clock) {
    auto kernel = std::make_shared<Kernel>();
    kernel->name = name;
    kernel->type = type;
    kernel->in_block_order = in_block_order;
    kernel->prints = prints;
    kernel->asserts = asserts;
    kernel->reads_clock = reads_clock;
    if (aic) kernel->aic_image = aic->image;
    if (aiv) kernel->aiv_image = aiv->image;
    if (aic) kernel->aic_entry = reinterpret_cast<Entry>(aic->image->symbol(entry));
    if (aiv) kernel->aiv_entry = reinterpret_cast<Entry>(aiv->image->symbol(entry));
    if ((aics_per_block(type) && !kernel->aic_entry) || (aivs_per_block(type) && !kernel->aiv_entry))
        throw std::runtime_error("the image has no entry " + entry);
    kernel->find_block_local();
    set_parameters(*kernel, std::move(parameters));
    new (self) BoundKernel{std::move(kernel)};
}

using ByKey = std::vector<std::pair<uint64_t, BoundKernel*>>;

// Everything was checked in Python when the plan was made or read.
void make_sub(SubKernel* self, BoundKernel& kernel, int64_t num_blocks, uint64_t tiling_key, uint64_t args_offset, bool sets, bool waits,
              bool calls_set, bool calls_wait, bool feeds, bool dynamic, uint64_t tiling_at, std::vector<PlanStep> aic_wait,
              std::vector<PlanStep> aiv_wait, const ByKey& by_key) {
    new (self) SubKernel{kernel.kernel,
                         num_blocks,
                         tiling_key,
                         args_offset,
                         sets,
                         waits,
                         calls_set,
                         calls_wait,
                         feeds,
                         dynamic,
                         tiling_at,
                         {std::move(aic_wait), std::move(aiv_wait)},
                         {}};
    for (const auto& [key, each] : by_key) self->by_key.emplace_back(key, each->kernel);
}

BoundKernel fused_kernel(const std::string& name, KernelType type, const std::vector<SubKernel>& subs, std::vector<PlanStep> aic,
                         std::vector<PlanStep> aiv, uint64_t profile_at, std::vector<Parameter> parameters, bool in_block_order) {
    auto kernel = std::make_shared<Kernel>();
    kernel->name = name;
    kernel->type = type;
    kernel->in_block_order = in_block_order;
    kernel->plan = std::make_shared<Plan>(Plan{subs, {std::move(aic), std::move(aiv)}, profile_at});
    kernel->find_block_local();
    set_parameters(*kernel, std::move(parameters));
    return {std::move(kernel)};
}

void bind_kernels(nb::module_& module) {
    nb::class_<BoundImage>(module, "Image")
        .def(
            "__init__",
            [](BoundImage* self, const nb::bytes& bytes, const std::string& name) {
                new (self) BoundImage{std::make_shared<Image>(bytes.c_str(), bytes.size(), name)};
            },
            "content"_a, "name"_a)
        .def_prop_ro("base", [](BoundImage& self) { return self.image->base; });

    module.def(
        "exchange_layout", [] { return std::tuple(offsetof(Ring, exchanges), sizeof(Exchange), offsetof(Exchange, data)); },
        "Where answers stand in a ring: the first exchange, the way to the next, and data in it. For tests that forge some.");
    module.def("map_images_elsewhere", &Image::map_elsewhere, "From now on images are mapped in the processes of isolated devices only.");
    module.def("maps_images_elsewhere", &Image::maps_elsewhere);
    nb::class_<Parameter>(module, "Parameter").def(nb::init<ParameterKind, uint32_t, uint32_t>(), "kind"_a, "size"_a, "offset"_a);
    nb::class_<BoundKernel>(module, "Kernel")
        .def("__init__", make_kernel, "name"_a, "type"_a, "aic"_a.none(), "aiv"_a.none(), "entry"_a, "parameters"_a, nb::kw_only(),
             "in_block_order"_a, "prints"_a, "asserts"_a, "reads_clock"_a = false)
        .def_prop_rw(
            "owner", [](BoundKernel& self) { return self.kernel->owner; },
            [](BoundKernel& self, uint64_t number) {
                self.kernel->owner = number;
                if (self.kernel->observed) self.kernel->observed->owner = number;
            })
        .def(
            "observe",
            [](BoundKernel& self, BoundKernel& twin, bool whole) {
                twin.kernel->is_observed = true;
                twin.kernel->owner = self.kernel->owner;
                self.kernel->observed = twin.kernel;
                self.kernel->observed_whole = whole;
            },
            "twin"_a, nb::kw_only(), "whole"_a, "The same kernel of observed images, which runs in launches that are looked at closely.")
        .def_prop_ro("has_observed", [](BoundKernel& self) { return static_cast<bool>(self.kernel->observed); })
        .def_prop_ro("number", [](BoundKernel& self) { return reinterpret_cast<uint64_t>(self.kernel.get()); }) // as a capture lists it
        .def_prop_ro(
            "addresses",
            [](BoundKernel& self) { // of the AIC and the AIV entry
                const auto& kernel = *self.kernel;
                return nb::make_tuple(reinterpret_cast<uint64_t>(kernel.aic_entry), reinterpret_cast<uint64_t>(kernel.aiv_entry));
            },
            nb::sig("def addresses(self) -> tuple[int, int]"));

    nb::class_<PlanStep>(module, "PlanStep")
        .def(nb::init<PlanStep::Kind, PlanStep::Who, Pipe, uint8_t, uint8_t, int32_t, uint64_t, uint64_t>(), "kind"_a, nb::kw_only(),
             "who"_a, "pipe"_a, "mode"_a, "flag"_a, "sub"_a, "at"_a, "value"_a);
    module.attr("NO_KEY") = SubKernel::kNoKey; // of a dynamic sub-kernel without tiling keys
    nb::class_<SubKernel>(module, "SubKernel")
        .def("__init__", make_sub, "kernel"_a, nb::kw_only(), "num_blocks"_a, "tiling_key"_a, "args_offset"_a, "sets"_a, "waits"_a,
             "calls_set"_a, "calls_wait"_a, "feeds"_a, "dynamic"_a, "tiling_at"_a, "aic_wait"_a, "aiv_wait"_a, "by_key"_a);
    module.def("fused_kernel", fused_kernel, "name"_a, "type"_a, "subs"_a, nb::kw_only(), "aic"_a, "aiv"_a, "profile_at"_a, "parameters"_a,
               "in_block_order"_a);
}

using Window = std::tuple<uint64_t, uint64_t, int32_t, std::string>; // address, bytes, rank, name

void make_ranks(BoundRanks* self, const std::vector<BoundDevice*>& devices, const std::vector<Window>& windows, uint64_t patience_ns) {
    std::vector<RankWindow> made;
    for (const auto& [addr, size, rank, name] : windows) made.push_back({addr, size, rank, name});
    std::vector<RankGroup::Pending> pending;
    for (const BoundDevice* each : devices) pending.emplace_back(std::shared_ptr<Device>(each->device), &each->device->pending);
    new (self) BoundRanks{std::make_shared<RankGroup>(std::move(made), std::move(pending), patience_ns)};
}

void join_ranks(BoundDevice& self, int id, BoundRanks* group, int32_t rank, uint64_t context) {
    self.device->ranks[id] = group ? std::make_shared<const Rank>(Rank{group->group, rank, context}) : nullptr;
}

void isolate(BoundDevice& self, const std::string& program, int threads, uint64_t quarantine, uint64_t memory_limit) {
    Setup setup{};
    setup.threads = threads;
    setup.quarantine = quarantine;
    setup.memory_limit = memory_limit;
    const std::string simd = name_of(simd_level());
    simd.copy(setup.simd, sizeof setup.simd - 1);
    Image::map_elsewhere();
    WithoutGil without;
    self.device->isolate(program, setup);
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
    bind_kernels(module);
    module.attr("RANK_GROUPS") = kRankGroups;
    nb::class_<BoundDevice>(module, "Device")
        .def(
            "__init__",
            [](BoundDevice* self, uint64_t capacity, int aics, int aivs, const std::map<Memory, uint32_t>& aic,
               const std::map<Memory, uint32_t>& aiv, bool early_start, bool isolated) {
                const ChipLimits chip{aics, aivs, sizes_of(aic), sizes_of(aiv), early_start};
                new (self) BoundDevice{std::make_shared<Device>(capacity, chip, isolated)};
            },
            nb::kw_only(), "capacity"_a, "aic_cores"_a, "aiv_cores"_a, "aic_memories"_a, "aiv_memories"_a, "early_start"_a,
            "isolated"_a = false, "An isolated one needs isolate() too.")
        .def("isolate", isolate, nb::kw_only(), "program"_a, "threads"_a, "quarantine"_a, "memory_limit"_a,
             "Starts its process. RuntimeError: why not.")
        .def_prop_ro("isolated", [](BoundDevice& self) { return self.device->process != nullptr; })
        .def_prop_ro("process_id", [](BoundDevice& self) { return self.device->process ? self.device->process->id() : 0; })
        .def_prop_ro("process_starts", [](BoundDevice& self) { return self.device->process ? self.device->process->starts() : 0; })
        .def_prop_rw(
            "strictness", [](BoundDevice& self) { return self.device->strictness.load(); },
            [](BoundDevice& self, Strictness strictness) { self.device->strictness = strictness; })
        .def_prop_ro("capacity", [](BoundDevice& self) { return self.device->memory.capacity(); })
        .def_prop_ro("used", [](BoundDevice& self) { return self.device->memory.used(); })
        .def_prop_ro("allocations", [](BoundDevice& self) { return self.device->memory.count(); })
        .def_prop_ro("pending", [](BoundDevice& self) { return self.device->pending.load(); })
        .def("wait_idle",
             [](BoundDevice& self) {
                 for (;;) { // Ctrl-C gets through
                     {
                         WithoutGil without;
                         if (self.device->wait_idle(50000000)) break;
                     }
                     if (PyErr_CheckSignals() != 0) throw nb::python_error();
                 }
                 QueueObserver::tell([](QueueObserver& each) { each.host_waited_for_all(); });
             })
        // A plain address, owned by whoever remembers it or, when kept, by an object of ours; 0: no memory left.
        .def(
            "allocate",
            [](BoundDevice& self, uint64_t size, uint64_t slack, bool kept) {
                const uint64_t addr = self.device->memory.allocate(size, slack, kept ? Owner::object : Owner::address, call_site(1));
                if (addr) QueueObserver::tell([&](QueueObserver& each) { each.allocated(addr, size); });
                return addr;
            },
            "size"_a, nb::kw_only(), "slack"_a = 0, "kept"_a)
        .def(
            "release",
            [](BoundDevice& self, uint64_t addr, bool kept) {
                const uint32_t site = call_site(1);
                if (Allocation found; QueueObserver::any() && self.device->memory.find(addr, found) && found.addr == addr)
                    QueueObserver::tell([&](QueueObserver& each) { each.freeing(addr, found.size, site); });
                return self.device->memory.release(addr, kept ? Owner::object : Owner::address, site);
            },
            "address"_a, nb::kw_only(), "kept"_a)
        .def(
            "find",
            [](BoundDevice& self, uint64_t addr) -> std::optional<std::pair<uint64_t, uint64_t>> { // address and size
                Allocation found;
                if (!self.device->memory.nearest(addr, found)) return {};
                return std::pair(found.addr, found.size);
            },
            "address"_a, "The allocation around or nearest to an address.")
        .def("join", join_ranks, "id"_a, "group"_a.none(), "rank"_a = 0, "context"_a = 0, "From the next launch on; None: of no group.")
        .def(
            "has_ranks", [](BoundDevice& self, int id) { return self.device->ranks[id] != nullptr; }, "id"_a)
        .def("contains", [](BoundDevice& self, uint64_t addr) { return self.device->memory.contains(addr); }, "address"_a);

    nb::class_<BoundRanks>(module, "RankGroup")
        .def("__init__", make_ranks, "devices"_a, nb::kw_only(), "windows"_a, "patience_ns"_a, "Windows are (address, bytes, rank, name).");

    nb::class_<Buffer>(module, "Buffer")
        .def(
            "__init__",
            [](Buffer* self, BoundDevice& owner, uint64_t size) {
                // address 0: no memory left
                new (self) Buffer{owner.device, owner.device->memory.allocate(size, 0, Owner::object, call_site(1)), size};
                if (self->address) QueueObserver::tell([&](QueueObserver& each) { each.allocated(self->address, size); });
            },
            "device"_a, "size"_a)
        .def_ro("address", &Buffer::address)
        .def_ro("nbytes", &Buffer::size)
        .def("release", &Buffer::release)
        .def("discard", &Buffer::discard) // as when the object dies: without waiting, the device releases it when it is idle
        // Host addresses come from NumPy arrays that the caller keeps alive.
        .def(
            "copy_in",
            [](Buffer& self, uint64_t host, uint64_t offset, uint64_t size) {
                const auto quiet = ProvokeSession::quiet();
                memcpy(reinterpret_cast<void*>(self.address + offset), reinterpret_cast<const void*>(host), size);
                tell_copied(self.address + offset, host, size);
            },
            "host"_a, "offset"_a, "size"_a, nb::call_guard<WithoutGil>())
        .def(
            "copy_out",
            [](Buffer& self, uint64_t host, uint64_t offset, uint64_t size) {
                const auto quiet = ProvokeSession::quiet();
                memcpy(reinterpret_cast<void*>(host), reinterpret_cast<const void*>(self.address + offset), size);
                tell_copied(host, self.address + offset, size);
            },
            "host"_a, "offset"_a, "size"_a, nb::call_guard<WithoutGil>());

    nb::class_<BoundAccesses>(module, "Accesses")
        .def("__init__", [](BoundAccesses* self) { new (self) BoundAccesses{std::make_shared<Accesses>()}; })
        .def("clear", [](BoundAccesses& self) { self.accesses->clear(); })
        .def(
            "ranges",
            [](BoundAccesses& self) {
                std::vector<std::tuple<int64_t, bool, bool, bool, uint64_t, uint64_t>> rows;
                for (const auto& [key, ranges] : self.accesses->ranges())
                    for (const auto& range : ranges)
                        rows.emplace_back(key[0], key[1] != 0, key[2] != 0, key[3] != 0, range.begin, range.end);
                return rows;
            },
            "(sub-kernel, after its wait, after its set, writes, begin, end)");
}

} // namespace aclimb
