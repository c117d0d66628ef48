# SPDX-License-Identifier: Apache-2.0
"""The profile that a program switches on itself: all of it by the key `profiler` of acl.init's configuration, one launch by the attribute
ENABLE_PROFILING. acl.finalize, or the end of the program, writes what `aclimb profile` writes."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from aclimb import knobs
from aclimb.report import profiles
from aclimb.trace import profiling
from aclimb.trace.profiling import Profile

DEFAULT_FOLDER = Path("aclimb_profile")
_log = logging.getLogger("aclimb")
_lock = threading.Lock()


class _Switched:
    profile: Profile | None = None  # one for the process: opened again, it goes on
    folder = DEFAULT_FOLDER.absolute()
    written = 0  # launches


def _profile() -> Profile:
    if _Switched.profile is None:
        _Switched.profile = Profile(limit=knobs.profile_limit())
    return _Switched.profile


def begin(folder: Path) -> bool:
    """Records everything from now on; False: a profile is open already, and does."""
    with _lock:
        _Switched.folder = folder.absolute()
        if profiling.is_open():
            return False
        _profile().__enter__()
        return True


@contextmanager
def one_launch() -> Iterator[None]:
    """Records what is queued inside, and does not wait for it."""
    with _lock:
        if profiling.is_open():  # and has the launch
            yield
            return
        with _profile().queueing():
            yield


def end() -> None:
    """Writes what was recorded so far. The program goes on, whatever happens to the files."""
    with _lock:
        profile = _Switched.profile
        if profile is None:
            return
        profile.close()
        profile.settle()
        if len(profile.launches) > _Switched.written:
            _write(profile)


def _write(profile: Profile) -> None:
    try:
        profiles.write_files(profile, _Switched.folder)
    except OSError as error:
        _log.error("the profile was not written: %s", error)
        return
    _Switched.written = count = len(profile.launches)
    _log.info("the profile of %d launch%s was written to %s", count, "" if count == 1 else "es", _Switched.folder)
