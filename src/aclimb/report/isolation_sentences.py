# SPDX-License-Identifier: Apache-2.0
"""Sentences for what happens to kernels of isolated devices."""

from __future__ import annotations

import platform

from aclimb import errors
from aclimb.flow import FaultKind
from aclimb.report.facts import Facts, Words, kind

# Linux on x86-64, those that somebody would try; other machines count differently and show the number.
_CALLS = {
    0: "read", 1: "write", 2: "open", 3: "close", 13: "rt_sigaction", 14: "rt_sigprocmask", 32: "dup", 39: "getpid", 41: "socket",
    42: "connect", 49: "bind", 56: "clone", 57: "fork", 58: "vfork", 59: "execve", 60: "exit", 61: "wait4", 62: "kill", 87: "unlink",
    101: "ptrace", 102: "getuid", 157: "prctl", 160: "setrlimit", 231: "exit_group", 234: "tgkill", 257: "openat", 302: "prlimit64",
    310: "process_vm_readv", 311: "process_vm_writev", 317: "seccomp", 319: "memfd_create", 321: "bpf", 322: "execveat",
    425: "io_uring_setup", 434: "pidfd_open", 435: "clone3", 437: "openat2", 438: "pidfd_getfd",
}  # fmt: skip


@kind(FaultKind.system_call, errors.KernelTrap)
def _system_call(facts: Facts) -> Words:
    return Words(
        f"the kernel asked the operating system for {_name(facts.fault.value)}, which an isolated device refuses",
        advice="a core has no operating system: kernels issue instructions and nothing else",
    )


@kind(FaultKind.device_lost, errors.DeviceError)
def _device_lost(facts: Facts) -> Words:
    return Words(
        f"the process of the isolated device was lost: {facts.fault.what}",
        advice="the next launch starts a new one; global memory is kept, variables of kernels begin anew",
    )


@kind(FaultKind.isolation_refused, errors.Unsupported)
def _refused(facts: Facts) -> Words:
    return Words(f"the kernel was not run: {facts.fault.sentence}")


def _name(number: int) -> str:
    name = _CALLS.get(number) if platform.machine() == "x86_64" else None
    return f"{name} (call {number})" if name else f"call {number}"
