// SPDX-License-Identifier: Apache-2.0
// Tapes of launches, for a second opinion on their order.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bind/bind.h"
#include "bind/dtype.h"
#include "bind/images.h"
#include "core/plan.h"
#include "isa/rows.h"
#include "tests/python/issued.h"

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
        rows.append(nb::make_tuple(row_of(row.op).name, name_of(row.pipe), static_cast<int>(row.dtype), row.sub,
                                   nb::bytes(row.record.data(), row.record.size()), row.core_idx, row.cores, row.in_superkernel,
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
        nb::list sets; // by member: SetNextTaskStart has an effect
        if (launch.kernel->plan)
            for (const SubKernel& sub : launch.kernel->plan->subs) sets.append(sub.sets && launch.records->early_start);
        launches.append(nb::make_tuple(launch.kernel->name, cores, images, sets));
    }
    return launches;
}

// Where the numbers lie in a record, for those that order something or need more than their bytes.
nb::dict layouts() {
    nb::dict all;
#define FIELD(member) .add<decltype(Struct::member)>(#member, offsetof(Struct, member))
#define LAYOUT(name, fields)                                                                                                               \
    {                                                                                                                                      \
        using Struct = name;                                                                                                               \
        all[#name] = Record<Struct>() fields.dtype();                                                                                      \
    }
    LAYOUT(Flag, FIELD(src) FIELD(dst) FIELD(id))
    LAYOUT(CrossFlag, FIELD(mode) FIELD(id))
    LAYOUT(GmSync, .add<uint64_t>("addr", offsetof(Struct, gm)) FIELD(used_cores) FIELD(block_idx) FIELD(event_id))
    LAYOUT(MessageHead, FIELD(peer))
    LAYOUT(SubKernelMark, FIELD(index) FIELD(end))
    LAYOUT(ScalarAccess, FIELD(value) FIELD(way))
    LAYOUT(Copy, FIELD(atomic))
    LAYOUT(Mmad, FIELD(m) FIELD(n) FIELD(unit_flag))
    LAYOUT(Fixpipe, FIELD(unit_flag) FIELD(atomic))
    LAYOUT(Select, FIELD(has_mask))
#undef LAYOUT
#undef FIELD
    return all;
}

} // namespace

void bind_issued(nb::module_& module) {
    nb::class_<BoundIssued>(module, "Issued", "What every core of every launch issued while it was open.")
        .def("__init__", [](BoundIssued* self) { new (self) BoundIssued{std::make_shared<check::IssuedSession>()}; })
        .def("open", [](BoundIssued& self) { QueueObserver::open(self.session); })
        .def("close", [](BoundIssued& self) { QueueObserver::close(self.session); })
        .def_prop_ro(
            "launches", issued_launches,
            nb::sig("def launches(self) -> list[tuple[str, list[typing.Any], dict[str, bytes | None], list[bool]]]"),
            "(kernel, cores, images by name, members whose SetNextTaskStart has an effect) when everything has run. A core is (AIC or AIV, "
            "block, rows), a row (instruction, pipe, number of the type, member, its record, index of the core, cores of its kind, in a "
            "SuperKernel, touches, (image, offset), has run), a touch (memory, role, begin, length, count, stride).");
    module.def("record_layouts", layouts, nb::sig("def record_layouts() -> dict[str, numpy.dtype[numpy.void]]"),
               "Where the numbers lie in the records that order something.");
}

} // namespace aclimb
