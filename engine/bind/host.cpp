// SPDX-License-Identifier: Apache-2.0
// Events, callbacks, host memory and copies.
#include <nanobind/nanobind.h>
#include <nanobind/stl/shared_ptr.h>

#include "bind/bind.h"
#include "memory/guarded.h"
#include "memory/whereabouts.h"

namespace nb = nanobind;

namespace aclimb {
namespace {

constexpr uint64_t kWorthRelease = 1 << 16; // bytes from which on other Python threads may run meanwhile

// 0: done, 1: the destination was refused, 2: the source.
int copy_now(uint64_t dst, uint64_t dst_pitch, uint64_t src, uint64_t src_pitch, uint64_t width, uint64_t height, bool fill) {
    MemoryCopy copy;
    copy.dst = dst;
    copy.src = src;
    copy.dst_pitch = dst_pitch;
    copy.src_pitch = src_pitch;
    copy.width = width;
    copy.height = height;
    copy.fill = fill;
    QueueObserver::tell([&](QueueObserver& each) { each.host_copied(copy); });
    if (width * height < kWorthRelease) return static_cast<int>(copy.run());
    WithoutGil without;
    return static_cast<int>(copy.run());
}

bool there(uint64_t addr, uint64_t size) {
    GlobalMemory* memory = GlobalMemory::owner(addr);
    if (!memory && HostMemory::instance().ours(addr)) return HostMemory::instance().find(addr, size) != nullptr;
    if (!memory)
        return !size || (readable_bytes(addr, 1) && size <= ~addr && readable_bytes(addr + size - 1, 1)); // the copy finds the rest
    if (!memory->pin(addr, size)) return false;
    memory->unpin(addr);
    return true;
}

// In stream order. Pageable host memory is done with when the call returns: a source that is to be staged is taken along, else the
// call waits.
int copy_later(BoundStream& bound, uint64_t dst, uint64_t dst_pitch, uint64_t src, uint64_t src_pitch, uint64_t width, uint64_t height,
               bool fill, bool stage) {
    auto copy = std::make_unique<MemoryCopy>();
    copy->dst = dst;
    copy->src = src;
    copy->dst_pitch = dst_pitch;
    copy->src_pitch = src_pitch;
    copy->width = width;
    copy->height = height;
    copy->fill = fill;
    copy->site = call_site(2);
    const uint64_t dst_span = copy->span(dst_pitch), src_span = copy->span(src_pitch);
    if (!there(dst, dst_span)) return static_cast<int>(Side::dst);
    if (!fill && !there(src, src_span)) return static_cast<int>(Side::src);
    bool pageable = false;
    auto keep = [&](uint64_t addr, uint64_t size, int which) {
        if (GlobalMemory::owner(addr)) return;
        copy->keep[which] = HostMemory::instance().find(addr, size);
        pageable |= !copy->keep[which];
    };
    keep(dst, dst_span, 0);
    if (!fill && stage) {
        if (readable_bytes(src, src_span) < src_span) return static_cast<int>(Side::src);
        copy->staged.resize(src_span);
        if (!copy_guarded(copy->staged.data(), reinterpret_cast<const void*>(src), src_span)) return static_cast<int>(Side::src);
    } else if (!fill) {
        keep(src, src_span, 1);
    }
    Stream& stream = *bound.stream;
    make_room(stream);
    const uint64_t position = stream.copy(std::move(copy));
    if (pageable) wait_for_position(stream, position);
    return 0;
}

// A copy of host memory; None: not all of it can be read.
nb::object read_host(uint64_t addr, uint64_t size) {
    if (GlobalMemory::owner(addr) || readable_bytes(addr, size) < size) return nb::none();
    PyObject* bytes = PyBytes_FromStringAndSize(nullptr, static_cast<Py_ssize_t>(size));
    if (!bytes) throw nb::python_error();
    nb::object made = nb::steal(bytes);
    return copy_guarded(PyBytes_AS_STRING(bytes), reinterpret_cast<const void*>(addr), size) ? made : nb::none();
}

// What lies at an address: (kind, start, size, allocated where, freed where), for messages.
nb::tuple describe_address(uint64_t addr) {
    static constexpr const char* kKinds[] = {"device", "freed", "beside", "host", "nothing"};
    const Whereabouts found = whereabouts(addr);
    const char* kind = kKinds[found.kind];
    Retired piece = found.piece;
    if (!found.memory && HostMemory::instance().find_freed(addr, piece)) kind = "freed_host";
    return nb::make_tuple(kind, piece.addr, piece.size, place_of(piece.allocated_at), place_of(piece.freed_at));
}

void bind_events(nb::module_& module) {
    nb::class_<BoundEvent>(module, "Event")
        .def("__init__", [](BoundEvent* self) { new (self) BoundEvent{std::make_shared<Event>()}; })
        .def_prop_ro("status",
                     [](BoundEvent& self) { // recorded, done, time stamp in ns
                         const auto status = self.event->status();
                         return nb::make_tuple(status.recorded, status.done, status.stamp_ns);
                     })
        .def_prop_ro("modelled", [](BoundEvent& self) { return self.event->status().modelled; }) // false: that time is still to come
        .def("is_recorded_on",
             [](BoundEvent& self, BoundStream& stream) {
                 uint64_t position;
                 return self.event->recorder(position) == stream.stream;
             })
        .def(
            "wait",
            [](BoundEvent& self, uint64_t at_most_ns) { // as Stream.wait
                uint64_t position;
                const auto stream = self.event->recorder(position);
                return stream ? wait_for_position(*stream, position, at_most_ns) : 0;
            },
            nb::arg("at_most_ns") = 0);
}

void bind_reports(nb::module_& module) {
    nb::class_<Call>(module, "Call").def_ro("id", &Call::id).def("finish", &Call::finish, nb::call_guard<WithoutGil>());
    nb::class_<BoundReports>(module, "Reports")
        .def("__init__", [](BoundReports* self) { new (self) BoundReports{std::make_shared<ReportQueue>()}; })
        .def("take",
             [](BoundReports& self, uint64_t at_most_ns) -> std::shared_ptr<Call> { // None: nothing came in time
                 constexpr uint64_t kLookNs = 50000000;
                 for (uint64_t passed = 0;; passed += kLookNs) {
                     std::shared_ptr<Call> call;
                     {
                         WithoutGil without;
                         call = self.queue->take(std::min(kLookNs, at_most_ns - passed));
                     }
                     if (call || at_most_ns - passed <= kLookNs) return call;
                     if (PyErr_CheckSignals() != 0) throw nb::python_error();
                 }
             })
        .def("close", [](BoundReports& self) { self.queue->close(); }, nb::call_guard<WithoutGil>());
}

} // namespace

void bind_host(nb::module_& module) {
    nb::class_<ArgsBlock>(module, "ArgsBlock").def_ro("address", &ArgsBlock::addr).def_ro("size", &ArgsBlock::size);
    bind_events(module);
    bind_reports(module);
    module.def("copy_now", copy_now);
    module.def("copy_later", copy_later);
    module.def("is_device_address", [](uint64_t addr) { return GlobalMemory::owner(addr) != nullptr; });
    module.def("host_allocate", [](uint64_t size) { return HostMemory::instance().allocate(size, call_site(1)); });
    module.def("host_register", [](uint64_t addr, uint64_t size) { return HostMemory::instance().add(addr, size); });
    module.def("host_release", [](uint64_t addr, bool owned) { return HostMemory::instance().release(addr, owned, call_site(1)); });
    module.def("host_is_ours", [](uint64_t addr) { return HostMemory::instance().ours(addr); });
    module.def("host_is_locked", [](uint64_t addr, uint64_t size) { return HostMemory::instance().find(addr, size) != nullptr; });
    module.def("read_host", read_host);
    module.def("readable_bytes", readable_bytes);
    module.def("describe_address", describe_address);
    module.def("set_quarantine", AddressRange::set_quarantine);
    module.def("host_live", [] { return nb::make_tuple(HostMemory::instance().count(), HostMemory::instance().bytes()); });
}

} // namespace aclimb
