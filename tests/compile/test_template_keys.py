# SPDX-License-Identifier: Apache-2.0
"""ASCENDC_TPL_*: template arguments as tiling keys."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from aclimb import Buffer, Kernel, LaunchConfig, Stream, cli, launch
from aclimb.binary import KernelBinary
from aclimb.compile import template_arguments, template_keys
from aclimb.compile.options import Options
from aclimb.compile.scan import scan_text
from aclimb.errors import CompileError, InvalidArgument

Build = Callable[..., KernelBinary]
INCLUDE = '#include "ascendc/host_api/tiling/template_argument.h"\n'

# The combination that the operator compiler's own tests decode: key 17176852 is (20, 25, 6, 1).
FOUR = """
ASCENDC_TPL_ARGS_DECL(Four,
    ASCENDC_TPL_DTYPE_DECL(X, TEN, 30, 20),
    ASCENDC_TPL_FORMAT_DECL(Y, 15, 25),
    ASCENDC_TPL_UINT_DECL(Z, ASCENDC_TPL_8_BW, ASCENDC_TPL_UI_MIX, 2, 0, 2, 3, 4, 5, 6),
    ASCENDC_TPL_BOOL_DECL(S, 0, 1),
);
ASCENDC_TPL_SEL(
    ASCENDC_TPL_ARGS_SEL(
        ASCENDC_TPL_DTYPE_SEL(X, TEN, 30), ASCENDC_TPL_FORMAT_SEL(Y, 15),
        ASCENDC_TPL_UINT_SEL(Z, ASCENDC_TPL_UI_LIST, 4, 6), ASCENDC_TPL_BOOL_SEL(S, 0, 1)),
    ASCENDC_TPL_ARGS_SEL(
        ASCENDC_TPL_DTYPE_SEL(X, 20), ASCENDC_TPL_FORMAT_SEL(Y, 15, 25),
        ASCENDC_TPL_UINT_SEL(Z, ASCENDC_TPL_UI_LIST, 4, 6), ASCENDC_TPL_BOOL_SEL(S, 0, 1),),
);
template <int X, int Y, uint32_t Z, bool S> __global__ __aicore__ void four(__gm__ int32_t* y) {
    y[0] = X; y[1] = Y; y[2] = Z; y[3] = S;
}
"""


def ran(binary: KernelBinary, key: int, size: int = 4) -> list[int]:
    y, stream = Buffer(size, "int32"), Stream()
    launch(stream, LaunchConfig(num_blocks=1, tiling_key=key), Kernel(binary), y)
    return y.to_numpy().tolist()


@pytest.mark.requirement("lib-60")
def test_every_selected_combination_is_an_instance_with_its_key(compiler: str, build: Build) -> None:
    binary = build(f"{INCLUDE}#define TEN 10\n{FOUR}")
    (kernel,) = binary.kernels
    combinations = [*itertools.product((10, 30), (15,), (4, 6), (0, 1)), *itertools.product((20,), (15, 25), (4, 6), (0, 1))]
    expected = {x | y << 8 | z << 16 | s << 24: (x, y, z, s) for x, y, z, s in combinations}  # Z's values stand at their own positions
    assert kernel.name == "four"
    assert kernel.tiling_keys == tuple(sorted(expected))
    assert {key: tuple(map(int, words)) for key, words in kernel.key_arguments} == expected
    assert 17176852 in expected
    assert ran(binary, 17176852) == [20, 25, 6, 1]
    for key in (min(expected), max(expected)):
        assert ran(binary, key) == list(expected[key])
    assert KernelBinary.read(binary.to_bytes()).kernels == binary.kernels


@pytest.mark.requirement("lib-60")
def test_another_key_is_refused_at_the_launch(build: Build) -> None:
    binary = build(f"{INCLUDE}#define TEN 10\n{FOUR}")
    with pytest.raises(InvalidArgument, match=r"^four has no tiling key 7; it has "):
        ran(binary, 7)
    (kernel,) = binary.kernels
    assert kernel.key_for(20, 25, 6, True) == 17176852
    with pytest.raises(InvalidArgument, match=r"^four has no instance <20, 25, 3, 1>; it has <10, 15, 4, 0>; .* and 8 more$"):
        kernel.key_for(20, 25, 3, 1)


TYPES = """
ASCENDC_TPL_ARGS_DECL(Types, ASCENDC_TPL_DATATYPE_DECL(T, C_DT_FLOAT, C_DT_FLOAT16, C_DT_BF16, ASCENDC_TPL_INPUT(0)),
    ASCENDC_TPL_FORMAT_DECL(F, C_FORMAT_ND, FORMAT_FRACTAL_NZ), ASCENDC_TPL_UINT_DECL(N, 4, ASCENDC_TPL_UI_RANGE, 2, 7, 8, 100, 100));
