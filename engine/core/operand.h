// SPDX-License-Identifier: Apache-2.0
// What a faulting instruction of the host was about to do. After a general-protection fault an x86 CPU does not tell the address; the
// instruction and the registers do. Called from a signal handler.
#pragma once
#include <ucontext.h>

#include <cstdint>

namespace aclimb {

struct HostOperand {
    enum Kind : uint8_t { unknown, memory, jump, privileged } kind = unknown;
    uint64_t addr = 0; // of the memory, or where the jump leads
};
HostOperand faulting_operand(const ucontext_t& context);

bool is_canonical(uint64_t addr); // one that this kind of CPU can have at all

} // namespace aclimb
