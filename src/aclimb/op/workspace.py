# SPDX-License-Identifier: Apache-2.0
"""Workspaces: one pool for each stream, so that a block can be used again as soon as the host has it back: what comes next on the
stream runs after what used it before. Other streams never get it."""

from __future__ import annotations

import threading
import weakref

import numpy as np

from aclimb.errors import OutOfMemory
from aclimb.op.debug import guard
from aclimb.runtime.buffer import Block
from aclimb.runtime.memory import fill_later, read_device
from aclimb.runtime.stream import Stream

ALIGNMENT = 512
POISON = 0xA5

_lock = threading.Lock()
_pools: weakref.WeakKeyDictionary[Stream, WorkspacePool] = weakref.WeakKeyDictionary()


class WorkspacePool:
    """The blocks of one stream. They go when the stream goes, after its work."""

    def __init__(self, stream: Stream) -> None:
        self._device = stream.device
        self._stream = weakref.ref(stream)
        self._free: list[Block] = []
        self._used: dict[int, Block] = {}
        self._tails: list[tuple[Block, int]] = []  # blocks with known bytes behind that size
        self._lock = threading.RLock()

    def take(self, size: int) -> int:
        """The address of a block of at least that size; 0 for size 0. Raises OutOfMemory."""
        if size == 0:
            return 0
        debug = guard()
        rounded = {"exact": size, "tail": size + ALIGNMENT}.get(debug, -(-size // ALIGNMENT) * ALIGNMENT)
        with self._lock:
            if debug:  # nobody gets a block again, so that one used too late is found
                self._discard_free()
            block = self._fitting(rounded)
            if block is None:
                block = self._allocate(rounded)
            self._used[block.address] = block
            if debug == "tail":
                self._tails.append((block, size))
        if debug:
            self._poison(block)
        return block.address

    def _discard_free(self) -> None:
        free, self._free = self._free, []
        for block in free:
            block.discard()

    def _fitting(self, size: int) -> Block | None:
        """The smallest free block that is large enough, taken out."""
        best = -1
        for index, block in enumerate(self._free):
            if block.nbytes >= size and (best < 0 or block.nbytes < self._free[best].nbytes):
                best = index
        return self._free.pop(best) if best >= 0 else None

    def _allocate(self, size: int) -> Block:
        block = Block(self._device.native, size)
        if block.address:
            return block
        release_workspaces()  # those that are too small, and those of other streams
        block = Block(self._device.native, size)
        if not block.address:
            free = self._device.memory_total - self._device.memory_used
            raise OutOfMemory(f"a workspace of {size} bytes does not fit: {self._device} has {free} of {self._device.memory_total} bytes "
                              "free; free buffers, or raise ACLIMB_DEVICE_MEMORY")  # fmt: skip
        return block

    def give(self, addresses: list[int]) -> None:
        """Back, for what comes next on the stream."""
        with self._lock:
            blocks = [self._used.pop(address) for address in addresses if address]
            stream = self._stream()
            if stream is not None and stream.graph is not None:  # a replay needs them
                stream.graph.hold(*blocks)
                return
            if guard() == "exact":
                for block in blocks:
                    self._poison(block)
            self._free += blocks

    def _poison(self, block: Block) -> None:
        stream = self._stream()
        if stream is not None:  # in stream order: what used it before is done by then
            fill_later(stream, block.address, POISON, block.nbytes)

    def overruns(self) -> list[tuple[int, int]]:
        """Workspaces that were written beyond their end since the last call: their size, and how many bytes. After the work is done."""
        tails, self._tails = self._tails, []
        found = []
        for block, size in tails:
            tail = np.full(ALIGNMENT, POISON, np.uint8)
            if block.address:
                read_device(block.address + size, tail)
            changed = np.flatnonzero(tail != POISON)
            if changed.size:
                found.append((size, int(changed[-1]) + 1))
        return found

    def release(self) -> int:
        """Gives the free blocks back to the device; how many bytes that were."""
        with self._lock:
            free, self._free = self._free, []
        total = sum(block.nbytes for block in free)
        for block in free:
            block.release()  # after everything queued on the device
        return total


def pool_of(stream: Stream) -> WorkspacePool:
    with _lock:
        found = _pools.get(stream)
        if found is None:
            found = _pools[stream] = WorkspacePool(stream)
        return found


def release_workspaces(stream: Stream | None = None) -> int:
    """Gives pooled workspaces back, of one stream or of all; waits for their last use. Returns the bytes."""
    with _lock:
        pools = list(_pools.values()) if stream is None else [_pools[stream]] if stream in _pools else []
    return sum(pool.release() for pool in pools)
