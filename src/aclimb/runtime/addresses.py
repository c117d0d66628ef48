# SPDX-License-Identifier: Apache-2.0
"""Host addresses that a program gives: the one door through which they are read, and words for what an address is."""

from __future__ import annotations

import os
from typing import Any

from aclimb import _engine, engine
from aclimb.errors import InvalidArgument, Refused
from aclimb.runtime.handles import NULL, what_is_handle

Whereabouts = _engine.Whereabouts
is_on_device, readable_bytes = _engine.is_device_address, _engine.readable_bytes
copy_of = _engine.read_host  # of host memory; None: not all of it can be read


def read(address: int, size: int, what: str) -> bytes:
    """A copy of `size` bytes of host memory; refuses what is none, or ends too early."""
    require_host(address, size, what)
    data = copy_of(address, size)
    if data is None:
        raise InvalidArgument(f"{what}: {unreadable(address, size)}")
    return data


def require_host(address: int, size: int, what: str) -> None:
    """These bytes can be read by the host, all of them."""
    if address == 0:
        raise Refused(NULL, f"the address of {what} is 0 (NULL)")
    if size < 0:
        raise InvalidArgument(f"{what} is said to have {size} bytes; it takes 0 and more")
    if is_on_device(address) or readable_bytes(address, size) < size:
        raise InvalidArgument(f"{what}: {unreadable(address, size)}")


def unreadable(address: int, size: int) -> str:
    """Why the host cannot read these bytes."""
    if not is_on_device(address):
        there = readable_bytes(address, size)
        if there:
            return f"{size} bytes at 0x{address:x} end too early: only {there} of them can be read; check address and size"
    return f"0x{address:x} is {described(address)}; give the address of host memory"


def described(address: int) -> str:
    """What lies at an address, with the lines of the program that made it so."""
    if engine.forked():  # where a lock of the parent may be held for good
        return "memory of the parent process, which the child of a fork does not share"
    handle = what_is_handle(address)
    if handle:
        return f"the handle of a {handle}, not an address"
    kind, start, size, allocated, freed = _engine.describe_address(address)
    match kind:
        case Whereabouts.device:
            return f"device memory ({_piece(address, start, size)}{place(', allocated at', allocated)})"
        case Whereabouts.freed:
            return f"device memory that was freed{place(' at', freed)} ({_piece(address, start, size)}{place(', allocated at', allocated)})"
        case Whereabouts.freed_host:
            return f"memory of malloc_host that was freed{place(' at', freed)} ({size} bytes at 0x{start:x}" \
                   f"{place(', allocated at', allocated)})"  # fmt: skip
        case Whereabouts.beside:
            return "in the address range of the device, and nothing is allocated there"
        case Whereabouts.host:
            return "host memory"
        case _:
            return "0 (NULL)" if address == 0 else "not the address of anything: no memory lies there"


def _piece(address: int, start: int, size: int) -> str:
    return f"byte {address - start} of {size} at 0x{start:x}" if address != start else f"{size} bytes"


def place(words: str, where: tuple[str, int] | None) -> str:
    """` at program.py:12`, or nothing when the place is not known."""
    return f"{words} {os.path.basename(where[0])}:{where[1]}" if where else ""


def place_of(number: Any) -> tuple[str, int] | None:
    """The place with that number, as the engine's facts have it."""
    return _engine.place_of(number) if number else None
