# SPDX-License-Identifier: Apache-2.0
"""The user's own sources of what ran: where comments that nobody needed are looked for."""

from __future__ import annotations

from pathlib import Path

from aclimb.binary.source_lines import source_files
from aclimb.check.raw import Images
from aclimb.compile.headers import include_dir

_SYSTEM = ("/usr/include/", "/usr/lib/")


def of_images(images: Images) -> list[str]:
    """By name; neither our headers nor the compiler's."""
    names = {name for image in images.values() if image for name in source_files(image)}
    own = f"{include_dir()}/"
    return sorted(name for name in names if not name.startswith((own, *_SYSTEM)) and Path(name).is_file())
