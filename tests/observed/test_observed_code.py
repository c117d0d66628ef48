# SPDX-License-Identifier: Apache-2.0
"""The assembly of an observed image: which calls stay, and what each block is worth."""

from __future__ import annotations

import re

import pytest

from aclimb.compile import headers, observed_code

OWN = ["/headers/", "aclimb/"]
HOOK = "\tcall\t__sanitizer_cov_trace_pc@PLT"


def rewritten(*lines: str, machine: str = "x86_64") -> list[str]:
    return [line for line in observed_code.rewrite("\n".join(lines), OWN, machine).split("\n") if line]


def worth(*code: str) -> int:
    """Of one block of x86-64 instructions, at a line of the user's."""
    text = "\n".join(rewritten('\t.file 1 "/kernels/kernel.cpp"', "\t.loc 1 7 9", HOOK, *(f"\t{line}" for line in code)))
    found = re.search(r"\tmovl\t\$(\d+), %edi\n\tcall\taclimb_scalar_work@PLT", text)
    return int(found[1]) if found else 0


@pytest.mark.parametrize(("code", "operations"), [
    ("addl\t$1, %ebx", 1),
    ("addl\t(%rbx), %r14d", 1),  # the load is a record of its own
    ("movl\t(%rbx), %eax", 0),
    ("movl\t%eax, 4(%rbx,%rcx,4)", 0),
    ("movl\t%eax, %ecx", 0),
    ("movq\t24(%rsp), %rbx", 0),  # spilled
    ("movss\t.LC1(%rip), %xmm0", 0),  # a constant
    ("subq\t$248, %rsp", 0),
    ("leaq\t4(%r13), %rdi", 0),
    ("leal\t1(%rax,%rax,4), %eax", 1),
    ("cmpl\t%eax, %ebx", 0),  # counts with the jump that it is for
    ("jne\t.L61", 1),
    ("xorl\t%eax, %eax", 0),
    ("xorl\t%ecx, %eax", 1),
    ("pxor\t%xmm0, %xmm0", 0),
    ("cvtsi2ssl\t%eax, %xmm0", 1),
    ("mulss\t(%rbx), %xmm0", 1),
    ("cltq", 0),
    ("cltd", 0),
    ("idivl\t%ecx", 1),
    ("movslq\t%eax, %rdx", 0),
    ("call\thelper@PLT", 0),
    ("sete\t%al", 1),
])  # fmt: skip
def test_an_instruction_is_worth_what_a_scalar_unit_would_do(code: str, operations: int) -> None:
    assert worth(code) == operations


def test_a_block_ends_where_the_next_begins_or_the_code_leaves() -> None:
    text = rewritten('\t.file 1 "/kernels/kernel.cpp"', "\t.loc 1 3", HOOK, "\taddl\t$1, %eax", "\tjmp\t.L2", ".L3:", "\tsubl\t$1, %eax",
                     HOOK, "\tsubl\t$1, %eax", "\tsubl\t$2, %eax", "\tret")  # fmt: skip
    assert [line for line in text if "edi" in line] == ["\tmovl\t$1, %edi", "\tmovl\t$2, %edi"]


def test_lines_of_our_headers_are_worth_nothing() -> None:
    text = rewritten('\t.file 1 "/headers/issue.h"', '\t.file 2 "/headers" "half.h"', "\t.loc 1 3", HOOK, "\taddl\t$1, %eax", "\t.loc 2 9",
                     "\taddl\t$1, %eax")  # fmt: skip
    assert not any("scalar_work" in line or "sanitizer" in line for line in text)


def test_calls_that_move_whole_pieces_go_to_functions_that_tell() -> None:
    text = rewritten("\tcall\tmemcpy@PLT", "\tcallq\t__tsan_memset@PLT", "\tcall\tmemcpy_s@PLT")
    assert text == ["\tcall\taclimb_memcpy@PLT", "\tcallq\taclimb_memset@PLT", "\tcall\tmemcpy_s@PLT"]


def test_aarch64_counts_alike() -> None:
    code = ["bl\t__sanitizer_cov_trace_pc", "ldr\tw1, [x19, w2, sxtw 2]", "add\tw0, w0, w1", "ldr\tx3, [sp, 16]", "mov\tw4, w0",
            "cmp\tw0, w5",
            "bne\t.L3"]  # fmt: skip
    text = rewritten('\t.file 1 "/kernels/kernel.cpp"', "\t.loc 1 7 9", *(f"\t{line}" for line in code), machine="aarch64")
    assert "\tmov\tx0, #2" in text
    assert "\tbl\taclimb_scalar_work" in text


def told(*lines: str) -> list[str]:
    """Which calls of an access are left, behind lines that lead to them."""
    text = rewritten(
        '\t.file 1 "/kernels/kernel.cpp"', '\t.file 2 "/headers/aclimb/issue.h"', '\t.file 3 "/headers/aclimb/half.h"', "\t.loc 1 7", *lines
    )
    return [line for line in text if "__tsan" in line]


def test_an_access_is_told_of_unless_its_address_is_on_the_stack() -> None:
    call = "\tcall\t__tsan_read4@PLT"
    assert rewritten("\tmovq\t%rbx, %rdi", call)[1:] == [
        "\tmovq\t%rdi, %rax", "\txorq\t%rsp, %rax", "\tshrq\t$18, %rax", "\tje\t.Lobserved1", call, ".Lobserved1:"]  # fmt: skip
    assert told("\tleaq\t16(%rsp), %rdi", call) == told("\tmovq\t%rsp, %rdi", call) == []
    assert told("\tleaq\t16(%rsp), %rdi", ".L4:", call) == [call]  # another way leads here
    assert told("\tleaq\t16(%rsp,%rax), %rdi", call) == [call]


def test_headers_that_touch_no_memory_of_the_kernel_tell_nothing() -> None:
    call = "\tcall\t__tsan_write8@PLT"
    assert told("\t.loc 2 9", call) == []
    assert told("\t.loc 3 9", call) == [call]


def test_the_guard_knows_how_large_a_stack_is() -> None:
    found = re.search(r"kStackBytes = (\d+) \* 1024;", (headers.include_dir() / "aclimb" / "abi.h").read_text())
    assert found
    assert int(found[1]) * 1024 == 1 << 18
    assert all("18" in machine.guard for machine in (observed_code.X86, observed_code.ARM))


def test_quiet_headers_exist() -> None:
    assert all((headers.include_dir() / name.removeprefix("/")).is_file() for name in observed_code._QUIET)
