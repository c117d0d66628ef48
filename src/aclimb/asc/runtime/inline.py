# SPDX-License-Identifier: Apache-2.0
"""Reports that show themselves: in a notebook as the page, in a terminal as text."""

from __future__ import annotations

import html
import io
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from aclimb.asc.lib import runtime as rt
from aclimb.trace.profiling import Profile

if TYPE_CHECKING:
    from aclimb.asc.runtime.launch import Launcher
    from aclimb.check.session import Check


def _framed(page: str, height: int) -> str:
    return f'<iframe srcdoc="{html.escape(page)}" width="100%" height="{height}" style="border:0"></iframe>'


class ProfileReport:
    """The timeline of a launch. `launch` has the numbers, `profile` all of it."""

    def __init__(self, profile: Profile) -> None:
        self.profile, self.launch = profile, profile.launches[-1]

    @property
    def task_us(self) -> float:
        return self.launch.task_us

    def save(self, path: str | Path) -> Path:
        """The page as a file."""
        from aclimb.report.html import write

        return write(self.profile.json(), Path(path))

    def __str__(self) -> str:
        from rich.console import Console

        from aclimb.report.summary import print_summary

        out = io.StringIO()
        print_summary(self.profile, Console(file=out, width=100))
        return out.getvalue()

    __repr__ = __str__

    def _repr_html_(self) -> str:
        with tempfile.TemporaryDirectory(prefix="aclimb-report-") as folder:
            return _framed(self.save(Path(folder) / "report.html").read_text(), 700)


class CheckReport:
    """What a check found in a launch."""

    def __init__(self, check: Check) -> None:
        self.check, self.findings = check, check.findings

    def __str__(self) -> str:
        return self.check.report()

    __repr__ = __str__

    def _repr_html_(self) -> str:
        with tempfile.TemporaryDirectory(prefix="aclimb-report-") as folder:
            return _framed(self.check.write(Path(folder) / "report.html").read_text(), 500)


def profile(launcher: Launcher, args: tuple[Any, ...], kwargs: dict[str, Any]) -> ProfileReport:
    """A launch on the modelled chip, with its times."""
    stream = launcher.stream or rt.current_stream()
    with Profile(soc=stream.device.chip.name) as found:
        launcher(*args, **kwargs)
    return ProfileReport(found)


def check(launcher: Launcher, args: tuple[Any, ...], kwargs: dict[str, Any], settings: dict[str, Any]) -> CheckReport:
    """A launch that is looked at while it runs."""
    from aclimb.check.session import Check

    with Check(**settings) as found:
        launcher(*args, **kwargs)
    return CheckReport(found)
