# SPDX-License-Identifier: Apache-2.0
"""A fused launch is what the separate launches are, bit for bit, for kernels of all sorts in any order; or fusing says why not."""

from __future__ import annotations

import itertools
import random
from typing import Any

import numpy as np
import pytest
from chains import KERNELS

from aclimb import Buffer, Kernel, KernelBinary, LaunchConfig, Program, Stream, errors, launch
from aclimb.flow import KernelType
from aclimb.fuse import Member, fuse, plan_of, stress, super_kernel

SIDE, TENSORS = 16, 4
MOST = {"vector": 48, "cube": 24, "mixed1": 24, "mixed2": 24}
Link = tuple[str, int, tuple[int, int, int], int]  # kernel, blocks, which tensors are x, z and y, shift


@pytest.fixture(scope="module")
def binary() -> KernelBinary:
    return Program(KERNELS / "rows.cpp").compile()


@pytest.fixture(scope="module")
def kernels(binary: KernelBinary) -> dict[str, Kernel]:
    return {name: Kernel(binary, name) for name in binary.kernel_names}


def tensors(rows: int, seed: int) -> list[np.ndarray[Any, Any]]:
    return [np.random.default_rng([seed, i]).standard_normal((rows, SIDE, SIDE)).astype(np.float16) for i in range(TENSORS + 1)]


def arguments(link: Link, buffers: list[Buffer], rows: int) -> list[Any]:
    x, z, y = (buffers[each] for each in link[2])
    return [x, z, y, buffers[TENSORS], rows, link[3]]


def random_chain(rng: random.Random) -> tuple[list[Link], int]:
    chain: list[Link] = []
    for _ in range(rng.randint(2, 6)):
        kind = rng.choice(list(MOST))
        x, z, y = rng.sample(range(TENSORS), 3)
        blocks = rng.choice([1, 2, 3, 4, 8, rng.randint(1, MOST[kind])])
        chain.append((kind + rng.choice(["", "_early"]), blocks, (x, z, y), rng.randrange(64)))
    return chain, rng.choice([4, 20, 33])


def differing(chain: list[Link], rows: int, seed: int, binary: KernelBinary, kernels: dict[str, Kernel], stream: Stream) -> list[int]:
    """Elements of each tensor that the fused launch left different from the separate launches."""
    separate, fused = ([Buffer.from_array(each) for each in tensors(rows, seed)] for _ in range(2))
    for link in chain:
        launch(stream, LaunchConfig(link[1]), kernels[link[0]], *arguments(link, separate, rows))
    made = fuse([Member(binary, blocks, name) for name, blocks, _, _ in chain])
    flat = [each for link in chain for each in arguments(link, fused, rows)]
    launch(stream, LaunchConfig(plan_of(made).num_blocks), Kernel(made), *flat)
    stream.synchronize()
    pairs = zip(separate, fused, strict=True)
    return [int((one.to_numpy().view(np.uint16) != other.to_numpy().view(np.uint16)).sum()) for one, other in pairs]


@pytest.mark.parametrize("name", MOST)
def test_each_kernel_computes_what_numpy_computes(name: str, kernels: dict[str, Kernel], stream: Stream) -> None:
    rows = 20
    given = tensors(rows, 1)
    buffers = [Buffer.from_array(each) for each in given]
    launch(stream, LaunchConfig(4), kernels[name], *arguments((name, 4, (0, 1, 2), 3), buffers, rows))
    stream.synchronize()
    x, z = np.roll(given[0], -3, axis=0).astype(np.float32), given[1].astype(np.float32)
    wanted = {"vector": (x + z) / 2, "cube": x @ z}.get(name, x @ z / 8)
    np.testing.assert_allclose(buffers[2].to_numpy().astype(np.float32), wanted, rtol=4e-3, atol=4e-3)


@pytest.mark.requirement("sk-16", "sk-18")
@pytest.mark.parametrize("start", range(0, 120, 20))
def test_random_chains_are_bit_for_bit_what_separate_launches_are(
    start: int, binary: KernelBinary, kernels: dict[str, Kernel], stream: Stream
) -> None:
    for seed in range(start, start + 20):
        chain, rows = random_chain(random.Random(seed))
        assert differing(chain, rows, seed, binary, kernels, stream) == [0] * (TENSORS + 1), (seed, chain)


