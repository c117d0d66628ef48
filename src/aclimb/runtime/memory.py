# SPDX-License-Identifier: Apache-2.0
"""Copies and fills by address, with the rules of acl: which side is where, in which order a mistake is noticed."""

from __future__ import annotations

import os
from functools import partial
from typing import Any

from numpy.typing import NDArray

from aclimb import _engine
from aclimb.errors import InvalidArgument, OutOfMemory, Refused
from aclimb.runtime import addresses, capturing, guard, leaks
from aclimb.runtime.device import Device, opened
from aclimb.runtime.handles import NULL
from aclimb.runtime.stream import Stream

HOST_TO_HOST, HOST_TO_DEVICE, DEVICE_TO_HOST, DEVICE_TO_DEVICE, DEFAULT, HOST_TO_BUF_TO_DEVICE = range(6)
_DST_ON_DEVICE = (HOST_TO_DEVICE, DEVICE_TO_DEVICE, HOST_TO_BUF_TO_DEVICE)
_SRC_ON_DEVICE = (DEVICE_TO_HOST, DEVICE_TO_DEVICE)
_KINDS = ("host to host", "host to device", "device to host", "device to device", "from the addresses", "host to device, staged")
WRONG_STATE, NOT_ALLOCATED = 207000, 107000
Side = _engine.Side
Whereabouts = _engine.Whereabouts


def allocate(device: Device, size: int, *, pad: bool, kept: bool = False) -> int:
    """Device memory, 64-byte aligned. The runtime of the hardware gives 32 bytes more, rounded to 32; kernels lean on that.

    `kept`: for an object of ours that gives it back itself; `release` refuses to, whoever has guessed or remembered the address.
    """
    if size == 0:
        raise Refused(NULL, "size is 0; give at least 1 byte")
    slack = -size % 32 + (32 if pad else 0)
    address = device.native.allocate(size, slack=slack, kept=kept) if size < 2**63 else 0
    if not address:
        free = device.memory_total - device.memory_used
        raise OutOfMemory(f"{size} bytes do not fit: {device} has {free} of {device.memory_total} bytes free; "
                          "free something, or raise ACLIMB_DEVICE_MEMORY")  # fmt: skip
    return address if kept else leaks.allocated(address)


def release(devices: list[Device], address: int) -> None:
    if address == 0:
        raise Refused(NULL, "the address is 0 (NULL)")
    for device in devices:
        if device.native.release(address, kept=False):
            leaks.released(address)
            return
    raise InvalidArgument(f"0x{address:x} is not the start of device memory that malloc gave and that is still allocated: "
                          f"it is {addresses.described(address)}")  # fmt: skip


def allocate_host(size: int) -> int:
    if size == 0:
        raise Refused(NULL, "size is 0; give at least 1 byte")
    free = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_AVPHYS_PAGES")
    address = _engine.host_allocate(size) if size <= free else 0
    if not address:
        raise OutOfMemory(f"{size} bytes of host memory do not fit: the host has {free} bytes free")
    return leaks.allocated(address)


def release_host(address: int) -> None:
    if address == 0:
        raise Refused(NULL, "the address is 0 (NULL)")
    if not _engine.host_release(address):
        raise InvalidArgument(f"0x{address:x} is not the start of memory that malloc_host gave: it is {addresses.described(address)}")
    leaks.released(address)


def copy(dst: int, dst_max: int, src: int, count: int, kind: int, stream: Stream | None = None) -> None:
    if count == 0:
        return
    _require_addresses(dst, src)
    if count > dst_max:
        raise InvalidArgument(f"{count} bytes are to be copied to a destination of {dst_max}")
    _require_kind(kind)
    if kind != HOST_TO_HOST:
        guard.require_device_work("copy device memory")
    if dst != src:
        _move(dst, src, count, kind, stream)
    elif _engine.is_device_address(dst):
        require_allocated(dst, count)
    elif _engine.readable_bytes(dst, count) < count:
        raise Refused(NOT_ALLOCATED, not_allocated(dst, count))


