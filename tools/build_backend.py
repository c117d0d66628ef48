# SPDX-License-Identifier: Apache-2.0
"""The back end that pip calls: scikit-build-core, with the zig of the ziglang wheel where the machine has no C++ compiler.

`-C compiler=zig` takes zig in any case: what it builds runs with glibc 2.28 and newer, so `make wheel` asks for it.
"""

from __future__ import annotations

import contextlib
from typing import Any

import compilers
from scikit_build_core import build as cmake
from scikit_build_core.build import build_sdist, get_requires_for_build_sdist

__all__ = [
    "build_editable",
    "build_sdist",
    "build_wheel",
    "get_requires_for_build_editable",
    "get_requires_for_build_sdist",
    "get_requires_for_build_wheel",
    "prepare_metadata_for_build_editable",
    "prepare_metadata_for_build_wheel",
]

Settings = dict[str, Any] | None


def get_requires_for_build_wheel(config_settings: Settings = None) -> list[str]:
    settings, zig = _split(config_settings)
    return [*cmake.get_requires_for_build_wheel(settings), *(compilers.requirements() if zig else [])]


def get_requires_for_build_editable(config_settings: Settings = None) -> list[str]:
    settings, zig = _split(config_settings)
    return [*cmake.get_requires_for_build_editable(settings), *(compilers.requirements() if zig else [])]


def prepare_metadata_for_build_wheel(metadata_directory: str, config_settings: Settings = None) -> str:
    return cmake.prepare_metadata_for_build_wheel(metadata_directory, _split(config_settings)[0])


def prepare_metadata_for_build_editable(metadata_directory: str, config_settings: Settings = None) -> str:
    return cmake.prepare_metadata_for_build_editable(metadata_directory, _split(config_settings)[0])


def build_wheel(wheel_directory: str, config_settings: Settings = None, metadata_directory: str | None = None) -> str:
    settings, zig = _split(config_settings)
    with compilers.zig() if zig else contextlib.nullcontext():
        return cmake.build_wheel(wheel_directory, settings, metadata_directory)


def build_editable(wheel_directory: str, config_settings: Settings = None, metadata_directory: str | None = None) -> str:
    settings, zig = _split(config_settings)
    with compilers.zig() if zig else contextlib.nullcontext():
        return cmake.build_editable(wheel_directory, settings, metadata_directory)


def _split(config_settings: Settings) -> tuple[dict[str, Any], bool]:
    """scikit-build-core's settings, and whether zig is to compile."""
    settings = dict(config_settings or {})
    wanted = settings.pop("compiler", None)
    if wanted not in (None, "zig"):
        raise SystemExit(f"aclimb: -C compiler={wanted}: it takes zig; for another compiler set CXX")
    return settings, wanted == "zig" or not compilers.has_compiler()
