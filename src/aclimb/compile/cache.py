# SPDX-License-Identifier: Apache-2.0
"""The cache of built kernels: content-addressed, safe for threads and processes, bounded in size.

    manifests/<key>.json   key of source, options, compiler, headers -> the user's headers with their hashes, and the
    object's key
    objects/<key>.o        operator binaries
    pch/<key>/             precompiled headers
    sources/<hash>/        kernels that were given as text
    locks/<key>.lock       held while one builds; the others wait and take the result

A hit reads the manifest, checks that the headers it names are unchanged, and loads the object: no compiler is started.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import json
import logging
import os
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from aclimb import knobs
from aclimb.binary.container import replace_file

_log = logging.getLogger("aclimb.compile")
_replacements: dict[Path, Path] = {}  # unwritable folder -> the temporary one used instead, for the life of the process
_ENTRIES_KEPT = 8  # versions of the user's headers remembered for one source


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

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for name in ("manifests", "objects", "pch", "sources", "locks"):
            (folder / name).mkdir(parents=True, exist_ok=True)

    # --- finding and keeping

    def find(self, key: str) -> bytes | None:
        """The object for this key, when every header it was built from is as it was then."""
        for entry in self._entries(key):
            if all(_file_hash(Path(path)) == digest for path, digest in entry["files"].items()):
                with contextlib.suppress(OSError):
                    path = self.folder / "objects" / f"{entry['object']}.o"
                    data = path.read_bytes()
                    os.utime(path)
                    return data
        return None

    def keep(self, key: str, files: list[Path], data: bytes) -> None:
        """Stores an object and the files (beside the source) that it depends on."""
        name = hashlib.sha256(data).hexdigest()[:40]
        hashes = {str(path): _file_hash(path) for path in files}
        try:
            replace_file(self.folder / "objects" / f"{name}.o", data)
            entries = [e for e in self._entries(key) if e["files"] != hashes]
            text = json.dumps([{"files": hashes, "object": name}, *entries[: _ENTRIES_KEPT - 1]])
            replace_file(self.folder / "manifests" / f"{key}.json", text.encode())
        except OSError as error:
            _log.warning("the kernel cache cannot be written (%s); the build goes on without it", error)
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
        if not path.exists():
            replace_file(path, text.encode())
        os.utime(folder)
        return path

    # --- size

    def _items(self) -> list[tuple[float, int, Path]]:
        """(last use, bytes, path) of everything that can leave: objects, precompiled headers, sources."""
        items = []
        for kind in ("objects", "pch", "sources", "manifests"):
            with contextlib.suppress(OSError):
                for path in (self.folder / kind).iterdir():
                    with contextlib.suppress(OSError):
                        items.append((path.stat().st_mtime, _size_of(path), path))
        return items

    def trim(self) -> None:
        """The least recently used leave until the rest fits."""
        items = self._items()
        excess = sum(size for _, size, _ in items) - knobs.cache_size()
        for _, size, path in sorted(items, key=lambda item: item[0]):
            if excess <= 0:
                break
            _remove(path)
            excess -= size
        self._drop_old_locks()

    def _drop_old_locks(self) -> None:
        for path in (self.folder / "locks").glob("*.lock"):
            with contextlib.suppress(OSError):
                if time.time() - path.stat().st_mtime > 86400:
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
        return sum(size for _, size, _ in items)


def open_cache() -> Cache:
    """The cache of the settings; where it cannot be written, a temporary one and one warning."""
    folder = knobs.cache_dir()
    try:
        cache = Cache(_replacements.get(folder, folder))
        if folder not in _replacements and not os.access(cache.folder / "objects", os.W_OK):
            raise PermissionError(13, "Permission denied", str(folder))
        return cache
    except OSError as error:
        import tempfile  # rarely needed, and it costs several milliseconds

        _replacements[folder] = Path(tempfile.mkdtemp(prefix="aclimb-cache-"))
        _log.warning(
            "cache folder %s cannot be written (%s); kernels are kept in %s for this run. Set ACLIMB_CACHE_DIR to a folder of yours",
            folder,
            error.strerror or error,
            _replacements[folder],
        )
        return Cache(_replacements[folder])


def _file_hash(path: Path) -> str:
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
