# SPDX-License-Identifier: Apache-2.0
"""A program that calls everything in `acl` and `aclimb.capi` with whatever it finds: `fuzz.py SEED COUNT KERNEL.o LAST`.

Wild, stale and device addresses, handles, lengths around 2**31 and 2**32, negative and huge numbers, wrong types. Before each call its
text goes to the file LAST, so that who waits for a crash or a hang can say which call it was. Host memory that calls may write to lies
between pages that nobody may touch: what a wrong length overwrites on a real host, too, is not what is tested here.
"""

from __future__ import annotations

import ctypes
import mmap
import operator
import os
import random
import signal
import sys
from pathlib import Path
from typing import Any

import acl
from acl import _assemble
from aclimb import calls, capi

HANG_S = 20
PAGE, ROOM = 4096, 64 << 10
LENGTHS = [0, 1, 4, 7, 8, 16, 64, 100, 4095, 4096, 4097, 8192, 2**31 - 1, 2**31, 2**31 + 1, 2**32 - 1, 2**32, 2**32 + 8, 2**40, 2**63,
           2**64 - 8, 2**64 - 1, -1, -8, -(2**31), 2**70]  # fmt: skip
WILD = [0, 1, 8, 4095, 65536, 2**31, 2**32, 2**47 - 8, 2**47, 2**48, 2**63, 2**64 - 4096, 2**64 - 1, 0x0AC0 << 48, -1]
SMALL = [-(2**31), -2, -1, 0, 1, 2, 3, 4, 5, 7, 8, 16, 100, 2**16, 2**31 - 1, 2**31, 2**32, 2**63, 2**70]
WRONG = [None, "", "text", b"bytes", 1.5, [], {}, (), True, [1], [None], {"a": 1}, object(), 2**200, float("nan"), "a\0b", len, [{}],
         [{"id": 1, "value": 1}], [{"id": 2**40, "value": -1}], [{"type": 1, "value": 2}], [{"addrOffset": 0, "dataOffset": 8}],
         [{"addrOffset": 2**32, "dataOffset": 2**63}], [[1, 2]], [2**63, -1]]  # fmt: skip
TEXTS = ["", "k", "k_0", "Add", "x", "no/such/file.o", "/dev/null", "/proc/self/mem", ".", "é" * 40, "x" * 5000]
ADDRESS_NAMES = {"ptr", "dst", "src", "data", "value", "args", "memory", "address", "sizes", "buffer"}
LENGTH_NAMES = {"size", "length", "count", "width", "height", "dpitch", "spitch", "dst_max", "max_count", "max_bytes", "user_size", "n"}
KEEPS = ("malloc", "malloc_host", "create_", "binary_load", "binary_get_function", "kernel_args_init", "kernel_args_append")
# These wait until somebody comes, as on hardware: a callback that nobody fetches keeps its stream, and its queue the caller.
NOT_CALLABLE = {"launch_callback", "aclrtLaunchCallback"}
AT_MOST_MS = {"process_report", "aclrtProcessReport"}


def rows() -> list[tuple[Any, calls.Row]]:
    """Every call with its row."""
    found = [(operator.attrgetter(path.partition(".")[2])(acl), row) for path, row in _assemble.ROWS.items()]
    return found + [(getattr(capi, name), row) for name, row in capi.ROWS.items()]


