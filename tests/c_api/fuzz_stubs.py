# SPDX-License-Identifier: Apache-2.0
"""A program that calls every function of libascendcl with whatever it finds: `fuzz_stubs.py SEED COUNT KERNEL.o LAST`.

LAST gets each call before it is made. Texts are texts and callbacks can be called, as C itself demands; every other pointer may be
anything: NULL, rubbish, a handle, memory of the host or of the device, or pages that may not be touched.
"""

from __future__ import annotations

import ctypes
import mmap
import os
import random
import signal
import sys
from typing import TYPE_CHECKING, Any

from native import CODES, PROTOTYPES, c_type, is_pointer, is_struct, stub

from aclimb import capi

if TYPE_CHECKING:
    from make_c_api import Parameter

PAGE, ROOM, HANG_S = 4096, 65536, 30
NUMBERS = [
    0,
    1,
    2,
    3,
    5,
    8,
    16,
    64,
    100,
    4096,
    65535,
    65536,
    2**31 - 1,
    2**31,
    2**32 - 1,
    2**32,
    2**46,
    2**63 - 1,
    2**63,
    2**64 - 8,
    2**64 - 1,
]
WILD = [1, 8, 4095, 0x1234, 2**31, 2**47 - 8, 2**47, 2**48, 2**63, 2**64 - 4096, 2**64 - 1, 0x0AC0 << 48]
HANDLES = (0x0AC0 << 48, 0x0AD0 << 48)
TEXTS = [b"", b"breaks", b"x", b"no/such/file.o", b"/dev/null", "é".encode(), b"\xff\xfe", b"x" * 5000]
# They wait until somebody comes, as on hardware: a callback that nobody fetches keeps its stream.
NO_CALLBACK, AT_MOST_MS = {"aclrtLaunchCallback"}, {"aclrtProcessReport"}
KEEP_TIME = {"aclrtSetOpExecuteTimeOut", "aclrtSetOpExecuteTimeOutV2", "aclrtSetOpExecuteTimeOutWithMs", "aclrtSetOpWaitTimeout"}
NAMES = [
    name for name, each in PROTOTYPES.items() if not each.is_variadic and not any(map(is_struct, each.parameters)) and name not in KEEP_TIME
]

DONE = [name for name in NAMES if name not in capi.ALL.unsupported]


