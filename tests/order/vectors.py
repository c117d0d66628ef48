# SPDX-License-Identifier: Apache-2.0
"""The vectors: kernels with one mistake each (M), the same kernels put right, and legal ones that look wrong (T).

All of them take three buffers: `in` and `work` and `out`, 64 tiles of 16 words each, `in` counting up, the others zero. Cube vectors have
halves in `in` and floats in `out`. A SuperKernel takes them once for each member.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aclimb import Buffer, Event, Kernel, KernelBinary, LaunchConfig, Program, Stream, launch
from aclimb.fuse import Member, fuse, plan_of

HERE = Path(__file__).parent / "vectors"
TILES, WORDS = 64, 16
Array = NDArray[Any]


@dataclass(frozen=True)
class Vector:
    name: str  # of its kernel; of a chain, of the one it is about
    file: str
    rules: frozenset[str] = frozenset()  # one of these is found; of a legal vector, these may be
    blocks: int = 2
    expected: Callable[[Array], Array] = field(default=lambda x: np.zeros_like(x))  # `out`, from `in`; of a faulty one, put right
    auto_sync: str = "on"
    members: tuple[tuple[str, int], ...] = ()  # a SuperKernel: kernels and their blocks
    more: tuple[int, ...] = ()  # further arguments
    cube: bool = False
    launches: int = 1  # one after the other, from `out` back to `in`
    floats: bool = False  # in and out are floats
    twice: str = ""  # ... with its own name, where one kernel is several vectors

    @property
    def id(self) -> str:
        return self.twice or self.name

    @property
    def is_faulty(self) -> bool:
        return self.name.startswith("m") and self.file.startswith("faulty")


def mended(text: str) -> str:
    """The faulty source put right, line by line."""
    lines = []
    for line in text.splitlines():
        code = line.lstrip()
        if code.startswith("//+ "):
            line = line[: len(line) - len(code)] + code[4:]
        elif line.rstrip().endswith("//-"):
            line = ""
        lines.append(line)
    return "\n".join(lines) + "\n"


def source_of(vector: Vector, *, put_right: bool) -> str:
    text = (HERE / f"{vector.file}.cpp").read_text()
    return mended(text) if put_right else text


@cache
def compiled(text: str, name: str) -> KernelBinary:
    return Program(text, name=name, include_dirs=[HERE]).compile()


@dataclass
class Run:
    """A vector's buffers, and its kernel, ready to be launched."""

    vector: Vector
    kernel: Kernel
    config: LaunchConfig
    x: Buffer
    z: Buffer
    w: Buffer

    def launch(self, stream: Stream) -> None:
        """One time, or as often as the vector asks for; does not wait."""
        x, z = self.x, self.z
        for _ in range(self.vector.launches):
            one = (x, z, self.w, *self.vector.more)
            launch(stream, self.config, self.kernel, *one * max(1, len(self.vector.members)))
            x, z = z, x

    def result(self) -> Array:
        return (self.z if self.vector.launches % 2 else self.x).to_numpy()


def prepare(vector: Vector, text: str) -> Run:
    binary = compiled(text, vector.file)
    if vector.members:
        fused = fuse([Member(binary, blocks, name) for name, blocks in vector.members], name=vector.id)
        kernel, config = Kernel(fused), LaunchConfig(plan_of(fused).num_blocks)
    else:
        kernel, config = Kernel(binary, vector.name), LaunchConfig(vector.blocks)
    x = inputs(vector)
    out: Array = np.zeros((TILES, WORDS), np.float32 if vector.cube or vector.floats else x.dtype)
    if vector.cube:
        out = np.zeros(64 * 64, np.float32)
    work = np.zeros(64 * 64, np.int32)
    return Run(vector, kernel, config, Buffer.from_array(x), Buffer.from_array(out), Buffer.from_array(work))


def inputs(vector: Vector) -> Array:
    if vector.cube:
        return (np.arange(8192) % 7 - 3).astype(np.float16)
    return np.arange(TILES * WORDS, dtype=np.float32 if vector.floats else np.int32).reshape(TILES, WORDS)


# --- what comes out


def plus_one(count: int) -> Callable[[Array], Array]:
    """Each of `count` tiles and one."""

    def expected(x: Array) -> Array:
        out = np.zeros_like(x)
        out[:count] = x[:count] + 1
        return out

    return expected


