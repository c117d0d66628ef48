# SPDX-License-Identifier: Apache-2.0
"""Builds the kernel and runs the pyACL program on it."""

import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aclimb import Program, knobs

HERE = Path(__file__).parent


def run() -> tuple[NDArray[Any], NDArray[Any]]:
    """What the device computed, and what NumPy does."""
    sys.path.insert(0, str(HERE))
    import program

    with tempfile.TemporaryDirectory() as folder:
        got, expected = program.main(str(Program(HERE / "affine.cpp").compile().save(folder)))
    return got, expected


if __name__ == "__main__":
    got, expected = run()
    equal = int(np.count_nonzero(got == expected))
    where = f"{knobs.soc()} (modelled),  8 blocks"
    print(f"affine             {where}   {equal} of {got.size} equal to numpy, through acl")
    raise SystemExit(equal != got.size)
