// SPDX-License-Identifier: Apache-2.0
// The checker's model without an engine below it: tests tell it what cores issue and run, and ask for every pair in no order.
#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <set>

#include "bind/bind.h"
#include "check/cross.h"
#include "check/judge.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace aclimb {
namespace {

using namespace check;

// memory, way, first byte, bytes in a row, rows, distance of rows, marks, kind of an atomic access
using Bytes = std::tuple<Memory, Way, uint64_t, uint64_t, uint32_t, int64_t, uint8_t, uint8_t>;
// kind, memory, then twice: unit, agent, number of the instruction on it
using Pair = std::tuple<FindingKind, Memory, int32_t, std::string, uint32_t, int32_t, std::string, uint32_t>;

Touch touch_of(const Bytes& bytes) {
    const auto& [memory, way, begin, length, rows, stride, marks, atomic] = bytes;
    return {memory, way, 0, marks, atomic, {begin, length, rows, stride}};
}

using Kinds = std::vector<std::pair<CoreType, int64_t>>; // of each core, and its block

// Who sets together, by mode, for cores in any order.
std::vector<CrossGroup> groups_of(const Kinds& cores) {
    const auto those = [&](CoreType type, int64_t block) {
        std::vector<int32_t> found;
        for (size_t i = 0; i < cores.size(); i++)
            if (cores[i].first == type && (block < 0 || cores[i].second == block)) found.push_back(static_cast<int32_t>(i));
        return found;
    };
    std::vector<CrossGroup> groups;
    const auto add = [&](int mode, std::vector<int32_t> members, std::vector<int32_t> targets) {
        if (!members.empty() && !targets.empty()) groups.push_back({mode, std::move(members), std::move(targets)});
    };
    for (const CoreType type : {CoreType::AIC, CoreType::AIV}) add(0, those(type, -1), those(type, -1));
    std::set<int64_t> blocks;
    for (const auto& [type, block] : cores) blocks.insert(block);
    for (const int64_t block : blocks) {
        add(1, those(CoreType::AIV, block), those(CoreType::AIV, block));
        add(2, those(CoreType::AIC, block), those(CoreType::AIV, block));
        add(2, those(CoreType::AIV, block), those(CoreType::AIC, block));
    }
    return groups;
}

struct OrderModel {
    OrderModel(const Kinds& kinds, AutoSync auto_sync, bool all_pairs) : cross(static_cast<int32_t>(kinds.size()), groups_of(kinds)) {
        options.auto_sync = auto_sync;
        options.all_pairs = all_pairs;
        for (const auto& [type, block] : kinds) {
            const auto unit = static_cast<int32_t>(cores.size());
            cores.push_back(std::make_unique<CoreCheck>(options, findings, unit, type, block, unit));
        }
    }
    CoreCheck& core(int32_t unit) { return *cores.at(static_cast<size_t>(unit)); }
    Spot fresh_spot(int32_t sub) { // no two events are one place
        Spot made;
        made.pc = ++events;
        made.sub = sub;
        return made;
    }
    uint32_t run(int32_t unit, Pipe pipe, const std::vector<Bytes>& bytes, bool orders_itself, int32_t sub) {
        std::vector<Touch> touches;
        for (const Bytes& each : bytes) touches.push_back(touch_of(each));
        core(unit).run(agent_of(pipe), fresh_spot(sub), touches, orders_itself);
        return core(unit).order.issued_so_far(agent_of(pipe));
    }
    uint32_t scalar(int32_t unit, const Bytes& bytes, bool listed, bool past_cache, int32_t sub) {
        core(unit).scalar(fresh_spot(sub), touch_of(bytes), listed, past_cache);
        return core(unit).order.issued_so_far(Agent::S);
    }
    void cross_set(int32_t unit, Pipe pipe, int mode, int id) { cross.set(unit, mode, id, {core(unit).order.signal(pipe), pipe}); }
    std::vector<Pair> pairs() {
        for (const auto& each : cores) each->end();
        judge_global(cores, options.all_pairs, findings);
        std::vector<Pair> all;
        for (const Finding& each : findings.sorted())
            all.emplace_back(each.kind, each.memory, each.first.unit, enum_name(each.first.agent), each.first.count, each.second.unit,
                             enum_name(each.second.agent), each.second.count);
        return all;
    }

    Options options;
    Findings findings;
    std::vector<std::unique_ptr<CoreCheck>> cores;
    CrossOrder cross;
    uint64_t events = 0;
};

} // namespace

void bind_order_model(nb::module_& module) {
    nb::class_<OrderModel>(module, "OrderModel", "Cores are told what they issue and run, in any order that the rules allow.")
        .def(nb::init<Kinds, AutoSync, bool>(), "cores"_a, "auto_sync"_a, "all_pairs"_a = true)
        .def(
            "issued", [](OrderModel& self, int32_t unit, Pipe pipe) { self.core(unit).order.issued(pipe); }, "unit"_a, "pipe"_a)
        .def("run", &OrderModel::run, "unit"_a, "pipe"_a, "bytes"_a, "orders_itself"_a = false, "sub"_a = -1)
        .def("scalar", &OrderModel::scalar, "unit"_a, "bytes"_a, "listed"_a, "past_cache"_a = false, "sub"_a = -1)
        .def("set_flag", [](OrderModel& self, int32_t unit, Pipe src, Pipe dst, int id) { self.core(unit).order.set_flag(src, dst, id); })
        .def("wait_flag",
             [](OrderModel& self, int32_t unit, Pipe src, Pipe dst, int id) { return self.core(unit).order.wait_flag(src, dst, id); })
        .def("barrier",
             [](OrderModel& self, int32_t unit, Pipe pipe) {
                 if (pipe == Pipe::ALL) self.core(unit).order.barrier_all();
                 else self.core(unit).order.barrier(pipe);
             })
        .def("scalar_barrier", [](OrderModel& self, int32_t unit, uint64_t scope) { self.core(unit).barrier_of_scalar(scope); })
        .def("clean",
             [](OrderModel& self, int32_t unit, uint64_t begin, uint64_t end) { self.core(unit).clean(self.fresh_spot(-1), begin, end); })
        .def("cross_set", &OrderModel::cross_set, "unit"_a, "pipe"_a, "mode"_a, "id"_a)
        .def("cross_wait", [](OrderModel& self, int32_t unit, int id) { self.cross.wait(unit, id, self.core(unit).order); })
        .def("post", [](OrderModel& self, int32_t unit, uint64_t box) { self.cross.post(box, unit, self.core(unit).order.control()); })
        .def("take", [](OrderModel& self, int32_t unit, uint64_t box) { return self.cross.take(box, unit, self.core(unit).order); })
        .def("pairs", &OrderModel::pairs, "At the end: (kind, memory, unit, agent, number, unit, agent, number).");
}

} // namespace aclimb