ASCENDC_TPL_SEL(ASCENDC_TPL_ARGS_SEL(ASCENDC_TPL_DATATYPE_SEL(T, ASCENDC_TPL_INPUT(0)), ASCENDC_TPL_FORMAT_SEL(F, FORMAT_ND),
    ASCENDC_TPL_UINT_SEL(N, ASCENDC_TPL_UI_RANGE, 1, 8, 8)),
  ASCENDC_TPL_ARGS_SEL(ASCENDC_TPL_DATATYPE_SEL(T, C_DT_FLOAT), ASCENDC_TPL_FORMAT_SEL(F, C_FORMAT_FRACTAL_NZ),
    ASCENDC_TPL_UINT_SEL(N, ASCENDC_TPL_UI_LIST, 100)));
namespace ops {
template <typename T, int F, uint32_t N> __global__ __aicore__ void types(__gm__ int32_t* y) { y[0] = sizeof(T); y[1] = F; y[2] = N; }
}
"""


@pytest.mark.requirement("lib-60")
@pytest.mark.usefixtures("real_headers")
def test_data_types_become_types_and_positions_become_numbers(build: Build) -> None:
    binary = build(INCLUDE + TYPES)
    (kernel,) = binary.kernels
    assert kernel.name == "ops::types"
    key_of = kernel.key_for
    assert [key_of(t, 2, 8) for t in ("float", "half", "bfloat16_t")] == [dt | 2 << 8 | 1 << 16 for dt in (0, 1, 27)]
    assert key_of("float", 29, 100) == 29 << 8 | 2 << 16
    assert ran(binary, key_of("half", 2, 8), 3) == [2, 2, 8]
    assert ran(binary, key_of("float", 29, 100), 3) == [4, 29, 100]


def test_a_build_for_one_type_has_its_instances_only(build: Build) -> None:
    (kernel,) = build(INCLUDE + TYPES.replace("half", "short"), defines={"ORIG_DTYPE_Y": "DT_FLOAT"}).kernels
    assert [words[0] for _, words in kernel.key_arguments] == ["float", "float"]


KINDS = """
ASCENDC_TPL_ARGS_DECL(K, ASCENDC_TPL_BOOL_DECL(B, 0, 1));
ASCENDC_TPL_SEL(ASCENDC_TPL_ARGS_SEL(ASCENDC_TPL_KERNEL_TYPE_SEL(ASCENDC_TPL_AIV_ONLY), ASCENDC_TPL_BOOL_SEL(B, 0)),
                ASCENDC_TPL_ARGS_SEL(ASCENDC_TPL_KERNEL_TYPE_SEL(%s), ASCENDC_TPL_BOOL_SEL(B, 1)));
template <bool B> __global__ __aicore__ void k(__gm__ int32_t* y) { if constexpr (B) AscendC::Mmad(); AscendC::Vector(); }
"""


@pytest.mark.requirement("lib-60")
def test_the_kernel_type_goes_with_the_selection(build: Build) -> None:
    (kernel,) = build(INCLUDE + KINDS % "ASCENDC_TPL_MIX_AIC_1_2").kernels
    assert [kernel.type_for(key).name for key in (0, 1)] == ["AIV_ONLY", "MIX_AIC_1_2"]
    (kernel,) = build(INCLUDE + KINDS % "ASCENDC_TPL_AIV_ONLY").kernels
    assert (kernel.kernel_type.name, kernel.key_types) == ("AIV_ONLY", ())


def test_a_shared_kernel_type_is_part_of_the_key(build: Build) -> None:
    text = """
    ASCENDC_TPL_ARGS_DECL(K, ASCENDC_TPL_BOOL_DECL(B, 0, 1),
        ASCENDC_TPL_KERNEL_TYPE_DECL(W, ASCENDC_TPL_AIV_ONLY, ASCENDC_TPL_MIX_AIC_1_1));
    ASCENDC_TPL_SEL(ASCENDC_TPL_ARGS_SEL(ASCENDC_TPL_BOOL_SEL(B, 1),
        ASCENDC_TPL_SHARED_KERNEL_TYPE_SEL(W, ASCENDC_TPL_AIV_ONLY, ASCENDC_TPL_MIX_AIC_1_1)));
    template <bool B, int W> __global__ __aicore__ void k(__gm__ int32_t* y) { AscendC::Mmad(); AscendC::Vector(); }
    """
    (kernel,) = build(INCLUDE + text).kernels
    assert {key: kernel.type_for(key).name for key in kernel.tiling_keys} == {1: "AIV_ONLY", 1 | 6 << 1: "MIX_AIC_1_1"}


@pytest.mark.requirement("lib-60")
def test_deterministic_selections_are_for_deterministic_builds(build: Build) -> None:
    text = """
    ASCENDC_TPL_ARGS_DECL(K, ASCENDC_TPL_UINT_DECL(N, 2, ASCENDC_TPL_UI_LIST, 3, 5));
    ASCENDC_TPL_SEL(ASCENDC_TPL_ARGS_SEL(ASCENDC_TPL_UINT_SEL(N, ASCENDC_TPL_UI_LIST, 3), ASCENDC_TPL_DETERMINISTIC_SEL(true)),
        ASCENDC_TPL_ARGS_SEL(ASCENDC_TPL_UINT_SEL(N, ASCENDC_TPL_UI_LIST, 5), ASCENDC_TPL_DETERMINISTIC_SEL(false)));
    template <uint32_t N> __global__ __aicore__ void k(__gm__ int32_t* y) { y[0] = N; }
    """
    assert build(INCLUDE + text).kernels[0].key_arguments == ((1, ("5",)),)
    assert build(INCLUDE + text, defines=["DETERMINISTIC_MODE=1"]).kernels[0].key_arguments == ((0, ("3",)),)


STRUCTS = """
struct Small { int32_t a; };
struct Large { int32_t a[3]; };
ASCENDC_TPL_ARGS_DECL(K, ASCENDC_TPL_UINT_DECL(N, 8, ASCENDC_TPL_UI_LIST, 3, 5, 7));
ASCENDC_TPL_SEL(ASCENDC_TPL_ARGS_SEL(ASCENDC_TPL_UINT_SEL(N, ASCENDC_TPL_UI_LIST, 3, 7)),
    ASCENDC_TPL_ARGS_SEL(ASCENDC_TPL_UINT_SEL(N, ASCENDC_TPL_UI_LIST, 5)%s));
