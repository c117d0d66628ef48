# SPDX-License-Identifier: Apache-2.0
"""stream-fusion=1: cube and vector kernels of two streams, ordered by edges."""

from __future__ import annotations

import random

import numpy as np
import pytest
from chains import KERNELS, Link, in_numpy, start

from aclimb import Buffer, Kernel, KernelBinary, LaunchConfig, Program, Stream, errors, launch
from aclimb.fuse import Member, fuse, plan_of
from aclimb.fuse.events import Events
from aclimb.fuse.two_streams import Edge, directions, without_needless
from aclimb.runtime.fused_runs import ScheduleMode


@pytest.fixture(scope="module")
def binary() -> KernelBinary:
    return Program(KERNELS / "chain.cpp").compile()


@pytest.mark.requirement("sk-21")
def test_directions_of_edges() -> None:
    found = {a + b: directions(a, b) for a in "CVM" for b in "CVM"}  # type: ignore[arg-type]
    assert found["CC"] == ("cub:cub",)
    assert found["VV"] == ("vec:vec",)
    assert found["CV"] == found["CM"] == found["MV"] == ("cub:vec",)
    assert found["VC"] == found["VM"] == found["MC"] == ("vec:cub",)
    assert found["MM"] == ("cub:vec", "vec:cub")


@pytest.mark.requirement("sk-21")
def test_needless_edges_are_dropped() -> None:
    crossed = [Edge(1, 4, "cub:vec"), Edge(3, 2, "cub:vec")]
    assert without_needless(crossed) == [Edge(3, 2, "cub:vec")]
    sends = [Edge(0, 1, "vec:cub"), Edge(0, 2, "vec:cub"), Edge(1, 3, "cub:vec"), Edge(2, 3, "cub:vec")]
    assert without_needless(sends) == [Edge(0, 1, "vec:cub"), Edge(2, 3, "cub:vec")]
    assert without_needless([Edge(1, 2, "cub:vec"), Edge(1, 2, "vec:cub")]) == [Edge(1, 2, "cub:vec"), Edge(1, 2, "vec:cub")]


@pytest.mark.requirement("sk-21")
def test_inner_events_need_two_streams(binary: KernelBinary) -> None:
    members = [Member(binary, 1, "c", stream=0, sends=(100, 101)), Member(binary, 1, "v", stream=1, receives=(101, 102))]
    with pytest.raises(errors.FuseError, match="v_0 waits for event 101, which c_1 sends behind it"):
        fuse([members[1], members[0]])
    found = Events.of([*members, Member(binary, 1, "v", stream=1)], ["c_0", "v_1", "v_2"])
    assert (found.inner, found.sends[0], found.receives[1]) == (((101, 0, 1),), (100,), (102,))


@pytest.mark.requirement("sk-21")
def test_two_streams_without_an_event_need_the_option(binary: KernelBinary) -> None:
    members = [Member(binary, 2, "c_set", stream=0), Member(binary, 2, "v_wait", stream=1), Member(binary, 2, "c", stream=0)]
    with pytest.raises(errors.FuseError, match="c_set_0 is on stream 0 and v_wait_1 on stream 1, and no event orders them"):
        fuse(members)
    plan = plan_of(fuse(members, "stream-fusion=1"))
    assert plan.two_streams
    assert not any(sub.sets or sub.waits for sub in plan.subs)
    assert [s.sub for s in plan.aic if s.kind == "call"] == [0, 2]
    assert [s.sub for s in plan.aiv if s.kind == "call"] == [1]
    assert not [s for s in plan.aiv if s.kind == "wait" and s.flag == 13]  # nothing orders the vector kernel behind the cube kernel


@pytest.mark.requirement("sk-21", "sk-12")
@pytest.mark.parametrize("seed", range(40))
def test_random_chains_on_two_streams_keep_every_order_that_events_ask_for(seed: int, binary: KernelBinary, stream: Stream) -> None:
    """Stream 0 hands results to stream 1 and waits until they were used."""
    rng = random.Random(seed)
    chain = _handed_over(rng)
    expected = in_numpy([link for link, _, _, _ in chain])
    fused_members = [Member(binary, link.blocks, link.kernel, stream=on, sends=out, receives=into) for link, on, out, into in chain]
    kernel = Kernel(fuse(fused_members, "stream-fusion=1"))
    late, early, random_order = ScheduleMode
    for mode, sown in ((None, 0), (late, 0), (early, 0), (random_order, seed + 2), (random_order, seed + 77)):
        stream.native.set_schedule(mode, sown)
        for got, wanted in zip(_run(chain, kernel, stream), expected, strict=True):
            np.testing.assert_array_equal(got, wanted)


def _handed_over(rng: random.Random) -> list[tuple[Link, int, tuple[int, ...], tuple[int, ...]]]:
    """Stream 0 fills buffer 1 from buffer 0, stream 1 buffer 2 from buffer 1, ordered both ways by events."""
    chain: list[tuple[Link, int, tuple[int, ...], tuple[int, ...]]] = []
    rounds = rng.randint(1, 3)
    for index in range(rounds):
        first = Link(rng.choice(["c", "m1", "m2"]), rng.randint(1, 5), 0, 1, rng.randrange(9), rng.randrange(4))
        second = Link(rng.choice(["v", "v_both"]), rng.randint(1, 8), 1, 2, rng.randrange(9), rng.randrange(4))
        chain.append((first, 0, (2 * index,), (2 * index - 1,) if index else ()))
        chain.append((second, 1, (2 * index + 1,) if index + 1 < rounds else (), (2 * index,)))
    free = Link("v", 2, 2, 2, 0, 0)  # without an order against stream 0, and without effect
    chain.append((free, 1, (), ()))
    chain.append((Link("c", 1, 0, 0, 0, 0), 0, (), ()))
    return chain


def _run(chain: list[tuple[Link, int, tuple[int, ...], tuple[int, ...]]], kernel: Kernel, stream: Stream) -> list[np.ndarray]:
    buffers = [Buffer.from_array(each) for each in start()]
    arguments = []
    for link, _, out, into in chain:
        arguments += [*link.arguments(buffers), *[None] * (len(out) + len(into))]  # locks of inner events are not used
    launch(stream, LaunchConfig(plan_of(kernel.binary).num_blocks), kernel, *arguments)
    stream.synchronize()
    return [each.to_numpy() for each in buffers]
