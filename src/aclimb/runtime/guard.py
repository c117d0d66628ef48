# SPDX-License-Identifier: Apache-2.0
"""Callbacks that must not touch the device, and those who want to know of launches."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from aclimb.errors import DeviceError

_thread = threading.local()
launch_watchers: list[Callable[..., Any]] = []  # called as watcher(stream, config, kernel, args)


@contextmanager
def no_device_work(where: str) -> Iterator[None]:
    """In this thread, until the block ends."""
    before = getattr(_thread, "where", None)
    _thread.where = where
    try:
        yield
    finally:
        _thread.where = before


def require_device_work(what: str) -> None:
    where = getattr(_thread, "where", None)
    if where is not None:
        raise DeviceError(f"{where} must not {what}; the launch function may")
