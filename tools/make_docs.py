# SPDX-License-Identifier: Apache-2.0
"""Writes what comes from the code: `make docs`. With --check it only names what is stale.

Each reference page has one function here, and says in its second line where it comes from. The pages of the checker's rules come from
the files of the rules and from tests/check_rules (rule_pages.py). src/aclimb/_engine.pyi and _library.pyi, native modules as Python sees
them, come from the modules themselves, the stubs of aclimb.asc from its table (asc_table.py).
"""

from __future__ import annotations

import inspect
import logging
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import typer
from asc_table import asc_page, stubs
from c_api_table import c_api_page
from check_table import check_page
from coverage_table import requirements_page
from device_table import code, device_api_page, table
from nanobind.stubgen import StubGen
from op_library_table import op_library_page
from rule_pages import rule_pages
from timing_table import timing_page

from acl import _assemble
from aclimb import _engine, _library, chips, cli, errors, knobs
from aclimb.host import driver_options
from aclimb.runtime import no_effect

ROOT = Path(__file__).resolve().parent.parent
REFERENCE = ROOT / "docs" / "reference"
PACKAGE = ROOT / "src" / "aclimb"


def errors_page() -> Iterator[str]:
    yield "# Errors"
    yield "From `src/aclimb/errors.py`. Everything aclimb raises on purpose is an `AclimbError`;"
    yield "import the classes from"
    yield "`aclimb.errors`."
    yield ""
    classes = [c for _, c in inspect.getmembers(errors, inspect.isclass) if issubclass(c, errors.AclimbError)]
    rows: list[tuple[str, ...]] = []
    for each in sorted(classes, key=lambda c: inspect.getsourcelines(c)[1]):
        others = [base.__name__ for base in each.__bases__ if base.__module__ == "builtins" and base is not Exception]
        parent = next((base.__name__ for base in each.__bases__ if issubclass(base, errors.AclimbError)), "Exception")
        kind = f"`{each.kind}`" if issubclass(each, errors.KernelFault) else ""
        rows.append((f"`{each.__name__}`", f"`{parent}`", code(others), kind, inspect.cleandoc(each.__doc__ or "")))
    yield from table(("error", "is a", "and a", "kind", "when"), rows)
    yield ""
    yield "A `KernelFault` has `kind`, `kernel`, `block`, `core`, `file` and `line`. A"
    yield "`CompileError` has `diagnostics`, a list"
    yield "of `Diagnostic(file, line, column, severity, text)` at the lines of the user's own source."
    yield ""
    yield "A fault is raised once, by the `synchronize()` (or `to_numpy()`) that comes after the"
    yield "launch. Tasks behind it run."
    yield ""
    yield "`BuildWarning`, a `UserWarning`, is for a kernel source that builds and looks wrong:"
    yield "Python's `warnings` shows it, and can make it"
    yield "an error (`-W error::aclimb.errors.BuildWarning`)."


def instructions_page() -> Iterator[str]:
    yield "# Instructions"
    yield "From `device/include/aclimb/instructions.def`. Every Ascend C call becomes one or more of"
    yield "these records; the pipe"
    yield "says which queue of the core runs it. `ANY`: the record names the pipe. An operand is read"
    yield "(`r`), written (`w`) or both (`u`), in the memory behind the colon; `*` is any. Time is what"
    yield "the cost on the chip is counted in; `none`: the issue is all. Registers beyond those that"
    yield "travel in the record are read (`r`), left behind (`w`) or both."
    yield ""
    rows = [
        (
            f"`{row.name}`",
            row.kind,
            row.pipe,
            " ".join(f"{role}:{memory}" for role, memory in row.operands) or "-",
            " ".join([*(f"r:{name}" for name in row.reads), *(f"w:{name}" for name in row.leaves)]) or "-",
            row.time,
            row.call or "-",
        )
        for row in _engine.instructions()
    ]
    yield from table(("instruction", "class", "pipe", "operands", "registers", "time", "Ascend C"), rows)


