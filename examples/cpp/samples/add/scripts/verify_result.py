# SPDX-License-Identifier: Apache-2.0
"""Compares two files of halves."""

import sys

import numpy as np

output, golden = (np.fromfile(name, np.float16) for name in sys.argv[1:3])
wrong = np.flatnonzero(output != golden) if output.size == golden.size else np.arange(1)
for index in wrong[:10]:
    print(f"data index: {index:06d}, expected: {golden[index]:-.9f}, actual: {output[index]:-.9f}")
if wrong.size:
    print("[Failed] result error")
    sys.exit(1)
print("test pass")
