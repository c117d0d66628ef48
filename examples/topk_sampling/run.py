# SPDX-License-Identifier: Apache-2.0
"""The next token, out of the k likeliest: TopK of pieces of the vocabulary and of what they found, SoftMax, CumSum, a uniform number."""

import ctypes
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aclimb import Buffer, Device, Kernel, LaunchConfig, Program, Stream, launch
from aclimb.tiling import library

SOURCE = Path(__file__).with_name("topk_sampling.cpp")
SEQUENCES, VOCABULARY, K = 50, 32000, 40
LONGEST = 4096  # that TopK takes


TopK, SoftMax = (ctypes.c_byte * len(kind().pack()) for kind in (library.TopkTiling, library.SoftMaxTiling))


class Plan(ctypes.Structure):
    """As in topk_sampling.cpp."""

    _fields_ = (
        ("of_piece", TopK),
        ("of_candidates", TopK),
        ("of_best", SoftMax),
        *((name, ctypes.c_uint32) for name in ("sequences", "vocabulary", "k", "piece", "pieces", "together", "candidates", "scratch")),
    )


@cache
def kernel() -> Kernel:
    return Kernel(Program(SOURCE).compile())


def up(value: int, unit: int) -> int:
    return -(-value // unit) * unit


def plan(sequences: int, vocabulary: int, k: int, together: int = 1, longest: int = LONGEST) -> Plan:
    """Pieces of about the same length. `together`: so many of them are one AIV's, one after the other."""
    piece = up(-(-vocabulary // -(-vocabulary // longest)), 32)
    pieces = -(-vocabulary // piece)
    candidates, best = up(pieces * k, 32), up(k, 8)
    tilings = (
        library.top_k_tiling_func(piece, 1, k, 4),
        library.top_k_tiling_func(candidates, 1, k, 4),
        library.soft_max_tiling_func((1, best), 4, library.get_soft_max_max_min_tmp_size((1, best))[0]),
    )
    scratch = max(
        library.get_top_k_max_min_tmp_size(max(piece, candidates), 1)[0],
        library.get_soft_max_max_min_tmp_size((1, best))[0],
    )
    parts = (kind.from_buffer_copy(tiling.pack()) for kind, tiling in zip((TopK, TopK, SoftMax), tilings, strict=True))
    return Plan(*parts, sequences, vocabulary, k, piece, pieces, together, candidates, scratch)


def sample(stream: Stream, logits: Buffer, uniform: Buffer, plan: Plan) -> Buffer:
    """Tokens on the device."""
    chosen = Buffer(plan.sequences, np.int32)
    candidates = Buffer((2, plan.sequences, plan.pieces, plan.k), np.uint32)
    launch(stream, LaunchConfig(num_blocks=Device().chip.aiv_cores), kernel(), logits, uniform, chosen, candidates, bytes(plan))
    return chosen


def reference(logits: NDArray[Any], uniform: NDArray[Any], k: int) -> NDArray[Any]:
    """In double precision. Of equal logits the first ones count."""
    tokens = np.argsort(-logits, axis=1, kind="stable")[:, :k]
    best = np.take_along_axis(logits, tokens, axis=1).astype(np.float64)
    odds = np.exp(best - best[:, :1])
    sums = np.cumsum(odds / odds.sum(axis=1, keepdims=True), axis=1)
    at = np.minimum(np.count_nonzero(sums <= uniform[:, None], axis=1), k - 1)
    return np.asarray(tokens[np.arange(len(tokens)), at], np.int32)


def run(
    sequences: int = SEQUENCES, vocabulary: int = VOCABULARY, k: int = K, together: int = 1, stream: Stream | None = None
) -> tuple[NDArray[Any], NDArray[Any]]:
    """What the device chose, and what NumPy does with the same random numbers."""
    random = np.random.default_rng(21)
    logits = random.normal(0, 2, (sequences, vocabulary)).astype(np.float32)
    uniform = random.uniform(size=sequences).astype(np.float32)
    chosen = sample(stream or Stream(), *map(Buffer.from_array, (logits, uniform)), plan(sequences, vocabulary, k, together))
    return chosen.to_numpy(), reference(logits, uniform, k)


if __name__ == "__main__":
    got, expected = run()
    equal = int(np.count_nonzero(got == expected))
    where = f"{Device().chip.name} (modelled), {Device().chip.aiv_cores:>2} blocks"
    print(f"topk_sampling      {where}   {equal} of {got.size} equal to numpy")
    raise SystemExit(equal != got.size)
