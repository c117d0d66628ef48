# SPDX-License-Identifier: Apache-2.0
"""The one way to a launch: whoever launches asks `request` for the engine's LaunchRequest, which checks everything but the arguments, and
launches that. The arguments are checked by the engine, on every launch."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence

from aclimb import _engine
from aclimb.binary.plan import Plan
from aclimb.errors import DeviceError, InvalidArgument, OutOfMemory
from aclimb.flow import KernelInfo, KernelType
from aclimb.runtime.device import Device
from aclimb.runtime.kernel import Kernel
from aclimb.runtime.stream import Stream

MAX_BLOCKS = 65535
LaunchRequest = _engine.LaunchRequest
Refusal = _engine.Refusal


def request(
    device: Device,
    kernel: Kernel,
    num_blocks: int,
    tiling_key: int | None = None,
    *,
    where: str = "LaunchConfig(tiling_key=...)",
    strictness: str | None = None,
    workspace: int = 0,
    limit_ns: int = 0,
    at_once: bool = False,
) -> _engine.LaunchRequest:
    """A launch of the kernel that can be made any number of times, with any arguments. `where` is the place to give a tiling key;
    `at_once` asks for all blocks to run at the same time, whatever the kernel does."""
    info, plan = kernel.info, kernel.binary.plan
    key = kernel.tiling_key if tiling_key is None else tiling_key
    kind = info.type_for(key)
    _require_key(info, key, where)
    _require_blocks(plan, num_blocks)
    if info.synchronises_cores or plan is not None or at_once:
        _require_resident(device, info, kind, num_blocks)
    kernel.use_on(device)
    return _engine.LaunchRequest(
        kernel.native(key),
        num_blocks=num_blocks,
        tiling_key=key or 0,
        workspace=workspace,
        strictness=_engine.Strictness[strictness or "device"],
        limit_ns=limit_ns,
    )


def _require_key(info: KernelInfo, key: int | None, where: str) -> None:
    if not info.tiling_keys or key in info.tiling_keys:
        return
    known = ", ".join(map(str, info.tiling_keys))
    if key is None:
        raise InvalidArgument(f"{info.name} chooses its code by tiling key; give one of {known} in {where}")
    raise InvalidArgument(f"{info.name} has no tiling key {key}; it has {known}")


def _require_blocks(plan: Plan | None, num_blocks: int) -> None:
    if not 1 <= num_blocks <= MAX_BLOCKS:
        raise InvalidArgument(f"num_blocks is {num_blocks}; it takes 1 to {MAX_BLOCKS}")
    if plan is not None and num_blocks != plan.num_blocks:
        raise InvalidArgument(
            f"{plan.name} is a SuperKernel of {plan.num_blocks} blocks; {num_blocks} asked for: launch it with {plan.num_blocks}"
        )


def _require_resident(device: Device, info: KernelInfo, kind: KernelType, blocks: int) -> None:
    aics, aivs = kind.task_ration
    limits = [(device.chip.aic_cores // aics, "AIC") if aics else None, (device.chip.aiv_cores // aivs, "AIV") if aivs else None]
    limit, name = min(each for each in limits if each)
    if blocks > limit:
        raise InvalidArgument(
            f"{info.name} synchronises across cores, so all its blocks must run at once: {blocks} blocks asked for, "
            f"{device.chip.name} has {name}s for {limit} of a {kind.name} kernel; launch at most {limit}"
        )


def launch_bytes(stream: Stream, launch: _engine.LaunchRequest, args: bytes, placeholders: Sequence[tuple[int, int]] = ()) -> None:
    """Arguments as the kernel reads them. Each placeholder is (where the address goes, where the data lies)."""
    memory = ctypes.create_string_buffer(args, len(args))
    refused = launch.launch_block(stream.native, ctypes.addressof(memory), len(args), list(placeholders))
    if refused is not None:
        raise refusal(refused, launch.name, len(args))


def refusal(refused: _engine.Refusal, name: str, size: int = 0) -> Exception:
    """What can happen to any launch. acl has its own words, with its codes (launches.py)."""
    match refused:
        case Refusal.too_short:
            return InvalidArgument(f"{size} bytes of arguments are given; {name} reads more")
        case Refusal.no_memory:
            return OutOfMemory(f"{size} bytes of arguments with placeholders do not fit into device memory")
        case Refusal.stopped:
            return DeviceError(f"{name} is not launched: the context of the stream stopped when a task failed")
        case _:
            raise AssertionError(f"{name}: {refused}")
