# SPDX-License-Identifier: Apache-2.0
"""python benchmarks/compare.py old.json new.json: the two side by side."""

from __future__ import annotations

import json
import sys
from pathlib import Path


def main(old: str, new: str) -> None:
    before, after = ({row["id"]: row for row in json.loads(Path(name).read_text())["rows"]} for name in (old, new))
    print(f"{'benchmark':<34}{'old':>10}{'new':>10}  new/old")
    for name in sorted(before.keys() | after.keys()):
        values = [side[name]["value"] if name in side else None for side in (before, after)]
        shown = "".join(f"{value:>10.3g}" if value is not None else f"{'-':>10}" for value in values)
        ratio = f"{values[1] / values[0]:.2f}" if values[0] and values[1] is not None else ""
        print(f"{name:<34}{shown}  {ratio}")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
