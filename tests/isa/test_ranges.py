# SPDX-License-Identifier: Apache-2.0
"""Which bytes a record touches, compared with the bytes an instruction really touches.

Each record runs twice: on random memory, and on the same memory with every byte turned over that `ranges` does not call read. Then the
results must be the same wherever something is written, and nothing else may change. Bytes that are read are turned over one operand at a
time: some of the records must notice.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

import core as vector_core
import numpy as np
import pytest
from cube_reference import DTYPES as CUBE_DTYPES
from cube_reference import RECORDS, at
from cube_reference import Head as CubeHead
from range_cases import BY_DATA, REARRANGING, Case

from aclimb import _engine

Random = np.random.Generator
ROWS = {row.name: row for row in _engine.instructions()}
NUMBERS = {name: number for number, name in enumerate(ROWS)}
UB_BYTES, REGION, GM_BYTES = 32 << 10, 8 << 10, 64 << 10
MEMORY_NAMES = ("GM", "UB", "L1", "L0A", "L0B", "L0C", "BT", "FB")
VECTOR = [name for name, row in ROWS.items() if row.kind == "vector"]
OTHERS = ["copy", "nd2nz", "load_2d", "load_3d", "load_transpose", "load_sparse", "fill", "mmad", "mmad_sparse", "fixpipe"]
SAMPLES, MANY = 40, 1000


def vector_case(rng: Random, name: str) -> Case:
    """Any record of a vector instruction; types, modes and strides it does not have are refused by the engine and drawn again."""
    pick = rng.integers
    names = vector_core.DTYPES[1:]
    to = names[pick(len(names))]
    may_differ = name == "vconv" or ROWS[name].shape in ("accumulate", "scalar_accumulate", "binary_cast")
    source = names[pick(len(names))] if may_differ and rng.random() < 0.7 else to
    places = [vector_core.place(region * REGION + 32 * int(pick(8)), REGION - 256) for region in range(4)]
    v = vector_core.Vector(dst=places[0])
    row = ROWS[name]
    v.a, v.b = (places[i] if i < len(row.operands) else vector_core.Place(slot=255) for i in (1, 2))
    v.head = vector_core.Head(
        op=NUMBERS[name], pipe=1, dtype=names.index(to) + 1, dtype2=names.index(source) + 1, ctrl=int(pick(4)), size=ctypes.sizeof(v)
    )
    for stride in ("dst_stride", "a_stride", "b_stride"):
        plain = rng.random() < 0.4
        setattr(v, stride, vector_core.Stride(*((1, 8) if plain else (int(pick(5)), int(pick(14))))))
    words = [int(pick(0, 2**63)) * 2 + int(pick(2)) for _ in range(2)]
    v.mask = (ctypes.c_uint64 * 2)(*[words, vector_core.mask_bits(None), vector_core.mask_bits(int(pick(129)))][pick(3)])
    v.repeat, v.counted, v.count = int(pick(6)), int(pick(3)), int(pick(600))
    v.mode, v.scalar = int(pick(7)) if rng.random() < 0.5 else 0, int(pick(8))
    sizes = {"UB": UB_BYTES}
    if name != "vsel":
        return Case(v, places[:3], sizes, "AIV")
    v.head.size = ctypes.sizeof(vector_core.Select)
    has_mask = bool(pick(2))
    return Case(vector_core.Select(vector=v, mask=places[3], has_mask=has_mask), places, sizes, "AIV")


def made(name: str, dtype: str, dtype2: str | None = None, pipe: int = 4, **values: Any) -> ctypes.Structure:
    record = RECORDS[name](**values)
    record.head = CubeHead(NUMBERS[name], pipe, CUBE_DTYPES[dtype], ctypes.sizeof(record), CUBE_DTYPES[dtype2 or dtype], 0, 0)
    return record


def copy_case(rng: Random) -> Case:
    pick = rng.integers
    to, source = [("UB", "GM"), ("GM", "UB"), ("L1", "GM"), ("UB", "UB"), ("GM", "L1")][pick(5)]
    element = int([1, 2, 4][pick(3)])
    dtype = {1: "i8", 2: "half", 4: "f32"}[element]
    pads = (to, source) == ("UB", "GM") and rng.random() < 0.6
    length = int(pick(1, 40)) * element if pads or rng.random() < 0.3 else 32 * int(pick(5))
    places = [at(memory, 1024 * int(pick(4)) + (40960 if i and to == source else 0)) for i, memory in enumerate((to, source))]
    limit = 32 // element
    record = made(
        "copy", dtype, dst=places[0], src=places[1], count=int(pick(6)), length=length, dst_gap=32 * int(pick(-1, 4)),
        src_gap=32 * int(pick(-1, 4)), pad_value=int(pick(2**30)), left=int(pick(limit)) if pads else 0,
        right=int(pick(limit)) if pads else 0, pad=int(pick(1, 4)) if pads else 0, element=element,
        atomic=int(pick(4)) if to == "GM" and element > 1 else 0,
    )  # fmt: skip
    own, core = ("L1", "AIC") if "L1" in (to, source) else ("UB", "AIV")
    return Case(record, places, {own: 64 << 10, "GM": GM_BYTES}, core)


def nd2nz_case(rng: Random) -> Case:
    pick = rng.integers
    dtype, element = [("i8", 1), ("half", 2), ("f32", 4)][pick(3)]
    places = [at("L1", 32 * int(pick(8))), at("GM", element * int(pick(64)))]
    record = made(
        "nd2nz", dtype, dst=places[0], src=places[1], nd_num=int(pick(3)), n_value=int(pick(20)), d_value=int(pick(60)),
        src_d_value=int(pick(60, 80)), dst_c0_stride=int(pick(16, 40)), dst_n_stride=int(pick(1, 3)), src_nd_stride=int(pick(2000)),
        dst_nd_stride=32 * int(pick(300)),
    )  # fmt: skip
    return Case(record, places, {"L1": 128 << 10, "GM": GM_BYTES})


def load_2d_case(rng: Random) -> Case:
    pick = rng.integers
    descending = rng.random() < 0.3
    to, source = ("L1", "GM") if descending else (["L0A", "L0B"][pick(2)], ["L1", "GM"][pick(2)])
    places = [at(to, 512 * int(pick(4))), at(source, 512 * int(pick(4)))]
    record = made(
        "load_2d", "half", pipe=3, dst=places[0], src=places[1], start_index=int(pick(20 if descending else 6)), src_stride=int(pick(5)),
        dst_gap=int(pick(3)), repeat=int(pick(8)), transpose=int(pick(2)), address_mode=int(descending),
    )  # fmt: skip
    return Case(record, places, {"L1": 64 << 10, "GM": GM_BYTES, "L0A": 64 << 10, "L0B": 64 << 10})


def fill_case(rng: Random) -> Case:
    pick = rng.integers
    memory, unit = [("L1", 32), ("L0A", 512), ("L0B", 512)][pick(3)]
    element, dtype = [(2, "half"), (4, "f32")][pick(2)]
    places = [at(memory, unit * int(pick(4)))]
    values = {"value": int(pick(2**16)), "repeat": int(pick(5)), "blocks": int(pick(5)), "dst_gap": int(pick(4))}
    record = made("fill", dtype, dst=places[0], element=element, **values)
    return Case(record, places, {"L1": 64 << 10, "L0A": 64 << 10, "L0B": 64 << 10})


def mmad_case(rng: Random) -> Case:
    pick = rng.integers
    dtype2, dtype = [("half", "f32"), ("bf16", "f32"), ("f32", "f32"), ("i8", "i32"), ("i4", "i32")][pick(5)]
    places = [at("L0C", 1024 * int(pick(3))), at("L0A", 512 * int(pick(3))), at("L0B", 512 * int(pick(3))), at("BT", 64 * int(pick(3)))]
    has_bias = int(pick(2))
    record = made(
        "mmad", dtype, dtype2, 2, dst=places[0], a=places[1], b=places[2], bias=places[3], m=int([1, pick(50)][pick(2)]), n=int(pick(50)),
        k=int(pick(70)), init=int(pick(2)), has_bias=has_bias, k_align=int(pick(2)),
    )  # fmt: skip
    return Case(record, places, {"L0A": 64 << 10, "L0B": 64 << 10, "L0C": 128 << 10, "BT": 1 << 10})


def mmad_sparse_case(rng: Random) -> Case:
    pick = rng.integers
    places = [at("L0C", 1024 * int(pick(3))), at("L0A", 512 * int(pick(3))), at("L0B", 512 * int(pick(3)))]
    record = made(
        "mmad_sparse", "i32", "i8", 2, dst=places[0], a=places[1], b=places[2], m=int(pick(40)), n=int(pick(40)), k=4 * int(pick(30)),
        init=int(pick(2)),
    )  # fmt: skip
    return Case(record, places, {"L0A": 64 << 10, "L0B": 64 << 10, "L0C": 128 << 10})


def load_3d_case(rng: Random) -> Case:
    pick = rng.integers
    dtype, c0 = [("i8", 32), ("half", 16), ("f32", 8)][pick(3)]
    to = "L0A" if dtype == "i8" else ["L0A", "L0B"][pick(2)]
    places = [at(to, 512 * int(pick(4))), at("L1", 32 * int(pick(8)))]
    filter_h, filter_w, c1 = int(pick(1, 4)), int(pick(1, 4)), int(pick(1, 4))
    blocks = c1 * filter_h * filter_w
    block = int(pick(blocks))
    record = made(
        "load_3d", dtype, pipe=3, dst=places[0], src=places[1], pad_value=int(pick(200)), height=int(pick(10)), width=int(pick(1, 12)),
        pad_left=int(pick(3)), pad_right=int(pick(3)), pad_top=int(pick(3)), pad_bottom=int(pick(3)), repeat_stride=int(pick(3)),
        repeat_time=int(pick(3)), repeat_mode=int(pick(2)), channels=c1 * c0, k_extension=c0 * int(pick(1, blocks - block + 1)),
        m_extension=int(pick(60)), k_start=block * c0, m_start=int(pick(30)), filter_w=filter_w, filter_h=filter_h,
        stride_w=int(pick(1, 4)), stride_h=int(pick(1, 4)), dilation_w=int(pick(1, 3)), dilation_h=int(pick(1, 3)),
        transpose=int(dtype != "i8" and pick(2)),
    )  # fmt: skip
    return Case(record, places, {"L1": 64 << 10, "L0A": 64 << 10, "L0B": 64 << 10})


def load_transpose_case(rng: Random) -> Case:
    pick = rng.integers
    dtype = ["i4", "i8", "half", "f32"][pick(4)]
    places = [at("L0B" if dtype == "i4" else ["L0A", "L0B"][pick(2)], 512 * int(pick(4))), at("L1", 32 * int(pick(8)))]
    record = made(
        "load_transpose", dtype, pipe=3, dst=places[0], src=places[1], start_index=int(pick(9)), src_stride=int(pick(4)),
        dst_gap=int(pick(8)), dst_frac_gap=int(pick(8)), repeat=int(pick(5)), descending=int(pick(2)),
    )  # fmt: skip
    return Case(record, places, {"L1": 64 << 10, "L0A": 64 << 10, "L0B": 64 << 10})


def load_sparse_case(rng: Random) -> Case:
    pick = rng.integers
    places = [at("L0B", 512 * int(pick(4))), at("L1", 512 * int(pick(4))), at("L1", 32 << 10)]
    record = made("load_sparse", "i8", pipe=3, dst=places[0], src=places[1], index=places[2], start_index=int(pick(6)), repeat=int(pick(8)))
    return Case(record, places, {"L1": 64 << 10, "L0B": 64 << 10})


def fixpipe_case(rng: Random) -> Case:
    pick = rng.integers
    layout, quant, dtype, dtype2 = [
        (0, 0, "f32", "f32"), (0, 1, "half", "f32"), (1, 0, "f32", "f32"), (1, 1, "half", "f32"), (0, 4, "half", "i32"),
        (0, 5, "half", "i32"), (0, 2, "i8", "i32"), (1, 2, "u8", "i32"), (1, 3, "i8", "i32"), (0, 23, "i8", "f32"), (1, 24, "u8", "f32"),
    ][pick(11)]  # fmt: skip
    to = "L1" if layout and pick(2) else "GM"
    split = int(layout == 1 and dtype == "f32" and to == "GM" and pick(2))
    places = [at(to, 32 * int(pick(8))), at("L0C", 1024 * int(pick(3))), at("FB", 0)]
    m = int(pick(40))
    record = made(
        "fixpipe", dtype, dtype2, 6, dst=places[0], src=places[1], quant=places[2], deq_scalar=0x3F800000, dst_stride=int(pick(40, 160)),
        n=int(16 * pick(4) if layout else pick(50)), m=m, src_stride=-(-max(m, 1) // 16) * 16, nd_num=int(pick(1, 3)),
        src_nd_stride=int(pick(12, 20)), dst_nd_stride=int(pick(8000, 9000)), quant_mode=quant, layout=layout, channel_split=split,
        atomic=int(pick(3)) if to == "GM" and dtype != "u8" else 0,
    )  # fmt: skip
    return Case(record, places, {"L1": 128 << 10, "GM": 256 << 10, "L0C": 128 << 10, "FB": 2 << 10})


CASES: dict[str, Callable[[Random], Case]] = {
    "copy": copy_case, "nd2nz": nd2nz_case, "load_2d": load_2d_case, "fill": fill_case, "mmad": mmad_case, "fixpipe": fixpipe_case,
    "mmad_sparse": mmad_sparse_case, "load_3d": load_3d_case, "load_transpose": load_transpose_case, "load_sparse": load_sparse_case,
}  # fmt: skip


def memory_of(case: Case, operand: int) -> str:
    return MEMORY_NAMES[case.places[operand].memory]


def touched(case: Case, roles: str, only: int | None = None) -> dict[str, np.ndarray]:
    """One truth value a byte of every memory."""
    found = {name: np.zeros(size, bool) for name, size in case.sizes.items()}
    for operand, role, begin, length, count, stride in _engine.ranges(bytes(case.record)):
        if role in roles and only in (None, operand):
            for row in range(count):
                found[memory_of(case, operand)][begin + row * stride : begin + row * stride + length] = True
    return found


def run(case: Case, memories: dict[str, np.ndarray], cmp_mask: bytes = bytes(range(16))) -> dict[str, Any] | None:
    given = {name: memory.tobytes() for name, memory in memories.items()}
    positions = {"POSITIONS": bytes(i * 37 % 256 for i in range(16 << 10))} if case.core == "AIC" else {}  # of sparse weights
    result = _engine.execute(bytes(case.record), given | {"CMPMASK": cmp_mask} | positions, case.core)
    return None if "fault" in result else result


def turned(memories: dict[str, np.ndarray], where: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    return {name: np.where(where[name], ~memory, memory) for name, memory in memories.items()}


def registers(result: dict[str, Any]) -> tuple[Any, ...]:
    return (result["CMPMASK"], result["REDUCE"], result["COUNTED"], result.get("POSITIONS"))


def random_memory(rng: Random, case: Case) -> dict[str, np.ndarray]:
    """Small numbers of every type: NaN would hide what is read."""
    made = {name: rng.integers(1, 60, size, np.uint8) for name, size in case.sizes.items()}
    if "FB" in made:  # scales, so that results stay between zero and infinity
        made["FB"] = np.full(case.sizes["FB"] // 8, np.array(1e-7, np.float32).view(np.uint32), np.uint64).view(np.uint8).copy()
    for address, content in case.contents.items():
        made["UB"][address : address + content.nbytes] = content.view(np.uint8)
    return made


def check(rng: Random, case: Case) -> set[int] | None:
    """Which operands were seen to matter; None: the engine refuses this record."""
    memories = random_memory(rng, case)
    first = run(case, memories)
    if first is None:
        return None
    read, written = touched(case, "ru"), touched(case, "wu")
    unread = {name: ~bits for name, bits in read.items()}
    other = turned(memories, unread)
    second = run(case, other)
    assert second is not None
    said = _engine.ranges(bytes(case.record))
    for name in case.sizes:
        a, b = (np.frombuffer(result[name], np.uint8) for result in (first, second))
        where = written[name]
        assert np.array_equal(a[where], b[where]), f"{name}: what is written depends on bytes that are not called read: {said}"
        assert np.array_equal(a[~where], memories[name][~where]), f"{name}: bytes change that are not called written: {said}"
        assert np.array_equal(b[~where], other[name][~where]), f"{name}: bytes change that are not called written: {said}"
    assert registers(first) == registers(second), said
    return operands_that_matter(rng, case, memories, first)


def operands_that_matter(rng: Random, case: Case, memories: dict[str, np.ndarray], first: dict[str, Any]) -> set[int]:
    """One byte of each operand that is read, or all of them, turned over: does the result differ?"""
    matter: set[int] = set()
    for operand in {row[0] for row in _engine.ranges(bytes(case.record)) if row[1] in "ru"}:
        where = touched(case, "ru", operand)
        name = memory_of(case, operand)
        if rng.random() < 0.5:
            only = rng.choice(np.flatnonzero(where[name]))
            where[name][:] = False
            where[name][only] = True
        changed = turned(memories, where)
        again = run(case, changed)
        if again is None:  # offsets that lead elsewhere
            assert case.contents
            matter.add(operand)
            continue
        written = touched(case, "wu")
        differs = any(
            not np.array_equal(np.frombuffer(first[each], np.uint8)[bits], np.frombuffer(again[each], np.uint8)[bits])
            for each, bits in written.items()
        )
        if differs or registers(first) != registers(again):
            matter.add(operand)
    return matter


def draw_of(name: str) -> Callable[[Random], Case]:
    return (CASES | REARRANGING).get(name, lambda rng: vector_case(rng, name))


def many(name: str, samples: int) -> None:
    rng = np.random.default_rng([NUMBERS[name], 7])
    draw = draw_of(name)
    checked, matter, tries = 0, set[int](), 0
    while checked < samples:
        tries += 1
        assert tries < 400 * samples, f"{name}: hardly any record is accepted"
        found = check(rng, draw(rng))
        if found is not None:
            checked += 1
            matter |= found
    reads = {index for index, (role, _) in enumerate(ROWS[name].operands) if role in "ru"}
    assert reads <= matter, f"{name}: operands {reads - matter} are called read, and no byte of theirs ever mattered"


@pytest.mark.parametrize("name", VECTOR + OTHERS)
@pytest.mark.requirement("ord-14")
def test_ranges_are_the_bytes_an_instruction_touches(name: str) -> None:
    many(name, SAMPLES)


@pytest.mark.slow
@pytest.mark.parametrize("name", VECTOR + OTHERS)
def test_ranges_are_the_bytes_an_instruction_touches_over_a_thousand_records(name: str) -> None:
    many(name, MANY)


@pytest.mark.parametrize("name", VECTOR)
def test_registers_that_matter_or_change_are_those_of_the_row(name: str) -> None:
    row, rng, seen, done = ROWS[name], np.random.default_rng([NUMBERS[name], 8]), set[str](), 0
    before = bytes(range(16)), bytes(255 - i for i in range(16))  # the compare-mask register, and turned over
    for _ in range(40 * SAMPLES):
        case = draw_of(name)(rng)
        memories = random_memory(rng, case)
        results = [run(case, memories, mask) for mask in before]
        if None in results:
            continue
        counted = [r["COUNTED"] for r in results if r is not None]
        (masks, sums, rest) = zip(*((r.pop("CMPMASK"), r.pop("REDUCE"), r) for r in results if r is not None), strict=True)
        seen |= {"r:CMP_MASK"} if rest[0] != rest[1] or (masks != before and masks[0] != masks[1]) else set()
        seen |= {"w:CMP_MASK"} if masks != before else set()
        seen |= {"w:SUM"} if sums[0][0] else set()
        seen |= {"w:EXTREME"} if any(sums[0][1:]) else set()
        seen |= {"w:GATHERED"} if counted[0][0] else set()
        seen |= {"w:MERGED"} if counted[0][1] else set()
        done += 1
        if done == SAMPLES:
            break
    assert seen == {*(f"r:{register}" for register in row.reads), *(f"w:{register}" for register in row.leaves)}


def test_every_instruction_that_handles_data_is_drawn_here() -> None:
    drawn = {*VECTOR, *OTHERS, "hccl_commit"}  # what a commit moves is compared in tests/ranks
    assert {name for name, row in ROWS.items() if row.kind in ("vector", "move", "cube")} == drawn


def test_a_commit_is_the_rows_of_its_buffers() -> None:
    class Rows(ctypes.Structure):
        _fields_ = [("addr", ctypes.c_uint64), ("length", ctypes.c_uint64), ("stride", ctypes.c_int64), ("count", ctypes.c_uint64)]

    class Task(ctypes.Structure):
        _fields_ = [("head", CubeHead), ("recv", type(at("GM"))), ("send", type(at("GM"))), ("recv_rows", Rows), ("send_rows", Rows),
                    ("rest", ctypes.c_uint64 * 8)]  # fmt: skip

    record = Task(recv_rows=Rows(4096, 64, 256, 3), send_rows=Rows(8192, 64, 64, 1))
    record.head = CubeHead(NUMBERS["hccl_commit"], 0, 0, ctypes.sizeof(record), 0, 0, 0)
    assert _engine.ranges(bytes(record)) == [(0, "w", 4096, 64, 3, 256), (1, "r", 8192, 64, 1, 64)]


@pytest.mark.parametrize(("name", "role"), [("scalar_load", "r"), ("scalar_store", "w")])
def test_a_scalar_access_is_one_element(name: str, role: str) -> None:
    class Access(ctypes.Structure):
        _fields_ = [("head", CubeHead), ("at", type(at("UB"))), ("value", ctypes.c_uint64), ("way", ctypes.c_uint64)]

    record = Access(at=at("UB", 96))
    record.head = CubeHead(NUMBERS[name], 0, CUBE_DTYPES["f32"], ctypes.sizeof(record), 0, 0, 0)
    assert _engine.ranges(bytes(record)) == [(0, role, 96, 4, 1, 4)]


class ScalarAccess(ctypes.Structure):
    _fields_ = [("head", CubeHead), ("at", type(at("UB"))), ("value", ctypes.c_uint64), ("way", ctypes.c_uint64)]


@pytest.mark.parametrize(("addr", "bytes_left"), [(0, 64), (64, 64), (0x20, 32), (0x7F, 1)])
def test_a_cleaned_line_goes_from_the_address_to_its_end(addr: int, bytes_left: int) -> None:
    record = ScalarAccess(at=at("GM", addr))
    record.head = CubeHead(NUMBERS["dcci"], 0, CUBE_DTYPES["f32"], ctypes.sizeof(record), 0, 0, 0)
    assert _engine.ranges(bytes(record)) == [(0, "-", addr, bytes_left, 1, bytes_left)]
    record.value = 1  # the whole data cache
    assert _engine.ranges(bytes(record)) == [(0, "-", 0, 1 << 48, 1, 1 << 48)]


def test_a_scalar_barrier_touches_nothing() -> None:
    record = ScalarAccess(value=1)
    record.head = CubeHead(NUMBERS["dsb"], 0, 0, ctypes.sizeof(record), 0, 0, 0)
    assert _engine.ranges(bytes(record)) == []


@pytest.mark.parametrize(("name", "step"), [("group_arrive", 512), ("group_wait", 512)])
def test_a_group_barrier_has_a_word_of_every_waiting_core(name: str, step: int) -> None:
    class GmSync(ctypes.Structure):
        _fields_ = [("head", CubeHead), ("gm", type(at("GM"))), *((field, ctypes.c_int32) for field in ("used", "index", "waiting", "_"))]

    record = GmSync(gm=at("GM", 4096), used=2, index=0, waiting=3)
    record.head = CubeHead(NUMBERS[name], 0, 0, ctypes.sizeof(record), 0, 0, 0)
    assert _engine.ranges(bytes(record)) == [(0, "u", 4096, 4, 3, step)]


# --- bounds: what a tensor has to hold is what is touched

# L0 holds whole ones, also where the last is used in part
WHOLE_FRACTALS = [
    *((name, operand) for name in ("mmad", "mmad_sparse") for operand in (0, 1, 2)), ("fixpipe", 1), ("load_3d", 0),
]  # fmt: skip


def bounded(case: Case, operand: int, size: int) -> str | None:
    """Kind of the fault when that operand's tensor has `size` bytes."""
    kept = case.places[operand].size
    field = operand_fields(case)[operand]
    field.size = size
    memories = {name: bytearray(length) for name, length in case.sizes.items()}
    for address, content in case.contents.items():
        memories["UB"][address : address + content.nbytes] = content.tobytes()
    given = {name: bytes(memory) for name, memory in memories.items()}
    result = _engine.execute(bytes(case.record), given | {"CMPMASK": bytes(16)}, case.core)
    field.size = kept
    fault = result.get("fault")
    return fault and str(fault.kind.name)


