// SPDX-License-Identifier: Apache-2.0
// Events, callbacks, host memory and copies.
#include <nanobind/nanobind.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>

#include "bind/bind.h"
#include "host/provoke.h"
#include "memory/guarded.h"
#include "memory/whereabouts.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace aclimb {
namespace {

using Quiet = decltype(ProvokeSession::quiet());

std::vector<Quiet>& held_quiet() {
    thread_local std::vector<Quiet> held;
    return held;
}

constexpr uint64_t kWorthRelease = 1 << 16; // bytes from which on other Python threads may run meanwhile

MemoryCopy rows_of(uint64_t dst, uint64_t src, uint64_t size, uint64_t rows, uint64_t dst_pitch, uint64_t src_pitch) {
    MemoryCopy copy;
    copy.dst = dst;
    copy.src = src;
    copy.width = size;
    copy.height = rows;
    copy.dst_pitch = dst_pitch;
    copy.src_pitch = src_pitch;
    return copy;
}

MemoryCopy fill_of(uint64_t dst, uint8_t value, uint64_t size) {
    MemoryCopy fill = rows_of(dst, value, size, 1, 0, 0);
    fill.fill = true;
    return fill;
}

// Now. Which side was refused.
Side run(MemoryCopy&& copy) {
    const uint64_t bytes = copy.width * copy.height;
    if (QueueObserver::any()) copy.site = call_site(2);
    QueueObserver::tell([&](QueueObserver& each) { each.host_copied(copy); });
    if (bytes < kWorthRelease) return copy.run();
    WithoutGil without;
    return copy.run();
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
Side queue(BoundStream& bound, MemoryCopy&& made, bool stage) {
    auto copy = std::make_unique<MemoryCopy>(std::move(made));
    copy->site = call_site(2);
    const uint64_t dst_span = copy->span(copy->dst_pitch), src_span = copy->span(copy->src_pitch);
    if (!there(copy->dst, dst_span)) return Side::dst;
    if (!copy->fill && !there(copy->src, src_span)) return Side::src;
    bool pageable = false;
    auto keep = [&](uint64_t addr, uint64_t size, int which) {
        if (GlobalMemory::owner(addr)) return;
        copy->keep[which] = HostMemory::instance().find(addr, size);
        pageable |= !copy->keep[which];
    };
    keep(copy->dst, dst_span, 0);
    if (!copy->fill && stage) {
        if (readable_bytes(copy->src, src_span) < src_span) return Side::src;
        copy->staged.resize(src_span);
        if (!copy_guarded(copy->staged.data(), reinterpret_cast<const void*>(copy->src), src_span)) return Side::src;
    } else if (!copy->fill) {
        keep(copy->src, src_span, 1);
    }
    Stream& stream = *bound.stream;
    make_room(stream);
    const uint64_t position = stream.copy(std::move(copy));
    if (pageable) wait_for_position(stream, position);
    return Side::none;
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
    Whereabouts found = whereabouts(addr);
    Retired piece = found.piece;
    if (!found.memory && HostMemory::instance().find_freed(addr, piece)) found.kind = Whereabouts::freed_host;
    return nb::make_tuple(found.kind, piece.addr, piece.size, place_of(piece.allocated_at), place_of(piece.freed_at));
}

void bind_events(nb::module_& module) {
    nb::class_<BoundEvent>(module, "Event")
        .def("__init__", [](BoundEvent* self) { new (self) BoundEvent{std::make_shared<Event>()}; })
        .def_prop_ro(
            "status",
            [](BoundEvent& self) { // recorded, done, time stamp in ns
                const auto status = self.event->status();
                return nb::make_tuple(status.recorded, status.done, status.stamp_ns);
            },
            nb::sig("def status(self) -> tuple[bool, bool, int]"))
        .def_prop_ro("modelled", [](BoundEvent& self) { return self.event->status().modelled; }) // false: that time is still to come
        .def(
            "is_recorded_on",
            [](BoundEvent& self, BoundStream& stream) {
                uint64_t position;
                return self.event->recorder(position) == stream.stream;
            },
            "stream"_a)
        .def(
            "wait",
            [](BoundEvent& self, uint64_t at_most_ns) { // as Stream.wait
                uint64_t position;
                const auto stream = self.event->recorder(position);
                const uint64_t ticket = self.event->last_ticket();
                const Waited waited = stream ? wait_for_position(*stream, position, at_most_ns) : Waited::done;
                QueueObserver::tell([&](QueueObserver& each) { each.host_waited_for(*self.event, ticket); });
                return waited;
            },
            "at_most_ns"_a = 0);
}

void bind_reports(nb::module_& module) {
    nb::class_<Call>(module, "Call")
        .def_ro("id", &Call::id)
        .def_rw("failure", &Call::failure)
        .def("finish", &Call::finish, nb::call_guard<WithoutGil>());
    nb::class_<BoundReports>(module, "Reports")
        .def("__init__", [](BoundReports* self) { new (self) BoundReports{std::make_shared<ReportQueue>()}; })
        .def(
            "take",
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
            },
            "at_most_ns"_a)
        .def("close", [](BoundReports& self) { self.queue->close(); }, nb::call_guard<WithoutGil>());
}

} // namespace

