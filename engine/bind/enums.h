// SPDX-License-Identifier: Apache-2.0
// A C++ enum as Python sees it: the same names and numbers, from one declaration.
#pragma once
#include <nanobind/nanobind.h>

#include <string>

#include "isa/enum_names.h"

namespace aclimb {

template <class Enum, class... Extra> nanobind::enum_<Enum> bind_enum(nanobind::module_& module, const char* name, const Extra&... extra) {
    const nanobind::object is_keyword = nanobind::module_::import_("keyword").attr("iskeyword");
    nanobind::enum_<Enum> made(module, name, extra...);
    for (size_t i = 0; i < kNames<Enum>.size(); i++) {
        const std::string word = kNames<Enum>[i], suffix = nanobind::cast<bool>(is_keyword(word.c_str())) ? "_" : "";
        made.value((word + suffix).c_str(), static_cast<Enum>(kFirst<Enum> + static_cast<int>(i)));
    }
    return made;
}

} // namespace aclimb