class Fuzz:
    def __init__(self, seed: int, kernel: str) -> None:
        self.random, self.kernel = random.Random(seed), kernel.encode()
        self.memory = mmap.mmap(-1, ROOM + 2 * PAGE)
        start = ctypes.addressof(ctypes.c_char.from_buffer(self.memory))
        self.first, self.end = start + PAGE, start + PAGE + ROOM
        for at in (start, self.end):
            assert ctypes.CDLL(None).mprotect(ctypes.c_void_p(at), ctypes.c_size_t(PAGE), 0) == 0
        self.closed = [start, self.end]
        self.out = [ctypes.create_string_buffer(8192) for _ in range(8)]
        self.callback = ctypes.cast(ctypes.CDLL(None).abs, ctypes.c_void_p).value
        self.good: dict[str, list[int]] = {}
        self.begin()

    def begin(self) -> None:
        """Live things of each kind to begin with."""
        assert stub("aclrtSetDevice")(0) == 0
        for name, kind, given in (("aclrtCreateStream", "aclrtStream", ()), ("aclrtCreateEvent", "aclrtEvent", ()),
                                  ("aclrtGetCurrentContext", "aclrtContext", ())):  # fmt: skip
            self.keep(kind, name, *given)
        for size in (64, 65536):
            for name in ("aclrtMalloc", "aclrtMallocHost"):
                place = ctypes.c_void_p()
                assert stub(name)(*(ctypes.addressof(place), size, 0)[: len(PROTOTYPES[name].parameters)]) == 0
                self.good.setdefault("void*", []).append(place.value or 0)
        self.binary()

    def keep(self, kind: str, name: str, *given: Any) -> None:
        place = ctypes.c_void_p()
        if stub(name)(*given, ctypes.addressof(place)) == 0 and place.value:
            self.good.setdefault(kind, []).append(place.value)

    def binary(self) -> None:
        self.keep("aclrtBinHandle", "aclrtBinaryLoadFromFile", self.kernel, None)
        self.keep("aclrtFuncHandle", "aclrtBinaryGetFunction", self.good["aclrtBinHandle"][-1], b"breaks")
        self.keep("aclrtArgsHandle", "aclrtKernelArgsInit", self.good["aclrtFuncHandle"][-1])

    def argument(self, name: str, place: int, each: Parameter) -> Any:
        pick, chance = self.random.choice, self.random.random()
        if name in AT_MOST_MS:
            return self.random.randrange(1, 4)
        if each.is_output:
            return ctypes.addressof(self.out[place % 8]) if chance < 0.97 else None
        if each.name in ("dpitch", "spitch"):
            # A longer one would jump over the closed page: the second row of a copy would lie in Python's own heap.
            return pick([each for each in NUMBERS if each <= PAGE or each >= 2**63])
        if not is_pointer(each):
            return pick(NUMBERS) if chance < 0.4 else pick([0, 1, 2, 8])
        kind = each.type.removeprefix("const ").rstrip("* ").split()[-1]
        if each.type.removesuffix(" const") in ("const char*", "char*"):
            return pick([None, self.kernel, *TEXTS])
        if kind.endswith(("Callback", "Func", "Deallocator", "CallBack")) and "*" not in each.type:
            return None if chance < 0.5 or name in NO_CALLBACK else self.callback
        if "char" in each.type:  # texts inside an array
            return pick([None, *WILD])
        if chance < 0.6 and self.good.get(kind):
            return pick(self.good[kind])
        inside = self.random.randrange(self.first, self.end)
        return pick([None, inside, inside, self.end - 8, pick(self.closed), pick(WILD), pick(self.good["void*"]), *self.any_handle()])

    def any_handle(self) -> list[int]:
        return [self.random.choice(self.good[self.random.choice(list(self.good))])]

    def call(self, name: str, last: int) -> None:
        given = [self.argument(name, place, each) for place, each in enumerate(PROTOTYPES[name].parameters)]
        given = [value & (2 ** (8 * ctypes.sizeof(kind)) - 1) if isinstance(value, int) and kind is not ctypes.c_float else value
                 for value, kind in zip(given, map(c_type, PROTOTYPES[name].parameters), strict=True)]  # fmt: skip
        os.pwrite(last, f"{name}({', '.join(map(repr, given))})".encode()[:4000].ljust(4000), 0)
        signal.alarm(HANG_S)  # the default action ends the process
        answer = stub(name)(*given)
        prototype = PROTOTYPES[name]
        if prototype.returns in CODES and answer == 500000:
            raise RuntimeError(f"{name} failed inside: {(stub('aclGetRecentErrMsg')() or b'').decode()}")
        if prototype.returns in CODES and answer == 0:
            for place, each in enumerate(prototype.parameters):
                if each.mark == "out" and each.type.startswith(("aclrt", "rtStream")) and each.type.endswith("*"):
                    found = ctypes.c_uint64.from_buffer(self.out[place % 8]).value
                    # A number of 4 bytes leaves the rest of what an earlier call wrote: half an address, perhaps of Python's own heap.
                    if HANDLES[0] <= found < HANDLES[1]:
                        self.good.setdefault(each.type.rstrip("* "), []).append(found)


def main() -> None:
    seed, count, kernel, path = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3], sys.argv[4]
    last = os.open(path, os.O_RDWR | os.O_CREAT)
    fuzz = Fuzz(seed, kernel)
    for _ in range(count):
        fuzz.call(fuzz.random.choice(DONE if fuzz.random.random() < 0.95 else NAMES), last)
    print(sum(range(100)), "Python still counts")


if __name__ == "__main__":
    main()
