// SPDX-License-Identifier: Apache-2.0
// Profiles: parameters in, times out. Times are picoseconds.
#include <nanobind/nanobind.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "bind/bind.h"
#include "core/plan.h"
#include "host/session.h"
#include "isa/rows.h"

namespace nb = nanobind;

namespace aclimb {
namespace {

using namespace timing;

struct BoundProfile {
    Kept<Session> session;
};

constexpr const char* kPartNames[] = {"busy", "memory", "flag", "empty"};
constexpr const char* kCauseNames[] = {"flag", "barrier", "queue_full", "cross", "memory", "empty", "dependency", "sync"};
constexpr const char* kPathNames[] = {"none",   "gm_ub",  "ub_gm",  "gm_l1", "l1_gm", "l0c_gm",
                                      "l0c_l1", "l1_l0a", "l1_l0b", "l1_bt", "ub_ub", "gm_l0"};
constexpr const char* kItemNames[] = {"launch", "copy", "record_event", "await_event", "call", "host_waits"};

using Slopes = std::tuple<double, double, double>; // b32, b16, fixed

VectorCost cost_of(const std::map<std::string, Slopes>& vector, const char* name) {
    const auto row = vector.find(name);
    if (row == vector.end()) throw nb::key_error(name);
    return {std::get<0>(row->second), std::get<1>(row->second), std::get<2>(row->second)};
}

void make(BoundProfile* self, const std::map<std::string, double>& values, const std::map<std::string, Slopes>& vector, int aic, int aiv,
          int l2_start, bool trace, bool timing_only, bool sampled, uint64_t limit, int64_t blocks) {
    Parameters parameters;
    std::string missing;
    if (!parameters.fill(values, missing)) throw nb::key_error(missing.c_str());
    for (int i = 0; i < kRowCount; i++)
        if (kRows[i].time == TimeUnit::repeats) parameters.vector[i] = cost_of(vector, kRows[i].name);
    parameters.cast_wide = cost_of(vector, "cast_wide");
    parameters.aic_cores = aic;
    parameters.aiv_cores = aiv;
    parameters.l2_start = static_cast<L2Start>(l2_start);
    Session::Options options;
    options.trace = trace;
    options.timing_only = timing_only;
    options.sampled = sampled;
    options.limit = limit;
    options.blocks = blocks;
    new (self) BoundProfile{std::make_shared<Session>(parameters, options)};
}

nb::dict counters_of(const Counters& c) {
    nb::dict out;
    for (int i = 1; i < static_cast<int>(Path::count); i++) {
        out[(std::string(kPathNames[i]) + "_bytes").c_str()] = c.path_bytes[i];
    }
    for (int i = 1; i < kPipes; i++) {
        const std::string pipe = name_of(static_cast<Pipe>(i));
        out[("queue_full_" + pipe + "_ps").c_str()] = c.queue_full[i];
    }
    // clang-format off
#define ACLIMB_COUNTER(name) out[#name] = c.name;
    ACLIMB_COUNTER(read_hit)
    ACLIMB_COUNTER(read_miss)
    ACLIMB_COUNTER(write_hit)
    ACLIMB_COUNTER(write_miss)
    ACLIMB_COUNTER(hbm_read)
    ACLIMB_COUNTER(hbm_write)
    ACLIMB_COUNTER(lanes_f32)
    ACLIMB_COUNTER(lanes_f16)
    ACLIMB_COUNTER(lanes_int)
    ACLIMB_COUNTER(vec_f32)
    ACLIMB_COUNTER(vec_f16)
    ACLIMB_COUNTER(vec_int32)
    ACLIMB_COUNTER(vec_int16)
    ACLIMB_COUNTER(vec_misc)
    ACLIMB_COUNTER(bank_conflict)
    ACLIMB_COUNTER(mmads)
    ACLIMB_COUNTER(mmads_int)
    ACLIMB_COUNTER(macs)
    ACLIMB_COUNTER(macs_int)
    ACLIMB_COUNTER(cube_fp16)
    ACLIMB_COUNTER(cube_int8)
    ACLIMB_COUNTER(vector_read)
    ACLIMB_COUNTER(vector_write)
    ACLIMB_COUNTER(scalar_flag)
#undef ACLIMB_COUNTER
    // clang-format on
    return out;
}

nb::dict core_of(const CoreTiming& core) {
    nb::dict out, pipes;
    out["unit"] = core.unit;
    out["slot"] = core.slot;
    out["block"] = core.block;
    out["sub"] = core.sub;
    out["type"] = name_of(core.type);
    out["start"] = core.start;
    out["end"] = core.end;
    for (int i = 0; i < kPipes; i++) {
        nb::dict pipe;
        for (int part = 0; part < kParts; part++) pipe[kPartNames[part]] = core.pipes[i].part[part];
        pipe["instructions"] = core.pipes[i].instructions;
        pipe["bytes"] = core.pipes[i].bytes;
        pipes[name_of(static_cast<Pipe>(i))] = pipe;
    }
    out["pipes"] = pipes;
    out["counters"] = counters_of(core.counters);
    return out;
}

nb::dict stall_of(const Stall& stall) {
    nb::dict out;
    out["pipe"] = name_of(stall.pipe);
    out["part"] = kPartNames[static_cast<int>(stall.part)];
    out["cause"] = kCauseNames[static_cast<int>(stall.cause)];
    out["type"] = name_of(stall.type);
    out["what"] = stall.what;
    out["site"] = stall.site;
    out["set_site"] = stall.set_site;
    out["ps"] = stall.total;
    out["count"] = stall.count;
    return out;
}

nb::dict launch_of(const ProfiledLaunch& launch) {
    nb::dict out;
    nb::list cores, stalls;
    for (const auto& core : launch.timing.cores) cores.append(core_of(core));
    for (const auto& stall : launch.timing.stalls) stalls.append(stall_of(stall));
    out["kernel"] = launch.kernel->name;
    out["kernel_type"] = static_cast<int>(launch.type);
    out["num_blocks"] = launch.num_blocks;
    out["tiling_key"] = launch.tiling_key;
    out["stream"] = launch.stream;
    out["device"] = launch.device;
    out["start"] = launch.start;
    out["task"] = launch.timing.task;
    out["instructions"] = launch.timing.instructions;
    out["cut"] = launch.timing.cut;
    out["timing_only"] = launch.timing_only;
    out["failed"] = launch.failed;
    out["cores"] = cores;
    out["stalls"] = stalls;
    nb::dict images; // by (kind of core, number): the kernel's own is 0, those of sub-kernels follow
    images[nb::make_tuple("AIC", 0)] = image_bytes(launch.kernel->aic_image);
    images[nb::make_tuple("AIV", 0)] = image_bytes(launch.kernel->aiv_image);
    for (const auto& [key, image] : launch.images) images[nb::make_tuple(key.first ? "AIC" : "AIV", key.second)] = image_bytes(image);
    out["images"] = images;
    nb::list subs;
    if (launch.kernel->plan)
        for (const auto& sub : launch.kernel->plan->subs) subs.append(sub.kernel ? sub.kernel->name : std::string("sub-kernel"));
    out["sub_kernels"] = subs;
    return out;
}

// The entries of a core and what became of them, as two byte strings of fixed-size rows.
nb::tuple slices_of(const ProfiledLaunch& launch, size_t unit) {
    if (unit >= launch.tapes.size()) return nb::make_tuple(nb::bytes("", 0), nb::bytes("", 0));
    const Tape& tape = launch.tapes[unit];
    std::string entries;
    entries.resize(size_t{tape.size()} * sizeof(timing::TapeEntry));
    for (uint32_t i = 0; i < tape.size(); i++) memcpy(entries.data() + i * sizeof(timing::TapeEntry), &tape[i], sizeof(timing::TapeEntry));
    const auto& results = launch.timing.results[unit];
    return nb::make_tuple(nb::bytes(entries.data(), entries.size()), nb::bytes(results.data(), results.size() * sizeof(Result)));
}

nb::list log_of(const Session& session) {
    nb::list out;
    for (const auto& row : session.log)
        out.append(nb::make_tuple(kItemNames[static_cast<int>(row.kind)], row.stream, row.device, row.queued, row.start, row.end,
                                  row.direction, row.bytes, row.launch));
    return out;
}

} // namespace

void bind_timing(nb::module_& module) {
    nb::class_<BoundProfile>(module, "Profile")
        .def("__init__", make)
        .def("open", [](BoundProfile& self) { QueueObserver::open(self.session); })
        .def("close", [](BoundProfile& self) { QueueObserver::close(self.session); })
        .def_prop_ro("settled", [](BoundProfile& self) { return self.session->settled(); })
        .def_prop_ro("cut", [](BoundProfile& self) { return self.session->cut.load(); })
        .def_prop_ro("launches", [](BoundProfile& self) { return self.session->launches.size(); })
        .def("launch", [](BoundProfile& self, size_t index) { return launch_of(self.session->launches.at(index)); })
        .def("slices", [](BoundProfile& self, size_t index, size_t unit) { return slices_of(self.session->launches.at(index), unit); })
        .def("log", [](BoundProfile& self) { return log_of(*self.session); });
    module.def("profiling", [] { return QueueObserver::any(); });
    nb::list names;
#define ACLIMB_TIMING_ROW(name) names.append(#name);
    ACLIMB_TIMING_PARAMETERS(ACLIMB_TIMING_ROW)
#undef ACLIMB_TIMING_ROW
    module.attr("TIMING_PARAMETERS") = names;
    nb::list kinds;
    for (const char* kind : {"control", "vector", "move", "local", "mmad", "set_flag", "wait_flag", "barrier", "cross_set", "cross_wait",
                             "gm_sync_all", "ib_set", "ib_wait", "scalar_ub", "scalar_gm", "sub_kernel"})
        kinds.append(kind);
    module.attr("ENTRY_KINDS") = kinds;
}

} // namespace aclimb
