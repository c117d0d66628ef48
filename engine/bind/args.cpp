// SPDX-License-Identifier: Apache-2.0
// Argument lists.
#include <nanobind/nanobind.h>
#include <nanobind/stl/variant.h>

#include "bind/bind.h"
#include "host/args.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace aclimb {
namespace {

using Taken = std::variant<uint64_t, ArgsStatus>; // a value, or why there is none; the words are Python's

Taken either(ArgsStatus status, const uint64_t& value) { // by reference: the call that sets it is an argument, too
    return status == ArgsStatus::ok ? Taken(value) : Taken(status);
}

} // namespace

void bind_args(nb::module_& module) {
    module.attr("MAX_PARAMETERS") = ArgsList::kMaxParameters;
    nb::class_<ArgsList>(module, "ArgsList")
        .def(nb::init<>())
        .def("init", [](ArgsList& self) { self.init(); })
        .def(
            "init_in",
            [](ArgsList& self, uint64_t handle, uint64_t buffer, uint64_t size, uint32_t most) {
                return self.init(reinterpret_cast<uint8_t*>(handle), reinterpret_cast<uint8_t*>(buffer), size, most);
            },
            "handle"_a, "buffer"_a, "size"_a, "most"_a)
        .def_prop_ro("alive", &ArgsList::alive)
        .def(
            "append",
            [](ArgsList& self, uint64_t value, uint64_t size) {
                uint64_t number = 0;
                return either(self.append(reinterpret_cast<const void*>(value), size, number), number);
            },
            "value"_a, "size"_a)
        .def("append_placeholder",
             [](ArgsList& self) {
                 uint64_t number = 0;
                 return either(self.append_placeholder(number), number);
             })
        .def(
            "placeholder_buffer",
            [](ArgsList& self, uint64_t number, uint64_t size) {
                uint64_t host = 0;
                return either(self.placeholder_buffer(number, size, host), host);
            },
            "number"_a, "size"_a)
        .def(
            "update",
            [](ArgsList& self, uint64_t number, uint64_t value, uint64_t size) {
                return self.update(number, reinterpret_cast<const void*>(value), size);
            },
            "number"_a, "value"_a, "size"_a)
        .def("size_of", &ArgsList::size_of, "number"_a)
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
