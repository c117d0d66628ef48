# SPDX-License-Identifier: Apache-2.0
"""Three operators: Concat and Softmax in two stages, AddRmsNorm with tiling. Each is registered, called and taken back."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aclimb import Device, op

sys.path.append(str(Path(__file__).parent))
import add_rms_norm.operator
import concat.operator
import softmax.operator

Answer = tuple[NDArray[Any], NDArray[Any]]
RTOL = {"Concat": 0.0, "AddRmsNorm": 1e-5, "Softmax": 2e-5}  # sums are taken in another order than NumPy's


def run() -> dict[str, Answer]:
    """What the device computed, and what NumPy does, for each operator."""
    random = np.random.default_rng(4)
    return {
        "Concat": run_concat([random.integers(0, 99, (40, length), np.int32) for length in (3, 64, 0, 500)]),
        "AddRmsNorm": run_add_rms_norm(*random.normal(size=(2, 30, 7000)).astype(np.float32), np.ones(7000, np.float32)),
        "Softmax": run_softmax(random.normal(size=(2, 50000)).astype(np.float32)),
    }


def run_concat(arrays: list[NDArray[Any]]) -> Answer:
    join = concat.operator.make()
    with join.registered():
        return join(arrays, axis=1).to_numpy(), np.concatenate(arrays, axis=1)


def run_add_rms_norm(x1: NDArray[Any], x2: NDArray[Any], gamma: NDArray[Any]) -> Answer:
    norm = add_rms_norm.operator.make()
    with norm.registered():
        y, _, _ = norm(x1, x2, gamma, epsilon=1e-5)
        return y.to_numpy(), add_rms_norm.operator.tiling.reference(x1, x2, gamma, 1e-5)[0]


def run_softmax(x: NDArray[Any]) -> Answer:
    normalise = softmax.operator.make()
    with normalise.registered():
        return normalise(x).to_numpy(), softmax.operator.tiling.reference(x)


def lines() -> Iterator[tuple[str, bool]]:
    """A line for each operator, and whether it was right. What it launched is in the line."""
    steps: list[op.Step] = []
    with op.observe(steps.append):
        answers = run()
    for name, (got, expected) in answers.items():
        close = int(np.count_nonzero(np.isclose(got, expected, rtol=RTOL[name], atol=0)))
        launches = [launched for step in steps if step.operator == name for launched in step.launches]
        where = f"{Device().chip.name} (modelled), {len(launches)} {'kernel ' if len(launches) == 1 else 'kernels'}"
        how = f"within {RTOL[name]:g} of numpy" if RTOL[name] else "equal to numpy"
        yield f"{name:<18} {where}   {close} of {got.size} {how}", close == got.size


if __name__ == "__main__":
    right = []
    for line, ok in lines():
        print(line)
        right.append(ok)
    raise SystemExit(not all(right))
