# SPDX-License-Identifier: Apache-2.0
"""The members of a SuperKernel as what they were: kernels, each with a launch of its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from operator import index
from typing import Any

import numpy as np

from aclimb.binary import KernelBinary
from aclimb.binary.plan import SubKernel
from aclimb.fuse.fuse import plan_of
from aclimb.runtime import Kernel, LaunchConfig, Stream, launch
from aclimb.runtime.kernel import Images
from aclimb.runtime.memory import read_device


@dataclass(frozen=True, slots=True)
class MemberLaunch:
    """One member with its arguments, taken from those of the SuperKernel."""

    sub: SubKernel
    kernel: Kernel
    args: tuple[Any, ...]
    tiling: tuple[Any, ...]  # of a dynamic one: where tiling key, block count and lock lie

    def config(self, stream: Stream) -> LaunchConfig:
        if not self.tiling:
            return LaunchConfig(self.sub.num_blocks, self.sub.tiling_key)
        stream.synchronize()  # a member before may have written the tiling
        key, blocks = (_word(each) for each in self.tiling[:2])
        return LaunchConfig(blocks, key if self.sub.info.tiling_keys else None)


def parts_of(kernel: Kernel, args: Sequence[Any]) -> list[MemberLaunch]:
    """The parameters of a SuperKernel are those of its members in order, each with the words that belong to the SuperKernel behind it."""
    binaries: dict[int, tuple[KernelBinary, Images]] = {}
    parts, at = [], 0
    for sub in plan_of(kernel.binary).subs:
        if sub.image not in binaries:
            binary = _member_binary(kernel.binary, sub)
            binaries[sub.image] = binary, Images(binary)
        own = at + len(sub.info.parameters)
        tiling = own + (3 if sub.task_type == "dynamic" else 0)
        made = Kernel.of(*binaries[sub.image], sub.info, sub.tiling_key)
        parts.append(MemberLaunch(sub, made, tuple(args[at:own]), tuple(args[own:tiling])))
        at = tiling + len(sub.sends) + len(sub.receives)
    return parts


def launch_separately(parts: Sequence[MemberLaunch], stream: Stream) -> None:
    for part in parts:
        launch(stream, part.config(stream), part.kernel, *part.args)
    stream.synchronize()


def _member_binary(fused: KernelBinary, sub: SubKernel) -> KernelBinary:
    images = {core: fused.images[f"{core}.{sub.image}"] for core in ("aic", "aiv") if f"{core}.{sub.image}" in fused.images}
    return KernelBinary(replace(fused.record, name=sub.info.name), (sub.info,), images, fused.abi)


def _word(place: Any) -> int:
    """The 64-bit number that lies at a Buffer, or at an address."""
    address = place.address if hasattr(place, "address") else index(place)
    found = np.zeros(1, np.uint64)
    read_device(address, found)
    return int(found[0])
