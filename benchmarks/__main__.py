# SPDX-License-Identifier: Apache-2.0
"""python -m benchmarks [group ...] [--json FILE]: prints the table, keeps the JSON. Exit code 1 when a bar is missed."""

from __future__ import annotations

import argparse
import importlib
import sys
from pathlib import Path

from rich.console import Console
from rich.table import Table

from benchmarks.harness import BENCHMARKS, Row, host, save

MODULES = (
    "instructions",
    "scalar",
    "launch",
    "isolation",
    "host",
    "c_api",
    "op",
    "fuse",
    "stress",
    "vector",
    "add",
    "sort",
    "matmul",
    "library",
    "timing",
    "check",
    "asc",
    "torch",
    "triton",
    "build",
    "programs",
    "driver",
    "fleet",
    "install",
)


def main() -> int:
    for module in MODULES:
        importlib.import_module(f"benchmarks.bench_{module}")
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("groups", nargs="*", help=f"some of: {', '.join(BENCHMARKS)} (all when none is named)")
    parser.add_argument("--json", type=Path, help="where to keep the figures")
    options = parser.parse_args()
    unknown = [name for name in options.groups if name not in BENCHMARKS]
    if unknown:
        parser.error(f"no group {', '.join(unknown)}; there are {', '.join(BENCHMARKS)}")
    console = Console()
    console.width = max(console.width, 130)  # piped output has no width of its own; rows stay whole
    rows: list[Row] = []
    for name in options.groups or BENCHMARKS:
        with console.status(f"measuring {name}"):
            rows += BENCHMARKS[name]()
    console.print(table(rows))
    console.print(f"{host()}\nkept in {save(rows, options.json)}")
    return 1 if any(row.passed is False for row in rows) else 0


def table(rows: list[Row]) -> Table:
    made = Table(box=None, header_style="bold")
    for title, side in (
        ("benchmark", "left"),
        ("value", "right"),
        ("unit", "left"),
        ("bar", "right"),
        ("", "left"),
        ("against", "left"),
        ("note", "left"),
    ):
        made.add_column(title, justify=side)  # type: ignore[arg-type]
    for row in rows:
        sign = ">=" if row.at_least else "<="
        bar = f"{sign} {row.bar:g}" if row.bar is not None else ""
        verdict = {True: "[green]ok[/]", False: "[red]missed[/]", None: ""}[row.passed]
        made.add_row(row.id, f"{row.value:.3g}", row.unit, bar, verdict, row.peer, row.note)
    return made


if __name__ == "__main__":
    sys.exit(main())
