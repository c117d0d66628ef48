# SPDX-License-Identifier: Apache-2.0
"""The code of an observed image: the compiler's assembly, in which calls tell of each access to memory and count what is computed.

The compiler puts a call before each load and store (-fsanitize=thread), and one at the start of each block of code
(-fsanitize-coverage=trace-pc). Behind the first stand the functions of device/include/aclimb/observed.h; here they get a comparison in
front, since most addresses are those of the core's own stack. The second kind gets the number of operations of its block, and goes where
there are none.

What counts as an operation is chosen so that g++ and clang agree: arithmetic, conversions, comparisons that decide. Moves, addresses,
constants and what is kept on the stack do not count: compilers differ there, and the AI Core has another set of registers. Accesses to
device memory are records of their own. Nor do lines of our headers count: on the chip those are the instructions that they issue.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from aclimb.binary.container import host_architecture
from aclimb.compile.toolchain import Toolchain

# As the two compilers write loops and copies when left alone, their counts differ by a third; the scalar unit has no vectors either.
_GCC = ["-fsanitize=thread", "-fsanitize-coverage=trace-pc", "--param=tsan-instrument-func-entry-exit=0",
        "-ftree-vrp", "-fno-ivopts", "-fno-tree-loop-ivcanon", "-fno-if-conversion", "-fno-if-conversion2", "-fno-ssa-phiopt",
        "-fno-tree-vectorize", "-fno-unroll-loops", "-fno-tree-loop-distribute-patterns",
        "-fno-builtin-memcpy", "-fno-builtin-memmove", "-fno-builtin-memset", "-fno-builtin-memcmp"]  # fmt: skip
_CLANG = ["-Xclang", "-fsanitize=thread", "-Xclang", "-fsanitize-coverage-trace-pc", "-Xclang", "-fsanitize-coverage-type=2",
          "-mllvm", "-sanitizer-coverage-prune-blocks=false", "-mllvm", "-tsan-instrument-func-entry-exit=0",
          "-mllvm", "-tsan-instrument-read-before-write", "-mllvm", "-disable-lsr", "-mllvm", "-phi-node-folding-threshold=0",
          "-mllvm", "-two-entry-phi-node-folding-threshold=0",
          "-fno-vectorize", "-fno-slp-vectorize", "-fno-unroll-loops", "-fomit-frame-pointer"]  # fmt: skip
_CLANG_X86 = ["-Xclang", "-target-feature", "-Xclang", "-idivq-to-divl"]  # a division that looks at its operands first
_BLOCK = "__sanitizer_cov_trace_pc"
_RENAMED = {f"{prefix}{name}": f"aclimb_{name}" for name in ("memcpy", "memmove", "memset", "memcmp") for prefix in ("", "__tsan_")}
# Headers that touch only records, tensor objects and CoreView: half of all accesses, and none of the kernel's. Others may be handed
# a reference to its data.
_QUIET = tuple(f"/aclimb/{name}.h" for name in (
    "abi", "buffer_pool", "cross_core", "events", "global_tensor", "issue", "shape_info", "sync", "system", "tbuf", "tpipe", "tque",
    "vector_shapes",
))  # fmt: skip

_LINE = re.compile(r"\t(?P<name>[a-z]\w*(?:\.\w+)?)(?:\s+(?P<operands>[^#\n]*[^#\s]))?")
_LOC = re.compile(r"\t\.loc\s+(\d+)\s+(\d+)")
_FILE = re.compile(r'\t\.file\s+(\d+)\s+"([^"]*)"(?:\s+"([^"]*)")?')
_CALL = re.compile(r"(?P<before>\t(?:callq?|bl)\s+)(?P<name>[A-Za-z_]\w*)(?P<after>(?:@PLT)?\s*)$")
_ACCESS = re.compile(r"__tsan_(unaligned_)?(read|write)(\d+|_range)")
_ENDS = {"jmp", "jmpq", "ret", "retq", "ud2", "b", "br", "brk", "udf"}  # what follows is not reached from here


@dataclass(frozen=True, slots=True)
class Machine:
    """How the host's assembly is written."""

    block: str  # a call with a number: {number}, {call}
    guard: str  # jumps to {label} where the address to be told of is on the stack of the core (kStackBytes of abi.h)
    on_stack: re.Pattern[str]  # what puts such an address into the first argument
    operations: Callable[[str, str], int]


def flags(toolchain: Toolchain) -> list[str]:
    """Beside those of the plain image."""
    if toolchain.kind == "gcc":
        return _GCC
    return [*_CLANG, *_CLANG_X86] if host_architecture() == "x86_64" else _CLANG


