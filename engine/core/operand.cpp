// SPDX-License-Identifier: Apache-2.0
#include "core/operand.h"

#include <cstring>

namespace aclimb {

bool is_canonical(uint64_t addr) { return static_cast<uint64_t>(static_cast<int64_t>(addr << 16) >> 16) == addr; }

#if defined(__x86_64__)
namespace {

using Registers = const greg_t*;

constexpr int kOrder[] = {REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP, REG_RSI, REG_RDI,
                          REG_R8,  REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15};

// An instruction up to its ModRM byte. Only its own bytes are read: the CPU has just fetched them.
struct Reader {
    const uint8_t* at;
    Registers registers;
    int base_high = 0, index_high = 0; // 8: the upper half of the registers
    int displacement_scale = 1;        // EVEX counts an 8-bit displacement in vectors
    bool segment = false;              // fs or gs: a base that is not among the registers

    uint64_t reg(int number) const { return static_cast<uint64_t>(registers[kOrder[number]]); }
    template <class T> int64_t next() {
        T value;
        memcpy(&value, at, sizeof value);
        at += sizeof value;
        return static_cast<int64_t>(value);
    }

    void skip_prefixes() {
        for (;; at++) {
            segment |= *at == 0x64 || *at == 0x65;
            if (!strchr("\x26\x2e\x36\x3e\x64\x65\x66\x67\xf2\xf3\xf0", *at) || !*at) break;
        }
        if ((*at & 0xf0) == 0x40) take_high_bits(*at++);
    }
    void take_high_bits(int rex) {
        base_high = rex & 1 ? 8 : 0;
        index_high = rex & 2 ? 8 : 0;
    }
    // VEX and EVEX: their bits are inverted. True when there was one; a ModRM byte follows behind the opcode.
    bool skip_vex() {
        const uint8_t first = *at;
        if (first != 0xc5 && first != 0xc4 && first != 0x62) return false;
        if (first != 0xc5) take_high_bits((~at[1] >> 5) & 3);
        if (first == 0x62) displacement_scale = 16 << (at[3] >> 5 & 3);
        at += first == 0xc5 ? 2 : first == 0xc4 ? 3 : 4;
        at++;
        return true;
    }

    uint64_t address() { // at the ModRM byte
        const int modrm = static_cast<uint8_t>(next<uint8_t>()), mod = modrm >> 6, rm = modrm & 7;
        uint64_t addr = 0;
        bool no_base = mod == 0 && rm == 5; // relative to the instruction: always canonical
        if (rm == 4) {
            const int sib = static_cast<uint8_t>(next<uint8_t>()), index = (sib >> 3 & 7) + index_high, base = sib & 7;
            if (index != 4) addr += reg(index) << (sib >> 6);
            no_base = mod == 0 && base == 5;
            if (!no_base) addr += reg(base + base_high);
        } else if (!no_base) {
            addr += reg(rm + base_high);
        }
        if (mod == 1) addr += static_cast<uint64_t>(next<int8_t>() * displacement_scale);
        if (mod == 2 || no_base) addr += static_cast<uint64_t>(next<int32_t>());
        return addr;
    }
};

bool is_privileged(uint8_t op) {
    return op == 0xf4 || op == 0xfa || op == 0xfb || op == 0xcd || op == 0xcf || (op >= 0x6c && op <= 0x6f) || (op >= 0xe4 && op <= 0xe7) ||
           (op >= 0xec && op <= 0xef);
}
bool is_privileged_after_0f(uint8_t op) {
    return op <= 0x01 || (op >= 0x06 && op <= 0x09) || (op >= 0x20 && op <= 0x23) || (op >= 0x30 && op <= 0x33);
}
bool has_modrm(uint8_t op) {
    return (op < 0x40 && (op & 7) < 4) || op == 0x63 || op == 0x69 || op == 0x6b || (op >= 0x80 && op <= 0x8f) || op == 0xc0 ||
           op == 0xc1 || op == 0xc6 || op == 0xc7 || (op >= 0xd0 && op <= 0xd3) || (op >= 0xd8 && op <= 0xdf) || op >= 0xf6;
}
bool uses_stack(uint8_t op) { return (op >= 0x50 && op <= 0x5f) || op == 0x68 || op == 0x6a || op == 0xe8 || op == 0x9c || op == 0x9d; }

HostOperand string_operand(const Reader& reader) {
    const uint64_t source = reader.reg(6), destination = reader.reg(7);
    return {HostOperand::memory, is_canonical(destination) ? source : destination};
}

uint64_t word_at(uint64_t addr) { return *reinterpret_cast<const uint64_t*>(addr); }

// ret, and jmp or call through a register or memory: what they read was there, where it leads was not.
HostOperand jump_operand(Reader& reader, uint8_t op) {
    if (op == 0xff && *reader.at >> 6 == 3) return {HostOperand::jump, reader.reg((*reader.at & 7) + reader.base_high)};
    const uint64_t from = op == 0xff ? reader.address() : reader.reg(4);
    if (reader.segment) return {};
    if (!is_canonical(from)) return {HostOperand::memory, from};
    return {HostOperand::jump, word_at(from)};
}

} // namespace

HostOperand faulting_operand(const ucontext_t& context) {
    Reader reader{reinterpret_cast<const uint8_t*>(context.uc_mcontext.gregs[REG_RIP]), context.uc_mcontext.gregs};
    reader.skip_prefixes();
    if (!reader.skip_vex()) {
        const auto op = static_cast<uint8_t>(reader.next<uint8_t>());
        if (op == 0x0f) {
            const auto second = static_cast<uint8_t>(reader.next<uint8_t>());
            if (is_privileged_after_0f(second)) return {HostOperand::privileged, 0};
            if (second == 0x38 || second == 0x3a) reader.at++;
        } else {
            if (is_privileged(op)) return {HostOperand::privileged, 0};
            if (op == 0xc3 || op == 0xc2) return jump_operand(reader, op);
            if (op == 0xff && ((*reader.at >> 3 & 7) == 2 || (*reader.at >> 3 & 7) == 4)) return jump_operand(reader, op);
            if (uses_stack(op)) return {HostOperand::memory, reader.reg(4)};
            if (op >= 0xa4 && op <= 0xaf && op != 0xa8 && op != 0xa9) return string_operand(reader);
            if (!has_modrm(op)) return {};
        }
    }
    if (reader.segment || *reader.at >> 6 == 3) return {};
    return {HostOperand::memory, reader.address()};
}

#else

HostOperand faulting_operand(const ucontext_t&) { return {}; } // the address comes with the signal

#endif

} // namespace aclimb
