# SPDX-License-Identifier: Apache-2.0
"""Opens the door: from now on the functions of libascendcl are answered in this process."""

from __future__ import annotations

import _thread
import atexit
import logging
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any

from aclimb import _door, capi
from aclimb.calls import recent, refuse
from aclimb.errors import AclimbError
from aclimb.host import aclnn_calls, embedded, level0_calls, places
from aclimb.op.native import log
from aclimb.op.native.platform import lines_of
from aclimb.runtime import addresses
from aclimb.runtime.loader import SYMBOL_FINDERS
from aclimb.tiling import door as tiling

NULL, INTERNAL = 100000, 500000
_log = logging.getLogger("aclimb")


@lru_cache(maxsize=1)
def open_door(library: Path | None = None) -> None:
    """`library`: the libascendcl that programs use, where it is not the one beside the package."""
    _door.install(str(library or places.library()), _answer, _refuse_null, _refuse_error, addresses.require_host)
    SYMBOL_FINDERS.append(embedded.function_of)
    # Destructors of a program may call when Python has gone. Exit handlers that were there before this one come after it, and may call.
    atexit.register(_door.end, False)


def _answer(name: str) -> Callable[..., Any]:
    """What answers a function, asked for once."""
    return _OWN[name] if name in _OWN else getattr(capi, name)


def _platform(soc: str | None) -> str | None:
    """The facts of a chip for tiling in a program; None for NULL."""
    found = lines_of(soc)
    return found.decode() if found is not None else None


# Beside the C API.
_OWN: dict[str, Callable[..., Any]] = {
    "aclimb_launch": embedded.launch,
    "aclimb_platform": _platform,
    "aclimb_tiling": tiling.call,
    "aclimb_log": log.write,
    "aclimb_aclnn_plan": aclnn_calls.plan,
    "aclimb_aclnn_run": aclnn_calls.run,
    "aclimb_level0": level0_calls.call,
}


def _refuse_null(function: str, parameter: str) -> None:
    recent.add(NULL, f"{function}: {parameter} is NULL")


def _refuse_error(function: str, error: BaseException) -> int:
    """The code of an exception: of a refusal while the arguments were read, or of a mistake of ours."""
    if isinstance(error, AclimbError):
        return refuse(function, error)
    if isinstance(error, KeyboardInterrupt):
        _thread.interrupt_main()  # for Python, when the program returns to it
    else:
        _log.error("%s failed inside aclimb", function, exc_info=(type(error), error, error.__traceback__))
    recent.add(INTERNAL, f"{function}: {type(error).__name__}: {error}")
    return INTERNAL