def copy_2d(dst: int, dst_pitch: int, src: int, src_pitch: int, width: int, height: int, kind: int, stream: Stream | None = None) -> None:
    if width == 0 or height == 0:
        return
    _require_addresses(dst, src)
    _require_kind(kind)
    if width > dst_pitch or width > src_pitch:
        raise Refused(NULL, f"width is {width}, more than a pitch ({dst_pitch} to, {src_pitch} from); rows would overlap")
    for name, address, pitch in (("dst", dst, dst_pitch), ("src", src, src_pitch)):
        if address + (height - 1) * pitch + width > 2**64:
            raise Refused(NULL, f"{height} rows of {width} bytes, {pitch} bytes from one to the next, from {name} 0x{address:x} on lead "
                                "beyond the last address there is; check height and pitch")  # fmt: skip
    if stream is not None and (width > 5_000_000 or height > 5_242_880):
        raise Refused(NULL, f"{height} rows of {width} bytes are too much for one asynchronous copy; at most 5242880 rows of 5000000")
    _move(dst, src, width, kind, stream, rows=height, dst_pitch=dst_pitch, src_pitch=src_pitch)


def fill(address: int, max_count: int, value: int, count: int, stream: Stream | None = None) -> None:
    if count == 0:
        return
    if address == 0:
        raise Refused(NULL, "the address is 0 (NULL)")
    if count > max_count:
        raise InvalidArgument(f"{count} bytes are to be set in a memory of {max_count}")
    if not _engine.is_device_address(address) and not _engine.host_is_locked(address, count):
        raise InvalidArgument(f"0x{address:x} is neither device memory nor from malloc_host: it is {addresses.described(address)}")
    if stream is None:
        refused = _engine.fill_now(address, value & 0xFF, count)
    elif stream.graph is not None:
        _require_capturable(address, count)
        stream.graph.add("MEMSET_ASYNC", count, stream, partial(fill, address, max_count, value, count))
        return
    else:
        refused = _engine.fill_later(stream.native, address, value & 0xFF, count)
    if refused is not Side.none:
        raise Refused(NOT_ALLOCATED, not_allocated(address, count))


def _require_capturable(address: int, size: int) -> None:
    """A replay finds the memory where it was: not so with what the system may move or the program may free unseen."""
    if not _engine.is_device_address(address) and not _engine.host_is_locked(address, size):
        where = f"0x{address:x} is pageable host memory ({addresses.described(address)})"
        raise Refused(capturing.NOT_CAPTURABLE, f"{where}, which a captured copy cannot use; take it from malloc_host")


def _require_addresses(dst: int, src: int) -> None:
    for name, address in (("dst", dst), ("src", src)):
        if address == 0:
            raise Refused(NULL, f"{name} is 0 (NULL)")


def _require_kind(kind: int) -> None:
    if not 0 <= kind < len(_KINDS):
        raise Refused(NULL, f"kind is {kind}; it takes 0 to {len(_KINDS) - 1}")


def _move(dst: int, src: int, size: int, kind: int, stream: Stream | None, rows: int = 1, dst_pitch: int = 0, src_pitch: int = 0) -> None:
    """A side that is said to be on the device has to be; for the other one the address decides."""
    for name, address, there in (("dst", dst, _DST_ON_DEVICE), ("src", src, _SRC_ON_DEVICE)):
        if kind in there and not _engine.is_device_address(address):
            raise InvalidArgument(f"{name} 0x{address:x} is {addresses.described(address)}; kind {kind} copies {_KINDS[kind]}")
    if stream is None:
        refused = _engine.copy_now(dst, src, size, rows=rows, dst_pitch=dst_pitch, src_pitch=src_pitch)
    else:
        if kind == HOST_TO_HOST:
            raise Refused(WRONG_STATE, "host to host cannot be copied asynchronously; use acl.rt.memcpy")
        if stream.graph is not None:
            if kind == HOST_TO_BUF_TO_DEVICE:
                raise Refused(capturing.NOT_CAPTURABLE, f"kind {kind} copies {_KINDS[kind]}, which cannot be captured; use kind 1")
            for address, pitch in ((dst, dst_pitch), (src, src_pitch)):
                _require_capturable(address, (rows - 1) * pitch + size)
            queue = partial(_move, dst, src, size, kind, rows=rows, dst_pitch=dst_pitch, src_pitch=src_pitch)
            stream.graph.add("MEMCPY_ASYNC", size * rows, stream, queue)
            return
        refused = _engine.copy_later(
            stream.native, dst, src, size, rows=rows, dst_pitch=dst_pitch, src_pitch=src_pitch, stage=kind == HOST_TO_BUF_TO_DEVICE
        )
    if refused is not Side.none:
        address, pitch = (dst, dst_pitch) if refused is Side.dst else (src, src_pitch)
        raise Refused(NOT_ALLOCATED, not_allocated(address, (rows - 1) * pitch + size))


