# SPDX-License-Identifier: Apache-2.0
"""The user's own sources of what ran: where comments that nobody needed are looked for."""

from __future__ import annotations

from pathlib import Path

from aclimb.binary.source_lines import is_in_our_headers, source_files
from aclimb.check.raw import Images

_SYSTEM = ("/usr/include/", "/usr/lib/")


def of_images(images: Images) -> list[str]:
    """By name; neither our headers nor the compiler's."""
    names = {name for image in images.values() if image for name in source_files(image)}
    return sorted(name for name in names if not is_in_our_headers(name) and not name.startswith(_SYSTEM) and Path(name).is_file())
