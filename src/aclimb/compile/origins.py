# SPDX-License-Identifier: Apache-2.0
"""How an image was made: its sources with their options, and the files they read. The cache knows it by the image's own bytes, so that an
image is recognised wherever it turns up: in a saved binary, in a program, as a member of a SuperKernel."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from aclimb.binary.container import replace_file
from aclimb.compile import shelf
from aclimb.compile.cache import Cache, file_hash
from aclimb.compile.device_link import Recipe
from aclimb.compile.one_source import Wanted
from aclimb.compile.options import Options


@dataclass(frozen=True, slots=True)
class Origin:
    """Of one image. Two images of a binary have the same, but for the core."""

    core: str
    parts: tuple[Recipe, ...]
    files: dict[str, str]  # with their hashes

    def changed(self) -> str | None:
        """A file that is not what it was when the image was made."""
        return next((path for path, digest in self.files.items() if file_hash(Path(path)) != digest), None)


def keep(cache: Cache, images: Mapping[str, bytes], parts: Sequence[tuple[Path, Options, Wanted]], files: Sequence[Path]) -> None:
    made = {
        "parts": [json.loads(Recipe.of(source, options, wanted, ()).to_bytes()) for source, options, wanted in parts],
        "files": {str(path): file_hash(path) for path in files},
    }
    with contextlib.suppress(OSError):  # without it, what looks closely at the kernel says that the source is not known
        for core, image in images.items():
            data = json.dumps({"core": core, **made}).encode()
            replace_file(_path(cache, image), data)
            if shelf.is_there():
                shelf.keep(_path(cache, image).name, {}, data)


def find(cache: Cache, image: bytes) -> Origin | None:
    path = _path(cache, image)
    try:
        if shelf.is_there() and not path.exists() and (found := shelf.find(path.name, claims=False)):
            replace_file(path, found[1])
        read = json.loads(path.read_bytes())
        os.utime(path)
        parts = tuple(Recipe.from_bytes(json.dumps(each).encode()) for each in read["parts"])
        return Origin(read["core"], parts, dict(read["files"]))
    except (OSError, ValueError, TypeError, KeyError):
        return None  # missing, or of another version


def _path(cache: Cache, image: bytes) -> Path:
    return cache.folder / "origins" / f"{hashlib.sha256(image).hexdigest()[:40]}.json"
