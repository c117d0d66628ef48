# SPDX-License-Identifier: Apache-2.0
"""The node's side of compile/shelf.py: a thread that answers the builds of one worker, and asks the depot."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable
from multiprocessing.connection import Connection, Listener
from pathlib import Path
from typing import Any

from aclimb.compile.shelf import ELSEWHERE

Ask = Callable[..., Any]  # name of a depot's method and its arguments


class ShelfServer:
    """`unmet`: a kernel was wanted that this node cannot build, since it was asked last."""

    def __init__(self, socket: Path, ask: Ask, node: str, can_build: bool) -> None:
        self.address, self.unmet = str(socket), False
        self._ask, self._node, self._can_build = ask, node, can_build
        self._listener = Listener(self.address, "AF_UNIX", backlog=16)
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        while True:
            try:
                connection = self._listener.accept()
            except OSError:
                return  # closed
            threading.Thread(target=self._answer, args=(connection,), daemon=True).start()

    def _answer(self, connection: Connection) -> None:
        with contextlib.suppress(OSError, EOFError), connection:
            word, *rest = connection.recv()
            more = (self._node, self._can_build) if word == "claim" else ()
            answer = self._ask(word, *rest, *more) or ("done",)
            if answer[0] == ELSEWHERE:
                self.unmet = True
            connection.send(answer)

    def close(self) -> None:
        self._listener.close()
