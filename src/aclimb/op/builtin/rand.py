# SPDX-License-Identifier: Apache-2.0
"""Random numbers: the same for the same seed and offset, and others than a chip's"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

TABLE = """
aclnnInplaceNormal            r self, f mean, f std, i seed, i offset            normal
aclnnNormalFloatFloat         f mean, f std, i seed, i offset, o out             normal_out
aclnnInplaceUniform           r self, g from, g to, u seed, u offset             uniform
aclnnInplaceRandom            r self, i from, i to, i seed, i offset             integers
aclnnInplaceBernoulli         r self, s prob, i seed, i offset                   bernoulli
aclnnInplaceBernoulliTensor   r self, t prob, i seed, i offset                   bernoulli
aclnnRandperm                 i n, i seed, i offset, o out                       permutation
"""
Array = NDArray[Any]


def _generator(seed: int, offset: int) -> np.random.Generator:
    return np.random.Generator(np.random.Philox(key=seed % 2**64, counter=offset % 2**64))


def normal(self: Array, mean: float, std: float, seed: int, offset: int) -> None:
    self[...] = _generator(seed, offset).normal(mean, std, self.shape)


def normal_out(mean: float, std: float, seed: int, offset: int, out: Array) -> None:
    normal(out, mean, std, seed, offset)


def uniform(self: Array, lowest: float, end: float, seed: int, offset: int) -> None:
    """Below `end`: what rounding would lift to it is drawn down."""
    drawn = _generator(seed, offset).uniform(lowest, end, self.shape).astype(self.dtype)
    self[...] = np.where(drawn.astype(np.float64) >= end, np.asarray(lowest, self.dtype), drawn) if end > lowest else drawn


def integers(self: Array, lowest: int, end: int, seed: int, offset: int) -> None:
    self[...] = _generator(seed, offset).integers(lowest, end, self.shape)


def bernoulli(self: Array, prob: Array, seed: int, offset: int) -> None:
    self[...] = _generator(seed, offset).random(self.shape) < prob.astype(np.float64)


def permutation(n: int, seed: int, offset: int, out: Array) -> None:
    out[...] = _generator(seed, offset).permutation(n)
