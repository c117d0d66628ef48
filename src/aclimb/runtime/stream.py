# SPDX-License-Identifier: Apache-2.0
"""A stream: tasks in order, asynchronous to the caller."""

from __future__ import annotations

import weakref

from aclimb import _engine, engine
from aclimb.runtime.device import Device
from aclimb.runtime.finish import finish


class Stream:
    """Launches queue up here and run one after another; two streams overlap.

    A task that fails does not stop the ones behind it; its error is raised once, by the next `synchronize()`.
    """

    def __init__(self, device: Device | None = None) -> None:
        engine.require_own_process()
        self.device = device or Device()
        self.native = _engine.Stream(self.device.native, _engine.Context())
        self.device.watch(self.native)
        weakref.finalize(self, self.device.unwatch, self.native).atexit = False

    def synchronize(self) -> None:
        """Waits until everything queued so far has ended. Shows what kernels printed; raises the first fault since the last call."""
        finish(self.native)

    @property
    def idle(self) -> bool:
        """Whether everything queued has ended."""
        return self.native.idle

    def __repr__(self) -> str:
        return f"<Stream of {self.device}>"
