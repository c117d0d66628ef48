# SPDX-License-Identifier: Apache-2.0
"""Loaded by every Python that has this folder on its path: the engine's checker is a fake that finds what FAKE_FINDINGS names.

Kinds with blanks between them; FAKE_SOURCE is the file whose lines they point to, FAKE_LAUNCHES=0 a program that launches nothing.
"""

import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

if os.environ.get("FAKE_SOURCE"):
    import fakes

    from aclimb.check import engine_side

    def _session(settings: object) -> fakes.Session:
        found = [fakes.race(kind) for kind in os.environ.get("FAKE_FINDINGS", "").split()]
        return fakes.Session.of(*found) if os.environ.get("FAKE_LAUNCHES") != "0" else fakes.Session([])

    vars(engine_side)["Session"] = _session
    fakes.point_to(Path(os.environ["FAKE_SOURCE"]))
