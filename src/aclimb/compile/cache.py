# SPDX-License-Identifier: Apache-2.0
"""The cache of built kernels: content-addressed, safe for threads and processes, bounded in size.

    manifests/<key>.json   key of source, options, compiler, headers -> the user's headers with their hashes, and the
    object's key
    objects/<key>.o        operator binaries
    pch/<key>/             precompiled headers
    sources/<hash>/        kernels that were given as text
    origins/<hash>.json    how an image was made, by the hash of its bytes
    blobs/<hash>           files of users, by their content, on nodes of a cluster
    locks/<key>.lock       held while one builds; the others wait and take the result
    trimmed                when it was last looked at whether all of it still fits

A hit reads the manifest, checks that the headers it names are unchanged, and loads the object: no compiler is started.

What lies in the cache runs as the user's own code. So a folder that others could have written to is not used; a private one
in the temporary folder takes its place, and is removed at the end of the process.
"""

from __future__ import annotations

import atexit
import contextlib
import fcntl
import hashlib
import json
import logging
import os
import stat
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from aclimb import knobs
from aclimb.binary.container import replace_file
from aclimb.compile import shelf

_log = logging.getLogger("aclimb.compile")
_replacements: dict[Path, Path] = {}  # folder that cannot be used -> the temporary one, for the life of the process
_FOLDERS = ("manifests", "objects", "pch", "sources", "programs", "origins", "blobs", "locks")
_ENTRIES_KEPT = 8  # versions of the user's headers remembered for one source
_TRIM_SECONDS = 60.0  # looking at everything takes longer than storing a kernel: after so long, or when a 64th of the limit has come
_added: Counter[Path] = Counter()  # bytes that this process has stored in a cache since it was last looked at


@dataclass(frozen=True)
class CacheInfo:
    """What `aclimb cache info` prints."""

    folder: Path
    objects: int
    precompiled_headers: int
    size_bytes: int
    limit_bytes: int


class Cache:
    """One cache folder. Every write is a rename, so a reader never sees half a file."""

    def __init__(self, folder: Path, *, is_temporary: bool = False) -> None:
        self.folder, self.is_temporary = folder, is_temporary
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        for name in _FOLDERS:
            (folder / name).mkdir(exist_ok=True, mode=0o700)

    # --- finding and keeping

    def find(self, key: str, *, claims: bool = True) -> bytes | None:
        """The object for this key, when every header it was built from is as it was then. `claims`: whoever does not find it builds it."""
        for entry in self._entries(key):
            if all(file_hash(Path(path)) == digest for path, digest in entry["files"].items()):
                with contextlib.suppress(OSError):
                    path = self.folder / "objects" / f"{entry['object']}.o"
                    data = path.read_bytes()
                    os.utime(path)
                    return data
        return self._from_shelf(key, claims) if shelf.is_there() else None

    def _from_shelf(self, key: str, claims: bool) -> bytes | None:
        """What another machine of a cluster has built of the same files."""
        found = shelf.find(key, claims=claims)
        if found is None or any(file_hash(Path(path)) != digest for path, digest in found[0].items()):
            return None
        self._store(key, *found)
        return found[1]

    def keep(self, key: str, files: list[Path], data: bytes) -> None:
        """Stores an object and the files (beside the source) that it depends on."""
        hashes = {str(path): file_hash(path) for path in files}
        self._store(key, hashes, data)
        if shelf.is_there():
            shelf.keep(key, hashes, data)

    def give_up(self, key: str) -> None:
        """Nothing comes of what was claimed."""
        if shelf.is_there():
            shelf.give_up(key)

    def _store(self, key: str, hashes: dict[str, str], data: bytes) -> None:
        name = hashlib.sha256(data).hexdigest()[:40]
        try:
            replace_file(self.folder / "objects" / f"{name}.o", data)
            entries = [e for e in self._entries(key) if e["files"] != hashes]
            text = json.dumps([{"files": hashes, "object": name}, *entries[: _ENTRIES_KEPT - 1]])
            replace_file(self.folder / "manifests" / f"{key}.json", text.encode())
        except OSError as error:
            _log.warning("the kernel cache cannot be written (%s); the build goes on without it", error)
        _added[self.folder] += len(data)
        if self._is_trim_due():
            self.trim()

    def _entries(self, key: str) -> list[dict[str, dict[str, str]]]:
        try:
            entries = json.loads((self.folder / "manifests" / f"{key}.json").read_bytes())
            return [e for e in entries if isinstance(e["files"], dict) and isinstance(e["object"], str)]
        except (OSError, ValueError, TypeError, KeyError):
            return []  # missing or damaged: build again

    @contextlib.contextmanager
    def lock(self, key: str) -> Iterator[None]:
        """Only one builds; a lock file is released by the system when its process dies."""
        with open(self.folder / "locks" / f"{key}.lock", "w") as handle:
            fcntl.flock(handle, fcntl.LOCK_EX)
            yield

    def keep_source(self, text: str, name: str) -> Path:
        """A file for a kernel that was given as text: messages and line numbers need one."""
        folder = self.folder / "sources" / hashlib.sha256(text.encode()).hexdigest()[:24]
        folder.mkdir(exist_ok=True)
        path = folder / f"{name}.cpp"
        if not path.exists() or path.read_bytes() != text.encode():  # somebody may have edited it
            replace_file(path, text.encode())
        os.utime(folder)
        return path

    # --- size

    @property
    def _trimmed(self) -> Path:
        """A file whose time says when everything was last looked at, by whichever process."""
        return self.folder / "trimmed"

    def _items(self) -> list[tuple[float, int, Path]]:
        """(last use, bytes, path) of everything that can leave: objects, precompiled headers, sources, programs."""
        items = []
        for kind in ("objects", "pch", "sources", "programs", "manifests", "blobs"):
            with contextlib.suppress(OSError):
                for path in (self.folder / kind).iterdir():
                    with contextlib.suppress(OSError):
                        items.append((path.stat().st_mtime, _size_of(path), path))
        return items

    def _is_trim_due(self) -> bool:
        if _added[self.folder] > knobs.cache_size() // 64:
            return True
        try:
            return time.time() - self._trimmed.stat().st_mtime > _TRIM_SECONDS
        except OSError:
            return True  # never yet

    def trim(self) -> None:
        """The least recently used leave until the rest fits."""
        with contextlib.suppress(OSError):
            self._trimmed.touch()
        _added.pop(self.folder, None)
        items = self._items()
        excess = sum(size for _, size, _ in items) - knobs.cache_size()
        for _, size, path in sorted(items, key=lambda item: item[0]):
            if excess <= 0:
                break
            _remove(path)
            excess -= size
        self._drop_old("locks", days=1)
        self._drop_old("origins", days=90)  # small; the objects they belong to may be anywhere

    def _drop_old(self, kind: str, *, days: float) -> None:
        for path in (self.folder / kind).iterdir():
            with contextlib.suppress(OSError):
                if time.time() - path.stat().st_mtime > days * 86400:
                    path.unlink()

    def info(self) -> CacheInfo:
        items = self._items()
        return CacheInfo(
            folder=self.folder,
            objects=sum(path.parent.name == "objects" for _, _, path in items),
            precompiled_headers=sum(path.parent.name == "pch" for _, _, path in items),
            size_bytes=sum(size for _, size, _ in items),
            limit_bytes=knobs.cache_size(),
        )

    def clear(self) -> int:
        """Removes everything; returns how many bytes that was."""
        items = self._items()
        for _, _, path in items:
            _remove(path)
        self._drop_old("origins", days=0)
        return sum(size for _, size, _ in items)


