# SPDX-License-Identifier: Apache-2.0
"""A front end's own process: `front_end.py LAUNCHER.so KERNEL.o`. Its exit handler is there before anything of aclimb is."""

from __future__ import annotations

import atexit
import ctypes
import importlib.util
import sys
from pathlib import Path
from typing import Any

import numpy as np

path, binary = Path(sys.argv[1]), Path(sys.argv[2]).read_bytes()
launcher: Any = None


@atexit.register
def leave() -> None:
    print("reset", launcher.close_device(*[0] * is_plain), flush=True)


is_plain = "module" not in path.name
if is_plain:
    launcher = ctypes.CDLL(str(path))
    launcher.scale_rows.argtypes = [ctypes.c_char_p, ctypes.c_uint64, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int32, ctypes.c_float,
                                    ctypes.c_uint32]  # fmt: skip
else:
    spec = importlib.util.spec_from_file_location("launcher", path)
    assert spec is not None
    launcher = importlib.util.module_from_spec(spec)

assert launcher.open_device(*[0] * is_plain) == 0
x = np.arange(512, dtype=np.float32).reshape(8, 64)
for factor in (0.5, 3.0):
    y = np.full_like(x, -1)
    if is_plain:
        code = launcher.scale_rows(binary, len(binary), x.ctypes.data, y.ctypes.data, 64, factor, 8)
    else:
        code = launcher.scale_rows(binary, x, y, 64, factor, 8)
    assert code == 0, code
    np.testing.assert_array_equal(y, x * np.float32(factor))
print("right", flush=True)
