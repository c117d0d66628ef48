# SPDX-License-Identifier: Apache-2.0
"""insert_sync, LocalTensorAuto and verify_sync: the race detector, with the vendor's automatic synchronisation off, is the judge."""

from __future__ import annotations

import re
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scalar_runs import compiled_from

import aclimb
import aclimb.asc as asc
from aclimb import Buffer, Kernel, LaunchConfig, Program, Stream, launch
from aclimb.asc.codegen.errors import CodegenError
from aclimb.asc.runtime.jit import MockValue
from aclimb.errors import BuildWarning
from aclimb.fuse import stress

SIZE = 64
OFF = {"auto_sync": "off"}


@asc.jit
def relu_all(x: asc.GlobalAddress, z: asc.GlobalAddress, n: int):
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, n)
    z_gm.set_global_buffer(z, n)
    for i in range(n // SIZE):
        a = asc.LocalTensorAuto(asc.float32, SIZE)
        b = asc.LocalTensorAuto(asc.float32, (8, 8))
        asc.data_copy(a, x_gm[i * SIZE :], SIZE)
        asc.relu(b, a, SIZE)
        asc.data_copy(z_gm[i * SIZE :], b, SIZE)


@asc.jit
def in_place(x: asc.GlobalAddress, n: int):
    """One tensor, copied in and out: the case that a queue's events do not cover."""
    gm = asc.GlobalTensor()
    gm.set_global_buffer(x, n)
    for i in range(n // SIZE):
        t = asc.LocalTensorAuto(asc.float32, SIZE)
        asc.data_copy(t, gm[i * SIZE :], SIZE)
        asc.adds(t, t, 1.0, SIZE)
        asc.muls(t, t, 2.0, SIZE)
        asc.data_copy(gm[i * SIZE :], t, SIZE)


def numbers(count: int = 256) -> Any:
    return np.random.default_rng(3).standard_normal(count).astype(np.float32)


@pytest.mark.requirement("py-25")
def test_local_tensors_are_placed_and_ordered_by_the_compiler() -> None:
    x, z = numbers(), np.zeros(256, np.float32)
    assert relu_all[1].check(x, z, 256, check=OFF).findings == ()
    np.testing.assert_array_equal(z, np.maximum(x, 0))
    expected = (x + 1) * 2
    assert in_place[1].check(x, 256, check=OFF).findings == ()
    np.testing.assert_array_equal(x, expected)
    assert "TBuf<TPosition::VECCALC> t_buf;" in in_place.source()
    assert in_place.source().rstrip("}\n ").endswith("PipeBarrier<PIPE_ALL>();")


@pytest.mark.requirement("py-25")
def test_what_the_compiler_ordered_is_the_same_under_every_schedule() -> None:
    x = Buffer.from_array(numbers())
    z, one = Buffer.from_array(np.zeros(256, np.float32)), LaunchConfig(num_blocks=1)
    relu = relu_all.compile(asc.float32, asc.float32, MockValue(asc.int32)).kernel
    assert str(stress(relu, x, z, 256, config=one, schedules=60)).startswith("relu_all: the same result under 60 schedules")
    both = in_place.compile(asc.float32, MockValue(asc.int32)).kernel
    assert str(stress(both, x, 256, config=one, schedules=60)).startswith("in_place: the same result under 60 schedules")


@pytest.mark.requirement("py-25")
def test_removing_any_inserted_flag_is_found(tmp_path: Path) -> None:
    relu_all.export(tmp_path / "whole.cpp", asc.float32, asc.float32, 256)
    text = (tmp_path / "whole.cpp").read_text()
    flags = re.findall(r"SetFlag<HardEvent::(\w+)>\((\w+)\);", text)
    assert sorted(event for event, _ in flags) == ["MTE2_V", "MTE3_V", "V_MTE2", "V_MTE3"]
    for event, name in flags:
        cut = tmp_path / f"no_{event}.cpp"
        cut.write_text("\n".join(line for line in text.splitlines() if name not in line) + "\n")
        kernel, x, z = Kernel(Program(cut).compile()), Buffer.from_array(numbers()), Buffer(256, "float32")
        with aclimb.check(auto_sync="off") as found:
            stream = Stream()
            launch(stream, LaunchConfig(num_blocks=1), kernel, x, z, 256)
            stream.synchronize()
        assert found.findings, f"nothing found without {event}"


OPERATIONS = st.lists(
    st.tuples(st.sampled_from(["in", "out", "add", "muls", "get", "set", "loop", "if", "copy"]), st.integers(0, 2), st.integers(0, 2)),
    min_size=4,
    max_size=12,
)


def _program(operations: list[tuple[str, int, int]]) -> str:
    """A kernel over three tensors; blocks hold the two operations behind them."""
    lines, depth, left = [], 1, 0
    for kind, one, other in operations:
        pad = "    " * depth
        if kind in ("loop", "if") and left == 0:
            lines.append(f"{pad}for i in range(2):" if kind == "loop" else f"{pad}if n > {one}:")
            depth, left = 2, 2
            continue
        lines.append(pad + {"in": f"asc.data_copy(t{one}, x_gm[{other * 64}:], 64)",
                            "out": f"asc.data_copy(z_gm[{other * 64}:], t{one}, 64)",
                            "add": f"asc.add(t{one}, t{one}, t{other}, 64)", "muls": f"asc.muls(t{one}, t{other}, 0.5, 64)",
                            "get": f"s = t{one}.get_value({other}) + 1.0", "set": f"t{one}.set_value({other}, 3.0)",
                            "copy": f"asc.data_copy(t{one}, t{other}, 64)"}.get(kind, "pass"))  # fmt: skip
        left = max(left - 1, 0)
        depth = 2 if left else 1
    if depth == 2:
        lines.append("        pass")
    head = "@asc.jit\ndef kernel(x: asc.GlobalAddress, z: asc.GlobalAddress, n: int):\n"
    head += "    x_gm = asc.GlobalTensor()\n    z_gm = asc.GlobalTensor()\n"
    head += "    x_gm.set_global_buffer(x, 192)\n    z_gm.set_global_buffer(z, 192)\n"
    head += "".join(f"    t{i} = asc.LocalTensorAuto(asc.float32, 64)\n    asc.data_copy(t{i}, x_gm[{i * 64}:], 64)\n" for i in range(3))
    return head + "\n".join(lines) + "\n    asc.data_copy(z_gm, t0, 64)\n"


def _in_numpy(operations: list[tuple[str, int, int]], x: Any, n: int) -> Any:
    """What the program means."""
    tensors, z = [x[i * 64 :][:64].copy() for i in range(3)], np.zeros(192, np.float32)

    def one(kind: str, a: int, b: int) -> None:
        match kind:
            case "in":
                tensors[a][:] = x[b * 64 :][:64]
            case "out":
                z[b * 64 :][:64] = tensors[a]
            case "add":
                tensors[a] += tensors[b]
            case "muls":
                tensors[a][:] = tensors[b] * np.float32(0.5)
            case "set":
                tensors[a][b] = 3
            case "copy":
                tensors[a][:] = tensors[b]

    rest = list(operations)
    while rest:
        kind, a, b = rest.pop(0)
        if kind in ("loop", "if"):
            inside, rest = rest[:2], rest[2:]
            for _ in range(2 if kind == "loop" else int(n > a)):
                for each in inside:
                    one(*each)
        else:
            one(kind, a, b)
    z[:64] = tensors[0]
    return z


@pytest.mark.requirement("py-25")
@settings(max_examples=12, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(OPERATIONS)
def test_random_programs_give_numpys_result_and_the_check_finds_nothing(operations: list[tuple[str, int, int]]) -> None:
    kernel = compiled_from(_program(operations))["kernel"]
    x, z = numbers(192), np.zeros(192, np.float32)
    report = kernel[1].check(x, z, 1, check=OFF)
    assert report.findings == (), f"{report}\n{kernel.source()}"
    np.testing.assert_array_equal(z, _in_numpy(operations, x, 1))


@asc.jit
def copy_in(gm: asc.GlobalTensor, queue: asc.TQue, i: int):
    local = queue.alloc_tensor(gm.dtype)
    asc.data_copy(local, gm[i * SIZE :], SIZE)
    queue.enque(local)


@asc.jit(insert_sync=True)
def with_queues(x: asc.GlobalAddress, z: asc.GlobalAddress, n: int):
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, n)
    z_gm.set_global_buffer(z, n)
    pipe = asc.TPipe()
    x_queue = asc.TQue(asc.TPosition.VECIN, 1)
    z_queue = asc.TQue(asc.TPosition.VECOUT, 1)
    pipe.init_buffer(x_queue, 2, SIZE * 4)
    pipe.init_buffer(z_queue, 2, SIZE * 4)
    for i in range(n // SIZE):
        copy_in(x_gm, x_queue, i)
        x_local = x_queue.deque(asc.float32)
        z_local = z_queue.alloc_tensor(asc.float32)
        asc.exp(z_local, x_local, SIZE)
        asc.pipe_barrier(asc.PipeID.PIPE_V)
        z_queue.enque(z_local)
        z_out = z_queue.deque(asc.float32)
        asc.data_copy(z_gm[i * SIZE :], z_out, SIZE)
        x_queue.free_tensor(x_local)
        z_queue.free_tensor(z_out)


@pytest.mark.requirement("py-25", "py-26")
def test_the_users_own_order_goes_and_is_listed_once() -> None:
    x, z = numbers(), np.zeros(256, np.float32)
    with pytest.warns(
        BuildWarning, match=r"insert_sync takes away 3 calls of with_queues that order its units: .*asc.pipe_barrier"
    ) as told:
        report = with_queues[1].check(x, z, 256, check=OFF)
    assert len([each for each in told if issubclass(each.category, BuildWarning)]) == 1
    assert report.findings == (), str(report)
    np.testing.assert_allclose(z, np.exp(x), rtol=1e-6)
    source = with_queues.source()
    assert "// insert_sync took these away, and put flags of its own:" in source
    assert re.search(r"//   test_asc_sync.py:\d+  asc.pipe_barrier\(asc.PipeID.PIPE_V\)", source)
    assert "EnQue" not in source
    assert "DeQue" not in source


@pytest.mark.requirement("py-25")
def test_tensors_with_addresses_of_their_own_are_ordered_too() -> None:
    kernel = compiled_from(
        """
        @asc.jit(insert_sync=True)
        def kernel(x: asc.GlobalAddress, n: asc.ConstExpr[int]):
            gm = asc.GlobalTensor()
            gm.set_global_buffer(x, n)
            a = asc.LocalTensor(asc.float32, asc.TPosition.VECIN, 0, 64)
            b = asc.LocalTensor(asc.float32, asc.TPosition.VECOUT, 128, 64)
            for i in range(n // 32):
                asc.data_copy(a, gm[i * 32:], 32)
                asc.adds(b, a, 1.0, 32)
                asc.data_copy(gm[i * 32:], b, 32)
        """
    )["kernel"]
    x = numbers()
    expected = x + 1
    assert kernel[1].check(x, 256, check=OFF).findings == ()
    np.testing.assert_array_equal(x, expected)
    assert "SetFlag<HardEvent::MTE2_V>(EVENT_ID0);" in kernel.source()


def test_a_shape_of_the_run_is_for_outside_of_loops() -> None:
    text = """
    @asc.jit
    def kernel(x: asc.GlobalAddress, n: int):
        gm = asc.GlobalTensor()
        gm.set_global_buffer(x, n * 8)
        {0}t = asc.LocalTensorAuto(asc.float32, (n, 8))
        {0}asc.duplicate(t, 3.0, n * 8)
        {0}asc.data_copy(gm, t, n * 8)
    """
    x = np.zeros(64, np.float32)
    compiled_from(text.format(""))["kernel"][1](x, 8)
    assert (x == 3).all()
    with pytest.raises(CodegenError, match="the shape is only known when the kernel runs, and this is a loop"):
        compiled_from(text.replace("        {0}t", "        for i in range(2):\n            t").format("    "))["kernel"][1](x, 8)


def test_a_deque_without_an_allocation_is_refused() -> None:
    scope = compiled_from(
        """
        @asc.jit(insert_sync=True)
        def kernel(x: asc.GlobalAddress):
            pipe = asc.TPipe()
            queue = asc.TQue(asc.TPosition.VECIN, 1)
            pipe.init_buffer(queue, 1, 256)
            t = queue.deque(asc.float32)
        """
    )
    with pytest.raises(CodegenError, match=r"queue.deque at line 7 has no tensor that was allocated before it"):
        scope["kernel"][1](np.zeros(64, np.float32))


QUEUES = """
@asc.jit(verify_sync=True)
def kernel(x: asc.GlobalAddress):
    gm = asc.GlobalTensor()
    gm.set_global_buffer(x, 64)
    pipe = asc.TPipe()
    queue = asc.TQue(asc.TPosition.VECIN, 1)
    pipe.init_buffer(queue, 2, 256)
    t = queue.alloc_tensor(asc.float32)
    asc.data_copy(t, gm, 64)
"""
VERIFIED = {
    "queue.enque(t)\n    queue.free_tensor(t)": [r":\d+: queue.enque has no queue.deque"],
    "queue.enque(t)\n    u = queue.deque(asc.float32)": [r":\d+: queue.alloc_tensor has no queue.free_tensor"],
    "u = queue.deque(asc.float32)\n    queue.free_tensor(u)": [r":\d+: queue.deque has no queue.enque"],
    "queue.enque(t)\n    asc.relu(t, t, 64)\n    u = queue.deque(asc.float32)\n    queue.free_tensor(u)": [
        r":12: t is used between enque and deque of queue; deque it first"
    ],
    "queue.enque(t)\n    u = queue.deque(asc.float32)\n    queue.free_tensor(u)\n    asc.relu(u, u, 64)": [
        r":14: u is used after free_tensor of queue; free it after its last use"
    ],
}


@pytest.mark.requirement("py-27")
@pytest.mark.parametrize("rest", VERIFIED)
def test_verify_sync_warns_at_the_line(rest: str) -> None:
    kernel = compiled_from(QUEUES + f"    {rest}\n")["kernel"]
    with pytest.warns(BuildWarning) as told:
        kernel.source(asc.float32)
    found = [str(each.message) for each in told]
    for pattern in VERIFIED[rest]:
        assert any(re.search(pattern, each) for each in found), found


@pytest.mark.requirement("py-27")
def test_verify_sync_says_nothing_of_queues_that_are_used_as_they_should_be() -> None:
    good = "queue.enque(t)\n    u = queue.deque(asc.float32)\n    asc.relu(u, u, 64)\n    queue.free_tensor(u)\n"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        compiled_from(QUEUES + f"    {good}")["kernel"].source(asc.float32)
