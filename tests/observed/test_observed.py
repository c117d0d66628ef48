# SPDX-License-Identifier: Apache-2.0
"""Launches that somebody looks at closely run a second image of the kernel, which tells of plain loads and stores."""

from __future__ import annotations

import logging
import shutil
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from aclimb import Buffer, Kernel, KernelBinary, LaunchConfig, Program, Stream, launch
from aclimb.binary.source_lines import user_frame
from aclimb.compile.cache import open_cache
from aclimb.errors import AddressFault
from aclimb.fuse import Member, fuse, record
from aclimb.runtime import observed
from aclimb.runtime.observed import ScalarRecord

SOURCE = Path(__file__).with_name("raw.cpp")
ONE = LaunchConfig(num_blocks=1)
COMPILERS = [pytest.param("g++", marks=[] if shutil.which("g++") else pytest.mark.skip(reason="g++ is not installed")),
             pytest.param("zig", marks=pytest.mark.slow)]  # fmt: skip


@cache
def built(compiler: str) -> KernelBinary:
    return Program(SOURCE).compile()


@pytest.fixture(params=COMPILERS)
def binary(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> KernelBinary:
    monkeypatch.setenv("ACLIMB_CXX", request.param)
    return built(request.param)


@pytest.fixture
def plain() -> KernelBinary:
    return built("")


def logged(kernel: Kernel, *args: Any, config: LaunchConfig = ONE) -> tuple[list[ScalarRecord], int]:
    stream = Stream()
    with observed.scalar_log(stream) as result:
        launch(stream, config, kernel, *args)
        stream.synchronize()
    return result()


def line_of(comment: str) -> int:
    return next(i for i, line in enumerate(SOURCE.read_text().splitlines(), 1) if line.endswith(f"// {comment}"))


def place(record: ScalarRecord) -> tuple[str, int]:
    assert record.image is not None
    found = user_frame(record.image, record.offset)
    assert found is not None
    return found.file, found.line


def raw(records: list[ScalarRecord], base: int = 0) -> list[tuple[str, str, int, int, int]]:
    """(load or store, memory, address, bytes, line) of plain accesses."""
    found = [each for each in records if each.way == "raw"]
    assert all(place(each)[0] == str(SOURCE) for each in found)
    return [(each.instruction.removeprefix("raw_"), each.memory, each.address - base, each.size_bytes, place(each)[1]) for each in found]


# --- what is seen


@pytest.mark.requirement("ord-28")
def test_a_loop_of_plain_loads_and_a_store_are_seen_at_their_lines(binary: KernelBinary) -> None:
    x, y = Buffer.from_array(np.arange(5, dtype=np.int32)), Buffer(2, "int32")
    records, _ = logged(Kernel(binary, "sum_up"), x, y, 5)
    loads = [("load", "GM", x.address + 4 * i, 4, line_of("load")) for i in range(5)]
    assert raw(records) == [*loads, ("store", "GM", y.address + 4, 4, line_of("store"))]
    assert y.to_numpy()[1] == 10


def test_every_size_is_seen_as_it_is(binary: KernelBinary) -> None:
    x, y = Buffer.from_array(np.arange(2048, dtype=np.uint8)), Buffer(2048, "uint8")
    records, _ = logged(Kernel(binary, "sizes"), x, y)
    seen = raw(records)
    assert [row for row in seen if row[4] == line_of("one")] == [
        ("load", "GM", x.address + 3, 1, line_of("one")), ("store", "GM", y.address, 1, line_of("one"))]  # fmt: skip
    assert ("store", "GM", y.address + 2, 2, line_of("two")) in seen
    assert ("store", "GM", y.address + 8, 8, line_of("eight")) in seen
    for comment, kind, begin, end in [
        ("struct", "load", x.address + 64, x.address + 120), ("struct", "store", y.address + 64, y.address + 120),
        ("fill", "store", y.address + 256, y.address + 356), ("copy", "load", x.address + 512, x.address + 552),
        ("copy", "store", y.address + 512, y.address + 552), ("half", "load", x.address + 1024, x.address + 1026),
        ("half", "store", y.address + 1024, y.address + 1026),
    ]:  # fmt: skip
        rows = [row for row in seen if row[0] == kind and row[4] == line_of(comment)]
        assert covered(rows) == (begin, end), comment
    expected = np.zeros(2048, np.uint8)
    expected[0], expected[2], expected[8:16] = 3, 4, np.frombuffer(np.float64(5).tobytes(), np.uint8)
    assert y.to_numpy()[:16].tolist() == expected[:16].tolist()
    assert y.to_numpy()[256:356].tolist() == [7] * 100


def covered(rows: list[tuple[str, str, int, int, int]]) -> tuple[int, int]:
    """What pieces without gaps cover together."""
    pieces = sorted({(address, address + size) for _, _, address, size, _ in rows})
    assert pieces
    assert all(begin <= last for (_, last), (begin, _) in pairwise(pieces))
    return pieces[0][0], max(end for _, end in pieces)


def test_calls_keep_their_records_and_tiling_data_are_loads(binary: KernelBinary) -> None:
    y = Buffer(64, "float32")
    tiling = Buffer.from_array(np.frombuffer(np.array([64, 4], np.int32).tobytes() + bytes(48), np.uint8))
    records, _ = logged(Kernel(binary, "with_tiling"), y, tiling)
    assert {row[0] for row in raw(records)} == {"load"}
    assert all(tiling.address <= row[2] < tiling.address + 56 for row in raw(records))
    assert [each.instruction for each in records].count("scalar_store") == 16


def test_the_kernels_own_variables_are_not_memory_of_the_device(binary: KernelBinary) -> None:
    y = Buffer(1, "int32")
    records, _ = logged(Kernel(binary, "own_memory"), y)
    assert raw(records) == [("store", "GM", y.address, 4, line_of("only"))]


def test_variables_computed_when_the_image_is_mapped_have_their_values(binary: KernelBinary) -> None:
    y = Buffer(1, "int32")
    records, _ = logged(Kernel(binary, "initialised"), y)
    assert [row[0] for row in raw(records)] == ["store"]
    assert y.to_numpy()[0] == 42


@pytest.mark.requirement("ord-28")
def test_a_pointer_into_ub_is_told_of_before_it_is_refused(binary: KernelBinary) -> None:
    stream = Stream()
    with observed.scalar_log(stream) as result:
        launch(stream, ONE, Kernel(binary, "into_ub"), Buffer(1, "float32"))
        with pytest.raises(AddressFault) as caught:
            stream.synchronize()
    assert raw(result()[0]) == [("load", "UB", 80, 4, line_of("ub"))]
    assert (caught.value.file, caught.value.line) == (str(SOURCE), line_of("ub"))


def test_registers_of_reductions_are_read_by_records(plain: KernelBinary) -> None:
    y = Buffer(3, "float32")
    records, _ = logged(Kernel(plain, "registers"), y)
    read = [(each.instruction, place(each)[1]) for each in records if each.instruction.endswith("_result")]
    assert read == [("sum_result", line_of("sum")), ("extreme_result", line_of("extreme"))]
    value, index = y.to_numpy()[1:].tolist()
    assert (y.to_numpy()[0], value, np.float32(index).view(np.uint32)) == (192.0, 3.0, 0)


# --- how much is computed


@pytest.mark.parametrize("count", [10, 1000])
def test_work_is_counted_by_what_the_loop_contains(binary: KernelBinary, count: int) -> None:
    """Multiply, add, test, one of two branches with one or two operations, count, compare: 7 to 9 a round."""
    y = Buffer(1, "int32")
    kernel = Kernel(binary, "loop")
    _, work = logged(kernel, y, count)
    assert 6 * count <= work <= 10 * count + 20
    assert logged(kernel, y, count)[1] == work


@pytest.mark.slow
def test_two_compilers_count_the_same_within_five_percent(monkeypatch: pytest.MonkeyPatch) -> None:
    def work(compiler: str, name: str, *args: Any) -> int:
        monkeypatch.setenv("ACLIMB_CXX", compiler)
        return logged(Kernel(built(compiler), name), *args)[1]

    x, y = Buffer.from_array(np.arange(1000, dtype=np.int32)), Buffer(64, "int32")
    for name, args in [("loop", (y, 1000)), ("sum_up", (x, y, 1000)), ("own_memory", (y,))]:
        of_gcc, of_clang = work("g++", name, *args), work("zig", name, *args)
        assert abs(of_gcc - of_clang) <= 0.05 * of_gcc, (name, of_gcc, of_clang)


# --- when it runs


def test_a_launch_nobody_looks_at_runs_the_plain_image(plain: KernelBinary) -> None:
    """Each image has its own variables, and so its own count."""
    kernel, y, stream = Kernel(plain, "count_calls"), Buffer(1, "int32"), Stream()

    def count() -> int:
        launch(stream, ONE, kernel, y)
        stream.synchronize()
        return int(y.to_numpy()[0])

    assert [count(), count()] == [1, 2]
    assert not kernel.native(None).has_observed
    with observed.scalar_log(stream):
        assert [count(), count()] == [1, 2]
    assert kernel.native(None).has_observed
    assert count() == 3


def test_the_second_image_is_built_once_and_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ACLIMB_CACHE_DIR", str(tmp_path / "cache"))
    binary = Program(SOURCE).compile()
    objects = open_cache().info().objects
    for _ in range(2):
        assert Kernel(binary, "loop").observed().is_whole
        assert open_cache().info().objects == objects + 2  # the image, and the functions it calls


def test_members_of_a_superkernel_are_seen_too(plain: KernelBinary) -> None:
    x, y, z = Buffer.from_array(np.arange(8, dtype=np.int32)), Buffer(2, "int32"), Buffer(1, "int32")
    kernel = Kernel(fuse([Member(plain, 1, "sum_up"), Member(plain, 1, "loop")]))
    records, work = logged(kernel, x, y, 4, z, 10)
    assert [(each.sub, each.instruction, each.address) for each in records if each.way == "raw"] == [
        *((0, "raw_load", x.address + 4 * i) for i in range(4)), (0, "raw_store", y.address + 4), (1, "raw_store", z.address)]  # fmt: skip
    assert work > 60


def test_accesses_of_a_fused_kernel_have_its_plain_loads(plain: KernelBinary) -> None:
    x, y = Buffer.from_array(np.arange(8, dtype=np.int32)), Buffer(2, "int32")
    kernel = Kernel(fuse([Member(plain, 1, "sum_up")]))
    assert [str(each) for each in record(kernel, x, y, 4)] == [
        "reads sum_up_0.x bytes 0-15 before set", "writes sum_up_0.y bytes 4-7 before set"]  # fmt: skip


# --- when it cannot


def unseen(kernel: Kernel, *args: Any) -> list[str]:
    with observed.collect_unseen() as sentences:
        logged(kernel, *args)
        logged(kernel, *args)
    return sentences


def test_a_binary_without_its_source_says_so_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, plain: KernelBinary) -> None:
    plain.save(tmp_path / "elsewhere.o")
    monkeypatch.setenv("ACLIMB_CACHE_DIR", str(tmp_path / "empty"))
    kernel, y = Kernel(tmp_path / "elsewhere.o", "loop"), Buffer(1, "int32")
    assert unseen(kernel, y, 10) == [
        "raw pointers of elsewhere were not seen: its source is not known here; build it on this machine, and keep the cache"]  # fmt: skip
    assert not kernel.native(None).has_observed


