// SPDX-License-Identifier: Apache-2.0
#include "isa/rows.h"

#include <cstddef>
#include <iterator>
#include <string_view>

#include "aclimb/op.h"
#include "isa/enum_names.h"

namespace aclimb {
namespace {

// Where a record keeps its Places: right behind the head, one behind the other.
template <class Record> constexpr size_t offset_of(int index) { return sizeof(Head) + static_cast<size_t>(index) * sizeof(Place); }
template <> constexpr size_t offset_of<Select>(int index) {
    if (index == kReservedOperand) return sizeof(Head); // the system's own bytes: no Place says where
    return index < 3 ? sizeof(Head) + static_cast<size_t>(index) * sizeof(Place) : offsetof(Select, mask);
}
template <> constexpr size_t offset_of<MergeSort>(int index) {
    return index < 3 ? sizeof(Head) + static_cast<size_t>(index) * sizeof(Place)
                     : offsetof(MergeSort, c) + static_cast<size_t>(index - 3) * sizeof(Place);
}

constexpr Role role_of(char letter) {
    switch (letter) {
    case 'r': return Role::reads;
    case 'w': return Role::writes;
    case 'u': return Role::updates;
    case 's': return Role::scratches;
    case '-': return Role::none;
    default: throw "an operand is r, w, u, s or -";
    }
}

constexpr Memory memory_named(std::string_view name) {
    constexpr std::string_view names[] = {"GM", "UB", "L1", "L0A", "L0B", "L0C", "BT", "FB"};
    for (int i = 0; i < kMemories; i++)
        if (names[i] == name) return static_cast<Memory>(i);
    throw "no such memory";
}

// "w:UB r:UB": one word a Place. A word that means nothing does not compile.
template <class Record> constexpr void read_operands(Row& row, std::string_view words) {
    while (!words.empty()) {
        const size_t end = words.find(' ');
        const std::string_view word = words.substr(0, end), memory = word.substr(2);
        OperandRow& operand = row.operand[row.operands];
        operand.role = role_of(word[0]);
        operand.any_memory = memory == "*";
        if (!operand.any_memory) operand.memory = memory_named(memory);
        operand.offset = static_cast<uint16_t>(offset_of<Record>(row.operands));
        if (operand.offset + sizeof(Place) > sizeof(Record)) throw "the record has fewer Places";
        row.operands++;
        words = end == words.npos ? std::string_view() : words.substr(end + 1);
    }
}

template <class Record> constexpr Row make_row(const char* name, const char* shape, const char* call, Class kind, Pipe pipe,
                                               std::string_view operands, uint8_t reads, uint8_t leaves, TimeUnit time) {
    Row row{name, shape, call, kind, pipe, time, reads, leaves, 0, sizeof(Record), {}};
    read_operands<Record>(row, operands);
    return row;
}

constexpr Pipe ANY = Pipe::ALL, S = Pipe::S, V = Pipe::V, M = Pipe::M, MTE1 = Pipe::MTE1, MTE2 = Pipe::MTE2, FIX = Pipe::FIX;
constexpr uint8_t NONE = 0, CMP_MASK = kCmpMaskRegister, SUM = kSumRegister, EXTREME = kExtremeRegister, GATHERED = kGatheredRegister,
                  MERGED = kMergedRegister;

} // namespace

constinit const Row kRows[] = {
#define INSTRUCTION_ROW(name, shape, record, kind, pipe, operands, reads, leaves, time, call)                                              \
    make_row<record>(#name, #shape, call, Class::kind, pipe, operands, reads, leaves, TimeUnit::time),
#include "aclimb/instructions.def"
#undef INSTRUCTION_ROW
};
const int kRowCount = static_cast<int>(std::size(kRows));

uint64_t fingerprint_of_rows(int count) { return count >= 0 && count <= kRowCount ? rows_fingerprint(count) : 0; }

const char* name_of(Op op) { return is_row(op) ? row_of(op).name : ""; }
const char* api_of(Op op) { return is_row(op) ? row_of(op).call : ""; }

const char* name_of(Class kind) { return enum_name(kind); }

const char* name_of(Role role) {
    constexpr const char* names[] = {"-", "r", "w", "u", "s"};
    return names[static_cast<int>(role)];
}

const char* name_of(TimeUnit unit) { return enum_name(unit); }

bool is_soft_sync(Op op) {
    switch (op) {
    case Op::gm_sync_all:
    case Op::ib_set:
    case Op::ib_wait:
    case Op::pre_block_init:
    case Op::pre_block_wait:
    case Op::pre_block_notify:
    case Op::group_arrive:
    case Op::group_wait: return true;
    default: return false;
    }
}

} // namespace aclimb
