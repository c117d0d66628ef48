// SPDX-License-Identifier: Apache-2.0
// Kernels whose plain loads, stores and computing are seen: Python makes them, when a launch is looked at so closely for the first time.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "bind/launch.h"
#include "isa/enum_names.h"
#include "isa/rows.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace aclimb {
namespace {

nb::object& maker() {
    static auto& kept = *new nb::object; // outlives the interpreter's own end
    return kept;
}

using ScalarRow =
    std::tuple<uint64_t, int32_t, int32_t, std::string, std::string, std::string, uint64_t, uint64_t, uint64_t, nb::object, uint64_t>;

std::vector<ScalarRow> rows(BoundScalarLog& self) {
    std::vector<ScalarRow> found;
    nb::object bytes;
    const Image* of = nullptr; // most rows are of one image
    for (const auto& each : self.log->rows()) {
        if (!bytes.is_valid() || each.image.get() != of) bytes = image_bytes(each.image);
        of = each.image.get();
        found.emplace_back(each.launch, each.unit, each.sub, row_of(each.op).name, enum_name(each.way), name_of(each.memory), each.addr,
                           each.bytes, each.work, bytes, each.offset);
    }
    return found;
}

} // namespace

void make_observed(Kernel& kernel) {
    if (kernel.observed_whole || kernel.is_observed || !maker().is_valid()) return;
    maker()(reinterpret_cast<uint64_t>(&kernel));
}

void bind_observed(nb::module_& module) {
    module.def(
        "set_observed_maker", [](nb::object call) { maker() = std::move(call); }, "call"_a,
        nb::sig("def set_observed_maker(call: typing.Callable[[int], None]) -> None"),
        "Called with the number of a kernel before its first launch that is looked at so closely; it may call Kernel.observe.");
    nb::class_<BoundScalarLog>(module, "ScalarLog", "What the scalar unit does in the launches of a stream: Stream.set_scalar_log.")
        .def("__init__", [](BoundScalarLog* self) { new (self) BoundScalarLog{std::make_shared<ScalarLog>()}; })
        .def("rows", rows, nb::sig("def rows(self) -> list[tuple[int, int, int, str, str, str, int, int, int, bytes | None, int]]"),
             "(launch, core, sub-kernel, instruction, way, memory, address, bytes, work before, image, offset in it)")
        .def_prop_ro(
            "work", [](BoundScalarLog& self) { return self.log->work(); }, "Operations of the kernels' own code.")
        .def_prop_ro("observed", [](BoundScalarLog& self) { return self.log->observed(); }, "Every launch ran an observed image.");
}

} // namespace aclimb
