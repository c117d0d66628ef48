# SPDX-License-Identifier: Apache-2.0
"""acl itself: initialisation, versions, the last errors, the log."""

from __future__ import annotations

import atexit
import logging
import threading
from typing import Any

from acl import _config
from aclimb import engine, knobs
from aclimb.calls import recent
from aclimb.errors import Refused
from aclimb.op.single.registry import end as end_single_operators
from aclimb.runtime import context as contexts
from aclimb.runtime import leaks
from aclimb.runtime.counts import live

TABLE = """
init                  s? config_path                                        ->                         aclInit
finalize                                                                    ->                         aclFinalize
finalize_reference                                                          -> count                   aclFinalizeReference
get_version                                                                 -> major, minor, patch     aclrtGetVersion
get_soc_name                                                                => name:s                  aclrtGetSocName
get_recent_err_msg                                                          => text:s                  aclGetRecentErrMsg
app_log               i level, s text                                       => None                    aclAppLog
"""

VERSION = (1, 17, 0)
REPEAT_INITIALIZE, REPEAT_FINALIZE, INVALID_PARAM = 100002, 100037, 100000
_LEVELS = {0: logging.DEBUG, 1: logging.INFO, 2: logging.WARNING, 3: logging.ERROR}

_log = logging.getLogger("aclimb")
_app_log = logging.getLogger("aclimb.app")
_lock = threading.Lock()


class _State:
    count = 0
    finalised = False  # what was left has been listed
    config: dict[str, Any] | None = None


def init(config_path: str | None) -> None:
    """Counts up; a second one returns 100002. The first configuration holds as long as the process; `dump` and `profiler` write files."""
    engine.require_own_process()
    config = _config.read(config_path) if config_path else None
    with _lock:
        if None not in (config, _State.config) and config != _State.config:
            raise Refused(INVALID_PARAM, f"{config_path} differs from the configuration of the first acl.init; use that one again")
        first = config if _State.config is None else _State.config
        if first is not None and (_State.config is None or _State.count == 0):
            _config.apply(first)
        _State.config = first
        _State.count += 1
        _State.finalised = False
        if _State.count > 1:
            raise Refused(REPEAT_INITIALIZE, "acl is initialised already; nothing changed")


def finalize() -> None:
    """Counts to zero at once. Single operators end; the rest stays usable, and is listed when ACLIMB_LEAKS says so."""
    with _lock:
        finalised_before, _State.count = _State.count < 1, 0
    if finalised_before:
        raise Refused(REPEAT_FINALIZE, "acl is not initialised, or was finalised already")
    _end()


def finalize_reference() -> int:
    """Counts down by one, and finalises at zero."""
    with _lock:
        if _State.count < 1:
            raise Refused(REPEAT_FINALIZE, "acl is not initialised, or was finalised already")
        _State.count -= 1
        left = _State.count
    if left == 0:
        _end()
    return left


def _end() -> None:
    _config.end_profile()
    end_single_operators()
    _list_leaks("acl.finalize")
    _State.finalised = True


def _list_leaks(when: str) -> None:
    left = leaks.sentence(live()) if knobs.leaks() else ""
    if left:
        _log.warning("%s: not given back: %s", when, left)


@atexit.register
def _at_exit() -> None:
    if engine.forked():
        return
    _config.end_profile()
    if not _State.finalised:
        _list_leaks("the program ended without acl.finalize")


def get_version() -> tuple[int, int, int]:
    return VERSION


def get_soc_name() -> str | None:
    """The modelled chip; None before a device is set."""
    return contexts.current().device.chip.name


def get_recent_err_msg() -> str | None:
    """The sentences behind the codes since the last call, newest first."""
    return recent.take()


def app_log(level: int, text: str) -> None:
    """Writes to the Python logger aclimb.app."""
    _app_log.log(_LEVELS.get(level, logging.INFO), "%s", text)
