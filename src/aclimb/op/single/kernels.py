# SPDX-License-Identifier: Apache-2.0
"""Kernels that a program registers for single operators, and what its selector says about a launch."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from aclimb.binary import KernelBinary
from aclimb.errors import Refused
from aclimb.runtime import addresses, memory
from aclimb.runtime.device import Device
from aclimb.runtime.handles import NULL, Handles
from aclimb.runtime.loader import Function, LoadedBinary, LoadOptions

ENGINES = {1: "AICORE", 2: "VECTOR"}  # which of the two does not matter: our binaries know their cores
KERNEL_NOT_FOUND = 100029
_log = logging.getLogger("aclimb")

Deallocate = Callable[[int, int], Any]  # of the address and the size that the kernel was made of


class RegisteredKernel:
    """A kernel under the id that selectors use. It has its own copy of the binary; `end` gives the caller's bytes back."""

    def __init__(self, kernel_id: str, name: str, data: int, size: int, deallocate: Deallocate | None) -> None:
        self.id, self.name = kernel_id, name
        binary = KernelBinary.read(addresses.read(data, size, "the binary"))
        binary.find(name)
        self._loaded = LoadedBinary(binary, LoadOptions(lazy=True))
        self._data, self._size, self._deallocate = data, size, deallocate
        self._found: Function | None = None
        self._ended = False

    def function(self, device: Device) -> Function:
        """The same one for every device: the binary is loaded where it is launched."""
        if self._ended:
            raise Refused(KERNEL_NOT_FOUND, f"kernel {self.id!r} ended with acl.finalize; create it again")
        if self._found is None:
            self._found = self._loaded.function(self.name, device)
        return self._found

    def end(self) -> None:
        """What is queued keeps what it needs."""
        self._ended = True
        self._loaded.unload()
        if self._deallocate is None:
            return
        try:
            self._deallocate(self._data, self._size)
        except Exception:
            _log.exception("the binary of kernel %r could not be deallocated", self.id)


def free_host(data: int, size: int) -> None:
    """The deallocator that pyACL offers: for a binary in memory of acl.rt.malloc_host."""
    memory.release_host(data)


@dataclass
class KernelDesc:
    """What a selector fills in (aclopKernelDesc). Its handle is good while the selector runs."""

    kernel_id: str = ""
    num_blocks: int = 0
    args: bytes = b""
    workspace_sizes: list[int] = field(default_factory=list)

    def set_args(self, kernel_id: str, num_blocks: int, address: int, size: int) -> None:
        """Copies the bytes. The last call counts."""
        args = addresses.read(address, size, "the arguments")
        self.kernel_id, self.num_blocks, self.args = kernel_id, num_blocks, args

    def add_workspaces(self, count: int, address: int) -> None:
        """Reads `count` numbers of 64 bits; they stand behind those of earlier calls."""
        if count < 0:
            raise Refused(NULL, f"{count} workspaces are announced; it takes 0 and more")
        if count:
            sizes = addresses.read(address, 8 * count, "the workspace sizes")
            self.workspace_sizes += memoryview(sizes).cast("Q").tolist()


KERNEL_DESCS: Handles[KernelDesc] = Handles("kernel description of a running selector")


@dataclass(frozen=True, slots=True)
class Description:  # registry -> run
    """How an operator with certain descriptors and attributes is launched."""

    kernel: RegisteredKernel
    num_blocks: int
    args: bytes
    workspace_sizes: tuple[int, ...]
