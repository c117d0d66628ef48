# SPDX-License-Identifier: Apache-2.0
"""Device memory that calls with arrays of the host use one after the other: the next one most often has the same shapes. Each piece has
exactly the bytes that were asked for, so that a kernel that reads beyond them is told so."""

from __future__ import annotations

import threading

import numpy as np

from aclimb.runtime.buffer import Block, Buffer
from aclimb.runtime.device import Device

MOST = 64 << 20  # bytes that are kept while nobody uses them


class SpareMemory:
    """Of one device: who turns to another one, such as a test with a device of its own, leaves nothing behind on the first."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._device: Device | None = None
        self._free: dict[int, list[Block]] = {}  # by size
        self.kept = 0

    def clear(self) -> None:
        with self._lock:
            self._turn_to(None)

    def _turn_to(self, device: Device | None) -> None:
        self._device, self._free, self.kept = device, {}, 0

    def take(self, device: Device, size: int) -> Block:
        with self._lock:
            if self._device is not device:
                self._turn_to(device)
            there = self._free.get(size)
            if there:
                self.kept -= size
                return there.pop()
        found = Block(device.native, max(size, 1))
        if found.address:
            return found
        self.clear()
        return Buffer(size, np.uint8, device)  # the rest is free now; if that is not enough, this says so

    def give(self, device: Device, size: int, block: Block) -> None:
        """When the device is done with it."""
        with self._lock:
            if self._device is not device or size > MOST:
                return
            if self.kept + size > MOST:  # sizes that nobody asks for any more would stay for good
                self._turn_to(device)
            self.kept += size
            self._free.setdefault(size, []).append(block)


SPARE = SpareMemory()
