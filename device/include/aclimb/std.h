// SPDX-License-Identifier: Apache-2.0
// AscendC::Std: the traits kernels use, from <type_traits>, and min and max.
#pragma once
#include "aclimb/types.h"

namespace AscendC {

template <typename T, typename U> struct IsSameType {
    static constexpr bool value = std::is_same_v<T, U>;
};
template <bool condition, typename T, typename U> using Conditional = std::conditional<condition, T, U>;
template <typename T, typename... U> constexpr bool SupportType() { return aclimb::is_one_of<T, U...>; }
template <typename T, int size> constexpr bool SupportBytes() { return sizeof(T) == size; }
template <typename T> struct GetPrimType {
    using type = T;
};
template <typename T> using PrimT = typename GetPrimType<T>::type;

namespace Std {

using std::add_const;
using std::add_lvalue_reference;
using std::add_pointer;
using std::bool_constant;
using std::conditional;
using std::conditional_t;
using std::decay;
using std::decay_t;
using std::enable_if;
using std::enable_if_t;
using std::false_type;
using std::integral_constant;
using std::is_arithmetic;
using std::is_array;
using std::is_base_of;
using std::is_class;
using std::is_const;
using std::is_convertible;
using std::is_enum;
using std::is_floating_point;
using std::is_floating_point_v;
using std::is_integral;
using std::is_integral_v;
using std::is_pointer;
using std::is_reference;
using std::is_same;
using std::is_same_v;
using std::is_signed;
using std::is_unsigned;
using std::is_void;
using std::remove_const;
using std::remove_cv;
using std::remove_cv_t;
using std::remove_pointer;
using std::remove_reference;
using std::remove_reference_t;
using std::true_type;
using std::underlying_type;
using std::void_t;

template <typename T, typename... U> struct is_one_of : std::bool_constant<aclimb::is_one_of<T, U...>> {};
template <typename T, typename... U> constexpr bool is_one_of_v = aclimb::is_one_of<T, U...>;

template <typename T, typename U> constexpr ACLIMB_API T min(const T a, const U b) { return b < a ? static_cast<T>(b) : a; }
template <typename T, typename U> constexpr ACLIMB_API T max(const T a, const U b) { return a < b ? static_cast<T>(b) : a; }

} // namespace Std
} // namespace AscendC
