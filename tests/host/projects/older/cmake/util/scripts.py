# SPDX-License-Identifier: Apache-2.0
"""scripts.py AUTOGEN UNIT OUT: of each operator's section in the .ini, a script that starts opc for each row of its types."""

import configparser
import hashlib
import json
import sys
from pathlib import Path
from typing import Any

CHIPS = {"ascend910b": "Ascend910B1", "ascend910_93": "Ascend910_9391"}
SCRIPT = """
def {entry}(*arguments, kernel_name="{entry}", impl_mode=""):
    options = ["-x", "cce"]
    custom_compile_options = {own},
    custom_all_compile_options = {everybody},
    origin_func_name = "{entry}"
    ascendc_src_file = "{file}.cpp"
    src = get_kernel_source(ascendc_src_file)
"""
COMMAND = """res=$(opc {script} --main_func={entry} --input_param={parameters} --soc_version={chip} --output={out} \\
    --impl_mode=high_performance,optional --simplified_key_mode=0 --op_mode=dynamic)
echo "${{res}}"
test -f {out}/{name}.o || exit 1
"""


def options(autogen: Path, op_type: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for line in (autogen / "options.txt").read_text().splitlines():
        of, units, words = line.split(",")
        for unit in units.split(";") if of == op_type else ():
            found[unit or "__ALLSOC__"] = words.split(";")
    return found


def parameters(section: configparser.SectionProxy, side: str, row: int) -> list[Any]:
    found: list[Any] = []
    while f"{side}{len(found)}.name" in section:
        at = f"{side}{len(found)}"
        one: dict[str, Any] = {"name": section[f"{at}.name"], "index": len(found), "paramType": section[f"{at}.paramType"], "shape": [-2]}
        one |= {key: section[f"{at}.{key}"].split(",")[row] for key in ("dtype", "format")}
        found.append([one] if one["paramType"] == "dynamic" else one)
    return found


def main(autogen: Path, unit: str, out: Path) -> None:
    info = configparser.ConfigParser()
    info.optionxform = str  # type: ignore[method-assign, assignment]
    info.read(autogen / f"aic-{unit}-ops-info.ini")
    for op_type in info.sections():
        section = info[op_type]
        file, entry = section["opFile.value"], section["opInterface.value"]
        script = out / "src" / f"{op_type}.py"
        script.write_text(SCRIPT.format(entry=entry, file=file, own=options(autogen, op_type), everybody=options(autogen, "ALL")))
        (out / "bin" / file).mkdir(exist_ok=True)
        for row in range(len(section["input0.dtype"].split(","))):
            node = {side: parameters(section, side[:-1], row) for side in ("inputs", "outputs")}
            name = f"{op_type}_{hashlib.md5(json.dumps(node).encode()).hexdigest()}"
            place = out / "gen" / f"{name}_param.json"
            place.write_text(json.dumps({"op_type": op_type, "op_list": [{"bin_filename": name, **node}]}))
            words = {"script": script, "entry": entry, "parameters": place, "chip": CHIPS[unit], "out": out / "bin" / file, "name": name}
            (out / "gen" / f"{op_type}-{row}.sh").write_text(COMMAND.format(**words))


main(Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3]))
