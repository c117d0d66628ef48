# SPDX-License-Identifier: Apache-2.0
"""Writes the inputs and what is expected."""

import numpy as np

random = np.random.default_rng(8)
x, y = (random.uniform(1, 100, (4, 1024)).astype(np.float16) for _ in range(2))
x.tofile("./input/input_x.bin")
y.tofile("./input/input_y.bin")
(x + y).tofile("./output/golden.bin")