def read_device(address: int, to: NDArray[Any]) -> None:
    """Fills the array with what lies at a device address."""
    copy_to_host(to.ctypes.data, address, to.nbytes)


def read_in_task(address: int, size: int) -> bytes:
    """What lies at a device address, for a task of a stream: no copy of the host's, which a check would hold against it."""
    found = hold(address, size)
    if found is None:
        raise InvalidArgument(not_allocated(address, size))
    try:
        return bytes(found)
    finally:
        let_go(address)


def copy_to_host(host: int, address: int, size: int) -> None:
    """From device memory, to memory that the caller keeps."""
    _engine.copy_now(host, address, size)


def write_later(stream: Stream, address: int, content: NDArray[Any]) -> None:
    """In stream order; the content is taken along."""
    _engine.copy_later(stream.native, address, content.ctypes.data, content.nbytes, stage=True)


def fill_later(stream: Stream, address: int, value: int, size: int) -> None:
    """In stream order."""
    _engine.fill_later(stream.native, address, value, size)


hold, let_go = _engine.hold, _engine.let_go  # the bytes of device memory, or None; they stay mapped until they are let go


def register_host(address: int, size: int) -> None:
    """From now on asynchronous copies can use that host memory."""
    if not _engine.host_register(address, size):
        raise InvalidArgument(f"{size} bytes at 0x{address:x} overlap host memory that is registered already, or came from malloc_host")


def unregister_host(address: int) -> None:
    if not _engine.host_unregister(address):
        raise InvalidArgument(f"0x{address:x} is not the start of registered host memory")


def require_allocated(address: int, size: int) -> None:
    """These bytes are device memory, all in one piece."""
    kind, start, length, _, _ = _engine.describe_address(address)
    if size and (kind is not Whereabouts.device or address + size > start + length):
        raise Refused(NOT_ALLOCATED, not_allocated(address, size))


def bytes_behind(device: Device, address: int) -> int:
    """How much device memory is allocated from an address on; 0 when it is in no allocation."""
    found = device.native.find(address)
    if found is None or not found[0] <= address < found[0] + found[1]:
        return 0
    return found[0] + found[1] - address


def not_allocated(address: int, size: int) -> str:
    """Why a copy cannot touch these bytes of device memory, of malloc_host's, or of the program's own."""
    if not _engine.is_device_address(address) and not _engine.host_is_ours(address):
        return _not_host(address, size)
    kind, start, length, allocated, _ = _engine.describe_address(address)
    if kind in (Whereabouts.freed, Whereabouts.freed_host):
        return f"{size} bytes at 0x{address:x} cannot be used: that is {addresses.described(address)}"
    if kind is Whereabouts.host:
        return f"{size} bytes at 0x{address:x} are not all in one block of malloc_host: it is shorter"
    head = f"{size} bytes at 0x{address:x} are not all in one piece of allocated device memory"
    if kind is Whereabouts.device:
        where = addresses.place(", allocated at", allocated)
        return f"{head}: {start + length - address} bytes are left there of the {length} at 0x{start:x}{where}"
    found = next((device.native.find(address) for device in opened() if device.native.contains(address)), None)
    return f"{head}: nothing is allocated there" + (f"; the nearest is {found[1]} bytes at 0x{found[0]:x}" if found else "")


def _not_host(address: int, size: int) -> str:
    if _engine.readable_bytes(address, size) >= size:
        return f"{size} bytes at 0x{address:x} are host memory that can be read and not be written"
    return addresses.unreadable(address, size)
