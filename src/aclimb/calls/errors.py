# SPDX-License-Identifier: Apache-2.0
"""From an exception to the number that a call returns, and the sentences behind the last numbers."""

from __future__ import annotations

import logging
import threading

from aclimb import errors

_log = logging.getLogger("aclimb")

# The first class that fits; more special ones stand first.
_CODES: tuple[tuple[type[errors.AclimbError], int], ...] = (
    (errors.OutOfMemory, 207001),
    (errors.Unsupported, 207000),
    (errors.InvalidArgument, 107000),
    (errors.InvalidBinary, 107000),
    (errors.KernelNotFound, 107000),
    (errors.SourceNotFound, 107000),
    (errors.ForkedProcess, 507899),
    (errors.AclimbError, 507000),
)


def code_of(error: errors.AclimbError) -> int:
    if isinstance(error, errors.Refused):
        return error.code
    return next(code for kind, code in _CODES if isinstance(error, kind))


class Recent:
    """What went wrong lately, for each thread; or for the whole process when acl.init's configuration says so."""

    def __init__(self) -> None:
        self._thread = threading.local()
        self._process: list[str] = []
        self.per_process = False

    def add(self, code: int, sentence: str) -> None:
        """Newest first. The log has it too, for whoever watches a program that does not ask."""
        _log.info("%d: %s", code, sentence)
        self._thread.code = code
        self.note(f"{code}: {sentence}")

    def note(self, text: str) -> None:
        """A sentence that no call returned a code for: host code reported it."""
        self._texts().insert(0, text)
        del self._texts()[64:]

    def take(self) -> str | None:
        texts = self._texts()
        text = "\n".join(texts)
        texts.clear()
        return text or None

    def code(self, *, clear: bool) -> int:
        code: int = getattr(self._thread, "code", 0)
        if clear:
            self._thread.code = 0
        return code

    def _texts(self) -> list[str]:
        if self.per_process:
            return self._process
        texts: list[str] | None = getattr(self._thread, "texts", None)
        if texts is None:
            texts = self._thread.texts = []
        return texts


recent = Recent()


def refuse(path: str, error: errors.AclimbError) -> int:
    """The code of a refused call; the sentence waits in `recent`."""
    code = code_of(error)
    recent.add(code, f"{path}: {error}")
    return code
