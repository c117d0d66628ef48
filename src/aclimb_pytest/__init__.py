# SPDX-License-Identifier: Apache-2.0
"""The pytest plugin of aclimb: a fault belongs to the test that launched the kernel, and `pytest --aclimb-check` checks every launch.

pytest loads this file whether or not a test has anything to do with aclimb, so it imports nothing of it; launches.py and fixtures.py do,
when a test asks for it. It is no part of the package `aclimb`, because that one brings NumPy and the engine.

New here: docs/test_with_pytest.md.
"""

from __future__ import annotations

import argparse
import importlib.util
import sys
from collections.abc import Generator, Iterator
from typing import TYPE_CHECKING, Any

import pytest

from aclimb_pytest import launches
from aclimb_pytest.launches import Watch

if TYPE_CHECKING:
    from aclimb import Device
    from aclimb_pytest.fixtures import LaunchTimes

MODES = ("on", "warn", "off")
CHIP = "aclimb_chip"
_watch = pytest.StashKey[Watch]()


class _Asc:
    """`import asc` in a test: aclimb's, where pyasc is not installed; aclimb is loaded then and not before."""

    @staticmethod
    def find_spec(name: str, path: Any = None, target: Any = None) -> Any:
        if name == "asc" and importlib.util.find_spec("aclimb") is not None:
            sys.meta_path.remove(_Asc)
            from aclimb.asc_import import install

            install()
            return importlib.util.find_spec("asc")
        return None


def pytest_addoption(parser: pytest.Parser) -> None:
    sys.meta_path.insert(0, _Asc)  # here and not in pytest_configure: a conftest.py is imported before that
    group = parser.getgroup("aclimb", "kernels that aclimb runs")
    help_text = "check the launches of every test: an error fails the test; with =warn it is listed at the end, =off is the default"
    group.addoption("--aclimb-check", action="store_const", const="on", default="off", dest="aclimb_check", help=help_text)
    for mode in MODES:  # options of their own: a value that may be left out would take the file that follows for itself
        group.addoption(f"--aclimb-check={mode}", action="store_const", const=mode, dest="aclimb_check", help=argparse.SUPPRESS)


def pytest_configure(config: pytest.Config) -> None:
    for line in (
        "aclimb_chip(soc, ...): the chip that the test runs on, such as Ascend910B1; with several the test runs once on each",
        "aclimb_check(mode, **options): on, warn or off for this test, and arguments of aclimb.check",
    ):
        config.addinivalue_line("markers", line)


def pytest_report_header(config: pytest.Config) -> str | None:
    mode = config.getoption("--aclimb-check")
    return f"aclimb: launches are checked ({mode})" if mode != "off" else None


# --- around a test


def _wishes(item: pytest.Item) -> tuple[str, dict[str, Any]]:
    mode, options = str(item.config.getoption("--aclimb-check")), dict[str, Any]()
    for marker in reversed(list(item.iter_markers("aclimb_check"))):  # those of the module first, the test's own last
        options.update(marker.kwargs)
        if marker.args and mode != "off":
            [mode] = marker.args
    if mode not in MODES:
        raise pytest.UsageError(f"{item.nodeid}: aclimb_check({mode!r}); it takes {', '.join(map(repr, MODES))}")
    return mode, options


# Innermost: what a kernel prints while it is waited for is the test's output, and the time it takes is the test's time.
@pytest.hookimpl(wrapper=True, trylast=True)
def pytest_runtest_setup(item: pytest.Item) -> Generator[None, object, object]:
    item.stash[_watch] = Watch(*_wishes(item))
    return (yield from item.stash[_watch].phase(is_last=False))


@pytest.hookimpl(wrapper=True, trylast=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    return (yield from item.stash[_watch].phase(is_last=True))


@pytest.hookimpl(wrapper=True, trylast=True)
def pytest_runtest_teardown(item: pytest.Item) -> Generator[None, object, object]:
    if _watch not in item.stash:  # its setup was stopped before it came here
        return (yield)
    return (yield from item.stash[_watch].phase(is_last=True))


# --- what is shown


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    launches.hide_own_frames(call)
    report = yield
    if _watch in item.stash:
        item.stash[_watch].tell(item, report, call)
    return report


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Findings that failed no test: of workers too, since they travel with the reports."""
    rows = launches.listed(report for reports in terminalreporter.stats.values() for report in reports)
    if rows:
        terminalreporter.section("aclimb check")
        for row in rows:
            terminalreporter.write_line(row)


# --- fixtures and markers


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    marker = metafunc.definition.get_closest_marker(CHIP)
    if marker is None or _has_chips_of_its_own(metafunc):
        return
    if not marker.args:
        raise pytest.UsageError(f"{metafunc.definition.nodeid}: aclimb_chip names no chip; it takes one or more, such as 'Ascend910B1'")
    if CHIP not in metafunc.fixturenames:
        metafunc.fixturenames.append(CHIP)
    metafunc.parametrize(CHIP, marker.args, indirect=True)


def pytest_itemcollected(item: pytest.Item) -> None:
    """A test that has the marker and does not ask for the fixture gets it all the same."""
    names = getattr(item, "fixturenames", None)
    if names is not None and CHIP not in names and item.get_closest_marker(CHIP):
        names.insert(0, CHIP)


def _has_chips_of_its_own(metafunc: pytest.Metafunc) -> bool:
    return any(CHIP in str(marker.args[:1]) for marker in metafunc.definition.iter_markers("parametrize"))


@pytest.fixture
def aclimb_chip(request: pytest.FixtureRequest) -> Iterator[str]:
    """The chip of the test: that of its marker, else ACLIMB_SOC's. `Device()` and `Program(...)` take it without being told."""
    from aclimb_pytest import fixtures

    with fixtures.chip(getattr(request, "param", None)) as name:
        yield name


@pytest.fixture
def aclimb_device(aclimb_chip: str) -> Iterator[Device]:
    """A device for this test alone: nothing is queued or allocated there, its settings are those of the start. `Device()` gives it too."""
    from aclimb_pytest import fixtures

    with fixtures.device(aclimb_chip) as made:
        yield made


@pytest.fixture
def aclimb_profile(aclimb_chip: str) -> Iterator[LaunchTimes]:
    """What the launches of the test would take on the chip: `assert aclimb_profile.task_us < 3`."""
    from aclimb_pytest import fixtures

    with fixtures.times(aclimb_chip) as made:
        yield made
