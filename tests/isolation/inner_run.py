# SPDX-License-Identifier: Apache-2.0
"""Runs tests in a process where every device is isolated, and says what became of each."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from xml.etree import ElementTree

ROOT = Path(__file__).parents[2]


def outcomes(words: Sequence[str], seconds: float = 600, **settings: str) -> dict[str, str]:
    """By name of the test, all its parameters together: "" for passed, else what it said."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.xml"
        environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
        environment |= {"ACLIMB_ISOLATED": "1", **settings}
        command = [sys.executable, "-m", "pytest", *words, "-q", "-p", "no:cacheprovider", "-p", "no:xdist"]
        command += ["--capture=sys", f"--junitxml={report}"]  # what native code says before it ends the process is not lost with it
        ran = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=seconds, cwd=ROOT)
        if not report.exists():
            return {"": ran.stdout + ran.stderr}
        found: dict[str, str] = {}
        for case in ElementTree.parse(report).iter("testcase"):
            bad = [each.text or each.attrib.get("message", "") for each in case if each.tag in ("failure", "error")]
            name = case.get("name", "").split("[")[0]
            found[name] = found.get(name, "") + "\n".join(bad)
        return found