def test_a_saved_binary_is_recognised(tmp_path: Path, plain: KernelBinary) -> None:
    plain.save(tmp_path / "saved.o")
    assert unseen(Kernel(tmp_path / "saved.o", "loop"), Buffer(1, "int32"), 10) == []


def test_a_source_that_was_changed_is_not_taken_for_the_old_one(tmp_path: Path) -> None:
    source = tmp_path / "mine.cpp"
    source.write_text(SOURCE.read_text())
    kernel = Kernel(Program(source).compile(), "loop")
    source.write_text(SOURCE.read_text() + "// one more line\n")
    [sentence] = unseen(kernel, Buffer(1, "int32"), 10)
    assert sentence == f"raw pointers of mine were not seen: {source} was changed, or is gone, since it was built; build it again"


def test_nobody_who_collects_gets_a_warning(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, plain: KernelBinary,
                                            caplog: pytest.LogCaptureFixture) -> None:  # fmt: skip
    monkeypatch.setenv("ACLIMB_CACHE_DIR", str(tmp_path / "empty"))
    plain.save(tmp_path / "stranger.o")
    with caplog.at_level(logging.WARNING, "aclimb"):
        for _ in range(2):
            logged(Kernel(tmp_path / "stranger.o", "loop"), Buffer(1, "int32"), 10)
    assert [each.getMessage().split(":")[0] for each in caplog.records] == ["raw pointers of stranger were not seen"]
