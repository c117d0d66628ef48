# SPDX-License-Identifier: Apache-2.0
"""Lints the report's JavaScript with biome.

The files of a page make one script, so whole pages are linted: a name is known where any file of the page has it.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

from aclimb.report import html
from aclimb.report.html import findings

ROOT = Path(__file__).resolve().parent.parent
BIOME = ROOT / ".venv" / "node" / "node_modules" / ".bin" / "biome"
SOURCES = Path(html.__file__).parent
PAGES = {"report.js": html.REPORT, "comparison.js": html.COMPARISON, "chain.js": html.CHAIN, "findings.js": findings.SCRIPTS}
HEAD = 2  # lines of a page's script before those of its first file


def place(page: str, line: int) -> str:
    """The file and line that a line of a page's script comes from."""
    before = HEAD
    for name in PAGES[page]:
        count = (SOURCES / name).read_text().count("\n") + 1  # and the line break that joins it to the next
        if line <= before + count:
            return f"{(SOURCES / name).relative_to(ROOT)}:{line - before}"
        before += count
    return page


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        for page, names in PAGES.items():
            Path(folder, page).write_text(html.script(names))
        command: list[str | Path] = [BIOME, "lint", f"--config-path={ROOT}", "--reporter=json", "--max-diagnostics=none", "."]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    found = [(each["location"], each) for each in json.loads(done.stdout)["diagnostics"]]
    lines = (f"{place(at['path'], at['start']['line'])}: {each['category']}: {each['message']}" for at, each in found)
    for line in dict.fromkeys(lines):  # pages share files
        print(line)
    return 1 if found or done.returncode else 0


if __name__ == "__main__":
    sys.exit(main())