class Rewriter:
    """Goes through the assembly of one source. No line of the folders `own` counts."""

    def __init__(self, own: Sequence[str], machine: Machine) -> None:
        self.own, self.machine = tuple(own), machine
        self.files: dict[str, tuple[bool, bool]] = {}  # by number: is ours, is quiet
        self.is_ours = self.is_quiet = False
        self.lines: list[str] = []
        self.last = ""  # instruction
        self.block: tuple[int, str] | None = None  # where its call will be, and that call
        self.work = 0

    def run(self, text: str) -> str:
        for line in text.split("\n"):
            if line.startswith("\t."):
                self._directive(line)
            elif line.startswith("\t"):
                line = self._instruction(line)
            elif line:
                self.last = ""  # a label: others may come here
            self.lines.append(line)
        self._close()
        return "\n".join(self.lines)

    def _directive(self, line: str) -> None:
        if found := _LOC.match(line):
            self.is_ours, self.is_quiet = self.files.get(found[1], (False, False))
            self.is_ours |= found[2] == "0"  # the compiler's own
        elif found := _FILE.match(line):
            path = "/".join(part for part in found.groups()[1:] if part)
            is_ours = path.startswith(self.own)
            self.files[found[1]] = is_ours, is_ours and path.endswith(_QUIET)

    def _instruction(self, line: str) -> str:
        last, self.last = self.last, line
        if call := _CALL.match(line):
            return self._call(line, call, last)
        found = _LINE.match(line)
        if found and found["name"] in _ENDS:
            self._close()
        elif found and not self.is_ours and self.block:
            self.work += self.machine.operations(found["name"], found["operands"] or "")
        return line

    def _call(self, line: str, call: re.Match[str], last: str) -> str:
        name = call["name"]
        if name == _BLOCK:
            self._close()
            self.block, self.work = (len(self.lines), call["before"] + "aclimb_scalar_work" + call["after"]), 0
            return ""
        if name in _RENAMED:
            return call["before"] + _RENAMED[name] + call["after"]
        if not _ACCESS.fullmatch(name):
            return line
        if self.is_quiet or self.machine.on_stack.match(last):
            return ""
        label = f".Lobserved{len(self.lines)}"
        return f"{self.machine.guard.format(label=label)}\n{line}\n{label}:"

    def _close(self) -> None:
        """The block ends here: its call is worth what was found in it."""
        if self.block and self.work:
            at, call = self.block
            self.lines[at] = self.machine.block.format(number=min(self.work, 0xFFFF), call=call)
        self.block = None


def rewrite(text: str, own: Sequence[str], machine: str) -> str:
    """The assembly of one source."""
    return Rewriter(own, X86 if machine == "x86_64" else ARM).run(text)


# --- x86-64

# Moves, addresses, comparisons (the jump or the choice that follows is the operation), the stack, calls.
_X86_FREE = re.compile(
    r"v?mov|lea[qw]?$|cltq|cltd|cqto|cwt[ld]|cbtw|v?u?comis|cmp|test|bt[lqw]?$|push|pop|leave|call|nop|endbr|rep|xchg|v?p?unpck|prefetch"
)
_X86_SHIFTS = ("shlq", "salq", "shrq", "sarq")  # by 32: two values in one register, or taken apart
_X86_ZEROING = re.compile(r"v?pxor|v?xorp[sd]|xor[bwlq]?")


def _x86_operations(name: str, operands: str) -> int:
    if _X86_FREE.match(name) or operands.endswith("%rsp") or (name in _X86_SHIFTS and operands.startswith("$32,")):
        return 0
    zeroing = _X86_ZEROING.fullmatch(name) and len(set(operands.replace(" ", "").split(","))) == 1
    return 0 if zeroing else 1


X86 = Machine(
    block="\tmovl\t${number}, %edi\n{call}",
    guard="\tmovq\t%rdi, %rax\n\txorq\t%rsp, %rax\n\tshrq\t$18, %rax\n\tje\t{label}",
    on_stack=re.compile(r"\tleaq\t-?\w*\(%rsp\), %rdi|\tmovq\t%rsp, %rdi"),
    operations=_x86_operations,
)


# --- aarch64

_ARM_FREE = re.compile(r"f?mov|adrp?$|cmp|cmn|tst|ccmp|fcmpe?$|nop|blr?$|[su]xt|ld|st|hint|pac|aut|dup$|prfm")


def _arm_operations(name: str, operands: str) -> int:
    is_address = ":lo12:" in operands or re.match(r"(sp|x29)\b", operands)
    return 0 if is_address or _ARM_FREE.match(name) else 1


ARM = Machine(
    block="\tmov\tx0, #{number}\n{call}",
    guard="\tmov\tx16, sp\n\teor\tx16, x16, x0\n\tlsr\tx16, x16, #18\n\tcbz\tx16, {label}",
    on_stack=re.compile(r"\tadd\tx0, sp, |\tmov\tx0, sp"),
    operations=_arm_operations,
)
