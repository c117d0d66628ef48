// SPDX-License-Identifier: Apache-2.0
// Checks: what the checker found, as Python reads it.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "aclimb/op.h"
#include "bind/bind.h"
#include "bind/enums.h"
#include "bind/images.h"
#include "core/plan.h"
#include "host/check_session.h"
#include "isa/rows.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace aclimb {
namespace {

using check::Access;
using check::Finding;

struct BoundCheck {
    Kept<check::CheckSession> session;
};
struct BoundChecked {
    Kept<check::CheckedLaunch> launch;
};
template <class Part> struct Of { // a part of what was found, with the launch whose images its places lie in
    Kept<check::CheckedLaunch> launch;
    Part part;

    std::string instruction() const { return is_row(part.spot.op) ? api_of(part.spot.op) : ""; }
};
using BoundFinding = Of<Finding>;
using BoundSide = Of<check::Side>;
using BoundStanding = Of<check::Standing>;
using BoundTapeEvent = Of<check::TapeEvent>;

nb::tuple place_in(const check::CheckedLaunch& launch, const check::Spot& spot) {
    nb::dict unused;
    return locate(images_of(*launch.kernel, spot.sub), spot.pc, unused);
}

int operand_of(const check::Side& side) {
    const bool scratches =
        is_row(side.spot.op) && side.operand == kReservedOperand && row_of(side.spot.op).operand[kReservedOperand].role == Role::scratches;
    return scratches ? -1 : side.operand;
}

std::string name_of_member(const check::CheckedLaunch& launch, int32_t sub) {
    const auto& plan = launch.kernel->plan;
    const bool there = plan && sub >= 0 && static_cast<size_t>(sub) < plan->subs.size() && plan->subs[static_cast<size_t>(sub)].kernel;
    return there ? plan->subs[static_cast<size_t>(sub)].kernel->name : "";
}

std::vector<BoundFinding> findings_of(const BoundChecked& self) {
    std::vector<BoundFinding> all;
    for (Finding& each : self.launch->check->findings.sorted()) all.push_back({self.launch, std::move(each)});
    return all;
}

nb::dict images_of_launch(const BoundChecked& self) {
    nb::dict images;
    for (const auto& [name, image] : images_of(*self.launch->kernel, -1)) images[name.c_str()] = image_bytes(image);
    return images;
}

std::vector<BoundStanding> order_of(const BoundFinding& self) {
    std::vector<BoundStanding> all;
    for (const auto& each : self.part.order) all.push_back({self.launch, each});
    return all;
}

// --- the tape of a launch

using CorePair = std::tuple<int32_t, int32_t, int32_t, int32_t>; // member and core, twice

const check::Tape& tape_of(const BoundChecked& self) {
    const check::Tape* tape = self.launch->check->tape();
    if (!tape) throw nb::value_error("this check keeps no tape");
    return *tape;
}

std::vector<BoundTapeEvent> events_of(const BoundChecked& self, size_t unit) {
    std::vector<BoundTapeEvent> all;
    for (const auto& each : tape_of(self).cores().at(unit).events) all.push_back({self.launch, each});
    return all;
}

std::pair<bool, std::vector<CorePair>> judge(const BoundChecked& self,
                                             const std::vector<std::tuple<int32_t, int32_t, bool, uint32_t>>& moves) {
    std::vector<check::Move> made;
    for (const auto& [unit, member, is_set, to] : moves) made.push_back({unit, member, is_set, to});
    bool stuck = false;
    std::vector<CorePair> pairs;
    for (const auto& each : tape_of(self).judge(self.launch->check->options(), made, stuck))
        pairs.emplace_back(each.first_member, each.first_unit, each.second_member, each.second_unit);
    return {stuck, std::move(pairs)};
}

// --- what the host does

void bind_conflicts(nb::module_& module) {
    nb::class_<check::HostTask>(module, "HostTask", "What a stream does for the host, or the host itself.")
        .def_prop_ro("kind", [](const check::HostTask& self) { return enum_name(self.kind); })
        .def_ro("launch", &check::HostTask::launch, "Its number among those that were checked, -1 none.")
        .def_ro("by_host", &check::HostTask::by_host)
        .def_prop_ro(
            "place", [](const check::HostTask& self) { return place_of(self.site); }, nb::sig("def place(self) -> tuple[str, int] | None"));
    nb::class_<check::Conflict>(module, "Conflict", "Two tasks that touch the same bytes in no order.")
        .def_ro("kind", &check::Conflict::kind)
        .def_ro("first", &check::Conflict::first)
        .def_ro("second", &check::Conflict::second)
        .def_ro("begin", &check::Conflict::begin)
        .def_ro("end", &check::Conflict::end)
        .def_ro("both_write", &check::Conflict::both_write);
}

template <class Part> nb::class_<Of<Part>> bind_placed(nb::module_& module, const char* name, const char* doc) {
    return nb::class_<Of<Part>>(module, name, doc)
        .def_prop_ro(
            "where", [](const Of<Part>& self) { return place_in(*self.launch, self.part.spot); },
            nb::sig("def where(self) -> tuple[str, int]"))
        .def_prop_ro("instruction", &Of<Part>::instruction);
}

void bind_findings(nb::module_& module) {
    bind_placed<check::Side>(module, "FindingSide", "One of the two accesses of a finding.")
        .def_prop_ro("block", [](const BoundSide& self) { return self.part.block; })
        .def_prop_ro("unit", [](const BoundSide& self) { return self.part.unit; })
        .def_prop_ro("core_type", [](const BoundSide& self) { return self.part.core_type; })
        .def_prop_ro("core_idx", [](const BoundSide& self) { return self.part.core_idx; })
        .def_prop_ro("agent", [](const BoundSide& self) { return enum_name(self.part.agent); })
        .def_prop_ro("way", [](const BoundSide& self) { return enum_name(self.part.way); })
        .def_prop_ro(
            "operand", [](const BoundSide& self) { return operand_of(self.part); }, "As it counts in the call; -1: none of its tensors.")
        .def_prop_ro(
            "number", [](const BoundSide& self) { return self.part.count; }, "Which instruction of its agent it was, from 1.")
        .def_prop_ro("sub", [](const BoundSide& self) { return self.part.spot.sub; })
        .def_prop_ro("member", [](const BoundSide& self) { return name_of_member(*self.launch, self.part.spot.sub); })
        .def_prop_ro("waited", [](const BoundSide& self) { return self.part.spot.waited != 0; })
        .def_prop_ro("set", [](const BoundSide& self) { return self.part.spot.set != 0; });
    bind_placed<check::Standing>(module, "Standing", "A synchronisation that stands near the two.")
        .def_prop_ro("kind", [](const BoundStanding& self) { return enum_name(self.part.mark.kind); })
        .def_prop_ro("src", [](const BoundStanding& self) { return name_of(self.part.mark.src); })
        .def_prop_ro("dst", [](const BoundStanding& self) { return name_of(self.part.mark.dst); })
        .def_prop_ro("id", [](const BoundStanding& self) { return self.part.mark.id; })
        .def_prop_ro("mode", [](const BoundStanding& self) { return self.part.mark.mode; })
        .def_prop_ro("at", [](const BoundStanding& self) { return enum_name(self.part.at); });
    bind_placed<check::TapeEvent>(module, "TapeEvent", "One instruction that a core issued, in its order.")
        .def_prop_ro("member", [](const BoundTapeEvent& self) { return self.part.member; })
        .def_prop_ro("pipe", [](const BoundTapeEvent& self) { return name_of(self.part.pipe); })
        .def_prop_ro(
            "touches", [](const BoundTapeEvent& self) { return self.part.touches > 0; }, "Whether it reads or writes memory or a register.")
        .def_prop_ro(
            "orders", [](const BoundTapeEvent& self) { return self.part.effect.orders(); }, "Whether anything is ordered by it.")
        .def_prop_ro("early_set", [](const BoundTapeEvent& self) { return self.part.early_set; })
        .def_prop_ro("early_wait", [](const BoundTapeEvent& self) { return self.part.early_wait; });
    nb::class_<BoundFinding>(module, "Finding", "What the checker found; the words are src/aclimb/check's.")
        .def_prop_ro("kind", [](const BoundFinding& self) { return self.part.kind; })
        .def_prop_ro("first", [](const BoundFinding& self) { return BoundSide{self.launch, self.part.first}; })
        .def_prop_ro("second",
                     [](const BoundFinding& self) {
                         return self.part.has_second ? std::optional(BoundSide{self.launch, self.part.second}) : std::nullopt;
                     })
        .def_prop_ro("memory", [](const BoundFinding& self) { return self.part.in_register ? "register" : name_of(self.part.memory); })
        .def_prop_ro("begin", [](const BoundFinding& self) { return self.part.begin; })
        .def_prop_ro("end", [](const BoundFinding& self) { return self.part.end; })
        .def_prop_ro(
            "met", [](const BoundFinding& self) { return self.part.met; }, "How often.")
        .def_prop_ro(
            "blocks", [](const BoundFinding& self) { return self.part.blocks; }, "In how many blocks.")
        .def_prop_ro(
            "number", [](const BoundFinding& self) { return self.part.number; }, "What else its kind can say: bytes, cycles, an id.")
        .def_prop_ro("order", order_of, "What was set and waited for near the two.");
}

} // namespace

