# SPDX-License-Identifier: Apache-2.0
"""A member of a SuperKernel, as the caller names it."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from aclimb.binary import KernelBinary
from aclimb.errors import FuseError
from aclimb.flow import KernelInfo, KernelType


@dataclass(frozen=True, slots=True)
class Member:
    """One kernel that goes into a SuperKernel, with everything a launch of it would say. Checked when built."""

    binary: KernelBinary
    num_blocks: int
    kernel: str | None = None  # its name, where the binary has several
    tiling_key: int | None = None
    task_type: Literal["normal", "dynamic"] = "normal"  # dynamic: tiling key and block count are read from device memory
    stream: int = -1
    sends: tuple[int, ...] = ()  # events set behind it
    receives: tuple[int, ...] = ()  # events awaited before it
    early_start_set: bool | None = None  # None: as the binary says
    early_start_wait: bool | None = None
    split_mode: int | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.binary, KernelBinary):
            object.__setattr__(self, "binary", KernelBinary.read(self.binary))
        if self.binary.plan is not None:
            raise FuseError(f"{self.binary.name} is a SuperKernel already; fuse its members instead")
        info = self.info
        if not isinstance(self.num_blocks, int) or isinstance(self.num_blocks, bool) or not 1 <= self.num_blocks <= 65535:
            raise FuseError(f"{info.name} has num_blocks {self.num_blocks!r}; it takes 1 to 65535")
        if self.task_type not in ("normal", "dynamic"):
            raise FuseError(f"{info.name} has task_type {self.task_type!r}; it takes normal or dynamic")
        if self.task_type == "normal" and info.tiling_keys and self.key not in info.tiling_keys:
            known = ", ".join(map(str, info.tiling_keys))
            raise FuseError(f"{info.name} chooses its code by tiling key; {self.key} is none of {known}")
        for what in ("sends", "receives"):
            object.__setattr__(self, what, tuple(getattr(self, what)))
        if not all(isinstance(each, int) for each in (self.stream, *self.sends, *self.receives)):
            raise FuseError(f"{info.name} has stream {self.stream!r}, sends {self.sends!r} and receives {self.receives!r}; all are numbers")
        both = sorted(set(self.sends) & set(self.receives))
        if both:
            raise FuseError(f"{info.name} sends and receives event {both[0]}; a kernel cannot wait for itself")

    @property
    def info(self) -> KernelInfo:
        if self.kernel is not None:
            return self.binary.find(self.kernel)[0]
        if len(self.binary.kernels) != 1:
            raise FuseError(
                f"{self.binary.name}.o has {len(self.binary.kernels)} kernels; name one of {', '.join(self.binary.kernel_names)}"
            )
        return self.binary.kernels[0]

    @property
    def key(self) -> int | None:
        if self.tiling_key is not None or self.kernel is None:
            return self.tiling_key
        return self.binary.find(self.kernel)[1]

    @property
    def kernel_type(self) -> KernelType:
        return self.info.type_for(self.key)

    @classmethod
    def of(cls, given: Any) -> Member:
        """A Member, or (binary, num_blocks); a binary is one, or the path of one."""
        if isinstance(given, cls):
            return given
        if isinstance(given, tuple) and len(given) == 2 and isinstance(given[0], KernelBinary | str | os.PathLike):
            binary = given[0] if isinstance(given[0], KernelBinary) else KernelBinary.read(given[0])
            return cls(binary, given[1])
        raise FuseError(f"a member is {given!r}; it takes (binary, num_blocks) or Member(binary, num_blocks, ...)")

    @classmethod
    def parse(cls, text: str) -> Member:
        """As on the command line: `add.o@8`, `ops.o:add@8`, `ops.o:add@8,key=2,stream=1,send=5,recv=6+7,dynamic`."""
        head, *rest = text.split(",")
        head, at, blocks = head.rpartition("@")
        if not at or not blocks.isdecimal():
            raise FuseError(f"{text!r} does not say how many blocks; write file.o@8, or file.o:kernel@8")
        path, colon, kernel = head.partition(":")
        values: dict[str, Any] = {}
        for part in rest:
            key, _, value = part.partition("=")
            words = value.split("+")
            numbers = [int(each) for each in words] if all(each.isdecimal() for each in words) else []
            if key == "dynamic" and not value:
                values["task_type"] = "dynamic"
            elif key in ("key", "stream") and len(numbers) == 1:
                values["tiling_key" if key == "key" else "stream"] = numbers[0]
            elif key in ("send", "recv") and numbers:
                values["sends" if key == "send" else "receives"] = tuple(numbers)
            else:
                raise FuseError(f"{part!r} in {text!r} is not known; there are key=N, stream=N, send=N+M, recv=N+M and dynamic")
        return cls(KernelBinary.read(Path(path)), int(blocks), kernel if colon else None, **values)
