# SPDX-License-Identifier: Apache-2.0
"""kernel_operator.h, parsed once for each pass and kept in the cache. g++ only: the others start fast enough without.

The first build does without and starts the work in the background, so that nobody waits for it.
"""

from __future__ import annotations

import atexit
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
        self.mark = self.folder / "building"

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
        with contextlib.suppress(OSError):
            if not self._claim():
                return
            _running[:] = [child for child in _running if child.poll() is None]
            child = subprocess.Popen(
                ["/bin/sh", "-c", self._script()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
            _running.append(child)

    def _claim(self) -> bool:
        """Whether we are the one to build it. A mark that is old belongs to somebody who was stopped."""
        if self.mark.exists() and time.time() - self.mark.stat().st_mtime > _STALE_SECONDS:
            self.mark.unlink(missing_ok=True)
        try:
            os.close(os.open(self.mark, os.O_CREAT | os.O_EXCL))
        except FileExistsError:
            return False
        return True

    def _script(self) -> str:
        working = self.folder / f"working.{os.getpid()}.{os.urandom(4).hex()}"
        command = [*self.compiler, *self.flags, "-x", "c++-header", str(self.front), "-o", str(working)]
        move, clean = ["mv", str(working), str(self.compiled)], ["rm", "-f", str(working), str(self.mark)]
        return f"nice -n 10 {shlex.join(command)} && {shlex.join(move)}; {shlex.join(clean)}"


@atexit.register
def _let_go() -> None:
    """They outlive this process on purpose; without a return code Python would warn of each."""
    for child in _running:
        child.returncode = child.poll() or 0


def wait_for_background() -> None:
    """Until the headers that are being precompiled are there; for measurements and tests."""
    for child in _running:
        child.wait()
    _running.clear()
