# SPDX-License-Identifier: Apache-2.0
"""Several ranks in one process: each a device, with windows that the kernels of all of them read and write."""

from __future__ import annotations

from collections.abc import Iterator
from types import TracebackType
from typing import Any

import numpy as np

from aclimb import _engine
from aclimb.errors import AclimbError, InvalidArgument
from aclimb.runtime import rank_contexts
from aclimb.runtime.buffer import Buffer
from aclimb.runtime.device import Device
from aclimb.runtime.rank_contexts import LAYOUTS, Addresses
from aclimb.runtime.stream import Stream

_MOST = {"HcclCombinOpParam": rank_contexts.COMBIN_RANKS, "HcclOpResParam": 64}
_EXP_BYTES = 1 << 20


class Rank:
    """One rank of a group: `device`, a `stream` on it, and its windows, which are Buffers of that device.

    `window` is what kernels find as windowsIn (localWindowsIn), `window_out` as windowsOut, `window_exp` as windowsExp.
    """

    def __init__(self, index: int, device: Device, window: int) -> None:
        self.index, self.device, self.stream = index, device, Stream(device)
        # Kernels wait for flags in them, so they start as zeros.
        self.window, self.window_out, self.window_exp = (
            Buffer.from_array(np.zeros(size, np.uint8), device) for size in (window, window, _EXP_BYTES)
        )
        self.context: Buffer | None = None
        self.kept: list[Buffer] = []

    @property
    def windows(self) -> list[tuple[str, Buffer]]:
        return [("windowsIn", self.window), ("windowsOut", self.window_out), ("windowsExp", self.window_exp)]

    @property
    def addresses(self) -> Addresses:
        return Addresses(self.window.address, self.window_out.address, self.window_exp.address)

    def __repr__(self) -> str:
        return f"<Rank {self.index} on {self.device}>"


class RankGroup:
    """Made by `aclimb.ranks`. A sequence of Ranks; leaving its `with` block waits for all of them and gives the windows back."""

    def __init__(self, members: list[Rank], layout: str, index: int, patience_ns: int, remote_res: int) -> None:
        self.layout, self._members, self._index, self._open = layout, members, index, True
        for rank in members:
            self._write_context(rank, remote_res)
        windows = [(buffer.address, buffer.nbytes, rank.index, name) for rank in members for name, buffer in rank.windows]
        native = _engine.RankGroup([rank.device.native for rank in members], windows=windows, patience_ns=patience_ns)
        for rank in members:
            assert rank.context is not None
            rank.device.native.join(index, native, rank.index, rank.context.address)

    def _write_context(self, rank: Rank, remote_res: int) -> None:
        addresses, window = [each.addresses for each in self._members], rank.window.nbytes
        if self.layout == "HcclCombinOpParam":
            rank.context = _device_bytes(rank, rank_contexts.combin(rank.index, window, addresses).tobytes())
            return
        table = rank_contexts.relations(addresses)
        kept = _device_bytes(rank, table.tobytes())
        image = bytearray(remote_res + rank_contexts.OP_RES_RANKS * rank_contexts.REMOTE_RES.itemsize)
        head = rank_contexts.op_res(rank.index, window, rank.window_exp.nbytes, addresses).tobytes()
        image[: len(head)] = head
        peers = rank_contexts.peers(rank.index, len(addresses), kept.address).tobytes()
        image[remote_res - 4 : remote_res] = len(addresses).to_bytes(4, "little")  # remoteResNum
        image[remote_res : remote_res + len(peers)] = peers
        rank.context = _device_bytes(rank, bytes(image))

    def synchronize(self) -> None:
        """Waits for every device of the group; raises the first fault, with those of other ranks as its notes."""
        first: AclimbError | None = None
        for rank in self._members:
            try:
                rank.device.synchronize()
            except AclimbError as error:
                if first is None:
                    first = error
                else:
                    first.add_note(f"On rank {rank.index}: {error.in_full()}")
        if first is not None:
            raise first

    def close(self) -> None:
        """Waits for the kernels of all ranks, then takes their windows away. Closing twice is harmless."""
        if not self._open:
            return
        self._open = False
        for rank in self._members:
            rank.device.native.wait_idle()
        for rank in self._members:
            rank.device.native.join(self._index, None)
            for buffer in (rank.window, rank.window_out, rank.window_exp, rank.context, *rank.kept):
                if buffer is not None:
                    buffer.free()

    def __enter__(self) -> RankGroup:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        try:
            if error is None:
                self.synchronize()
        finally:
            self.close()

    def __len__(self) -> int:
        return len(self._members)

    def __getitem__(self, index: int) -> Rank:
        return self._members[index]

    def __iter__(self) -> Iterator[Rank]:
        return iter(self._members)

    def __repr__(self) -> str:
        return f"<RankGroup of {len(self)} ranks, {self.layout}>"


def ranks(
    count: int,
    *,
    window: int = 1 << 20,
    layout: str = "HcclCombinOpParam",
    index: int = 0,
    timeout: float = 30,
    remote_res: int = rank_contexts.REMOTE_RES_AT,
    soc: str | None = None,
) -> RankGroup:
    """`with aclimb.ranks(2, window=1 << 20) as group:` makes devices 0 and 1 the ranks of a group, each with a window of that many bytes.

    In kernels on them `GetHcclContext<index>()` leads to a struct of the given layout, "HcclCombinOpParam" or "HcclOpResParam", with the
    rank, the number of ranks and the windows. Kernels that wait for each other end with an error after `timeout` seconds in which no rank
    did anything else. `remote_res` is the offset of remoteRes in the kernel's own HcclOpResParam.
    """
    _require_whole("count", count, 1, _MOST.get(layout, 1))
    if layout not in LAYOUTS:
        raise InvalidArgument(f"layout is {layout!r}; it takes {' or '.join(map(repr, LAYOUTS))}")
    _require_whole("window", window, 1, 2**40)
    _require_whole("index", index, 0, _engine.RANK_GROUPS - 1)
    if not isinstance(timeout, int | float) or isinstance(timeout, bool) or not 0 < timeout <= 1e6:
        raise InvalidArgument(f"timeout is {timeout!r}; it takes seconds, more than 0 and at most 1000000")
    _require_whole("remote_res", remote_res, rank_contexts.OP_RES.itemsize + 8, 2**20)
    if remote_res % 8:
        raise InvalidArgument(f"remote_res is {remote_res}; it takes a multiple of 8")
    devices = [Device.of_rank(each, soc) for each in range(count)]
    for device in devices:
        if device.native.has_ranks(index):
            raise InvalidArgument(
                f"{device} is in a group of index {index} already; close that one first, or make this one of index {1 - index}"
            )
    return RankGroup([Rank(i, device, window) for i, device in enumerate(devices)], layout, index, round(timeout * 1e9), remote_res)


def _require_whole(name: str, value: Any, low: int, high: int) -> None:
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise InvalidArgument(f"{name} is {value!r}; it takes {low} to {high}")


def _device_bytes(rank: Rank, content: bytes) -> Buffer:
    made = Buffer.from_array(np.frombuffer(content, np.uint8), rank.device)
    rank.kept.append(made)
    return made
