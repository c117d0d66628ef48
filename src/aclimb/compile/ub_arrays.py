# SPDX-License-Identifier: Apache-2.0
"""Arrays that a kernel declares in UB: `__ubuf__ float x[256];`.

A pointer into UB is a byte offset here, so such an array becomes a pointer to its place. Arrays of one function lie one behind the
other; those of blocks that have ended give their place back, as on a stack:

    __ubuf__ float x[N];   ->   constexpr uint64_t aclimb_ub_x = 0, aclimb_ub_end_x = ...; __ubuf__ float* const x = ...(aclimb_ub_x);
"""

from __future__ import annotations

import re

from aclimb.compile.tokens import TOKEN

_ARRAY = re.compile(r"__ubuf__\s+(?P<type>[A-Za-z_][\w:]*)\s+(?P<list>\w+\s*\[[^\[\]{};=]+\](?:\s*,\s*\w+\s*\[[^\[\]{};=]+\])*)\s*;")
_ONE = re.compile(r"(\w+)\s*\[([^\[\]]+)\]")


def place(text: str) -> str:
    """The text with these arrays as pointers; the text itself where it has none."""
    if "__ubuf__" not in text or not _ARRAY.search(text):
        return text
    out, done = "", 0
    ends: list[str] = ["0"]  # of the arrays so far, for each open brace
    sizes: dict[str, str] = {}
    for match in TOKEN.finditer(text):
        if match.start() < done:
            continue
        if match[0] == "{":
            ends.append(ends[-1])
        elif match[0] == "}" and len(ends) > 1:
            ends.pop()
        elif match[0] == "__ubuf__" and (array := _ARRAY.match(text, match.start())) and len(ends) > 1:
            made = []
            for name, count in _ONE.findall(array["list"]):
                made.append(_declared(array["type"], name, count, ends[-1]))
                ends[-1], sizes[name] = f"aclimb_ub_end_{name}", f"(sizeof({array['type']}) * ({count.strip()}))"
            lines = "\n" * array[0].count("\n")
            out += text[done : match.start()] + " ".join(made) + lines
            done = array.end()
    out += text[done:]
    for name, size in sizes.items():  # an array knows its size, a pointer does not
        out = re.sub(rf"\bsizeof\s*(?:\(\s*{name}\s*\)|{name}\b)", size, out)
    return out


def _declared(kind: str, name: str, count: str, start: str) -> str:
    end = f"aclimb_ub_{name} + (sizeof({kind}) * ({count.strip()}) + 31) / 32 * 32"
    pointer = f"__ubuf__ {kind}* const {name} = reinterpret_cast<__ubuf__ {kind}*>(aclimb_ub_{name});"
    return f"constexpr uint64_t aclimb_ub_{name} = {start}, aclimb_ub_end_{name} = {end}; {pointer}"