class Fuzz:
    def __init__(self, seed: int, kernel: str) -> None:
        self.random = random.Random(seed)
        self.kernel, self.code = kernel, Path(kernel).read_bytes()
        self.host, self.closed = self.guarded_memory()
        self.addresses: list[int] = []  # of the device and of malloc_host, alive and freed
        self.handles: list[int] = []
        self.good: dict[str, list[Any]] = {}
        self.begin()

    def guarded_memory(self) -> tuple[list[int], list[int]]:
        """Addresses in host memory that may be used, with the kernel's binary in it, and in pages around it that may not."""
        self.memory = mmap.mmap(-1, ROOM + 2 * PAGE)
        start = ctypes.addressof(ctypes.c_char.from_buffer(self.memory))
        first, end = start + PAGE, start + PAGE + ROOM
        self.code_at = end - (len(self.code) + 15) // 16 * 16
        ctypes.memmove(self.code_at, self.code, len(self.code))
        for at in (start, end):
            assert ctypes.CDLL(None).mprotect(ctypes.c_void_p(at), ctypes.c_size_t(PAGE), 0) == 0
        return [first, first + 8, first + 1024, end - 64, end - 1], [start, end]

    def begin(self) -> None:
        """What a good program has, so that calls come further than their first check. What was there before is stale, or was reset."""
        acl.init()
        acl.rt.set_device(0)
        binary, _ = acl.rt.binary_load_from_file(self.kernel, [])
        function, _ = acl.rt.binary_get_function(binary, "k")
        stream, _ = acl.rt.create_stream()
        args, _ = acl.rt.kernel_args_init(function)
        for _ in range(2):
            acl.rt.kernel_args_append(args, self.host[0], 8)
        acl.rt.kernel_args_finalize(args)
        mine = self.host[2] + 1024  # a list in the user's memory that is still open
        acl.rt.kernel_args_init_by_user_mem(function, mine, mine + 8192, 4096)
        placeholder, _ = acl.rt.kernel_args_append_place_holder(mine)
        events = [acl.rt.create_event()[0] for _ in range(2)]
        live, freed = (acl.rt.malloc(4096, 0)[0] for _ in range(2))
        pinned, unpinned = (acl.rt.malloc_host(4096)[0] for _ in range(2))
        acl.rt.free(freed)
        acl.rt.free_host(unpinned)
        descs, buffers = [acl.create_tensor_desc(0, [4, 4], 2) for _ in range(2)], [acl.create_data_buffer(live, 4096)]
        where = [*self.host[:3], live, pinned]
        ctypes.memmove(self.code_at, self.code, len(self.code))
        self.good = {"binary": [binary], "function": [function], "stream": [stream, 0], "event": events, "start": events, "end": events,
                     "context": [acl.rt.get_context()[0]], "desc": descs, "buffer": buffers, "args": [args, mine, *self.host[:2], live],
                     "object": [acl.rt.create_binary(self.code_at, len(self.code))], "attr": [acl.op.create_attr()], "ptr": where,
                     "dst": where, "src": where, "value": self.host[:3], "memory": self.host[1:3], "address": where, "sizes": self.host,
                     "parameter": [placeholder], "reserve": [0], "n": [0], "num_blocks": [1, 2, 65536],
                     "data": [self.code_at, *self.host[:2]], "length": [len(self.code)], "size": [8, 16, 64, len(self.code)]}  # fmt: skip
        self.handles = [*self.handles[-40:], binary, function, stream, args, *events, *descs, *buffers]
        self.addresses = [
            *self.addresses[-40:],
            live,
            live + 8,
            live + 4096,
            live - 8,
            freed,
            freed + 64,
            pinned,
            unpinned,
            unpinned + 4095,
        ]

    def argument(self, call: str, letter: str, name: str) -> Any:
        pick, chance = self.random.choice, self.random.random()
        if call in AT_MOST_MS:
            return self.random.randrange(1, 4)
        if chance < 0.05:
            wrong = pick(WRONG)
            return "not callable" if callable(wrong) and call in NOT_CALLABLE else wrong
        if chance < 0.75 and name in self.good:
            return pick(self.good[name])
        match letter[0]:
            case "s" | "z":
                return pick(TEXTS) if chance < 0.5 else pick(["k", self.kernel])
            case "l" | "L" | "n":
                return pick([each for each in WRONG if isinstance(each, list)]) if chance < 0.5 else []
            case "o":
                return pick([each for each in WRONG if not callable(each)] + self.addresses + self.handles)
            case "i" | "I":
                return pick(SMALL) if chance < 0.4 else pick([0, 1, 2])
        if name in LENGTH_NAMES:
            if call == "malloc_host":  # what is granted may be filled by a later call
                return pick([0, 1, 64, 4096, 2**46, 2**63, -1])
            return pick(LENGTHS) if chance < 0.85 else pick([8, 16, 64])
        pools = [self.host, self.addresses, self.closed, WILD, self.handles, LENGTHS]
        likely = (3, 6, 2, 3, 2, 0) if name in ADDRESS_NAMES else (1, 1, 0, 2, 8, 1)
        return pick(self.random.choices(pools, likely)[0])

    def call(self, function: Any, row: calls.Row, last: int) -> None:
        given = [self.argument(row.name, letter, name) for letter, name in row.parameters]
        if self.random.random() < 0.02:
            given = given[:-1] if given else [1]
        text = f"{function.__module__}.{row.name}({', '.join(map(repr, given))})"
        os.pwrite(last, text.encode("utf-8", "backslashreplace")[:4000].ljust(4000), 0)
        signal.alarm(HANG_S)  # the default action ends the process
        try:
            answer = function(*given)
        except (TypeError, ValueError, OverflowError) as error:
            if "incompatible function arguments" in str(error):
                raise RuntimeError("the engine was asked for what it does not take") from error
            return
        first = answer[0] if isinstance(answer, tuple) else answer
        if row.name.startswith(KEEPS) and row.outputs and isinstance(first, int) and first:
            (self.addresses if row.name.startswith("malloc") else self.handles).append(first)
            self.good.setdefault(row.outputs[0], []).append(first)


def main() -> None:
    seed, count, kernel, path = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3], sys.argv[4]
    last = os.open(path, os.O_RDWR | os.O_CREAT)
    fuzz, table = Fuzz(seed, kernel), rows()
    functions = len(table)
    table += 3 * [each for each in table if each[1].parameters]  # one without may be one that only says what is not supported
    for number in range(count):
        if number % 200 == 199:
            fuzz.begin()
            acl.get_recent_err_msg()
        function, row = fuzz.random.choice(table)
        try:
            fuzz.call(function, row, last)
        except Exception:
            print(f"seed {seed}, call {number}: {os.pread(last, 4000, 0).decode().rstrip()}", file=sys.stderr)
            raise
    print(f"{count} calls of {functions} functions")
    sys.stdout.flush()
    os._exit(0)


if __name__ == "__main__":
    main()
