// SPDX-License-Identifier: Apache-2.0
// Profiles: parameters in, times out. Times are picoseconds; records are NumPy arrays of the model's own structs.
#include <nanobind/nanobind.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "bind/bind.h"
#include "bind/dtype.h"
#include "core/plan.h"
#include "host/session.h"
#include "isa/rows.h"
#include "timing/what_if.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace aclimb {
namespace {

using namespace timing;

struct BoundProfile {
    Kept<Session> session;
};

struct BoundLaunch { // by its index: the list grows when the profile is opened again
    Kept<Session> session;
    size_t index;
    const ProfiledLaunch& operator*() const { return session->launches.at(index); }
    const ProfiledLaunch* operator->() const { return &**this; }
};

using Slopes = std::tuple<double, double, double>; // b32, b16, fixed

VectorCost cost_of(const std::map<std::string, Slopes>& vector, const char* name) {
    const auto row = vector.find(name);
    if (row == vector.end()) throw nb::key_error(name);
    return {std::get<0>(row->second), std::get<1>(row->second), std::get<2>(row->second)};
}

void make_profile(BoundProfile* self, const std::map<std::string, double>& values, const std::map<std::string, Slopes>& vector, int aic,
                  int aiv, L2Start l2_start, bool trace, bool timing_only, bool sampled, bool scalar, uint64_t limit, int64_t blocks) {
    Parameters parameters;
    std::string missing;
    if (!parameters.fill(values, missing)) throw nb::key_error(missing.c_str());
    for (int i = 0; i < kRowCount; i++)
        if (kRows[i].time == TimeUnit::repeats) parameters.vector[i] = cost_of(vector, kRows[i].name);
    parameters.cast_wide = cost_of(vector, "cast_wide");
    parameters.aic_cores = aic;
    parameters.aiv_cores = aiv;
    parameters.l2_start = l2_start;
    new (self) BoundProfile{std::make_shared<Session>(parameters, Session::Options{trace, timing_only, sampled, scalar, limit, blocks})};
}

// --- records

#define FIELD(member) ACLIMB_FIELD(record, Row, member)

nb::object entry_dtype() {
    using Row = TapeEntry;
    Record<Row> record;
    FIELD(addr), FIELD(stride), FIELD(site), FIELD(a), FIELD(b), FIELD(c), FIELD(op), FIELD(pipe), FIELD(kind), FIELD(info), FIELD(path);
    return record.dtype();
}

nb::object result_dtype() {
    using Row = Result;
    Record<Row> record;
    FIELD(start), FIELD(free), FIELD(done), FIELD(waits), FIELD(link);
    return record.dtype();
}

nb::object stall_dtype() {
    using Row = Stall;
    Record<Row> record;
    FIELD(pipe), FIELD(part), FIELD(cause), FIELD(type), FIELD(what), FIELD(site), FIELD(set_site), FIELD(total), FIELD(count);
    return record.dtype();
}

// What an array holds gets names of its own: a part's, a pipe's, a path's.
nb::object pipe_dtype() {
    using Row = PipeTiming;
    Record<Row> record;
    for (size_t i = 0; i < kParts; i++) record.add<Time>(kNames<Part>[i], offsetof(Row, part) + sizeof(Time) * i);
    FIELD(instructions), FIELD(bytes);
    return record.dtype();
}

nb::object pipes_dtype() {
    Record<PipeTiming[kPipes]> record;
    for (size_t i = 0; i < kPipes; i++) record.add(kNames<Pipe>[i], sizeof(PipeTiming) * i, pipe_dtype());
    return record.dtype();
}

nb::object counters_dtype() {
    using Row = Counters;
    Record<Row> record;
    for (size_t i = 1; i < kNames<Path>.size(); i++)
        record.add<uint64_t>(kNames<Path>[i] + std::string("_bytes"), offsetof(Row, path_bytes) + sizeof(uint64_t) * i);
    for (size_t i = 1; i < kPipes; i++)
        record.add<Time>("queue_full_" + std::string(kNames<Pipe>[i]) + "_ps", offsetof(Row, queue_full) + sizeof(Time) * i);
#define ACLIMB_COUNTER(member) FIELD(member);
    ACLIMB_COUNTERS(ACLIMB_COUNTER)
#undef ACLIMB_COUNTER
    return record.dtype();
}

nb::object core_dtype() {
    using Row = CoreTiming;
    Record<Row> record;
    FIELD(unit), FIELD(slot), FIELD(block), FIELD(sub), FIELD(type), FIELD(start), FIELD(end);
    return record.add("pipes", offsetof(Row, pipes), pipes_dtype()).add("counters", offsetof(Row, counters), counters_dtype()).dtype();
}

struct Dtypes {
    nb::object entry = entry_dtype(), result = result_dtype(), stall = stall_dtype(), core = core_dtype();
};
const Dtypes& dtypes() {
    static const auto& made = *new Dtypes; // leaked on purpose: the interpreter ends before static destruction
    return made;
}

// The entries of a core and what became of them.
nb::tuple slices_of(const BoundLaunch& launch, size_t unit) {
    std::vector<TapeEntry> entries;
    const bool there = unit < launch->tapes.size();
    for (uint32_t i = 0; there && i < launch->tapes[unit].size(); i++) entries.push_back(launch->tapes[unit][i]);
    const auto results = there ? launch->timing.results[unit] : std::vector<Result>();
    return nb::make_tuple(numpy_array(entries, dtypes().entry), numpy_array(results, dtypes().result));
}

// Task, mean time of a core and of the launch's head, in picoseconds, had the kernel been changed so; and with other parameters.
std::tuple<Time, double, Time> what_if(const BoundLaunch& launch, const std::map<std::string, double>& set, bool second_buffer,
                                       bool no_barriers, bool no_conflicts, bool past_l2, bool aligned, int copies, bool warm) {
    Parameters parameters = launch.session->parameters;
    parameters.change(set);
    const WhatIf change{second_buffer, no_barriers, no_conflicts, past_l2, aligned, copies, warm};
    LaunchTiming timing;
    {
        nb::gil_scoped_release unlocked;
        timing = timed_again(parameters, launch->type, launch->tapes, launch->num_blocks, change);
    }
    double sum = 0;
    for (const CoreTiming& core : timing.cores) sum += static_cast<double>(core.end - core.start);
    const Time head = parameters.launch_head(aics_per_block(launch->type), aivs_per_block(launch->type));
    return {timing.task, timing.cores.empty() ? 0 : sum / static_cast<double>(timing.cores.size()), head};
}

nb::dict images_of(const BoundLaunch& launch) {
    nb::dict images;
    images[nb::make_tuple("AIC", 0)] = image_bytes(launch->kernel->aic_image);
    images[nb::make_tuple("AIV", 0)] = image_bytes(launch->kernel->aiv_image);
    images[nb::make_tuple("AIC", timing::kCallerImage)] = image_bytes(launch->kernel->aiv_image);
    for (const auto& [key, image] : launch->images) images[nb::make_tuple(key.first ? "AIC" : "AIV", key.second)] = image_bytes(image);
    return images;
}

std::vector<std::string> sub_kernels_of(const BoundLaunch& launch) {
    std::vector<std::string> names;
    if (launch->kernel->plan)
        for (const auto& sub : launch->kernel->plan->subs) names.push_back(sub.kernel ? sub.kernel->name : "sub-kernel");
    return names;
}

void bind_records(nb::module_& module) {
    nb::class_<BoundLaunch>(module, "ProfiledLaunch")
        .def_prop_ro("kernel", [](const BoundLaunch& self) { return self->kernel->name; })
        .def_prop_ro("kernel_type", [](const BoundLaunch& self) { return self->type; })
        .def_prop_ro("num_blocks", [](const BoundLaunch& self) { return self->num_blocks; })
        .def_prop_ro("tiling_key", [](const BoundLaunch& self) { return self->tiling_key; })
        .def_prop_ro("stream", [](const BoundLaunch& self) { return self->stream; })
        .def_prop_ro("device", [](const BoundLaunch& self) { return self->device; })
        .def_prop_ro("start", [](const BoundLaunch& self) { return self->start; })
        .def_prop_ro("task", [](const BoundLaunch& self) { return self->timing.task; })
        .def_prop_ro("instructions", [](const BoundLaunch& self) { return self->timing.instructions; })
        .def_prop_ro("cut", [](const BoundLaunch& self) { return self->timing.cut; })
        .def_prop_ro("timing_only", [](const BoundLaunch& self) { return self->timing_only; })
        .def_prop_ro("failed", [](const BoundLaunch& self) { return self->failed; })
        .def_prop_ro("clock", [](const BoundLaunch& self) { return self->clock; })
        .def_prop_ro(
            "cores", [](const BoundLaunch& self) { return numpy_array(self->timing.cores, dtypes().core); },
            nb::sig("def cores(self) -> numpy.typing.NDArray[numpy.void]"))
        .def_prop_ro(
            "stalls", [](const BoundLaunch& self) { return numpy_array(self->timing.stalls, dtypes().stall); },
            nb::sig("def stalls(self) -> numpy.typing.NDArray[numpy.void]"))
        .def("slices", slices_of,
             nb::sig("def slices(self, unit: int) -> tuple[numpy.typing.NDArray[numpy.void], numpy.typing.NDArray[numpy.void]]"),
             "The entries of a core and their results; empty when the trace was off.")
        .def("what_if", what_if, "set"_a, nb::kw_only(), "second_buffer"_a = false, "no_barriers"_a = false, "no_conflicts"_a = false,
             "past_l2"_a = false, "aligned"_a = false, "copies"_a = 1, "warm"_a = false,
             "Task, mean time of a core and the launch's head, in picoseconds, had the kernel been changed so. Needs the trace.")
        .def_prop_ro("images", images_of, nb::sig("def images(self) -> dict[tuple[str, int], bytes | None]"),
                     "By kind of core and number: the kernel's own is 0, those of sub-kernels follow.")
        .def(
            "retimed",
            [](const BoundLaunch& self, const std::vector<Session::Moved>& moves) { return self.session->retime(self.index, moves); },
            "moves"_a, "How long it would take with entries moved, each (core, from, to before which), from an empty L2; needs the trace.")
        .def_prop_ro("sub_kernels", sub_kernels_of);
    nb::class_<Settled>(module, "ProfiledItem")
        .def_ro("kind", &Settled::kind)
        .def_ro("stream", &Settled::stream)
        .def_ro("device", &Settled::device)
        .def_ro("queued", &Settled::queued)
        .def_ro("start", &Settled::start)
        .def_ro("end", &Settled::end)
        .def_prop_ro("direction", [](const Settled& self) { return self.direction; })
        .def_ro("bytes", &Settled::bytes)
        .def_ro("launch", &Settled::launch)
        .def_ro("label", &Settled::label);
}

} // namespace

