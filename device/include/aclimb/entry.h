// SPDX-License-Identifier: Apache-2.0
// The door of a kernel. The builder appends one ACLIMB_KERNEL line a kernel behind the user's source; it defines the entry function the
// engine calls, which takes the argument block apart by the kernel's own type, and a table of the parameters for the builder to read.
//
// Parameters start at multiples of 8 bytes; each takes its sizeof. The table has no pointers, so it is read straight from the object.
#pragma once
#include <stddef.h>
#include <stdint.h>
#include <type_traits>

#include "aclimb/facts.h"
#include "aclimb/op.h"
#include "aclimb/qualifiers.h"

struct half;
struct bfloat16_t;

namespace aclimb {

enum class ParameterKind : uint32_t { pointer = 1, integer, unsigned_integer, floating, boolean, record, half, bfloat16 };

template <typename T> constexpr ParameterKind kind_of() {
    if constexpr (std::is_same_v<T, ::half>) {
        return ParameterKind::half;
    } else if constexpr (std::is_same_v<T, ::bfloat16_t>) {
        return ParameterKind::bfloat16;
    } else if constexpr (std::is_enum_v<T>) {
        return kind_of<std::underlying_type_t<T>>();
    } else if constexpr (std::is_pointer_v<T>) {
        return ParameterKind::pointer;
    } else if constexpr (std::is_same_v<T, bool>) {
        return ParameterKind::boolean;
    } else if constexpr (std::is_floating_point_v<T>) {
        return ParameterKind::floating;
    } else if constexpr (std::is_integral_v<T>) {
        return std::is_signed_v<T> ? ParameterKind::integer : ParameterKind::unsigned_integer;
    } else {
        return ParameterKind::record;
    }
}

template <typename T> constexpr void check_parameter() {
    static_assert(!std::is_reference_v<T>,
                  "a kernel parameter cannot be a reference: pass a pointer to global memory, or a struct by value");
    static_assert(std::is_pointer_v<T> || std::is_trivially_copyable_v<std::remove_reference_t<T>>,
                  "a kernel parameter is copied byte by byte: use a scalar, a pointer to global memory or a plain struct");
    static_assert(alignof(std::remove_reference_t<T>) <= 8,
                  "a kernel parameter starts at a multiple of 8 bytes: its alignment cannot be larger");
}

struct ParameterRow {
    uint32_t kind, size;
};

constexpr uint32_t kParametersMagic = 0x4d524150; // "PARM"

template <size_t symbol_bytes, size_t count> struct ParameterTable {
    uint32_t magic, symbol_size, row_count, reserved;
    ParameterRow rows[count ? count : 1];
    char symbol[symbol_bytes];
};

template <size_t symbol_bytes, typename... P>
constexpr ParameterTable<symbol_bytes, sizeof...(P)> parameters(const char (&symbol)[symbol_bytes], void (*)(P...)) {
    ParameterTable<symbol_bytes, sizeof...(P)> table{kParametersMagic, symbol_bytes, sizeof...(P), 0, {}, {}};
    const ParameterRow rows[] = {ParameterRow{static_cast<uint32_t>(kind_of<std::remove_cv_t<P>>()), sizeof(P)}..., ParameterRow{}};
    for (size_t i = 0; i < sizeof...(P); ++i) table.rows[i] = rows[i];
    for (size_t i = 0; i < symbol_bytes; ++i) table.symbol[i] = symbol[i];
    return table;
}

template <typename... P> struct Slots {
    static constexpr size_t offset_of(size_t index) {
        constexpr size_t sizes[] = {sizeof(P)..., 0};
        size_t end = 0, start = 0;
        for (size_t i = 0; i <= index; ++i) {
            start = (end + 7) & ~size_t(7);
            end = start + sizes[i];
        }
        return start;
    }
};

template <size_t... index> struct Indices {};
template <size_t count, size_t... index> struct MakeIndices : MakeIndices<count - 1, count - 1, index...> {};
template <size_t... index> struct MakeIndices<0, index...> {
    using type = Indices<index...>;
};

template <typename... P, size_t... index>
inline __attribute__((always_inline)) void call_with(void (*kernel)(P...), const uint8_t* args, Indices<index...>) {
    kernel(*reinterpret_cast<const std::remove_reference_t<P>*>(args + Slots<P...>::offset_of(index))...);
}

template <typename... P> inline __attribute__((always_inline)) void call(void (*kernel)(P...), const void* args) {
    (check_parameter<P>(), ...);
    call_with(kernel, static_cast<const uint8_t*>(args), typename MakeIndices<sizeof...(P)>::type{});
}

constexpr uint64_t kRowsFact = rows_fingerprint(kRowsKnown) << 16 | kRowsKnown;

} // namespace aclimb

#define ACLIMB_ENTRY_FACTS // the builder puts further ones here

// The function comes last and may contain commas: f<float, 3>.
#define ACLIMB_ENTRY(symbol, calls, ...)                                                                                                   \
    __attribute__((used, section(".aclimb.params"))) static constexpr auto aclimb_parameters_##symbol =                                    \
        ::aclimb::parameters(#symbol, &__VA_ARGS__);                                                                                       \
    extern "C" __attribute__((used, visibility("default"))) void aclimb_entry_##symbol(const void* args);                                  \
    extern "C" void aclimb_entry_##symbol(const void* args) {                                                                              \
        ::aclimb::fact<::aclimb::Fact::rows, ::aclimb::kRowsFact>();                                                                       \
        ACLIMB_ENTRY_FACTS                                                                                                                 \
        calls;                                                                                                                             \
    }
#define ACLIMB_KERNEL(symbol, ...) ACLIMB_ENTRY(symbol, ::aclimb::call(&__VA_ARGS__, args), __VA_ARGS__)
// One of the calls of a kernel that is a template, on the tiling key or on arguments that the key stands for.
#define ACLIMB_CALL_INSTANCE(key, ...)                                                                                                     \
    if (::aclimb::tiling_key_is<static_cast<uint64_t>(key)>()) return ::aclimb::call(&__VA_ARGS__, args)
