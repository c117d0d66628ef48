# SPDX-License-Identifier: Apache-2.0
"""A kernel with its buffers, run again and again under schedules: what the buffers held before, and what they have to hold behind it."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any

import numpy as np

from aclimb.errors import AclimbError, InvalidArgument
from aclimb.runtime import Buffer, Kernel, LaunchConfig, Stream, launch
from aclimb.runtime.fused_runs import Priorities, on_one_thread, ordered, scheduled
from aclimb.schedules.cores import LaunchCores
from aclimb.schedules.difference import AS_IS, Difference
from aclimb.schedules.schedule import Schedule


class Trial:
    """Of any kernel: it has to compute what a plain launch of it on one thread does."""

    is_fused = False

    def __init__(self, kernel: Kernel, args: tuple[Any, ...], stream: Stream, config: LaunchConfig | None) -> None:
        wanted = kernel.info.parameters
        if len(args) != len(wanted):
            raise InvalidArgument(f"{kernel.info.signature} takes {len(wanted)} arguments; {len(args)} given")
        if not isinstance(config, LaunchConfig):
            given = "" if config is None else f"config is {config!r}; "
            raise InvalidArgument(
                f"{given}{kernel.name} is no SuperKernel, which knows its blocks; add config=LaunchConfig(num_blocks=...)"
            )
        self._kernel, self._args, self._stream, self._config = kernel, args, stream, config
        self.cores = LaunchCores(kernel.name, kernel.info.type_for(config.tiling_key), config.num_blocks)
        named = {p.name: each for p, each in zip(kernel.info.parameters, args, strict=False) if isinstance(each, Buffer)}
        self._buffers = {each.address: (name, each) for name, each in reversed(named.items())}
        self._before = self._contents()
        self._wanted: dict[str, np.ndarray[Any, Any]] = {}

    def _contents(self) -> dict[str, np.ndarray[Any, Any]]:
        return {name: each.to_numpy() for name, each in self._buffers.values()}

    def put_back(self) -> None:
        for name, each in self._buffers.values():
            each.copy_from(self._before[name])

    def begin(self) -> None:
        """The run to compare with, whose result stays in the buffers: the same one each time, also of cores that race."""
        with on_one_thread(self._stream):
            self._launch()
        self._wanted = self._contents()

    def _launch(self) -> None:
        launch(self._stream, self._config, self._kernel, *self._args)
        self._stream.synchronize()

    def run(self, schedule: Schedule, engine: Any = None) -> Difference | None:
        """`engine`: what schedule.engine() gave, for who wants to ask it afterwards."""
        self.put_back()
        try:
            with self._under(engine or schedule.engine(self.cores)):
                self._launch()
        except AclimbError as error:
            failed = f"{type(error).__name__}: {error}"
            return Difference(seed_of(schedule), "", 0, 0, (), (), (), failed, self.is_fused, schedule)
        return self.compare(schedule)

    def _under(self, engine: Any) -> AbstractContextManager[None]:
        return ordered(self._stream, engine) if isinstance(engine, Priorities) else scheduled(self._stream, *engine)

    def compare(self, schedule: Schedule | None = None) -> Difference | None:
        for name, each in self._buffers.values():
            got, wanted = each.to_numpy().view(np.uint8).ravel(), self._wanted[name].view(np.uint8).ravel()
            if not np.array_equal(got, wanted):
                where = np.unique(np.flatnonzero(got != wanted) // each.dtype.itemsize)
                return self._difference(schedule, name, *_first_stretch(where, each.dtype.itemsize))
        return None

    def _difference(self, schedule: Schedule | None, name: str, first: int, last: int) -> Difference:
        return Difference(seed_of(schedule), name, first, last, (), (), (), is_fused=False, schedule=schedule)


def seed_of(schedule: Schedule | None) -> int | None:
    return AS_IS if schedule is None else schedule.seed if schedule.kind == "seed" else None


def _first_stretch(where: np.ndarray[Any, Any], size: int) -> tuple[int, int]:
    """Its first and last byte, small holes in it allowed; `where` are elements of that size."""
    breaks = np.flatnonzero(np.diff(where) * size > 32)
    return int(where[0]) * size, (int(where[breaks[0]] if breaks.size else where[-1]) + 1) * size - 1
