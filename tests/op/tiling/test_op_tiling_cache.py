# SPDX-License-Identifier: Apache-2.0
"""Tiling is remembered: by shapes and needed values, 120 of them for an operator, unless it is asked not to be."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from op_parts import Find, Register, add_scaled, device, floats, ran, tile_add

from aclimb import Stream, op

MOST = 120


@pytest.fixture
def tiled() -> list[int]:
    """The number of elements of each call of the tiling function."""
    return []


@pytest.fixture
def counting(kernel: Find, register: Register, tiled: list[int]) -> Any:
    """counting(**options): z = x + y that notes each call of its tiling function."""

    def make(**options: Any) -> Any:
        def tiling(ctx: Any) -> None:
            tiled.append(ctx.input_shape[0].storage.size)
            tile_add(ctx)

        made = add_scaled(kernel, tiling=tiling, **options)
        register(made)
        return made

    return make


def run(made: Any, stream: Stream, count: int, **options: Any) -> None:
    result = made(floats(count), floats(count), stream=stream, **options)
    np.testing.assert_array_equal(ran(stream, result), 2 * floats(count))


@pytest.mark.requirement("op-63")
def test_the_same_shapes_are_tiled_once(counting: Any, stream: Stream, tiled: list[int]) -> None:
    made = counting()
    for count in (4, 4, 5, 4, 5):
        run(made, stream, count)
    assert tiled == [4, 5]


@pytest.mark.requirement("op-63")
def test_shapes_with_as_many_elements_are_not_the_same(counting: Any, stream: Stream, tiled: list[int]) -> None:
    made = counting()
    for shape in ((2, 3), (3, 2), (2, 3), (6,)):
        x = floats(6).reshape(shape)
        assert made(x, x, stream=stream).shape == shape
    assert tiled == [6, 6, 6]


@pytest.mark.requirement("op-63")
def test_another_attribute_is_tiled_again(counting: Any, stream: Stream, tiled: list[int]) -> None:
    """Tiling data is the only way of an attribute to the kernel."""
    made = counting()
    for alpha, expected in ((1.0, 2), (3.0, 4), (1.0, 2)):
        np.testing.assert_array_equal(ran(stream, made(floats(4), floats(4), alpha=alpha, stream=stream)), expected * floats(4))
    assert len(tiled) == 2


@pytest.mark.requirement("op-63")
def test_another_needed_value_is_tiled_again(kernel: Find, stream: Stream, register: Register) -> None:
    tiled: list[list[int]] = []
    made = op.define("Depends")
    made.input("x", dtype=["float32"])
    made.input("n", dtype=["int64"], value_depend="tiling")
    made.output("z", follow="x")
    made.attr("alpha", float, default=0.0)

    @made.tiling
    def tiling(ctx: Any) -> None:
        tiled.append(ctx.get_input_tensor(1).to_numpy().tolist())
        tile_add(ctx)

    made.kernel(kernel("add_scaled"))
    register(made)
    x = device(floats(2))
    for value in (1, 2, 1, 2, 3):
        made(x, np.array([value]), stream=stream)
    assert tiled == [[1], [2], [3]]


@pytest.mark.requirement("op-63")
def test_values_that_are_not_needed_are_not_looked_at(counting: Any, stream: Stream, tiled: list[int]) -> None:
    made = counting()
    for start in (1.0, 5.0):
        x = floats(4, start)
        np.testing.assert_array_equal(ran(stream, made(x, x, stream=stream)), 2 * x)
    assert tiled == [4]


@pytest.mark.requirement("op-63")
def test_the_least_recently_used_leave_first(counting: Any, stream: Stream, tiled: list[int]) -> None:
    made = counting()
    for count in range(1, MOST + 1):
        run(made, stream, count)
    run(made, stream, 1)
    assert len(tiled) == MOST, "120 are remembered, the first of them too"
    run(made, stream, MOST + 1)
    tiled.clear()
    run(made, stream, 1)
    run(made, stream, MOST)
    run(made, stream, MOST + 1)
    assert tiled == [], "used lately"
    run(made, stream, 2)
    assert tiled == [2], "the one that was not used for longest has left"


@pytest.mark.requirement("op-63")
def test_the_cache_can_be_passed_by(counting: Any, stream: Stream, tiled: list[int]) -> None:
    made = counting()
    for _ in range(2):
        run(made, stream, 4, options=op.Options(tiling_cache=False))
    assert tiled == [4, 4]
    made.unregister()
    never = counting(tiling_cache=False)
    for _ in range(2):
        run(never, stream, 4)
    assert tiled == [4] * 4


@pytest.mark.requirement("op-63")
def test_a_failed_tiling_is_not_remembered(kernel: Find, stream: Stream, register: Register) -> None:
    calls: list[int] = []

    def tiling(ctx: Any) -> int:
        tile_add(ctx)
        calls.append(1)
        return 5 if len(calls) == 1 else 0

    made = add_scaled(kernel, tiling=tiling)
    register(made)
    with pytest.raises(op.OpError) as caught:
        run(made, stream, 4)
    assert (caught.value.stage, caught.value.code) == ("tiling", 5)
    run(made, stream, 4)
    run(made, stream, 4)
    assert len(calls) == 2


@pytest.mark.requirement("op-63")
def test_an_operator_that_is_registered_anew_remembers_nothing(kernel: Find, stream: Stream, tiled: list[int]) -> None:
    def tiling(ctx: Any) -> None:
        tiled.append(1)
        tile_add(ctx)

    made = add_scaled(kernel, tiling=tiling)
    for _ in range(2):
        with made.registered():
            run(made, stream, 4)
    assert len(tiled) == 2
