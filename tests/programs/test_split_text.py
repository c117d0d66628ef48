# SPDX-License-Identifier: Apache-2.0
"""Where launches and functions are found in a source, and what becomes of them on each side. No compiler is needed."""

from __future__ import annotations

import contextlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aclimb.compile.device_text import device_text, from_source_on, has_host_part
from aclimb.compile.functions import functions
from aclimb.compile.host_text import host_text
from aclimb.compile.launches import BadLaunch, find_launches
from aclimb.compile.tokens import tokens_of
from aclimb.errors import CompileError

SOURCE = Path("/user/a.asc")
KERNEL = '__attribute__((annotate("aclimb_kernel"), noinline, visibility("hidden"))) __aclimb_aicore__ void k(int x) { work(x); }\n'


def marked(text: str) -> str:
    return f'# 1 "{SOURCE}"\n{text}'


def on_host(text: str) -> str:
    return host_text(marked(text), SOURCE, (), "noinline").text.removeprefix(f'# 1 "{SOURCE}"\n')


def on_device(text: str) -> str:
    return device_text(marked(text), SOURCE, ()).text.removeprefix(f'# 1 "{SOURCE}"\n')


@pytest.mark.requirement("cpp-15", "cpp-16")
@pytest.mark.parametrize(
    ("text", "callee", "values", "arguments"),
    [
        ("k<<<8>>>(x)", "k", "8", "(x)"),
        ("k<<<8, nullptr, s>>>()", "k", "8, nullptr, s", "()"),
        ("::k<<<1, 0>>>(x)", "::k", "1, 0", "(x)"),
        ("return a::b::k<<<1>>>(x)", "a::b::k", "1", "(x)"),
        ("else k<<<1>>>(x)", "k", "1", "(x)"),
        ("k<float><<<1>>>(x)", "k<float>", "1", "(x)"),
        ("k<A<B<int>>><<<1>>>(x)", "k<A<B<int>>>", "1", "(x)"),
        ("a::C<int>::k<3, (a > b)><<<1>>>(x)", "a::C<int>::k<3, (a > b)>", "1", "(x)"),
        ("k<T> << <1, 2> >>(x)", "k<T> ", "1, 2", "(x)"),
        ("table[i][j]<<<1>>>(x)", "table[i][j]", "1", "(x)"),
        ("f(1)(2)<<<1>>>(x)", "f(1)(2)", "1", "(x)"),
        ("(*p)<<<1>>>(x)", "(*p)", "1", "(x)"),
        ("a.b->c<<<1>>>(x)", "a.b->c", "1", "(x)"),
        ("this->template k<T><<<1>>>(x)", "this->template k<T>", "1", "(x)"),
        ("k<<<get<1>>>>(x)", "k", "get<1>", "(x)"),
        ("k<<<f<A<B<2>>>(), 0, s>>>(x)", "k", "f<A<B<2>>>(), 0, s", "(x)"),
        ("k<<<n < 3 ? 1 : 2, 0, s>>>(x)", "k", "n < 3 ? 1 : 2, 0, s", "(x)"),
        ("k<<<n >> 3, 0, s>>>(x)", "k", "n >> 3, 0, s", "(x)"),
        ("k<<<max(a, b), A{1, 2}, v[(1, 2)]>>>(x, (y, z))", "k", "max(a, b), A{1, 2}, v[(1, 2)]", "(x, (y, z))"),
        ("if (ok) k<<<1>>>(x)", "k", "1", "(x)"),
    ],
)
def test_a_launch_is_a_postfix_expression_its_values_and_its_arguments(text: str, callee: str, values: str, arguments: str) -> None:
    whole = f"void f() {{ {text}; }}"
    (found,) = find_launches(list(tokens_of(whole)))
    parts = whole[found.callee : found.opening], whole[found.values : found.closing], whole[found.arguments : found.end]
    assert parts == (callee, values, arguments)


@pytest.mark.requirement("cpp-17")
@pytest.mark.parametrize(
    "text",
    ['"<<<"', "'<'", 'R"x(k<<<1>>>(x))x"', "/* k<<<1>>>(x) */", "// k<<<1>>>(x)\n", "a << b << c", "operator<<<T>(a, b)",
     "x.operator<< <T>(a)",     "out << (a < b)", "a >> b >> c", "A<B<C<int>>> x", "1 <<2", 'u8"<<<1>>>("'],
)  # fmt: skip
def test_what_only_looks_like_a_launch_is_left_alone(text: str) -> None:
    source = f"void f() {{ {text}; }}\n"
    assert find_launches(list(tokens_of(source))) == []
    assert on_host(source) == source


_LEFT_ALONE = st.sampled_from(
    ['"<<<1>>>("', "a << b", "operator<<<T>(a)", "/* <<< */", "'<'", "A<B<C<int>>>()", "a >> 2", "x < y", "\n", "f(1, 2)"]
)
_LAUNCHES = st.sampled_from(
    ["k<<<1>>>(x)", "k<T><<<n, nullptr, s>>>(a, b)", "n::k<<<f(1),\n0, s>>>(\nx)", "t[1]<<<A<2>::v>>>()", "(*p)<<<1, 0>>>(y)"]
)


@pytest.mark.requirement("cpp-17")
@given(st.lists(st.one_of(_LEFT_ALONE, _LAUNCHES), max_size=12))
def test_launches_are_found_wherever_they_stand_and_no_line_moves(parts: list[str]) -> None:
    source = "void f() {\n" + "".join(f"{part};\n" for part in parts) + "}\n"
    launches = [part for part in parts if "k<" in part or "]<<<" in part or ")<<<" in part]
    found = find_launches(list(tokens_of(source)))
    assert [source[each.callee : each.end] for each in found] == launches
    host, device = on_host(source), on_device(source)
    assert host.count("::aclimb_host::Launch(") == len(launches)
    assert host.count("\n") == device.count("\n") == source.count("\n")
    for number, line in enumerate(source.split("\n")):
        if "<<<" not in line and line.endswith(";") and not any(line in part for part in _multi_line(parts)):
            assert line.strip(";") in host.split("\n")[number]