def open_cache() -> Cache:
    """The cache of the settings; where it cannot be used, a temporary one and one warning."""
    folder = knobs.cache_dir()
    if folder in _replacements:
        return Cache(_replacements[folder], is_temporary=True)
    try:
        reason = _distrust(folder) if folder.is_dir() else ""
        if not reason:
            cache = Cache(folder)
            reason = next((reason for name in _FOLDERS if (reason := _distrust(folder / name))), "")
        if not reason and not os.access(folder / "objects", os.W_OK):
            reason = "Permission denied"
    except OSError as error:
        reason = error.strerror or str(error)
    return replacement(folder, reason) if reason else cache


def _distrust(folder: Path) -> str:
    """Why others could have put something into the folder; "" when only its owner, ourselves, can write there."""
    found = folder.stat()
    if found.st_uid != os.geteuid():
        return f"{folder} belongs to user {found.st_uid}, who could run code as you"
    if found.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        return f"{folder} can be written by others (mode {stat.S_IMODE(found.st_mode):o}), who could run code as you"
    return ""


def replacement(folder: Path, reason: str) -> Cache:
    """A cache for this process alone."""
    import tempfile  # rarely needed, and it costs several milliseconds

    temporary = _replacements[folder] = Path(tempfile.mkdtemp(prefix="aclimb-cache-"))
    atexit.register(_remove_own, temporary, os.getpid())
    _log.warning(
        "cache folder %s cannot be used (%s); kernels are kept in %s for this run."
        " Remove it, or set ACLIMB_CACHE_DIR to a folder that only you can write",
        folder,
        reason,
        temporary,
    )
    return Cache(temporary, is_temporary=True)


def _remove_own(folder: Path, process: int) -> None:
    if os.getpid() == process:  # a forked child leaves its parent's alone
        _remove(folder)


def file_hash(path: Path) -> str:
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError:
        return "missing"


def _size_of(path: Path) -> int:
    if path.is_dir():
        return sum(f.stat().st_size for f in path.rglob("*") if f.is_file())
    return path.stat().st_size


def _remove(path: Path) -> None:
    if path.is_dir():
        import shutil

        shutil.rmtree(path, ignore_errors=True)
    else:
        with contextlib.suppress(OSError):
            path.unlink()
