# SPDX-License-Identifier: Apache-2.0
"""Every mistake a user can make, as a tree.

    AclimbError
      InvalidArgument (also a ValueError)   a value outside what is accepted
        UnknownSoc                          no such chip in chips/
        FuseError                           kernels that cannot become one SuperKernel; .code is CANN's EB0500
          Deadlock                          a SuperKernel that would wait for what needs its cores
      SourceNotFound (also FileNotFoundError)
      CompileError                          the kernel source does not build; .diagnostics has the places
      InvalidBinary                         foreign, truncated or tampered operator binary
        NpuBinary                           compiled by CANN for a real NPU
        AbiMismatch                         built by another version of aclimb
        WrongArchitecture                   built for another host architecture
      KernelNotFound (also a KeyError)      the binary has no kernel of that name
      OutOfMemory (also a MemoryError)      device memory is used up
      DeviceError                           the device or a stream cannot do what was asked
      KernelFault                           the kernel itself went wrong while it ran; .kernel .block .core .file .line
        Hang                                every core waits
        TimeLimit                           the task ran longer than it may
        AddressFault                        an access outside mapped memory
        KernelTrap                          Trap, assert, an illegal or dividing instruction
        StackOverflow
        OutOfBounds                         an access outside its tensor or its memory
        Misaligned                          an address that breaks a documented alignment
        UseAfterFree                        a tensor used after FreeTensor, or device memory after its free
        UnbalancedFlags                     flags left set, or waits without a set, at kernel end
        EarlyStartMismatch                  SetNextTaskStart or WaitPreTaskEnd not called exactly once on a core
        Misuse                              a queue, buffer, field or event id used against its rules
      CheckFailed                           a check found something to mend; .findings has it
      Refused                               an acl call that answers with a number; .code has it
      Unsupported                           a documented thing that aclimb does not do (yet)
      ForkedProcess                         the device does not survive fork()

    BuildWarning (a UserWarning)            a kernel source that builds, and looks wrong: Python's `warnings` shows it

Each message names the thing, gives the value, says what is accepted and what to do.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple


class AclimbError(Exception):
    """The root: `except AclimbError` catches everything that aclimb raises on purpose."""

    launched_at: tuple[str, int] | None = None  # of a task that failed: file and line of the call that queued it

    def in_full(self) -> str:
        """The message with its notes, as a traceback shows it: where the task was launched, what else failed."""
        return "\n".join([str(self), *getattr(self, "__notes__", [])])


class InvalidArgument(AclimbError, ValueError):
    """A value outside what is accepted."""


class UnknownSoc(InvalidArgument):
    """A chip name that chips/ does not have."""


class FuseError(InvalidArgument):
    """Kernels, or options, that cannot become one SuperKernel."""

    code = "EB0500"


class Deadlock(FuseError):
    """A SuperKernel that holds its cores while it waits for something that needs them."""


class SourceNotFound(AclimbError, FileNotFoundError):
    """The kernel source, or a folder it needs, is not there."""


class Diagnostic(NamedTuple):
    """One message of the compiler, at the user's own line."""

    file: str
    line: int
    column: int
    severity: str
    text: str


class CompileError(AclimbError):
    """The kernel source does not build."""

    def __init__(self, message: str, diagnostics: list[Diagnostic] | None = None) -> None:
        super().__init__(message)
        self.diagnostics: list[Diagnostic] = diagnostics or []
        self.read: list[Path] | None = None  # the files it depends on beside the source, where all of them are known


class BuildWarning(UserWarning):
    """The kernel source builds, and something in it looks wrong."""


class InvalidBinary(AclimbError):
    """Not an operator binary of aclimb, or not a whole one."""


class NpuBinary(InvalidBinary):
    """An object that CANN compiled for a real NPU."""


class AbiMismatch(InvalidBinary):
    """An operator binary of another version of aclimb."""


class WrongArchitecture(InvalidBinary):
    """An operator binary for another host architecture."""


class KernelNotFound(AclimbError, KeyError):
    """The binary has no kernel of that name."""

    __str__ = Exception.__str__  # KeyError would print the message in quotes


class OutOfMemory(AclimbError, MemoryError):
    """Device memory is used up."""


class DeviceError(AclimbError):
    """The device, or a stream, cannot do what was asked."""


class KernelFault(AclimbError):
    """The kernel went wrong while it ran. The process lives on and the next launch works."""

    kind = "fault"

    def __init__(
        self,
        message: str,
        *,
        kind: str | None = None,
        kernel: str = "",
        block: int = -1,
        core: str = "",
        file: str = "",
        line: int = 0,
    ) -> None:
        super().__init__(message)
        if kind is not None:
            self.kind = kind
        self.kernel, self.block, self.core, self.file, self.line = kernel, block, core, file, line


class Hang(KernelFault):
    """Every core waits: on hardware the task would never end."""

    kind = "hang"


class TimeLimit(KernelFault):
    """The task ran longer than ACLIMB_TIMEOUT, or than its launch allows."""

    kind = "time-limit"


class AddressFault(KernelFault):
    """An access outside mapped memory."""

    kind = "address-fault"


class KernelTrap(KernelFault):
    """Trap, a failed assert, or an instruction that the core cannot run."""

    kind = "trap"


class StackOverflow(KernelFault):
    """The kernel needs more stack than a core has."""

    kind = "stack-overflow"


class OutOfBounds(KernelFault):
    """An access outside its tensor or its memory."""

    kind = "out-of-bounds"


class Misaligned(KernelFault):
    """An address that breaks a documented alignment."""

    kind = "misaligned"


class UseAfterFree(KernelFault):
    """A tensor used after FreeTensor gave its buffer back, or device memory that was freed."""

    kind = "use-after-free"


class UnbalancedFlags(KernelFault):
    """Flags left set at the end of the kernel."""

    kind = "unbalanced-flags"


class EarlyStartMismatch(KernelFault):
    """SetNextTaskStart or WaitPreTaskEnd was not called exactly once on a core."""

    kind = "early-start"


class Misuse(KernelFault):
    """A queue, buffer, field or event id used against its rules."""

    kind = "misuse"


class CheckFailed(AclimbError):
    """A check found something to mend: the message is its report, `findings` are those of aclimb.check.finding."""

    def __init__(self, message: str, findings: Sequence[Any] = ()) -> None:
        super().__init__(message)
        self.findings = tuple(findings)


class Refused(AclimbError):
    """What an acl call refuses: `code` is the number it returns, the message what acl.get_recent_err_msg() gives."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code


class Unsupported(AclimbError):
    """A documented thing that aclimb does not do (yet)."""


class ForkedProcess(AclimbError):
    """The device was opened before fork(): in the child nothing of it works."""
