# SPDX-License-Identifier: Apache-2.0
"""A failed link of an image, in sentences: a function that nobody defines, or only the host, or that two sources define."""

from __future__ import annotations

import re
from pathlib import Path

from aclimb.compile.diagnostics import MOST_ERRORS, from_diagnostics, render
from aclimb.errors import CompileError, Diagnostic

_UNDEFINED = re.compile(r"undefined (?:reference to|symbol:?) [`']?([^'`\n]+?)'?$", re.MULTILINE)
_DUPLICATE = re.compile(r"(?:multiple definition of|duplicate symbol:?) [`']?([^'`;\n]+)")


def link_error(output: str, sources: list[Path], host_functions: frozenset[str] = frozenset()) -> CompileError:
    """The exception for a failed link: mostly a function that the kernel calls and nobody defines, or only the host."""
    source = sources[0]
    missing = list(dict.fromkeys(_plain_name(name) for name in _UNDEFINED.findall(output)))
    hosts = [name for name in missing if _last_name(name) in host_functions]
    if hosts:
        return from_diagnostics(source, [each for name in hosts for each in _calls(name, output, source, _HOST.format(name))])
    if missing and len(sources) > 1:
        text = f"{{}} is called here, and none of {', '.join(path.name for path in sources)} defines it for the AI Core"
        found = [each for name in missing for each in _calls(name, output, source, text.format(name))]
        shown = "\n".join(render(each) for each in found[:MOST_ERRORS])
        return CompileError(
            f"{_names(sources)} do not link\n{shown}\ngive the source that does; a kernel cannot use the host's libraries", found
        )
    if missing:
        lines = [f"kernel calls {name}, which does not exist on the AI Core" for name in missing[:MOST_ERRORS]]
        hint = "define it in the kernel source, or use the Ascend C call for it; a kernel cannot use the host's libraries"
        found = [Diagnostic(str(source), 0, 0, "error", line) for line in lines]
        return CompileError(f"{source.name} does not link: " + "; ".join(lines) + f" ({hint})", found)
    twice = list(dict.fromkeys(_plain_name(name) for name in _DUPLICATE.findall(output)))
    if twice and len(sources) > 1:
        return _defined_twice(twice, output, sources)
    reason = f"{', '.join(twice)} is defined twice" if twice else output.strip()[-600:]
    return CompileError(f"{source.name} does not link: {reason}")


_HOST = "{} is a host function, and code for the AI Core calls it; mark it __aicore__, or __host__ __aicore__ if both sides need it"


def _calls(name: str, output: str, source: Path, text: str) -> list[Diagnostic]:
    """Where device code calls a function: GNU ld names the line before it, lld behind it."""
    gnu = re.findall(rf"^(?:\S*ld: )?(?:\S+\.o:)?(\S.*?):(\d+): undefined reference to [`']{re.escape(name)}'", output, re.MULTILINE)
    lld = re.findall(rf"undefined symbol: {re.escape(name)}\n((?:>>> .*\n?)*)", output)
    places = gnu + [place for block in lld for place in re.findall(r">>> referenced by .*?\((\S+?):(\d+)\)", block)]
    found = dict.fromkeys((file, int(line)) for file, line in places) or {(str(source), 0): None}
    return [Diagnostic(file, line, 0, "error", text) for file, line in found]


def _defined_twice(names: list[str], output: str, sources: list[Path]) -> CompileError:
    found = []
    for name in names:
        places = _definitions(name, output, sources)
        where = " and at ".join(f"{Path(file).name}:{line}" for file, line in places) or _names(sources)
        text = f"{name} is defined at {where}; keep one of them, or make each static or inline"
        file, line = places[-1] if places else (str(sources[0]), 0)
        found.append(Diagnostic(file, line, 0, "error", text))
    shown = "\n".join(render(each) for each in found[:MOST_ERRORS])
    return CompileError(f"{_names(sources)} do not link\n{shown}", found)


def _definitions(name: str, output: str, sources: list[Path]) -> list[tuple[str, int]]:
    """The sources that the linker names for this symbol, with their lines. It knows no lines of variables: they are looked for."""
    block = "".join(part for part in re.split(r"(?m)^(?=ld\.lld: error:|\S*ld: )", output) if name in part)
    said = {str(path): _line_in(path, block) for path in sources}
    if sum(map(bool, said.values())) < 2:
        said = {str(path): _line_of(path, _last_name(name)) for path in sources}
    return [(file, line) for file, line in said.items() if line]


def _line_in(source: Path, block: str) -> int:
    found = re.search(rf"{re.escape(str(source))}:(\d+)", block) or re.search(rf"\b{re.escape(source.name)}:(\d+)", block)
    return int(found[1]) if found else 0


def _line_of(source: Path, name: str) -> int:
    looks_so = re.compile(rf"[\w>*&]\s+[*&]?{re.escape(name)}\s*(?:\[[^]]*\]\s*)*[={{(;]")
    written = enumerate(source.read_text(errors="replace").splitlines(), 1)
    return next((number for number, text in written if looks_so.search(text) and "extern" not in text), 0)


def _names(sources: list[Path]) -> str:
    return f"{', '.join(path.name for path in sources[:-1])} and {sources[-1].name}"


def _last_name(function: str) -> str:
    """f of `a::f<int>(int)`."""
    found = re.search(r"(\w+)(?:<.*>)?(?:\(.*\).*)?$", function)
    return found[1] if found else function


def _plain_name(symbol: str) -> str:
    """`foo(int)` for what the linker shows, without its version or its section offset."""
    return symbol.strip().removesuffix("@plt")
