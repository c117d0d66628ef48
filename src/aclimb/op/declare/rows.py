# SPDX-License-Identifier: Apache-2.0
"""A row of an operator's declared types: what a kernel is built for.

    {"x": "float16", "x.format": "ND", "y": "float16"}      as Declaration.combinations() gives it

A binary says in its JSON which rows it is for, under CANN's key: supportInfo has the parameters of one row, and dtypeForBinQuery and
formatForBinQuery, position by position, those of all rows that share the binary.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from aclimb.binary import meta
from aclimb.binary.container import replace_file

Row = Mapping[str, str]
SUPPORT = "supportInfo"
_TYPES = {"float32": "float", "float16": "half", "bfloat16": "bfloat16_t", "float64": "double", "bool": "bool", "complex64": "complex64",
          "complex128": "complex128"}  # fmt: skip
_NUMBERS = {"float32": "DT_FLOAT", "bfloat16": "DT_BF16", "float64": "DT_DOUBLE"}
_OTHER_NAMES = {"float": "float32", "bf16": "bfloat16", "double": "float64"}  # in files that other tools write


def words(row: Row) -> dict[str, str]:
    """DTYPE_X, ORIG_DTYPE_X and FORMAT_X for each parameter."""
    made = {}
    for name, dtype in dtypes(row):
        upper = name.upper()
        made[f"DTYPE_{upper}"] = _TYPES.get(dtype, f"{dtype}_t")
        made[f"ORIG_DTYPE_{upper}"] = _NUMBERS.get(dtype, f"DT_{dtype.upper()}")
        made[f"FORMAT_{upper}"] = f"FORMAT_{_format(row, name)}"
    return made


def is_same(one: Row, other: Row) -> bool:
    """Return whether two rows have the same types and formats; ND need not be written."""
    first, second = ({(name, dtype, _format(row, name)) for name, dtype in dtypes(row)} for row in (one, other))
    return first == second


def dtypes(row: Row) -> Iterator[tuple[str, str]]:
    return ((name, dtype) for name, dtype in row.items() if not name.endswith(".format"))


def _format(row: Row, name: str) -> str:
    return row.get(f"{name}.format", "ND")


# --- in the JSON of a binary


def support_info(rows: Sequence[Row], inputs: Iterable[str], outputs: Iterable[str]) -> dict[str, Any]:
    return {side: [_parameter(rows, index, name) for index, name in enumerate(names)]
            for side, names in (("inputs", inputs), ("outputs", outputs))}  # fmt: skip


def _parameter(rows: Sequence[Row], index: int, name: str) -> dict[str, Any]:
    made: dict[str, Any] = {"name": name, "index": index, "format": _format(rows[0], name)}
    if name in rows[0]:
        made["dtype"] = rows[0][name]
        if len(rows) > 1:
            made["dtypeForBinQuery"] = [row[name] for row in rows]
            made["formatForBinQuery"] = [_format(row, name) for row in rows]
    return made


def rows_of(info: Mapping[str, Any]) -> list[Row]:
    """The rows that a supportInfo, or the parameter file of opc, is for."""
    given = [each[0] if isinstance(each, list) else each for side in ("inputs", "outputs") for each in info.get(side) or () if each]
    typed = [each for each in given if "dtype" in each]
    count = max((len(each.get("dtypeForBinQuery") or ()) for each in typed), default=0)
    return [_row(typed, at) for at in range(count)] or [_row(typed, None)]


def _row(parameters: Iterable[Mapping[str, Any]], at: int | None) -> Row:
    row = {}
    for each in parameters:
        types, formats = each.get("dtypeForBinQuery"), each.get("formatForBinQuery")
        dtype = types[at] if types and at is not None else each["dtype"]
        row[each["name"]] = _OTHER_NAMES.get(dtype, dtype)
        row[f"{each['name']}.format"] = formats[at] if formats and at is not None else each.get("format", "ND")
    return row


def describe(binary: Path, more: Mapping[str, Any]) -> None:
    """Adds to the JSON that lies beside a saved binary."""
    path = binary.with_suffix(".json")
    replace_file(path, meta.dump(meta.parse(path.read_bytes()) | dict(more)))


def described(folder: Path) -> list[tuple[Path, list[Row]]]:
    """The binaries of a folder that say which rows they are for."""
    found = []
    for binary in sorted(folder.glob("*.o")):
        path = binary.with_suffix(".json")
        content = meta.parse(path.read_bytes()) if path.is_file() else {}
        if SUPPORT in content:
            found.append((binary, rows_of(content[SUPPORT])))
    return found
