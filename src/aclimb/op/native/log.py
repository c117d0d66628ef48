# SPDX-License-Identifier: Apache-2.0
"""Where the log of host code goes: to Python's logger, and what it reports to acl.get_recent_err_msg() as well."""

from __future__ import annotations

import logging

from aclimb.calls import recent

REPORT = 4  # host/include/aclimb/op/door.h: kReport
_LEVELS = (logging.DEBUG, logging.INFO, logging.WARNING, logging.ERROR, logging.ERROR)
_log = logging.getLogger("aclimb")


def write(level: int, text: str | None) -> int:
    """0. Without a text: 1 where that level is shown."""
    known = _LEVELS[min(max(level, 0), REPORT)]
    if text is None:
        return int(_log.isEnabledFor(known))
    if level == REPORT:
        recent.note(text)
    _log.log(known, "%s", text)
    return 0
