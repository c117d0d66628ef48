# SPDX-License-Identifier: Apache-2.0
"""acl.rt: launches."""

from __future__ import annotations

from typing import Any

from acl._binaries import pairs
from aclimb.errors import Refused
from aclimb.runtime import launches
from aclimb.runtime.args import list_of
from aclimb.runtime.context import stream_of
from aclimb.runtime.handles import NULL
from aclimb.runtime.loader import FUNCTIONS

TABLE = """
launch_kernel                       k function, I num_blocks, k args, k size, k stream  ->         aclrtLaunchKernel
launch_kernel_v2                    k function, I num_blocks, k args, k size, n config, k stream  ->  aclrtLaunchKernelV2
launch_kernel_with_config           k function, I num_blocks, k stream, l config, k args, k reserve  ->  aclrtLaunchKernelWithConfig
launch_kernel_with_host_args  k function, I num_blocks, k stream, l config, k args, k size, l slots, k n  ->  aclrtLaunchKernelWithHostArgs
"""


def launch_kernel(function: int, num_blocks: int, args: int, size: int, stream: int) -> None:
    """Arguments in device memory, which has to stay until the kernel has ended."""
    launches.with_device_args(FUNCTIONS[function], num_blocks, args, size, (), stream_of(stream))


def launch_kernel_v2(function: int, num_blocks: int, args: int, size: int, config: list[Any], stream: int) -> None:
    """As launch_kernel, with a configuration or None. An addition: pyACL has no such call, C has aclrtLaunchKernelV2."""
    attributes = pairs("acl.rt.launch_kernel_v2", config, "id", "value")
    launches.with_device_args(FUNCTIONS[function], num_blocks, args, size, attributes, stream_of(stream))


def launch_kernel_with_config(function: int, num_blocks: int, stream: int, config: list[Any], args: int, reserve: int) -> None:
    """An argument list; its bytes are copied now."""
    found = FUNCTIONS[function]
    arguments = list_of(args)
    if reserve:
        raise Refused(NULL, f"reserve is {reserve}; it has to be 0")
    attributes = pairs("acl.rt.launch_kernel_with_config", config, "id", "value") if config else ()
    launches.with_list(found, num_blocks, arguments, attributes, stream_of(stream))


def launch_kernel_with_host_args(
    function: int, num_blocks: int, stream: int, config: list[Any], args: int, size: int, slots: list[Any], n: int
) -> None:
    """A block of host memory, copied now; placeholder slots are {"addrOffset": ..., "dataOffset": ...} into it."""
    attributes = pairs("acl.rt.launch_kernel_with_host_args", config, "id", "value")
    offsets = pairs("acl.rt.launch_kernel_with_host_args", slots, "addrOffset", "dataOffset")
    launches.with_host_args(FUNCTIONS[function], num_blocks, args, size, offsets, n, attributes, stream_of(stream))
