# SPDX-License-Identifier: Apache-2.0
"""The page about the functions of acl/acl.h, from the headers and from aclimb.capi."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from make_c_api import Prototype, prototypes

from aclimb import capi

HOST = Path(__file__).resolve().parent.parent / "host"


def c_api_page() -> Iterator[str]:
    found = {each.name: each for each in prototypes(HOST / "include")}
    undone, idle = set(capi.ALL.unsupported), capi.ALL.without_effect
    done = [each for name, each in found.items() if name not in undone | idle]
    yield "# The C API, function by function"
    yield "From the headers in `host/include` and the tables of `aclimb.capi`. A program includes `acl/acl.h` and links"
    yield "`libascendcl.so`; every function is answered by the same objects as `import acl`, with the same codes and sentences."
    yield ""
    yield f"{len(done)} supported, {len(idle)} accepted without effect, {len(undone)} unsupported."
    yield "\n## Supported\n"
    yield from _table(done)
    yield "\n## Accepted without effect\n"
    yield from _table([found[name] for name in found if name in idle])
    yield "\n## Unsupported\n"
    yield "Each returns 207000, NULL or 0, and `aclGetRecentErrMsg()` has the sentence."
    yield ""
    sentences = dict.fromkeys(capi.ALL.unsupported[name] for name in found if name in undone)
    for sentence in sentences:
        names = [f"`{name}`" for name in found if capi.ALL.unsupported.get(name) == sentence]
        yield f"- {sentence}: {', '.join(names)}"


def _table(rows: list[Prototype]) -> Iterator[str]:
    yield "| function | header | what |"
    yield "|---|---|---|"
    for each in rows:
        note = (capi.ALL.functions[each.name].__doc__ or "").split("\n")[0].removeprefix(f"{each.name}: ").removeprefix(f"{each.name}.")
        yield f"| `{each.name}` | `{each.header}` | {note} |"
