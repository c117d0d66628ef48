# SPDX-License-Identifier: Apache-2.0
"""Loaded by every Python that has this folder on its path: the engine's checker is a fake that finds what FAKE_FINDINGS names.

Kinds with blanks between them; FAKE_SOURCE is the file whose lines they point to, FAKE_LAUNCHES the number of launches it counts.
"""

import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

if os.environ.get("FAKE_SOURCE"):
    import fakes

    from aclimb.check import cases, engine_side

    def _open_session(settings: object) -> fakes.Session:
        raws = [fakes.race(kind) for kind in os.environ.get("FAKE_FINDINGS", "").split()]
        return fakes.Session(raws, launches=int(os.environ.get("FAKE_LAUNCHES", "1")))

    engine_side.open_session = _open_session
    vars(cases)["SourcePlaces"] = lambda images: fakes.Places(Path(os.environ["FAKE_SOURCE"]))
