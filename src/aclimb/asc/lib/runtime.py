# SPDX-License-Identifier: Apache-2.0
"""Streams, devices and memory under the names that pyasc's programs use; the objects are aclimb's."""

from __future__ import annotations

import threading
from typing import Any, NoReturn

import numpy as np

from aclimb.asc.runtime import config
from aclimb.errors import Unsupported
from aclimb.runtime import Buffer, Device, Kernel, Stream

Memory = Buffer
Function = Kernel
_local = threading.local()


def current_stream(device_id: int | None = None) -> Stream:
    """The stream of this thread on the current chip; launches without a stream go there."""
    device = config.device() if device_id is None else Device(device_id, soc=config.soc())
    streams: dict[Device, Stream] | None = getattr(_local, "streams", None)
    if streams is None:
        streams = _local.streams = {}
    found = streams.get(device)
    if found is None:
        found = streams[device] = Stream(device)
    return found


def is_model() -> bool:
    """Always: there is no NPU here."""
    return True


def is_available() -> bool:
    return True


def use_model(soc_version: Any = None) -> None:
    config.set_platform(config.Backend.Model, soc_version)


def use_npu(device_id: int | None = None) -> None:
    config.set_platform(config.Backend.NPU, None, device_id)


def set_soc_version(soc_version: Any) -> None:
    config.set_platform(config.Backend.Model, soc_version)


def get_soc_version() -> str:
    return config.soc()


def current_platform() -> str:
    return config.soc()


def set_device(device_id: int) -> None:
    config.set_platform(config.Backend.Model, config.soc(), device_id)


def reset_device(device_id: int = 0) -> None:
    """What the device has left to do is done."""
    Device(device_id, soc=config.soc()).synchronize()


def current_device() -> int:
    return config.device().index


def device_count() -> int:
    from aclimb import knobs

    return knobs.devices()


def device_info() -> dict[str, Any]:
    device = config.device()
    return {"soc": device.chip.name, "aic": device.cores[0], "aiv": device.cores[1], "memory": device.memory_total}


def create_stream(priority: int = 0) -> Stream:
    return Stream(config.device())


def destroy_stream(stream: Stream) -> None:
    stream.synchronize()


def synchronize(stream: Stream | None = None, timeout: int = 0) -> None:
    (stream or current_stream()).synchronize()


def synchronize_device() -> None:
    config.device().synchronize()


def malloc(size: int) -> Buffer:
    """Device memory, in bytes."""
    return Buffer(size, np.uint8, config.device())


def free(memory: Buffer) -> None:
    memory.free()


def copy_data_to_device(array: Any) -> Buffer:
    return Buffer.from_array(array, config.device())


def copy_data_from_device(memory: Buffer, array: Any) -> None:
    memory.copy_to(array)


def memcpy(target: Any, source: Any) -> None:
    """Between an array and device memory, either way."""
    if isinstance(target, Buffer):
        target.copy_from(source.to_numpy() if isinstance(source, Buffer) else source)
    else:
        source.copy_to(target)


def __getattr__(name: str) -> NoReturn:
    if name in ("register_device_binary_kernel", "register_function", "launch_kernel", "msprof_start", "msprof_stop", "magic_elf_value"):
        raise Unsupported(f"asc.lib.runtime.{name} loads binaries of the vendor's compiler; here kernel[cores](...) builds and launches")
    raise AttributeError(f"module 'asc.lib.runtime' has no attribute {name!r}")
