# SPDX-License-Identifier: Apache-2.0
"""One worker on a node of a Ray cluster, as an actor: the same seat as on the user's machine, with the user's folders brought to it."""

from __future__ import annotations

import json
import os
import platform
import shutil
import tempfile
import threading
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import ray

from aclimb import knobs
from aclimb.binary.container import replace_file
from aclimb.compile import shelf, toolchain
from aclimb.compile.cache import open_cache
from aclimb.errors import CompileError
from aclimb.fleet.folders import lay_out
from aclimb.fleet.records import versions
from aclimb.fleet.seat import Moved, Seat
from aclimb.fleet.shelf import ShelfServer
from aclimb.fleet.task import NODE_DIGITS, Answer, Ending, Folder, Task

_LOOK_S = 5.0  # between two questions whether the driver is there
NO_COMPILER = "the node has no C++ compiler, and the kernel was built nowhere yet"


class RaySeat:
    def __init__(self, depot: Any, settings: dict[str, str]) -> None:
        self._depot = depot
        self.node = f"{platform.node()}:{ray.get_runtime_context().get_node_id()[:NODE_DIGITS]}"
        self._scratch = Path(tempfile.mkdtemp(prefix="aclimb-seat-"))
        own = _own_tools()
        self._ask("introduce", own)
        self._shelf = ShelfServer(self._scratch / "shelf", self._ask, self.node, own is not None)
        variables = {**settings, knobs.threads.variable: "1", shelf.SOCKET: self._shelf.address}
        self._seat = Seat({**os.environ, **variables}, self.node)
        self._lent = own  # whose name kernels are found under
        self._laid_out: dict[str, Path] = {}
        threading.Thread(target=self._watch, daemon=True).start()

    def _ask(self, method: str, *words: Any) -> Any:
        return ray.get(getattr(self._depot, method).remote(*words))

    def _watch(self) -> None:
        """Ray ends the depot with its driver at once, but a busy worker only after half a minute: it is told by this."""
        while True:
            time.sleep(_LOOK_S)
            try:
                self._ask("introduce", None)
            except ray.exceptions.RayActorError:
                self._seat.close()
                return

    def ready(self) -> tuple[str, dict[str, str]]:
        return self.node, versions()

    def do(self, task: Task) -> Answer:
        moved: Moved = tuple((each.root, str(self._here(each))) for each in task.folders)
        self._shelf.unmet = False
        if self._lent is None:
            self._lend()
        answer = self._seat.do(replace(task, folders=()), moved)
        if self._shelf.unmet:
            return Answer(Ending.elsewhere, None, NO_COMPILER, answer.seconds, self.node)
        return answer

    def _lend(self) -> None:
        """A node without a compiler takes the name of another one's; as long as there is none, one that nothing is found under."""
        self._lent = self._ask("introduce", None)
        self._seat.set(shelf.TOOLS, json.dumps(self._lent or ("gcc", "", "nobody's")))

    def _here(self, folder: Folder) -> Path:
        if folder.digest not in self._laid_out:
            manifest = self._files([folder.digest])[folder.digest].read_bytes()
            self._laid_out[folder.digest] = lay_out(folder.digest, manifest, self._files)
        return self._laid_out[folder.digest]

    def _files(self, digests: list[str]) -> dict[str, Path]:
        """From the node's own cache; what is not there comes from the user's machine, once."""
        cache = open_cache()
        paths = {digest: cache.folder / "blobs" / digest for digest in digests}
        with cache.lock("blobs"):
            missing = [digest for digest, path in paths.items() if not path.exists()]
            if missing:
                found = self._ask("files", missing, self.node)
                for digest, data in zip(missing, ray.get([found[digest] for digest in missing]), strict=True):
                    replace_file(paths[digest], data)
        return paths

    def close(self) -> None:
        self._seat.end()
        self._shelf.close()
        shutil.rmtree(self._scratch, ignore_errors=True)


def _own_tools() -> tuple[str, str, str] | None:
    try:
        found = toolchain.own()
    except CompileError:
        return None
    return found.kind, found.path, found.version