void bind_host(nb::module_& module) {
    nb::class_<ArgsBlock>(module, "ArgsBlock").def_ro("address", &ArgsBlock::addr).def_ro("size", &ArgsBlock::size);
    bind_events(module);
    bind_reports(module);
    module.def(
        "copy_now",
        [](uint64_t dst, uint64_t src, uint64_t size, uint64_t rows, uint64_t dst_pitch, uint64_t src_pitch) {
            return run(rows_of(dst, src, size, rows, dst_pitch, src_pitch));
        },
        "dst"_a, "src"_a, "size"_a, nb::kw_only(), "rows"_a = 1, "dst_pitch"_a = 0, "src_pitch"_a = 0);
    module.def(
        "copy_later",
        [](BoundStream& stream, uint64_t dst, uint64_t src, uint64_t size, uint64_t rows, uint64_t dst_pitch, uint64_t src_pitch,
           bool stage) { return queue(stream, rows_of(dst, src, size, rows, dst_pitch, src_pitch), stage); },
        "stream"_a, "dst"_a, "src"_a, "size"_a, nb::kw_only(), "rows"_a = 1, "dst_pitch"_a = 0, "src_pitch"_a = 0, "stage"_a = false);
    module.def(
        "fill_now", [](uint64_t dst, uint8_t value, uint64_t size) { return run(fill_of(dst, value, size)); }, "dst"_a, "value"_a,
        "size"_a);
    module.def(
        "fill_later",
        [](BoundStream& stream, uint64_t dst, uint8_t value, uint64_t size) { return queue(stream, fill_of(dst, value, size), false); },
        "stream"_a, "dst"_a, "value"_a, "size"_a);
    module.def( // None: not all of it is allocated. Until let_go, on the same thread, it stays mapped, whoever frees it, and quiet
        "hold",
        [](uint64_t addr, uint64_t size) -> nb::object {
            GlobalMemory* memory = GlobalMemory::owner(addr);
            auto quiet = ProvokeSession::quiet();
            if (!memory || !memory->pin(addr, size)) return nb::none();
            held_quiet().push_back(std::move(quiet));
            return nb::steal(PyMemoryView_FromMemory(reinterpret_cast<char*>(addr), static_cast<Py_ssize_t>(size), PyBUF_WRITE));
        },
        "address"_a, "size"_a, nb::sig("def hold(address: int, size: int) -> memoryview | None"));
    module.def(
        "let_go",
        [](uint64_t addr) {
            GlobalMemory::owner(addr)->unpin(addr);
            held_quiet().pop_back();
        },
        "address"_a);
    module.def("is_device_address", [](uint64_t addr) { return GlobalMemory::owner(addr) != nullptr; }, "address"_a);
    module.def("host_allocate", [](uint64_t size) { return HostMemory::instance().allocate(size, call_site(1)); }, "size"_a);
    module.def("host_register", [](uint64_t addr, uint64_t size) { return HostMemory::instance().add(addr, size); }, "address"_a, "size"_a);
    module.def(
        "host_release", [](uint64_t addr) { return HostMemory::instance().release(addr, true, call_site(1)); }, "address"_a,
        "Of host_allocate.");
    module.def("host_unregister", [](uint64_t addr) { return HostMemory::instance().release(addr, false, call_site(1)); }, "address"_a);
    module.def("host_is_ours", [](uint64_t addr) { return HostMemory::instance().ours(addr); }, "address"_a);
    module.def(
        "host_is_locked", [](uint64_t addr, uint64_t size) { return HostMemory::instance().find(addr, size) != nullptr; }, "address"_a,
        "size"_a);
    module.def("read_host", read_host, nb::sig("def read_host(address: int, size: int) -> bytes | None"));
    module.def("readable_bytes", readable_bytes, "address"_a, "size"_a);
    module.def("describe_address", describe_address,
               nb::sig("def describe_address(address: int) -> "
                       "tuple[Whereabouts, int, int, tuple[str, int] | None, tuple[str, int] | None]"));
    module.def("set_quarantine", AddressRange::set_quarantine, "size"_a);
    module.def(
        "host_live", [] { return nb::make_tuple(HostMemory::instance().count(), HostMemory::instance().bytes()); },
        nb::sig("def host_live() -> tuple[int, int]"));
}

} // namespace aclimb
