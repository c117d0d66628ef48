# SPDX-License-Identifier: Apache-2.0
"""The process of an isolated device: where its program is, and how it is started. docs/explain/trust.md says what it promises."""

from __future__ import annotations

from pathlib import Path

from aclimb import _engine, knobs
from aclimb.errors import DeviceError

PROGRAM = Path(_engine.__file__).with_name("aclimb_device")


def start(native: _engine.Device) -> None:
    """From now on the device's kernels run in a process of its own, and images that are loaded are mapped there only."""
    try:
        native.isolate(
            program=str(PROGRAM),
            threads=_engine.threads(),
            quarantine=knobs.quarantine(),
            memory_limit=knobs.isolated_memory(),
        )
    except RuntimeError as error:
        raise DeviceError(f"the device cannot be isolated: {error}") from error


def expect() -> None:
    """Before an image is mapped: where devices will be isolated, none of its code may come into this process."""
    if knobs.isolated():
        _engine.map_images_elsewhere()
