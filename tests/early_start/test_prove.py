# SPDX-License-Identifier: Apache-2.0
"""Early start: proved, refuted or open; and the places that the advisor finds, each proved and one instruction further refuted."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from aclimb import Buffer, Kernel, LaunchConfig, Program
from aclimb.check import advise, prove
from aclimb.check.advisor import SET, _Search
from aclimb.check.proof import checked_run
from aclimb.errors import FuseError, InvalidArgument
from aclimb.fuse import Member, fuse, stress
from aclimb.trace.profiling import Profile

HERE = Path(__file__).parent
NAMES = ("work_behind", "work_first", "two_halves", "through_queues", "own_row")
BLOCKS = 8
HEAD = (HERE / "chains.cpp").read_text()


@pytest.fixture(scope="module")
def members() -> Any:
    return Program(HERE / "chains.cpp").compile()


def rows(blocks: int = BLOCKS) -> Buffer:
    return Buffer.from_array(np.random.default_rng(3).random(256 * blocks, np.float32))


def chain(binary: Any, *names: str) -> tuple[Kernel, list[Buffer]]:
    """Each reads what the one before wrote."""
    buffers = [rows() for _ in range(len(names) + 1)]
    kernel = Kernel(fuse([Member(binary, BLOCKS, name) for name in names]))
    return kernel, [each for i in range(len(names)) for each in (buffers[i], buffers[i + 1])]


def changed(name: str, before: str, after: str) -> Any:
    """One member with a change, in a binary of its own."""
    begin = HEAD.index(f"void {name}(")
    end = HEAD.index("\n}\n", begin)
    body = HEAD[begin:end]
    assert before in body, before
    return Program(HEAD[:begin] + body.replace(before, after) + HEAD[end:], name=f"changed_{name}").compile()


def mixed_chain(first: tuple[Any, str], second: tuple[Any, str]) -> tuple[Kernel, list[Buffer]]:
    buffers = [rows() for _ in range(3)]
    kernel = Kernel(fuse([Member(first[0], BLOCKS, first[1]), Member(second[0], BLOCKS, second[1])]))
    return kernel, [buffers[0], buffers[1], buffers[1], buffers[2]]


@pytest.mark.parametrize("length", range(2, 9))
@pytest.mark.requirement("ord-37", "ord-43")
def test_a_member_behind_itself_is_proved(members: Any, length: int) -> None:
    kernel, args = chain(members, *["work_first"] * length)
    proof = prove(kernel, *args)
    assert proof, str(proof)
    assert str(proof).startswith(f"{kernel.name}: proved for these arguments")


@pytest.mark.parametrize("fillers", [0, 1, 2, 4, 8, 64])
@pytest.mark.requirement("ord-37", "ord-38")
def test_a_set_on_the_wrong_pipe_is_refuted_at_every_distance(members: Any, fillers: int) -> None:
    wrong = Program(
        HEAD.replace("i < 6", f"i < {fillers}").replace("SetNextTaskStart();", "SetNextTaskStart<PIPE_V>();"), name="wrong_pipe"
    ).compile()
    proof = prove(*flat(mixed_chain((wrong, "work_behind"), (members, "work_first"))))
    assert proof.answer == "refuted", str(proof)
    assert "X1" in [each.rule for each in proof.refuted_by]


def flat(made: tuple[Kernel, list[Buffer]]) -> list[Any]:
    return [made[0], *made[1]]


def test_a_set_before_the_copy_is_refuted(members: Any) -> None:
    early = changed("own_row", "    DataCopy(Row(y, GetBlockIdx()).gm, l, N);\n    Adds(w, w, 1.0f, N);\n    SetNextTaskStart();",
                    "    SetNextTaskStart();\n    DataCopy(Row(y, GetBlockIdx()).gm, l, N);")  # fmt: skip
    proof = prove(*flat(mixed_chain((early, "own_row"), (members, "work_first"))))
    assert proof.answer == "refuted"
    assert "X1" in [each.rule for each in proof.refuted_by]


@pytest.mark.parametrize("row", ["Neighbour()", "GetBlockIdx()"], ids=["other_core", "same_core"])
@pytest.mark.requirement("ord-38")
def test_a_wait_behind_the_copy_is_refuted(members: Any, row: str) -> None:
    copy = "DataCopy(l, Row(x, GetBlockIdx()).gm, N);"
    begin = HEAD.index("void own_row(")
    body = HEAD[begin:].replace("    WaitPreTaskEnd();\n", "").replace(copy, f"DataCopy(l, Row(x, {row}).gm, N);\n    WaitPreTaskEnd();")
    source = HEAD[:begin] + body
    late = Program(source, name="late_wait").compile()
    proof = prove(*flat(mixed_chain((members, "work_behind"), (late, "own_row"))))
    assert proof.answer == "refuted"
    assert "X3" in [each.rule for each in proof.refuted_by]


@pytest.mark.requirement("ord-38")
def test_a_write_before_the_wait_is_refuted(members: Any) -> None:
    """It overwrites what the member before still reads."""
    early = Program(
        HEAD + """
