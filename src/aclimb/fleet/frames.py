# SPDX-License-Identifier: Apache-2.0
"""Messages through a pipe: their length in eight bytes, then a pickle."""

from __future__ import annotations

import os
import pickle
import select
import struct
import time
from typing import Any

_HEAD = struct.Struct("<Q")
_PIECE = 1 << 20


def send(file: int, message: Any) -> None:
    data = pickle.dumps(message, protocol=pickle.HIGHEST_PROTOCOL)
    rest = memoryview(_HEAD.pack(len(data)) + data)
    while rest:
        rest = rest[os.write(file, rest) :]


class Receiver:
    """The reading end. What has come of a message is kept until the rest is there."""

    def __init__(self, file: int) -> None:
        self.file = file
        self._have = bytearray()
        self._poll = select.poll()
        self._poll.register(file, select.POLLIN)

    def receive(self, seconds: float | None = None) -> tuple[Any] | None:
        """The next message; None where it is not there in time. EOFError: nobody is left to write one."""
        until = None if seconds is None else time.monotonic() + seconds
        while not self._is_whole():
            left = None if until is None else max(0.0, until - time.monotonic()) * 1000
            if not self._poll.poll(left):
                return None
            piece = os.read(self.file, _PIECE)
            if not piece:
                raise EOFError
            self._have += piece
        size = _HEAD.unpack_from(self._have)[0] + _HEAD.size
        message = pickle.loads(memoryview(self._have)[_HEAD.size : size])
        self._have = self._have[size:]
        return (message,)

    def _is_whole(self) -> bool:
        return len(self._have) >= _HEAD.size and len(self._have) >= _HEAD.unpack_from(self._have)[0] + _HEAD.size
