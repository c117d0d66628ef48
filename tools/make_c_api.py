# SPDX-License-Identifier: Apache-2.0
"""Writes c_api.inc, one FUNCTION line for each prototype of the acl and runtime headers: `make_c_api.py host/include c_api.inc`.

The library of stubs (host/src/ascendcl.cpp) and the door to Python (host/src/door.cpp) are both made of these lines. A prototype says
with comments behind a parameter's name what its type does not:

    void** devPtr /*out*/            written when the call succeeds         uint64_t* count /*inout*/    read, and written then
    const int64_t* dims /*[n]*/      an array, with the parameter that counts it
    char* name /*out[maxLen]*/       a text or an array, in memory of the caller that has so much room
    int64_t** dims /*out[n]*/        an array that is made for the caller
"""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from pathlib import Path

FOLDERS = ("acl", "aclnn", "runtime")
NOT_C = {"acl_rt_api.h"}  # C++ overloads of functions that are declared elsewhere
IN_C = {"aclFloat16ToFloat", "aclFloatToFloat16", "aclAppLog"}  # written in host/src/ascendcl.cpp: arithmetic, and variable arguments
_MARKS = r"(?:in)?out|out\[\w+\]|(?:\[\w+\])+"
_MARK = re.compile(rf"/\*({_MARKS})\*/")
_COMMENT = re.compile(rf"/\*(?!(?:{_MARKS})\*/).*?\*/|//[^\n]*", re.DOTALL)
_PROTOTYPE = re.compile(
    r"(?:^|[;{}])\s*(?:(?:ACL_FUNC_VISIBILITY|RTS_API)\s+)?([A-Za-z_][\w\s*]*?[\s*])((?:[aA]cl|rt)\w+)\(([^{};]*)\)\s*(?=;)"
)


@dataclass(frozen=True)
class Parameter:
    type: str
    name: str
    mark: str  # "", "out", "inout", "out[n]", "[n]" or "[n][m]"
    suffix: str = ""  # of an array: [], [][2]

    @property
    def declaration(self) -> str:
        return f"{self.type} {self.name}{self.suffix}"

    @property
    def is_output(self) -> bool:
        return self.mark.startswith(("out", "inout"))

    @property
    def is_input(self) -> bool:
        return not self.mark.startswith("out")

    @property
    def counts(self) -> list[str]:
        return re.findall(r"\[(\w+)\]", self.mark)


@dataclass(frozen=True)
class Prototype:
    returns: str
    name: str
    parameters: tuple[Parameter, ...]
    is_variadic: bool
    header: str


def prototypes(include: Path) -> list[Prototype]:
    """Of all headers, in the order of their names."""
    headers = sorted(path for folder in FOLDERS for path in (include / folder).rglob("*.h") if path.name not in NOT_C)
    return [each for path in headers for each in prototypes_of(path.read_text(), str(path.relative_to(include)))]


def prototypes_of(text: str, header: str) -> list[Prototype]:
    text = re.sub(r"\\\n", " ", text)
    text = re.sub(r"^[ \t]*#[^\n]*", "", _COMMENT.sub("", text), flags=re.MULTILINE)
    text = re.sub(r'extern\s+"C"', "", text)
    found = []
    for match in _PROTOTYPE.finditer(text):
        returns, name, inside = match.groups()
        if returns.split()[0] in ("typedef", "static"):
            continue
        pieces = [piece.strip() for piece in inside.split(",")]
        is_variadic = pieces[-1] == "..."
        taken = [piece for piece in pieces if piece not in ("...", "void", "")]
        found.append(Prototype(" ".join(returns.split()), name, tuple(map(_parameter, taken)), is_variadic, header))
    return found


def _parameter(text: str) -> Parameter:
    mark = _MARK.search(text)
    plain = _MARK.sub("", text).strip()
    match = re.fullmatch(r"(.*?[\s*])(\w+)((?:\[\w*\])*)", plain, re.DOTALL)
    assert match, f"not a parameter: {text!r}"
    return Parameter(" ".join(match[1].split()), match[2], mark[1] if mark else "", match[3])


def line(each: Prototype) -> str:
    """FUNCTION(returns, name, (declarations), (names), INS(...), OUTS(...))"""
    declarations = ", ".join(p.declaration for p in each.parameters) or "void"
    names = ", ".join(p.name for p in each.parameters)
    inputs = ", ".join(_input(p) for p in each.parameters if p.is_input)
    outputs = ", ".join(_output(p) for p in each.parameters if p.is_output)
    return f"FUNCTION({each.returns}, {each.name}, ({declarations}), ({names}), INS({inputs}), OUTS({outputs}))"


def _input(parameter: Parameter) -> str:
    if parameter.mark == "inout":
        return f"INOUT({parameter.name})"
    return f"ARRAY({', '.join([parameter.name, *parameter.counts])})" if parameter.counts else parameter.name


def _output(parameter: Parameter) -> str:
    return f"{'OUT_ARRAY' if parameter.counts else 'OUT'}({', '.join([parameter.name, *parameter.counts])})"


def main() -> None:
    include, target = Path(sys.argv[1]), Path(sys.argv[2])
    found = [each for each in prototypes(include) if each.name not in IN_C]
    target.write_text("// Made by tools/make_c_api.py from the headers.\n" + "".join(line(each) + "\n" for each in found))


if __name__ == "__main__":
    main()
