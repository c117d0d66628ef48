# SPDX-License-Identifier: Apache-2.0
"""Tiling keys of template parameters: the host's GET_TPL_TILING_KEY, Python's TemplateKey and the built kernel say the same."""

from __future__ import annotations

import ctypes
import itertools
from pathlib import Path

import pytest
from cpp_parts import HERE, Build

from aclimb import Buffer, Kernel, KernelBinary, LaunchConfig, Program, Stream, launch, op
from aclimb.host.prefix import prefix

KERNEL = HERE / "sources" / "template_kernel.cpp"
FLOAT, BF16, INT32, ND, NZ = 0, 27, 3, 2, 29
LISTED, RANGED, MIXED = (64, 8, 300), (1, 2, 10), (5, 6, 40)
COMBINATIONS = list(itertools.product((FLOAT, BF16), (INT32,), (ND, NZ), LISTED, RANGED, MIXED, (0, 1)))


@pytest.fixture(scope="module")
def binary() -> KernelBinary:
    return Program(KERNEL).compile()


@pytest.fixture(scope="module")
def host_key(build: Build) -> object:
    made = ctypes.CDLL(str(build("template_host.cpp", flags=("-Wall", "-Wextra", "-Werror", f"-I{HERE / 'sources'}")))).host_key
    made.restype, made.argtypes = ctypes.c_uint64, [ctypes.c_uint64] * 7
    return made


@pytest.mark.requirement("cpp-31")
def test_host_and_kernel_have_the_same_key_for_every_declared_combination(binary: KernelBinary, host_key: ctypes._CFuncPtr) -> None:
    (kernel,) = binary.kernels
    words = {FLOAT: "float", BF16: "bfloat16_t"}
    expected = {(words[t], *map(str, rest)): host_key(t, *rest) for t, *rest in COMBINATIONS}
    assert len(set(expected.values())) == len(COMBINATIONS) == 216
    assert {tuple(arguments): key for key, arguments in kernel.key_arguments} == expected
    assert set(kernel.tiling_keys) == set(expected.values())


@pytest.mark.requirement("cpp-31", "op-59")
def test_python_packs_the_keys_of_cpp(host_key: ctypes._CFuncPtr) -> None:
    make = op.TemplateKey
    keys = make(make.dtype("t", ["float32", "bfloat16"]), make.dtype("d", ["int32"]), make.format("f", ["ND", "FRACTAL_NZ"]),
                make.uint("l", 8, LISTED), make.uint("r", 4, RANGED), make.uint("m", 4, [*range(5, 7), 40]), make.bool("s"))  # fmt: skip
    types, formats = {FLOAT: "float32", BF16: "bfloat16"}, {ND: "ND", NZ: "FRACTAL_NZ"}
    for t, d, f, l, r, m, s in COMBINATIONS:  # noqa: E741
        assert keys.pack(t=types[t], d="int32", f=formats[f], l=l, r=r, m=m, s=s) == host_key(t, d, f, l, r, m, s)
    assert keys.keys() == [host_key(*each) for each in COMBINATIONS]


@pytest.mark.requirement("cpp-31")
@pytest.mark.parametrize("values", [(BF16, INT32, NZ, 300, 10, 40, 1), (FLOAT, INT32, ND, 64, 2, 6, 0)])
def test_a_key_of_the_host_launches_that_instance(
    values: tuple[int, ...], binary: KernelBinary, host_key: ctypes._CFuncPtr, stream: Stream
) -> None:
    y = Buffer(7, "int32")
    launch(stream, LaunchConfig(num_blocks=1, tiling_key=host_key(*values)), Kernel(binary), y)
    stream.synchronize()
    assert y.to_numpy().tolist() == [{FLOAT: 4, BF16: 2}[values[0]], *values[1:]]


@pytest.mark.requirement("cpp-31")
def test_a_value_that_is_not_declared_has_no_key(host_key: ctypes._CFuncPtr, capfd: pytest.CaptureFixture[str]) -> None:
    for values, said in {
        (FLOAT, INT32, ND, 65, 1, 5, 0): "L is 65",
        (1, INT32, ND, 64, 1, 5, 0): "T is 1",
        (FLOAT, INT32, ND, 64, 3, 5, 0): "R is 3",
        (FLOAT, INT32, ND, 64, 1, 41, 0): "M is 41",
        (FLOAT, INT32, ND, 64, 1, 5, 2): "S is 2",
    }.items():
        assert host_key(*values) == 2**64 - 1
        assert capfd.readouterr().err == f"GET_TPL_TILING_KEY: {said}, which is not declared\n"


@pytest.mark.requirement("cpp-31")
def test_a_kernel_reads_its_own_header_where_the_toolkits_folder_is_named(tmp_path: Path) -> None:
    source = tmp_path / "small.cpp"
    source.write_text('#include "kernel_operator.h"\n#include "utils/tiling/template_argument.h"\n'
                      "ASCENDC_TPL_ARGS_DECL(Small, ASCENDC_TPL_BOOL_DECL(S, 0, 1));\n"
                      "ASCENDC_TPL_SEL(ASCENDC_TPL_ARGS_SEL(ASCENDC_TPL_BOOL_SEL(S, 1)));\n"
                      "template <bool S> __global__ __aicore__ void small(__gm__ int32_t* y) { y[0] = S; }\n")  # fmt: skip
    (kernel,) = Program(source, include_dirs=[prefix() / "include"]).compile().kernels
    assert kernel.tiling_keys == (1,)