@pytest.mark.slow
@pytest.mark.parametrize("start", range(1000, 5000, 200))
def test_four_thousand_random_chains_are_bit_for_bit_what_separate_launches_are(
    start: int, binary: KernelBinary, kernels: dict[str, Kernel], stream: Stream
) -> None:
    for seed in range(start, start + 200):
        chain, rows = random_chain(random.Random(seed))
        assert differing(chain, rows, seed, binary, kernels, stream) == [0] * (TENSORS + 1), (seed, chain)


@pytest.mark.requirement("sk-4", "sk-18")
def test_a_mixed_kernel_keeps_both_aivs_beside_many_cubes(binary: KernelBinary, kernels: dict[str, Kernel], stream: Stream) -> None:
    for mixed, cubes in itertools.product((1, 2, 4), (1, 2, 3, 4, 8, 24)):
        chain: list[Link] = [("mixed2", mixed, (0, 1, 2), 1), ("cube", cubes, (0, 1, 3), 0)]
        assert plan_of(fuse([Member(binary, blocks, name) for name, blocks, _, _ in chain])).kernel_type == KernelType.MIX_AIC_1_2
        assert differing(chain, 20, 7, binary, kernels, stream) == [0] * (TENSORS + 1), (mixed, cubes)


# --- MIX 1:1 kernels that two AIVs would change


def run(made: KernelBinary, *args: Any) -> None:
    stream = Stream()
    launch(stream, LaunchConfig(plan_of(made).num_blocks), Kernel(made), *args)
    stream.synchronize()


@pytest.mark.requirement("sk-65")
@pytest.mark.parametrize("name", ["by_index", "by_sum"])
def test_a_kernel_for_one_aiv_is_refused_where_both_would_run_it(name: str, binary: KernelBinary, kernels: dict[str, Kernel]) -> None:
    reason = (
        rf"^{name}_0 is MIX 1:1, and the SuperKernel is MIX 1:2 \(mixed2_1 is\): both AIVs of a block would run it, and it goes by "
        r"GetBlockIdx\(\) or sums with atomics as if there were one; let it ask GetSubBlockIdx\(\) and GetSubBlockNum\(\), or launch it "
        r"separately$"
    )
    with pytest.raises(errors.FuseError, match=reason):
        fuse([Member(binary, 2, name), Member(binary, 2, "mixed2")])
    with pytest.raises(errors.FuseError, match=r"the SuperKernel is MIX 1:2 \(vector_1 needs 5 AIVs\)"):
        fuse([Member(binary, 2, name), Member(binary, 5, "vector")])
    out = Buffer.from_array(np.zeros((4, 8), np.int32))
    run(fuse([Member(binary, 2, name), Member(binary, 2, name)]), out, out)  # MIX 1:1: nothing changes for it
    assert out.to_numpy()[:, 0].tolist() == ([1, 1, 0, 0] if name == "by_index" else [4, 0, 0, 0])


@pytest.mark.requirement("sk-16", "sk-65")
def test_a_kernel_that_knows_of_two_aivs_is_fused(binary: KernelBinary) -> None:
    x, z, y, product = (Buffer.from_array(each) for each in tensors(4, 0)[:4])
    out = Buffer.from_array(np.zeros((4, 8), np.int32))
    made = fuse([Member(binary, 2, "by_first_aiv"), Member(binary, 2, "mixed2")])
    assert (plan_of(made).kernel_type, [finding.rule for finding in plan_of(made).findings]) == (KernelType.MIX_AIC_1_2, ["K13"])
    run(made, out, x, z, y, product, 4, 0)
    assert out.to_numpy()[:, 0].tolist() == [1, 1, 0, 0]


@pytest.mark.requirement("sk-65")
def test_a_scope_leaves_a_kernel_for_one_aiv_alone(binary: KernelBinary, kernels: dict[str, Kernel], stream: Stream) -> None:
    x, z, y, product = (Buffer.from_array(each) for each in tensors(4, 0)[:4])
    out = Buffer.from_array(np.zeros((4, 8), np.int32))
    with stream.capture() as graph, super_kernel("s"):
        for name, args in (("mixed2", [x, z, y, product, 4, 0]), ("cube", [x, z, y, product, 4, 0]), ("by_sum", [out])):
            launch(stream, LaunchConfig(2), kernels[name], *args)
    assert [str(each) for each in graph.report] == [
        "[0] mixed2: in s_split_0_1",
        "[1] cube: in s_split_0_1",
        "[2] by_sum: OP_UNSUPPORT: it is MIX 1:1 and made for one AIV a block, and the SuperKernel would be MIX 1:2",
    ]
    graph.launch(stream)
    stream.synchronize()
    assert out.to_numpy()[0, 0] == 2


