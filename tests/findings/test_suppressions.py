# SPDX-License-Identifier: Apache-2.0
"""`// aclimb: ignore[O1] reason`: which comments count, what they cover, and what is said of those that nobody needed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from fakes import ADD, OUT, SOURCE, race
from hypothesis import given
from hypothesis import strategies as st

from aclimb.check import suppress
from aclimb.check.finding import Finding
from aclimb.check.rules import RULES

Find = Callable[..., list[Finding]]


def only(text: str, file: str = "add.cpp") -> suppress.Suppression:
    read = suppress.parse(file, text)
    assert read.remarks == ()
    (found,) = read.suppressions
    return found


# --- what counts


def test_behind_a_statement_it_is_for_that_line() -> None:
    found = only("A();\nAdd(z, x);  // aclimb: ignore[O1] x is only read here\nB();\n")
    assert (found.line, found.rules, found.reason) == (2, ("O1",), "x is only read here")
    assert (found.first, found.last) == (2, 2)


def test_on_a_line_of_its_own_it_is_for_the_statement_below() -> None:
    found = only("A();\n    // aclimb: ignore[O1] why\nAdd(z, x);\nB();\n")
    assert (found.first, found.last) == (3, 3)


def test_a_statement_over_several_lines_is_covered_whole() -> None:
    above = only("A();\n// aclimb: ignore[O1] why\nAdd(z,\n    x,\n    y);\nB();\n")
    assert (above.first, above.last) == (3, 5)
    behind = only("A();\nAdd(z,\n    x);  // aclimb: ignore[O1] why\nB();\n")
    assert (behind.first, behind.last) == (2, 3)


def test_the_reason_may_go_on_and_comments_may_stack() -> None:
    text = "// aclimb: ignore[O1] a reason\n// that needs two lines\n/* aclimb: ignore[O2] another */\nAdd(z, x);\n"
    first, second = suppress.parse("add.cpp", text).suppressions
    assert (first.first, first.last) == (second.first, second.last) == (4, 4)
    assert second.reason == "another"


def test_several_rules_by_id_or_name_each_once() -> None:
    assert only("Add(z, x);  // aclimb: ignore[O1, stale-copy,o1] both are known").rules == ("O1", "C2")


def test_blanks_do_not_matter() -> None:
    assert only("Add(z, x);//aclimb:ignore [ O1 ]why").reason == "why"


@pytest.mark.parametrize(
    "text",
    [
        'const char* s = "// aclimb: ignore[O1] no comment";',
        "// see aclimb: ignore[O1] for how",
        "// aclimb: ignored[O1] no",
        "// aclimb: allow O1",
        'R"(// aclimb: ignore[O1] in a raw string)"',
        "",
    ],
)
def test_what_only_looks_like_one_does_not_count(text: str) -> None:
    assert suppress.parse("add.cpp", text) == suppress.Read()


def test_python_has_its_own_comments() -> None:
    found = only('text = "# aclimb: ignore[H1] no"\nlaunch(s, k)  # aclimb: ignore[H1] the other stream is idle\n', "program.py")
    assert (found.line, found.first, found.last) == (2, 2, 2)
    assert only("# aclimb: ignore[H2] why\nlaunch(s, k)\n", "program.py").first == 2
    assert suppress.parse("program.py", "def broken(:\n  # aclimb: ignore[H1] why\n '''") is not None


@pytest.mark.parametrize(
    ("text", "remark"),
    [
        ("A();\nB();  // aclimb: ignore[O1]", "add.cpp:2: ignore[O1] gives no reason; say why behind the bracket"),
        ("A();  // aclimb: ignore", "add.cpp:1: ignore names no rule; write // aclimb: ignore[O1] and the reason"),
        ("A();  // aclimb: ignore[] why", "add.cpp:1: ignore names no rule; write // aclimb: ignore[O1] and the reason"),
        ("A();  // aclimb: ignore O1 why", "add.cpp:1: ignore names no rule; write // aclimb: ignore[O1] and the reason"),
        (
            "A();  // aclimb: ignore[O77] why",
            "add.cpp:1: ignore[O77]: there is no rule 'O77'; is it O7? docs/reference/check.md lists them",
        ),
    ],
)
def test_a_comment_that_is_not_right_is_told(text: str, remark: str) -> None:
    assert suppress.parse("/home/me/add.cpp", text).remarks == (remark,)


def test_one_that_gives_no_reason_still_counts() -> None:
    assert suppress.parse("add.cpp", "A();  // aclimb: ignore[O1]").suppressions[0].rules == ("O1",)


# --- what they do


def written(source: Path, line: int, comment: str) -> None:
    lines = SOURCE.splitlines()
    lines[line - 1] += f"  // aclimb: ignore{comment}"
    source.write_text("\n".join(lines))


@pytest.mark.parametrize("line", [ADD, OUT])
@pytest.mark.requirement("ord-36")
def test_either_of_the_two_places_will_do(source: Path, find: Find, line: int) -> None:
    written(source, line, "[O1] the tile is written once")
    applied = suppress.apply(find(race()), [], RULES)
    assert applied.kept == ()
    ((finding, by),) = applied.suppressed
    assert (finding.rule, by.line, by.reason) == ("O1", line, "the tile is written once")
    assert applied.unused == ()


def test_another_rule_or_another_line_is_left(source: Path, find: Find) -> None:
    written(source, ADD, "[O2] not this one")
    applied = suppress.apply(find(race()), [], RULES)
    assert len(applied.kept) == 1
    assert [(by.line, rule) for by, rule in applied.unused] == [(ADD, "O2")]
    written(source, 5, "[O1] not here")
    assert len(suppress.apply(find(race()), [], RULES).kept) == 1


@pytest.mark.requirement("ord-36")
def test_unused_ones_are_listed_rule_by_rule_and_also_in_files_without_findings(source: Path, find: Find, tmp_path: Path) -> None:
    written(source, ADD, "[O1, C1] half of it is needed")
    other = tmp_path / "other.cpp"
    other.write_text("A();  // aclimb: ignore[B1] long ago\n")
    applied = suppress.apply(find(race()), [str(other), str(tmp_path / "gone.cpp")], RULES)
    assert [(by.short, rule) for by, rule in applied.unused] == [(f"add.cpp:{ADD}", "C1"), ("other.cpp:1", "B1")]


def test_a_rule_that_was_not_looked_for_is_not_called_unused(source: Path, find: Find) -> None:
    written(source, ADD, "[A1] for --advice")
    assert suppress.apply(find(race()), [], {"O1"}).unused == ()


def test_headers_are_read_too_and_a_line_may_have_two(source: Path, find: Find) -> None:
    written(source, ADD, "[O2] one")
    source.write_text(source.read_text().replace("// aclimb: ignore[O2] one", "/* aclimb: ignore[O2] one */ // aclimb: ignore[O1] two"))
    applied = suppress.apply(find(race()), [], RULES)
    assert [by.reason for _, by in applied.suppressed] == ["two"]


# --- any text at all


PIECES = [*"/*\"'#[](),;{}\\ abO1", "\n", "aclimb: ignore", "// ", 'R"x(', "[O1] why"]
NASTY = st.lists(st.sampled_from(PIECES), max_size=40).map("".join)


@given(NASTY)
def test_any_text_is_read_without_complaint(text: str) -> None:
    for name in ("a.cpp", "a.py", "a.h"):
        read = suppress.parse(name, text)
        lines = text.count("\n") + 1
        for each in read.suppressions:
            assert 1 <= each.line <= lines
            assert each.line - suppress._REACH <= each.first <= each.last
            assert set(each.rules) <= set(RULES)


RULE = st.sampled_from([*RULES, *(rule.name for rule in RULES.values())])
REASON = st.text(alphabet=st.characters(codec="ascii", exclude_categories=["Cc"]), max_size=40).map(str.strip)


@given(st.lists(RULE, min_size=1, max_size=5), REASON, st.integers(0, 3), st.booleans())
def test_what_is_written_is_what_is_read(rules: list[str], reason: str, above: int, own: bool) -> None:
    reason = reason.removeprefix("[").rstrip("*/\\")
    comment = f"// aclimb: ignore[{', '.join(rules)}] {reason}"
    statement = f"{comment}\nAdd(z, x);" if own else f"Add(z, x); {comment}"
    read = suppress.parse("a.cpp", "A();\n" * above + statement + "\nB();")
    (found,) = read.suppressions
    expected = tuple(dict.fromkeys(suppress.by_name(each).id for each in rules))
    assert (found.rules, found.reason.strip(), found.line) == (expected, reason.strip(), above + 1)
    assert found.covers("a.cpp", above + 1 + own)
    assert len(read.remarks) == (not reason.strip())
