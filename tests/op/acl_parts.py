# SPDX-License-Identifier: Apache-2.0
"""acl.op in tests: what is made is taken back, and the calls that every program has to make are made."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from op_parts import floats

import acl

ND, FLOAT, UINT64, UNDEFINED = 2, 0, 10, -1
SYS, AICORE, VECTOR = range(3)  # engines
HOST_TO_DEVICE, DEVICE_TO_HOST = 1, 2
OP = "Inline"  # the operator of most tests; its kernel writes down what it is given
QUEUE = 20000  # stored descriptions, unless somebody says otherwise


def ok(result: Any) -> Any:
    """What stands before a code of 0: nothing, one value, or a tuple of them."""
    *values, code = result if isinstance(result, tuple) else (result,)
    assert code == 0, f"{result!r}: {message()}"
    return values[0] if len(values) == 1 else tuple(values) or None


def message() -> str:
    """The sentences of what failed since the last time."""
    return acl.get_recent_err_msg() or ""


def tiling(one: int = 0, two: int = 0) -> bytes:
    """The struct that the kernel `inline_bytes` takes by value."""
    return np.uint64(one).tobytes() + np.uint32(two).tobytes() + bytes(4)


class Tensor:
    """A descriptor, device memory and the data buffer around it."""

    def __init__(self, array: NDArray[Any] | None, dims: Sequence[int], dtype: int) -> None:
        self.desc = acl.create_tensor_desc(dtype, list(dims), ND)
        self.nbytes = 0 if array is None else array.nbytes
        self.address = 0
        if array is not None:
            self.address = ok(acl.rt.malloc(max(array.nbytes, 1), 0))
            if array.nbytes:
                host = np.ascontiguousarray(array)
                ok(acl.rt.memcpy(self.address, host.nbytes, host.ctypes.data, host.nbytes, HOST_TO_DEVICE))
        self.buffer = acl.create_data_buffer(self.address, self.nbytes)

    def read(self, dtype: Any) -> NDArray[Any]:
        host = np.empty(self.nbytes // np.dtype(dtype).itemsize, dtype)
        ok(acl.rt.memcpy(host.ctypes.data, host.nbytes, self.address, host.nbytes, DEVICE_TO_HOST))
        return host

    def close(self) -> None:
        acl.destroy_data_buffer(self.buffer)
        acl.destroy_tensor_desc(self.desc)
        if self.address:
            acl.rt.free(self.address)


class Single:
    """One program that uses acl.op: `binary` gives the bytes of the file that has a kernel of that name."""

    def __init__(self, binary: Callable[[str], bytes]) -> None:
        self._binary = binary
        self._alive: list[Any] = []
        self._selectors: list[str] = []
        self._made: list[Tensor] = []
        self._streams: list[int] = []
        self._attrs: list[int] = []
        ok(acl.init())
        ok(acl.rt.set_device(0))
        self.stream = self.new_stream()

    def new_stream(self) -> int:
        self._streams.append(ok(acl.rt.create_stream()))
        return self._streams[-1]

    def tensor(self, array: NDArray[Any] | None, *, dims: Sequence[int] | None = None, dtype: int = FLOAT) -> Tensor:
        sides = array.shape if dims is None and array is not None else dims or ()
        self._made.append(Tensor(array, sides, dtype))
        return self._made[-1]

    def out(self, count: int = 16) -> Tensor:
        """`count` words, all 0."""
        return self.tensor(np.zeros(count, np.uint64), dtype=UINT64)

    def attr(self) -> int:
        self._attrs.append(acl.op.create_attr())
        return self._attrs[-1]

    def data(self, name: str) -> tuple[int, int]:
        """Address and size of a binary in host memory that lives as long as this does."""
        content = self._binary(name)
        self._alive.append(ctypes.create_string_buffer(content, len(content)))
        return ctypes.addressof(self._alive[-1]), len(content)

    def create_kernel(self, op_type: str, kernel_id: str, name: str, engine: int = VECTOR, deallocator: int = 0) -> int:
        """The code."""
        code: int = acl.op.create_kernel(op_type, kernel_id, name, *self.data(name), engine, deallocator)
        return code

    def select(self, op_type: str, function: Callable[..., Any]) -> None:
        ok(acl.op.register_compile_func(op_type, function))
        self._selectors.append(op_type)

    def synchronize(self) -> None:
        ok(acl.rt.synchronize_stream(self.stream))

    def close(self) -> None:
        for op_type in self._selectors:
            acl.op.unregister_compile_func(op_type)
        for stream in self._streams:
            acl.rt.destroy_stream(stream)
        for attr in self._attrs:
            acl.op.destroy_attr(attr)
        for tensor in self._made:
            tensor.close()
        acl.op.set_max_op_queue_num(QUEUE)
        acl.rt.reset_device(0)
        acl.finalize()
        message()


def choosing(kernel_id: str, args: bytes, *, blocks: int = 1, workspaces: Sequence[int] = ()) -> Callable[..., Any]:
    """A selector that takes one kernel, whatever it is asked for."""

    def select(num_in: int, ins: list[int], num_out: int, outs: list[int], attr: int, desc: int) -> None:
        set_args(desc, kernel_id, blocks, args)
        if workspaces:
            ok(set_sizes(desc, *workspaces))

    return select


def set_args(desc: int, kernel_id: str, blocks: int, args: bytes) -> None:
    host = ctypes.create_string_buffer(args, len(args))
    ok(acl.op.set_kernel_args(desc, kernel_id, blocks, ctypes.addressof(host), len(args)))
    ctypes.memset(host, 0xEE, len(args))  # it was copied


def set_sizes(desc: int, *values: int) -> int:
    """The code of a request for workspaces."""
    array = np.array(values, np.uint64)
    code: int = acl.op.set_kernel_workspace_sizes(desc, len(values), array.ctypes.data)
    return code


class Run:
    """Two inputs and an output, updated and executed."""

    def __init__(self, single: Single, count: int = 2) -> None:
        self.single, self.x, self.y, self.z = single, single.tensor(floats(count)), single.tensor(floats(count)), single.out()

    def update(self, attr: int = 0) -> int:
        code: int = acl.op.update_params(OP, [self.x.desc, self.y.desc], [self.z.desc], attr)
        return code

    def execute(self, attr: int = 0, stream: int | None = None) -> int:
        ins, outs = [self.x, self.y], [self.z]
        code: int = acl.op.execute_v2(
            OP,
            [each.desc for each in ins],
            [each.buffer for each in ins],
            [each.desc for each in outs],
            [each.buffer for each in outs],
            attr,
            self.single.stream if stream is None else stream,
        )
        return code

    def words(self) -> list[int]:
        self.single.synchronize()
        found: list[int] = self.z.read(np.uint64).tolist()
        return found
