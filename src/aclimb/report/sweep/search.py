# SPDX-License-Identifier: Apache-2.0
"""Which combination to try next, when there are too many to try them all.

First a few that lie far apart. Then those where a Gaussian process over what was seen expects to gain most: neighbours behave alike, on
the logarithm of the objective, so that a factor counts the same everywhere. Runs that failed say where others are likely to fail; the gain
expected there counts less. Nothing is random beyond a fixed seed: the same axes, budget and times give the same search.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from aclimb.report.sweep.points import Axis

Index = tuple[int, ...]
Array = np.ndarray[Any, Any]
REACH = 0.6  # how far a run says something about others, where an axis is 1 long
NOISE = 1e-4  # of the logarithm: modelled times repeat exactly, but steps of a grid do not lie on a smooth surface
CANDIDATES = 5_000  # looked at each time; of more combinations so many are drawn
GAIN = 0.01  # what counts as better


class Search:
    def __init__(self, axes: Sequence[Axis], seed: int = 1) -> None:
        self.axes = axes
        self.random = np.random.default_rng(seed)
        self.tried: dict[Index, float | None] = {}
        self.count = math.prod(len(axis.values) for axis in axes)

    def tell(self, index: Index, value: float | None) -> None:
        self.tried[index] = value

    @property
    def best(self) -> float:
        return min((value for value in self.tried.values() if value is not None), default=math.inf)

    def ask(self, count: int, *, first: int) -> list[Index]:
        """Up to `count` combinations that were not tried; of the first ones in all, `first` are spread out."""
        pool = self._untried()
        if not pool:
            return []
        if len(self.tried) < first or self.best == math.inf:
            return self._spread(pool, count)
        return self._promising(pool, count)

    def _untried(self) -> list[Index]:
        if self.count <= CANDIDATES:
            return [index for index in itertools.product(*(range(len(axis.values)) for axis in self.axes)) if index not in self.tried]
        drawn = {tuple(int(self.random.integers(len(axis.values))) for axis in self.axes) for _ in range(CANDIDATES)}
        return sorted((drawn | self._neighbours()) - set(self.tried))

    def _neighbours(self) -> set[Index]:
        """One step along one axis from the five best."""
        good = sorted((value, index) for index, value in self.tried.items() if value is not None)[:5]
        found = set()
        for _, index in good:
            for number, axis in enumerate(self.axes):
                for value in (index[number] - 1, index[number] + 1):
                    if 0 <= value < len(axis.values):
                        found.add((*index[:number], value, *index[number + 1 :]))
        return found

    def _spread(self, pool: list[Index], count: int) -> list[Index]:
        """One after the other the combination that is farthest from those there are; the first is the middle."""
        points = self._coordinates(pool)
        chosen: list[Index] = []
        known = self._coordinates(list(self.tried)) if self.tried else None
        for _ in range(min(count, len(pool))):
            if known is None:
                at = int(np.argmin(((points - 0.5) ** 2).sum(axis=1)))
                known = points[at : at + 1]
            else:
                nearest = _squares(points, known).min(axis=1)
                at = int(np.argmax(nearest))
                known = np.concatenate([known, points[at : at + 1]])
            chosen.append(pool[at])
        return list(dict.fromkeys(chosen))

    def _promising(self, pool: list[Index], count: int) -> list[Index]:
        """By expected gain; each that is chosen is taken to come out as expected, so that the next one is not its neighbour."""
        good = [(index, math.log(max(value, 1e-12))) for index, value in self.tried.items() if value is not None]
        seen, values = self._coordinates([index for index, _ in good]), np.array([value for _, value in good])
        points, runs = self._coordinates(pool), self._runs(pool)
        chosen: list[Index] = []
        for _ in range(min(count, len(pool))):
            mean, spread = _process(seen, values, points)
            gains = _expected_gain(mean, spread, float(values.min())) * runs
            gains[[pool.index(index) for index in chosen]] = -1.0
            at = int(np.argmax(gains))
            chosen.append(pool[at])
            seen, values = np.concatenate([seen, points[at : at + 1]]), np.append(values, mean[at])
        return chosen

    def _runs(self, pool: list[Index]) -> Array:
        """How likely each is to run at all, by what became of its neighbours; never nothing."""
        ran = np.array([value is not None for value in self.tried.values()], dtype=float)
        if ran.all():
            return np.ones(len(pool))
        likely, _ = _process(self._coordinates(list(self.tried)), ran, self._coordinates(pool))
        return np.asarray(np.clip(likely, 0.02, 1.0))

    def _coordinates(self, indices: Sequence[Index]) -> Array:
        """Numbers lie in their order between 0 and 1; names are each a direction of its own."""
        columns = np.array(indices).reshape(len(indices), len(self.axes))
        parts = []
        for number, axis in enumerate(self.axes):
            if axis.is_number:
                order = np.argsort(np.argsort([float(value) for value in axis.values])) / max(1, len(axis.values) - 1)
                parts.append(order[columns[:, number], None])
            else:
                parts.append(0.7 * np.eye(len(axis.values))[columns[:, number]])
        return np.concatenate(parts, axis=1)


def _process(seen: Array, values: Array, points: Array) -> tuple[Array, Array]:
    """Mean and standard deviation of a Gaussian process at `points`."""
    middle, size = values.mean(), max(float(values.std()), 1e-3)
    factor = np.linalg.cholesky(_likeness(seen, seen) + (NOISE / size + 1e-8) * np.eye(len(seen)))
    cross = np.linalg.solve(factor, _likeness(seen, points))
    weights = np.linalg.solve(factor, (values - middle) / size)
    variance = np.maximum(1e-12, 1.0 - (cross**2).sum(axis=0))
    return middle + size * (weights @ cross), size * np.sqrt(variance)


def _likeness(a: Array, b: Array) -> Array:
    distance = np.sqrt(_squares(a, b)) / REACH
    return np.asarray((1.0 + math.sqrt(3) * distance) * np.exp(-math.sqrt(3) * distance))  # Matern 3/2: kinks are allowed


def _squares(a: Array, b: Array) -> Array:
    """Squared distances, each of `a` to each of `b`."""
    return np.asarray(np.maximum(0.0, (a**2).sum(axis=1)[:, None] + (b**2).sum(axis=1)[None, :] - 2.0 * a @ b.T))


def _expected_gain(mean: Array, spread: Array, best: float) -> Array:
    steps = (best - mean) / spread
    density = np.exp(-0.5 * steps**2) / math.sqrt(2 * math.pi)
    below = 0.5 * (1.0 + np.array([math.erf(step / math.sqrt(2)) for step in steps]))
    return np.asarray(spread * (steps * below + density))
