# SPDX-License-Identifier: Apache-2.0
"""Workspaces: one pool for each stream, for every way an operator can run. See `WorkspacePool`."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from aclimb.errors import InvalidArgument, OutOfMemory, Refused
from aclimb.op.debug import guard
from aclimb.op.status import MAX_WORKSPACES
from aclimb.runtime.buffer import LARGEST, Block
from aclimb.runtime.context import ContextStream
from aclimb.runtime.handles import BAD_HANDLE
from aclimb.runtime.memory import fill_later, read_device
from aclimb.runtime.stream import Stream

ALIGNMENT = 512
POISON = 0xA5

_lock = threading.RLock()  # a deleter that Python calls while it is held may want workspaces, too
_pools: weakref.WeakKeyDictionary[Stream, WorkspacePool] = weakref.WeakKeyDictionary()


class WorkspacePool:
    """The blocks of one stream.

    A call takes its blocks, queues what uses them, and gives them back at once, while the device may not have begun: what comes next on
    the stream runs after what used them before. Other streams never get them, and neither does another thread between take and give.
    In a capture nothing comes back: the blocks stay with the graph, whose replays need them.

    A block that is free stays for the next call, which gets the smallest one that is large enough. Memory goes back to the device on
    demand (`release_workspaces`), when an allocation finds none left, and with the stream: acl's streams say so when they are destroyed,
    and acl.finalize for all of them; others when Python collects them. A block that is taken meanwhile goes when it is given back.
    """

    def __init__(self, stream: Stream) -> None:
        self._device = stream.device
        self._stream = weakref.ref(stream)
        self._free: list[Block] = []
        self._used: dict[int, Block] = {}
        self._tails: list[tuple[Block, int]] = []  # blocks with known bytes behind that size
        self._ended = False
        self._lock = threading.RLock()

    @contextmanager
    def lend(self, sizes: Sequence[int]) -> Iterator[list[int]]:
        """The addresses of blocks for what is queued inside the `with`."""
        addresses: list[int] = []
        try:
            for size in sizes:
                addresses.append(self.take(size))
            yield addresses
        finally:
            self.give(addresses)

    def take(self, size: int) -> int:
        """The address of a block of at least that size; 0 for size 0. Raises OutOfMemory."""
        return self.take_valid(size) if size else 0

    def take_valid(self, size: int) -> int:
        """As take; size 0 has an address, too."""
        debug = guard()
        rounded = {"exact": max(size, 1), "tail": size + ALIGNMENT}.get(debug, max(-(-size // ALIGNMENT), 1) * ALIGNMENT)
        if debug:  # nobody gets a block again, so that one used too late is found
            self._discard_free()
        with self._lock:
            block = self._fitting(rounded)
        if block is None:
            block = self._allocate(rounded)  # without the lock: it may ask every pool to give back
        with self._lock:
            if self._ended:
                block.discard()
                raise Refused(BAD_HANDLE, "the stream ended, or acl was finalised, while an operator was queued")
            self._used[block.address] = block
            if debug == "tail":
                self._tails.append((block, size))
        if debug:
            self._poison(block)
        return block.address

    def _discard_free(self) -> None:
        with self._lock:
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
        for attempt in range(2 if size <= LARGEST else 0):
            if attempt:
                release_workspaces()  # those that are too small, and those of other streams
            block = Block(self._device.native, size)
            if block.address:
                return block
        free = self._device.memory_total - self._device.memory_used
        raise OutOfMemory(f"a workspace of {size} bytes does not fit: {self._device} has {free} of {self._device.memory_total} bytes "
                          "free; free buffers, or raise ACLIMB_DEVICE_MEMORY")  # fmt: skip

    def give(self, addresses: Sequence[int]) -> None:
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
        with self._lock:
            if not self._ended:
                self._free += blocks
                return
        for block in blocks:
            block.discard()

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

    def end(self) -> None:
        """The stream gives none any more. Waits for what is queued there; blocks that are taken go when they are given back."""
        with self._lock:
            self._ended = True
            has_blocks = bool(self._free)
        stream = self._stream()
        if has_blocks and stream is not None:
            stream.native.wait()
        self._discard_free()


def pool_of(stream: Stream) -> WorkspacePool:
    with _lock:
        found = _pools.get(stream)
        if found is None:
            found = _pools[stream] = WorkspacePool(stream)
            if isinstance(stream, ContextStream):
                stream.at_end.append(found.end)
        return found


def end_acl_pools() -> None:
    """acl.finalize: the pools of acl's streams end; a stream that is used again gets another."""
    with _lock:
        ended = [(stream, pool) for stream, pool in _pools.items() if isinstance(stream, ContextStream)]
        for stream, pool in ended:
            del _pools[stream]
            stream.at_end.remove(pool.end)
    for _, pool in ended:
        pool.end()


def release_workspaces(stream: Stream | None = None) -> int:
    """Gives pooled workspaces back, of one stream or of all; waits for their last use. Returns the bytes."""
    with _lock:
        pools = list(_pools.values()) if stream is None else [_pools[stream]] if stream in _pools else []
    return sum(pool.release() for pool in pools)


def checked_sizes(sizes: Any) -> list[int]:
    """Workspace sizes: at most 16 whole numbers, none below 0."""
    try:
        listed = list(sizes)
    except TypeError:
        raise InvalidArgument(f"workspace sizes are {sizes!r}; they are a list, and an empty one when no workspace is needed") from None
    if len(listed) > MAX_WORKSPACES:
        raise InvalidArgument(f"{len(listed)} workspaces are asked for; at most {MAX_WORKSPACES} are possible")
    for size in listed:
        if (type(size) is not int and not isinstance(size, np.integer)) or size < 0:
            raise InvalidArgument(f"workspace sizes are {listed}; each takes a whole number of bytes, 0 and more")
    made = list(map(int, listed))
    if sum(made) > LARGEST:
        raise InvalidArgument(f"workspace sizes are {listed}; together they take at most {LARGEST} bytes")
    return made
