# SPDX-License-Identifier: Apache-2.0
"""One point of a sweep, where it is run: a process of its own, so that nothing of one run is left for the next."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from aclimb.fleet import Crashed, Done, Places
from aclimb.fleet.trees import end_with_parent, signal_name
from aclimb.report.profiles import RESULT_FILE
from aclimb.report.sweep.points import Point
from aclimb.report.sweep.result import SweepOutcome, outcome_from


def run_point(arguments: tuple[str, list[str], tuple[str, ...], bool, str], places: Places) -> dict[str, Any]:
    """What the profile of one run says about itself; `error` where there is none."""
    program, words, options, timing_only, folder_of_user = arguments
    started_in = places.here(folder_of_user) if places.here(folder_of_user).is_dir() else places.here(program).parent
    words = [str(places.here(each)) if each.startswith("/") else each for each in words]
    with tempfile.TemporaryDirectory() as folder:
        result = Path(folder, "r.json")
        mode = ["--no-trace", "--no-files", *(["--timing-only"] if timing_only else [])]
        command = [sys.executable, "-m", "aclimb", "profile", *mode, *options, "--", str(places.here(program)), *words]
        environment = os.environ | {RESULT_FILE: str(result)}
        ended = subprocess.run(command, cwd=started_in, env=environment, capture_output=True, text=True, errors="replace", check=False,
                               preexec_fn=end_with_parent)  # fmt: skip
        if result.is_file():
            found: dict[str, Any] = json.loads(places.back(result.read_text()))
            return found
        last = (ended.stderr.strip() or ended.stdout.strip() or f"exit code {ended.returncode}").splitlines()[-1]
        if ended.returncode < 0:
            said = (ended.stderr.strip() or ended.stdout.strip()).splitlines()
            raise Crashed(f"the program ended by {signal_name(-ended.returncode)}" + (f": {places.back(said[-1])}" if said else ""))
        return {"error": places.back(last), "launches": 0}


def outcome_of(point: Point, done: Done) -> SweepOutcome:
    return outcome_from(point, done.value) if done.ok else SweepOutcome(point, None, error=done.reason)
