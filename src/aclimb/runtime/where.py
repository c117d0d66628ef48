# SPDX-License-Identifier: Apache-2.0
"""Where in the user's program something happens: the frames that are neither ours nor Python's way of starting a program."""

from __future__ import annotations

import os
import runpy
import sys
from types import CodeType, TracebackType

from aclimb.errors import AclimbError

_SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
_CALLS = (os.path.join(_SOURCE, "acl") + os.sep, os.path.join(_SOURCE, "aclimb", "calls") + os.sep, "<calls of ")
_OURS = (*_CALLS, os.path.join(_SOURCE, "aclimb") + os.sep, "<frozen runpy>", runpy.__file__)

_in_c = False


def leave_to_c() -> None:
    """The program is C or C++: from now on no frame of Python is the user's."""
    global _in_c
    _in_c = True


def is_ours(code: CodeType) -> bool:
    """Also the __init__ that dataclasses generates: it stands between a caller and the checks of a record of ours."""
    return code.co_filename.startswith(_OURS) or (code.co_filename, code.co_name) == ("<string>", "__init__")


def call_place() -> tuple[str, int]:
    """File and line of the call in the user's program that led here; no file where that is C."""
    if _in_c:
        return "", 0
    frame = sys._getframe(1)
    while frame.f_back is not None and is_ours(frame.f_code):
        frame = frame.f_back
    return frame.f_code.co_filename, frame.f_lineno


def shown(place: tuple[str, int]) -> str:
    return f"{os.path.basename(place[0])}:{place[1]}" if place[0] else "a call from C"


def call_site() -> str:
    """The same in words: file:line."""
    return shown(call_place())


def users_frames(error: BaseException) -> TracebackType | None:
    """The traceback of an error without our frames around the program; and without those below it when we refused something.

    What else ends in a frame of ours is our mistake: there they stay.
    """
    frames = _list(error.__traceback__)
    theirs = [index for index, each in enumerate(frames) if not is_ours(each.tb_frame.f_code)]
    if not theirs:
        return None
    refused = isinstance(error, AclimbError) or frames[-1].tb_frame.f_code.co_filename.startswith(_CALLS)
    kept = theirs if refused else range(theirs[0], len(frames))
    found: TracebackType | None = None
    for each in (frames[index] for index in reversed(kept)):
        found = TracebackType(found, each.tb_frame, each.tb_lasti, each.tb_lineno)
    return found


def _list(traceback: TracebackType | None) -> list[TracebackType]:
    frames = []
    while traceback is not None:
        frames.append(traceback)
        traceback = traceback.tb_next
    return frames
