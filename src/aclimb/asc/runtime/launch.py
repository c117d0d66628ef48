# SPDX-License-Identifier: Apache-2.0
"""A launch: arrays to the device, the kernel, arrays back."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from aclimb import knobs
from aclimb.asc.language.core.struct import Struct
from aclimb.asc.lib import runtime as rt
from aclimb.asc.runtime.arguments import as_array, is_torch
from aclimb.errors import InvalidArgument, KernelFault
from aclimb.runtime import Buffer, Device, LaunchConfig, Stream, launch
from aclimb.runtime.buffer import Block
from aclimb.runtime.spare import SPARE

if TYPE_CHECKING:
    from aclimb.asc.runtime.compiled import CompiledKernel
    from aclimb.asc.runtime.inline import CheckReport, ProfileReport
    from aclimb.asc.runtime.jit import JITFunction

SYSTEM_WORKSPACE = 16 * 2**20


_workspaces: dict[Device, Buffer] = {}


class Launcher:
    """kernel[cores, stream]: what is called with the arguments."""

    def __init__(self, kernel: JITFunction, cores: Any, stream: Any) -> None:
        if isinstance(cores, bool) or not isinstance(cores, int | np.integer):
            raise TypeError(f"{kernel.fn.__name__}[{cores!r}]: it takes a number of cores, and a stream: kernel[8] or kernel[8, stream]")
        if cores < 1:
            raise ValueError(f"{kernel.fn.__name__}[{cores}]: a launch takes at least 1 core")
        if stream is not None and not isinstance(stream, Stream):
            raise TypeError(
                f"{kernel.fn.__name__}[{cores}, {stream!r}]: the second is a stream: asc.lib.runtime.current_stream(), or aclimb.Stream()"
            )
        self.kernel, self.cores, self.stream = kernel, int(cores), stream
        self._config = LaunchConfig(num_blocks=self.cores)
        self._slack: int | None = None

    def slack(self, size_bytes: int) -> Launcher:
        """The same launch with that much zero-filled, accessible space behind each array."""
        made = Launcher(self.kernel, self.cores, self.stream)
        made._slack = size_bytes
        return made

    def __call__(self, *args: Any, **kwargs: Any) -> None:
        """Copies arrays in, runs, waits, copies arrays back."""
        kernel = self.kernel
        rest, options = kernel._split(kwargs) if kwargs else (kwargs, kernel.options)
        values = kernel.parameters.bind(args, rest)
        compiled = kernel.specialise(values, options)
        if os.environ.get("DRY_RUN"):
            _ = compiled.binary
            return
        stream = self.stream or rt.current_stream()
        slack = self._slack if self._slack is not None else knobs.py_slack()
        given = _Given(stream.device, slack)
        try:
            constants = kernel.parameters.constants
            texts = [given.take(name, value) for name, value in zip(kernel.parameters.names, values, strict=True) if name not in constants]
            launch(stream, self._config_for(compiled, stream), compiled.kernel, *texts)
            try:
                stream.synchronize()
            except KernelFault as fault:
                given.explain(fault)
                raise
            given.copy_back(kernel.fn.__name__)
        finally:
            given.release()

    def profile(self, *args: Any, **kwargs: Any) -> ProfileReport:
        """Launches, and shows where the time goes on the modelled chip."""
        from aclimb.asc.runtime import inline

        return inline.profile(self, args, kwargs)

    def check(self, *args: Any, check: dict[str, Any] | None = None, **kwargs: Any) -> CheckReport:
        """Launches, and shows what a race detector finds. `check` are settings of aclimb.check."""
        from aclimb.asc.runtime import inline

        return inline.check(self, args, kwargs, check or {})

    def _config_for(self, compiled: CompiledKernel, stream: Stream) -> LaunchConfig:
        if not compiled.needs_workspace:
            return self._config
        workspace = _workspaces.get(stream.device)
        if workspace is None:
            workspace = _workspaces[stream.device] = Buffer(SYSTEM_WORKSPACE, np.uint8, stream.device)
        return LaunchConfig(num_blocks=self.cores, workspace=workspace.address)

    def launch(self, stream: Stream, *args: Any, **kwargs: Any) -> None:
        """Queues the kernel on Buffers and returns: no copies, no waiting."""
        rest, options = self.kernel._split(kwargs)
        values = self.kernel.parameters.bind(args, rest)
        pairs = [pair for pair in zip(self.kernel.parameters.names, values, strict=True) if pair[0] not in self.kernel.parameters.constants]
        for name, value in pairs:
            if isinstance(value, np.ndarray) or is_torch(value):
                raise InvalidArgument(f"{name} is an array in host memory; launch() takes Buffers: aclimb.Buffer.from_array({name})")
        compiled = self.kernel.specialise(values, options)
        launch(stream, self._config_for(compiled, stream), compiled.kernel, *(_plain(value) for _, value in pairs))


def _plain(value: Any) -> Any:
    if isinstance(value, Struct):
        return value.pack()
    return int(value) if isinstance(value, bool | np.bool_) else value.item() if isinstance(value, np.generic) else value


class _Given:
    """The arrays of one launch and their device memory."""

    def __init__(self, device: Device, slack: int) -> None:
        self.device, self.slack = device, slack
        self.arrays: list[tuple[str, NDArray[Any], Block, int, int]] = []  # the last: where it is copied back to, 0 for not directly
        self._by_place: dict[Any, Block] = {}

    def take(self, name: str, value: Any) -> Any:
        if isinstance(value, np.ndarray):
            return self._array(name, value)
        if isinstance(value, int | float | Buffer) and not isinstance(value, bool):
            return value
        if is_torch(value):
            return self._array(name, as_array(value, name))
        if type(value).__name__ in ("MockTensor", "MockValue", "DataType"):
            raise InvalidArgument(f"{name} is a {type(value).__name__}, which has no data; use compile(...)")
        return _plain(value)

    def _array(self, name: str, array: NDArray[Any]) -> int:
        interface = array.__array_interface__  # one question instead of several
        pointer, is_read_only = interface["data"]
        size = array.nbytes
        place = (pointer, size, interface["strides"])
        known = self._by_place.get(place)
        if known is not None:
            return known.address
        block = self._by_place[place] = SPARE.take(self.device, size + self.slack)
        is_plain = interface["strides"] is None
        self.arrays.append((name, array, block, size, pointer if is_plain and not is_read_only else 0))
        if is_plain:
            block.copy_in(pointer, 0, size)
        else:
            plain = np.ascontiguousarray(array)
            block.copy_in(plain.ctypes.data, 0, size)
        if self.slack:
            zeros = np.zeros(self.slack, np.uint8)
            block.copy_in(zeros.ctypes.data, size, self.slack)
        return block.address

    def copy_back(self, kernel: str) -> None:
        for name, array, block, size, pointer in self.arrays:
            if pointer:  # contiguous and writeable
                block.copy_out(pointer, 0, size)
                continue
            fresh = np.empty(array.shape, array.dtype)
            block.copy_out(fresh.ctypes.data, 0, fresh.nbytes)
            if array.flags.writeable:
                array[...] = fresh
            elif fresh.tobytes() != array.tobytes():
                raise InvalidArgument(f"{kernel} changed {name}, an array that is read-only; pass a copy, or make it writeable")
        if self.slack:
            self._tell(kernel)

    def _tell(self, kernel: str) -> None:
        """How far a kernel wrote behind an array."""
        for name, array, block, *_ in self.arrays:
            behind = np.empty(self.slack, np.uint8)
            block.copy_out(behind.ctypes.data, array.nbytes, self.slack)
            used = np.flatnonzero(behind)
            if used.size and (kernel, name) not in _told:
                _told.add((kernel, name))
                import logging

                logging.getLogger("aclimb").warning(
                    "%s wrote %d bytes behind the end of %s, into its slack", kernel, int(used[-1]) + 1, name
                )

    def explain(self, fault: KernelFault) -> None:
        """Which parameter an access went beyond."""
        if fault.kind not in ("out-of-bounds", "address-fault"):
            return
        for address in {int(text, 16) for text in re.findall(r"0x[0-9a-f]{8,}", str(fault))}:
            for name, array, block, size, _ in self.arrays:
                if block.address <= address <= block.address + size + self.slack:
                    fault.add_note(f"    {name} is {array.dtype}{list(array.shape)}, {array.nbytes} bytes; ACLIMB_PY_SLACK=1K, or "
                                   "kernel[cores].slack(1024)(...), adds space behind each array")  # fmt: skip
                    return

    def release(self) -> None:
        for _, _, block, size, _ in self.arrays:
            SPARE.give(self.device, size + self.slack, block)


_told: set[tuple[str, str]] = set()
Report = Callable[..., Any]
