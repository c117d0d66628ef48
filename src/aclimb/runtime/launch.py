# SPDX-License-Identifier: Apache-2.0
"""launch(stream, config, kernel, *args): everything the launch depends on stands in the call."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from aclimb import engine, knobs
from aclimb.errors import DeviceError, InvalidArgument
from aclimb.flow import KernelInfo, Parameter
from aclimb.runtime import guard, requests
from aclimb.runtime.buffer import Buffer
from aclimb.runtime.device import Device
from aclimb.runtime.kernel import Kernel
from aclimb.runtime.stream import Stream


@dataclass(frozen=True, slots=True)
class LaunchConfig:
    """How a kernel is launched. Checked when built."""

    num_blocks: int
    tiling_key: int | None = None
    workspace: int = 0  # device address of the system workspace, 0 for none
    strictness: str | None = None  # "strict" or "hardware"; None for the device's

    def __post_init__(self) -> None:
        if not isinstance(self.num_blocks, int) or isinstance(self.num_blocks, bool) or not 1 <= self.num_blocks <= requests.MAX_BLOCKS:
            raise InvalidArgument(f"num_blocks is {self.num_blocks!r}; it takes 1 to {requests.MAX_BLOCKS}")
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
    known = kernel.requests.get((stream.device, config.num_blocks, config.tiling_key, config.strictness, config.workspace))
    request = known or _request(stream.device, config, kernel)
    refused = request.launch(stream.native, *args)
    if refused is not None:
        raise _refusal(refused, request, stream, kernel.info, args)
    if stream.graph is not None:
        stream.graph.hold(kernel, *args)
    for watcher in guard.launch_watchers:
        watcher(stream, config, kernel, args)


def _request(device: Device, config: LaunchConfig, kernel: Kernel) -> requests.LaunchRequest:
    """Kept for the next time, but for workspaces: their addresses are without end."""
    made = requests.request(device, kernel, config.num_blocks, config.tiling_key, strictness=config.strictness, workspace=config.workspace)
    if not config.workspace:
        kernel.requests[device, config.num_blocks, config.tiling_key, config.strictness, 0] = made
    return made


def _refusal(
    refused: requests.Refusal, request: requests.LaunchRequest, stream: Stream, info: KernelInfo, args: tuple[Any, ...]
) -> Exception:
    if refused is requests.Refusal.argument_count:
        return InvalidArgument(f"{info.signature} takes {len(info.parameters)} arguments; {len(args)} given")
    if refused is not requests.Refusal.argument:
        return requests.refusal(refused, info.name)
    index = request.misfit(stream.native, *args)
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