template <uint32_t N> __global__ __aicore__ void k(__gm__ int32_t* y, GM_ADDR tiling) {
    REGISTER_TILING_DEFAULT(Small);
    %s
    GET_TILING_DATA(data, tiling);
    y[0] = N; y[1] = sizeof(data);
}
"""


@pytest.mark.requirement("lib-60")
@pytest.mark.parametrize(
    ("selected", "registered"),
    [(", ASCENDC_TPL_TILING_STRUCT_SEL(Large)", ""), ("", 'REGISTER_TILING_FOR_TILINGKEY("TILING_KEY_VAR == 1", Large);')],
)
def test_the_tiling_struct_may_depend_on_the_template_arguments(selected: str, registered: str, compiler: str, build: Build) -> None:
    binary = build(INCLUDE + STRUCTS % (selected, registered))
    kernel, stream, tiling = Kernel(binary), Stream(), Buffer.from_array(np.zeros(4, np.int32))
    sizes = {}
    for key in binary.kernels[0].tiling_keys:
        y = Buffer(2, "int32")
        launch(stream, LaunchConfig(num_blocks=1, tiling_key=key), kernel, y, tiling)
        number, sizes[key] = y.to_numpy().tolist()
        assert number == (3, 5, 7)[key]
    assert sizes == {0: 4, 1: 12, 2: 4}


WRONG = {
    "template parameter N has 5 values and 2 bits, which take 4; widen it": (
        "ASCENDC_TPL_UINT_DECL(N, 2, ASCENDC_TPL_UI_LIST, 1, 2, 3, 4, 5)", "1"),
    "template parameter N lists 3 twice": ("ASCENDC_TPL_UINT_DECL(N, 4, ASCENDC_TPL_UI_LIST, 3, 1, 3)", "1"),
    "template parameter N announces 2 ranges and has 3 numbers; a range has two": (
        "ASCENDC_TPL_UINT_DECL(N, 4, ASCENDC_TPL_UI_RANGE, 2, 1, 2, 3)", "1"),
    "template parameter N does not say how its values are listed; write ASCENDC_TPL_UI_RANGE": ("ASCENDC_TPL_UINT_DECL(N, 4, 9, 1)", "1"),
    "template parameter N has the value kOther, which is not a number after preprocessing": (
        "ASCENDC_TPL_UINT_DECL(N, 4, ASCENDC_TPL_UI_LIST, kOther)", "1"),
    "ASCENDC_TPL_ARGS_SEL selects 2 for template parameter N, which is declared with 1, 3": (
        "ASCENDC_TPL_UINT_DECL(N, 4, ASCENDC_TPL_UI_LIST, 1, 3)", "2"),
    "the template parameters of k have 70 bits; a tiling key has 64": ("ASCENDC_TPL_UINT_DECL(N, 70, ASCENDC_TPL_UI_LIST, 1)", "1"),
    "template parameter N is declared as BOOL and selected as UINT; it takes one kind": ("ASCENDC_TPL_BOOL_DECL(N, 0, 1)", "1"),
    "template parameter N has the value 300, which does not fit into its 8 bits": ("ASCENDC_TPL_DTYPE_DECL(N, 300)", "1"),
    "ASCENDC_TPL_ARGS_SEL selects N, which ASCENDC_TPL_ARGS_DECL does not declare": ("ASCENDC_TPL_BOOL_DECL(M, 0, 1)", "1"),
    "kernel template k has 1 parameters, and ASCENDC_TPL_ARGS_DECL(K, ...) declares 2; they are the same": (
        "ASCENDC_TPL_BOOL_DECL(M, 0, 1), ASCENDC_TPL_BOOL_DECL(N, 0, 1)", "1"),
}  # fmt: skip


@pytest.mark.requirement("lib-60")
@pytest.mark.parametrize("sentence", WRONG)
def test_what_cannot_be_a_key_is_said_in_one_sentence(sentence: str, build: Build) -> None:
    declared, selected = WRONG[sentence]
    text = f"""ASCENDC_TPL_ARGS_DECL(K, {declared});
    ASCENDC_TPL_SEL(ASCENDC_TPL_ARGS_SEL(ASCENDC_TPL_UINT_SEL(N, ASCENDC_TPL_UI_LIST, {selected})));
    template <uint32_t N> __global__ __aicore__ void k(__gm__ int32_t* y) {{ y[0] = N; }}"""
    with pytest.raises(CompileError) as caught:
        build(INCLUDE + text)
    assert str(caught.value).startswith(sentence)


def test_a_selection_names_every_parameter_and_selects_something(build: Build) -> None:
    kernel = "template <uint32_t N> __global__ __aicore__ void k(__gm__ int32_t* y) { y[0] = N; }"
    declared = "ASCENDC_TPL_ARGS_DECL(K, ASCENDC_TPL_BOOL_DECL(N, 0, 1));"
    with pytest.raises(CompileError, match=r"^ASCENDC_TPL_ARGS_SEL has no value for template parameter N; every declared"):
        build(f"{INCLUDE}{declared} ASCENDC_TPL_SEL(ASCENDC_TPL_ARGS_SEL(ASCENDC_TPL_DETERMINISTIC_SEL(0)));\n{kernel}")
    with pytest.raises(CompileError, match=r"^kernel template k has no instance: ASCENDC_TPL_SEL selects none"):
        build(f"{INCLUDE}{declared}\n{kernel}")


@pytest.mark.requirement("lib-60")
def test_inspect_lists_the_arguments_of_each_key(build: Build, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = build(INCLUDE + KINDS % "ASCENDC_TPL_MIX_AIC_1_2").save(tmp_path / "k.o")
    cli.app(["inspect", str(target)], standalone_mode=False)
    assert "0 <0> (AIV_ONLY), 1 <1>" in capsys.readouterr().out


def test_an_instance_that_was_asked_for_stays_a_kernel_of_its_own(build: Build) -> None:
    assert build(f"{INCLUDE}#define TEN 10\n{FOUR}", instances=["four<1, 2, 3, true>"]).kernel_names == ("four<1, 2, 3, true>",)


@pytest.mark.requirement("lib-60")
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_keys_of_random_declarations_are_the_fields_side_by_side(data: st.DataObject) -> None:
    kinds = data.draw(st.lists(st.sampled_from(["uint", "bool", "dtype"]), min_size=1, max_size=4))
    declared, selected, expected, at = [], [], [()], 0
    fields: list[tuple[int, int]] = []
    for number, kind in enumerate(kinds):
        values = data.draw(st.lists(st.integers(0, {"uint": 9999, "bool": 1, "dtype": 255}[kind]), min_size=1, max_size=4, unique=True))
        bits = {"uint": data.draw(st.integers(2, 12)), "bool": 1, "dtype": 8}[kind]
        mode = f"{template_arguments._LIST}, " if kind == "uint" else ""
        words = ", ".join(map(str, values))
        declared.append(f"{kind}(P{number}, {f'{bits}, ' if kind == 'uint' else ''}{mode}{words})")
        selected.append(f"{kind}(P{number}, {mode}{words})")
        codes = [(value, position if kind == "uint" else value) for position, value in enumerate(values)]
        expected = [(*row, (value, code << at)) for row in expected for value, code in codes]
        fields.append((at, bits))
        at += bits
    text = f'static_assert(::aclimb::is_template_key("args_decl(K, {", ".join(declared)})"), "");'
    text += f'static_assert(::aclimb::is_template_key("sel(args_sel({", ".join(selected)}))"), "");'
    names = ", ".join(f"int P{number}" for number in range(len(kinds)))
    text += f'template <{names}> __attribute__((annotate("aclimb_kernel"))) void k(int* y) {{ }}'
    (entry,) = template_keys.entries(scan_text(text), Options.create())
    keys = {sum(code for _, code in row): tuple(str(value) for value, _ in row) for row in expected}
    assert dict(entry.key_arguments) == keys
