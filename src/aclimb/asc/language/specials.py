# SPDX-License-Identifier: Apache-2.0
"""Objects and calls that the compiler knows by name: table/specials.txt lists them, codegen/objects.py says what they become."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from aclimb.asc.language import table
from aclimb.asc.language.device import DeviceFunction, DeviceObject, Special, made, record_class

CONSTANTS = ("DEFAULT_C0_SIZE", "ONE_BLK_SIZE", "TOTAL_L1_SIZE", "TOTAL_L0C_SIZE")


class _OnHost(Special):
    """One that the host can compute too."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if self.__name__ == "ceildiv":
            x, y = [*args, *kwargs.values()]
            return (x + y - 1) // y
        if self.__name__ in ("range", "static_range"):
            return range(*args)
        if not (args[0] if args else kwargs["test"]):
            raise AssertionError(kwargs.get("message", args[1] if len(args) > 1 else None))
        return None


class Row(NamedTuple):
    module: str
    name: str
    signature: str
    says: str
    is_class: bool


@cache
def rows() -> list[Row]:
    """table/specials.txt, for names, stubs and the reference page."""
    found, is_class = list[Row](), True
    for line in Path(table.__file__).with_name("specials.txt").read_text().splitlines():
        if line.startswith("== "):
            is_class = line == "== classes"
        elif line and not line.startswith("#"):
            module, name, rest = line.split(" | ", 2)
            signature, _, says = rest.rpartition(" | ")
            found.append(Row(module, name, signature, says, is_class))
    return found


def names_of(module: str) -> dict[str, Any]:
    """What one of core, basic, fwk, adv adds to `asc`."""
    found: dict[str, Any] = {}
    for row in rows():
        if row.module == module and row.is_class:
            found[row.name] = made(row.name, row.signature, row.says)
        elif row.module == module:
            kind = _OnHost if row.name in ("ceildiv", "range", "static_range", "static_assert") else Special
            found[row.name] = kind(row.name, row.signature, row.says)
    calls = table.basic() if module == "basic" else table.adv() if module == "adv" else {}
    found |= {name: DeviceFunction(call, "adv." if module == "adv" else "") for name, call in calls.items()}
    if module == "core":
        found |= {name: record_class(record) for name, record in table.records().items()}
        found |= dict.fromkeys(CONSTANTS) | {name: name for name in CONSTANTS}
    return found


__all__ = ["DeviceObject", "names_of", "rows"]
