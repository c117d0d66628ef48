# SPDX-License-Identifier: Apache-2.0
"""What only C has of devices, streams, memory and the program itself, or has in another order than pyACL."""

from __future__ import annotations

import logging
from typing import Any

import numpy as np

from aclimb import engine, run
from aclimb.errors import InvalidArgument, Refused
from aclimb.runtime import addresses, capturing, memory
from aclimb.runtime import context as contexts
from aclimb.runtime.context import EVENTS, any_stream, current
from aclimb.runtime.device import opened
from aclimb.runtime.failures import queue_on
from aclimb.runtime.handles import NULL

TABLE = """
aclAppLog                             i level, z function, z file, I line, z text                       => None
aclFloat16ToFloat                     I half                                                            => value
aclFloatToFloat16                     o value                                                           => half
aclsysGetVersionStr                   z package                                                         -> version:s
aclsysGetVersionNum                   z package                                                         -> version
aclGetDeviceCapability                I device, i kind                                                  -> value
aclrtGetPrimaryCtxState               i device                                                          -> flags, active
aclrtSetOpExecuteTimeOutWithMs        I timeout_ms                                                      ->
aclrtSetStreamAttribute               p stream, i kind, o value                                         ->
aclrtStreamGetFlags                   p stream                                                          -> flags
aclrtStreamWaitEventWithTimeout       p stream, p event, i timeout_ms                                   ->
aclrtGetHardwareSyncAddr                                                                                -> address
aclrtMallocHostWithCfg                k size, o config                                                  -> address
aclrtFreeWithDevSync                  p address                                                         ->
aclrtFreeHostWithDevSync              p address                                                         ->
aclrtHostRegisterV2                   p address, k size, I flag                                         ->
aclrtHostGetDevicePointer             p address, I flag                                                 -> device_address
aclrtMemsetD32                        p address, k max_bytes, I value, k count                          ->
aclrtMemsetD32Async                   p address, k max_bytes, I value, k count, p stream                ->
"""

INVALID_PARAM = 100000
LARGEST_HALF = 0x7BFF
_LEVELS = {0: logging.DEBUG, 1: logging.INFO, 2: logging.WARNING, 3: logging.ERROR}
_app_log = logging.getLogger("aclimb.app")
_acl = run.our_acl()
_base, _devices, _streams = _acl["acl._base"], _acl["acl._devices"], _acl["acl._streams"]


# --- the program


def aclAppLog(level: int, function: str | None, file: str | None, line: int, text: str | None) -> None:
    """Writes to the Python logger aclimb.app."""
    if text is None:
        raise Refused(NULL, "fmt is NULL")
    _app_log.log(_LEVELS.get(level, logging.INFO), "%s:%d %s: %s", file, line, function, text)


def aclFloat16ToFloat(half: int) -> float:
    """The exponent of infinities and NaN counts on like any other: 0x7C00 is 65536."""
    sign, exponent, fraction = -1.0 if half & 0x8000 else 1.0, half >> 10 & 0x1F, half & 0x3FF
    return sign * (fraction + 1024 if exponent else fraction) * 2.0 ** (max(exponent, 1) - 25)


def aclFloatToFloat16(value: float) -> int:
    """To the nearest half, ties to the even one; what is too large, or no number, becomes the largest."""
    with np.errstate(over="ignore"):
        single = np.float32(value)
        half = int(single.astype(np.float16).view(np.uint16))
    return half if half & 0x7FFF <= LARGEST_HALF else LARGEST_HALF | 0x8000 * int(np.signbit(single))


def aclsysGetVersionStr(package: str | None) -> str:
    """Every package has the version of the interface."""
    if package is None:
        raise Refused(NULL, "pkgName is NULL")
    return ".".join(map(str, _base.VERSION))


def aclsysGetVersionNum(package: str | None) -> int:
    """major * 10000000 + minor * 100000 + patch * 1000."""
    if package is None:
        raise Refused(NULL, "pkgName is NULL")
    major, minor, patch = _base.VERSION
    return int(major * 10_000_000 + minor * 100_000 + patch * 1000)


