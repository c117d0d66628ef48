# SPDX-License-Identifier: Apache-2.0
"""The scanner alone, on preprocessed text."""

from __future__ import annotations

from pathlib import Path

import pytest

from aclimb.compile.scan import scan
from aclimb.compile.tokens import normalise

MARK = '__attribute__((annotate("aclimb_kernel"), visibility("hidden")))'
OWN = (Path("/own/include"),)


def names(text: str) -> list[str]:
    return [kernel.name for kernel in scan(f'# 1 "/user/k.cpp"\n{text.replace("KERNEL", MARK)}', OWN).kernels]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("KERNEL void f() {}", ["f"]),
        ('extern "C" KERNEL void f(int a, int b) {}', ["f"]),
        ('extern "C" { KERNEL void f() {} }\nKERNEL void g() {}', ["f", "g"]),
        (
            "namespace a { namespace b { KERNEL void f() {} } KERNEL void g() {} } KERNEL void h() {}",
            ["a::b::f", "a::g", "h"],
        ),
        ("namespace a::b { KERNEL void f() {} }", ["a::b::f"]),
        ("namespace { KERNEL void f() {} }", ["f"]),
        ("namespace x = a::b; KERNEL void f() {}", ["f"]),
        ("KERNEL void f();", []),
        ("template <typename T> KERNEL void f(T* x) {}", []),
        ("template <class T> KERNEL void f(T* x) {} template KERNEL void f<float>(float* x);", ["f<float>"]),
        ("template <> KERNEL void f<A<int>>(int x) {}", ["f<A<int>>"]),
        ("template <> KERNEL void a::f<int>(int x) {}", ["a::f<int>"]),
        ("struct S { void m() { if (1) { } } } s = {1, {2}}; KERNEL void f() {}", ["f"]),
        ("auto l = [](int x) { return x; }; int a[] = {1}; KERNEL void f(int x = int{3}) {}", ["f"]),
        ("[[noreturn]] KERNEL void f() {}", ["f"]),
        ("const char* s = \"KERNEL void g() {\"; char c = '{'; KERNEL void f() {}".replace('"KERNEL', '"x'), ["f"]),
        ('auto s = R"q({ KERNEL void g() { )" )q"; KERNEL void f() {}'.replace("{ KERNEL", "{"), ["f"]),
        ("int n = 1'000'000; KERNEL void f() {}", ["f"]),
    ],
)
def test_kernels_are_found_in(text: str, expected: list[str]) -> None:
    assert names(text) == expected


def test_parameters_are_split_at_their_own_commas() -> None:
    text = f"{MARK} void f(const A<int, 3>* x, unsigned int n, a::B b = {{1, 2}}, float (y)[2], int, uint8_t* __restrict__) {{}}"
    (kernel,) = scan(f'# 1 "/user/k.cpp"\n{text}', OWN).kernels
    assert kernel.parameters[:3] == (("const A<int, 3>*", "x"), ("unsigned int", "n"), ("a::B", "b"))
    assert kernel.parameters[4:] == (("int", ""), ("uint8_t* __restrict__", ""))


def test_qualifiers_are_read_from_their_annotations() -> None:
    text = f'__attribute__((annotate("aclimb_mix " "1" " " "2"))) {MARK} __attribute__((annotate("aclimb_schedmode " "1"))) void f() {{}}'
    (kernel,) = scan(f'# 1 "/user/k.cpp"\n{text}', OWN).kernels
    assert {key: kernel.annotations[key] for key in ("mix", "schedmode")} == {"mix": "1 2", "schedmode": "1"}


def test_our_own_and_system_headers_are_skipped_and_users_headers_listed() -> None:
    text = "\n".join(
        [
            '# 1 "/user/k.cpp"',
            '# 1 "/own/include/kernel_operator.h" 1',
            f"{MARK} void ours() {{}}",
            '# 2 "/user/k.cpp" 2',
            '# 1 "/usr/include/x.h" 1 3',
            f"{MARK} void system() {{}}",
            '# 3 "/user/k.cpp" 2',
            '# 1 "/user/part.h" 1',
            f"{MARK} void part() {{}}",
            '# 4 "/user/k.cpp" 2',
            f'# 4 "/user/k.cpp" 3\n{MARK}',
            "void f() {}",
        ]
    )
    found = scan(text, OWN)
    assert [(kernel.name, kernel.file, kernel.line) for kernel in found.kernels] == [
        ("part", "/user/part.h", 1),
        ("f", "/user/k.cpp", 5),
    ]
    assert found.files == [Path("/user/k.cpp"), Path("/user/part.h")]


def test_one_spelling_for_instances() -> None:
    assert normalise("f< float,3 >") == normalise("f<float, 3>") == "f<float, 3>"
