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
        return subprocess.run(
            self.command(*words), input=stdin, capture_output=True, timeout=600, env=self._around(**environment), check=False,
            preexec_fn=_as_from_a_terminal, encoding="utf-8", errors="surrogateescape",
        )  # fmt: skip

    def start(self, *words: str) -> subprocess.Popen[str]:
        return subprocess.Popen(self.command(*words), stdout=subprocess.PIPE, text=True, env=self._around(), preexec_fn=_as_from_a_terminal)

    def _around(self, **environment: str) -> dict[str, str]:
        """The test's own Python may have been given a locale, or have chosen one (PEP 538): a program starts without."""
        inherited = {name: value for name, value in os.environ.items() if not name.startswith("LC_")}
        return {**inherited, **self.environment, **environment}


def _as_from_a_terminal() -> None:
    """Ctrl-C is heard, also where the tests run in the background."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@cache
def own(name: str, compiler: str = "") -> Path:
    with pytest.MonkeyPatch.context() as patch:
        if compiler:
            patch.setenv("ACLIMB_CXX", compiler)
        return programs.build([str(SOURCES / name), *OPTIONS], Path(_FOLDER.name) / (compiler or "default") / Path(name).stem)


def library() -> Path:
    """The folder of libascendcl."""
    return prefix() / "lib64"
