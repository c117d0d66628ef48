# SPDX-License-Identifier: Apache-2.0
"""The user's own sources of what ran: where comments that nobody needed are looked for."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from aclimb.binary.source_lines import is_in_our_headers, source_files
from aclimb.check.places import CheckedLaunch

_SYSTEM = ("/usr/include/", "/usr/lib/")


def of_launches(launches: Sequence[CheckedLaunch]) -> list[str]:
    """By name; neither our headers nor the compiler's."""
    kernels = {each.kernel: each for each in reversed(launches)}
    names = {name for each in kernels.values() for image in each.images.values() if image for name in source_files(image)}
    return sorted(name for name in names if not is_in_our_headers(name) and not name.startswith(_SYSTEM) and Path(name).is_file())
