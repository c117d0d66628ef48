// SPDX-License-Identifier: Apache-2.0
// Argument lists, and the launches whose arguments are bytes: of a list, of a host block, of device memory.
#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include <cstring>

#include "bind/bind.h"
#include "host/args.h"
#include "memory/guarded.h"

namespace nb = nanobind;

namespace aclimb {
namespace {

// How a kernel is launched, apart from its arguments.
struct Order {
    Kept<Kernel> kernel;
    int64_t num_blocks;
    uint64_t tiling_key, limit_ns;
    uint64_t args_bytes; // that the kernel reads
};

// What Python finds the words for.
enum class Refused : int {
    no = 0,
    stopped = -2,
    not_finalised = -3,
    updating = -4,
    empty = -5,
    too_short = -6,
    no_memory = -7,
    not_there = -8,
    unreadable = -9, // the host block
    read_only = -10, // that takes no address of a placeholder
    gone = -11       // the user's memory that holds the list
};
int number(Refused refused) { return static_cast<int>(refused); }

// A launch with room for its arguments.
Launch& begin(Stream& stream, const Order& order, uint64_t size) {
    Launch& task = stream.begin();
    task.args.resize((std::max(size, order.args_bytes) + 15) / 8);
    task.args_bytes = size;
    task.args_at = 0;
    task.kernel = order.kernel;
    task.num_blocks = order.num_blocks;
    task.tiling_key = order.tiling_key;
    task.limit_ns = order.limit_ns;
    task.system_workspace = nullptr;
    task.site = call_site(2); // called by the launches of acl, each a function below the module's wrapper
    return task;
}

// A block in device memory for the arguments of a launch; 0: none left.
uint64_t take_block(Stream& stream, Launch& task) {
    const uint64_t addr = stream.device()->take_block(task.args_bytes);
    if (addr) task.block = std::make_shared<ArgsBlock>(stream.device(), addr, task.args_bytes);
    return addr;
}

int launch_list(BoundStream& bound, const Order& order, const ArgsList& list) {
    Stream& stream = *bound.stream;
    if (stream.stopped()) return number(Refused::stopped);
    if (!list.ready()) return number(list.updating() ? Refused::updating : Refused::not_finalised);
    if (!list.size()) return number(Refused::empty);
    if (list.parameter_bytes() < order.args_bytes) return number(Refused::too_short); // data of placeholders is no parameter
    make_room(stream);
    Launch& task = begin(stream, order, list.size());
    uint64_t base = 0;
    if (list.has_placeholders() && !(base = take_block(stream, task))) {
        stream.give_back(task);
        return number(Refused::no_memory);
    }
    if (!list.write(reinterpret_cast<uint8_t*>(task.args.data()), base)) {
        stream.give_back(task);
        return number(Refused::gone);
    }
    if (base) memcpy(reinterpret_cast<void*>(base), task.args.data(), list.size());
    stream.post(task);
    return number(Refused::no);
}

// Placeholders are (offset of the address, offset of the data); the addresses are also written into the caller's block.
Refused read_block(Stream& stream, Launch& task, uint64_t host, const std::vector<std::pair<uint64_t, uint64_t>>& placeholders) {
    auto* args = reinterpret_cast<uint8_t*>(task.args.data());
    if (!copy_guarded(args, reinterpret_cast<const void*>(host), task.args_bytes)) return Refused::unreadable;
    if (placeholders.empty()) return Refused::no;
    const uint64_t base = take_block(stream, task);
    if (!base) return Refused::no_memory;
    for (const auto& [address, data] : placeholders) {
        const uint64_t value = base + data;
        memcpy(args + address, &value, 8);
        if (!copy_guarded(reinterpret_cast<uint8_t*>(host) + address, &value, 8)) return Refused::read_only;
    }
    memcpy(reinterpret_cast<void*>(base), args, task.args_bytes);
    return Refused::no;
}

int launch_block(BoundStream& bound, const Order& order, uint64_t host, uint64_t size,
                 const std::vector<std::pair<uint64_t, uint64_t>>& placeholders) {
    Stream& stream = *bound.stream;
    if (stream.stopped()) return number(Refused::stopped);
    uint64_t parameters = size; // before the data of the first placeholder
    for (const auto& placeholder : placeholders) parameters = std::min(parameters, placeholder.second);
    if (parameters < order.args_bytes) return number(Refused::too_short);
    constexpr uint64_t kWorthLooking = 1 << 16; // before so much memory is asked for
    if (GlobalMemory::owner(host) || (size > kWorthLooking && readable_bytes(host, size) < size)) return number(Refused::unreadable);
    make_room(stream);
    Launch& task = begin(stream, order, size);
    if (const Refused refused = read_block(stream, task, host, placeholders); refused != Refused::no) {
        stream.give_back(task);
        return number(refused);
    }
    stream.post(task);
    return number(Refused::no);
}

int launch_device(BoundStream& bound, const Order& order, uint64_t addr, uint64_t size) {
    Stream& stream = *bound.stream;
    if (stream.stopped()) return number(Refused::stopped);
    auto& memory = stream.device()->memory;
    if (!memory.pin(addr, size)) return number(Refused::not_there);
    memory.unpin(addr);
    if (size < order.args_bytes) return number(Refused::too_short);
    make_room(stream);
    Launch& task = begin(stream, order, size);
    task.args_at = addr;
    stream.post(task);
    return number(Refused::no);
}

int64_t either(ArgsStatus status, const uint64_t& value) { // by reference: the call that sets it is an argument, too
    return status == ArgsStatus::ok ? static_cast<int64_t>(value) : -static_cast<int64_t>(status);
}

} // namespace

void bind_args(nb::module_& module) {
    nb::class_<Order>(module, "Order")
        .def("__init__", [](Order* self, BoundKernel& kernel, int64_t num_blocks, uint64_t tiling_key, uint64_t limit_ns) {
            new (self) Order{kernel.kernel, num_blocks, tiling_key, limit_ns, kernel.args_bytes};
        });
    module.def("launch_list", launch_list);
    module.def("launch_block", launch_block);
    module.def("launch_device", launch_device);

    nb::class_<ArgsList>(module, "ArgsList")
        .def(nb::init<>())
        .def("init", [](ArgsList& self) { self.init(); })
        .def("init_in",
             [](ArgsList& self, uint64_t handle, uint64_t buffer, uint64_t size, uint32_t most) {
                 return self.init(reinterpret_cast<uint8_t*>(handle), reinterpret_cast<uint8_t*>(buffer), size, most);
             })
        .def_prop_ro("alive", &ArgsList::alive)
        // Each gives a value, or a status below 0; the words for it are Python's.
        .def("append",
             [](ArgsList& self, uint64_t value, uint64_t size) {
                 uint64_t number = 0;
                 return either(self.append(reinterpret_cast<const void*>(value), size, number), number);
             })
        .def("append_placeholder",
             [](ArgsList& self) {
                 uint64_t number = 0;
                 return either(self.append_placeholder(number), number);
             })
        .def("placeholder_buffer",
             [](ArgsList& self, uint64_t number, uint64_t size) {
                 uint64_t host = 0;
                 return either(self.placeholder_buffer(number, size, host), host);
             })
        .def("update", [](ArgsList& self, uint64_t number, uint64_t value,
                          uint64_t size) { return either(self.update(number, reinterpret_cast<const void*>(value), size), 0); })
        .def("size_of", &ArgsList::size_of)
        .def("finalise", &ArgsList::finalise)
        .def_prop_ro("size", &ArgsList::size)
        .def_prop_ro("parameter_bytes", &ArgsList::parameter_bytes)
        .def_prop_ro("capacity", &ArgsList::capacity)
        .def_prop_ro("data_bytes", &ArgsList::data_bytes)
        .def_prop_ro("most", &ArgsList::most)
        .def("block", [](ArgsList& self) { // as a kernel would find it at device address 0
            std::vector<uint8_t> bytes(self.size());
            self.write(bytes.data(), 0);
            return nb::bytes(reinterpret_cast<const char*>(bytes.data()), bytes.size());
        });
}

} // namespace aclimb
