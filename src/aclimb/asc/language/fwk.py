# SPDX-License-Identifier: Apache-2.0
"""Pipes, queues and buffers."""

from typing import Any

from aclimb.asc.language import specials

NAMES: dict[str, Any] = specials.names_of("fwk")


def __getattr__(name: str) -> Any:
    try:
        return NAMES[name]
    except KeyError:
        raise AttributeError(f"module 'asc.language.fwk' has no attribute {name!r}") from None
