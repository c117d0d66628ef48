# SPDX-License-Identifier: Apache-2.0
"""Every option of the driver, in one table: what it takes, and what becomes of it.

A row is `spelling  kind  sentence`. The spelling says how the value comes: `-o FILE` as the next word, `-D[NAME]` joined or next,
`--npu-arch=ARCH` behind the sign, `-O*` joined; a `*` stands for any letters. Rows are tried in their order.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache


class Kind(Enum):
    own = "effect"  # the driver's own
    both = "effect, host and device"
    host = "effect, host"
    link = "effect, link"
    quiet = "accepted"
    noted = "accepted with a note"
    hang = "noted where a kernel hangs"
    refused = "refused"


SIMT = "SIMT kernels exist on Ascend 950 only, which aclimb does not model"

_TABLE = {
    Kind.own: """
        -o FILE                 where the output goes
        -c                      compile only
        -dc                     the link makes one image of all sources that were compiled with it; with -o name.o compile only
        -E                      preprocess only, for the host; with --cce-aicore-only for the device
        -S                      to assembly, sources without kernels only
        -fsyntax-only           check only
        -v                      say which compiler this is; without kernels also what it does
        -###                    the same, and do nothing
        -x[LANGUAGE]            language of the sources behind it: asc, cce and c++ may have kernels, c has none
        -shared                 a shared library
        --shared                a shared library
        -lib                    a static library
        --cce-build-static-lib  a static library
        --npu-arch=ARCH         dav-2201, dav-c220: Atlas A2 and A3; dav-c220-vec, dav-c220-cube: one sort of core alone
        --cce-aicore-arch=ARCH  the same
        --npu-soc=SOC           the chip; loses against --npu-arch
        --cce-aicore-only       device code only: an operator binary
        --cce-host-only         host code only: a launch says that the device code is missing
        -cce-enable-mix         beside one sort of core: both; with --cce-aicore-only a half that ld.lld -m aicorelinux joins
        --cce-fatobj-link       link device code too, as always
        --asc-aicore-lang       the sources have kernels, whatever their suffix
        --cce-aicore-lang       the sources have kernels, whatever their suffix
        --run-mode=MODE         npu; cpu and sim are the same here, and a note says so
        -Xhost-start            up to -Xhost-end: for the host alone
        -Xhost-end              ends -Xhost-start
        -Xaicore-start          up to -Xaicore-end: for the device alone
        -Xaicore-end            ends -Xaicore-start
        -M                      only print a make rule with every file that is read
        -MM                     the same
        -MD                     write a make rule with every file that was read
        -MMD                    the same
        -MF FILE                where the make rule goes
        -MT TARGET              what the make rule is for
        -MQ TARGET              what the make rule is for
        -MP                     a rule without body for each file
        --version               which compiler this is
        --help                  the options
        -help                   the options
        --aclimb-image          the device image of one object, as an operator binary
        --aclimb-launch-headers=FOLDER  write aclrtlaunch_<kernel>.h for the sources' kernels
        --aclimb-launch-functions       add the functions of those headers
        @*                      options from a file
    """,
    Kind.both: """
        -D[NAME]                macro
        -U[NAME]                no macro
        -I[FOLDER]              where headers are looked for
        -isystem[FOLDER]        where headers are looked for, behind -I
        -iquote[FOLDER]         where headers in quotes are looked for
        -idirafter[FOLDER]      where headers are looked for last
        -include FILE           included before the source
        -std=STANDARD           device code is C++17 at least
        -O*                     optimisation
        -g*                     debug information; lines of kernels are always known
    """,
    Kind.link: """
        -L[FOLDER]              where libraries are looked for
        -l[NAME]                library
        -Wl,*                   for the linker
        -Xlinker WORD           for the linker
        -s                      no symbols
        -static-*               as with g++
        -rdynamic               as with g++
        -z WORD                 for the linker
        -T[SCRIPT]              linker script
        -nostdlib*              as with g++
        -pie                    programs here are always position independent
        -no-pie                 programs here are always position independent
    """,
    Kind.quiet: """
        --cce-disable-kernel-global-attr-check
        --cce-enable-print
        --cce-mask-opt
        --cce-ignore-always-inline=VALUE
        --cce-long-call=VALUE
        --cce-no-dcache-flush
        --cce-pto-enable
        -cce-enable-pto-passes
        -fenable-matrix
        --cce-aicore-enable-tl
        --cce-simd-vf-fusion=VALUE
        --cce-disable-asc-reserved-ubuf
        --cce-disable-vf-stack-reserved-ubuf
        -cce-kernel-launch=VALUE
        -fcce-kernel-launch-custom  launches are aclimb's own
        --gcc-toolchain=FOLDER
        -mllvm WORD             for the vendor's compiler
        -fPIE                   programs here are always position independent
        -fpie                   programs here are always position independent
    """,
    Kind.noted: """
        --sanitizer             checks are always on
        --cce-enable-sanitizer  checks are always on
        -flto*                  kernels cannot be optimised across files; the option is dropped
        -DASCENDC_CPU_DEBUG*    defined, and the kernel runs on the modelled chip all the same
    """,
    Kind.hang: """
        --cce-auto-sync         the vendor's compiler would insert flags; aclimb inserts none
        --cce-auto-sync=VALUE   on, as above, or off
        -cce-auto-sync-log=FILE  the file is written, empty
    """,
    Kind.refused: f"""
        --enable-simt           {SIMT}
        --cce-pto-auto-enable   the vendor's compiler would allocate buffers and insert flags; aclimb inserts none
        --cce-link-aicore-ll-module*  aclimb has no bitcode of kernels
        -emit-llvm              aclimb has no bitcode of kernels
        -static                 a program loads libascendcl.so and Python, so it cannot be static
    """,
    Kind.host: """
        -f*                     as with g++
        -m*                     as with g++
        -W*                     as with g++
        -w                      as with g++
        -p*                     as with g++
        -dump*                  as with g++
        -dM                     as with g++
        -dD                     as with g++
        -dI                     as with g++
        -P                      as with g++
        -C                      as with g++
        -H                      as with g++
        -print-*                as with g++
        --print-*               as with g++
        -ansi                   as with g++
        -nostdinc*              as with g++
        -save-temps*            as with g++
    """,
}  # fmt: skip


@dataclass(frozen=True)
class Option:
    spelling: str
    kind: Kind
    sentence: str

    @property
    def name(self) -> str:
        return re.split(r"[ =\[*]", self.spelling, maxsplit=1)[0]

    @property
    def takes_next(self) -> bool:
        return " " in self.spelling

    @property
    def may_take_next(self) -> bool:
        return "[" in self.spelling

    def fits(self, word: str) -> bool:
        if "=" in self.spelling:
            return word.startswith(f"{self.name}=")
        if self.may_take_next or "*" in self.spelling:
            return word.startswith(self.name)
        return word == self.name


@lru_cache(maxsize=1)
def options() -> tuple[Option, ...]:
    found = []
    for kind, rows in _TABLE.items():
        for row in rows.strip().splitlines():
            spelling, _, sentence = row.strip().partition("  ")
            found.append(Option(spelling, kind, sentence.strip()))
    return tuple(found)


def find(word: str) -> Option | None:
    """The row of a word of the command line; the exact one before one with a star."""
    candidates = [option for option in options() if option.fits(word)]
    return min(candidates, key=lambda option: (option.name != word.partition("=")[0], -len(option.name)), default=None)


def is_vendors(word: str) -> bool:
    """Unknown, and of the vendor's compiler: accepted with a note."""
    return word.startswith(("--cce-", "-cce-", "--asc-"))
