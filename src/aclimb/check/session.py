# SPDX-License-Identifier: Apache-2.0
"""`with aclimb.check() as c:` checks what is queued inside."""

from __future__ import annotations

import threading
from pathlib import Path
from types import TracebackType
from typing import Any, Literal

from aclimb import engine
from aclimb.check import baseline, engine_side, formats, leaks, report, sources
from aclimb.check.collect import collect
from aclimb.check.finding import Finding, sort_key
from aclimb.check.report import Report
from aclimb.check.schedules import words
from aclimb.check.schedules.tried import Tried
from aclimb.check.settings import Settings
from aclimb.errors import CheckFailed, DeviceError
from aclimb.flow import Fault
from aclimb.runtime import device as devices
from aclimb.runtime import finish
from aclimb.runtime.where import call_site

_lock = threading.Lock()
_open: list[Check] = []


class Check:
    """Checks what is queued inside its `with` block: races, lost waits, unwritten bytes, lifetimes, queues and flags.

    The program runs as it does without it, and goes on behind a finding; what is found is there when the block ends. What is looked for is
    said by the settings of settings.py. `baseline` is a file of findings that are known. `raise_` raises CheckFailed at the end when there
    is something to mend, `warnings_as_errors` counts warnings too.
    """

    def __init__(
        self,
        *,
        baseline: str | Path | None = None,
        warnings_as_errors: bool = False,
        raise_: bool = False,
        opened_by: str = "",
        **settings: Any,
    ) -> None:
        self.settings = Settings(**settings)
        self.warnings_as_errors, self.raise_ = warnings_as_errors, raise_
        self._entries = _load(baseline)
        self._native = engine_side.Session(self.settings)
        self._faults: list[Fault] = []
        self._leaks: list[Finding] = []
        self._opened_by = opened_by
        self._state: Literal["new", "open", "ended"] = "new"
        self._report: Report | None = None
        self._tried: Tried | None = None

    # --- while it is open

    def __enter__(self) -> Check:
        engine.require_own_process()
        with _lock:
            if self._state == "ended":
                raise DeviceError("this check has ended; make another one with aclimb.check()")
            if _open:
                raise DeviceError(f"a check is open already, {_open[0]._opened_by}; checks do not nest: close that one first")
            self._opened_by = self._opened_by or f"since {call_site()}"
            _open.append(self)
            self._state = "open"
        if self.settings.leaks:
            leaks.watch()
        finish.fault_watchers.append(self._saw)
        self._native.open()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()
        if self.raise_ and error is None:
            self.raise_if_failed()

    def close(self) -> None:
        """Ends the check, after everything that was queued has run."""
        with _lock:
            if self not in _open:
                return
            _open.remove(self)
        self._native.close()
        for device in devices.opened():
            for queue in device.queues():
                finish.look_at(queue)  # who synchronises later still hears of it
        finish.fault_watchers.remove(self._saw)
        self._leaks = leaks.findings() if self.settings.leaks else []
        self._state = "ended"

    def add(self, tried: Tried) -> None:
        """What schedules changed in other runs of the same program is told with what is found in this one."""
        self._tried = tried
        self.settings = self.settings.under(tried.schedules)

    def _saw(self, fault: Fault) -> None:
        self._faults.append(fault)

    # --- afterwards

    @property
    def result(self) -> Report:
        """Everything there is to say, made once."""
        if self._state != "ended":
            raise DeviceError("the check is still open; its findings are complete when the `with` block ends")
        if self._report is None:
            native = self._native
            found = collect(native.launches, native.conflicts, self._faults, settings=self.settings)
            by_schedules = words.findings(self._tried) if self._tried else []
            self._report = report.make(
                sorted([*found, *self._leaks, *by_schedules], key=sort_key),
                settings=self.settings,
                files=sources.of_launches(native.launches),
                entries=self._entries,
                launches=len(native.launches),
                notes=[*native.notes, *(self._tried.notes if self._tried else ())],
                warnings_as_errors=self.warnings_as_errors,
                could_not=self._tried.could_not if self._tried else "",
            )
        return self._report

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What is to be looked at: neither ignored in the source nor in the baseline. Errors first."""
        return self.result.findings

    def report(self) -> str:
        """The report as text."""
        return formats.render(self.result, "text")

    def write(self, path: str | Path, format: str | None = None) -> Path:
        """Writes the report; the format is that of the suffix: .txt, .json, .sarif, .xml (JUnit) or .html."""
        return formats.write(self.result, Path(path), format)

    def write_baseline(self, path: str | Path) -> Path:
        """What is known from now on: all that is not ignored in the source."""
        return baseline.write(Path(path), [*self.result.findings, *self.result.known])

    def raise_if_failed(self) -> None:
        if self.result.failed:
            raise CheckFailed(self.report().rstrip("\n"), self.findings)


check = Check  # `with aclimb.check() as c:` reads as what it does


def is_open() -> bool:
    """Whether a check is open in this process."""
    return bool(_open)


def _load(path: str | Path | None) -> list[baseline.Entry]:
    return baseline.load(Path(path)) if path is not None else []
