// SPDX-License-Identifier: Apache-2.0
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bind/bind.h"
#include "bind/sites.h"
#include "memory/thread_id.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace aclimb {
namespace {

bool on_main_thread() { return getpid() == thread_id(); } // where Python looks at signals

bool interrupted() {
    if (!on_main_thread()) return false;
    nb::gil_scoped_acquire acquire;
    return PyErr_CheckSignals() != 0;
}

std::vector<BoundFault> faults_of(const std::vector<TaskError>& errors) {
    std::vector<BoundFault> faults;
    for (const auto& error : errors) faults.push_back(fault_of(error));
    return faults;
}

} // namespace

Waited wait_for_position(Stream& stream, uint64_t position, uint64_t at_most_ns) {
    Waited waited;
    const bool main = on_main_thread();
    {
        WithoutGil without;
        waited = stream.wait(position, at_most_ns, interrupted, main);
    }
    // Ctrl-C may reach another thread and end the kernel before this one has looked: it is the signal that is told, not the kernel's end.
    if (waited == Waited::interrupted || (main && PyErr_CheckSignals())) {
        stream.forget_interruption();
        if (PyErr_Occurred()) throw nb::python_error();
    }
    return waited;
}

void make_room(Stream& stream) {
    if (stream.full()) wait_for_position(stream, stream.posted() - Stream::kMostWaiting + 1);
}

void bind_stream(nb::module_& module) {
    nb::class_<BoundContext>(module, "Context")
        .def("__init__", [](BoundContext* self) { new (self) BoundContext{std::make_shared<ContextState>()}; })
        .def_prop_ro("stopped", [](BoundContext& self) { return self.state->stopped.load(); })
        .def_prop_rw(
            "stop_mode", [](BoundContext& self) { return self.state->stop_mode.load(); },
            [](BoundContext& self, bool on) { self.state->stop_mode = on; });

    nb::class_<BoundStream>(module, "Stream")
        .def(
            "__init__",
            [](BoundStream* self, BoundDevice& owner, BoundContext& context) {
                new (self) BoundStream{std::make_shared<Stream>(owner.device, context.state)};
            },
            "device"_a, "context"_a)
        .def_prop_ro("settled", [](BoundStream& self) { return self.stream->settled(); })
        .def_prop_ro("idle", [](BoundStream& self) { return self.stream->idle(); })
        .def(
            "wait",
            [](BoundStream& self, uint64_t at_most_ns) {
                const Waited waited =
                    self.stream->idle() ? Waited::done : wait_for_position(*self.stream, self.stream->posted(), at_most_ns);
                QueueObserver::tell([&](QueueObserver& each) { each.host_waited(*self.stream); });
                return waited;
            },
            "at_most_ns"_a = 0)
        .def(
            "abort", [](BoundStream& self) { self.stream->abort(); }, nb::call_guard<WithoutGil>())
        .def("take_errors", [](BoundStream& self) { return faults_of(self.stream->take_errors()); }) // since the last call, oldest first
        .def("take_notes", [](BoundStream& self) { return faults_of(self.stream->take_notes()); })
        .def_prop_ro("number", [](BoundStream& self) { return reinterpret_cast<uint64_t>(self.stream.get()); }) // as a capture lists it
        .def(
            "set_capture", [](BoundStream& self, BoundCapture* to) { self.stream->capture = to ? to->capture : Kept<Capture>(); },
            "to"_a.none())
        // For kernels launched from now on. None: each instruction runs when it is issued.
        .def(
            "set_schedule",
            [](BoundStream& self, std::optional<Interleaving::Mode> mode, uint64_t seed) {
                self.stream->schedule.reset();
                if (mode) self.stream->schedule = std::make_shared<Interleaving>(*mode, seed * 0x9E3779B97F4A7C15ull + 1);
            },
            "mode"_a.none(), "seed"_a = 0)
        .def_prop_rw(
            "one_worker", [](BoundStream& self) { return self.stream->one_worker; },
            [](BoundStream& self, bool one) { self.stream->one_worker = one; })
        .def(
            "set_priorities", [](BoundStream& self, BoundPriorities& order) { self.stream->schedule = order.priorities; }, "order"_a)
        .def(
            "set_accesses",
            [](BoundStream& self, BoundAccesses* log) {
                self.stream->observers.clear();
                if (log) self.stream->observers.push_back(log->accesses);
            },
            "log"_a.none())
        .def(
            "set_scalar_log",
            [](BoundStream& self, BoundScalarLog* to) {
                self.stream->observers.clear();
                if (to) self.stream->observers.push_back(to->log);
            },
            "to"_a.none())
        .def("take_output", [](BoundStream& self) { return self.stream->take_output(); })
        .def(
            "record",
            [](BoundStream& self, BoundEvent& event) {
                make_room(*self.stream);
                self.stream->record(event.event);
            },
            "event"_a)
        .def(
            "reset",
            [](BoundStream& self, BoundEvent& event) {
                make_room(*self.stream);
                self.stream->reset(event.event);
            },
            "event"_a)
        .def(
            "await_event",
            [](BoundStream& self, BoundEvent& event, uint64_t limit_ns) {
                make_room(*self.stream);
                self.stream->await(event.event, limit_ns);
            },
            "event"_a, "limit_ns"_a = 0)
        .def(
            "call",
            [](BoundStream& self, BoundReports& reports, uint64_t id, bool blocking, std::string label) {
                make_room(*self.stream);
                auto call = std::make_shared<Call>();
                call->id = id;
                call->blocking = blocking;
                call->label = std::move(label);
                call->site = call_site(1);
                call->queue = reports.queue;
                self.stream->call(std::move(call));
            },
            "reports"_a, "id"_a = 0, nb::kw_only(), "blocking"_a, "label"_a = "");
}

} // namespace aclimb
