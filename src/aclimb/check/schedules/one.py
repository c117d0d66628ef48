# SPDX-License-Identifier: Apache-2.0
"""One part of the schedules, where it is run: the whole program once more, in a process of its own."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

from aclimb import knobs
from aclimb.check.schedules.tried import Tried
from aclimb.errors import DeviceError
from aclimb.fleet import Crashed, Places
from aclimb.fleet.trees import end_with_parent, signal_name


def run_part(arguments: tuple[str, list[str], list[str], str, str], places: Places) -> str:
    """What came of it, as JSON. A program that ends badly was tried as far as it came; the check itself says how it ended."""
    program, words, options, part, folder_of_user = arguments
    started_in = places.here(folder_of_user) if places.here(folder_of_user).is_dir() else places.here(program).parent
    words = [str(places.here(each)) if each.startswith("/") else each for each in words]
    with tempfile.TemporaryDirectory() as folder:
        result = Path(folder, "tried.json")
        environment = os.environ | {knobs.check.variable: shlex.join([f"provoke={part}", f"provoke_to={result}"])}
        command = [sys.executable, "-m", "aclimb", "run", "-q", *options, str(places.here(program)), *words]
        ended = subprocess.run(command, cwd=started_in, env=environment, capture_output=True, text=True, errors="replace", check=False,
                               preexec_fn=end_with_parent)  # fmt: skip
        if result.is_file():
            return Tried.read(places.back(result.read_text())).to_json()
    said = places.back((ended.stderr.strip() or ended.stdout.strip() or "it said nothing").splitlines()[-1])
    if ended.returncode < 0:
        raise Crashed(f"the program ended by {signal_name(-ended.returncode)}: {said}")
    raise DeviceError(f"the program ended with exit status {ended.returncode} before it launched anything: {said}")
