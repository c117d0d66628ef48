// SPDX-License-Identifier: Apache-2.0
// Scratch by the name of a call.
#include "aclimb/library/cumsum_sizes.h"
#include "aclimb/library/layout_sizes.h"
#include "aclimb/library/norm_sizes.h"
#include "aclimb/library/quant_sizes.h"
#include "aclimb/library/reduction_sizes.h"
#include "aclimb/library/sort_sizes.h"
#include "bind.h"

#include <map>

namespace {

const std::map<std::string, library::Vectors> kVectors = {
#define ACLIMB_CALL(name, ...) {#name, library::needs::name},
    ACLIMB_VECTORS(ACLIMB_CALL)
#undef ACLIMB_CALL
};
const std::map<std::string, library::RowVectors> kRowVectors = {
#define ACLIMB_CALL(name, ...) {#name, library::needs::name},
    ACLIMB_ROW_VECTORS(ACLIMB_CALL)
#undef ACLIMB_CALL
};
// Calls with a function of their own: its arguments in order.
using Arguments = std::vector<uint32_t>;
using library::Reduction;
template <Reduction kind> library::Sizes of_reduction(const Arguments& a) {
    return library::reduction_sizes(kind, a.at(0) != 0, a.at(1), a.at(2), a.at(3));
}
const std::map<std::string, library::Sizes (*)(const Arguments&)> kOthers = {
    {"Sum", [](const Arguments& a) { return library::sum_sizes(a.at(0), a.at(1)); }},
    {"Mean", [](const Arguments& a) { return library::mean_sizes(a.at(0), a.at(1), a.at(2)); }},
    {"ReduceSum", of_reduction<Reduction::sum>},
    {"ReduceMean", of_reduction<Reduction::mean>},
    {"ReduceMax", of_reduction<Reduction::max>},
    {"ReduceMin", of_reduction<Reduction::min>},
    {"ReduceProd", of_reduction<Reduction::prod>},
    {"ReduceAny", of_reduction<Reduction::any>},
    {"ReduceAll", of_reduction<Reduction::all>},
    {"ReduceXorSum", [](const Arguments& a) { return library::xor_sum_sizes(a.at(0)); }},
    {"AscendQuant", [](const Arguments& a) { return library::quant_sizes(a.at(0), a.at(1)); }},
    {"AscendDequant", [](const Arguments& a) { return library::dequant_sizes(a.at(0)); }},
    {"AscendAntiQuant", [](const Arguments& a) { return library::anti_quant_sizes(a.at(0), a.at(1) != 0, a.at(2) != 0); }},
    {"BatchNorm", [](const Arguments& a) { return library::batch_norm_sizes(a.at(0)); }},
    {"GroupNorm", [](const Arguments& a) { return library::group_norm_sizes(a.at(0), a.at(1)); }},
    {"CumSum", [](const Arguments& a) { return library::cumsum_sizes(a.at(0), a.at(1), a.at(2), a.at(3) != 0); }},
    {"TopK", [](const Arguments& a) { return library::topk_sizes(a.at(0), a.at(1), a.at(2) != 0); }},
    {"Broadcast", [](const Arguments& a) { return library::broadcast_sizes(a.at(0), a.at(1), a.at(2)); }},
    {"Pad", [](const Arguments& a) { return library::pad_sizes(a.at(0), a.at(1)); }},
    {"TransData", [](const Arguments& a) { return library::trans_data_sizes(a.at(0)); }},
    {"DropOut", [](const Arguments& a) { return library::filter_sizes(a.at(0)); }},
};
template <class Map> const auto& at(const Map& map, const std::string& call) {
    const auto found = map.find(call);
    if (found == map.end()) throw nb::key_error(call.c_str());
    return found->second;
}

} // namespace

void bind_by_name(nb::module_& module) {
    module.def(
        "sizes",
        [](const std::string& call, uint64_t elements, uint32_t size) {
            const library::Sizes found = at(kVectors, call).sizes(elements, size);
            return Pair(found.max, found.min);
        },
        "call"_a, "elements"_a, "type_size"_a,
        "Scratch of a call that goes element by element: the most it uses, and the least it works with.");
    module.def(
        "row_sizes",
        [](const std::string& call, uint64_t rows, uint64_t columns) {
            const library::Sizes found = at(kRowVectors, call).sizes(rows, columns);
            return Pair(found.max, found.min);
        },
        "call"_a, "rows"_a, "columns"_a, "The same of a call that goes row by row.");
    module.def(
        "other_sizes",
        [](const std::string& call, const nb::args& given) {
            Arguments arguments;
            for (const nb::handle each : given) arguments.push_back(nb::cast<uint32_t>(each));
            const library::Sizes found = at(kOthers, call)(arguments);
            return Pair(found.max, found.min);
        },
        nb::sig("def other_sizes(call: str, *arguments: int) -> tuple[int, int]"), "call"_a, "arguments"_a,
        "The same of a call with a function of its own, with the arguments of that function.");
}
