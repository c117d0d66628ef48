# SPDX-License-Identifier: Apache-2.0
"""Operator binaries as a program loads them: functions by name or tiling key, on the devices they were asked for."""

from __future__ import annotations

import io
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from aclimb.binary import KernelBinary
from aclimb.errors import InvalidArgument, KernelNotFound, Refused
from aclimb.flow import KernelInfo, KernelType
from aclimb.runtime import counts, no_effect, requests
from aclimb.runtime.device import Device
from aclimb.runtime.handles import BAD_HANDLE, Handles
from aclimb.runtime.kernel import Images, Kernel

LAZY_LOAD, MAGIC, CPU_KERNEL_MODE = 1, 2, 3
MAGICS = {0x43554245: "AICORE", 0x41415246: "VECTOR_CORE", 0x41494343: "CUBE_CORE"}

BINARIES: Handles[LoadedBinary] = Handles("binary")
FUNCTIONS: Handles[Function] = Handles("function")
SYMBOL_FINDERS: list[Callable[[int], Function | None]] = []  # of programs that bring their kernels along


@dataclass(frozen=True, slots=True)
class LoadOptions:
    """How a binary is loaded. Checked when built."""

    lazy: bool = False
    magic: int | None = None  # which cores the kernels are for, where the binary itself does not say; ours always do

    @classmethod
    def parse(cls, options: list[tuple[int, int]], *, from_file: bool) -> LoadOptions:
        lazy, magic = 0, None
        for kind, value in options:
            if kind == LAZY_LOAD:
                lazy = value
            elif kind == MAGIC:
                magic = value
            elif kind == CPU_KERNEL_MODE:
                raise InvalidArgument("option CPU_KERNEL_MODE (3) loads AI CPU kernels; aclimb runs AI Core kernels only")
            else:
                raise InvalidArgument(f"load option of type {kind} does not exist; there are LAZY_LOAD (1) and MAGIC (2)")
        if lazy not in (0, 1):
            raise InvalidArgument(f"LAZY_LOAD is {lazy}; it takes 0 (copy now) or 1 (copy at first use)")
        if magic is not None and from_file:
            raise InvalidArgument("MAGIC cannot be given for a file: the file says for which cores it is; leave the option out")
        if magic is not None and magic not in MAGICS:
            known = ", ".join(f"0x{number:x} ({name})" for number, name in MAGICS.items())
            raise InvalidArgument(f"MAGIC is 0x{magic:x}; it takes {known}")
        if magic is not None:
            no_effect.say("binary option MAGIC")
        return cls(bool(lazy), magic)


class LoadedBinary:
    """A binary in use: its images are mapped once, its functions keep their handles."""

    def __init__(self, binary: KernelBinary, options: LoadOptions) -> None:
        self.binary, self.options = binary, options
        self._images = Images(binary)
        self._functions: dict[tuple[str, int | None], Function] = {}
        self._lock = threading.Lock()
        self.devices: set[int] = set()  # where the image was copied to
        self.on_exception: tuple[Any, Any] | None = None  # callback and its user data
        self.number = BINARIES.add(self)
        counts.count("binaries", self)

    def function(self, name: str, device: Device) -> Function:
        info, key = self.binary.find(name)
        return self._function(info, key, device)

    def function_of_key(self, key: int, device: Device) -> Function:
        """The first kernel that has the tiling key: as its own, or at the end of its name; without a digit there the key is 0."""
        for info in self.binary.kernels:
            if key in info.tiling_keys:
                return self._function(info, key, device)
        for info in self.binary.kernels:
            digits = info.name.rpartition("_")[2]
            if not info.tiling_keys and key == (int(digits) if digits.isdecimal() else 0):
                return self._function(info, None, device)
        raise KernelNotFound(f"{self.binary.name}.o has no kernel for tiling key {key}; it has {', '.join(self.binary.known_names)}")

    def _function(self, info: KernelInfo, key: int | None, device: Device) -> Function:
        if not self.options.lazy:
            self.devices.add(device.index)
        with self._lock:
            found = self._functions.get((info.name, key))
            if found is None:
                found = self._functions[info.name, key] = Function(self, Kernel.of(self.binary, self._images, info, key))
        return found

    @property
    def image_addresses(self) -> list[tuple[int, int]]:
        """Address and size of each mapped image."""
        return [(image.base, len(self.binary.images[name])) for name, image in sorted(self._images.all.items())]

    def symbol(self, name: str) -> tuple[int, int] | None:
        """Address and size of a variable of the device code."""
        for (base, _), image in zip(self.image_addresses, self._image_bytes(), strict=True):
            found = find_symbol(image, name, "STT_OBJECT")
            if found is not None:
                return base + found[0], found[1]
        return None

    def _image_bytes(self) -> list[bytes]:
        return [self.binary.images[name] for name in sorted(self.binary.images)]

    def unload(self) -> None:
        """Its handles end. Kernels that are queued or run keep what they need until they are done."""
        BINARIES.end(self.number)
        for function in self._functions.values():
            FUNCTIONS.pop(function.number, None)
        counts.discount("binaries", self)


