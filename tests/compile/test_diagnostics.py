# SPDX-License-Identifier: Apache-2.0
"""What a person reads when a kernel does not build: the user's file, line and column, one sentence, no noise."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from aclimb.binary import KernelBinary
from aclimb.errors import CompileError

Build = Callable[..., KernelBinary]
KERNEL = 'extern "C" __global__ __aicore__ void f(GM_ADDR x) {{\n{}\n}}\n'
pytestmark = pytest.mark.usefixtures("compiler")


def failure(build: Build, text: str, **options: object) -> CompileError:
    with pytest.raises(CompileError) as caught:
        build(text, **options)
    return caught.value


def test_an_error_points_at_file_line_and_column_and_shows_the_line(build: Build, tmp_path: Path) -> None:
    error = failure(build, KERNEL.format("    x[0] = undeclared_name;"))
    (only,) = error.diagnostics
    assert (only.file, only.line, only.column, only.severity) == (str(tmp_path / "kernel.cpp"), 3, 12, "error")
    assert "'undeclared_name'" in only.text
    assert str(error).startswith("kernel.cpp does not compile, 1 error\n")
    assert str(error).endswith("     3 |     x[0] = undeclared_name;\n       |            ^")


def test_a_static_assert_in_our_headers_reads_as_a_sentence_at_the_users_line(build: Build, small_include: Path) -> None:
    error = failure(build, KERNEL.format("    AscendC::Fill<uint8_t>(x, 1, 8);"))
    assert [(d.line, d.text) for d in error.diagnostics] == [(3, "Fill takes float, int32_t and uint32_t")]
    assert str(small_include) not in str(error)


def test_an_error_deep_in_a_header_macro_is_shown_where_the_user_wrote_it(build: Build) -> None:
    error = failure(build, KERNEL.format("    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AICORE);"))
    assert [d.line for d in error.diagnostics] == [3]
    assert "belongs to products with a coupled core (310P)" in error.diagnostics[0].text


def test_a_missing_api_is_named_once(build: Build) -> None:
    error = failure(build, KERNEL.format("    AscendC::Foo<float>(x, 3);\n    AscendC::Bar(x);"))
    assert [(d.line, d.text) for d in error.diagnostics] == [
        (3, "AscendC::Foo is not in aclimb's device headers: it is misspelt, or not supported yet"),
        (4, "AscendC::Bar is not in aclimb's device headers: it is misspelt, or not supported yet"),
    ]


def test_a_missing_api_behind_using_namespace_gets_the_hint_too(build: Build) -> None:
    error = failure(build, "using namespace AscendC;\n" + KERNEL.format("    Foo(x);"))
    assert error.diagnostics[0].text.endswith("; if it is an Ascend C call, aclimb's device headers do not have it (yet)")


def test_a_wrong_number_of_arguments_says_how_many(build: Build) -> None:
    error = failure(build, KERNEL.format("    AscendC::Fill(x);"))
    assert "no matching function" in error.diagnostics[0].text
    assert "3 arguments" in error.diagnostics[0].text


@pytest.mark.parametrize(
    ("parameter", "sentence"),
    [
        ("int& x", "a kernel parameter cannot be a reference: pass a pointer to global memory, or a struct by value"),
        (
            "Owner x",
            "a kernel parameter is copied byte by byte: use a scalar, a pointer to global memory or a plain struct",
        ),
        ("Wide x", "a kernel parameter starts at a multiple of 8 bytes: its alignment cannot be larger"),
    ],
)
def test_a_parameter_that_cannot_be_passed_is_refused_at_the_kernel(build: Build, parameter: str, sentence: str) -> None:
    text = "struct Owner { Owner(const Owner&); int* p; };\nstruct alignas(64) Wide { int n; };\n"
    error = failure(build, text + f'extern "C" __global__ __aicore__ void f({parameter}) {{}}\n')
    assert [(d.line, d.text) for d in error.diagnostics] == [(4, sentence)]


def test_a_header_that_does_not_exist_is_named_with_where_to_put_it(build: Build) -> None:
    error = failure(build, '#include "nope.h"\n')
    (only,) = error.diagnostics
    assert (only.line, only.text) == (
        2,
        "nope.h: no such header; aclimb brings the Ascend C kernel headers, other folders come with include_dirs or -I",
    )


def test_a_function_of_the_host_is_refused_by_name(build: Build) -> None:
    error = failure(
        build,
        'extern "C" int puts(const char*);\nint helper(int);\n' + KERNEL.format('    puts("x"); x[0] = helper(3);'),
    )
    assert str(error) == (
        "kernel.cpp does not link: kernel calls puts, which does not exist on the AI Core;"
        " kernel calls helper(int), which does not exist on the AI Core (define it in the kernel"
        " source, or use the Ascend C call for it;"
        " a kernel cannot use the host's libraries)"
    )


def test_tiling_data_without_a_registered_struct_says_what_to_write(build: Build) -> None:
    error = failure(build, KERNEL.format("    GET_TILING_DATA(t, x);"))
    assert [(d.line, d.text) for d in error.diagnostics] == [
        (
            3,
            "GET_TILING_DATA does not know the tiling struct: write REGISTER_TILING_DEFAULT(Struct) before it,"
            " or use GET_TILING_DATA_WITH_STRUCT(Struct, name, pointer)",
        ),
    ]


def test_at_most_twenty_errors_are_shown_and_the_rest_counted(build: Build) -> None:
    error = failure(build, KERNEL.format("\n".join(f"    x[0] = y{i};" for i in range(30))))
    assert len(error.diagnostics) == 30
    assert str(error).count(": error:") == 20
    assert str(error).endswith("... and 10 more")


def test_a_source_without_kernels_says_what_a_kernel_is(build: Build) -> None:
    assert str(failure(build, "int x;\n")) == (
        'kernel.cpp has no kernel; a kernel is a function such as extern "C" __global__ __aicore__ void f(GM_ADDR x) at namespace scope'
    )


def test_a_template_without_an_instance_says_how_to_name_one(build: Build) -> None:
    text = "template <typename T> __global__ __aicore__ void g(__gm__ T* x) {}\n"
    assert str(failure(build, text)) == (
        "kernel.cpp has only kernel templates (g) and no instance of them; name one with instances=[\"g<float>\"] or --instance 'g<float>'"
    )
    assert str(failure(build, text, instances=["g<int>", "h<int>"])) == (
        "instance h<int> was asked for, and kernel.cpp has no kernel template h; it has g"
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "__global__ __mix__(2, 1) void g(GM_ADDR x) {}\n",
            "kernel g is __mix__(2, 1), at {file}:2; it takes (0, 1), (1, 0), (1, 1) or (1, 2)",
        ),
        ("__global__ __schedmode__(3) void g(GM_ADDR x) {}\n", "kernel g has __schedmode__(3); it takes 0 or 1"),
        (
            "__global__ void g(GM_ADDR x) {}\n__global__ void g(int x) {}\n",
            "two kernels are called g, at line 2 and line 3 of {file}; a launch finds a kernel by its name: rename one",
        ),
        (
            "#ifdef __DAV_C220_VEC__\n__global__ __mix__(1, 2) void g(GM_ADDR x) {}\n#endif\n",
            "kernel g is MIX_AIC_1_2, which has an AIC side, and the source does not define it in"
            " the AIC pass (__DAV_C220_CUBE__);"
            " define it there too, or choose a kernel type without that side",
        ),
        (
            "__global__ void g(GM_ADDR x) { KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);"
            " KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIV_1_0); }\n",
            "kernel g declares several types with KERNEL_TASK_TYPE_DEFAULT: AIV_ONLY, MIX_AIV_1_0; it takes one for each kernel",
        ),
    ],
)
def test_contradictions_about_a_kernel_are_refused(build: Build, tmp_path: Path, text: str, message: str) -> None:
    assert str(failure(build, text)) == message.format(file=tmp_path / "kernel.cpp")
