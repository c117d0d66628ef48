# SPDX-License-Identifier: Apache-2.0
"""Kernels that programs and libraries bring along, and their launches.

A translation unit with kernels registers its image in libascendcl when it is loaded (host/include/aclimb/host.h). The image
is loaded here when the first of its kernels is launched.
"""

from __future__ import annotations

import ctypes
import threading
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from aclimb.binary import KernelBinary
from aclimb.calls.errors import refuse
from aclimb.errors import AclimbError, InvalidArgument, Refused
from aclimb.runtime import counts, launches
from aclimb.runtime.context import current, stream_of
from aclimb.runtime.loader import Function, LoadedBinary, LoadOptions

NO_SYMBOL = 107042


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
    )


class Unit:
    """The kernels of one translation unit."""

    def __init__(self, registered: _CUnit) -> None:
        self._image = ctypes.string_at(registered.image, registered.image_size)
        self.kernels = [(row.own or 0, row.function or 0, row.name.decode()) for row in registered.kernels[: registered.kernel_count]]
        self._loaded: LoadedBinary | None = None

    @property
    def loaded(self) -> LoadedBinary:
        if self._loaded is None:
            self._loaded = LoadedBinary(KernelBinary.read(self._image), LoadOptions(lazy=True))
            counts.discount("binaries", self._loaded)  # it is the program's own: nobody has to give it back
        return self._loaded

    def unload(self) -> None:
        if self._loaded is not None:
            self._loaded.unload()


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
                self._units[address] = before.pop(address, None) or Unit(at.contents)
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
    place = _registered().by_self(own)
    assert place is not None, "a stub launches that no unit registered"
    try:
        on = stream_of(stream)
        function = place.function
        if function is None or place.unit.loaded.binary.kernels and function.kernel.info.tiling_keys:
            function = _function(place)
        launches.with_host_args(function, num_blocks, args, size, (), 0, (), on)
    except AclimbError as error:
        return refuse(_where(place), _explained(error, num_blocks))
    return 0


def function_of(address: int) -> Function | None:
    """The function for the address of a __global__ function; None for any other address."""
    place = _registered().by_function(address)
    return None if place is None else _function(place)


def _function(place: _Place) -> Function:
    name, key = place.name, -1
    if place.function is None:
        place.function = place.unit.loaded.function(name, current().device)
    if place.function.kernel.info.tiling_keys:
        key = _registered().configuration.tiling_key
    return place.function if key < 0 else place.unit.loaded.function(f"{name}_{key}", current().device)


def _where(place: _Place) -> str:
    with_ = _registered().configuration
    return f"{place.name}<<<>>> at {with_.file.decode()}:{with_.line}" if with_.file else place.name


def _explained(error: AclimbError, num_blocks: int) -> AclimbError:
    if num_blocks == 0 and not _registered().configuration.file and isinstance(error, InvalidArgument | Refused):
        return InvalidArgument("a kernel was called like a function; launch it with <<<blocks, nullptr, stream>>>")
    return error
