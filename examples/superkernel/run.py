# SPDX-License-Identifier: Apache-2.0
"""A decode step of nine kernels, run one by one and fused into one launch: the same bits. `run.py FOLDER` also prints and saves its
three timelines."""

import sys
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aclimb import Buffer, Device, Kernel, LaunchConfig, Program, Stream, launch
from aclimb.fuse import ChainTimelines, Member, fuse, plan_of, timelines

FOLDER = Path(__file__).parent
ROWS, COLUMNS, TILE = 128, 64, 32
VECTORS, MATMULS = 32, 4  # AIVs of a vector kernel, blocks of a multiplication

Step = tuple[str, int, list[Any]]  # kernel, blocks, arguments


def buffers() -> dict[str, Buffer]:
    """Inputs, weights, and what the kernels hand to each other."""
    random = np.random.default_rng(7)
    made = {name: Buffer((ROWS, COLUMNS), np.float32) for name in ("scores", "scaled", "weights", "mixed", "up", "act", "y")}
    made["x"] = Buffer.from_array(random.standard_normal((ROWS, COLUMNS), np.float32))
    made |= {f"gamma{i}": Buffer.from_array(random.standard_normal(COLUMNS, np.float32)) for i in (1, 2)}
    made |= {f"w{i}": Buffer.from_array((random.standard_normal((COLUMNS, COLUMNS)) / 8).astype(np.float16)) for i in (1, 2)}
    made |= {f"norm{i}": Buffer((ROWS, COLUMNS), np.float16) for i in (1, 2)}
    made |= {f"space{i}": Buffer((MATMULS, TILE, COLUMNS), np.float32) for i in (1, 2)}
    return made


def steps(b: dict[str, Buffer]) -> list[Step]:
    tiles = ROWS // TILE
    return [
        ("rms_norm", VECTORS, [b["x"], b["gamma1"], b["norm1"], ROWS]),
        ("matmul_leaky_relu", MATMULS, [b["norm1"], b["w1"], b["scores"], b["space1"], tiles, 1.0]),
        ("scale", VECTORS, [b["scores"], b["scaled"], ROWS, 0.125]),
        ("softmax_rows", VECTORS, [b["scaled"], b["weights"], ROWS]),
        ("add_rows", VECTORS, [b["weights"], b["x"], b["mixed"], ROWS]),
        ("rms_norm", VECTORS, [b["mixed"], b["gamma2"], b["norm2"], ROWS]),
        ("matmul_leaky_relu", MATMULS, [b["norm2"], b["w2"], b["up"], b["space2"], tiles, 1.0]),
        ("silu", VECTORS, [b["up"], b["act"], ROWS]),
        ("add_rows", VECTORS, [b["act"], b["mixed"], b["y"], ROWS]),
    ]


def binaries() -> dict[str, Any]:
    """The operator binary of each kernel."""
    found = {}
    for source in (FOLDER / "decode.cpp", FOLDER.parent / "mix" / "matmul_leaky_relu.cpp"):
        binary = Program(source).compile()
        found.update(dict.fromkeys(binary.kernel_names, binary))
    return found


def separate() -> NDArray[Any]:
    """Nine launches."""
    kernels = {name: Kernel(binary, name) for name, binary in binaries().items()}
    stream, b = Stream(), buffers()
    for name, blocks, arguments in steps(b):
        launch(stream, LaunchConfig(blocks), kernels[name], *arguments)
    stream.synchronize()
    return b["y"].to_numpy()


def superkernel() -> Kernel:
    built = binaries()
    return Kernel(fuse([Member(built[name], blocks, name) for name, blocks, _ in steps(buffers())], name="decode"))


def fused() -> NDArray[Any]:
    """One launch."""
    kernel, stream, b = superkernel(), Stream(), buffers()
    arguments = [each for _, _, given in steps(b) for each in given]
    launch(stream, LaunchConfig(plan_of(kernel.binary).num_blocks), kernel, *arguments)
    stream.synchronize()
    return b["y"].to_numpy()


def three_timelines() -> ChainTimelines:
    """Separate, fused, and fused with early start, on the modelled chip."""
    built, b = binaries(), buffers()
    return timelines([Member(built[name], blocks, name) for name, blocks, _ in steps(b)], [given for _, _, given in steps(b)])


def in_numpy() -> NDArray[Any]:
    """The same in float64, for the order of magnitude of rounding."""
    b = {name: each.to_numpy().astype(np.float64) for name, each in buffers().items()}

    def norm(x: NDArray[Any], gamma: NDArray[Any]) -> NDArray[Any]:
        return x / np.sqrt((x * x).mean(axis=1, keepdims=True) + 1e-5) * gamma

    scaled = norm(b["x"], b["gamma1"]) @ b["w1"] * 0.125
    weights = np.exp(scaled - scaled.max(axis=1, keepdims=True))
    mixed = weights / weights.sum(axis=1, keepdims=True) + b["x"]
    up = norm(mixed, b["gamma2"]) @ b["w2"]
    return up / (1 + np.exp(-up)) + mixed


def run() -> tuple[NDArray[Any], NDArray[Any]]:
    """What the SuperKernel computed, and what separate launches do."""
    return fused(), separate()


if __name__ == "__main__":
    at_once, one_by_one = run()
    equal = int(np.count_nonzero(one_by_one.view(np.uint32) == at_once.view(np.uint32)))
    plan = plan_of(superkernel().binary)
    early = sum(pair.set_by == "idle" or pair.wait_by == "idle" for pair in plan.pairs)
    where = f"{Device().chip.name} (modelled), {plan.num_blocks:>2} blocks"
    print(
        f"decode             {where}   {equal} of {at_once.size} equal to separate launches; {len(plan.subs)} kernels, {early} early starts"
    )
    if len(sys.argv) > 1:  # a folder: what the three ways cost, and their traces
        found = three_timelines()
        print(found)
        print(*found.save(sys.argv[1]), sep="\n")
    raise SystemExit(equal != at_once.size)
