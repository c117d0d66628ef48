# SPDX-License-Identifier: Apache-2.0
"""The launches of one test: waited for at the end of its phases, checked on request, and how they went wrong."""

from __future__ import annotations

import sys
from collections.abc import Generator, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from aclimb.errors import AclimbError

PROPERTY = "aclimb"  # the name under which findings travel with a report, and stand in a JUnit file
_HERE = Path(__file__).parent
_OWN = (_HERE, _HERE.parent / "aclimb", _HERE.parent / "acl")
_OPENED_BY = "by pytest --aclimb-check (mark a test that checks for itself with aclimb_check('off'))"


class Watch:
    """Waits for what a test launches. With a mode other than "off" the checker looks on: from setup to the end of the test, then anew."""

    def __init__(self, mode: str, options: dict[str, Any]) -> None:
        self.mode, self.options = mode, options
        self.checked: Any = None  # the check that is open
        self.fault: AclimbError | None = None  # of a launch that nobody had waited for
        self.beside = ""  # what else is to be said of a phase that failed by itself
        self.rows: list[str] = []  # findings that fail nothing

    def phase(self, *, is_last: bool) -> Generator[None, object, object]:
        """Around setup, call or teardown: what is launched there ends there, and fails that phase; the last of them ends the check."""
        self._open()
        try:
            result = yield
        except BaseException as error:
            if isinstance(error, Exception | pytest.skip.Exception | pytest.fail.Exception):
                fault = drained()
                self.beside = "\n\n".join(filter(None, [fault.in_full() if fault else "", self._judged()]))
            else:
                self._judged()  # the session ends here
            raise
        self.fault = drained()
        if self.fault is not None:
            self.beside = self._judged()
            raise self.fault
        words = self._judged() if is_last else ""
        if words:
            pytest.fail(words, pytrace=False)
        return result

    def _open(self) -> None:
        if self.mode != "off" and self.checked is None:
            import aclimb  # the checker has to be there before the first launch

            self.checked = aclimb.check(**self.options, opened_by=_OPENED_BY).__enter__()

    def _judged(self) -> str:
        """Ends the check: its report where something has to be mended, "" otherwise. The rest goes to the list at the end."""
        if self.checked is None:
            return ""
        checked, self.checked = self.checked, None
        checked.__exit__(None, None, None)
        new = [each for each in checked.findings if not raised_already(each)]
        grave = ["error", "warning"] if self.options.get("warnings_as_errors") else ["error"]
        errors = [each for each in new if each.severity in grave and self.mode == "on"]
        self.rows += [f"{each.rule} {each.headline}" for each in new if each not in errors]
        return str(checked.report()).rstrip("\n") if errors else ""

    def tell(self, item: pytest.Item, report: pytest.TestReport, call: pytest.CallInfo[None]) -> None:
        """Completes the report of a phase."""
        rows: list[tuple[str, object]] = [(PROPERTY, row) for row in self.rows]
        report.user_properties += rows
        item.user_properties += rows  # a JUnit file has those of the teardown's report
        if call.excinfo is not None and call.excinfo.value is self.fault and report.failed:
            report.longrepr = self.fault.in_full()  # no line of the test led to it
        if self.beside and report.failed:
            report.sections.append(("aclimb", self.beside))
        self.fault, self.beside, self.rows = None, "", []


def drained() -> AclimbError | None:
    """Waits for every device that somebody has used; the first fault, with the others as its notes. Without aclimb it costs nothing."""
    devices = sys.modules.get("aclimb.runtime.device")
    if devices is None:
        return None
    from aclimb.errors import AclimbError

    first = None
    for device in devices.opened():
        try:
            device.synchronize()
        except AclimbError as error:
            if first is None:
                first = error
            else:
                first.add_note(f"On another device: {error.in_full()}")
    return first


def raised_already(finding: Any) -> bool:
    """A fault that ended a kernel is raised where its stream is waited for: the test has seen it, or the plugin raises it. It has a place,
    and no access in a role."""
    return finding.severity == "error" and all(not access.role for access in finding.accesses)


# --- what is shown


def hide_own_frames(call: pytest.CallInfo[None]) -> None:
    """An error of the user's kernel or program ends at the user's line; what aclimb did to find it is of no interest there. --full-trace
    shows it."""
    if call.excinfo is not None and _is_of_aclimb(call.excinfo):
        for entry in call.excinfo.traceback:
            if _is_own(Path(entry.path)):
                entry.frame.f_globals["__tracebackhide__"] = _is_of_aclimb  # where pytest looks for it, with each error anew


def _is_of_aclimb(excinfo: pytest.ExceptionInfo[BaseException] | None) -> bool:
    errors = sys.modules.get("aclimb.errors")
    return excinfo is not None and errors is not None and isinstance(excinfo.value, errors.AclimbError)


def _is_own(path: Path) -> bool:
    return any(path.is_relative_to(folder) for folder in _OWN)


def listed(reports: Iterable[object]) -> list[str]:
    """A line for each finding that failed no test, and one for the tests that have it."""
    tests: dict[str, list[str]] = {}
    for row, test in _properties(reports):
        tests.setdefault(row, []).append(test)
    return [line for row, names in tests.items() for line in (row, f"    {names[0]}{_more(len(set(names)) - 1)}")]


def _properties(reports: Iterable[object]) -> Iterator[tuple[str, str]]:
    for report in reports:
        if isinstance(report, pytest.TestReport):
            yield from ((str(value), report.nodeid) for name, value in report.user_properties if name == PROPERTY)


def _more(count: int) -> str:
    return f" and {count} more" if count else ""