class Function:
    """A kernel of a loaded binary, with a handle."""

    def __init__(self, binary: LoadedBinary, kernel: Kernel) -> None:
        self.binary, self.kernel = binary, kernel
        self.number = FUNCTIONS.add(self)

    @property
    def name(self) -> str:
        """The name it was found under: with its tiling key, if that chose it."""
        key = self.kernel.tiling_key
        return self.kernel.name if key is None else f"{self.kernel.name}_{key}"

    @property
    def kernel_type(self) -> KernelType:
        return self.kernel.info.type_for(self.kernel.tiling_key)

    @property
    def addresses(self) -> tuple[int, int]:
        """Of the code for AIC and for AIV, 0 where there is none."""
        aic, aiv = self.kernel.native(self.kernel.tiling_key).addresses
        kind = self.kernel_type
        return (aic if kind.has_aic else 0, aiv if kind.has_aiv else 0)

    @property
    def sizes(self) -> tuple[int, int]:
        """Bytes of the entry's code for AIC and for AIV, 0 where there is none."""
        images, entry, kind = self.binary.binary.images, self.kernel.info.entry, self.kernel_type
        found = [
            find_symbol(images[core], entry, "STT_FUNC") if has and core in images else None
            for core, has in (("aic", kind.has_aic), ("aiv", kind.has_aiv))
        ]
        return found[0][1] if found[0] else 0, found[1][1] if found[1] else 0

    def request(self, device: Device, num_blocks: int, limit_ns: int = 0) -> requests.LaunchRequest:
        """How to launch it with that many blocks. Everything that does not change from launch to launch is checked once."""
        if device.index not in self.binary.devices:
            self._place(device)
        found = None if limit_ns else self.kernel.requests.get((device, num_blocks, None, None, 0))
        return found or self._request(device, num_blocks, limit_ns)

    def _request(self, device: Device, num_blocks: int, limit_ns: int) -> requests.LaunchRequest:
        info, key = self.kernel.info, self.kernel.tiling_key
        where = f"the name, as in binary_get_function(binary, '{info.name}_{info.tiling_keys[0]}')" if info.tiling_keys else ""
        made = requests.request(device, self.kernel, num_blocks, where=where, limit_ns=limit_ns)
        self.kernel.native(key).owner = self.number
        if not limit_ns:
            self.kernel.requests[device, num_blocks, None, None, 0] = made
        return made

    def _place(self, device: Device) -> None:
        if self.binary.options.lazy:
            self.binary.devices.add(device.index)
        if device.index not in self.binary.devices:
            raise Refused(BAD_HANDLE, f"{self.name} was not loaded on {device}; call binary_get_function again in a context of that device")


def find_symbol(image: bytes, name: str, kind: str) -> tuple[int, int] | None:
    """Value and size of a symbol in an image."""
    from elftools.elf.elffile import ELFFile  # only for the few who ask
    from elftools.elf.sections import SymbolTableSection

    table = ELFFile(io.BytesIO(image)).get_section_by_name(".symtab")
    for symbol in (table.get_symbol_by_name(name) if isinstance(table, SymbolTableSection) else None) or ():
        if symbol["st_info"]["type"] == kind and symbol["st_size"]:
            return symbol["st_value"], symbol["st_size"]
    return None


def function_of_symbol(address: int) -> Function | None:
    """The kernel behind the address of a __global__ function of the program."""
    return next((found for find in SYMBOL_FINDERS if (found := find(address)) is not None), None)