def support_page() -> Iterator[str]:
    yield "# Chips and products"
    yield "From `src/aclimb/chips`. Every number has a unit and a source in its data file. `aclimb"
    yield "chips` lists them too."
    yield ""
    rows = []
    for name in chips.names():
        chip = chips.load(name)
        rows.append((f"`{name}`", chip.family, str(chip.aic_cores), str(chip.aiv_cores), f"{chip.device_memory >> 30} GiB"))
    yield from table(("SoC", "family", "AIC", "AIV", "global memory"), rows)
    yield ""
    yield "`A2` is Atlas A2, `A3` is Atlas A3. One device is one die. Other products (310P, 310B,"
    yield "910A, 950) are refused with"
    yield "a sentence."
    yield ""
    yield "## Local memories"
    yield ""
    arch = chips.load(knobs.soc.default).arch
    sizes = [(name, f"{size:,} bytes", f"{arch.alignment[name]} bytes") for name, size in arch.memory.items()]
    yield from table(("memory", "size", "alignment"), sizes)
    yield ""
    yield "## Calls that differ between products"
    yield ""
    yield "From `chips/support.toml`. A call without a row works on both. Experimental is what Ascend C says of a call: it may change."
    yield ""
    rules = sorted(chips._support_table())
    yield from table(("call", *chips.FAMILIES), [(_named(api), *(chips.support(api, f) for f in chips.FAMILIES)) for api in rules])


def _named(api: str) -> str:
    note = chips._support_table()[api].get("note")
    return f"`{api}`" + (f" ({note})" if note else "")


def cli_page() -> Iterator[str]:
    yield "# Command line"
    yield "From `src/aclimb/cli`. `aclimb` and `python -m aclimb` are the same program. A mistake"
    yield "of the user's is one line"
    yield "and exit code 1."
    yield ""
    yield from commands("aclimb", typer.main.get_command(cli.app))


def commands(path: str, command: Any) -> Iterator[str]:
    children = getattr(command, "commands", None)
    if children is None or path == "aclimb":
        yield f"## `{path}`"
        yield ""
        yield command.help or ""
        yield ""
        rows = [(f"`{spelling(each)}`", getattr(each, "help", "") or "", default(each)) for each in command.params]
        if rows:
            yield from table(("argument", "what", "default"), rows)
            yield ""
    for name, child in sorted((children or {}).items()):
        yield from commands(f"{path} {name}", child)


def spelling(parameter: Any) -> str:
    if parameter.param_type_name == "argument":
        return str(parameter.name).upper()
    return ", ".join([*parameter.opts, *parameter.secondary_opts])


def default(parameter: Any) -> str:
    if parameter.required:
        return "needed"
    return "" if parameter.default in (None, False) or callable(parameter.default) else f"`{parameter.default}`"


def bisheng_page() -> Iterator[str]:
    yield "# bisheng, option by option"
    yield "From `src/aclimb/host/driver_options.py`. `bisheng` and `ccec` in the folder of `aclimb env` are the same command; `bisheng"
    yield "--help` prints this table. [Use your tools unchanged](../use_your_tools.md) shows it at work."
    yield ""
    yield "The spelling says how a value comes: behind `=`, as the next word, or joined; `*` stands for any letters. A note goes to"
    yield "standard error and the command goes on; a refusal is one sentence, exit status 1 and no output."
    for kind in driver_options.Kind:
        yield f"\n## {kind.value.capitalize()}\n"
        rows = [(f"`{each.spelling}`", each.sentence or "no effect here") for each in driver_options.options() if each.kind is kind]
        yield from table(("option", "what"), rows)
    yield "\n## Any other\n"
    yield "An unknown `--cce-x`, `-cce-x` or `--asc-x` is the vendor's: accepted with a note that names it. What else is unknown is"
    yield "refused."
    yield ""
    yield "## Architectures"
    yield ""
    yield "| name | what |"
    yield "|---|---|"
    yield "| `dav-2201`, `dav-c220` | Atlas A2 and A3; which cores a kernel runs on is said by the kernel |"
    mix = "with `-cce-enable-mix` both, 1:2, or 1:1 with `-D__MIX_CORE_AIC_RATION__=1`"
    yield f"| `dav-c220-vec`, `dav-c220-cube` | one sort of core; {mix} |"
    yield "| any other `dav-*` | refused, with the product it belongs to |"
    yield "| none | the chip of `ACLIMB_SOC`, and a note for sources with kernels |"
    yield ""
    yield "## The device linker"
    yield ""
    yield "`ld.lld -m aicorelinux` takes operator binaries of `--cce-aicore-only`: one, which may also be the output, or the two halves of"
    yield "one mix kernel. Any other `ld.lld` is the next one on `PATH`; `llvm-ar`, `llvm-objcopy` and `llvm-strip` are the host's."


