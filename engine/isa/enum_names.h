// SPDX-License-Identifier: Apache-2.0
// The names of an enum's values, read from its declaration: nobody writes them a second time. Python's enums are made of the same names
// (bind/enums.h). Values count up without gaps; one called `count` at the end is none of them.
#pragma once
#include <array>
#include <cstddef>
#include <string_view>
#include <utility>

namespace aclimb {

template <auto Value> struct Enumerator {
    static consteval auto spelled() {
        return std::string_view(__PRETTY_FUNCTION__);
    } // "... Value = aclimb::Pipe::MTE2]", "... = (aclimb::Pipe)9]"
    static constexpr std::string_view view = [] {
        std::string_view text = spelled();
        text.remove_prefix(text.find("Value = ") + 8);
        text = text.substr(0, text.find_first_of(";]"));
        return text[0] != '(' ? text.substr(text.rfind(':') + 1) : std::string_view();
    }();
    static constexpr auto text = [] { // with a 0 behind it
        std::array<char, view.size() + 1> made{};
        for (size_t i = 0; i < view.size(); i++) made[i] = view[i];
        return made;
    }();
};

template <class Enum, int Number> constexpr bool has_name() { return !Enumerator<static_cast<Enum>(Number)>::view.empty(); }

template <class Enum> inline constexpr int kFirst = has_name<Enum, -1>() ? -1 : has_name<Enum, 0>() ? 0 : 1;

template <class Enum, int Number = kFirst<Enum>> consteval int end_of() {
    if constexpr (has_name<Enum, Number>()) return end_of<Enum, Number + 1>();
    else return Number - (Enumerator<static_cast<Enum>(Number - 1)>::view == "count");
}

template <class Enum> inline constexpr auto kNames = []<size_t... I>(std::index_sequence<I...>) {
    return std::array<const char*, sizeof...(I)>{Enumerator<static_cast<Enum>(kFirst<Enum> + static_cast<int>(I))>::text.data()...};
}(std::make_index_sequence<static_cast<size_t>(end_of<Enum>() - kFirst<Enum>)>());

template <class Enum> constexpr const char* enum_name(Enum value) {
    return kNames<Enum>[static_cast<size_t>(static_cast<int>(value) - kFirst<Enum>)];
}

template <class Enum> constexpr Enum enum_value(std::string_view name) {
    for (size_t i = 0; i < kNames<Enum>.size(); i++)
        if (name == kNames<Enum>[i]) return static_cast<Enum>(kFirst<Enum> + static_cast<int>(i));
    throw "the enum has no value of that name";
}

// A value by its name in quotes. Another word does not compile.
template <class Enum> struct Named {
    Enum value{};

    constexpr Named() = default;
    constexpr Named(Enum value) : value(value) {}
    consteval Named(const char* name) : value(enum_value<Enum>(name)) {}
    constexpr operator Enum() const { return value; }
    friend constexpr bool operator==(Named, Named) = default;
};

} // namespace aclimb
