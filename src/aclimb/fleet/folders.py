# SPDX-License-Identifier: Apache-2.0
"""A folder by its content: the list of its files with their hashes, and the folder again, on another machine, from such a list.

It lies at the same place on every node, named after its content: paths inside of built kernels are then the same everywhere.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import json
import os
import stat
import tempfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from aclimb.binary.container import replace_file
from aclimb.compile.cache import file_hash
from aclimb.errors import InvalidArgument

MOST_FILES = 20_000
MOST_BYTES = 2 << 30
_LEFT_OUT = ("__pycache__", "node_modules")
_LINK = -1  # instead of a mode: what is given for the hash is where it points


@dataclass(frozen=True, slots=True)
class Entry:
    path: str  # below the folder; "" for a file that travels alone
    mode: int
    digest: str


@dataclass(frozen=True, slots=True)
class Taken:
    """A folder on its way out."""

    root: Path
    entries: tuple[Entry, ...]

    @property
    def manifest(self) -> bytes:
        files = [[each.path, each.mode, each.digest] for each in self.entries]
        return json.dumps({"name": self.root.name, "files": files}, separators=(",", ":")).encode()

    @property
    def digest(self) -> str:
        return hashlib.sha256(self.manifest).hexdigest()

    def file_of(self, digest: str) -> Path:
        return next(self.root / each.path for each in self.entries if each.digest == digest and each.mode != _LINK)

    @property
    def digests(self) -> list[str]:
        return list(dict.fromkeys(each.digest for each in self.entries if each.mode != _LINK))


def outermost(paths: Iterable[Path]) -> list[Path]:
    """Without those that lie in another one of them."""
    found = sorted(dict.fromkeys(paths), key=lambda path: len(path.parts))
    return [path for at, path in enumerate(found) if not any(path.is_relative_to(other) for other in found[:at])]


def take(root: Path, leave_out: Sequence[Path] = ()) -> Taken:
    """Histories, hidden folders and `leave_out` stay where they are."""
    if root.is_file():
        return Taken(root, (Entry("", _mode(root), file_hash(root)),))
    entries, size = [], 0
    for here, inside, names in os.walk(root):
        inside[:] = sorted(each for each in inside if not _stays(Path(here, each), leave_out))
        links = [each for each in inside if Path(here, each).is_symlink()]
        entries += [link for each in links if (link := _link(Path(here, each), root))]
        for path in (Path(here, name) for name in sorted(names)):
            if path.is_file() and os.access(path, os.R_OK):
                entries.append(Entry(str(path.relative_to(root)), _mode(path), file_hash(path)))
                size += path.stat().st_size
            if len(entries) > MOST_FILES or size > MOST_BYTES:
                raise InvalidArgument(
                    f"{root} has more than {MOST_FILES} files, or {MOST_BYTES >> 30} GiB, to bring to the nodes; put the program into a "
                    "folder of its own, and name what else it needs with --with"
                )
    return Taken(root, tuple(entries))


def _stays(path: Path, leave_out: Sequence[Path]) -> bool:
    return path.name.startswith(".") or path.name in _LEFT_OUT or path in leave_out


def _mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode) | 0o600


def _link(path: Path, root: Path) -> Entry | None:
    """Inside the folder it stays a link; one that leads outside is left out."""
    if not path.resolve().is_relative_to(root.resolve()):
        return None
    return Entry(str(path.relative_to(root)), _LINK, os.path.relpath(path.resolve(), path.parent.resolve()))


def lay_out(digest: str, manifest: bytes, content: Callable[[list[str]], dict[str, Path]]) -> Path:
    """The folder on this machine, its files as they were; `content` gives files by their hash. Others wait while one does it."""
    listed = json.loads(manifest)
    base = _private(Path(tempfile.gettempdir()) / f"aclimb-fleet-{os.getuid()}") / digest[:16]
    base.mkdir(exist_ok=True)
    root = base / str(listed["name"])
    with open(f"{base}.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        entries = [Entry(*each) for each in listed["files"]]
        changed = [each for each in entries if each.mode != _LINK and file_hash(_at(root, each)) != each.digest]
        files = content(list(dict.fromkeys(each.digest for each in changed)))
        for each in changed:
            _at(root, each).parent.mkdir(parents=True, exist_ok=True)
            replace_file(_at(root, each), files[each.digest].read_bytes())
            _at(root, each).chmod(each.mode)
        for each in entries:
            if each.mode == _LINK:
                _at(root, each).parent.mkdir(parents=True, exist_ok=True)
                with contextlib.suppress(FileExistsError):
                    _at(root, each).symlink_to(each.digest)
        if not entries:
            root.mkdir(exist_ok=True)
    return root


def _at(root: Path, entry: Entry) -> Path:
    return root / entry.path if entry.path else root


def _private(folder: Path) -> Path:
    """What lies there is run: nobody else may have put it there."""
    folder.mkdir(mode=0o700, exist_ok=True)
    found = folder.stat()
    if found.st_uid != os.geteuid() or found.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        raise InvalidArgument(f"{folder} can be written by others, who could run code as you; remove it, or set TMPDIR to another folder")
    return folder
