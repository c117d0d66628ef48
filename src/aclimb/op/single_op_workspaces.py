# SPDX-License-Identifier: Apache-2.0
"""Workspaces of single operators: one pool for each stream. Its kernels run one after another, so they share it.

A pool only grows: a block that is too small stays until the stream ends, because tasks that wait in the stream may have its addresses.
"""

from __future__ import annotations

import threading
import weakref
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from aclimb.errors import Refused
from aclimb.flow import align_up
from aclimb.runtime import memory
from aclimb.runtime.context import ContextStream
from aclimb.runtime.device import Device
from aclimb.runtime.handles import BAD_HANDLE

ALIGNMENT = PADDING = 32  # bytes; instructions move blocks of that size, and may touch one behind the end


class Pool:
    """The blocks of one stream; the last one is the largest, and in use."""

    def __init__(self, device: Device, native: Any) -> None:
        self._device, self._native = device, native
        self._blocks: list[int] = []
        self._size = 0
        self._ended = False
        self._lock = threading.Lock()

    @contextmanager
    def cut(self, sizes: Sequence[int]) -> Iterator[list[int]]:
        """An address for each size. What uses them has to be queued inside the `with`: `end` waits for what is queued."""
        with self._lock:
            if self._ended:
                raise Refused(BAD_HANDLE, "the stream ended, or acl was finalised, while an operator was queued")
            yield self._addresses(sizes)

    def _addresses(self, sizes: Sequence[int]) -> list[int]:
        offsets, total = [], 0
        for size in sizes:
            offsets.append(total)
            total += align_up(size, ALIGNMENT) + PADDING
        if total > self._size:
            self._blocks.append(memory.allocate(self._device, total, pad=False, kept=True))
            self._size = total
        return [self._blocks[-1] + offset for offset in offsets]

    def end(self) -> None:
        """Gives the blocks back when the tasks that have them are done."""
        with self._lock:
            self._ended = True
            if self._blocks:
                self._native.wait()
            while self._blocks:
                self._device.native.release(self._blocks.pop(), kept=True)


_pools: weakref.WeakKeyDictionary[ContextStream, Pool] = weakref.WeakKeyDictionary()
_lock = threading.Lock()


def pool_of(stream: ContextStream) -> Pool:
    with _lock:
        found = _pools.get(stream)
        if found is None:
            found = _pools[stream] = Pool(stream.device, stream.native)
            weakref.finalize(stream, found.end).atexit = False
            stream.at_end.append(found.end)
        return found


def end_all() -> None:
    """The workspaces of all streams go; a stream that is used again gets new ones."""
    with _lock:
        pools = list(_pools.values())
        _pools.clear()
    for pool in pools:
        pool.end()
