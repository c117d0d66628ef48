// SPDX-License-Identifier: Apache-2.0
// Launch requests, and where their arguments come from: Python values, a list, a host block, device memory.
#include "bind/launch.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstring>

#include "host/args.h"
#include "host/provoke.h"
#include "memory/guarded.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace aclimb {
namespace {

using Placeholders = std::vector<std::pair<uint64_t, uint64_t>>; // offset of the address, offset of the data

uint8_t* make_args(Launch& task, uint64_t size) {
    task.args.resize((std::max(size, task.kernel->args_bytes) + 15) / 8);
    task.args_bytes = size;
    return reinterpret_cast<uint8_t*>(task.args.data());
}

// A block in device memory for the arguments of a launch; 0: none left.
uint64_t take_block(Stream& stream, Launch& task) {
    const uint64_t addr = stream.device()->take_block(task.args_bytes);
    if (addr) task.blocks.push_back(std::make_shared<ArgsBlock>(stream.device(), addr, task.args_bytes));
    return addr;
}

void write_block(uint64_t addr, const uint8_t* args, uint64_t size) {
    const auto quiet = ProvokeSession::quiet();
    memcpy(reinterpret_cast<void*>(addr), args, size);
}

struct Values {
    static constexpr int kFrames = 1;
    const std::vector<Parameter>& parameters;
    uint64_t args_bytes;
    const nb::args& values;

    std::optional<Refusal> refused(Stream&) const {
        return values.size() == parameters.size() ? std::nullopt : std::optional(Refusal::argument_count);
    }
    uint64_t parameter_bytes() const { return args_bytes; }
    std::optional<Refusal> fill(Stream& stream, Launch& task) const {
        uint8_t* args = make_args(task, args_bytes);
        return misfit(args, *stream.device()) < 0 ? std::nullopt : std::optional(Refusal::argument);
    }
    int64_t misfit(uint8_t* args, const Device& device) const { // the first value that does not fit; -1: all do
        for (size_t i = 0; i < parameters.size(); i++)
            if (!pack(values[i].ptr(), parameters[i], args + parameters[i].offset, device)) return static_cast<int64_t>(i);
        return -1;
    }
};

struct List {
    static constexpr int kFrames = 2;
    const ArgsList& list;

    std::optional<Refusal> refused(Stream&) const {
        if (!list.ready()) return list.updating() ? Refusal::updating : Refusal::not_finalised;
        return list.size() ? std::nullopt : std::optional(Refusal::empty);
    }
    uint64_t parameter_bytes() const { return list.parameter_bytes(); } // data of placeholders is no parameter
    std::optional<Refusal> fill(Stream& stream, Launch& task) const {
        uint8_t* args = make_args(task, list.size());
        uint64_t base = 0;
        if (list.has_placeholders() && !(base = take_block(stream, task))) return Refusal::no_memory;
        if (!list.write(args, base)) return Refusal::gone;
        if (base) write_block(base, args, list.size());
        return {};
    }
};

// The addresses of placeholders are also written into the caller's block.
struct HostBytes {
    static constexpr int kFrames = 2;
    uint64_t host, size;
    const Placeholders& placeholders;

    std::optional<Refusal> refused(Stream&) const { return {}; }
    uint64_t parameter_bytes() const { // before the data of the first placeholder
        uint64_t bytes = size;
        for (const auto& placeholder : placeholders) bytes = std::min(bytes, placeholder.second);
        return bytes;
    }
    std::optional<Refusal> fill(Stream& stream, Launch& task) const {
        constexpr uint64_t kWorthLooking = 1 << 16; // before so much memory is asked for
        if (GlobalMemory::owner(host) || (size > kWorthLooking && readable_bytes(host, size) < size)) return Refusal::unreadable;
        uint8_t* args = make_args(task, size);
        if (!copy_guarded(args, reinterpret_cast<const void*>(host), size)) return Refusal::unreadable;
        return placeholders.empty() ? std::nullopt : place(stream, task, args);
    }
    std::optional<Refusal> place(Stream& stream, Launch& task, uint8_t* args) const {
        const uint64_t base = take_block(stream, task);
        if (!base) return Refusal::no_memory;
        for (const auto& [address, data] : placeholders) {
            const uint64_t value = base + data;
            memcpy(args + address, &value, 8);
            if (!copy_guarded(reinterpret_cast<uint8_t*>(host) + address, &value, 8)) return Refusal::read_only;
        }
        write_block(base, args, size);
        return {};
    }
};

// A C struct, as launchers below acl fill it in: pointers and what has 8 bytes lie at multiples of 8, the rest at multiples of 4, so that
// two scalars may share 8 bytes. Each goes to its own place.
struct HostStruct {
    static constexpr int kFrames = 2;
    const Kernel& kernel;
    uint64_t host, size;

    static uint64_t next(uint64_t end, const Parameter& parameter) {
        const uint64_t alignment = parameter.size % 8 ? 4 : 8;
        return (end + alignment - 1) / alignment * alignment;
    }
    static uint64_t bytes(const Kernel& kernel) {
        uint64_t end = 0;
        for (const Parameter& each : kernel.parameters) end = next(end, each) + each.size;
        return end;
    }
    std::optional<Refusal> refused(Stream&) const { return size < bytes(kernel) ? std::optional(Refusal::too_short) : std::nullopt; }
    uint64_t parameter_bytes() const { return kernel.args_bytes; }
    std::optional<Refusal> fill(Stream&, Launch& task) const {
        if (GlobalMemory::owner(host)) return Refusal::unreadable;
        uint8_t* args = make_args(task, kernel.args_bytes);
        uint64_t end = 0;
        for (const Parameter& each : kernel.parameters) {
            const uint64_t at = next(end, each);
            if (!copy_guarded(args + each.offset, reinterpret_cast<const void*>(host + at), each.size)) return Refusal::unreadable;
            end = at + each.size;
        }
        return {};
    }
};

struct DeviceMemory {
    static constexpr int kFrames = 2;
    uint64_t addr, size;