def operand_fields(case: Case) -> list[Any]:
    """The Places inside the record, which were copied there."""
    record = case.record
    if hasattr(record, "suspends"):
        return [record.vector.dst, record.vector.a, record.vector.b, record.c, record.d]
    if hasattr(record, "vector") and not hasattr(record, "mask"):
        return [record.vector.dst, record.vector.a]
    if hasattr(record, "vector"):
        return [record.vector.dst, record.vector.a, record.vector.b, record.mask]
    names = [name for name, kind in record._fields_ if kind is type(case.places[0])]
    return [getattr(record, name) for name in names]


@pytest.mark.parametrize("name", VECTOR + OTHERS)
def test_a_tensor_as_long_as_what_is_touched_is_enough_and_a_byte_less_is_refused(name: str) -> None:
    rng = np.random.default_rng([NUMBERS[name], 11])
    draw = draw_of(name)
    checked = tries = 0
    while checked < 20 and tries < 8000:
        tries += 1
        case = draw(rng)
        if run(case, random_memory(rng, case)) is None:
            continue
        ends: dict[int, int] = {}
        for operand, role, begin, length, count, stride in _engine.ranges(bytes(case.record)):
            if role == "s":
                continue  # a chip computes there; we need no room
            ends[operand] = max(ends.get(operand, 0), begin + (count - 1) * stride + length)
        for operand, end in ends.items():
            if (name, operand) in BY_DATA:
                checked += 1
                continue
            needed = end - operand_fields(case)[operand].addr
            checked += 1
            said = _engine.ranges(bytes(case.record)), operand, needed
            assert bounded(case, operand, needed - 1) == "out_of_bounds" or needed == 1, said
            if (name, operand) not in WHOLE_FRACTALS:
                assert bounded(case, operand, needed) is None, said
    assert checked >= 20


