// SPDX-License-Identifier: Apache-2.0
// Schedules by priority, for a stream to follow, and what there is to say about them afterwards.
#include <nanobind/nanobind.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <tuple>

#include "bind/bind.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace aclimb {
namespace {

using Numbered = std::tuple<int32_t, Pipe, uint64_t>; // unit, pipe, number

Instruction instruction_of(const Numbered& given) { return {std::get<0>(given), std::get<1>(given), std::get<2>(given)}; }

} // namespace

void bind_schedule(nb::module_& module) {
    nb::class_<BoundPriorities>(module, "Priorities", "Always the turn of the agent with the highest rank: a scalar unit or a pipe.")
        .def(
            "__init__",
            [](BoundPriorities* self, PriorityRules::Kind kind, Pipe pipe, std::vector<int32_t> units, uint64_t seed,
               std::vector<uint64_t> changes) {
                new (self) BoundPriorities{
                    std::make_shared<Priorities>(PriorityRules{kind, pipe, std::move(units), seed, std::move(changes)}), {}};
            },
            "kind"_a, "pipe"_a = Pipe::S, "units"_a = std::vector<int32_t>(), "seed"_a = 0, "changes"_a = std::vector<uint64_t>())
        .def_static(
            "directed",
            [](const Numbered& first, const Numbered& second) {
                auto made = std::make_shared<Directed>(instruction_of(first), instruction_of(second));
                return BoundPriorities{Kept<Priorities>(made), Kept<Directed>(made)};
            },
            "first"_a, "second"_a, "`second` before `first`: each is (unit, pipe, number of the instruction from 1).")
        .def_prop_ro("steps", [](const BoundPriorities& self) { return self.priorities->steps(); })
        .def_prop_ro(
            "agents", [](const BoundPriorities& self) { return self.priorities->agents(); }, "that took a step")
        .def_prop_ro(
            "fingerprint", [](const BoundPriorities& self) { return self.priorities->fingerprint(); }, "of the steps")
        .def_prop_ro(
            "happened", [](const BoundPriorities& self) { return self.directed && self.directed->has_happened(); },
            "directed: the second ran before the first")
        .def_prop_ro(
            "was_held", [](const BoundPriorities& self) { return self.directed && self.directed->was_held(); },
            "directed: the first was held back; not so where the second runs before it anyway")
        .def_prop_ro(
            "reached",
            [](const BoundPriorities& self) {
                return self.directed ? std::make_tuple(self.directed->reached(false), self.directed->reached(true)) : std::tuple(0ul, 0ul);
            },
            "directed: how many instructions the agents of the two ran");
}

} // namespace aclimb
