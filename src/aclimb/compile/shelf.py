# SPDX-License-Identifier: Apache-2.0
"""What other machines of a run have built: asked behind the cache, by workers of a cluster. Elsewhere there is none.

The other side is a thread of the node's (fleet/shelf.py), at the end of a socket. It says of a kernel that is not there who builds it:
the first who asks, while the others wait. A node without a compiler is lent the name of another one's, under which it finds what was built.
"""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from typing import Any

from aclimb.errors import CompileError

SOCKET = "ACLIMB_FLEET_SHELF"
TOOLS = "ACLIMB_FLEET_TOOLS"  # kind, path and version of the compiler that a node without one finds kernels under
HAVE, BUILD, WAIT, ELSEWHERE, NONE = "have", "build", "wait", "elsewhere", "none"
Entry = tuple[dict[str, str], bytes]  # the user's headers with their hashes, the object
_MOST_S = 0.5  # between two questions


def is_there() -> bool:
    return bool(os.environ.get(SOCKET))


def find(key: str, *, claims: bool) -> Entry | None:
    """`claims`: where it is not there, whoever asked builds it next; others wait for that."""
    pause = 0.02
    while True:
        answer = _ask("claim" if claims else "peek", key)
        if answer is None or answer[0] in (BUILD, NONE):
            return None
        if answer[0] == HAVE:
            return answer[1], answer[2]
        if answer[0] == ELSEWHERE:
            raise CompileError("this node has no C++ compiler, and the kernel was built nowhere yet")
        time.sleep(pause)
        pause = min(2 * pause, _MOST_S)


def keep(key: str, files: Mapping[str, str], data: bytes) -> None:
    _ask("keep", key, dict(files), data)


def give_up(key: str) -> None:
    """The build failed: those who wait try themselves."""
    _ask("give_up", key)


def _ask(*words: Any) -> tuple[Any, ...] | None:
    """None where nobody answers: then this machine is on its own, as without a cluster."""
    from multiprocessing.connection import Client  # a tenth of the package's import time

    try:
        with Client(os.environ[SOCKET], "AF_UNIX") as connection:
            connection.send(words)
            answer: tuple[Any, ...] = connection.recv()
            return answer
    except (OSError, EOFError, KeyError):
        return None
