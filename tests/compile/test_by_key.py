# SPDX-License-Identifier: Apache-2.0
"""Tiling structs that depend on the tiling key: which kernels become templates, and what is refused. What they compute is in
tests/runtime/test_tiling_structs.py."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from aclimb.binary import KernelBinary
from aclimb.errors import CompileError, Diagnostic

Build = Callable[..., KernelBinary]
KERNEL = """
struct A { int a; };
struct B { long before; int a; int b; };
struct C { char c; };
extern "C" __global__ __aicore__ void f(GM_ADDR x, GM_ADDR tiling) {
%s
}
"""


def keys(build: Build, body: str) -> tuple[int, ...]:
    return build(KERNEL % body).kernel_info("f").tiling_keys


def refused(build: Build, body: str) -> Diagnostic:
    with pytest.raises(CompileError) as caught:
        build(KERNEL % body)
    (only,) = caught.value.diagnostics
    return only


def test_the_keys_of_such_a_kernel_are_listed(compiler: str, build: Build) -> None:
    found = keys(
        build,
        """
    REGISTER_TILING_DEFAULT(A); REGISTER_TILING_FOR_TILINGKEY("TILING_KEY_VAR == 2", B);
    KERNEL_TASK_TYPE(30000000000, KERNEL_TYPE_MIX_AIV_1_0);
    GET_TILING_DATA(t, tiling);
    if (TILING_KEY_IS(0x2UL)) { x[0] = t.b; } else if (TILING_KEY_VAR == 7 || TILING_KEY_IS(8)) { x[0] = t.a; }
    """,
    )
    assert found == (2, 8, 30000000000)


@pytest.mark.parametrize(
    "body",
    [
        # a struct is read before the first key is tested, or in the branch of its key, or behind a branch that returned
        "GET_TILING_DATA(t, tiling); if (TILING_KEY_IS(1)) { x[0] = t.a; } else if (TILING_KEY_IS(2)) { x[0] = t.b; }",
        "if (TILING_KEY_IS(1)) { GET_TILING_DATA(t, tiling); A& a = t; } else { GET_TILING_DATA(t, tiling); B& b = t; TILING_KEY_IS(2); }",
        "if (TILING_KEY_IS(2)) { return; } GET_TILING_DATA(t, tiling); A& a = t; if (TILING_KEY_IS(1)) { return; }",
        "for (int i = 0; i < 2; ++i) { if (!TILING_KEY_IS(2)) { return; } GET_TILING_DATA(t, tiling); B& b = t; } TILING_KEY_IS(1);",
        "GET_TILING_DATA(t, tiling); if constexpr (TILING_KEY_VAR == 2) x[0] = t.b; TILING_KEY_IS(1); TILING_KEY_IS(2);",
        # not only the key decides: both branches are compiled for both keys
        "GET_TILING_DATA(t, tiling); if (TILING_KEY_IS(1) && x[0]) { x[0] = t.a; } else if (TILING_KEY_IS(2)) { x[0] = t.b; }",
    ],
)
def test_code_that_a_key_does_not_reach_is_not_compiled_for_it(build: Build, body: str) -> None:
    both = 'REGISTER_TILING_DEFAULT(A); REGISTER_TILING_FOR_TILINGKEY("TILING_KEY_VAR == 2", B);'
    assert keys(build, both + body) == (1, 2)


def test_keys_may_be_tested_in_a_function_the_kernel_calls(build: Build) -> None:
    helper = "template <typename T> void run(GM_ADDR x, const T& t) { x[0] = TILING_KEY_IS(1) ? t.a : TILING_KEY_IS(2) ? 7 : 8; }\n"
    body = 'REGISTER_TILING_DEFAULT(A); REGISTER_TILING_FOR_TILINGKEY("TILING_KEY_VAR == 2", B); GET_TILING_DATA(t, tiling); run(x, t);'
    assert build(helper + KERNEL % body).kernel_info("f").tiling_keys == (1, 2)


@pytest.mark.parametrize(
    "body",
    [
        'REGISTER_TILING_DEFAULT(A); REGISTER_TILING_FOR_TILINGKEY("TILING_KEY_VAR == 2", A); GET_TILING_DATA(t, tiling);',
        'REGISTER_TILING_FOR_TILINGKEY("TILING_KEY_VAR = 2", B); GET_TILING_DATA_WITH_STRUCT(B, t, tiling);',
    ],
)
def test_a_kernel_with_one_struct_for_get_tiling_data_stays_as_it_is(build: Build, body: str) -> None:
    assert keys(build, body) == ()


def test_in_a_kernel_template_get_tiling_data_is_the_default_struct(build: Build) -> None:
    """Its keys are its template arguments; the expression may be anything."""
    text = KERNEL.replace('extern "C"', "template <int N>") % (
        'REGISTER_TILING_DEFAULT(A); REGISTER_TILING_FOR_TILINGKEY("TILING_KEY_VAR & 3 = 1", B); GET_TILING_DATA(t, tiling); A& a = t;'
    )
    assert build(text, instances=["f<13>"]).kernel_names == ("f<13>",)


def test_a_key_without_a_struct_is_an_error(build: Build) -> None:
    error = refused(
        build,
        """    REGISTER_TILING_FOR_TILINGKEY("TILING_KEY_VAR == 1", A);
    REGISTER_TILING_FOR_TILINGKEY("TILING_KEY_VAR >= 10 && TILING_KEY_VAR < 20", B);
    GET_TILING_DATA(t, tiling);
    if (TILING_KEY_IS(1)) { x[0] = 1; } else if (TILING_KEY_IS(20)) { x[0] = 2; }""",
    )
    assert (error.line, error.column) == (9, 5)
    assert error.text == (
        "GET_TILING_DATA: tiling key 20 of kernel f has no tiling struct: of"
        ' "TILING_KEY_VAR == 1", "TILING_KEY_VAR >= 10 && TILING_KEY_VAR < 20" none holds for it;'
        " write REGISTER_TILING_DEFAULT(Struct) for all other keys, or REGISTER_TILING_FOR_TILINGKEY for this one"
    )


def test_without_a_default_every_key_may_have_its_own_struct(build: Build) -> None:
    body = """REGISTER_TILING_FOR_TILINGKEY("TILING_KEY_VAR & 1", A);
    REGISTER_TILING_FOR_TILINGKEY("TILING_KEY_VAR / 2 == 1 &&" " !(TILING_KEY_VAR % 2)", B);
    GET_TILING_DATA(t, tiling); if (TILING_KEY_IS(2)) { B& b = t; } else if (TILING_KEY_IS(3)) { A& a = t; }"""
    assert keys(build, body) == (2, 3)


def test_a_key_with_two_structs_is_an_error(build: Build) -> None:
    error = refused(
        build,
        """    REGISTER_TILING_DEFAULT(A);
    REGISTER_TILING_FOR_TILINGKEY("TILING_KEY_VAR == 3", B);
    REGISTER_TILING_FOR_TILINGKEY("TILING_KEY_VAR & 0xff", C);
    GET_TILING_DATA(t, tiling);
    if (TILING_KEY_IS(3)) { x[0] = 1; }""",
    )
    assert (error.line, error.column) == (9, 5)
    assert error.text == (
        'tiling key 3 of kernel f has two tiling structs, B because of "TILING_KEY_VAR == 3" and'
        ' C because of "TILING_KEY_VAR & 0xff"; it takes one'
    )


BOTH = '    REGISTER_TILING_DEFAULT(A); REGISTER_TILING_FOR_TILINGKEY("TILING_KEY_VAR == 2", B); GET_TILING_DATA(t, tiling);\n'


def test_a_kernel_without_keys_is_an_error(build: Build) -> None:
    error = refused(build, BOTH)
    assert (error.line, error.column) == (7, 90)
    assert error.text == (
        "GET_TILING_DATA: the struct depends on the tiling key (REGISTER_TILING_FOR_TILINGKEY), and kernel f has none;"
        " name its keys with TILING_KEY_IS, or use GET_TILING_DATA_WITH_STRUCT(Struct, name, pointer)"
    )


def test_a_key_that_is_not_a_number_is_an_error(build: Build) -> None:
    error = refused(build, BOTH + "    constexpr int large = 2; if (TILING_KEY_IS(large)) { x[0] = t.b; }")
    assert (error.line, error.column) == (8, 34)
    assert error.text == (
        "the tiling key large is not a number; the tiling struct of kernel f depends on the key"
        " (REGISTER_TILING_FOR_TILINGKEY), and its keys have to be numbers, or macros that stand for one"
    )


def test_an_expression_that_is_none_is_an_error_at_its_line(compiler: str, build: Build) -> None:
    error = refused(build, BOTH.replace("==", "=") + "    if (TILING_KEY_IS(2)) { x[0] = 1; }")
    assert error.line == 7


def test_errors_in_such_a_kernel_are_at_the_users_own_line(compiler: str, build: Build) -> None:
    error = refused(build, BOTH + "\n    if (TILING_KEY_IS(1)) { x[0] = t.a; }\n    if (TILING_KEY_IS(2)) {\n        x[0] = t.c;\n    }")
    assert error.line == 11
    assert "'c'" in error.text