void bind_check(nb::module_& module) {
    bind_enum<check::FindingKind>(module, "FindingKind");
    bind_enum<check::AutoSync>(module, "AutoSync");
    bind_enum<check::Doubt>(module, "Doubt");
    bind_enum<check::Way>(module, "Way");
    bind_findings(module);
    bind_conflicts(module);
    nb::class_<BoundChecked>(module, "CheckedLaunch")
        .def_prop_ro("kernel", [](const BoundChecked& self) { return self.launch->kernel->name; })
        .def_prop_ro("loaded", [](const BoundChecked& self) { return self.launch->kernel->serial; })
        .def_prop_ro("num_blocks", [](const BoundChecked& self) { return self.launch->num_blocks; })
        .def_prop_ro("tiling_key", [](const BoundChecked& self) { return self.launch->tiling_key; })
        .def_prop_ro("stream", [](const BoundChecked& self) { return self.launch->stream; })
        .def_prop_ro("args", [](const BoundChecked& self) { return self.launch->args; })
        .def_prop_ro(
            "place", [](const BoundChecked& self) { return place_of(self.launch->site); },
            nb::sig("def place(self) -> tuple[str, int] | None"))
        .def_prop_ro("ended", [](const BoundChecked& self) { return self.launch->ended && !self.launch->dropped; })
        .def_prop_ro(
            "claimed", [](const BoundChecked& self) { return self.launch->claimed; },
            "It ran in the process of an isolated device, which may say anything.")
        .def_prop_ro("findings", findings_of)
        .def_prop_ro("images", images_of_launch, nb::sig("def images(self) -> dict[str, bytes | None]"))
        .def("events", events_of, "unit"_a, "What a core issued, where the check keeps a tape.")
        .def("judge", judge, "moves"_a,
             "Again, with calls moved, each (core, member, is a set, before which event): whether a core waits for ever, and every pair of "
             "(member, core) in no order.")
        .def_prop_ro("steers",
                     [](const BoundChecked& self) {
                         std::vector<BoundSide> all;
                         for (const auto& each : self.launch->check->steers()) all.push_back({self.launch, each});
                         return all;
                     })
        .def_prop_ro("units", [](const BoundChecked& self) { return self.launch->check->cores().size(); })
        .def_prop_ro("doubts", [](const BoundChecked& self) {
            std::vector<std::pair<check::Doubt, BoundSide>> all;
            for (const auto& each : self.launch->check->doubts()) all.emplace_back(each.what, BoundSide{self.launch, each.where});
            return all;
        });
    nb::class_<BoundCheck>(module, "CheckSession")
        .def(
            "__init__",
            [](BoundCheck* self, check::AutoSync auto_sync, bool cache, bool init, bool eager, bool advice, bool tape, bool all_pairs,
               uint64_t log_bytes) {
                new (self) BoundCheck{std::make_shared<check::CheckSession>(
                    check::Options{auto_sync, cache, init, eager, advice, tape, all_pairs, log_bytes})};
            },
            nb::kw_only(), "auto_sync"_a, "cache"_a, "init"_a, "eager"_a, "advice"_a, "tape"_a = false, "all_pairs"_a = false,
            "log_bytes"_a = check::Options{}.log_bytes)
        .def("open", [](BoundCheck& self) { QueueObserver::open(self.session); })
        .def("close", [](BoundCheck& self) { QueueObserver::close(self.session); })
        .def_prop_ro("settled", [](BoundCheck& self) { return self.session->settled(); })
        .def_prop_ro("conflicts", [](BoundCheck& self) { return self.session->conflicts(); })
        .def_prop_ro("launches", [](BoundCheck& self) {
            std::vector<BoundChecked> all;
            for (auto& each : self.session->launches()) all.push_back({each});
            return all;
        });
}

} // namespace aclimb
