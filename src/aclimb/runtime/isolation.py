# SPDX-License-Identifier: Apache-2.0
"""The process of an isolated device: where its program is, and how it is started. docs/explain/trust.md says what it promises."""

from __future__ import annotations

from pathlib import Path

from aclimb import _engine, knobs
from aclimb.binary import source_lines
from aclimb.errors import DeviceError

PROGRAM = Path(_engine.__file__).with_name("aclimb_device")


def start(native: _engine.Device) -> None:
    """From now on the device's kernels run in a process of its own, and images that are loaded are mapped there only."""
    source_lines.quote_only(())
    try:
        native.isolate(
            program=str(PROGRAM),
            threads=_engine.threads(),
            quarantine=knobs.quarantine(),
            memory_limit=knobs.isolated_memory(),
        )
    except RuntimeError as error:
        raise DeviceError(f"the device cannot be isolated: {error}") from error


def expect(image: bytes) -> None:
    """Before an image is mapped: where devices will be isolated, none of its code may come into this process, and reports quote the
    files that it was built from on this machine, whatever files it names."""
    if knobs.isolated():
        _engine.map_images_elsewhere()
    elif not _engine.maps_images_elsewhere():
        return
    from aclimb.compile import origins  # half of the package's import time
    from aclimb.compile.cache import open_cache

    origin = origins.find(open_cache(), image)
    files = [*origin.files, *(file for part in origin.parts for file in part.options.places_only)] if origin else []
    source_lines.quote_only(files)
