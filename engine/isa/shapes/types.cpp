// SPDX-License-Identifier: Apache-2.0
// Which element types an instruction has, from the instruction files: for checks and messages.
#include <string_view>
#include <utility>

#include "isa/rows.h"
#include "isa/shapes/repeat.h"
#include "isa/vector_meanings.h"

namespace aclimb {
namespace meanings {
namespace {

template <class T> constexpr uint32_t bit_of = 1u << static_cast<int>(DtypeOf<T>::value);
template <class T> constexpr uint32_t bit_of<wrapping<T>> = bit_of<T>;
template <class D, class S> constexpr uint32_t bit_of<mixed<D, S>> = bit_of<D>;
template <class D, class S, unsigned modes> constexpr uint32_t bit_of<cast<D, S, modes>> = bit_of<D>;

template <class... T> constexpr uint32_t bits_of_list(Types<T...>) { return (bit_of<T> | ...); }
template <Op op> constexpr uint32_t types_of() {
    if constexpr (Meaning<op>::form == Form::none) return 0;
    else return bits_of_list(typename Meaning<op>::List{});
}

template <Op op> constexpr Fold fold_or_sum() {
    if constexpr (requires { Meaning<op>::fold; }) return Meaning<op>::fold;
    else return Fold::sum;
}

struct TypeTable {
    uint32_t types[kOps];
    Fold fold[kOps];
};
template <int... op> constexpr TypeTable make_types(std::integer_sequence<int, op...>) {
    return {{types_of<static_cast<Op>(op)>()...}, {fold_or_sum<static_cast<Op>(op)>()...}};
}
constexpr TypeTable kTypes = make_types(std::make_integer_sequence<int, kOps>{});

} // namespace

// The compare-mask register moves as 16 bytes and has no element type; every other row needs its file.
constexpr bool needs_file(Class kind, const char* shape) { return kind == Class::vector && std::string_view(shape) != "cmp_mask"; }
#define INSTRUCTION_ROW(name, shape, record, kind, ...)                                                                                    \
    static_assert(!needs_file(Class::kind, #shape) || Meaning<Op::name>::form != Form::none,                                               \
                  "instructions.def has " #name ": write engine/isa/vector/" #name ".h");
#include "aclimb/instructions.def"
#undef INSTRUCTION_ROW

bool has_type(Op op, Dtype type) { return kTypes.types[static_cast<int>(op)] >> static_cast<int>(type) & 1; }
Fold fold_of(Op op) { return kTypes.fold[static_cast<int>(op)]; }

} // namespace meanings

Fold fold_of(Op op) { return meanings::fold_of(op); }
bool has_type(Op op, Dtype type) { return meanings::has_type(op, type); }

} // namespace aclimb
