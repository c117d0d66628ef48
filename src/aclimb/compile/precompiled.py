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

from aclimb.binary.container import replace_file

_STALE_SECONDS = 120.0
_running: list[subprocess.Popen[bytes]] = []


class PrecompiledHeader:
    """The precompiled header for one set of compiler, flags and headers; `flags` are those of the kernel's own
    compilation."""

    def __init__(self, cache: Path, compiler: list[str], flags: list[str], identity: str, header: Path) -> None:
        key = hashlib.sha256("\0".join([*compiler, *flags, identity, str(header)]).encode()).hexdigest()[:32]
        self.folder = cache / "pch" / key
        self.compiler, self.flags, self.header = compiler, flags, header
        self.front = self.folder / "kernel.h"
        self.compiled = self.folder / "kernel.h.gch"

    def include_flags(self) -> list[str]:
        """-include of the front file, whose precompiled form g++ takes when it is there, and only as the first include.

        The path of the cache stays out of the image, so that its bytes are the same with and without, here and
        elsewhere.
        """
        self.folder.mkdir(exist_ok=True)
        if not self.front.exists():
            replace_file(self.front, f'#include "{self.header}"\n'.encode())
        with contextlib.suppress(OSError):
            os.utime(self.folder)
        return ["-include", str(self.front), "-fpch-preprocess", f"-ffile-prefix-map={self.folder}=aclimb"]

    @property
    def exists(self) -> bool:
        return self.compiled.exists()

    def start(self) -> None:
        """Builds it in the background, at low priority; the rename at the end makes it visible."""
        working = self.folder / "building"
        with contextlib.suppress(OSError):
            if working.exists() and time.time() - working.stat().st_mtime < _STALE_SECONDS:
                return
            working.write_text("")
            _running[:] = [child for child in _running if child.poll() is None]
            child = subprocess.Popen(
                ["/bin/sh", "-c", self._script(working)],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
            _running.append(child)

    def _script(self, working: Path) -> str:
        command = [*self.compiler, *self.flags, "-x", "c++-header", str(self.front), "-o", str(working)]
        move = ["mv", str(working), str(self.compiled)]
        return f"nice -n 10 {shlex.join(command)} && {shlex.join(move)} || rm -f {shlex.quote(str(working))}"


def wait_for_background() -> None:
    """Until the headers that are being precompiled are there; for measurements and tests."""
    for child in _running:
        child.wait()
    _running.clear()
