# SPDX-License-Identifier: Apache-2.0
"""Chains of small kernels, run in three ways: in NumPy, as separate launches, fused."""

from __future__ import annotations

import random
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from aclimb import Buffer, Kernel, KernelBinary, LaunchConfig, Stream, launch
from aclimb.fuse import FuseOptions, Member, fuse

KERNELS = Path(__file__).parent / "kernels"
ROWS, WORDS, BUFFERS = 48, 16, 3
CORES = {"v": 48, "c": 24, "m1": 24, "m2": 24}


@dataclass(frozen=True)
class Link:
    """One kernel of a chain: which, on how many blocks, from which buffer to which."""

    kernel: str
    blocks: int
    source: int
    target: int
    step: int
    shift: int

    def compute(self, buffers: list[np.ndarray[Any, Any]]) -> None:
        before = buffers[self.source].copy()
        for row in range(self.blocks):
            buffers[self.target][row] = before[(row + self.shift) % ROWS] + self.step

    def arguments(self, buffers: list[Buffer]) -> list[Any]:
        return [buffers[self.source], buffers[self.target], self.step, self.shift, ROWS]


def random_chain(rng: random.Random, length: int, most: int = 48) -> list[Link]:
    chain = []
    for _ in range(length):
        kind = rng.choice(["v", "v", "c", "m1", "m2"])
        name = kind + rng.choice(["", "_set", "_wait", "_both"])
        source = rng.randrange(BUFFERS)
        target = rng.choice([each for each in range(BUFFERS) if each != source])
        blocks = rng.randint(1, min(most, CORES[kind]))
        chain.append(Link(name, blocks, source, target, rng.randrange(1000), rng.randrange(ROWS)))
    return chain


def start() -> list[np.ndarray[Any, Any]]:
    return [np.arange(ROWS * WORDS, dtype=np.int32).reshape(ROWS, WORDS) * (i + 1) for i in range(BUFFERS)]


def in_numpy(chain: list[Link]) -> list[np.ndarray[Any, Any]]:
    buffers = start()
    for link in chain:
        link.compute(buffers)
    return buffers


def separately(chain: list[Link], kernels: dict[str, Kernel], stream: Stream) -> list[np.ndarray[Any, Any]]:
    buffers = [Buffer.from_array(each) for each in start()]
    for link in chain:
        launch(stream, LaunchConfig(link.blocks), kernels[link.kernel], *link.arguments(buffers))
    stream.synchronize()
    return [each.to_numpy() for each in buffers]


def fused_binary(chain: list[Link], binary: KernelBinary, options: FuseOptions | str | None = None) -> KernelBinary:
    return fuse([Member(binary, link.blocks, link.kernel) for link in chain], options)


def fused(chain: list[Link], kernel: Kernel, stream: Stream) -> list[np.ndarray[Any, Any]]:
    buffers = [Buffer.from_array(each) for each in start()]
    assert kernel.binary.plan is not None
    arguments = [argument for link in chain for argument in link.arguments(buffers)]
    launch(stream, LaunchConfig(kernel.binary.plan.num_blocks), kernel, *arguments)
    stream.synchronize()
    return [each.to_numpy() for each in buffers]
