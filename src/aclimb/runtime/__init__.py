# SPDX-License-Identifier: Apache-2.0
"""Devices, their memory, streams, and launching kernels on them."""

from aclimb.runtime import unreported as _unreported  # noqa: F401 - speaks up when the program ends
from aclimb.runtime.buffer import Buffer
from aclimb.runtime.counts import live
from aclimb.runtime.device import Device
from aclimb.runtime.event import Event
from aclimb.runtime.kernel import Kernel
from aclimb.runtime.launch import LaunchConfig, launch
from aclimb.runtime.ranks import ranks
from aclimb.runtime.stream import Stream

__all__ = ["Buffer", "Device", "Event", "Kernel", "LaunchConfig", "Stream", "launch", "live", "ranks"]