extern "C" __global__ __vector__ void clears(GM_ADDR x, GM_ADDR y) {
    BUFFERS;
    LocalTensor<float> t = l[4 * N];
    Duplicate(t, 0.0f, N);
    Order<HardEvent::V_MTE3>();
    DataCopy(Row(x, (GetBlockIdx() + 3) % GetBlockNum()).gm, t, N);
    WaitPreTaskEnd();
    DataCopy(Row(y, GetBlockIdx()).gm, t, N);
    SetNextTaskStart();
}
""", name="clears").compile()  # fmt: skip
    first, second, third = rows(), rows(), rows()
    kernel = Kernel(fuse([Member(members, BLOCKS, "work_behind"), Member(early, BLOCKS, "clears")]))
    proof = prove(kernel, first, second, first, third)
    assert proof.answer == "refuted"
    assert [each.rule for each in proof.refuted_by] == ["X2"]


@pytest.mark.requirement("ord-42")
def test_a_clock_leaves_the_answer_open(members: Any) -> None:
    fill = "    Duplicate(w, 4.0f, N);"
    timed = Program(HEAD.replace(fill, f"    if (GetSystemCycle() == 0) Duplicate(w, 5.0f, N);\n{fill}"), name="timed").compile()
    proof = prove(*flat(mixed_chain((members, "work_behind"), (timed, "own_row"))))
    assert proof.answer == "open", str(proof)
    assert "reads the clock (GetSystemCycle)" in str(proof)


@pytest.mark.requirement("ord-42")
def test_bytes_that_nobody_wrote_leave_the_answer_open(members: Any) -> None:
    lacking = Program(HEAD.replace("    Duplicate(w, 4.0f, N);", ""), name="lacking").compile()
    proof = prove(*flat(mixed_chain((members, "work_behind"), (lacking, "own_row"))))
    assert proof.answer == "open", str(proof)
    assert "uses bytes that nothing wrote" in str(proof)


def test_a_plain_kernel_is_proved_too(members: Any) -> None:
    assert prove(Kernel(members, "two_halves"), rows(), rows(), config=LaunchConfig(num_blocks=BLOCKS))


def test_what_cannot_be_asked_is_a_sentence(members: Any) -> None:
    plain, (fused, args) = Kernel(members, "own_row"), chain(members, "own_row", "own_row")
    with pytest.raises(InvalidArgument, match=r"^own_row is no SuperKernel, which knows its blocks; add config=LaunchConfig"):
        prove(plain, rows(), rows())
    with pytest.raises(InvalidArgument, match=r"is a SuperKernel, which knows its blocks; leave config out$"):
        prove(fused, *args, config=LaunchConfig(num_blocks=8))
    with pytest.raises(FuseError, match=r"^own_row is no SuperKernel; fuse it with its neighbours first$"):
        advise(plain, rows(), rows())


CHAINS = [(a, b) for a, b in product(NAMES, NAMES) if a != b]


@pytest.mark.parametrize("names", CHAINS, ids=["-".join(each) for each in CHAINS])
@pytest.mark.requirement("ord-41")
def test_the_advisors_places_are_proved_and_one_instruction_further_is_refuted(members: Any, names: tuple[str, str]) -> None:
    kernel, args = chain(members, *names)
    with Profile() as profile:
        session, failure = checked_run(kernel, tuple(args), None, None)
    assert failure is None
    search = _Search(kernel, session, profile)
    launch = session.raw.launches[0]
    assert launch.judge([]) == (False, [])
    for member, is_set in ((0, True), (1, False)):
        placed = search._place(member, is_set=is_set)
        assert placed is not None
        stuck, pairs = launch.judge([(unit, member, is_set, to) for unit, to in placed.best.items()])
        assert not stuck
        assert pairs == []
        step = -1 if is_set else 1
        for unit, to in placed.best.items():
            assert launch.judge([(unit, member, is_set, to + step)])[1], f"one further is safe as well on core {unit}"


def test_advice_names_the_lines_and_what_they_save(members: Any) -> None:
    kernel, args = chain(members, "work_behind", "work_first")
    advised = advise(kernel, *args)
    line = {text: number for number, text in enumerate(HEAD.splitlines(), 1)}
    copy = next(number for text, number in line.items() if "DataCopy(Row(y" in text)
    by_call = {(each.name, each.call): each for each in advised.calls}
    early = by_call["work_behind", SET]
    assert early.instruction == "DataCopy"
    assert early.moves >= 7
    assert early.saves_us is not None
    assert early.saves_us >= 0
    assert "chains.cpp" in early.best
    assert copy > 0
    assert "SetNextTaskStart" in str(advised)
    assert early.patch.startswith("--- a/chains.cpp")


def test_a_chain_that_is_refuted_gets_no_advice(members: Any) -> None:
    wrong = Program(HEAD.replace("SetNextTaskStart();", "SetNextTaskStart<PIPE_V>();"), name="wrong_everywhere").compile()
    advised = advise(*flat(chain(wrong, "work_behind", "work_first")))
    assert not advised.calls
    assert str(advised).endswith("mend that first: there is no safe place to start from")


# --- proved is proved


def proved_and_stressed(members: Any, seed: int) -> None:
    random = Random(seed)
    kernel, args = chain(members, *random.choices(NAMES, k=random.randint(2, 5)))
    proof = prove(kernel, *args)
    assert proof, str(proof)
    told = stress(kernel, *args)
    assert told.runs >= 200
    assert not told.differences, str(told.differences[0])


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.requirement("ord-39")
def test_a_proved_chain_computes_the_same_under_every_schedule(members: Any, seed: int) -> None:
    proved_and_stressed(members, seed)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2, 40))
def test_many_proved_chains_compute_the_same_under_every_schedule(members: Any, seed: int) -> None:
    proved_and_stressed(members, seed)
