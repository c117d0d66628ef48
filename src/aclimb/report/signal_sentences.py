# SPDX-License-Identifier: Apache-2.0
"""Sentences for what the host's CPU refuses to do for a kernel."""

from __future__ import annotations

from aclimb import errors
from aclimb.flow import FaultKind
from aclimb.report.facts import Facts, Words, kind


@kind(FaultKind.misaligned_access, errors.Misaligned)
def _misaligned_access(facts: Facts) -> Words:
    address = facts.fault.addr & (2**64 - 1)
    return Words(
        f"access to {f'address 0x{address:x}' if address else 'an address'}, which is not aligned as the instruction needs it",
        advice="a pointer that was cast from a smaller type?",
    )


@kind(FaultKind.bad_jump, errors.AddressFault)
def _bad_jump(facts: Facts) -> Words:
    return Words(
        f"a jump to address 0x{facts.fault.addr & (2**64 - 1):x}, where no code is",
        advice="a return address or a function pointer was overwritten: is an array on the stack written beyond its end?",
    )


@kind(FaultKind.stack_overrun, errors.OutOfBounds)
def _stack_overrun(facts: Facts) -> Words:
    return Words(
        "an array on the stack of the core is written beyond its end, over everything behind it",
        advice="check the indices of the kernel's local arrays",
    )


@kind(FaultKind.float_trap, errors.KernelTrap)
def _float_trap(facts: Facts) -> Words:
    return Words("a floating-point exception that the kernel itself had unmasked")
