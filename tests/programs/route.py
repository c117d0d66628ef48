# SPDX-License-Identifier: Apache-2.0
"""How the tests build a program, and start it."""

from __future__ import annotations

import atexit
import os
import signal
import subprocess
import tempfile
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import pytest

from aclimb.host import programs
from aclimb.host.prefix import prefix

SOURCES = Path(__file__).parent / "sources"
OPTIONS = ["-O1", "-g", "-Wall", "-Wextra", "-Werror", "-pthread"]
_FOLDER = tempfile.TemporaryDirectory(prefix="aclimb-programs-")
atexit.register(_FOLDER.cleanup)


@dataclass(frozen=True)
class Route:
    """How a program is started: words before it."""

    program: Path
    before: tuple[str, ...] = ()
    environment: dict[str, str] = field(default_factory=dict)

    def command(self, *words: str) -> list[str]:
        return [*self.before, str(self.program), *words]

    def __call__(self, *words: str, stdin: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
        whole = {**os.environ, **self.environment, **environment}
        text = {"encoding": "utf-8", "errors": "surrogateescape"}
        return subprocess.run(self.command(*words), input=stdin, capture_output=True, timeout=120, env=whole, check=False, **text)

    def start(self, *words: str) -> subprocess.Popen[str]:
        """As from a terminal: Ctrl-C is not ignored."""
        heard = lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)  # noqa: E731
        environment = {**os.environ, **self.environment}
        return subprocess.Popen(self.command(*words), stdout=subprocess.PIPE, text=True, env=environment, preexec_fn=heard)


@cache
def own(name: str, compiler: str = "") -> Path:
    with pytest.MonkeyPatch.context() as patch:
        if compiler:
            patch.setenv("ACLIMB_CXX", compiler)
        return programs.build([str(SOURCES / name), *OPTIONS], Path(_FOLDER.name) / (compiler or "default") / Path(name).stem)


def library() -> Path:
    """The folder of libascendcl."""
    return prefix() / "lib64"
