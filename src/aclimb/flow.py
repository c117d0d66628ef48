# SPDX-License-Identifier: Apache-2.0
"""The records that cross borders between folders. Frozen, small, and the first file to read.

compile/ -> binary/ -> runtime/ -> engine
KernelInfo says what the loader, the launch and the fuser need to know about one kernel.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

# Declared in C++, once: engine/core/kernel.h, engine/core/fault.h, engine/host/stream.h, device/include/aclimb/abi.h.
from aclimb._engine import Fault as Fault
from aclimb._engine import FaultKind as FaultKind
from aclimb._engine import KernelType as KernelType
from aclimb._engine import Pipe as Pipe
from aclimb._engine import Waited as Waited
from aclimb.errors import InvalidArgument

PIPES = tuple(pipe.name for pipe in Pipe if pipe is not Pipe.ALL)  # by number
ParameterKind = Literal["pointer", "int", "uint", "float", "bool", "struct"]


@dataclass(frozen=True, slots=True)
class Parameter:  # compile/ -> binary/ -> runtime/args
    """One parameter of a kernel, where and how its value lies in the argument block."""

    name: str
    type: str  # as a person reads it: GM_ADDR, uint32, half, TilingData
    kind: ParameterKind
    size: int  # bytes
    offset: int  # bytes from the start of the argument block, a multiple of 8

    def __str__(self) -> str:
        return f"{self.name}: {self.type}"


@dataclass(frozen=True, slots=True)
class KernelInfo:  # compile/ -> binary/ -> runtime/, fuse/
    """One kernel of an operator binary."""

    name: str
    entry: str  # symbol of the entry function, in every image whose core type the kernel uses
    kernel_type: KernelType
    parameters: tuple[Parameter, ...] = ()
    tiling_keys: tuple[int, ...] = ()
    key_types: tuple[tuple[int, KernelType], ...] = ()  # tiling keys whose kernel type differs (KERNEL_TASK_TYPE)
    key_arguments: tuple[tuple[int, tuple[str, ...]], ...] = ()  # template arguments of each tiling key (ASCENDC_TPL_SEL)
    schedule_mode: int = 0  # __schedmode__
    uses_sync_all: bool = False  # hard SyncAll
    uses_cross_core: bool = False  # CrossCoreSetFlag, CrossCoreWaitFlag
    cross_core_in_block: bool = False  # ... and every set is for the cores of its own block (modes 1 and 2)
    uses_gm_sync: bool = False  # soft SyncAll, IBSet, IBWait
    float_atomics: bool = False
    integer_atomics: bool = False
    early_start_set: bool = False  # SetNextTaskStart
    early_start_wait: bool = False  # WaitPreTaskEnd
    early_start_scalar: bool = False  # SetNextTaskStart<PIPE_S>
    raw_block_index: bool = False  # block_idx, get_block_idx, get_block_num
    expects_one_aiv: bool = False  # MIX 1:1 whose AIV code uses GetBlockIdx or atomics and never asks how many AIVs a block has
    prints: bool = False
    dumps_tensors: bool = False
    asserts: bool = False
    uses_workspace: bool = False
    reads_clock: bool = False  # GetSystemCycle

    @property
    def args_size(self) -> int:
        """Bytes of the argument block, without padding after the last parameter."""
        last = self.parameters[-1] if self.parameters else None
        return last.offset + last.size if last else 0

    @property
    def signature(self) -> str:
        return f"{self.name}({', '.join(map(str, self.parameters))})"

    def type_for(self, tiling_key: int | None) -> KernelType:
        """The kernel type under a tiling key; the kernel's own where the key has none."""
        return dict(self.key_types).get(tiling_key, self.kernel_type) if tiling_key is not None else self.kernel_type

    def key_for(self, *arguments: str | int) -> int:
        """The tiling key of these template arguments, as in key_for("half", 8, True)."""
        wanted = tuple(str(int(each)) if isinstance(each, int) else each for each in arguments)
        for key, given in self.key_arguments:
            if given == wanted:
                return key
        known = "; ".join(f"<{', '.join(given)}>" for _, given in self.key_arguments[:8])
        more = f" and {len(self.key_arguments) - 8} more" if len(self.key_arguments) > 8 else ""
        it_has = f"it has {known}{more}" if known else "its tiling keys are no template arguments"
        raise InvalidArgument(f"{self.name} has no instance <{', '.join(wanted)}>; {it_has}")

    @property
    def synchronises_cores(self) -> bool:
        """Whether all blocks have to run at the same time."""
        return self.uses_sync_all or (self.uses_cross_core and not self.cross_core_in_block) or self.uses_gm_sync


def align_up(value: int, alignment: int) -> int:
    return (value + alignment - 1) // alignment * alignment


def slot_offsets(sizes: list[int]) -> list[int]:
    """Where each parameter starts: on the next multiple of 8, also behind a 4-byte scalar. A struct takes its
    sizeof."""
    offsets, end = [], 0
    for size in sizes:
        offsets.append(align_up(end, 8))
        end = offsets[-1] + size
    return offsets
