# SPDX-License-Identifier: Apache-2.0
"""Where the `aclimb` logger goes: to stderr, unless the application says where its log goes.

A handler that the application gives to the root logger or to `aclimb` takes our place, so no line comes twice;
`logging.getLogger("aclimb").addHandler(logging.NullHandler())` silences us.
"""

from __future__ import annotations

import logging
import os
import sys
from typing import TextIO

from aclimb import knobs
from aclimb.errors import InvalidArgument

_COLOURS = {"WARNING": "33", "ERROR": "31", "CRITICAL": "31"}


class Stderr(logging.Handler):
    """One short line a record, in colour where a person looks at it."""

    def emit(self, record: logging.LogRecord) -> None:
        if _others_listen(self):
            return
        try:
            sys.stderr.write(self.format(record) + "\n")
            sys.stderr.flush()
        except Exception:
            self.handleError(record)

    def format(self, record: logging.LogRecord) -> str:
        """`aclimb warning: ...`; a traceback follows on lines of its own."""
        head = f"{record.name} {record.levelname.lower()}:"
        if record.levelname in _COLOURS and _is_coloured(sys.stderr):
            head = f"\x1b[{_COLOURS[record.levelname]}m{head}\x1b[0m"
        return f"{head} {super().format(record)}"


def _others_listen(own: logging.Handler) -> bool:
    return bool(logging.getLogger().handlers) or any(each is not own for each in logging.getLogger("aclimb").handlers)


def _is_coloured(stream: TextIO) -> bool:
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def start() -> None:
    """Once, when the package is imported; ACLIMB_LOG sets the level."""
    logger = logging.getLogger("aclimb")
    if not any(isinstance(each, Stderr) for each in logger.handlers):
        logger.addHandler(Stderr())
    try:
        logger.setLevel(knobs.log())
    except InvalidArgument as error:  # not worth a program that cannot even be imported
        logger.setLevel(knobs.log.default)
        logger.warning("%s", error)
