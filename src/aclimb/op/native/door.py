# SPDX-License-Identifier: Apache-2.0
"""What a library asks for while one of its functions runs: workspaces, facts of chips, a log."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from aclimb.errors import AclimbError
from aclimb.op.native import log, wire
from aclimb.op.native.platform import address_of, lines_of
from aclimb.op.two_stage.contexts import OpExecuteContext
from aclimb.tiling import door as tiling

_log = logging.getLogger("aclimb")
_running = threading.local()


@contextmanager
def workspaces_of(context: OpExecuteContext) -> Iterator[None]:
    """In this thread MallocWorkspace and FreeWorkspace are the context's, until the block ends."""
    before = getattr(_running, "context", None)
    _running.context = context
    try:
        yield
    finally:
        _running.context = before


def _malloc_workspace(size: int) -> int | None:
    try:
        found = _running.context.malloc_workspace(size)
    except (AclimbError, RuntimeError) as error:  # nullptr says that there is none, and the log why
        _log.error("MallocWorkspace(%d): %s", size, error)
        return None
    return found.ptr if found is not None else None


def _free_workspace() -> None:
    _running.context.free_workspace()


def _platform(soc: bytes | None) -> int | None:
    try:
        found = lines_of(soc.decode() if soc else None)
    except AclimbError as error:
        _log.error("the platform of %s: %s", soc.decode() if soc else "the device", error)
        return None
    return address_of(found) if found is not None else None


def _write_log(level: int, text: bytes | None) -> int:
    return log.write(level, None if text is None else text.decode(errors="replace"))


DOOR = wire.Door(
    wire.PLATFORM(_platform),
    wire.MALLOC_WORKSPACE(_malloc_workspace),
    wire.FREE_WORKSPACE(_free_workspace),
    wire.LOG(_write_log),
    wire.TILER(tiling.call),
)
