# SPDX-License-Identifier: Apache-2.0
"""What each sub-kernel reads and writes in global memory: before its WaitPreTaskEnd, before and after its SetNextTaskStart."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

from aclimb.errors import InvalidArgument
from aclimb.fuse.fuse import plan_of
from aclimb.runtime import Buffer, Kernel, LaunchConfig, Stream, launch
from aclimb.runtime.fused_runs import AccessedRange, accesses

Phase = Literal["before wait", "before set", "after set"]


@dataclass(frozen=True, slots=True)
class Access:
    """Bytes [first, last] of what a parameter points to; `parameter` is "" for memory that no buffer argument owns."""

    sub: int
    phase: Phase
    writes: bool
    parameter: str
    first: int
    last: int

    def __str__(self) -> str:
        what = "writes" if self.writes else "reads"
        where = f"{self.parameter} bytes {self.first}-{self.last}" if self.parameter else f"0x{self.first:x}-0x{self.last:x}"
        return f"{what} {where} {self.phase}"


def record(kernel: Kernel, *args: Any, stream: Stream | None = None) -> tuple[Access, ...]:
    """Runs the SuperKernel once and lists what its sub-kernels touched, by instructions and by plain `__gm__` pointers. The latter are seen
    where the source of a sub-kernel is known; a warning says where it is not."""
    plan = plan_of(kernel.binary)
    stream = stream or Stream()
    with accesses(stream) as ranges:
        launch(stream, LaunchConfig(plan.num_blocks), kernel, *args)
        stream.synchronize()
    return tuple(_rows(ranges, kernel, args))


def _rows(ranges: Sequence[AccessedRange], kernel: Kernel, args: Sequence[Any]) -> list[Access]:
    rows = []
    for sub, waited, has_set, writes, begin, end in ranges:
        if sub < 0:
            continue
        name, base = owner_of(begin, kernel, args)
        phase: Phase = "after set" if has_set else "before set" if waited else "before wait"
        rows.append(Access(sub, phase, writes, name, begin - base, end - 1 - base))
    return sorted(rows, key=lambda a: (a.sub, a.phase, a.writes, a.parameter, a.first))


def owner_of(address: int, kernel: Kernel, args: Sequence[Any]) -> tuple[str, int]:
    """Name of the first parameter whose buffer holds the address, and where that buffer begins."""
    for parameter, value in zip(kernel.info.parameters, args, strict=True):
        if isinstance(value, Buffer) and value.address <= address < value.address + value.nbytes:
            return parameter.name, value.address
    return "", 0


def to_json(accesses: Sequence[Access]) -> str:
    return json.dumps([asdict(access) for access in accesses], indent=1) + "\n"


def from_json(text: str) -> tuple[Access, ...]:
    try:
        return tuple(Access(**row) for row in json.loads(text))
    except (TypeError, ValueError) as error:
        raise InvalidArgument(f"this is not a list of accesses: {error}; fuse.to_json(fuse.record(...)) writes one") from None
