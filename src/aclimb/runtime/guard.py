# SPDX-License-Identifier: Apache-2.0
"""Callbacks that must not touch the device, and those who want to know of launches and of their order."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from aclimb.errors import DeviceError

_where: dict[int, str] = {}  # by thread: the callback it is in, while that must not touch the device
launch_watchers: list[Callable[..., Any]] = []  # called as watcher(stream, config, kernel, args)
order_watchers: list[Callable[..., Any]] = []  # called as watcher(what, native stream, native event)


def tell_order(what: str, stream: Any, event: Any) -> None:
    """record and wait, of an event on a stream, the first one afterwards; synchronize, the host with one of the two, before it waits."""
    for watcher in list(order_watchers):
        watcher(what, stream, event)


@contextmanager
def no_device_work(where: str) -> Iterator[None]:
    """In this thread, until the block ends."""
    thread = threading.get_ident()
    before = _where.get(thread)
    _where[thread] = where
    try:
        yield
    finally:
        if before is None:
            del _where[thread]
        else:
            _where[thread] = before


def require_device_work(what: str) -> None:
    if _where and threading.get_ident() in _where:
        raise DeviceError(f"{_where[threading.get_ident()]} must not {what}; the launch function may")