def scratch_of(name: str, dtype: str, *, mode: int = 0, room: int = REGION, **values: int) -> list[tuple[int, int]]:
    v = vector_core.Vector(dst=vector_core.place(0, REGION), a=vector_core.place(REGION, REGION), b=vector_core.place(2 * REGION, room))
    number = vector_core.DTYPES.index(dtype)
    v.head = vector_core.Head(op=NUMBERS[name], pipe=1, dtype=number, dtype2=number, size=ctypes.sizeof(v))
    v.a_stride = vector_core.Stride(1, 8)
    v.mask, v.mode = (ctypes.c_uint64 * 2)(*vector_core.mask_bits(None)), mode
    for field, value in values.items():
        setattr(v, field, value)
    record: Any = v if name != "vsel" else vector_core.Select(vector=v, mask=vector_core.place(3 * REGION, REGION), has_mask=1)
    return [(begin, begin + length) for _, role, begin, length, _, _ in _engine.ranges(bytes(record)) if role == "s"]


# One result for each repeat of 256 bytes; of an extreme its index too. To find the index of the whole, a further round for as long as it
# leaves more than one: each from a whole block on. From the pages of ReduceSum and ReduceMax, which say how large the work space has to be.
@pytest.mark.parametrize(
    ("name", "dtype", "mode", "values", "expected"),
    [
        ("reduce_sum", "f32", 0, {"counted": 1, "count": 512}, [(0, 8 * 4)]),
        ("reduce_sum", "f32", 0, {"counted": 1, "count": 40}, [(0, 4)]),
        ("reduce_sum", "half", 0, {"counted": 1, "count": 288}, [(0, 2 * 2)]),
        ("reduce_sum", "half", 0, {"repeat": 65}, [(0, 65 * 2)]),
        ("reduce_max", "f32", 0, {"counted": 1, "count": 512}, [(0, 8 * 2 * 4)]),
        ("reduce_min", "half", 0, {"repeat": 65}, [(0, 65 * 2 * 2)]),
        ("reduce_max", "half", 1, {"repeat": 65}, [(0, 260), (288, 288 + 2 * 2 * 2)]),
        ("reduce_max", "f32", 1, {"counted": 1, "count": 64}, [(0, 8)]),
    ],
)
def test_the_work_space_of_a_reduction_is_as_large_as_documented(
    name: str, dtype: str, mode: int, values: dict[str, int], expected: list[tuple[int, int]]
) -> None:
    found = scratch_of(name, dtype, mode=mode, **values)
    assert found == [(2 * REGION + begin, 2 * REGION + end) for begin, end in expected]


def test_a_work_space_ends_with_its_tensor_and_nothing_is_reduced_without_any() -> None:
    assert scratch_of("reduce_sum", "f32", room=16, counted=1, count=512) == [(2 * REGION, 2 * REGION + 16)]
    assert scratch_of("reduce_sum", "f32", room=0, counted=1, count=512) == []
    assert scratch_of("reduce_sum", "f32", counted=1, count=0) == []


def test_select_by_a_continuous_mask_uses_the_room_that_the_system_keeps() -> None:
    reserved = [(184 << 10, 192 << 10)]
    assert [scratch_of("vsel", "f32", mode=mode, counted=1, count=64) for mode in (0, 1, 2)] == [[], reserved, reserved]