def _multi_line(parts: list[str]) -> list[str]:
    return [f"{part};" for part in parts if "\n" in part]


@given(st.text(alphabet="<>()k;,{} \n\"'/*x1", max_size=60))
def test_whatever_the_text_is_the_search_ends_with_an_answer_or_a_sentence(text: str) -> None:
    tokens = list(tokens_of(text))
    with contextlib.suppress(BadLaunch):
        for each in find_launches(tokens):
            assert each.callee < each.opening < each.values <= each.closing < each.arguments < each.end
    functions(tokens)


@pytest.mark.requirement("cpp-17")
@pytest.mark.parametrize("text", ["<<<1>>>(x)", "k<<<1>>>;", "k<<<1>>(x)", "k<<<>>>(x)", "return <<<1>>>(x)"])
def test_half_a_launch_is_an_error_at_its_line(text: str) -> None:
    with pytest.raises(CompileError, match=r"a launch is|give the number of blocks") as caught:
        on_host(f"int a;\nvoid f() {{\n    {text};\n}}\n")
    assert [(each.file, each.line) for each in caught.value.diagnostics] == [(str(SOURCE), 3)]


def test_a_kernel_becomes_a_stub_and_a_launch_a_call() -> None:
    assert on_host(KERNEL + "void f() {\n    k<<<8,\n 0, s>>>(3);\n}\n") == (
        "__attribute__((noinline))  void k(int x) { static char aclimb_self_0; (void)::aclimb_host::launch(&aclimb_self_0, x); }\n"
        f'void f() {{\n    (static_cast<void>(::aclimb_host::Launch("{SOURCE}", 3, 8,  0, s)), k \n(3));\n}}\n'
    )


def test_the_device_keeps_what_is_emitted_on_demand_and_declares_the_rest() -> None:
    text = (
        "int host(int x) {\n    throw x;\n}\n"
        "inline int kept() { return 1; }\ntemplate <class T> void launches() { k<T><<<1>>>(x); }\n"
        "struct S { int member() { return 2; } S(); };\nS::S() : a{1}, b(2) { work(); }\nconstexpr int c() { return 3; }\n"
        "__aclimb_aicore__ void device() { }\nauto deduced() { return 4; }\nint main() try { } catch (...) { }\n"
    )
    assert on_device(text + KERNEL).split("\n") == [
        "int host(int x) ;",
        "",
        "",
        "inline int kept() { return 1; }",
        "template <class T> void launches() { static_cast<void>(0); }",
        "struct S { int member() { return 2; } S(); };",
        "",
        "constexpr int c() { return 3; }",
        " void device() { }",
        "auto deduced() { return 4; }",
        "int main() ;",
        *KERNEL.replace("__aclimb_aicore__", "").split("\n"),
    ]


def test_line_markers_inside_a_body_stay() -> None:
    text = f'void f() {{\n# 7 "{SOURCE}"\n    g();\n#pragma unroll\n}}\nint after;\n'
    assert on_device(text) == f'void f() ;\n# 7 "{SOURCE}"\n\n\n\nint after;\n'


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("int f(int a) { }", "f"),
        ("std::map<int, std::function<void(int)>> g(int a = h(3)) { }", "g"),
        ("A::A() : b{1}, c(2), d<int>{3} { }", "A"),
        ("A::operator bool() const { }", "operator"),
        ("bool operator==(const A& a, const A& b) { }", "operator"),
        ("template <> void t<int>(int) { }", "t"),
        ("auto f() -> std::vector<int> { }", "f"),
        ("int f() noexcept(true) { }", "f"),
        ("__attribute__((noinline)) int f() { }", "f"),
        ("struct A f() { }", "f"),
        ('extern "C" { int f(void) { } }', "f"),
        ("namespace a::b { inline namespace c { int f() { } } }", "f"),
        ("int x{f(1)};", ""),
        ("Foo foo(1), bar{2};", ""),
        ("auto l = [](int a) { return a; };", ""),
        ("struct A : B<decltype(f())> { int g() { } };", ""),
        ("enum class E : int { a };", ""),
        ("int f();", ""),
        ("static_assert(sizeof(int) == 4);", ""),
    ],
)
def test_function_definitions_are_told_from_everything_else(text: str, expected: str) -> None:
    assert [each.name for each in functions(list(tokens_of(text)))] == ([expected] if expected else [])


def test_a_host_part_is_a_launch_or_a_main_outside_of_comments_and_strings() -> None:
    assert has_host_part("void f() { k<<<1>>>(x); }")
    assert has_host_part("#define L(k) k<<<1>>>()\n")
    assert has_host_part("int main() {}")
    assert not has_host_part('// k<<<1>>>(x) and main()\nconst char* s = "<<< main("; int domain(int); a = b << 3;')


def test_what_stands_before_the_source_is_dropped_with_clang_too() -> None:
    text = '# 1 "/user/a.asc"\n# 1 "<built-in>" 1\nours\n# 1 "/user/a.asc" 2\nint x;\n# 1 "b.h" 1\n# 2 "/user/a.asc" 2\n'
    assert from_source_on(text, SOURCE) == '# 1 "/user/a.asc"\nint x;\n# 1 "b.h" 1\n# 2 "/user/a.asc" 2\n'
