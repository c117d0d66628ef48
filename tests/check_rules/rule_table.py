# SPDX-License-Identifier: Apache-2.0
"""The rules of the checker: how the two programs of each are run, and what is found in the faulty one.

A pair lies in the folder of its rule, or in tests/check, where the faults that end a kernel have theirs. x is what a kernel reads, z what
it writes; "words" are a third argument; "fused" pairs have two kernels, `first` and `second`, and run as a chain of both.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

HERE = Path(__file__).parent
FAULTS = HERE.parent / "check"

Array = np.ndarray[Any, Any]


def doubled(x: Array) -> Array:
    return x + x


def next_row(times: int) -> Callable[[Array], Array]:
    """Each block has the row of its neighbour."""
    return lambda x: np.roll(x.reshape(-1, 256), -1, axis=0).ravel() * times


@dataclass(frozen=True)
class Rule:
    id: str
    severity: str  # "error", "warning", "note"
    lines: tuple[str, ...] = ()  # pieces of the lines that a finding names
    blocks: int = 1
    x: Array = field(default_factory=lambda: np.arange(1024, dtype=np.float32))
    z: str = "float32"  # element type
    words: int = 0  # int32 words of a third argument, zeros
    fused: bool = False
    check: Mapping[str, Any] = field(default_factory=dict)  # arguments of aclimb.check
    expected: Callable[[Array], Array] = doubled  # what the good one leaves in z; as many elements are compared as this has
    faults: tuple[str, ...] = ()  # pairs in tests/check
    environment: Mapping[str, str] = field(default_factory=dict)  # of a host program

    @property
    def folder(self) -> Path:
        """Where the pair lies that the page of the rule shows."""
        return FAULTS / self.faults[0] if self.faults else HERE / self.id

    @property
    def on_host(self) -> bool:
        return (self.folder / "bad.py").exists()

    def source(self, which: str) -> Path:
        return self.folder / f"{which}.{'py' if self.on_host else 'cpp'}"


def error(id: str, *lines: str, **values: Any) -> Rule:
    return Rule(id, "error", lines, **values)


def warning(id: str, *lines: str, **values: Any) -> Rule:
    return Rule(id, "warning", lines, **values)


def note(id: str, *lines: str, **values: Any) -> Rule:
    return Rule(id, "note", lines, **values)


def known(id: str, faults: str) -> Rule:
    """Faults that end the kernel, with or without the checker."""
    return Rule(id, "error", faults=tuple(faults.split()))


_INTS = np.arange(1024, dtype=np.int32)
_LONG = np.arange(8192, dtype=np.float32)
_SQUARE = (np.arange(256) % 7).astype(np.float16)
_ADVICE = {"advice": True}

RULES = [
    # two accesses in no order
    error("O1", "DataCopy(in, from", "Add(out", blocks=4),
    error("O2", "DataCopy(in, from", "DataCopy(in[kCount / 2]", expected=lambda x: np.tile(x[:128], 2) * 2),
    error("O3", "Add(out", "out.GetValue(0)", blocks=4, check={"auto_sync": "off"}),
    error("O4", "DataCopy(shared[block", "DataCopy(in, shared[neighbour", blocks=4, words=1024, expected=next_row(2)),
    error("O5", "DataCopy(to, out", "DataCopy(to, out", blocks=4),
    warning("O6", "DataCopy(counters, out", "DataCopy(counters, out", blocks=4, words=256),
    error("O7", "DataCopy(to, zero", "DataCopy(to, row", blocks=4, x=_INTS, z="int32", expected=lambda x: x.reshape(4, 256).sum(0)),
    error(
        "O8", "LoadData(a2", "Mmad(c", x=_SQUARE, expected=lambda x: np.linalg.matrix_power(x.reshape(16, 16).astype(np.float32), 2).ravel()
    ),
    warning("O9", "Add(out", "out.GetValue(0)", blocks=4, check={"auto_sync": "warn"}),
    note("N1", "DataCopy(to, in", "DataCopy(to, in", blocks=4, words=256, expected=lambda x: x.reshape(4, 256).sum(0)),
    # the scalar unit's data cache
    error("C1", "factor.SetValue(0", "DataCopy(by, factor", blocks=4, words=16),
    error("C2", "DataCopy(factor, out", "after = factor.GetValue(0)", blocks=4, words=16),
    error("C3", "to.SetValue(", "to.SetValue(", blocks=4, expected=lambda x: np.where(np.arange(64) % 16 == 0, x[:64] * 2, 0)),
    warning("C4", "(to[8]);", expected=lambda x: np.where(np.arange(16) % 8 == 0, x[:16] * 2, 0)),
    # bytes nobody wrote
    error("I1", "Axpy(out", "DataCopy(to, out", blocks=4),
    error("I2", "DataCopy(out, to"),
    warning("I3", "Add(out", blocks=4, fused=True),
    # lifetimes
    error("L1", "DataCopy(in, from"),
    error("L2", "launch(stream", environment={"ACLIMB_QUARANTINE": "0"}),
    error("L3", "launch(stream", "acl.rt.free(x)"),
    warning("L4", "x, _ = acl.rt.malloc", check={"leaks": True}, environment={"ACLIMB_LEAKS": "1"}),
    # bounds, fields, overlap
    known(
        "B1",
        "ub_count ub_offset ub_repeat gm_before gm_behind gm_beyond"
        " gm_declared gm_offset gm_pad scalar_index buffers_too_large null_pointer",
    ),
    known("B2", "repeat_range block_count_range event_id_range too_many_buffers"),
    known("B3", "misaligned_operand"),
    error("B4", "Add(in[8], in, in", expected=lambda x: x[:248] * 2),
    error("B5", "DataCopy(to, out, kCount)", expected=lambda x: x[:25] * 2),
    warning("B6", "Compare(bits", z="uint8", expected=lambda x: np.packbits(x[:128] > 0, bitorder="little")),
    error("B7", "Cast(out", x=np.arange(256, dtype=np.float16), expected=lambda x: x.astype(np.float32)),
    error("B8", "SyncAll(words", "DataCopy(notes", blocks=4, words=64),
    # flags
    known(
        "F1",
        "wait_without_set wait_wrong_id wait_wrong_order cross_core_wait ib_wait sync_all_missed soft_sync_all_missed",
    ),
    known("F2", "flag_set_twice"),
    known("F3", "flag_left cross_flag_left"),
    warning("F4", "SetFlag<HardEvent::MTE2_V>(EVENT_ID7)", blocks=4),
    known("F5", "cross_core_overflow"),
    known("F6", "sync_all_not_armed"),
    error("F7", "CrossCoreSetFlag<0, PIPE_MTE3>(3)", blocks=2),
    known("F8", "vector_call_on_aic cube_call_on_aiv copy_for_other_core"),
    # queues
    known("Q1", "queue_over_depth queue_empty"),
    known("Q2", "no_free_buffer"),
    known("Q3", "event_ids_used_up"),
    error("Q4", "queue.FreeTensor(in)", blocks=4),
    known("Q5", "foreign_tensor"),
    known("Q6", "double_free"),
    known("Q7", "use_after_free"),
    known("Q8", "two_pipes queue_after_destroy not_initialised"),
    # early start
    error("X1", "DataCopy(to, out", "DataCopy(in, from", blocks=4, fused=True, expected=next_row(4)),
    error("X2", "DataCopy(in, from", "DataCopy(used, in", blocks=4, fused=True, expected=next_row(4)),
    error("X3", "DataCopy(to, out", "DataCopy(in, from", blocks=4, fused=True, expected=next_row(4)),
    error("X4", "DataCopy(to, out", "DataCopy(in, from", blocks=4, fused=True, expected=next_row(2)),
    error("X5", "DataCopy(in, scratch", "DataCopy(scratch, in", blocks=4, fused=True, words=2048),
    error("X6", "DataCopy(to, left", "DataCopy(right, from", blocks=2, fused=True, expected=lambda x: x * 4),
    warning("X7", "SetNextTaskStart()", blocks=4, fused=True, words=1024, check={"rules": {"X7"}, "advice": True}, expected=next_row(4)),
    # streams and the host
    error("H1", "launch(one", "launch(other"),
    error("H2", "launch(stream", "acl.rt.memcpy(result"),
    # other schedules
    error("S1", "Add(out", "DataCopy(to[row", blocks=2, x=np.arange(2048, dtype=np.float32)),
    # advice
    note("A1", "Add(out, a, b", x=_LONG[:4096], check=_ADVICE),
    note("A2", "DataCopy(in[i], from[i], 8)", x=_LONG[:4096], check=_ADVICE),
    note("A3", "DataCopy(in, from", x=_LONG, check=_ADVICE, expected=lambda x: x[128 : 128 + 4096] * 2),
    note("A4", "PipeBarrier<PIPE_MTE2>()", x=_LONG[:4096], check=_ADVICE),
]
