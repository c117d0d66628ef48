# SPDX-License-Identifier: Apache-2.0
"""PipeUtilization.csv and its companions: one row for each block and sub-block, with the names and columns people know."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any, Literal

from aclimb.trace.csv_columns import FILES, Core, Number

BASIC = ("Op Name", "Op Type", "Task Duration(us)", "Block Dim", "Mix Block Dim", "Device Id", "Pid", "Current Freq", "Rated Freq")
Spelling = Literal["msopprof", "msprof"]


def write_csv(profile: dict[str, Any], folder: Path, spelling: Spelling = "msopprof") -> list[Path]:
    """Writes the files of every launch: into `folder` when there is one, into folder/kernel/number when there are several.

    `spelling` chooses between the two tools' names for the same columns: aic_cube_time(us), or aic_mac_time(us) as in op_summary.
    """
    launches = profile["launches"]
    written: list[Path] = []
    for launch in launches:
        place = Path(folder) if len(launches) == 1 else Path(folder) / launch["kernel"] / str(launch["id"])
        place.mkdir(parents=True, exist_ok=True)
        written.append(_write(place / "OpBasicInfo.csv", list(BASIC), [_basic(profile, launch)]))
        cores = [Core(row, profile["clock_mhz"], profile["peaks"]) for row in sorted(launch["cores"], key=_order)]
        for name in FILES:
            rows = [_row(name, core) for core in cores]
            written.append(_write(place / f"{name}.csv", header(name, spelling), rows))
    return written


def header(name: str, spelling: Spelling = "msopprof") -> list[str]:
    aic, aiv, both = ([column for column, _ in part] for part in FILES[name])
    columns = ["block_id", "sub_block_id", "aic_time(us)", "aic_total_cycles", *aic, "aiv_time(us)", "aiv_total_cycles", *aiv, *both]
    return [_msprof(column) for column in columns] if spelling == "msprof" else columns


def _msprof(column: str) -> str:
    return "aicore_time(us)" if column == "aic_time(us)" else column.replace("_cube", "_mac")


def _order(row: dict[str, Any]) -> tuple[int, bool, int]:
    return row["block"], row["type"] == "AIV", row["sub"]


def _row(name: str, core: Core) -> list[str]:
    aic, aiv, both = FILES[name]
    is_aic = core.row["type"] == "AIC"
    own = [_text(core.time_us), _text(core.cycles)]
    absent = ["NA", "NA"]
    return [
        str(core.row["block"]),
        "cube0" if is_aic else f"vector{core.row['sub']}",
        *(own if is_aic else absent),
        *(_text(value(core)) if is_aic else "NA" for _, value in aic),
        *(absent if is_aic else own),
        *("NA" if is_aic else _text(value(core)) for _, value in aiv),
        *(_text(value(core)) for _, value in both),
    ]


def _basic(profile: dict[str, Any], launch: dict[str, Any]) -> list[str]:
    kind = launch["kernel_type"]
    is_mix = "MIX" in kind
    blocks = launch["num_blocks"]
    vectors = sum(row["type"] == "AIV" for row in launch["cores"]) if is_mix else None
    op_type = "mix" if is_mix else {"AIV": "vector", "AIC": "cube"}.get(kind, kind)
    clock = _text(profile["clock_mhz"])
    return [launch["kernel"], op_type, _text(launch["task_us"]), str(blocks), _text(vectors), str(launch["device"]), "NA", clock, clock]


def _text(value: Number) -> str:
    """Whole numbers whole, others with up to six places."""
    if value is None:
        return "NA"
    return str(value) if isinstance(value, int) else f"{value:.6f}".rstrip("0").rstrip(".")


def _write(path: Path, columns: list[str], rows: list[list[str]]) -> Path:
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file, lineterminator="\n").writerows([columns, *rows])
    return path
