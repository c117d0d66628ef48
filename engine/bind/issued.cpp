// SPDX-License-Identifier: Apache-2.0
// Tapes of launches, for a second opinion on their order.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bind/bind.h"
#include "bind/images.h"
#include "host/issued_session.h"
#include "isa/rows.h"

namespace nb = nanobind;

namespace aclimb {
namespace {

struct BoundIssued {
    Kept<check::IssuedSession> session;
};

nb::list touches_of(const check::IssuedRecord& row) {
    nb::list touches;
    for (size_t i = 0; i < row.touched.size(); i++) {
        const Bytes& each = row.touched[i];
        touches.append(nb::make_tuple(name_of(row.memories[i]), name_of(each.role), each.begin, each.length, each.count, each.stride));
    }
    return touches;
}

nb::list rows_of(const check::RecordedLaunch& launch, const check::IssuedOfLaunch::OfCore& core) {
    nb::list rows;
    nb::dict unused;
    const bool fused = launch.kernel->plan != nullptr;
    NamedImages images = images_of(*launch.kernel, -1);
    int32_t sub = -1;
    for (const check::IssuedRecord& row : core.rows) {
        if (fused && row.sub != sub) images = images_of(*launch.kernel, sub = row.sub);
        rows.append(nb::make_tuple(row_of(row.op).name, name_of(row.pipe), static_cast<int>(row.dtype), row.sub, row.numbers,
                                   touches_of(row), locate(images, row.pc, unused), row.has_run));
    }
    return rows;
}

nb::list issued_launches(const BoundIssued& self) {
    nb::list launches;
    for (const check::RecordedLaunch& launch : self.session->launches()) {
        nb::list cores;
        for (const auto& core : launch.records->cores)
            cores.append(nb::make_tuple(core.type == CoreType::AIC ? "AIC" : "AIV", core.block, rows_of(launch, core)));
        nb::dict images;
        for (const auto& [name, image] : images_of(*launch.kernel, -1)) images[name.c_str()] = image_bytes(image);
        launches.append(nb::make_tuple(launch.kernel->name, cores, images));
    }
    return launches;
}

} // namespace

void bind_issued(nb::module_& module) {
    nb::class_<BoundIssued>(module, "Issued", "What every core of every launch issued while it was open.")
        .def("__init__", [](BoundIssued* self) { new (self) BoundIssued{std::make_shared<check::IssuedSession>()}; })
        .def("open", [](BoundIssued& self) { QueueObserver::open(self.session); })
        .def("close", [](BoundIssued& self) { QueueObserver::close(self.session); })
        .def_prop_ro(
            "launches", issued_launches, nb::sig("def launches(self) -> list[tuple[str, list[typing.Any], dict[str, bytes | None]]]"),
            "(kernel, cores, images by name) when everything has run. A core is (AIC or AIV, block, rows), a row (instruction, pipe, "
            "number of the type, member, numbers, touches, (image, offset), has run), a touch (memory, role, begin, length, count, "
            "stride).");
}

} // namespace aclimb