def acl_page() -> Iterator[str]:
    yield "# acl, call by call"
    yield "From the tables in `src/acl`. [Coming from pyACL](../coming_from_pyacl.md) says how to"
    yield "use it. `aclimb.capi` has them under their C names, and the ones that exist in C only: [the C API](c_api.md)."
    counts = {status: sum(row.status == status for row in _assemble.SUPPORT) for status in _assemble.STATUSES}
    yield ""
    yield ", ".join(f"{count} {status}" for status, count in counts.items()) + "."
    for status in counts:
        yield f"\n## {status.capitalize()}\n"
        rows = [row for row in _assemble.SUPPORT if row.status == status]
        if status == "unsupported":
            yield "Each returns 207000 in the place of its code, and `acl.get_recent_err_msg()` has the reason."
            yield ""
            for note in dict.fromkeys(row.note for row in rows):
                yield f"- {note}: " + code([row.path for row in rows if row.note == note])
            continue
        yield from table(("call", "C", "what"), [(f"`{row.path}`", f"`{row.c_name}`" if row.c_name else "", row.note) for row in rows])
    yield from settings_without_effect()


def settings_without_effect() -> Iterator[str]:
    yield "\n## Settings without effect\n"
    yield "What calls and configurations take, here and in C, and what changes nothing. Where a program sets it, the log says so once in a"
    yield "process: as information (`ACLIMB_LOG=INFO`), or as a warning where the program misses something. A key of `acl.init`'s"
    yield "configuration that aclimb does not know is a warning."
    yield ""
    rows = [(name, each.instead, logging.getLevelName(each.level).lower()) for name, each in no_effect.SETTINGS.items()]
    yield from table(("setting", "why, or what happens instead", "log"), rows)


PAGES: dict[str, Callable[[], Iterator[str]]] = {
    "errors.md": errors_page,
    "instructions.md": instructions_page,
    "support.md": support_page,
    "cli.md": cli_page,
    "device_api.md": device_api_page,
    "acl.md": acl_page,
    "c_api.md": c_api_page,
    "op_library.md": op_library_page,
    "bisheng.md": bisheng_page,
    "requirements.md": requirements_page,
    "timing_model.md": timing_page,
    "check.md": check_page,
    "python_kernels.md": asc_page,
}


def render(page: str) -> str:
    if page == "knobs.md":
        return knobs.reference_page()
    title, *lines = PAGES[page]()
    return re.sub(r"\n{3,}", "\n\n", "\n".join([title, "", *lines])).rstrip() + "\n"


def stub_of(module: ModuleType) -> str:
    stub = StubGen(module)
    stub.put(module)
    return f"# SPDX-License-Identifier: Apache-2.0\n# Written by `make docs`.\n{stub.get()}"


def main() -> int:
    check = "--check" in sys.argv[1:]
    files = {REFERENCE / page: render(page) for page in (*PAGES, "knobs.md")}
    files |= rule_pages()
    files |= {PACKAGE / f"{module.__name__.rpartition('.')[2]}.pyi": stub_of(module) for module in (_engine, _library)}
    files |= {PACKAGE / "asc" / path: text for path, text in stubs().items()}
    stale = [path for path, text in files.items() if not path.exists() or path.read_text() != text]
    for path in stale:
        if not check:
            path.write_text(files[path])
        print(f"{path.relative_to(ROOT)}: {'stale, run `make docs`' if check else 'written'}")
    return 1 if check and stale else 0


if __name__ == "__main__":
    raise SystemExit(main())
