# SPDX-License-Identifier: Apache-2.0
"""Opens the door: from now on the functions of libascendcl are answered in this process."""

from __future__ import annotations

import atexit
from functools import lru_cache
from pathlib import Path

from aclimb import _door, capi
from aclimb.calls import recent
from aclimb.host import embedded, places

NULL = 100000


@lru_cache(maxsize=1)
def open_door(library: Path | None = None) -> None:
    """`library`: the libascendcl that programs use, where it is not the one beside the package."""
    functions = {name: getattr(capi, name) for name in _door.names() if hasattr(capi, name)}
    functions["aclimb_launch"] = embedded.launch
    _door.install(str(library or places.library()), tuple(functions[name] for name in _door.names()), _refuse_null)
    atexit.register(_door.end)


def _refuse_null(function: str, parameter: str) -> None:
    recent.add(NULL, f"{function}: {parameter} is NULL")