def neighbours(count: int) -> Callable[[Array], Array]:
    """What the next block computed."""

    def expected(x: Array) -> Array:
        out = np.zeros_like(x)
        out[:count] = np.roll(x[:count] + 1, -1, axis=0)
        return out

    return expected


def constant(value: int, tiles: int = 1, words: int = WORDS) -> Callable[[Array], Array]:
    def expected(x: Array) -> Array:
        out = np.zeros((TILES, WORDS), x.dtype)
        out[:tiles, :words] = value
        return out

    return expected


def product(m: int, n: int, k: int, add: float = 0, times: int = 1) -> Callable[[Array], Array]:
    def expected(x: Array) -> Array:
        a, b = x[: m * k].reshape(m, k).astype(np.float32), x[4096 : 4096 + k * n].reshape(k, n).astype(np.float32)
        out = np.zeros(64 * 64, np.float32)
        for i in range(times):
            out[i * m * n : (i + 1) * m * n] = (a @ b + add).reshape(-1)
        return out

    return expected


def _flags(name: str, *rules: str, **more: Any) -> Vector:
    return Vector(name, "faulty_flags", frozenset(rules), **{"expected": plus_one(2), **more})


def _cores(name: str, *rules: str, **more: Any) -> Vector:
    return Vector(name, "faulty_cores", frozenset(rules), **{"blocks": 4, "expected": neighbours(4), **more})


def _early(name: str, members: tuple[str, str], *rules: str, **more: Any) -> Vector:
    chain = tuple((each, 4) for each in members)
    return Vector(name, "faulty_early_start", frozenset(rules), **{"blocks": 4, "expected": neighbours(4), "members": chain, **more})


def _first_of_y(x: Array) -> Array:
    out = np.zeros_like(x)
    for block in range(2):
        out[block] = x[block] + x[block, 0] + 1
    return out


def _mirrored(x: Array) -> Array:
    out = np.zeros_like(x)
    out[:4] = (x[:4] + 1)[::-1]
    return out


def _shared_line(x: Array) -> Array:
    out = np.zeros_like(x)
    out[:2, 0] = 3
    return out


def _two_tpipes(x: Array) -> Array:
    out = np.zeros_like(x)
    out[:4], out[8:12] = x[:4] + 1, x[8:12] + 1
    return out


