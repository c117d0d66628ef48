# SPDX-License-Identifier: Apache-2.0
"""What the tests of `acl` say again and again: an answer taken apart, bytes moved, a kernel launched, another thread or process."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

import acl

# Copy kinds.
HOST_TO_HOST, HOST_TO_DEVICE, DEVICE_TO_HOST, DEVICE_TO_DEVICE, BY_ADDRESS, STAGED = range(6)


def code(result: Any) -> int:
    """The last value of an answer."""
    last = result[-1] if isinstance(result, tuple) else result
    assert type(last) is int, f"{result!r} does not end in a code"
    return last


def ok(result: Any) -> Any:
    """What stands before a code of 0: nothing, one value, or a tuple of them."""
    assert code(result) == 0, f"{result!r}: {message()}"
    values = result[:-1] if isinstance(result, tuple) else ()
    return values[0] if len(values) == 1 else values or None


def message() -> str:
    """The sentences of what failed since the last time; empty when nothing did."""
    return acl.get_recent_err_msg() or ""


def write(address: int, values: NDArray[Any]) -> None:
    """Host array to device memory. It does not wait for kernels."""
    host = np.ascontiguousarray(values)
    ok(acl.rt.memcpy(address, host.nbytes, host.ctypes.data, host.nbytes, HOST_TO_DEVICE))


def read(address: int, count: int, dtype: DTypeLike = np.int32) -> NDArray[Any]:
    """Device memory to a host array. It does not wait for kernels."""
    host = np.empty(count, dtype)
    ok(acl.rt.memcpy(host.ctypes.data, host.nbytes, address, host.nbytes, DEVICE_TO_HOST))
    return host


def noise(count: int, seed: int = 1) -> NDArray[np.uint8]:
    """The same bytes every time, another seed gives others."""
    return np.random.default_rng(seed).integers(0, 256, count, np.uint8)


def argument_list(function: int, *values: Any) -> int:
    """A finalised list of this thread. An int is an address of 8 bytes; everything else is a NumPy value or array."""
    args: int = ok(acl.rt.kernel_args_init(function))
    for value in values:
        data = (np.uint64(value) if isinstance(value, int) else value).tobytes()
        host = ctypes.create_string_buffer(data, len(data))
        ok(acl.rt.kernel_args_append(args, ctypes.addressof(host), len(data)))
    ok(acl.rt.kernel_args_finalize(args))
    return args


def launch(function: int, num_blocks: int, stream: int, *values: Any, config: Sequence[dict[str, int]] = ()) -> int:
    """The code of a launch with these parameters; see `argument_list`."""
    args = argument_list(function, *values)
    return code(acl.rt.launch_kernel_with_config(function, num_blocks, stream, list(config), args, 0))


def in_thread(call: Callable[[], Any]) -> Any:
    """What `call` gives in a thread of its own; what it raises is raised here."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(call).result(60)


def run_program(text: str, **environment: str) -> list[str]:
    """The lines that a program prints in a process of its own."""
    command = [sys.executable, "-c", text]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, env={**os.environ, **environment}, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout.splitlines()
