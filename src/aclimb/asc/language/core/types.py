# SPDX-License-Identifier: Apache-2.0
"""The names of `asc` again, where pyasc's programs import them from."""

from typing import Any


def __getattr__(name: str) -> Any:
    from aclimb.asc.language.core import NAMES

    try:
        return NAMES[name]
    except KeyError:
        raise AttributeError(f"no {name!r} here; see `import asc`") from None