    std::optional<Refusal> refused(Stream& stream) const {
        auto& memory = stream.device()->memory;
        if (!memory.pin(addr, size)) return Refusal::not_there;
        memory.unpin(addr);
        return {};
    }
    uint64_t parameter_bytes() const { return size; }
    std::optional<Refusal> fill(Stream&, Launch& task) const {
        make_args(task, size);
        task.args_at = addr;
        return {};
    }
};

void make(BoundRequest* self, BoundKernel& kernel, int64_t num_blocks, uint64_t tiling_key, uint64_t workspace, Strictness strictness,
          uint64_t limit_ns) {
    auto request = std::make_shared<LaunchRequest>();
    request->kernel = kernel.kernel;
    request->num_blocks = num_blocks;
    request->tiling_key = tiling_key;
    request->system_workspace = reinterpret_cast<uint8_t*>(workspace);
    request->strictness = strictness;
    request->limit_ns = limit_ns;
    new (self) BoundRequest{std::move(request)};
}

std::optional<Refusal> launch(BoundRequest& self, BoundStream& stream, const nb::args& values) {
    const Kernel& kernel = *self.request->kernel;
    return post(*stream.stream, *self.request, Values{kernel.parameters, kernel.args_bytes, values});
}

int64_t misfit(BoundRequest& self, BoundStream& stream, const nb::args& values) {
    const Kernel& kernel = *self.request->kernel;
    std::vector<uint8_t> scratch(kernel.args_bytes + 8);
    return Values{kernel.parameters, kernel.args_bytes, values}.misfit(scratch.data(), *stream.stream->device());
}

BoundRequest with_args(BoundRequest& self, const nb::bytes& args) {
    if (args.size() < self.request->kernel->args_bytes) throw nb::value_error("fewer bytes than the kernel reads");
    auto made = std::make_shared<LaunchRequest>(*self.request);
    made->args_at = 0;
    made->args_bytes = args.size();
    made->args.assign((args.size() + 15) / 8, 0);
    memcpy(made->args.data(), args.c_str(), args.size());
    return {std::move(made)};
}

} // namespace

void bind_launch(nb::module_& module) {
    nb::class_<BoundRequest>(module, "LaunchRequest")
        .def("__init__", make, "kernel"_a, nb::kw_only(), "num_blocks"_a, "tiling_key"_a = 0, "workspace"_a = 0,
             "strictness"_a = Strictness::device, "limit_ns"_a = 0)
        .def("launch", launch, nb::sig("def launch(self, stream: Stream, *args: typing.Any) -> Refusal | None"))
        .def("misfit", misfit, nb::sig("def misfit(self, stream: Stream, *args: typing.Any) -> int"), "After Refusal.argument: which one.")
        .def(
            "launch_list",
            [](BoundRequest& self, BoundStream& stream, const ArgsList& list) { return post(*stream.stream, *self.request, List{list}); },
            "stream"_a, "list"_a)
        .def(
            "launch_block",
            [](BoundRequest& self, BoundStream& stream, uint64_t host, uint64_t size, const Placeholders& placeholders) {
                return post(*stream.stream, *self.request, HostBytes{host, size, placeholders});
            },
            "stream"_a, "host"_a, "size"_a, "placeholders"_a = Placeholders(),
            "Placeholders are (offset of the address, offset of the data).")
        .def(
            "launch_struct",
            [](BoundRequest& self, BoundStream& stream, uint64_t host, uint64_t size) {
                return post(*stream.stream, *self.request, HostStruct{*self.request->kernel, host, size});
            },
            "stream"_a, "host"_a, "size"_a)
        .def_prop_ro("struct_bytes", [](BoundRequest& self) { return HostStruct::bytes(*self.request->kernel); })
        .def(
            "launch_at",
            [](BoundRequest& self, BoundStream& stream, uint64_t addr, uint64_t size) {
                return post(*stream.stream, *self.request, DeviceMemory{addr, size});
            },
            "stream"_a, "address"_a, "size"_a)
        .def("with_args", with_args, "args"_a, "The same launch of these bytes.")
        .def_prop_ro("kernel", [](BoundRequest& self) { return reinterpret_cast<uint64_t>(self.request->kernel.get()); }) // its number
        .def_prop_ro("name", [](BoundRequest& self) { return self.request->kernel->name; })
        .def_prop_ro("num_blocks", [](BoundRequest& self) { return self.request->num_blocks; })
        .def_prop_ro("tiling_key", [](BoundRequest& self) { return self.request->tiling_key; })
        .def_prop_ro("workspace", [](BoundRequest& self) { return reinterpret_cast<uint64_t>(self.request->system_workspace); })
        .def_prop_ro("args_at", [](BoundRequest& self) { return self.request->args_at; }) // 0: they travel with the launch
        .def_prop_ro("args", [](BoundRequest& self) {
            return nb::bytes(reinterpret_cast<const char*>(self.request->args.data()), self.request->args_bytes);
        });
}

} // namespace aclimb
