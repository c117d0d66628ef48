// SPDX-License-Identifier: Apache-2.0
// Tiling data and tiling keys, as a kernel of an operator project reads them. The key is a run-time value of the launch; the keys
// a kernel asks for are build facts, so that the binary lists them. Tiling data lies in global memory, which a kernel reads as it is.
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "aclimb/abi.h"
#include "aclimb/facts.h"
#include "aclimb/qualifiers.h"

enum KernelMetaType : uint32_t {
    KERNEL_TYPE_AIV_ONLY = 0,
    KERNEL_TYPE_AIC_ONLY = 1,
    KERNEL_TYPE_MIX_AIV_HARD_SYNC = 2,
    KERNEL_TYPE_MIX_AIC_HARD_SYNC = 3,
    KERNEL_TYPE_MIX_AIV_1_0 = 4,
    KERNEL_TYPE_MIX_AIC_1_0 = 5,
    KERNEL_TYPE_MIX_AIC_1_1 = 6,
    KERNEL_TYPE_MIX_AIC_1_2 = 7,
    KERNEL_TYPE_AICORE = 8, // from here on: products with a coupled core, which aclimb does not model
    KERNEL_TYPE_VECTORCORE = 9,
    KERNEL_TYPE_MIX_AICORE = 10,
    KERNEL_TYPE_MIX_VECTOR_CORE = 11,
};

namespace aclimb {

inline __attribute__((always_inline)) uint64_t tiling_key() { return core()->tiling_key; }

template <uint64_t key> inline __attribute__((always_inline)) bool tiling_key_is() {
    fact<Fact::tiling_key, key>();
    return tiling_key() == key;
}

// The same two where the builder makes a kernel a template on the key that runs, because its tiling struct depends on it
// (src/aclimb/compile/by_key.py), and the struct of that key.
template <uint64_t running> constexpr uint64_t tiling_key() { return running; }
template <uint64_t running, uint64_t key> constexpr bool tiling_key_is() { return running == key; }
template <uint64_t key, typename T> struct ForKey {
    using type = T;
};
template <uint64_t running, typename Default, typename... Rows> struct TilingStruct {
    using type = Default;
};
template <uint64_t running, typename Default, typename T, typename... Rows>
struct TilingStruct<running, Default, ForKey<running, T>, Rows...> : ForKey<running, T> {};
template <uint64_t running, typename Default, typename Row, typename... Rows> struct TilingStruct<running, Default, Row, Rows...>
    : TilingStruct<running, Default, Rows...> {};
constexpr bool is_tiling_for(const char*) { return true; }

template <uint32_t type> inline __attribute__((always_inline)) void kernel_type() {
    static_assert(type <= KERNEL_TYPE_MIX_AIC_1_2, "KERNEL_TASK_TYPE: this kernel type belongs to products with a coupled core (310P); "
                                                   "aclimb models Atlas A2 and A3: use KERNEL_TYPE_AIV_ONLY .. KERNEL_TYPE_MIX_AIC_1_2");
    fact<Fact::kernel_type, type>();
}

template <uint64_t key, uint32_t type> inline __attribute__((always_inline)) void kernel_type_for() {
    static_assert(type <= KERNEL_TYPE_MIX_AIC_1_2, "KERNEL_TASK_TYPE: this kernel type belongs to products with a coupled core (310P); "
                                                   "aclimb models Atlas A2 and A3: use KERNEL_TYPE_AIV_ONLY .. KERNEL_TYPE_MIX_AIC_1_2");
    static_assert(key < (uint64_t(1) << 60), "KERNEL_TASK_TYPE: the tiling key has more than 60 bits");
    fact<Fact::kernel_type_key, key * 16 + type>();
}

template <typename T> inline __attribute__((always_inline)) void copy_tiling(T& to, const volatile void* from) {
    __builtin_memcpy(&to, const_cast<const void*>(from), sizeof(T));
}

// COPY_TILING_* are given either the address of a member or the member itself.
template <typename T> inline __attribute__((always_inline)) const void* tiling_address(const T* pointer) { return pointer; }
template <typename T> inline __attribute__((always_inline)) auto tiling_address(const T& member)
    -> decltype(sizeof(int T::*), static_cast<const void*>(&member)) {
    return &member; // int T::* exists for classes only
}

} // namespace aclimb

#define TILING_KEY_VAR (::aclimb::tiling_key())
#define TILING_KEY_IS(key) (::aclimb::tiling_key_is<static_cast<uint64_t>(key)>())
#define KERNEL_TASK_TYPE_DEFAULT(type) ::aclimb::kernel_type<static_cast<uint32_t>(type)>()
#define KERNEL_TASK_TYPE(key, type) ::aclimb::kernel_type_for<static_cast<uint64_t>(key), static_cast<uint32_t>(type)>()

// GET_TILING_DATA takes the struct named by REGISTER_TILING_DEFAULT in the same or an enclosing scope. Where a kernel registers others
// by key, the builder finds them in the preprocessed text and puts the struct of the key in its place.
#define REGISTER_TILING_DEFAULT(tiling_struct) using aclimb_default_tiling [[maybe_unused]] = tiling_struct
#define REGISTER_TILING_FOR_TILINGKEY(expression, tiling_struct)                                                                           \
    static_assert(::aclimb::is_tiling_for(expression) && sizeof(tiling_struct) > 0, "")
#define REGISTER_NONE_TILING static_assert(true, "")

#define GET_TILING_DATA(name, pointer) GET_TILING_DATA_WITH_STRUCT(aclimb_default_tiling, name, pointer)
#define GET_TILING_DATA_WITH_STRUCT(tiling_struct, name, pointer)                                                                          \
    tiling_struct name;                                                                                                                    \
    ::aclimb::copy_tiling(name, pointer)
#define GET_TILING_DATA_MEMBER(tiling_struct, member, name, pointer)                                                                       \
    decltype(tiling_struct::member) name;                                                                                                  \
    ::aclimb::copy_tiling(name, reinterpret_cast<const uint8_t*>(pointer) + offsetof(tiling_struct, member))
#define GET_TILING_DATA_PTR_WITH_STRUCT(tiling_struct, name, pointer)                                                                      \
    const __gm__ tiling_struct* name = reinterpret_cast<const __gm__ tiling_struct*>(pointer)
#define COPY_TILING_WITH_STRUCT(tiling_struct, source, name)                                                                               \
    tiling_struct aclimb_copy_of_##name;                                                                                                   \
    ::aclimb::copy_tiling(aclimb_copy_of_##name, ::aclimb::tiling_address(source));                                                        \
    const tiling_struct* name = &aclimb_copy_of_##name
#define COPY_TILING_WITH_ARRAY(element, count, source, name)                                                                               \
    element aclimb_copy_of_##name[count];                                                                                                  \
    ::aclimb::copy_tiling(aclimb_copy_of_##name, ::aclimb::tiling_address(source));                                                        \
    const element(*name)[count] = &aclimb_copy_of_##name

// The host's description of a tiling struct, where a kernel includes it: on the device a plain struct with natural alignment. The host
// lays a struct inside another one, and the end of each, on a multiple of 8.
#define BEGIN_TILING_DATA_DEF(name) struct alignas(8) name {
#define TILING_DATA_FIELD_DEF(type, name) type name;
#define TILING_DATA_FIELD_DEF_ARR(type, count, name) type name[count];
#define TILING_DATA_FIELD_DEF_STRUCT(type, name) type name;
#define END_TILING_DATA_DEF }
#define REGISTER_TILING_DATA_CLASS(op, name)
