# SPDX-License-Identifier: Apache-2.0
"""Writes op_library.inc, the functions of libopapi.so: `make_op_library.py src/aclimb/op/builtin host/src/aclnn_names.txt op_library.inc`.

SERVED for each line of the TABLEs in that folder, REFUSED for the other names of the list. The tables are read, not imported: nothing of
what they need has to be there when the library is built.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

TYPES = {
    "t": "const aclTensor*", "o": "aclTensor*", "r": "aclTensor*", "T": "const aclTensorList*", "s": "const aclScalar*",
    "l": "const aclIntArray*", "b": "bool", "i": "int64_t", "u": "uint64_t", "n": "int", "c": "int8_t", "d": "aclDataType", "f": "float",
    "g": "double",
}  # fmt: skip
# As aclimb/aclnn.h takes it.
_CASTS = {"u": "int64_t", "n": "int64_t", "c": "int64_t", "d": "int64_t", "f": "double"}
_VERSION = re.compile(r"V\d+$")


def tables(folder: Path) -> Iterator[str]:
    """The text of every TABLE."""
    for path in sorted(folder.glob("*.py")):
        for statement in ast.parse(path.read_text()).body:
            if isinstance(statement, ast.Assign) and getattr(statement.targets[0], "id", "") == "TABLE":
                yield ast.literal_eval(statement.value)


def prototypes(folder: Path) -> dict[str, list[tuple[str, str]]]:
    """By name: letter and name of each parameter."""
    found = {}
    for line in "\n".join(tables(folder)).splitlines():
        if line.strip():
            name, rest = line.split(maxsplit=1)
            found[name] = [(each.split()[0][0], each.split()[1]) for each in rest.rsplit(maxsplit=1)[0].split(",")]
    return found


def refused(names: list[str], served: set[str]) -> list[str]:
    """A newer version of a function that is served is not there at all: programs that look then call the one that is."""
    return [name for name in names if name not in served and _VERSION.sub("", name) not in served]


def line(name: str, parameters: list[tuple[str, str]]) -> str:
    """SERVED(name, (declarations), values)"""
    declarations = ", ".join(f"{TYPES[letter]} {each}_" for letter, each in parameters)
    values = ", ".join(f"of({_value(letter, each)})" for letter, each in parameters)
    return f"SERVED({name}, ({declarations}), {values})"


def _value(letter: str, name: str) -> str:
    return f"static_cast<{_CASTS[letter]}>({name}_)" if letter in _CASTS else f"{name}_"


def main() -> None:
    folder, list_of_names, target = map(Path, sys.argv[1:4])
    served = prototypes(folder)
    names = [each for each in list_of_names.read_text().split("\n") if each and not each.startswith("#")]
    lines = [line(name, parameters) for name, parameters in sorted(served.items())]
    lines += [f"REFUSED({name})" for name in refused(names, set(served))]
    target.write_text("// Made by tools/make_op_library.py.\n" + "".join(each + "\n" for each in lines))


if __name__ == "__main__":
    main()
