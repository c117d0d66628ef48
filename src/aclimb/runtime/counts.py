# SPDX-License-Identifier: Apache-2.0
"""What is alive right now."""

from __future__ import annotations

import weakref
from typing import Any

from aclimb import _engine
from aclimb.runtime import leaks

_kinds = ("streams", "events", "binaries")
_objects: dict[str, weakref.WeakSet[Any]] = {kind: weakref.WeakSet() for kind in _kinds}
_devices: list[Any] = []  # of runtime.Device; they live as long as the process


def count(kind: str, thing: Any) -> None:
    """From now on the thing counts, until it dies."""
    _objects[kind].add(thing)
    leaks.made(kind, thing)


def discount(kind: str, thing: Any) -> None:
    """It has ended, whoever still holds it."""
    _objects[kind].discard(thing)
    leaks.ended(thing)


def count_device(device: Any) -> None:
    _devices.append(device)


def live() -> dict[str, int]:
    """How many buffers, streams, events and binaries there are, and the bytes of the buffers (device and page-locked host memory).

    A program that gives everything back ends with the figures it began with.
    """
    host_buffers, host_bytes = _engine.host_live()
    return {
        "buffers": sum(device.native.allocations for device in _devices) + host_buffers,
        **{kind: len(_objects[kind]) for kind in _kinds},
        "bytes": sum(device.native.used for device in _devices) + host_bytes,
    }
