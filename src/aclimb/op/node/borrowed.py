# SPDX-License-Identifier: Apache-2.0
"""Device memory by its address: what C programs hand over, and what a plan is bound to anew."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from aclimb.runtime import memory
from aclimb.runtime.device import Device


class Borrowed:
    """Device memory of somebody else, known by its address. It stands where a Buffer stands, and frees nothing."""

    def __init__(self, address: int, shape: tuple[int, ...], dtype: Any, device: Device) -> None:
        self.address, self.shape, self.dtype, self.device = address, shape, dtype, device

    def copy_out(self, host: int, offset: int, size: int) -> None:
        if size:
            memory.copy_to_host(host, self.address + offset, size)

    def to_numpy(self) -> NDArray[Any]:
        """A copy in host memory, after what is queued on the device."""
        self.device.synchronize()
        array = np.empty(self.shape, self.dtype)
        self.copy_out(array.ctypes.data, 0, array.nbytes)
        return array

    def __index__(self) -> int:
        return self.address

    def __repr__(self) -> str:
        return f"<Borrowed {self.dtype}{list(self.shape)} at 0x{self.address:x} on {self.device}>"