# --- devices and streams


def aclGetDeviceCapability(device: int, kind: int) -> int:
    """0: AI cores, 1: vector cores, 2: bytes of L2."""
    chip = contexts.device_of(device).chip
    values = {0: chip.aic_cores, 1: chip.aiv_cores, 2: chip.l2_size}
    if kind not in values:
        raise InvalidArgument(f"device information {kind} is not known; there are 0 (AI cores), 1 (vector cores), 2 (size of L2)")
    return values[kind]


def aclrtGetPrimaryCtxState(device: int) -> tuple[int, int]:
    """Whether the default context of a device exists."""
    active, flags = _devices.get_primary_ctx_state(device)
    return flags, active


def aclrtSetOpExecuteTimeOutWithMs(timeout_ms: int) -> None:
    """The time limit of every launch that has none of its own; 0: none."""
    engine.set_time_limit(timeout_ms / 1000 or 1e9)


def aclrtSetStreamAttribute(stream: int, kind: int, value: Any) -> None:
    """`value` is a dict with the member that the kind names."""
    if value is None:
        raise Refused(NULL, "value is None (NULL)")
    _streams.set_stream_attribute(stream, kind, value)


def aclrtStreamGetFlags(stream: int) -> int:
    return any_stream(stream).flags


def aclrtStreamWaitEventWithTimeout(stream: int, event: int, timeout_ms: int) -> None:
    """As stream_wait_event; after the timeout (0: none) the stream goes on and its synchronise returns 107019."""
    if timeout_ms < 0:
        raise InvalidArgument(f"timeout is {timeout_ms} ms; it takes 0 (for ever) and more")
    queue_on(stream).native.await_event(EVENTS[event].native, timeout_ms * 1_000_000)


def aclrtGetHardwareSyncAddr() -> int:
    """For hidden arguments of old kernels. Ours have none, so the address is never looked at; it is not 0."""
    return current().number


# --- memory


def aclrtMallocHostWithCfg(size: int, config: Any) -> int:
    """The configuration is accepted and not looked at."""
    return memory.allocate_host(size)


def aclrtFreeWithDevSync(address: int) -> None:
    """Waits for the device, then frees."""
    current().device.native.wait_idle()
    memory.release(opened(), address)


def aclrtFreeHostWithDevSync(address: int) -> None:
    """Waits for the device, then frees."""
    current().device.native.wait_idle()
    memory.release_host(address)


def aclrtHostRegisterV2(address: int, size: int, flag: int) -> None:
    """From now on asynchronous copies can use that host memory. Flags are accepted."""
    if address == 0 or size == 0:
        raise Refused(NULL, f"{size} bytes at 0x{address:x} cannot be registered")
    addresses.require_host(address, size, "the memory to register")
    memory.register_host(address, size)


def aclrtHostGetDevicePointer(address: int, flag: int) -> int:
    """Host memory has the same address on the device."""
    addresses.require_host(address, 1, "the host memory")
    return address


def aclrtMemsetD32(address: int, max_bytes: int, value: int, count: int) -> None:
    """Sets `count` 32-bit words."""
    words = _words(address, max_bytes, value, count)
    memory.copy(address, max_bytes, words.ctypes.data, words.nbytes, memory.HOST_TO_DEVICE)


def aclrtMemsetD32Async(address: int, max_bytes: int, value: int, count: int, stream: int) -> None:
    """In stream order."""
    queue = queue_on(stream)
    capturing.require_not_captured(queue)
    memory.write_later(queue, address, _words(address, max_bytes, value, count))


def _words(address: int, max_bytes: int, value: int, count: int) -> Any:
    if address == 0:
        raise Refused(NULL, "address is None (NULL)")
    if count * 4 > max_bytes:
        raise InvalidArgument(f"{count} words are to be set in a memory of {max_bytes} bytes")
    memory.require_allocated(address, count * 4)  # before so many words are made
    return np.full(count, value, np.uint32)
