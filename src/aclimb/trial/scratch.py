# SPDX-License-Identifier: Apache-2.0
"""A copy of the user's folder to build and run in. What is tried may write wherever it stands; the original is only read."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

_LEFT_OUT = (".git", ".hg", ".svn", "__pycache__", "node_modules")


def copy_tree(source: Path, target: Path) -> None:
    """Files as they are, with their modes. A link to a folder points into the copy, or is left out where it leads outside.

    What is no file, or cannot be read, is left out: whoever needs it says so.
    """
    root = source.resolve()
    for path, inside, files in os.walk(root):
        here = Path(path)
        made = target / here.relative_to(root)
        made.mkdir(parents=True, exist_ok=True)
        for name in [each for each in inside if (here / each).is_symlink()]:
            _link(here / name, made / name, root)
        inside[:] = [each for each in inside if each not in _LEFT_OUT and not (here / each).is_symlink()]
        for name in files:
            _copy(here / name, made / name)


def _link(path: Path, made: Path, root: Path) -> None:
    found = path.resolve()
    if found.is_relative_to(root):
        made.symlink_to(os.path.relpath(found, path.parent.resolve()))


def _copy(path: Path, made: Path) -> None:
    if path.is_file():  # a link to a file becomes one
        try:
            shutil.copy(path, made)
            made.chmod(made.stat().st_mode | 0o600)
        except PermissionError:
            made.unlink(missing_ok=True)
