# SPDX-License-Identifier: Apache-2.0
"""Random programs of numbers, conditions and loops mean on a core what they mean in Python."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scalar_runs import python_result, run_body

NAMES = ("x", "y", "z")
LEAVES = st.one_of(st.sampled_from([*NAMES, "a", "b"]), st.integers(-9, 9).map(str))
EXPRESSIONS = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from(["+", "-", "*", "&", "|", "^"]), inner).map(lambda t: f"({t[0]} {t[1]} {t[2]})"),
        st.tuples(st.sampled_from(["min", "max"]), inner, inner).map(lambda t: f"{t[0]}({t[1]}, {t[2]})"),
        st.tuples(inner, inner, inner, inner).map(lambda t: f"({t[0]} if {t[1]} < {t[2]} else {t[3]})"),
        inner.map(lambda t: f"-{t}"),
        inner.map(lambda t: f"abs({t})"),
        st.tuples(inner, inner, inner).map(lambda t: f"(1 if {t[0]} < {t[1]} <= {t[2]} else 0)"),
        st.tuples(inner, inner).map(lambda t: f"(1 if {t[0]} != 0 and {t[1]} > 0 or not {t[0]} else 0)"),
    ),
    max_leaves=6,
)
ASSIGNMENT = st.tuples(st.sampled_from(NAMES), EXPRESSIONS).map(lambda t: f"{t[0]} = ({t[1]}) & 1023")


def _indented(lines: list[str]) -> str:
    return "\n".join(f"    {line}" for text in lines for line in text.splitlines())


STATEMENTS = st.recursive(
    st.one_of(ASSIGNMENT, st.tuples(st.sampled_from(NAMES), LEAVES).map(lambda t: f"{t[0]} += {t[1]}")),
    lambda inner: st.one_of(
        st.tuples(EXPRESSIONS, st.lists(inner, min_size=1, max_size=2), st.lists(inner, min_size=1, max_size=2)).map(
            lambda t: f"if {t[0]} > 3:\n{_indented(t[1])}\nelse:\n{_indented(t[2])}"
        ),
        st.tuples(st.integers(0, 4), st.lists(inner, min_size=1, max_size=2)).map(lambda t: f"for i in range({t[0]}):\n{_indented(t[1])}"),
        st.tuples(st.integers(1, 3), st.lists(inner, min_size=1, max_size=2)).map(
            lambda t: f"for j in asc.static_range({t[0]}):\n{_indented(t[1])}"
        ),
        st.tuples(st.lists(inner, min_size=1, max_size=2), EXPRESSIONS).map(
            lambda t: f"for i in range(5):\n{_indented(t[0])}\n    if {t[1]} > 100:\n        break"
        ),
    ),
    max_leaves=5,
)


@settings(max_examples=25, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(st.lists(STATEMENTS, min_size=2, max_size=6))
def test_a_random_program_means_what_it_means_in_python(statements: list[str]) -> None:
    body = "\n".join(["x, y, z = 1, 2, a", *statements, *(f"put({i}, {name} & 65535)" for i, name in enumerate(NAMES))])
    assert run_body(body) == python_result(body), body
