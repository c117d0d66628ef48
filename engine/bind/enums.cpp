// SPDX-License-Identifier: Apache-2.0
#include "bind/enums.h"

#include "bind/launch.h"
#include "core/interleaving.h"
#include "core/plan.h"
#include "core/priorities.h"
#include "host/args.h"
#include "host/session.h"
#include "memory/whereabouts.h"

namespace nb = nanobind;

namespace aclimb {

void bind_enums(nb::module_& module) {
    bind_enum<KernelType>(module, "KernelType", nb::is_arithmetic())
        .def_prop_ro(
            "task_ration", [](KernelType type) { return nb::make_tuple(aics_per_block(type), aivs_per_block(type)); },
            nb::sig("def task_ration(self) -> tuple[int, int]"), "(AIC, AIV) cores of one block; the spelling is CANN's.")
        .def_prop_ro("has_aic", [](KernelType type) { return aics_per_block(type) > 0; })
        .def_prop_ro("has_aiv", [](KernelType type) { return aivs_per_block(type) > 0; })
        .def_prop_ro("cross_core_sync", has_cross_core,
                     "Whether hardware cross-core flags and the hard SyncAll work in a kernel of this type.");
    bind_enum<Pipe>(module, "Pipe", nb::is_arithmetic());
    bind_enum<Memory>(module, "Memory", nb::is_arithmetic());
    bind_enum<CoreType>(module, "CoreType");
    bind_enum<ParameterKind>(module, "ParameterKind");
    bind_enum<Strictness>(module, "Strictness");
    bind_enum<FaultKind>(module, "FaultKind");
    bind_enum<Refusal>(module, "Refusal");
    bind_enum<ArgsStatus>(module, "ArgsStatus");
    bind_enum<Waited>(module, "Waited");
    bind_enum<Side>(module, "Side");
    bind_enum<Whereabouts::Kind>(module, "Whereabouts");
    bind_enum<PlanStep::Kind>(module, "StepKind");
    bind_enum<PlanStep::Who>(module, "Who");
    bind_enum<Interleaving::Mode>(module, "ScheduleMode");
    bind_enum<PriorityRules::Kind>(module, "PriorityKind");
    bind_enum<timing::EntryKind>(module, "EntryKind", nb::is_arithmetic());
    bind_enum<timing::Part>(module, "Part", nb::is_arithmetic());
    bind_enum<timing::Cause>(module, "Cause", nb::is_arithmetic());
    bind_enum<timing::Item::Kind>(module, "ItemKind");
    bind_enum<timing::L2Start>(module, "L2Start");
    bind_enum<timing::Clock::State>(module, "ClockState");
}

} // namespace aclimb
