# SPDX-License-Identifier: Apache-2.0
"""The engine's checker: it watches what is queued while it is open, and keeps findings by launch and conflicts of tasks."""

from __future__ import annotations

import time
from contextlib import ExitStack
from types import TracebackType
from typing import TYPE_CHECKING

from aclimb._engine import AutoSync, CheckedLaunch, CheckSession, Conflict
from aclimb._engine import Doubt as Doubt
from aclimb._engine import FindingKind as FindingKind
from aclimb._engine import TapeEvent as TapeEvent
from aclimb.check.settings import Settings
from aclimb.runtime import device as devices
from aclimb.runtime.observed import collect_unseen

if TYPE_CHECKING:
    from aclimb.check.finding import Finding

_PATIENCE_S = 600  # for what is still judged when the check ends
_LOG_FULL = (
    "{kernel} makes more accesses to global memory than a check keeps (256 MiB of them): races of those behind were not looked for; "
    "check a smaller shape"
)
_LEFT_OUT = "{kernel} was launched inside a profile that leaves instructions or blocks out (timing_only, sampled): that was not checked"


class Session:
    """What is queued between open and close, launch by launch; `raw` is the engine's own."""

    def __init__(self, settings: Settings | None = None, *, tape: bool = False) -> None:
        self.settings = settings or Settings()
        self.raw = CheckSession(
            auto_sync=AutoSync[self.settings.auto_sync],
            cache=self.settings.cache,
            init=self.settings.init != "off",
            eager=self.settings.init == "eager",
            advice=self.settings.advice,
            tape=tape,
        )
        self._unseen, self._while_open = list[str](), ExitStack()

    def open(self) -> None:
        self._unseen = self._while_open.enter_context(collect_unseen())
        self.raw.open()

    def close(self) -> None:
        """When everything that was queued has ended and is judged."""
        self.raw.close()
        self._while_open.close()
        for device in devices.opened():
            device.native.wait_idle()
        until = time.monotonic() + _PATIENCE_S
        while not self.raw.settled and time.monotonic() < until:
            time.sleep(0.001)

    def __enter__(self) -> Session:
        self.open()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    @property
    def launches(self) -> list[CheckedLaunch]:
        return self.raw.launches

    @property
    def conflicts(self) -> list[Conflict]:
        return self.raw.conflicts

    @property
    def notes(self) -> list[str]:
        """What was not seen."""
        told = ((Doubt.log_full, _LOG_FULL), (Doubt.left_out, _LEFT_OUT))
        return [*self._unseen, *(text.format(kernel=kernel) for doubt, text in told for kernel in self._doubted(doubt))]

    def _doubted(self, doubt: Doubt) -> list[str]:
        return sorted({each.kernel for each in self.launches if any(what == doubt for what, _ in each.doubts)})

    def findings(self) -> list[Finding]:
        """With their words."""
        from aclimb.check.collect import collect

        return collect(self.launches, self.conflicts, settings=self.settings)
