# SPDX-License-Identifier: Apache-2.0
"""Writes the inputs and what is expected."""

import argparse
import os

import numpy as np

parser = argparse.ArgumentParser()
parser.add_argument("--count", type=int, required=True)
count = parser.parse_args().count
random = np.random.default_rng(7)
x, y = (random.uniform(-100, 100, count).astype(np.float16) for _ in range(2))
for folder in ("input", "output"):
    os.makedirs(folder, exist_ok=True)
x.tofile("./input/input_x.bin")
y.tofile("./input/input_y.bin")
(x + y).tofile("./output/golden.bin")