@pytest.mark.requirement("sk-65")
@pytest.mark.parametrize("between", [True, False])
def test_what_two_aivs_would_change_is_looked_at_in_each_part_of_a_scope(
    between: bool, binary: KernelBinary, kernels: dict[str, Kernel], stream: Stream
) -> None:
    """The whole has as many cubes as vectors and is MIX 1:1; cut in two, its first part is MIX 1:2."""
    x, z, y, product = (Buffer.from_array(each) for each in tensors(4, 0)[:4])
    out = Buffer.from_array(np.zeros((4, 8), np.int32))
    with stream.capture() as graph:
        with super_kernel("s"):
            launch(stream, LaunchConfig(2), kernels["by_sum"], out)
            launch(stream, LaunchConfig(4), kernels["vector"], x, z, y, product, 4, 0)
        if between:
            launch(stream, LaunchConfig(1), kernels["cube"], x, z, y, product, 4, 0)
        with super_kernel("s"):
            for _ in range(2):
                launch(stream, LaunchConfig(8), kernels["cube"], x, z, y, product, 4, 0)
    reason = "OP_UNSUPPORT: it is MIX 1:1 and made for one AIV a block, and the SuperKernel would be MIX 1:2"
    assert str(graph.report[0]) == (f"[0] by_sum: {reason}" if between else "[0] by_sum: in s")
    graph.launch(stream)
    stream.synchronize()
    assert out.to_numpy()[0, 0] == 2


# --- stress


def test_stress_compares_with_separate_launches(stream: Stream) -> None:
    """An atomic mode that is left on changes what comes behind it, in every schedule alike."""
    rules = Program(KERNELS / "rules.cpp").compile()
    x, y, z = (Buffer.from_array(np.full((48, 16), each, np.int32)) for each in (1, 0, 5))
    kernel = Kernel(fuse([Member(rules, 3, "leaves_atomic"), Member(rules, 3, "without_pipe")], name="leaky"))
    report = stress(kernel, x, y, y, z, seeds=range(3), stream=stream)
    assert not report.is_stable
    assert [each.seed for each in report.differences] == [-1, 0, 1, 2]
    assert str(report).splitlines()[:2] == [
        "leaky: the result is not that of separate launches; 3 of 3 schedules change the result",
        "    without a schedule: without_pipe_1.out bytes 0-191 differ, written by without_pipe_1",
    ]
    assert [stress(kernel, x, y, y, z, seeds=range(3), stop=True).runs, z.to_numpy()[0, 0]] == [0, 5]
    with pytest.raises(errors.InvalidArgument, match=r"^leaky\(.*\) takes 4 arguments; 2 given$"):
        stress(kernel, x, y)
    good = Kernel(fuse([Member(rules, 3, "plain"), Member(rules, 3, "without_pipe")], name="tight"))
    assert str(stress(good, x, y, y, z, seeds=range(3))) == "tight: the same result as separate launches under 3 schedules"


def test_stress_knows_the_words_of_the_superkernel_itself(stream: Stream) -> None:
    """A dynamic member is launched as its tiling says; locks, which only the SuperKernel frees, are no difference."""
    dynamic, chain = (Program(KERNELS / name).compile() for name in ("dynamic.cpp", "chain.cpp"))
    x, y, z = (Buffer.from_array(np.zeros((48, 16), np.int32)) for _ in range(3))
    key, blocks, lock, event = (Buffer.from_array(np.array([each], np.uint64)) for each in (2, 3, 1, 0))
    members = [Member(chain, 4, "v", sends=(5,)), Member(dynamic, 1, task_type="dynamic"), Member(chain, 4, "v")]
    kernel = Kernel(fuse(members, name="dynamic"))
    args = [x, y, 1, 0, 48, event, y, key, blocks, lock, y, z, 1, 0, 48]
    assert str(stress(kernel, *args, seeds=range(5))) == "dynamic: the same result as separate launches under 5 schedules"
    assert [int(each.to_numpy()[0]) for each in (key, blocks, lock, event)] == [2, 3, 1, 0]
    spread = Buffer.from_array(np.array([2, 3, 1], np.uint64))
    args[7:10] = [spread.address + 8 * i for i in range(3)]
    assert stress(kernel, *args, seeds=[]).is_stable
