# SPDX-License-Identifier: Apache-2.0
"""The grammar table: what is accepted gives Python's own result, what is refused says line, place and what to write instead."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
from scalar_runs import compiled_from, python_result, refusal, run_body

from aclimb.asc.codegen.errors import CodegenError, UnsupportedSyntaxError

ACCEPTED = {
    "a docstring, pass and an expression": '"""Says what it does."""\npass\na + b\nput(0, a)',
    "a = b = e": "x = y = a + 1\nput(0, x + y)",
    "names unpacked": "x, (y, *z) = 1, (2, 3, 4)\nput(0, x + y * a)\nput(1, len(z) + z[1])",
    "two names swapped": "x = a + 1\ny = b\nx, y = y, x\nput(0, x)\nput(1, y)",
    "x op= e": "x = a\nx += 3\nx *= 2\nx -= b\nput(0, x)",
    "an array's elements": "t = asc.array(asc.int32, 4, 1)\nt[a - 5] = 9\nt[0] += 4\nput(0, t[0] + t[1] + t[2] + t[3] + len(t))",
    "a compile-time if": "if 3 > 2:\n    x = 1\nelse:\n    x = undefined_name\nput(0, x)",
    "a run-time if": "x = 0\nif a > 3:\n    x = 1\nelif a > 2:\n    x = 2\nelse:\n    x = 3\nput(0, x)",
    "a name bound in both branches": "if a > 30:\n    x = a\nelse:\n    x = b\nput(0, x)",
    "numbers bound in both branches": "if a > 3:\n    x = 5\nelse:\n    x = 6\nput(0, x + a)",
    "a choice": "put(0, a if a > b else b)\nput(1, 1 if a < b else 2)\nput(2, 3 if True else undefined_name)",
    "a for": "t = 0\nfor i in range(5):\n    t += i\nput(0, t)",
    "a for with bounds and a step": "t = 0\nfor i in range(1, a * 2, 3):\n    t = t * 2 + i\nput(0, t)",
    "a for that counts down": "t = 0\nfor i in range(9, 2, -2):\n    t = t * 10 + i\nput(0, t)",
    "a for whose bound changes in it": "n = a\nt = 0\nfor i in range(n):\n    n = n - 1\n    t += 1\nput(0, t)",
    "a for that binds its own name": "t = 0\nfor i in range(4):\n    i = i * 2\n    t += i\nput(0, t)",
    "a for over a list": "t = 0\nfor x in [a, b, 3]:\n    t += x\nput(0, t)",
    "a for over zip and enumerate": "t = 0\nfor i, (x, y) in enumerate(zip((1, 2), (3, 4))):\n    t += i * x + y * a\nput(0, t)",
    "a while": "i = 0\nwhile i < a:\n    i += 2\nput(0, i)",
    "break, continue": "t = 0\nfor i in range(9):\n    if i == 3:\n        continue\n    if i == a:\n        break\n    t += i\nput(0, t)",
    "break in a loop that is unrolled": "t = 0\nfor x in (1, 2, 3):\n    if x == 3:\n        break\n    t += x * a\nput(0, t)",
    "assert": "assert 2 > 1, 'never'\nassert a > 3, 'a is small'\nput(0, 1)",
    "a dict and a comprehension": "d = {'x': 3, 'y': a}\nl = [i * i for i in range(4) if i % 2]\nput(0, d['x'] + d['y'] + l[1])",
    "a walrus": "if (n := a + 1) > 3:\n    put(0, n)",
    "arguments from a list": "t = (1, 2)\nput(*(0, a))",
    "a def in a def": "def twice(x):\n    return x * 2 + b\nput(0, twice(a) + twice(3))",
    "in and not in": "put(0, 1 if 3 in (1, 2, 3) else 0)\nput(1, 1 if a in (1, 7) else 0)\nput(2, 1 if a not in (1, 7) else 0)",
    "is": "put(0, 1 if None is None else 0)",
    "a chained comparison": "put(0, 1 if 1 < a < 9 else 0)\nput(1, 1 if 1 < b < 9 else 0)",
    "and, or, not": "x = a > 1 and b < 0 and True\ny = a < 1 or b < 0 or False\nput(0, 1 if x and not y else 2)",
    "signs and bits": "put(0, -a + ~b)\nput(1, (a << 2 | 1) ^ (a & 3))\nput(2, b >> 1)",
    "powers at compile time": "put(0, a + 2**10 // 3)",
    "min, max and abs": "put(0, min(a, b, 2) + max(a, b) + abs(b) + min(3, 4))",
    "builtins with named arguments": "for x, y in zip((1,), (3,), strict=True):\n    put(0, a * y + sorted((3, x), reverse=True)[0])",
    "other builtins": "put(0, sum([1, 2]) + len('abc') + sorted((3, 1))[0] + int(2.5) + divmod(7, 2)[1] + a)",
    "a list that grows at compile time": "l = []\nfor i in (1, 2, 3):\n    l.append(i * a)\nput(0, l[0] + l[2])",
    "an f-string": "name = f'{3}x{4:02d}'\nput(0, len(name) + a)",
    "floats": "x = f * 2.0 - 0.5\nput(0, int(x))",
    "precedence": "put(0, (a + b) * (a - b) - (a - (b - 1)))\nput(1, a - (b + 2) * -a)",
}  # fmt: skip


@pytest.mark.requirement("py-12", "py-16", "py-17")
@pytest.mark.parametrize("what", ACCEPTED)
def test_what_is_accepted_gives_pythons_result(what: str) -> None:
    host = SimpleNamespace(int32=None, array=lambda dtype, n, value: [value] * n)
    assert run_body(ACCEPTED[what]) == python_result(ACCEPTED[what], asc=host)


MISCOMPILED = {
    "a number that a loop counts": "x = 0\nfor i in range(a):\n    x = x + 1\nput(0, x)",
    "a condition that the loop changes": "i = 0\nt = 0\nwhile i * i < a * 3:\n    i = i + 1\n    t = t + i\nput(0, t)",
    "the sign of a float": "x = -f\nput(0, int(x * 2.0))",
    "a number that becomes a float in a loop": "t = 0\nfor i in range(3):\n    t = t + f\nput(0, int(t * 2.0))",
}


@pytest.mark.requirement("py-13")
@pytest.mark.parametrize("what", MISCOMPILED)
def test_what_other_compilers_get_wrong_has_pythons_meaning(what: str) -> None:
    assert run_body(MISCOMPILED[what]) == python_result(MISCOMPILED[what])


REFUSED = {
    "t[0:4]": ("x = result[0:4]", "a tensor has no end or step to its parts; t[i:] begins at element i"),
    "an element assigned to": ("result[0] = 3", "an element of a tensor is not assigned to; write result.set_value(i, x)"),
    "for ... else": ("for i in range(3):\n    pass\nelse:\n    pass", "for ... else has no meaning in a kernel; use a flag of your own"),
    "while ... else": ("while a > 3:\n    pass\nelse:\n    pass", "while ... else has no meaning in a kernel"),
    "a step that is not known": ("for i in range(0, 9, a):\n    pass", "the step of range is only known when the kernel runs"),
    "try": ("try:\n    pass\nexcept ValueError:\n    pass", "try has no meaning in a kernel; a core has no exceptions"),
    "raise": ("raise ValueError", "raise has no meaning in a kernel"),
    "import": ("import math", "import has no meaning in a kernel; import at the top of the file"),
    "global": ("global x", "global has no meaning in a kernel"),
    "class": ("class C:\n    pass", "a class has no meaning in a kernel; define it outside; data for a kernel is an asc.Struct"),
    "match": ("match a:\n    case 1:\n        pass", "match has no meaning in a kernel; write if and elif"),
    "del": ("x = 1\ndel x", "del has no meaning in a kernel"),
    "lambda": ("x = lambda: 3", "lambda has no meaning in a kernel; write a def with @asc.jit"),
    "a set": ("x = {1, 2}", "a set has no meaning in a kernel; use a tuple"),
    "a generator": ("x = (i for i in (1, 2))", "a generator has no meaning in a kernel; use a list"),
    "yield": ("yield a", "yield has no meaning in a kernel"),
    "**": ("x = a ** 2", "** is for compile-time values only; multiply, or use asc.adv.power on tensors"),
    "@": ("x = a @ b", "@ is for compile-time values only"),
    "a keyword dict": ("put(**{'offset': 0, 'value': a})", "** in a call has no meaning in a kernel"),
    "a list indexed by the core": ("l = [1, 2]\nput(0, l[a])", "use asc.array for a list that the core reads"),
    "a list changed in a loop": ("l = []\nfor i in range(3):\n    l.append(i)", "changes a compile-time list in a run-time block"),
    "a late break": ("for x in (1, 2):\n    if a > x:\n        break", "break under a run-time condition in a loop that is unrolled"),
    "breakpoint": ("breakpoint()", "breakpoint() has no meaning in a kernel; use asc.dump_tensor, print, or kernel.profile(...)"),
    "Python given a run-time value": ("x = divmod(a, 2)", "an argument is only known when the kernel runs; give it @asc.jit"),
    "a name nobody knows": ("put(0, wrong)", "wrong is not known here"),
    "int meets float": ("x = a + 0.5", "int32 meets 0.5; say which is meant: i.cast(asc.float32), or a whole number"),
    "int meets a run-time float": ("x = a + f", "int32 meets float32; say which is meant"),
    "a float as an offset": ("result.set_value(f, 1)", "f is a float; a whole number is wanted; cast it: x.cast(asc.int32)"),
    "% of floats": ("x = f % 2.0", "% does not exist for float32 on the core"),
    "a value that is returned": ("return a", "a kernel returns nothing; write the result into an array that is passed to it"),
    "arithmetic on tensors": ("x = result + 1", "a global tensor of int32 has no arithmetic; on tensors, call asc.add"),
    "a false assert": ("assert 1 > 2, 'one is less'", "assertion failed: one is less"),
    "a second TPipe": ("p = asc.TPipe()\nq = asc.TPipe()", "a kernel has one TPipe, and there is one already"),
    "a loop's name after it": ("for i in range(3):\n    x = i\nput(0, x)", "x was bound in the loop of line 7 (at line 8)"),
}  # fmt: skip


@pytest.mark.requirement("py-12", "py-15", "py-16")
@pytest.mark.parametrize("what", REFUSED)
def test_what_is_refused_says_what_to_write_instead(what: str) -> None:
    body, sentence = REFUSED[what]
    assert sentence in refusal(body)


@pytest.mark.requirement("py-12", "py-16")
def test_a_refusal_shows_the_line_and_a_caret_under_the_expression() -> None:
    text = refusal("x = 3\nif a > 1:\n    y = 4\nput(0, é + y)".replace("é", "ü"), ü=1)
    lines = text.splitlines()
    assert lines[0] == "kernel does not compile"
    assert lines[1].endswith(
        ".py:10:16: error: y was bound at line 9, under the if of line 8, and not in its else; bind it in both branches, or before"
    )
    assert lines[2] == "    10 |     put(0, ü + y)"
    assert lines[3] == "       | " + " " * 15 + "^"


def test_syntax_and_other_refusals_are_told_apart() -> None:
    with pytest.raises(UnsupportedSyntaxError):
        run_body("x = {1}")
    with pytest.raises(CodegenError) as caught:
        run_body("x = a + 0.5")
    assert not isinstance(caught.value, UnsupportedSyntaxError)
    [found] = caught.value.diagnostics
    assert (found.line, found.column) == (7, 9)


def test_a_type_is_settled_when_its_loop_ends() -> None:
    text = refusal("t = 0\nfor i in range(3):\n    t += 1\nput(0, int(t + 0.5))")
    assert "int32 meets 0.5" in text
    assert run_body("t = 0\nfor i in range(3):\n    for j in range(2):\n        t += 0.5\nput(0, int(t))")[0] == 3


@pytest.mark.parametrize(
    "body", ["x = 'a' if a > 3 else 'b'", "x = result.dtype.wrong", "x = a.cast(3)", "x = [1][9]", "put(None, 1)", "x = {a: 1}"]
)
def test_what_makes_no_sense_is_an_error_with_a_place_all_the_same(body: str) -> None:
    assert ":7:" in refusal(body)


@pytest.mark.requirement("py-14")
def test_division_truncates_as_in_cpp_and_overflow_wraps() -> None:
    with pytest.warns(UserWarning, match="truncates towards zero"):
        out = run_body("put(0, b // 2)\nput(1, b % 2)\nput(2, a // -2)\nput(3, a * 1000000000)")
    assert out[:4] == [-1, -1, -3, (7 * 10**9 + 2**31) % 2**32 - 2**31]


@pytest.mark.requirement("py-10")
def test_one_helper_with_two_constants_is_two_functions() -> None:
    before = """
    @asc.jit
    def scaled(x, n: asc.ConstExpr[int]):
        if n == 1:
            return x
        return x * n
    """
    body = "put(0, scaled(a, 1))\nput(1, scaled(a, 3))\nput(2, scaled(b, 3))"
    assert run_body(body, before=before)[:3] == [7, 21, -9]


@pytest.mark.requirement("py-12")
def test_helpers_return_early_several_values_and_take_defaults() -> None:
    before = """
    @asc.jit
    def sign(x):
        if x < 0:
            return -1
        if x > 0:
            return 1
        return 0

    @asc.jit
    def both(x, y=4, *, z=1):
        return x + y, x * z, 5
    """
    body = "p, q, r = both(a)\nput(0, p)\nput(1, q)\nput(2, r)\nput(3, sign(b) + sign(a) * 10)\n"
    body += "s, _, _ = both(b, y=a, z=2)\nput(4, s)"
    assert run_body(body, before=before)[:5] == [11, 7, 5, 9, 4]


def test_a_recursion_is_refused_with_its_cycle() -> None:
    before = "@asc.jit\ndef one(x):\n    return two(x)\n@asc.jit\ndef two(x):\n    return one(x)\n"
    with pytest.raises(CodegenError, match="kernel -> one -> two -> one is a recursion"):
        run_body("put(0, one(a))", before=before)


@pytest.mark.requirement("py-12")
def test_printing_in_a_kernel(capfd: pytest.CaptureFixture[str]) -> None:
    run_body('print("a is", a, f)\nprint(f"{a:03d} of {b} 100%")\nasc.printf("%s %d\\n", "plain", a)')
    out = capfd.readouterr().out
    assert "a is 7 2.500000" in out
    assert "007 of -3 100%" in out
    assert "plain 7" in out


def test_an_array_is_passed_on_and_not_returned() -> None:
    before = "@asc.jit\ndef total(t):\n    s = 0\n    for i in range(len(t)):\n        s += t[i]\n        t[i] = 0\n    return s\n"
    before += "@asc.jit\ndef make(n):\n    return asc.array(asc.int32, n, 1)\n"
    body = "t = asc.array(asc.int32, [a, b, 5])\nput(0, total(t))\nput(1, total(t))"
    assert run_body(body, before=before)[:2] == [9, 0]
    with pytest.raises(CodegenError, match="an array of 4 int32 ends with the function that made it"):
        run_body("t = make(4)", before=before)


def test_scalars_of_other_types() -> None:
    body = """
    wide = a.cast(asc.int64) * 1000000000
    put(0, wide)
    put(1, (a.cast(asc.uint8) - 9).cast(asc.int64))
    put(2, a.ceildiv(2).cast(asc.int64))
    x: float = a
    put(3, (x * 1.5).cast(asc.int64))
    n = asc.number(5, asc.uint16)
    put(4, n.cast(asc.int64) + asc.ceildiv(a, 4).cast(asc.int64))
    """
    assert run_body(body, dtype=np.int64)[:5] == [7_000_000_000, 254, 4, 10, 7]


@pytest.mark.requirement("py-11")
def test_closures_and_annotations_that_are_text() -> None:
    scope = compiled_from(
        """
        from __future__ import annotations
        import numpy as np
        def make(step):
            @asc.jit
            def kernel(out: asc.GlobalAddress, n: asc.ConstExpr[int], m: asc.ConstExpr = 2):
                g = asc.GlobalTensor()
                g.set_global_buffer(out, 8)
                for i in asc.static_range(n):
                    g.set_value(i, i * step + m)
            return kernel
        """
    )
    out = np.zeros(8, np.int32)
    scope["make"](3)[1](out, 4)
    assert out.tolist() == [2, 5, 8, 11, 0, 0, 0, 0]
