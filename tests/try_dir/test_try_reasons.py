# SPDX-License-Identifier: Apache-2.0
"""One word and one short sentence from what a command said."""

from __future__ import annotations

import pytest

from aclimb.trial import reasons
from aclimb.trial.processes import Ended

BUILDS = [
    ("a.asc:4:7: error: AscendC::Foo, a part of things, is not supported yet; nearest: Add\n", "unsupported",
     "AscendC::Foo, a part of things, is not supported yet", "Foo"),
    ("x.cpp:9:1: error: AscendC::AtomicAdd does not exist on Atlas A2 and A3; nearest: y\nx.cpp:1:1: error: other\n", "unsupported",
     "AscendC::AtomicAdd does not exist on Atlas A2 and A3", "AtomicAdd"),
    ("f.asc:9:1: error: aclimb: AscendC::Fma does not exist on Atlas A2 and A3; nearest: FusedMulAdd or MulAddDst\n", "unsupported",
     "AscendC::Fma does not exist on Atlas A2 and A3", "Fma"),
    ("k.cpp:3:4: error: AscendC::Bar is not in aclimb's device headers: it is misspelt, or not supported yet\n", "unsupported",
     "AscendC::Bar is not in aclimb's device headers", "Bar"),
    ("m.cpp:2:10: fatal error: opdev/op_cache.h: No such file or directory\n", "unsupported", "opdev/op_cache.h is not there",
     "opdev/op_cache.h"),
    ("a.cpp:1:1: error: aclnnop/aclnn_add.h: no such header; aclimb brings\n", "unsupported", "aclnnop/aclnn_add.h is not there",
     "aclnnop/aclnn_add.h"),
    ("/usr/bin/ld: main.cpp:(.text+0x1): undefined reference to `aclnnAdd'\n", "unsupported", "aclnnAdd is not there", "aclnnAdd"),
    ("CMake Error at x:\n  CMAKE_ASC_ARCHITECTURES is dav-3510; aclimb builds for dav-2201\n", "unsupported",
     "CMAKE_ASC_ARCHITECTURES is dav-3510", "CMAKE_ASC_ARCHITECTURES"),
    ("bisheng: error: --enable-simt is not supported: SIMT kernels exist on Ascend 950 only\n", "unsupported",
     "--enable-simt is not supported: SIMT kernels exist on Ascend 950 only", "--enable-simt"),
    ("main.cpp:1:10: fatal error: data_utils.h: No such file or directory\n", "needs", "the header data_utils.h is not there", ""),
    ("CompileError: k.cpp has only kernel templates (f, g) and no instance of them\n", "needs",
     "only kernel templates (f, g), and nobody says for which types", ""),
    ("k.cpp:1:1: error: DTYPE_X is not defined: an operator project sets it for each build\n", "needs",
     "DTYPE_X, which an operator project sets", ""),
    ('CMake Error at CMakeLists.txt:3 (find_package):\n  By not providing "FindSomething.cmake" in\n', "needs",
     "CMake finds no package Something", ""),
    ("/tmp/x/a.asc:12:3: error: expected ';' before '}'\na.asc:13:1: error: more\n", "fails", "a.asc:12: expected ';' before '}'", ""),
    ("CMake Error at CMakeLists.txt:3 (message):\n  Set the size\n  first.\n\nCall Stack", "fails", "Set the size first.", ""),
    ("InvalidArgument: x is no operator project: there is no .cpp file\n", "fails", "x is no operator project: there is no .cpp file", ""),
    ("ninja: something\nlast words\n\n", "fails", "last words", ""),
    ("", "fails", "the build ended with 1", ""),
]  # fmt: skip
PROGRAMS = [
    (0, "all fine\n", [], "passes", "", ""),
    (0, "[Failed] Case accuracy is verification failed.\n", [], "wrong", "[Failed] Case accuracy is verification failed.", ""),
    (1, "index 3: expected 4, got 5\ntest failed\n", [], "wrong", "index 3: expected 4, got 5", ""),
    (1, "aclimb info: 207000: aclprofInit: the profiler is not there\n[Failed]\n", [], "unsupported",
     "aclprofInit: the profiler is not there", "aclprofInit"),
    (0, "aclimb info: 207000: aclprofInit: the profiler is not there\n", [], "passes", "", ""),  # it came to a good end without
    (1, "oh\n", ["./input/x.bin"], "needs", "./input/x.bin is not there, and no script made it", ""),
    (0, "0 mismatches, SIMT\n", [], "passes", "", ""),
    (1, "12 mismatches\n", [], "wrong", "12 mismatches", ""),
    (0, "fine\n", ["./input/x.bin"], "passes", "", ""),
    (1, "failed to open file weights.bin\n", [], "needs", "weights.bin is not there", ""),
    (2, "usage: demo N\n", [], "needs", "arguments; usage: demo N", ""),
    (-11, "", [], "fails", "the program ended by SIGSEGV", ""),
    (-77, "", [], "fails", "the program ended by signal 77", ""),
    (1, "aclimb info: 507035: aclrtSynchronizeStream: DataCopy of 12 bytes\n  f.asc:14\n", [], "fails",
     "507035: aclrtSynchronizeStream: DataCopy of 12 bytes", ""),
    (1, "aclimb: nobody synchronised the stream of this task, which failed:\nHang: f hangs\n", [], "fails", "Hang: f hangs", ""),
    (3, "a\nb\n", [], "fails", "the program ended with 3: b", ""),
    (3, "", [], "fails", "the program ended with 3", ""),
]  # fmt: skip
CHECKS = [
    (0, "test pass\n", "passes", ""),
    (0, "data index: 000003, expected: 1.0, actual: 2.0\n[ERROR] result error\n", "wrong",
     "data index: 000003, expected: 1.0, actual: 2.0"),
    (1, "no words\n", "wrong", "v.py ended with 1: no words"),
    (1, "Traceback\nModuleNotFoundError: No module named 'torch'\n", "needs", "the Python package torch is not installed"),
    (1, "FileNotFoundError: [Errno 2] No such file or directory: 'output/z.bin'\n", "fails",
     "v.py: FileNotFoundError: [Errno 2] No such file or directory: 'output/z.bin'"),
]  # fmt: skip


