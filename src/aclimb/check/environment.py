# SPDX-License-Identifier: Apache-2.0
"""ACLIMB_CHECK: a check of the whole program, begun when it first uses a device and reported when it ends.

The exit status stays the program's own; only `aclimb check` sets it, also that of a program it had to become (`sets_status`).
"""

from __future__ import annotations

import atexit
import os
import sys
from typing import TYPE_CHECKING

from aclimb import knobs

if TYPE_CHECKING:
    from pathlib import Path

    from aclimb.check.asked import Asked
    from aclimb.check.schedules.provoking import Provoking
    from aclimb.check.session import Check

COULD_NOT = 2
_running: tuple[Check, Asked, int] | None = None  # with the process it belongs to
_provoking: tuple[Provoking, Path, int] | None = None  # instead of a check


def start() -> None:
    """Opens the check that the variable asks for; one that is open already goes on instead."""
    global _running
    from aclimb.check import asked, session

    wanted = asked.from_variable(knobs.check())
    if wanted is None or session.is_open():
        return
    wanted = asked.at_home(wanted)
    if wanted.provoke:
        _provoke(wanted)
        return
    check = wanted.open(f"by {knobs.check.variable}")
    check.__enter__()
    _running = check, wanted, os.getpid()
    atexit.register(end, 0)


def _provoke(wanted: Asked) -> None:
    """For `aclimb check --schedules`, which runs the program once more for each part of them."""
    from aclimb.check.schedules.parts import Part
    from aclimb.check.schedules.provoking import Provoking

    global _provoking
    assert wanted.provoke_to is not None
    provoking = Provoking(Part.of(wanted.provoke))
    provoking.open()
    _provoking = provoking, wanted.provoke_to, os.getpid()
    atexit.register(end, 0)


def end(status: int) -> int:
    """Reports, once; gives the status to end with."""
    global _running, _provoking
    provoking, _provoking = _provoking, None
    if provoking is not None and provoking[2] == os.getpid():
        provoking[0].write(provoking[1])
    running, _running = _running, None
    if running is None or running[2] != os.getpid():
        return status
    from aclimb.check.deliver import concluded, deliver
    from aclimb.runtime import unreported

    check, wanted, _ = running
    unreported.tell()
    check.close()
    if not wanted.sets_status:
        deliver(check.result, wanted, sys.stderr)
        return status
    return deliver(concluded(check, status), wanted, sys.stdout)


def end_of_c(status: int) -> int:
    """The same, for a C program that `aclimb check` became: where no device was used, nothing was checked."""
    if _running is None and "sets_status=on" in knobs.check():
        print("aclimb: could not check: the program used no device", file=sys.stderr, flush=True)
        return COULD_NOT
    return end(status)
