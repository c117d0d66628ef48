# SPDX-License-Identifier: Apache-2.0
"""op_build and opc: commands of the toolkit that the CMake files and scripts of older generated projects start.

op_build libascend_all_ops.so out      aclnn_<op>.h and .cpp, op_proto.h and .cc, aic-<chip>-ops-info.ini
opc Twice.py --main_func=twice --input_param=param.json --soc_version=Ascend910B1 --output=out
                                       the kernel for one row of types, <bin_filename>.o and .json

The project's scripts write Twice.py, which calls the vendor's compiler. It is read, not run: it names the kernel's source and holds the
options of add_ops_compile_options.
"""

from __future__ import annotations

import argparse
import ast
import json
import logging
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from aclimb import chips
from aclimb.binary.container import replace_file
from aclimb.errors import AclimbError, CompileError, InvalidArgument
from aclimb.host.op_package import generate_all, kernel_options, write
from aclimb.op.declare.rows import SUPPORT, describe, rows_of
from aclimb.op.native.library import Library, load
from aclimb.op.native.ops_info import ops_info
from aclimb.op.native.package import packages
from aclimb.op.native.platform import short_name
from aclimb.op.project.kernels import UNITS, OperatorKernel
from aclimb.op.project.sources import kernel_source

_LIBRARY = Path("autogen") / "libascend_all_ops.so"  # where the CMake files of a project have op_build read the host code
_PROTO = "// Prototypes for graphs, which aclimb does not build.\n"


def main(command: str, words: Sequence[str]) -> None:
    logging.basicConfig(format=f"{command}: %(message)s")
    try:
        {"op_build": op_build, "opc": opc}[command](words)
    except CompileError as error:
        raise SystemExit(error.in_full()) from None
    except AclimbError as error:
        raise SystemExit(f"{command}: error: {error}") from None


def op_build(words: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="op_build")
    parser.add_argument("library", type=Path)
    parser.add_argument("out", type=Path)
    given = parser.parse_args(words)
    given.out.mkdir(parents=True, exist_ok=True)
    with load(given.library) as library:
        for each in generate_all(library):
            write(given.out, each)
            replace_file(given.out / f"{each.name}.h", each.header.encode())
        for unit, soc in UNITS.items():
            own = [library.declared(each.type, soc) for each in library if unit in map(str.lower, each.socs)]
            if own:
                replace_file(given.out / f"aic-{unit}-ops-info.ini", ops_info(own).encode())
    replace_file(given.out / "op_proto.h", _PROTO.encode())
    replace_file(given.out / "op_proto.cc", b'#include "op_proto.h"\n')


def opc(words: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="opc")
    parser.add_argument("script", type=Path)
    parser.add_argument("--main_func", default="")
    parser.add_argument("--input_param", type=Path, required=True)
    parser.add_argument("--soc_version", required=True)
    parser.add_argument("--output", type=Path, required=True)
    given, _ = parser.parse_known_args(words)  # the others choose between forms that are one here
    said = json.loads(given.input_param.read_text())
    node, chip = said["op_list"][0], chips.load(given.soc_version)
    unit = short_name(chip).lower()
    if unit not in UNITS:
        raise InvalidArgument(f"soc_version is {chip.name}, an {unit}; aclimb models {' and '.join(UNITS)}: set ASCEND_COMPUTE_UNIT to one")
    script = _Script.read(given.script)
    library = _library_of(said["op_type"], given.input_param)
    operator = library.declared(said["op_type"], chip.name)
    source = _source(script, operator.file_stem, given.main_func or operator.entry)
    options = kernel_options(script.options(unit))
    (built,) = OperatorKernel(library, operator, source, unit, chip.name, options).build(rows_of(node)[:1])
    if isinstance(built.made, CompileError):
        raise built.made
    saved = built.made.save(given.output / f"{node['bin_filename']}.o")
    describe(saved, {SUPPORT: _support_info(node)})


def _support_info(node: dict[str, Any]) -> dict[str, Any]:
    """What the project's scripts look for in the JSON of a binary to list it."""
    own = {key: value for key, value in node.items() if key != "bin_filename"}
    return {"implMode": "high_performance", "opMode": "dynamic", "optionalInputMode": "gen_placeholder", "deterministic": "ignore",
            "simplifiedKeyMode": 0, "staticKey": node["bin_filename"], **own}  # fmt: skip


def _library_of(op_type: str, near: Path) -> Library:
    """The host code: the project's own, which lies in a folder above, or that of an installed package."""
    own = (folder / _LIBRARY for folder in near.resolve().parents)
    found = [load(each) for each in own if each.is_file()][:1] or [each.load() for each in packages()]
    for library in found:
        if op_type in library.operators:
            return library
    raise InvalidArgument(f"no host code declares {op_type}; looked for {_LIBRARY} in the folders above {near}, and in the packages of "
                          "ASCEND_CUSTOM_OPP_PATH and ASCEND_OPP_PATH")  # fmt: skip


def _source(script: _Script, stem: str, entry: str) -> Path:
    named = script.path.parent / script.source
    found = named if script.source and named.is_file() else kernel_source(script.path.parent, stem, entry)
    if found is None:
        raise InvalidArgument(
            f"{script.source or f'{stem}.cpp'} is not beside {script.path}; the project's CMake files copy op_kernel there"
        )
    return found


@dataclass(frozen=True)
class _Script:
    """What a script of the project assigns."""

    path: Path
    values: dict[str, Any]

    @classmethod
    def read(cls, path: Path) -> _Script:
        values: dict[str, Any] = {}
        for each in ast.walk(ast.parse(path.read_text(errors="replace"))):
            if isinstance(each, ast.Assign) and len(each.targets) == 1 and isinstance(each.targets[0], ast.Name):
                try:
                    values[each.targets[0].id] = ast.literal_eval(each.value)
                except ValueError:
                    continue
        return cls(path, values)

    @property
    def source(self) -> str:
        return str(self.values.get("ascendc_src_file", ""))

    def options(self, unit: str) -> list[str]:
        """Return the options for all operators, then those for this one. Each is a dictionary by chip, followed by a comma."""
        made = []
        for name in ("custom_all_compile_options", "custom_compile_options"):
            value = self.values.get(name, {})
            by_unit = value[0] if isinstance(value, tuple) and value else value
            made += [*by_unit.get("__ALLSOC__", ()), *by_unit.get(unit, ())]
        return made


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
