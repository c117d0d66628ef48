// SPDX-License-Identifier: Apache-2.0
// The host's CPU under a kernel: its modes, and what a refused instruction was about.
#include <bit>

#include "check.h"
#include "core/cpu_modes.h"
#include "core/operand.h"
#include "memory/guarded.h"
#include "run.h"

using namespace aclimb;

namespace {

CpuModes flushing() { // to zero, and rounding down
    CpuModes modes;
#if defined(__x86_64__)
    modes.mxcsr = 0x1f80 | 0x8040 | 0x2000;
#else
    modes.fpcr = uint64_t{1} << 24 | uint64_t{2} << 22;
#endif
    return modes;
}

float half_of_a_denormal() {
    volatile float tiny = 1e-40f, half = 0.5f;
    return tiny * half;
}

uint32_t seen; // as bits: a program that flushes denormals takes one for 0

uint32_t bits(float value) { return std::bit_cast<uint32_t>(value); }

} // namespace

TEST(modes_that_a_kernel_sets_end_with_it) {
    Run run;
    for (int i = 0; i < 20; i++) {
        CHECK(run([](const void*) { flushing().apply(); }, 8) == "");
        CHECK(run([](const void*) {
                  flushing().apply();
                  core()->issue = nullptr;
                  barrier(Pipe::ALL);
              }) == "bad_jump");
        CHECK(CpuModes::now().usual());
        CHECK(run([](const void*) { seen = bits(half_of_a_denormal()); }) == "");
        CHECK(seen != 0);
    }
}

TEST(a_program_keeps_its_own_modes_and_kernels_do_not_see_them) {
    Run run;
    flushing().apply();
    for (int i = 0; i < 20; i++) {
        CHECK(run([](const void*) { seen = bits(half_of_a_denormal()); }) == "");
        CHECK(seen != 0);
        CHECK(bits(half_of_a_denormal()) == 0);
    }
    CpuModes{}.apply();
}

#if defined(__x86_64__)
namespace {

HostOperand operand(std::initializer_list<uint8_t> code) {
    static ucontext_t context;
    static uint8_t bytes[16];
    static uint64_t words[] = {0x1111, 0x2222222222222222};
    std::copy(code.begin(), code.end(), bytes);
    auto& registers = context.uc_mcontext.gregs;
    registers[REG_RIP] = reinterpret_cast<greg_t>(bytes);
    registers[REG_RAX] = 0x4141414141410000;
    registers[REG_RCX] = 0x10;
    registers[REG_RSP] = reinterpret_cast<greg_t>(&words[1]);
    registers[REG_RSI] = 0x5000;
    registers[REG_RDI] = 0x6161616161610000;
    registers[REG_R13] = 0x4242424242420000;
    return faulting_operand(context);
}

bool is_memory(HostOperand found, uint64_t addr) { return found.kind == HostOperand::memory && found.addr == addr; }
bool is_jump(HostOperand found, uint64_t addr) { return found.kind == HostOperand::jump && found.addr == addr; }

} // namespace

TEST(an_address_that_is_refused_leaves_the_modes_of_the_program) {
    flushing().apply();
    uint64_t word = 0;
    const bool copied = copy_guarded(&word, reinterpret_cast<const void*>(uint64_t{64}), 8);
    const uint32_t flushed = bits(half_of_a_denormal());
    CpuModes{}.apply();
    CHECK(!copied);
    CHECK(flushed == 0);
}

TEST(the_address_of_a_refused_access_is_read_from_its_instruction) {
    CHECK(is_memory(operand({0x8b, 0x18}), 0x4141414141410000));                               // mov (%rax), %ebx
    CHECK(is_memory(operand({0x48, 0x89, 0x58, 0xf8}), 0x414141414140fff8));                   // mov %rbx, -8(%rax)
    CHECK(is_memory(operand({0x89, 0x44, 0x88, 0x08}), 0x4141414141410048));                   // mov %eax, 8(%rax,%rcx,4)
    CHECK(is_memory(operand({0x66, 0x41, 0x89, 0x9d, 0, 1, 0, 0}), 0x4242424242420100));       // mov %bx, 256(%r13)
    CHECK(is_memory(operand({0x0f, 0x10, 0x00}), 0x4141414141410000));                         // movups (%rax), %xmm0
    CHECK(is_memory(operand({0x66, 0x0f, 0x38, 0x00, 0x00}), 0x4141414141410000));             // pshufb (%rax), %xmm0
    CHECK(is_memory(operand({0xc5, 0xfc, 0x10, 0x00}), 0x4141414141410000));                   // vmovups (%rax), %ymm0
    CHECK(is_memory(operand({0xc4, 0xc1, 0x7c, 0x11, 0x45, 0x00}), 0x4242424242420000));       // vmovups %ymm0, (%r13)
    CHECK(is_memory(operand({0x62, 0xf1, 0x7c, 0x48, 0x10, 0x40, 0x01}), 0x4141414141410040)); // vmovups 64(%rax), %zmm0
    CHECK(is_memory(operand({0xf3, 0x48, 0xab}), 0x6161616161610000));                         // rep stosq
    CHECK(is_memory(operand({0xff, 0x30}), 0x4141414141410000));                               // push (%rax)
    CHECK(is_memory(operand({0xff, 0x20}), 0x4141414141410000));                               // jmp *(%rax)
    CHECK(operand({0x64, 0x8b, 0x18}).kind == HostOperand::unknown);                           // mov %fs:(%rax), %ebx
    CHECK(operand({0x90}).kind == HostOperand::unknown);                                       // nop
}

TEST(a_refused_jump_or_privileged_instruction_is_told_from_an_access) {
    CHECK(is_jump(operand({0xc3}), 0x2222222222222222));             // ret
    CHECK(is_jump(operand({0xff, 0xe0}), 0x4141414141410000));       // jmp *%rax
    CHECK(is_jump(operand({0x41, 0xff, 0xd5}), 0x4242424242420000)); // call *%r13
    CHECK(is_jump(operand({0xff, 0x24, 0x24}), 0x2222222222222222)); // jmp *(%rsp)
    CHECK(operand({0xf4}).kind == HostOperand::privileged);          // hlt
    CHECK(operand({0x0f, 0x32}).kind == HostOperand::privileged);    // rdmsr
    CHECK(operand({0x66, 0xed}).kind == HostOperand::privileged);    // in %dx, %ax
}
#endif