FAULTY = [
    _flags("m01_no_flag_in", "O1"),
    _flags("m02_no_flag_out", "O1"),
    _flags("m03_no_flag_back_in", "O1", expected=plus_one(6)),
    _flags("m04_no_flag_back_out", "O1", expected=plus_one(6)),
    _flags("m05_other_source", "O1"),
    _flags("m06_wait_too_late", "O1"),
    _flags("m07_set_too_early", "O1"),
    _flags("m08_other_id", "F1", "F3"),
    _flags("m09_set_twice", "F2"),
    _flags("m10_barrier_of_one_pipe", "O1"),
    _flags("m11_no_barrier_of_v", "O2", auto_sync="off"),
    _flags("m12_no_barrier_of_mte2", "O2"),
    _flags("m13_no_flag_to_s", "O3", auto_sync="off", expected=_first_of_y),
    _flags("m13_no_flag_to_a_pointer", "O3", expected=constant(5, 2)),
    _cores("m14_wait_too_late", "O4"),
    *(_cores("m15_set_of_other_pipe", "O4", more=(fillers,), twice=f"m15_set_of_other_pipe_{fillers}") for fillers in (0, 8, 40, 64)),
    _cores("m16_other_mode", "O4", "O5", blocks=2, expected=_mirrored),
    _cores("m17_no_sync_all", "O5"),
    _early("m18_set_before_the_copy", ("m18_set_before_the_copy", "second"), "X1"),
    _early("m19_wait_behind_the_copy", ("first", "m19_wait_behind_the_copy"), "X3"),
    _early("m19_wait_behind_the_copy_of_its_own", ("first", "m19_wait_behind_the_copy_of_its_own"), "X3", expected=plus_one(4)),
    _early("m20_set_of_other_pipe", ("m20_set_of_other_pipe", "second"), "X1"),
    _early("m21_write_before_the_wait", ("first", "m21_write_before_the_wait"), "X2"),
    _early("m22_set_of_v", ("m22_set_of_v", "m22_fills_the_same_bytes"), "X4", expected=plus_one(4)),
    _early("m22_fills_before_the_wait", ("first", "m22_fills_before_the_wait"), "X4", expected=constant(7, 4)),
    _cores("m23_short_stride", "O5", expected=plus_one(4)),
    _cores("m24_plain_instead_of_atomic", "O7", expected=constant(4)),
    _cores("m25_two_atomics", "O7", expected=constant(4)),
    _flags("m26_alias", "O1"),
    _early("m27_two_tpipes", ("m27_two_tpipes", "last"), "X6", "O1", expected=_two_tpipes),
    Vector("m28_no_duplicate", "faulty_values", frozenset({"I1"}), expected=plus_one(2)),
    Vector("m29_one_less", "faulty_values", frozenset({"I1"}), expected=lambda x: constant(16, 2, 1)(x).astype(np.float32), floats=True),
    Vector("m30_not_written_back", "faulty_values", frozenset({"C1"}), expected=constant(7, 1, 1)),
    Vector("m30_stale", "faulty_values", frozenset({"C2"}), expected=constant(7, 1, 1)),
    Vector("m31_shared_line", "faulty_values", frozenset({"C3"}), expected=_shared_line),
    Vector("m32_no_flag_to_m", "faulty_cube", frozenset({"O8"}), 1, product(16, 16, 16), cube=True),
    Vector("m32_no_flag_to_fix", "faulty_cube", frozenset({"O8"}), 1, product(16, 16, 16), cube=True),
    Vector("m32_no_barrier_of_m", "faulty_cube", frozenset({"O8"}), 1, product(16, 16, 32), cube=True),
    Vector("m33_set_of_other_pipe", "faulty_cube", frozenset({"O4"}), 1, product(16, 16, 16, 1), cube=True),
    Vector("m34_no_flag_back", "faulty_cube", frozenset({"O4"}), 1, product(16, 16, 16, 1), cube=True),
    Vector("m36_free_too_early", "faulty_values", frozenset({"Q7", "O1"}), expected=plus_one(8)),
]


def _legal(name: str, file: str, **more: Any) -> Vector:
    return Vector(name, f"legal_{file}", **{"expected": plus_one(2), **more})


def _four(x: Array) -> Array:
    out = np.zeros_like(x)
    out[:2, :8], out[:2, 8:12], out[:2, 12:] = 0, 3, 4
    out[:2, :4] = 3
    return out


def _even_odd(x: Array) -> Array:
    out = np.zeros_like(x)
    out[:2] = x[:2] + 1 + np.arange(WORDS) % 2
    return out


def _columns(x: Array) -> Array:
    out = np.zeros_like(x)
    out[:8:2], out[1:8:2] = 1, 2
    return out


def _halves(x: Array) -> Array:
    out = np.zeros_like(x)
    out[0, :4], out[0, 4:8] = 1, 2
    return out


def _twice(x: Array) -> Array:
    out = x.copy()
    out[:4] = np.roll(x[:4] + 2, -2, axis=0)
    return out


def _sum_of_tiles(count: int, blocks: int) -> Callable[[Array], Array]:
    def expected(x: Array) -> Array:
        out = np.zeros_like(x)
        out[:blocks] = x[: count * blocks].reshape(blocks, count, WORDS).sum(axis=1)
        return out

    return expected


def _doubled(x: Array) -> Array:
    out = np.zeros_like(x)
    halves, to = x.reshape(-1).view(np.float16)[:100], out.reshape(-1).view(np.float16)
    to[:100] = halves + halves
    return out


def _in_place(x: Array) -> Array:
    out = np.zeros_like(x)
    out.reshape(-1)[:64] = (x.reshape(-1)[:128] + 1).reshape(2, 64).sum(axis=0)
    return out


def _weights(tile: int, count: int, *, behind: bool = False) -> Callable[[Array], Array]:
    def expected(x: Array) -> Array:
        out = np.zeros_like(x)
        out[:count] = (np.roll(x[:count] + 1, -1, axis=0) if behind else x[:count]) + x[tile]
        return out

    return expected


def _in_lanes(*values: float) -> Callable[[Array], Array]:
    def expected(x: Array) -> Array:
        out = np.zeros_like(x)
        out.reshape(-1)[: len(values)] = values
        return out

    return expected


