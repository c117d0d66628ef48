// SPDX-License-Identifier: Apache-2.0
// The columns of instructions.def, for everybody who asks what an instruction is. Nothing else may be concluded from an instruction's
// number.
#pragma once
#include "aclimb/abi.h"

namespace aclimb {

enum class Class : uint8_t { control, scalar, debug, move, cube, vector };
enum class Role : uint8_t { none, reads, writes, updates, scratches };
enum class TimeUnit : uint8_t { none, access, bytes, repeats, steps };

constexpr uint8_t kCmpMaskRegister = 1, kSumRegister = 2, kExtremeRegister = 4, kGatheredRegister = 8,
                  kMergedRegister = 16; // Row::reads, Row::leaves
constexpr int kMostOperands = 5;
constexpr int kReservedOperand = 4; // of Select: the 8 KB of UB that the system keeps for it

struct OperandRow {
    Role role = Role::none;
    bool any_memory = false;
    Memory memory = Memory::GM; // where it is not any
    uint16_t offset = 0;        // of the Place in the record
};

struct Row {
    const char *name, *shape, *call;
    Class kind;
    Pipe pipe; // ALL: the record says
    TimeUnit time;
    uint8_t reads, leaves; // registers
    uint8_t operands;
    uint16_t record_size;
    OperandRow operand[kMostOperands];
};

extern const Row kRows[];
extern const int kRowCount;
uint64_t fingerprint_of_rows(int count); // rows_fingerprint of op.h; 0 where there are fewer rows

inline const Row& row_of(Op op) { return kRows[static_cast<int>(op)]; }
inline bool is_row(Op op) { return static_cast<int>(op) < kRowCount; }
inline const Place& place_of(const Head& head, const OperandRow& operand) {
    return *reinterpret_cast<const Place*>(reinterpret_cast<const uint8_t*>(&head) + operand.offset);
}
inline Memory memory_of(const Head& head, const OperandRow& operand) {
    return operand.any_memory ? static_cast<Memory>(place_of(head, operand).memory) : operand.memory;
}
inline bool is_in_gm(const Head& head, const OperandRow& operand) {
    return operand.any_memory ? place_of(head, operand).memory == static_cast<uint64_t>(Memory::GM) : operand.memory == Memory::GM;
}
inline bool reads(Role role) { return role == Role::reads || role == Role::updates; }
inline bool writes(Role role) { return role == Role::writes || role == Role::updates || role == Role::scratches; }
// What moves or computes data; the rest orders, tells or looks after the core.
inline bool handles_data(Class kind) { return kind == Class::move || kind == Class::cube || kind == Class::vector; }
bool is_soft_sync(Op op); // cores meet through words of global memory: a GmSync

const char* name_of(Class kind);
const char* name_of(Role role);
const char* name_of(TimeUnit unit);

} // namespace aclimb