@pytest.mark.parametrize(("output", "result", "reason", "call"), BUILDS)
def test_a_build_that_failed(output: str, result: str, reason: str, call: str) -> None:
    found = reasons.of_build(Ended(1, output))
    assert (found.result.value, found.reason, found.call) == (result, reason, call)


def test_a_compiler_that_was_killed_is_named() -> None:
    assert reasons.of_build(Ended(-9, "a.asc:1:1: error: x\n")).reason == "the build ended by SIGKILL"


@pytest.mark.parametrize(("code", "output", "missing", "result", "reason", "call"), PROGRAMS)
def test_a_program_that_ran(code: int, output: str, missing: list[str], result: str, reason: str, call: str) -> None:
    found = reasons.of_program(Ended(code, output), missing)
    assert (found.result.value, found.reason, found.call) == (result, reason, call)


@pytest.mark.parametrize(("code", "output", "result", "reason"), CHECKS)
def test_a_script_that_compares(code: int, output: str, result: str, reason: str) -> None:
    found = reasons.of_check("v.py", Ended(code, output))
    assert (found.result.value, found.reason) == (result, reason)


def test_a_script_that_makes_no_data() -> None:
    assert (
        reasons.of_data("g.py", Ended(1, "ModuleNotFoundError: No module named 'torch.nn'")).reason
        == "the Python package torch.nn is not installed"
    )
    found = reasons.of_data("g.py", Ended(2, "x\nValueError: no\n"))
    assert (found.result.value, found.reason) == ("needs", "g.py ended with 2: ValueError: no")


def test_operators_that_compute_something_else() -> None:
    head = "Add: 1 of 2 rows are fine, 0 findings\nshape  dtype        stage\n"
    table = head + "[1]    float32  ok\n[7, 3]  float32  FAIL  result  3 of 21 differ\n"
    found = reasons.of_operators(Ended(1, table))
    assert (found.result.value, found.reason) == ("wrong", "[7, 3] float32: result 3 of 21 differ")
    findings = (
        "Add: 1 of 1 rows are fine, 1 findings\nshape  dtype        stage\n[1]    float32  ok\nworkspace-overrun: Add wrote 4 bytes\n"
    )
    assert reasons.of_operators(Ended(1, findings)).reason == "workspace-overrun: Add wrote 4 bytes"
    assert reasons.of_operators(Ended(1, "a.cpp:1:1: error: x\n")).reason == "a.cpp:1: x"
    assert reasons.of_operators(Ended(0, "")).result.value == "passes"


def test_a_long_reason_is_cut() -> None:
    assert len(reasons.short("word " * 100)) <= 160
    assert reasons.short("a\n  b") == "a b"
    assert reasons.too_slow("the program", 2.5).reason == "the program was still running after 2.5 s, and was ended"
