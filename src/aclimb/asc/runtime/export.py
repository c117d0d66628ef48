# SPDX-License-Identifier: Apache-2.0
"""The generated Ascend C as a file for the chip, and a JSON file beside it that says how it is built and launched.

launch   the kernel: addresses, numbers, structs by value
asc      the same, and a host function that launches it with <<<>>>
op       the kernel of an operator: addresses, workspace, tiling; numbers and structs come in the tiling data
"""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from aclimb.asc.codegen import emit
from aclimb.asc.codegen.tree import Kernel
from aclimb.errors import InvalidArgument

if TYPE_CHECKING:
    from aclimb.asc.runtime.compiled import CompiledKernel

FORMS = ("launch", "asc", "op")


def export(compiled: CompiledKernel, path: Path, form: str) -> Path:
    """Writes path and path.json; gives path back."""
    if form not in FORMS:
        raise InvalidArgument(f"form is {form!r}; it takes {', '.join(map(repr, FORMS))}")
    tree = _as_operator(compiled.tree) if form == "op" else compiled.tree
    text = emit.text_of(tree, emit.EXPORTED, compiled.head)
    if form == "asc":
        text += _host_function(compiled.tree)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    Path(f"{path}.json").write_text(json.dumps(_facts(compiled, form), indent=2) + "\n")
    return path


def _as_operator(tree: Kernel) -> Kernel:
    """Addresses stay parameters; the rest becomes tiling data of the same names."""
    made = copy.copy(tree)
    rest = [(kind, name) for kind, name in tree.parameters if kind != "GM_ADDR"]
    made.parameters = [each for each in tree.parameters if each[0] == "GM_ADDR"] + [("GM_ADDR", "workspace"), ("GM_ADDR", "tiling")]
    if rest:
        struct = f"{tree.name}_tiling_t"
        members = "\n".join(f"    {kind} {name};" for kind, name in rest)
        made.structs = [*tree.structs, f"#pragma pack(push, 8)\nstruct {struct} {{\n{members}\n}};\n#pragma pack(pop)"]
        made.entry = [
            f"GET_TILING_DATA_WITH_STRUCT({struct}, tiling_data, tiling)",
            *(f"{kind} {name} = tiling_data.{name}" for kind, name in rest),
        ]
    return made


def _host_function(tree: Kernel) -> str:
    parameters = [f"{'uint8_t*' if kind == 'GM_ADDR' else kind} {name}" for kind, name in tree.parameters]
    names = ", ".join(name for _, name in tree.parameters)
    return (
        f'\nextern "C" void launch_{tree.name}({", ".join(["uint32_t num_blocks", "void* stream", *parameters])}) {{\n'
        f"    {tree.name}<<<num_blocks, nullptr, stream>>>({names});\n}}\n"
    )


def _facts(compiled: CompiledKernel, form: str) -> dict[str, Any]:
    wanted = compiled.options.compile
    return {
        "kernel": compiled.tree.name,
        "form": form,
        "kernel_type": compiled.kernel_type,
        "soc": compiled.soc,
        "compile_flags": ["--cce-auto-sync" if wanted.auto_sync else "--cce-auto-sync=off", *(wanted.bisheng_options or ())],
        "arguments": [{"name": name, "type": kind} for kind, name in compiled.tree.parameters],
        "constants": {name: repr(value) for name, value in compiled.constants.items()},
        "from": Path(compiled.python.file).name,
    }
