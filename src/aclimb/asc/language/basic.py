# SPDX-License-Identifier: Apache-2.0
"""The calls of a core."""

from typing import Any

from aclimb.asc.language import specials

NAMES: dict[str, Any] = specials.names_of("basic")


def __getattr__(name: str) -> Any:
    try:
        return NAMES[name]
    except KeyError:
        raise AttributeError(f"module 'asc.language.basic' has no attribute {name!r}") from None
