# SPDX-License-Identifier: Apache-2.0
"""The page about the functions of acl/acl.h and runtime/rt.h, from the headers and from aclimb.capi."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from make_c_api import Prototype, prototypes

from aclimb import capi

HOST = Path(__file__).resolve().parent.parent / "host"


def c_api_page() -> Iterator[str]:
    found = prototypes(HOST / "include")
    below = [each for each in found if each.header.startswith("runtime/")]
    acl = [each for each in found if each not in below]
    yield "# The C API, function by function"
    yield "From the headers in `host/include` and the tables of `aclimb.capi`. A program includes `acl/acl.h` and links"
    yield "`libascendcl.so`; every function is answered by the same objects as `import acl`, with the same codes and sentences."
    yield ""
    yield _counts(acl)
    yield "\n## Supported\n"
    yield from _table(_done(acl))
    yield "\n## Accepted without effect\n"
    yield from _table(_idle(acl))
    yield ""
    yield "Values without effect of calls that have one otherwise (attributes of launches, flags of streams, system parameters, keys of"
    yield "`aclInit`'s configuration): [Settings without effect](acl.md#settings-without-effect)."
    yield "\n## Unsupported\n"
    yield "Each returns 207000, NULL or 0, and `aclGetRecentErrMsg()` has the sentence."
    yield ""
    yield from _undone(acl)
    yield "\n## The runtime below acl\n"
    yield "`runtime/rt.h`, in `libruntime.so` and `libruntime_camodel.so`: launchers that Python front ends compile for themselves call it."
    yield "Streams, memory and binaries are those of acl, codes too, and `aclGetRecentErrMsg()` has the sentences."
    yield ""
    yield _counts(below)
    yield ""
    yield from _table([*_done(below), *_idle(below)])
    yield "\nUnsupported:\n"
    yield from _undone(below)


def _done(of: list[Prototype]) -> list[Prototype]:
    return [each for each in of if each.name not in capi.ALL.unsupported and each.name not in capi.ALL.without_effect]


def _idle(of: list[Prototype]) -> list[Prototype]:
    return [each for each in of if each.name in capi.ALL.without_effect]


def _counts(of: list[Prototype]) -> str:
    undone = sum(each.name in capi.ALL.unsupported for each in of)
    return f"{len(_done(of))} supported, {len(_idle(of))} accepted without effect, {undone} unsupported."


def _undone(of: list[Prototype]) -> Iterator[str]:
    names = [each.name for each in of if each.name in capi.ALL.unsupported]
    for sentence in dict.fromkeys(capi.ALL.unsupported[name] for name in names):
        yield f"- {sentence}: {', '.join(f'`{name}`' for name in names if capi.ALL.unsupported[name] == sentence)}"


def _table(rows: list[Prototype]) -> Iterator[str]:
    yield "| function | header | what |"
    yield "|---|---|---|"
    for each in rows:
        note = (capi.ALL.functions[each.name].__doc__ or "").split("\n")[0].removeprefix(f"{each.name}: ").removeprefix(f"{each.name}.")
        yield f"| `{each.name}` | `{each.header}` | {note} |"
