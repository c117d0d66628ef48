# SPDX-License-Identifier: Apache-2.0
"""Kernels that programs and libraries bring along, and their launches.

A translation unit with kernels registers its image in libascendcl when it is loaded (host/include/aclimb/host.h). The image
is loaded here when the first of its kernels is launched.
"""

from __future__ import annotations

import ctypes
import os
import threading
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from aclimb.binary import KernelBinary
from aclimb.calls.errors import refuse
from aclimb.errors import AclimbError, InvalidArgument
from aclimb.runtime import counts, launches
from aclimb.runtime.context import ContextStream, current, stream_of
from aclimb.runtime.loader import Function, LoadedBinary, LoadOptions


class _CKernel(ctypes.Structure):
    _fields_ = (("own", ctypes.c_void_p), ("function", ctypes.c_void_p), ("name", ctypes.c_char_p))


class _CUnit(ctypes.Structure):
    pass


_CUnit._fields_ = (
    ("source", ctypes.c_char_p),
    ("image", ctypes.c_void_p),
    ("image_size", ctypes.c_uint64),
    ("kernels", ctypes.POINTER(_CKernel)),
    ("kernel_count", ctypes.c_uint64),
    ("next", ctypes.POINTER(_CUnit)),
)


class _CConfiguration(ctypes.Structure):
    _fields_ = (
        ("num_blocks", ctypes.c_uint32),
        ("line", ctypes.c_uint32),
        ("file", ctypes.c_char_p),
        ("stream", ctypes.c_void_p),
        ("tiling_key", ctypes.c_int64),
        ("code", ctypes.c_int),
    )


class Unit:
    """The kernels of one translation unit."""

    def __init__(self, registered: _CUnit) -> None:
        self._image = _image_of(registered)
        self._source = (registered.source or b"").decode(errors="replace")
        self.kernels = [(row.own or 0, row.function or 0, row.name.decode()) for row in registered.kernels[: registered.kernel_count]]
        self._loaded: LoadedBinary | None = None

    @property
    def loaded(self) -> LoadedBinary:
        if not self._image:
            raise InvalidArgument(f"{self._source} was compiled with --cce-host-only, so its kernels have no device code: compile it whole")
        if self._loaded is None:
            self._loaded = LoadedBinary(KernelBinary.read(self._image), LoadOptions(lazy=True))
            counts.discount("binaries", self._loaded)  # it is the program's own: nobody has to give it back
        return self._loaded

    def unload(self) -> None:
        if self._loaded is not None:
            self._loaded.unload()


def _image_of(registered: _CUnit) -> bytes:
    """Empty where the source was compiled for the host alone. One of several units has its size before it."""
    if not registered.image:
        return b""
    size = registered.image_size or ctypes.c_uint64.from_address(registered.image - 16).value
    return ctypes.string_at(registered.image, size)


@dataclass(slots=True)
class _Place:
    """One kernel of a unit; the function is looked up at its first launch."""

    unit: Unit
    name: str
    function: Function | None = None


class _Registered:
    """What libascendcl's list says, read again when it changed."""

    def __init__(self) -> None:
        library = ctypes.CDLL(None)  # the door made its names global
        self._first = library.aclimb_units
        self._first.restype = ctypes.POINTER(_CUnit)
        self._configuration = library.aclimb_configuration
        self._configuration.restype = ctypes.POINTER(_CConfiguration)
        self._changes = ctypes.c_uint64.in_dll(library, "aclimb_units_changes")
        self._lock = threading.Lock()
        self._seen = -1
        self._units: dict[int, Unit] = {}  # by address
        self._by_self: dict[int, _Place] = {}
        self._by_function: dict[int, _Place] = {}

    @property
    def configuration(self) -> Any:
        """Of the launch that this thread is making."""
        return self._configuration().contents

    def by_self(self, own: int) -> _Place | None:
        self._refresh()
        return self._by_self.get(own)

    def by_function(self, address: int) -> _Place | None:
        self._refresh()
        return self._by_function.get(address)

    def _refresh(self) -> None:
        if self._seen == self._changes.value:
            return
        with self._lock:
            self._seen = self._changes.value
            before, self._units = self._units, {}
            at = self._first()
            while at:
                address = ctypes.addressof(at.contents)
                self._units[address] = before.pop(address) if address in before else Unit(at.contents)
                at = at.contents.next
            for unit in before.values():
                unit.unload()
            # Newest first in the list: where two units have a kernel at one address, the newest answers.
            places = [(row, _Place(unit, row[2])) for unit in reversed(self._units.values()) for row in unit.kernels]
            self._by_self = {own: place for (own, _, _), place in places}
            self._by_function = {function: place for (_, function, _), place in places}


@lru_cache(maxsize=1)
def _registered() -> _Registered:
    return _Registered()


def launch(own: int, num_blocks: int, stream: int, args: int, size: int) -> int:
    """What a stub does: the code of aclrtLaunchKernelWithHostArgs. A refusal is the thread's last error as well."""
    registered = _registered()
    place = registered.by_self(own)
    configuration = registered.configuration
    file, line = configuration.file, configuration.line
    if not own:
        return refuse(
            f"<<<>>> at {os.fsdecode(file)}:{line}", InvalidArgument("what stands before <<< is not a kernel; mark it __global__")
        )
    assert place is not None, "a stub launches that no unit registered"
    try:
        on = stream_of(stream)
        function = place.function
        if function is None or function.kernel.info.tiling_keys:
            function = _function(place, configuration.tiling_key)
        if not file:
            raise InvalidArgument("a kernel was called like a function; launch it with <<<blocks, nullptr, stream>>>")
        _calls_at(file, line)(_queue, function, num_blocks, args, size, on)
    except AclimbError as error:
        return refuse(f"{place.name}<<<>>> at {file.decode()}:{line}" if file else place.name, error)
    return 0


def _queue(function: Function, num_blocks: int, args: int, size: int, stream: ContextStream) -> None:
    launches.with_host_args(function, num_blocks, args, size, (), 0, (), stream)


def function_of(address: int) -> Function | None:
    """The function for the address of a __global__ function; None for any other address."""
    place = _registered().by_function(address)
    return None if place is None else _function(place, -1)


def _function(place: _Place, tiling_key: int) -> Function:
    device = current().device
    if place.function is None:
        place.function = place.unit.loaded.function(place.name, device)
    has_key = tiling_key >= 0 and place.function.kernel.info.tiling_keys
    return place.unit.loaded.function(f"{place.name}_{tiling_key}", device) if has_key else place.function


@lru_cache(maxsize=4096)
def _calls_at(file: bytes, line: int) -> Callable[..., None]:
    """Calls what it is given, as if from that line of the program: messages about the kernel name the place of the launch."""
    source = "\n" * (line - 1) + "lambda call, *arguments: call(*arguments)"
    made: Callable[..., None] = eval(compile(source, os.fsdecode(file), "eval"))
    return made
