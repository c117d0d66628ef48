// SPDX-License-Identifier: Apache-2.0
// What the parts of aclimb._library share.
#pragma once
#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <deque>
#include <string>

#include "aclimb/library/host_words.h"

namespace nb = nanobind;
using namespace nb::literals;
using namespace AscendC;
namespace library = aclimb::library;

void bind_by_name(nb::module_& module);
void bind_mathematics(nb::module_& module);
void bind_softmax(nb::module_& module);
void bind_layout(nb::module_& module);
void bind_norms(nb::module_& module);
void bind_reductions(nb::module_& module);

using Dims = std::vector<int64_t>;
using Pair = std::pair<uint32_t, uint32_t>; // max, min

inline bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
// GetSwiGLUMaxMinTmpSize: get_swi_glu_max_min_tmp_size. Kept for good, as nanobind does not copy a name.
inline const char* snake(const std::string& name) {
    static std::deque<std::string> kept;
    std::string made;
    for (size_t i = 0; i < name.size(); i++) {
        const bool word = is_upper(name[i]) && i && (!is_upper(name[i - 1]) || (i + 1 < name.size() && !is_upper(name[i + 1])));
        if (word) made += '_';
        made += is_upper(name[i]) ? static_cast<char>(name[i] - 'A' + 'a') : name[i];
    }
    return kept.emplace_back(made).c_str();
}

// Of a function that gives max and min through references.
template <class Function> Pair pair_of(const Function& function) {
    Pair found{};
    function(found.first, found.second);
    return found;
}
template <class Tiling, class Function> Tiling tiling_of(const Function& function) {
    Tiling made{};
    function(made);
    return made;
}
inline const platform_ascendc::PlatformAscendC& any_platform() { // no function asks it
    static const int place = 0;
    return reinterpret_cast<const platform_ascendc::PlatformAscendC&>(place);
}

template <class Tiling> nb::class_<Tiling> bind_tiling(nb::module_& module, const char* name) {
    return nb::class_<Tiling>(module, name, "A tiling, byte for byte as the C++ struct.")
        .def(nb::init<>())
        .def(
            "pack", [](const Tiling& self) { return nb::bytes(reinterpret_cast<const char*>(&self), sizeof self); }, "What a kernel reads.")
        .def("__bytes__", [](const Tiling& self) { return nb::bytes(reinterpret_cast<const char*>(&self), sizeof self); })
        .def_static(
            "unpack",
            [](const nb::bytes& data) {
                Tiling made{};
                if (data.size() != sizeof made)
                    throw nb::value_error(("a tiling of " + std::to_string(sizeof made) + " bytes is unpacked, and " +
                                           std::to_string(data.size()) + " are given")
                                              .c_str());
                __builtin_memcpy(static_cast<void*>(&made), data.c_str(), sizeof made);
                return made;
            },
            "data"_a);
}
#define FIELD(type, name) made.def_rw(#name, &Struct::name);
#define TILING(name, fields)                                                                                                               \
    {                                                                                                                                      \
        using Struct = AscendC::tiling::name;                                                                                              \
        auto made = bind_tiling<Struct>(module, #name);                                                                                    \
        fields(FIELD)                                                                                                                      \
    }
