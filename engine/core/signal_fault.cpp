// SPDX-License-Identifier: Apache-2.0
#include "core/signal_fault.h"

#include "core/fiber.h"
#include "core/launch.h"
#include "core/operand.h"
#include "core/whereabouts.h"

namespace aclimb {
namespace {

// Where a call that led nowhere came from: its return address, when it is one.
const void* calling(const Worker& worker, const ucontext_t& context) {
    const Core& core = *worker.current;
#if defined(__x86_64__)
    const auto sp = static_cast<uint64_t>(context.uc_mcontext.gregs[REG_RSP]), stack = reinterpret_cast<uint64_t>(core.stack);
    if (sp < stack + kStackGuardBytes || sp >= stack + kStackBytes || sp % 8) return nullptr;
    const uint64_t found = *reinterpret_cast<const uint64_t*>(sp);
#else
    const uint64_t found = context.uc_mcontext.regs[30];
#endif
    return core.launch->kernel->has_code(found) ? reinterpret_cast<const void*>(found) : nullptr;
}

void read_access(KernelSignal& signal, const Worker& worker, const siginfo_t& info, ucontext_t& context) {
    constexpr int kFromTheKernel = 0x80; // SI_KERNEL: no address is known
    signal.addr = reinterpret_cast<uint64_t>(info.si_addr);
    signal.cause = KernelSignal::access;
    const bool misaligned = info.si_signo == SIGBUS && info.si_code == BUS_ADRALN;
    if (signal.addr == signal.pc) {
        signal.cause = KernelSignal::jump;
        signal.called_from = calling(worker, context);
    } else if (info.si_code == kFromTheKernel || (misaligned && !signal.addr)) {
        const HostOperand operand = faulting_operand(context);
        signal.addr = operand.addr;
        signal.cause = misaligned                                                          ? KernelSignal::misaligned
                       : operand.kind == HostOperand::jump                                 ? KernelSignal::jump
                       : operand.kind == HostOperand::privileged                           ? KernelSignal::instruction
                       : operand.kind == HostOperand::memory && is_canonical(operand.addr) ? KernelSignal::misaligned
                       : operand.kind == HostOperand::memory                               ? KernelSignal::access
                                                                                           : KernelSignal::protection;
    } else if (misaligned) {
        signal.cause = KernelSignal::misaligned;
    }
}

// The kernel's line: its own instruction, or the one that the engine was executing for it.
void find_place(Core& core, const KernelSignal& signal) {
    const auto* pc = reinterpret_cast<const void*>(signal.pc + 1); // messages look at pc - 1, as for a return address
    if (signal.called_from) pc = signal.called_from;
    else if (signal.cause != KernelSignal::killed && !core.launch->kernel->has_code(signal.pc)) return;
    core.pc = pc;
    core.op = kNoOp;
}

Fault access_fault(Core& core, const KernelSignal& signal) {
    const Launch& launch = *core.launch;
    auto fault = core.make_fault("address_fault");
    fault.number("addr", static_cast<int64_t>(signal.addr));
    if (!is_canonical(signal.addr)) fault.number("non_canonical", 1);
    if (launch.kernel->has_code(signal.addr)) fault.number("own_code", 1);
    else add_whereabouts(fault, launch, signal.addr);
    return fault;
}

} // namespace

uint64_t& program_counter(ucontext_t& context) {
#if defined(__x86_64__)
    return reinterpret_cast<uint64_t&>(context.uc_mcontext.gregs[REG_RIP]);
#else
    return reinterpret_cast<uint64_t&>(context.uc_mcontext.pc);
#endif
}

bool is_in_kernel(const Worker& worker, const ucontext_t& context) {
    return worker.current.load()->launch->kernel->has_code(program_counter(const_cast<ucontext_t&>(context)));
}

KernelSignal read_signal(const Worker& worker, int number, const siginfo_t& info, ucontext_t& context) {
    KernelSignal signal;
    signal.pc = program_counter(context);
    if (number == SIGSYS) {
        signal.cause = KernelSignal::system_call;
        signal.addr = static_cast<uint64_t>(info.si_syscall);
    } else if (number == SIGSEGV || number == SIGBUS) read_access(signal, worker, info, context);
    else if (number != SIGFPE) signal.cause = KernelSignal::instruction;
    else if (info.si_code == FPE_INTDIV || info.si_code == FPE_INTOVF) signal.cause = KernelSignal::integer_result;
    else signal.cause = KernelSignal::float_result;
    return signal;
}

Fault stack_overrun(Core& core) { return core.make_fault("stack_overrun"); }

Fault fault_of_signal(Core& core, const KernelSignal& signal) {
    find_place(core, signal);
    switch (signal.cause) {
    case KernelSignal::killed: return core.make_fault(core.worker->kill_reason.load());
    case KernelSignal::access:
        if (below_stack(core.stack, signal.addr)) return core.make_fault("stack_overflow");
        return above_stack(core.stack, signal.addr) ? stack_overrun(core) : access_fault(core, signal);
    case KernelSignal::protection: return core.make_fault("address_fault");
    case KernelSignal::misaligned: return core.make_fault("misaligned_access").number("addr", static_cast<int64_t>(signal.addr));
    case KernelSignal::jump: return core.make_fault("bad_jump").number("addr", static_cast<int64_t>(signal.addr));
    case KernelSignal::integer_result: return core.make_fault("arithmetic_trap");
    case KernelSignal::system_call: return core.make_fault("system_call").number("value", static_cast<int64_t>(signal.addr));
    case KernelSignal::float_result: return core.make_fault("float_trap");
    default: return core.make_fault("trap");
    }
}

} // namespace aclimb
