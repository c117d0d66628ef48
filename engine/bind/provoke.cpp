// SPDX-License-Identifier: Apache-2.0
// Launches under provoking schedules: Python chooses the schedules, launch by launch, while the launch waits for it.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "bind/bind.h"
#include "bind/enums.h"
#include "bind/gil.h"
#include "host/provoke.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace aclimb {
namespace {

struct BoundProvoked {
    std::shared_ptr<Provoked*> launch; // null when it is over

    Provoked& here() const {
        if (!*launch) throw std::runtime_error("this launch is over");
        return **launch;
    }
    Launch& of() const { return here().launch; }
};
struct BoundProvokeSession {
    Kept<ProvokeSession> session;
};

// None: the same; (allocation, first byte, end) of what differs; or the fault that it ended with.
nb::object told(const BoundProvoked& self, const Provoked::Outcome& outcome) {
    Launch& launch = self.of();
    if (outcome.fault) {
        const TaskError error{*outcome.fault, launch.kernel, 0, 0, nullptr, launch.site};
        return nb::cast(fault_of(error));
    }
    if (!outcome.difference) return nb::none();
    return nb::make_tuple(outcome.difference->base, outcome.difference->begin, outcome.difference->end);
}

// Nobody waits for the memory with Python's lock held, which the one that has it may be waiting for.
void wait_without_gil(std::recursive_mutex& mutex) {
    if (!PyGILState_Check()) return mutex.lock();
    const WithoutGil without;
    mutex.lock();
}

void ask(const nb::object& call, Provoked& launch) {
    nb::gil_scoped_acquire acquire;
    const auto held = std::make_shared<Provoked*>(&launch);
    try {
        call(BoundProvoked{held});
    } catch (nb::python_error& error) { // it keeps its own; this one came from outside
        error.discard_as_unraisable("a launch under provoking schedules");
    }
    *held = nullptr;
}

} // namespace

void bind_provoke(nb::module_& module) {
    ProvokeSession::wait = wait_without_gil;
    bind_enum<Provoked::Begun>(module, "Begun");
    nb::class_<BoundProvoked>(module, "ProvokedLaunch",
                              "A launch that is about to run, as often as one likes and always from the same memory.")
        .def_prop_ro("kernel", [](const BoundProvoked& self) { return self.of().kernel->name; })
        .def_prop_ro("kernel_type", [](const BoundProvoked& self) { return self.of().kernel->type; })
        .def_prop_ro("num_blocks", [](const BoundProvoked& self) { return self.of().num_blocks; })
        .def_prop_ro("args", [](const BoundProvoked& self) { return self.of().args; })
        .def_prop_ro(
            "adds_floats", [](const BoundProvoked& self) { return self.of().kernel->in_block_order; },
            "Atomically: the last bits of a sum depend on the order.")
        .def_prop_ro(
            "place", [](const BoundProvoked& self) { return place_of(self.of().site); },
            nb::sig("def place(self) -> tuple[str, int] | None"))
        .def_prop_ro("interrupted", [](const BoundProvoked& self) { return self.here().interrupted; })
        .def(
            "begin", [](BoundProvoked& self) { return self.here().begin(); }, "The plain run, twice.")
        .def(
            "run_seed",
            [](BoundProvoked& self, Interleaving::Mode mode, uint64_t seed) {
                return told(self, self.here().run(std::make_shared<Interleaving>(mode, seed * 0x9E3779B97F4A7C15ull + 1)));
            },
            "mode"_a, "seed"_a, nb::sig("def run_seed(self, mode: ScheduleMode, seed: int) -> tuple[int, int, int] | Fault | None"))
        .def(
            "run_order", [](BoundProvoked& self, BoundPriorities& order) { return told(self, self.here().run(order.priorities)); },
            "order"_a, nb::sig("def run_order(self, order: Priorities) -> tuple[int, int, int] | Fault | None"));
    nb::class_<BoundProvokeSession>(module, "ProvokeSession", "Every launch that is queued while it is open is handed to `call` first.")
        .def(
            "__init__",
            [](BoundProvokeSession* self, nb::object call) {
                auto& kept = *new nb::object(std::move(call)); // an engine's thread may hold the session when the interpreter is gone
                new (self) BoundProvokeSession{std::make_shared<ProvokeSession>([&kept](Provoked& launch) { ask(kept, launch); })};
            },
            "call"_a, nb::sig("def __init__(self, call: typing.Callable[[ProvokedLaunch], None]) -> None"))
        .def("open",
             [](BoundProvokeSession& self) {
                 self.session->open();
                 QueueObserver::open(self.session);
             })
        .def("close", [](BoundProvokeSession& self) { ProvokeSession::close(self.session); })
        .def_prop_ro(
            "passed_over", [](BoundProvokeSession& self) { return self.session->passed_over.load(); },
            "Launches that the program looks at itself, or that wait for other devices.");
}

} // namespace aclimb
