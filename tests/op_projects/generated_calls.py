# SPDX-License-Identifier: Apache-2.0
"""Calls of the operators of projects/: shapes and attributes, for every row of types that the operator declares on the chip in use."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import generated_references
import numpy as np
from numpy.typing import NDArray

from aclimb import Stream, op
from aclimb.op.declare.kernel import kernel_name
from aclimb.op.node.dtypes import dtype_of

HERE = Path(__file__).parent
PROJECTS = HERE / "projects"
HEADERS = HERE / "more_headers"
WORDS = {"from_words": ("-DFIRST_GAIN=7", f"-I{HEADERS / 'three'}")}  # of the command line
Shape = tuple[int, ...]


@dataclass(frozen=True)
class Call:
    operator: str
    shapes: Sequence[Shape | list[Shape] | None]  # of the inputs: a list is a dynamic one, None an optional one that is left out
    attrs: Mapping[str, Any] = field(default_factory=dict)
    said: Mapping[str, Any] = field(default_factory=dict)  # to the reference alone


CALLS: dict[str, tuple[Call, ...]] = {
    "scale_shift": (
        Call("ScaleShift", [(1000,)]),
        Call("ScaleShift", [(7, 31)], {"scale": -3, "shift": 10}),
        Call("ScaleShift", [(1,)], {"shift": 0}),
    ),
    "weigh_segments": (Call("WeighSegments", [(1000,)]), Call("WeighSegments", [(130,)]), Call("WeighSegments", [(256,)])),
    "by_key": (
        *(Call("ByKey", [(200,)], {"mode": mode}) for mode in (0, 1, 2)),
        Call("Pick", [(200,)], {"low": -2.0}),
        Call("Pick", [(255,)], {"low": -2.5, "high": 3.0}),
    ),
    "odd_fields": (
        Call("OddFields", [(333,)]),
        Call("OddFields", [(5, 9)], {"negative": True, "large": -2, "added": [False, True, True]}),
    ),
    "maybe_bias": (
        Call("MaybeBias", [(5, 40), None]),
        Call("MaybeBias", [(5, 40), (40,)]),
        Call("MaybeBias", [(2, 2, 33), (33,)], {"alpha": -0.5, "activation": "relu", "offsets": [-1, 2]}),
    ),
    "join_many": tuple(Call("JoinMany", [(9,), [(3 + i, 7) for i in range(count)]]) for count in (1, 3, 5)),
    "turn_type": (Call("TurnType", [(1, 2, 3, 7, 16)]),),
    "two_sides": (
        Call("RaiseFloor", [(77,)]),
        Call("LowerRoof", [(77,)]),
        Call("RaiseFloor", [(8, 8)], {"edge": -1.0}),
        Call("LowerRoof", [(8, 8)], {"edge": -1.0}),
    ),
    "by_options": (Call("GrowByOption", [(100,)]), Call("GrowPlain", [(100,)])),
    "renamed": (Call("Renamed", [(50,)]), Call("Chosen", [(50,)]), Call("Deeper", [(50,)])),
    "rooms": (Call("NoRoom", [(300,)]), Call("EmptyRoom", [(300,)]), Call("OwnRoom", [(300,)])),
    "per_chip": (Call("PerChip", [(345,)]),),
    "part_structs": (Call("PartStructs", [(700,)]), Call("PartStructs", [(3, 5)], {"addend": 1})),
    "mixed_product": (Call("MixedProduct", [(64, 48), (48, 32)]), Call("MixedProduct", [(32, 32), (32, 64)], {"addend": -2.0})),
    "from_words": (Call("FromWords", [(99,)]),),
}


def expected(call: Call, arrays: Sequence[Any], row: Mapping[str, str]) -> NDArray[Any]:
    said = dict(call.said) | ({"extra": 1.0} if row.get("x.format") == "NC1HWC0" else {})
    reference = getattr(generated_references, kernel_name(call.operator))
    made: NDArray[Any] = reference(*arrays, **call.attrs, **said)
    return made


def compare_all(package: Path, name: str) -> None:
    """All calls of a project's operators, on the chip in use."""
    stream = Stream()
    with op.load(package) as library:
        assert set(library.operators) == {each.operator for each in CALLS[name]}, "a call for every operator"
        for call in CALLS[name]:
            compared = list(compare(library, call, stream))
            assert len(compared) == len(set(compared)) == len(library[call.operator].combinations), compared


def compare(library: op.Library, call: Call, stream: Stream) -> Iterator[tuple[str, ...]]:
    """The types and formats of each row that was called and compared."""
    operator = library[call.operator]
    for number, row in enumerate(operator.combinations):
        arrays = [_arrays(shape, row.get(name, ""), number) for name, shape in zip(operator.inputs, call.shapes, strict=True)]
        given = [_formatted(each, row.get(f"{name}.format", "ND")) for name, each in zip(operator.inputs, arrays, strict=True)]
        got = operator(*given, stream=stream, **call.attrs)
        stream.synchronize()
        wanted = expected(call, arrays, row)
        assert got.dtype == wanted.dtype, row
        np.testing.assert_array_equal(got.to_numpy(), wanted, err_msg=f"{call} {row}")
        yield tuple(row.values())


def _arrays(shape: Shape | list[Shape] | None, dtype: str, seed: int) -> Any:
    if shape is None:
        return None
    if isinstance(shape, list):
        return [_arrays(each, dtype, seed + 7 * i) for i, each in enumerate(shape)]
    return (np.random.default_rng(seed).integers(-16, 17, shape) / 2).astype(dtype_of(dtype))


def _formatted(array: Any, form: str) -> Any:
    return array if form == "ND" or array is None else op.tensor(array, format=form)
