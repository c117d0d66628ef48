# SPDX-License-Identifier: Apache-2.0
"""A name that the device headers do not have is one sentence: the name, its line, and what there is instead."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import islice
from pathlib import Path

import pytest
from refused_samples import SAMPLES

from aclimb.binary import KernelBinary
from aclimb.compile import api_names, headers
from aclimb.errors import CompileError

pytestmark = pytest.mark.usefixtures("real_headers")
Build = Callable[..., KernelBinary]
REAL = headers.include_dir()
MISSING = api_names.missing(REAL)
HEAD = """#include "lib/matmul_intf.h"
using namespace AscendC;
typedef MatmulType<TPosition::GM, CubeFormat::ND, half> aType;
extern "C" __global__ __aicore__ void kernel(GM_ADDR x) {}
void uses(LocalTensor<half> h, LocalTensor<float> f, LocalTensor<int32_t> i, LocalTensor<uint32_t> u) {
    int *pointer = nullptr, cfgNorm = 0;
    uint32_t shapes[2], workspace = 0;
    uint8_t padding[4];
"""


def batched(names: Iterable[str], size: int) -> list[tuple[str, ...]]:
    rest = iter(names)
    return list(iter(lambda: tuple(islice(rest, size)), ()))


def refused(build: Build, lines: list[str]) -> dict[int, str]:
    """Which sentence stands at which of the lines."""
    with pytest.raises(CompileError) as caught:
        build(HEAD + "\n".join([*lines, "}"]))
    start = 2 + HEAD.count("\n")
    return {found.line - start: found.text for found in caught.value.diagnostics}


@pytest.mark.requirement("lib-1")
@pytest.mark.parametrize("names", batched((name for name in SAMPLES if name in MISSING), 20))
def test_the_most_used_missing_names_are_one_sentence_each(names: tuple[str, ...], compiler: str, build: Build) -> None:
    told = refused(build, [f"    {{ {SAMPLES[name]} }}" for name in names])
    for number, name in enumerate(names):
        expected = MISSING[name].sentence
        assert told[number].removeprefix("aclimb: ") == expected, name
        assert f"{name}" in expected
        assert "; nearest: " in expected
    assert len(told) == len(names)


def test_a_struct_that_is_missing_first_is_the_one_sentence(build: Build) -> None:
    lines = ["BroadcastTiling info = cfgNorm;", "auto copy = info;", "Broadcast<half, 2, 1>(h, h, h, info);", "}"]
    with pytest.raises(CompileError) as caught:
        build(HEAD + "\n".join(lines))
    message = str(caught.value)
    assert (caught.value.diagnostics[0].line, caught.value.diagnostics[0].column) == (10, 1)
    assert "AscendC::BroadcastTiling, a part of broadcasts of any rank, does not exist on Atlas A2 and A3; nearest: Broadcast" in message
    assert "may follow from" in message


@pytest.mark.requirement("lib-1")
def test_a_name_of_other_products_says_so(build: Build) -> None:
    told = refused(build, ["    Scatter(h, h, u, 0, 64);", "    AscendC::LoadDataWithStride(h, h);"])
    assert told == {
        0: "aclimb: AscendC::Scatter does not exist on Atlas A2 and A3; nearest: SetValue in a loop",
        1: "AscendC::LoadDataWithStride, a part of loads of other products, does not exist on Atlas A2 and A3;"
        " nearest: LoadData with LoadData2DParams",
    }


def test_a_name_of_the_users_own_is_theirs(build: Build, tmp_path: Path) -> None:
    (tmp_path / "mine.h").write_text("struct SumParams { int a; };\ninline int vadd(int x) { return x; }\n")
    text = '#include "mine.h"\n__global__ __aicore__ void f(__gm__ int* y) {\n    SumParams p{1};\n    y[0] = vadd(p.b) + unknown;\n}'
    with pytest.raises(CompileError) as caught:
        build(text)
    (found,) = caught.value.diagnostics
    assert found.line == 5
    assert "SumParams" in found.text
    assert "nearest" not in found.text


def test_other_errors_stay_where_nothing_is_missing(build: Build) -> None:
    with pytest.raises(CompileError, match=r"does not compile, 2 errors\n(?s:.*)unknown_one(?s:.*)unknown_two") as caught:
        build("__global__ __aicore__ void f(__gm__ int* y) {\n    y[0] = unknown_one;\n    y[1] = unknown_two;\n}")
    assert "may follow" not in str(caught.value)


def test_a_member_that_a_class_does_not_have_is_a_sentence(compiler: str, build: Build) -> None:
    told = refused(build, ["    TPipe pipe; pipe.NoSuchCall(1);", "    h.NoSuchValue();"])
    assert told == {
        0: "AscendC::TPipe has no NoSuchCall in aclimb's device headers: it is misspelt, or not supported yet",
        1: "AscendC::LocalTensor has no NoSuchValue in aclimb's device headers: it is misspelt, or not supported yet",
    }


@pytest.mark.requirement("lib-1")
@pytest.mark.slow
@pytest.mark.parametrize("names", batched((name for name, each in MISSING.items() if not each.is_method), 36))
def test_every_missing_name_is_one_sentence(names: tuple[str, ...], build: Build) -> None:
    calls = {name for name in names if MISSING[name].part == name}
    lines = [f"    {{ {name}(h, h, h, 1); }}" if name in calls else f"    {{ {_use(name)} }}" for name in names]
    told = refused(build, lines)
    for number, name in enumerate(names):
        shown = MISSING[name].sentence
        assert told.get(number, "").removeprefix("aclimb: ") == shown, name


def _use(name: str) -> str:
    if MISSING[name].is_bare:
        return f"int x = {name}(1);"
    return f"AscendC::{name}<aType, aType, aType> x;" if name in ("Matmul", "MatmulImpl", "TensorTrait") else f"AscendC::{name} x;"
