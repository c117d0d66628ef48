# SPDX-License-Identifier: Apache-2.0
"""The process that does tasks, one after the other: `python -m aclimb.fleet.worker READ WRITE`, two numbers of open files.

It ends when nobody is left who could send it something, with all that it started, in the middle of a task too.
"""

from __future__ import annotations

import importlib
import os
import pickle
import queue
import sys
import threading
from collections.abc import Callable
from typing import Any

from aclimb.errors import AclimbError
from aclimb.fleet import frames, trees
from aclimb.fleet.task import Crashed, Ending, Places, TryElsewhere

READY = "ready"


def main(read: int, write: int) -> None:
    requests: queue.SimpleQueue[Any] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(read, requests), daemon=True).start()
    frames.send(write, READY)
    while True:
        answer = _do(*requests.get())
        try:
            frames.send(write, answer)
        except (pickle.PicklingError, TypeError, AttributeError) as error:  # in this order nothing of it was sent
            frames.send(write, (Ending.raised, None, f"its result cannot travel: {error}"))


def _listen(read: int, requests: queue.SimpleQueue[Any]) -> None:
    receiver = frames.Receiver(read)
    try:
        while message := receiver.receive():
            requests.put(message[0])
    finally:  # the other side is gone
        trees.kill_tree(os.getpid(), with_root=False)
        os._exit(1)


def _do(function: str, arguments: Any, moved: tuple[tuple[str, str], ...]) -> tuple[Ending, Any, str]:
    try:
        return Ending.good, _function(function)(arguments, Places(moved)), ""
    except TryElsewhere as error:
        return Ending.elsewhere, None, str(error)
    except Crashed as error:
        return Ending.crashed, None, str(error)
    except AclimbError as error:
        return Ending.raised, None, f"{type(error).__name__}: {error.in_full()}"
    except Exception as error:
        return Ending.raised, None, f"{type(error).__name__}: {error}"


def _function(name: str) -> Callable[[Any, Places], Any]:
    module, _, attribute = name.partition(":")
    found: Callable[[Any, Places], Any] = getattr(importlib.import_module(module), attribute)
    return found


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
