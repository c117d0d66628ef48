# SPDX-License-Identifier: Apache-2.0
"""Every function of the operator library against NumPy, through its C prototype, for every type that it is for."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from op_cases import ASKED, CASES, FLOATS, NUMBERS, dtype_of, values, wide

from aclimb.op.builtin import ROWS
from op_library import Out, call

NEAR = {"float16": 1e-3, "bfloat16": 8e-3, "float32": 3e-6, "float64": 1e-12}  # one rounding, and a little for functions
ROW_BY_ROW: set[str] = set()  # filled below: names that have a test of their own


def near(got: NDArray[Any], want: NDArray[Any]) -> None:
    assert got.dtype == want.dtype
    assert got.shape == want.shape
    if got.dtype.name in NEAR:
        np.testing.assert_allclose(wide(got), wide(want), rtol=NEAR[got.dtype.name], atol=NEAR[got.dtype.name])
    else:
        np.testing.assert_array_equal(got, want)


@pytest.mark.parametrize("spread", [1, 2])
@pytest.mark.parametrize("name", CASES)
def test_a_function_gives_numpys_results(stream: int, name: str, spread: int) -> None:
    case, kinds = CASES[name]
    for kind in kinds:
        x, y = values(dtype_of(kind))
        arguments = case(x, y, dtype_of(kind))
        if name == "InplaceCopy":
            arguments = [Out(arguments[1].expected, before=x), arguments[0]]
        [got] = call(f"aclnn{name}", arguments, stream, spread)
        near(got, next(each.expected for each in arguments if isinstance(each, Out)))


IN_PLACE = sorted(name for name in ROWS if name.startswith("aclnnInplace") and name.removeprefix("aclnnInplace") in CASES)


@pytest.mark.parametrize("name", IN_PLACE)
def test_a_function_in_place_gives_the_same(stream: int, name: str) -> None:
    case, kinds = CASES[name.removeprefix("aclnnInplace")]
    for kind in kinds:
        x, y = values(dtype_of(kind))
        self, *others, out = case(x, y, dtype_of(kind))
        [got] = call(name, [Out(out.expected, before=self), *others], stream)
        near(got, out.expected.astype(self.dtype))


def own(*names: str) -> Any:
    """Says which functions a test is about."""
    ROW_BY_ROW.update(f"aclnn{name}" for name in names)
    return lambda test: test


@own("InplaceZero", "InplaceOne", "InplaceFillScalar", "InplaceFillTensor", "InplaceFillDiagonal")
@pytest.mark.parametrize("kind", [*NUMBERS, "bool"])
def test_fills(stream: int, kind: str) -> None:
    x = np.zeros((3, 4), dtype_of(kind)) if kind == "bool" else values(dtype_of(kind))[0]
    full = lambda value: np.full((3, 4), value).astype(x.dtype)  # noqa: E731
    for name, others, want in (
        ("Zero", [], full(0)),
        ("One", [], full(1)),
        ("FillScalar", [1], full(1)),
        ("FillTensor", [full(1)[0, 0]], full(1)),
    ):
        [got] = call(
            f"aclnnInplace{name}",
            [Out(want, before=x), *(np.array(each) if isinstance(each, np.generic) else each for each in others)],
            stream,
        )
        near(got, want)
    diagonal = x.copy()
    diagonal[[0, 1, 2], [0, 1, 2]] = 1
    near(call("aclnnInplaceFillDiagonal", [Out(diagonal, before=x), 1, False], stream)[0], diagonal)


@own("Arange", "Range", "Linspace", "Eye")
@pytest.mark.parametrize("kind", NUMBERS)
def test_numbers_in_a_row(stream: int, kind: str) -> None:
    dtype = dtype_of(kind)
    for arguments in (["aclnnArange", 1, 7, 2, [1, 3, 5]], ["aclnnRange", 1, 5, 2, [1, 3, 5]], ["aclnnLinspace", 0, 8, 5, [0, 2, 4, 6, 8]],
                      ["aclnnEye", 2, 3, [[1, 0, 0], [0, 1, 0]]]):  # fmt: skip
        name, *others, want = arguments
        near(call(name, [*others, Out(np.array(want, dtype))], stream)[0], np.array(want, dtype))


@own("Arange")
def test_fractions_in_a_row(stream: int) -> None:
    want = np.array([0.5, 0.75, 1.0], np.float32)
    near(call("aclnnArange", [0.5, 1.2, 0.25, Out(want)], stream)[0], want)


@own("Cast", "InplaceCopy")
@pytest.mark.parametrize("to", [*NUMBERS, "bool", "complex64"])
@pytest.mark.parametrize("kind", [*NUMBERS, "bool"])
def test_casts(stream: int, kind: str, to: str) -> None:
    x = np.array([0, 1, 2, 5.5, 100]).astype(dtype_of(kind))
    want = x.astype(np.float64).astype(dtype_of(to))
    near(call("aclnnCast", [x, dtype_of(to), Out(want)], stream)[0], want)
    near(call("aclnnInplaceCopy", [Out(want, before=np.zeros_like(want)), x], stream)[0], want)


@own("IsClose", "Equal", *ASKED)
@pytest.mark.parametrize("kind", FLOATS)
def test_questions(stream: int, kind: str) -> None:
    x = np.array([1, np.inf, -np.inf, np.nan, 0]).astype(dtype_of(kind))
    y = np.array([1.25, np.inf, 1, np.nan, 0.25]).astype(dtype_of(kind))
    ask = lambda name, want, *others: near(call(f"aclnn{name}", [x, *others, Out(np.array(want))], stream)[0], np.array(want))  # noqa: E731
    ask("IsClose", [True, True, False, False, True], y, 0.0, 0.25, False)
    ask("IsClose", [True, True, False, True, False], y, 0.2, 0.0, True)
    ask("Equal", False, y)
    ask("Equal", False, x)  # nothing equals NaN
    for name, function in ASKED.items():
        ask(name, function(wide(x)))
    zero = np.zeros(3, dtype_of(kind))
    assert call("aclnnEqual", [zero, zero, Out(np.array(True))], stream)[0]


@own("LogicalAnd", "LogicalOr", "LogicalXor", "LogicalNot", "InplaceLogicalAnd", "InplaceLogicalOr", "InplaceLogicalNot", "All", "Any")
@pytest.mark.parametrize("kind", [*NUMBERS, "bool"])
def test_logic(stream: int, kind: str) -> None:
    x, y = np.array([0, 0, 1, 1]).astype(dtype_of(kind)), np.array([0, 2, 0, 2]).astype(dtype_of(kind))
    wanted = {"And": [False, False, False, True], "Or": [False, True, True, True], "Xor": [False, True, True, False]}
    for name, want in wanted.items():
        near(call(f"aclnnLogical{name}", [x, y, Out(np.array(want))], stream)[0], np.array(want))
        if name != "Xor":
            near(call(f"aclnnInplaceLogical{name}", [Out(x, before=x), y], stream)[0], np.array(want).astype(x.dtype))
    near(call("aclnnLogicalNot", [x, Out(~np.array(wanted["Or"])[[0, 2, 3, 1]])], stream)[0], np.array([True, True, False, False]))
    near(call("aclnnInplaceLogicalNot", [Out(x, before=x)], stream)[0], np.array([1, 1, 0, 0]).astype(x.dtype))
    near(call("aclnnAll", [x, (0,), False, Out(np.array(False))], stream)[0], np.array(False))
    near(call("aclnnAny", [x, (0,), True, Out(np.array([True]))], stream)[0], np.array([True]))


@own("MaxDim", "MinDim", "ArgMax", "ArgMin", "Sort", "Argsort", "Topk")
@pytest.mark.parametrize("kind", NUMBERS)
def test_places(stream: int, kind: str) -> None:
    x = np.array([[3, 1, 2], [4, 6, 5]]).astype(dtype_of(kind))
    at = lambda *rows: Out(np.array(rows, np.int64))  # noqa: E731
    out = lambda *rows: Out(np.array(rows).astype(x.dtype))  # noqa: E731
    asked = [("MaxDim", [1, False, out(3, 6), at(0, 1)]), ("MinDim", [0, True, out([3, 1, 2]), at([0, 0, 0])]),
             ("ArgMax", [1, False, at(0, 1)]), ("ArgMin", [0, True, at([0, 0, 0])]), ("Argsort", [1, True, at([0, 2, 1], [1, 2, 0])]),
             ("Sort", [True, 1, False, out([1, 2, 3], [4, 5, 6]), at([1, 2, 0], [0, 2, 1])]),
             ("Topk", [2, 1, True, True, out([3, 2], [6, 5]), at([0, 2], [1, 2])])]  # fmt: skip
    for name, others in asked:
        wanted = [each.expected for each in others if isinstance(each, Out)]
        for got, want in zip(call(f"aclnn{name}", [x, *others], stream), wanted, strict=True):
            near(got, want)


@own("IndexPutImpl", "InplaceScatter", "InplaceScatterValue", "InplaceMaskedFillScalar", "InplaceMaskedFillTensor")
@pytest.mark.parametrize("kind", NUMBERS)
def test_elements_are_put(stream: int, kind: str) -> None:
    x, one = np.zeros((2, 3), dtype_of(kind)), np.array(1).astype(dtype_of(kind))
    column, mask = np.array([[2], [0]], np.int64), np.array([[False, False, True], [True, False, False]])
    want = mask.astype(x.dtype)
    rows = [np.array([0, 1, 1], np.int64), np.array([2, 0, 0], np.int64)]
    twice = np.array([[0, 0, 1], [2, 0, 0]]).astype(x.dtype)
    asked = [("InplaceScatter", [1, column, np.full((2, 1), one), 0], want), ("InplaceScatterValue", [1, column, 1, 0], want),
             ("InplaceMaskedFillScalar", [mask, 1], want), ("InplaceMaskedFillTensor", [mask, one], want),
             ("IndexPutImpl", [rows, one, False, False], want),
             ("IndexPutImpl", [rows, np.full(3, one), True, False], twice)]  # fmt: skip
    for name, others, expected in asked:
        near(call(f"aclnn{name}", [Out(expected, before=x), *others], stream)[0], expected)


@own("MaskedSelect", "Nonzero", "NonzeroV2")
@pytest.mark.parametrize("kind", NUMBERS)
def test_how_many_there_are_is_found_when_it_runs(stream: int, kind: str) -> None:
    x = np.array([[0, 5, 0], [7, 0, 9]]).astype(dtype_of(kind))
    got = call("aclnnMaskedSelect", [x, x != 0, Out(np.zeros(6, x.dtype))], stream)[0]
    near(got[:3], np.array([5, 7, 9]).astype(x.dtype))
    np.testing.assert_array_equal(call("aclnnNonzero", [x, Out(np.zeros((6, 2), np.int64))], stream)[0][:3], [[0, 1], [1, 0], [1, 2]])
    np.testing.assert_array_equal(
        call("aclnnNonzeroV2", [x, Out(np.zeros((2, 6), np.int64))], stream)[0].reshape(-1)[:6], [0, 1, 1, 1, 0, 2]
    )


@own("InplaceNormal", "NormalFloatFloat", "InplaceUniform", "InplaceRandom", "InplaceBernoulli", "InplaceBernoulliTensor", "Randperm")
@pytest.mark.parametrize("kind", ["float32", "float16", "bfloat16"])
def test_random_numbers_follow_their_distribution_and_seed(stream: int, kind: str) -> None:
    space = np.zeros(4000, dtype_of(kind))
    draw = lambda name, *others: wide(call(f"aclnnInplace{name}", [Out(space, before=space), *others], stream)[0])  # noqa: E731
    normal, uniform, whole = draw("Normal", 2.0, 3.0, 1, 4), draw("Uniform", -1.0, 3.0, 2**63 + 1, 8), draw("Random", 3, 7, 1, 0)
    assert abs(normal.mean() - 2) < 0.2
    assert abs(normal.std() - 3) < 0.2
    assert uniform.min() >= -1
    assert uniform.max() < 3
    assert abs(uniform.mean() - 1) < 0.1
    assert set(whole) == {3, 4, 5, 6}
    assert abs(draw("Bernoulli", 0.25, 1, 0).mean() - 0.25) < 0.03
    assert abs(draw("BernoulliTensor", np.full(4000, 0.75, np.float32), 1, 0).mean() - 0.75) < 0.03
    np.testing.assert_array_equal(draw("Normal", 2.0, 3.0, 1, 4), normal)
    assert (draw("Normal", 2.0, 3.0, 1, 5) != normal).any()
    assert (draw("Normal", 2.0, 3.0, 2, 4) != normal).any()
    np.testing.assert_array_equal(wide(call("aclnnNormalFloatFloat", [2.0, 3.0, 1, 4, Out(space)], stream)[0]), normal)
    order = call("aclnnRandperm", [100, 1, 0, Out(np.zeros(100, np.int64))], stream)[0]
    assert sorted(order) == list(range(100))
    assert list(order) != list(range(100))


def test_every_function_is_compared() -> None:
    compared = {f"aclnn{name}" for name in CASES} | set(IN_PLACE) | ROW_BY_ROW
    assert set(ROWS) <= compared, sorted(set(ROWS) - compared)
