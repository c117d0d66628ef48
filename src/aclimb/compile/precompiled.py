# SPDX-License-Identifier: Apache-2.0
"""kernel_operator.h, parsed once for each pass and kept in the cache. g++ only: the others start fast enough without.

The first build does without and starts the work in the background, so that nobody waits for it.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import shlex
import subprocess
import time
from pathlib import Path

_STALE_SECONDS = 120.0
_running: list[subprocess.Popen[bytes]] = []


class PrecompiledHeader:
    """The precompiled header for one set of compiler, flags and headers; `flags` are those of the kernel's own compilation."""

    def __init__(self, cache: Path, compiler: list[str], flags: list[str], identity: str, header: Path) -> None:
        key = hashlib.sha256("\0".join([*compiler, *flags, identity, str(header)]).encode()).hexdigest()[:32]
        self.folder = cache / "pch" / key
        self.compiler, self.flags, self.header = compiler, flags, header
        self.front = self.folder / "kernel.h"
        self.compiled = self.folder / "kernel.h.gch"

    def include_flags(self) -> list[str]:
        """-include of the precompiled file when it is there, else of the header itself. g++ takes it only as the first include."""
        with contextlib.suppress(OSError):
            os.utime(self.compiled)
            os.utime(self.folder)
            return ["-include", str(self.front), "-fpch-preprocess"]
        return ["-include", str(self.header)]

    @property
    def exists(self) -> bool:
        return self.compiled.exists()

    def start(self) -> None:
        """Builds it in the background, at low priority; the rename at the end makes it visible."""
        working = self.folder / "building"
        with contextlib.suppress(OSError):
            self.folder.mkdir(exist_ok=True)
            if working.exists() and time.time() - working.stat().st_mtime < _STALE_SECONDS:
                return
            working.write_text("")
            self.front.write_text(f'#include "{self.header}"\n')
            _running[:] = [child for child in _running if child.poll() is None]
            _running.append(subprocess.Popen(["/bin/sh", "-c", self._script(working)], **_detached()))

    def build(self) -> None:
        """Builds it now."""
        self.folder.mkdir(exist_ok=True)
        self.front.write_text(f'#include "{self.header}"\n')
        subprocess.run(["/bin/sh", "-c", self._script(self.folder / "building")], check=True, capture_output=True)

    def _script(self, working: Path) -> str:
        command = [*self.compiler, *self.flags, "-x", "c++-header", str(self.front), "-o", str(working)]
        move = ["mv", str(working), str(self.compiled)]
        return f"nice -n 10 {shlex.join(command)} && {shlex.join(move)} || rm -f {shlex.quote(str(working))}"


def _detached() -> dict[str, object]:
    return {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "start_new_session": True}


def wait_for_background() -> None:
    """Until the headers that are being precompiled are there; for measurements and tests."""
    for child in _running:
        child.wait()
    _running.clear()
