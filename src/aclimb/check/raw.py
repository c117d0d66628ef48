# SPDX-License-Identifier: Apache-2.0
"""What the engine hands over: facts in numbers, as Protocols. cases.py finds lines and names for them, rules/ the words.

`where` is a key of `images` and an offset in that image, as in a Fault. Names of images are unique within one finding, whichever
kernels its two sides belong to.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

Where = tuple[str, int]
Images = Mapping[str, bytes | None]


class Named(Protocol):
    """A value of an enum of the engine."""

    @property
    def name(self) -> str: ...


class RawSync(Protocol):
    """A synchronisation near the two accesses. Its text is one of those that syncs.py reads: `SetFlag MTE2_V id 0`.

    `at` says where it stands: before_first, between, behind_second on one core; before_first, behind_first, before_second,
    behind_second where each side has a core of its own.
    """

    @property
    def where(self) -> Where: ...
    @property
    def text(self) -> str: ...
    @property
    def at(self) -> str: ...


class RawSide(Protocol):
    """One access."""

    @property
    def where(self) -> Where: ...
    @property
    def unit(self) -> int: ...  # the core, unique in its launch
    @property
    def block(self) -> int: ...  # -1: the host
    @property
    def core_type(self) -> Named: ...  # AIC or AIV
    @property
    def core_idx(self) -> int: ...
    @property
    def agent(self) -> str: ...  # S, V, M, MTE1, MTE2, MTE3, FIX, D (the data cache), host, task: one that is only known by its launch
    @property
    def role(self) -> str: ...  # r, w, u (both), a (atomic); "" for a place that touches nothing
    @property
    def op(self) -> str: ...  # the Ascend C call of the instruction's row
    @property
    def operand(self) -> int: ...
    @property
    def memory(self) -> str: ...  # GM, UB, L1, L0A, L0B, L0C, BT, FB
    @property
    def begin(self) -> int: ...  # bytes; of GM an address
    @property
    def end(self) -> int: ...
    @property
    def base(self) -> int: ...  # of GM: where the allocation begins, 0 when none is known
    @property
    def parameter(self) -> str: ...  # of GM: the parameter that leads there, "" when none does
    @property
    def offset(self) -> int: ...  # of GM: bytes from that parameter's address
    @property
    def sub(self) -> int: ...  # the sub-kernel of a fused kernel, -1 none
    @property
    def sub_name(self) -> str: ...
    @property
    def kernel(self) -> str: ...
    @property
    def task(self) -> int: ...
    @property
    def place(self) -> tuple[str, int] | None: ...  # the host's call that queued it


class RawFinding(Protocol):
    """One for each kind, pair of code places, pair of agents, memory and pair of sub-kernels; its sides are the example."""

    @property
    def kind(self) -> Named: ...
    @property
    def first(self) -> RawSide: ...
    @property
    def second(self) -> RawSide | None: ...
    @property
    def begin(self) -> int: ...  # the first bytes that both touch
    @property
    def end(self) -> int: ...
    @property
    def count(self) -> int: ...  # pairs
    @property
    def blocks(self) -> int: ...  # distinct ones
    @property
    def bytes(self) -> int: ...
    @property
    def sync(self) -> Sequence[RawSync]: ...
    @property
    def numbers(self) -> Mapping[str, int]: ...  # what this kind can say besides; num_blocks of the launch
    @property
    def images(self) -> Images: ...


class RawSession(Protocol):
    """Watches what is queued between open and close."""

    def open(self) -> None: ...
    def close(self) -> None: ...  # returns when everything that was seen queued has ended and is judged
    @property
    def launches(self) -> int: ...
    @property
    def notes(self) -> Sequence[str]: ...  # what was not seen: raw pointers of a binary without source, ...
    def raw_findings(self) -> Sequence[RawFinding]: ...
    def images(self) -> Images: ...  # of every kernel that was launched: where suppressions are looked for
