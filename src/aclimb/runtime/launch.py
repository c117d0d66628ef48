# SPDX-License-Identifier: Apache-2.0
"""launch(stream, config, kernel, *args): everything the launch depends on stands in the call."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from aclimb import engine, knobs
from aclimb.errors import DeviceError, InvalidArgument
from aclimb.flow import KernelInfo, KernelType, Parameter
from aclimb.runtime import guard
from aclimb.runtime.buffer import Buffer
from aclimb.runtime.device import Device
from aclimb.runtime.fused import require_blocks
from aclimb.runtime.kernel import Kernel
from aclimb.runtime.stream import Stream

MAX_BLOCKS = 65535


@dataclass(frozen=True, slots=True)
class LaunchConfig:
    """How a kernel is launched. Checked when built."""

    num_blocks: int
    tiling_key: int | None = None
    workspace: int = 0  # device address of the system workspace, 0 for none
    strictness: str | None = None  # "strict" or "hardware"; None for the device's

    def __post_init__(self) -> None:
        if not isinstance(self.num_blocks, int) or isinstance(self.num_blocks, bool) or not 1 <= self.num_blocks <= MAX_BLOCKS:
            raise InvalidArgument(f"num_blocks is {self.num_blocks!r}; it takes 1 to {MAX_BLOCKS}")
        if self.tiling_key is not None and not _is_uint64(self.tiling_key):
            raise InvalidArgument(f"tiling_key is {self.tiling_key!r}; it takes 0 to {2**64 - 1}, or None")
        if not _is_uint64(self.workspace):
            raise InvalidArgument(f"workspace is {self.workspace!r}; it takes a device address, 0 for none")
        if self.strictness is not None and self.strictness not in knobs.strictness.choices:
            raise InvalidArgument(f"strictness is {self.strictness!r}; it takes 'strict', 'hardware', or None for the device's")


def _is_uint64(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**64


def launch(stream: Stream, config: LaunchConfig, kernel: Kernel, *args: Any) -> None:
    """Queues the kernel and returns. Arguments are Buffers, device addresses and scalars, one for each parameter."""
    engine.require_own_process()
    guard.require_device_work("launch kernels")
    info = kernel.info
    key = config.tiling_key if config.tiling_key is not None else kernel.tiling_key
    if info.tiling_keys and key not in info.tiling_keys:
        raise InvalidArgument(no_such_key(info, key, "LaunchConfig(tiling_key=...)"))
    plan = kernel.binary.plan
    if plan is not None:
        require_blocks(plan, config.num_blocks)
    if info.synchronises_cores or plan is not None:
        require_resident(stream.device, info, info.type_for(key), config.num_blocks)
    if kernel.device is not stream.device:
        kernel.use_on(stream.device)
    refused = stream.native.launch(kernel.native(key), config.num_blocks, key or 0, config.workspace, config.strictness, *args)
    if refused >= 0:
        raise _refusal(stream, info, args, refused)
    if stream.graph is not None:
        stream.graph.hold(kernel, *args)
    for watcher in guard.launch_watchers:
        watcher(stream, config, kernel, args)


def no_such_key(info: KernelInfo, key: int | None, where: str) -> str:
    known = ", ".join(map(str, info.tiling_keys))
    if key is None:
        return f"{info.name} chooses its code by tiling key; give one of {known} in {where}"
    return f"{info.name} has no tiling key {key}; it has {known}"


def require_resident(device: Device, info: KernelInfo, kind: KernelType, blocks: int) -> None:
    aics, aivs = kind.task_ration
    limits = [(device.chip.aic_cores // aics, "AIC") if aics else None, (device.chip.aiv_cores // aivs, "AIV") if aivs else None]
    limit, name = min(each for each in limits if each)
    if blocks > limit:
        raise InvalidArgument(
            f"{info.name} synchronises across cores, so all its blocks must run at once: {blocks} blocks asked for, "
            f"{device.chip.name} has {name}s for {limit} of a {kind.name} kernel; launch at most {limit}"
        )


def _refusal(stream: Stream, info: KernelInfo, args: tuple[Any, ...], index: int) -> Exception:
    if len(args) != len(info.parameters):
        return InvalidArgument(f"{info.signature} takes {len(info.parameters)} arguments; {len(args)} given")
    parameter, value = info.parameters[index], args[index]
    what = f"argument {index + 1} of {info.name}, {parameter}, is"
    if parameter.kind == "pointer":
        if isinstance(value, Buffer) and value.address:
            return InvalidArgument(f"{what} a buffer of {value.device}; the stream is of {stream.device}: copy it there first")
        if isinstance(value, Buffer):
            return DeviceError(f"{what} a buffer that was freed")
        if isinstance(value, np.ndarray):
            return InvalidArgument(f"{what} a NumPy array in host memory; give a Buffer: Buffer.from_array(...)")
        return InvalidArgument(f"{what} {_shown(value)}; it takes a Buffer, a device address or None")
    return InvalidArgument(f"{what} {_shown(value)}; it takes {_accepted(parameter)}")


def _shown(value: Any) -> str:
    if isinstance(value, int | float | np.integer | np.floating | str):
        return repr(value.item() if isinstance(value, np.generic) else value)
    return f"a {type(value).__name__}"


def _accepted(parameter: Parameter) -> str:
    bits = parameter.size * 8
    match parameter.kind:
        case "int":
            return f"{-(2 ** (bits - 1))} to {2 ** (bits - 1) - 1}"
        case "uint":
            return f"0 to {2**bits - 1}"
        case "float":
            return "a number"
        case "bool":
            return "True or False"
        case _:
            return f"exactly {parameter.size} bytes (bytes, or a NumPy structured scalar's tobytes())"