void bind_timing(nb::module_& module) {
    bind_records(module);
    nb::class_<BoundProfile>(module, "Profile")
        .def("__init__", make_profile, "parameters"_a, "vector"_a, nb::kw_only(), "aic_cores"_a, "aiv_cores"_a, "l2_start"_a, "trace"_a,
             "timing_only"_a, "sampled"_a, "scalar"_a, "limit"_a, "blocks"_a)
        .def("open", [](BoundProfile& self) { QueueObserver::open(self.session); })
        .def("close", [](BoundProfile& self) { QueueObserver::close(self.session); })
        .def_prop_ro("settled", [](BoundProfile& self) { return self.session->settled(); })
        .def_prop_ro("cut", [](BoundProfile& self) { return self.session->cut.load(); })
        .def_prop_ro("launches",
                     [](BoundProfile& self) {
                         std::vector<BoundLaunch> launches;
                         for (size_t i = 0; i < self.session->launches.size(); i++) launches.push_back({self.session, i});
                         return launches;
                     })
        .def_prop_ro("log", [](BoundProfile& self) { return self.session->log; });
    module.def("profiling", [] { return QueueObserver::any(); });
    module.def("timing_parameters", [] {
        std::vector<std::string> names;
#define ACLIMB_TIMING_ROW(name) names.push_back(#name);
        ACLIMB_TIMING_PARAMETERS(ACLIMB_TIMING_ROW)
#undef ACLIMB_TIMING_ROW
        return names;
    });
    module.def(
        "record_dtypes", [] { return nb::make_tuple(dtypes().entry, dtypes().result); },
        nb::sig("def record_dtypes() -> tuple[numpy.dtype[numpy.void], numpy.dtype[numpy.void]]"),
        "Of the entries and results of a slice.");
    module.attr("BY_AIC") = kByAic;
    module.attr("NO_LINK") = Result().link;
}

} // namespace aclimb