def _more_cores(x: Array) -> Array:
    out = np.zeros_like(x)
    for tile in range(48):
        out[tile] = x[tile % 8] + 1
    return out


def _chain(second: str, blocks: int = 4) -> dict[str, Any]:
    return {"members": (("first", 4), (second, blocks)), "blocks": blocks, "expected": neighbours(4)}


LEGAL = [
    _legal("t01_round_trip", "flags", auto_sync="off"),
    _legal("t02_wait_first", "flags"),
    _legal("t03_one_id", "flags", expected=plus_one(6)),
    _legal("t04_bytes_of_one_block", "flags", expected=_four),
    _legal("t05_columns", "cores", expected=_columns),
    _legal("t06_sum_of_all", "cores", blocks=4, expected=constant(4)),
    _legal("t07_even_and_odd_lanes", "flags", auto_sync="off", expected=_even_odd),
    _legal("t08_everybody_clears", "cores", blocks=4, expected=plus_one(4), rules=frozenset({"O6"})),
    _legal("t09_soft_sync_all", "cores", blocks=4, expected=neighbours(4)),
    _legal("t09_ib_set", "cores", blocks=4, expected=neighbours(4)),
    _legal("t09_pre_block", "cores", blocks=4, expected=_sum_of_tiles(4, 1)),
    _legal("t10_double_buffers", "flags", expected=plus_one(10)),
    _legal("t11_part_of_a_block", "values", expected=constant(4, 2, 5)),
    _legal("t12_halves_of_a_block", "cores", expected=_halves),
    _legal("t13_counted", "values", blocks=1, expected=_doubled),
    _legal("t14_whole_repeat", "values", blocks=1, expected=_doubled),
    _legal("t15_select", "values", blocks=1, floats=True, expected=_in_lanes(*[1, 2] * 8)),
    _legal("t16_through_s", "flags", auto_sync="off"),
    _legal("t17_overwrite_behind_the_wait", "cores", blocks=4, expected=constant(9, 4)),
    _legal("t18_launch_after_launch", "cores", blocks=4, expected=_twice, launches=2),
    _legal("t19_v_after_v", "flags"),
    _legal("t20_get_value", "flags", expected=_first_of_y),
    _legal("t21_large_products", "cube", blocks=1, cube=True, expected=product(64, 64, 32)),
    _legal("t22_unit_flags", "cube", blocks=1, cube=True, expected=product(64, 64, 48)),
    _legal("t23_same_weights", "cores", blocks=4, expected=_weights(32, 4)),
    _legal(
        "t24_scratch_behind_the_set", "early_start", **{**_chain("second"), "members": (("t24_scratch_behind_the_set", 4), ("second", 4))}
    ),
    _legal(
        "t25_weights_before_the_wait", "early_start", **{**_chain("t25_weights_before_the_wait"), "expected": _weights(40, 4, behind=True)}
    ),
    _legal("t26_own_input", "early_start", **_chain("t26_own_input")),
    _legal("t27_in_place", "flags", blocks=1, floats=True, expected=_in_place),
    _legal("t28_own_words", "cores", expected=constant(7, 2, 1)),
    _legal("t29_polling", "cores", expected=constant(5, 1, 1)),
    _legal("t32_dump", "values", expected=constant(6, 2, 8)),
    _legal("t33_there_and_back", "cube", blocks=1, cube=True, expected=product(16, 16, 16, 1, 2)),
    _legal("t34_waits_the_other_way_round", "cores", blocks=4, expected=neighbours(4)),
    _legal("t35_two_selects", "values", blocks=1, floats=True, expected=_in_lanes(*[1, 2] * 32)),
    _legal("t36_more_cores", "early_start", members=(("first", 8), ("t36_more_cores", 48)), blocks=48, expected=_more_cores),
    _legal("t37_id_again", "flags", expected=_sum_of_tiles(4, 2)),
]


# --- the host's part: M35, T30, T31


def two_streams(kernel: Kernel, x: Buffer, y: Buffer, z: Buffer, w: Buffer, *, with_event: bool) -> None:
    """The second stream reads what the first writes."""
    one, other, event = Stream(), Stream(), Event()
    launch(one, LaunchConfig(4), kernel, x, y, w)
    if with_event:
        one.record(event)
        other.wait(event)
    launch(other, LaunchConfig(4), kernel, y, z, w)
    one.synchronize()
    other.synchronize()
