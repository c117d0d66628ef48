# SPDX-License-Identifier: Apache-2.0
"""A table of calls, and the one wrapper that is generated from each of its rows.

A row reads

    name              k address, i kind        -> out            aclrtName

with one letter for how each argument is taken, as the real module takes it:

    k  a handle, an address or a size: a real int (or bool), cut to 64 bits
    i  a signed 32-bit number, OverflowError outside    I  an unsigned one, cut to 32 bits; both take NumPy's integers
    s  a str without NUL        l, L  a list, with one or the other complaint        o  any object
    p  as k, and None for NULL  z  as s, and None for NULL  n  as l, and None for an empty one  ?  behind the letter: may be left out

and `-> a, b` for values that come before the code, `=> v` for a call that returns just a value, `=> None` for one that returns
nothing. A value is 0 when the call fails; then `name:s` is None, `name:l` an empty list, `name:t` an empty text and `name:u` -1.

The wrapper takes positional arguments only, raises the real module's TypeError for those it cannot take, and turns a refusal into a
code. It is generated as source, as dataclasses are: arguments are looked at in line, which a loop over the letters cannot do in time.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from aclimb import engine
from aclimb.calls.errors import refuse
from aclimb.errors import AclimbError, Unsupported

C_API = "aclimb.capi"
UINT64, UINT32 = 2**64 - 1, 2**32 - 1
_ROW = re.compile(r"^(\w+)\s+(.*?)\s*(->|=>)(?: (\S.*?))?(?:\s{2,}(\w+))?$")


@dataclass(frozen=True, slots=True)
class Row:
    """One call."""

    name: str
    parameters: tuple[tuple[str, str], ...]  # (letter, name)
    outputs: tuple[str, ...]
    bare: bool  # returns the value alone, without a code
    c_name: str = ""

    @property
    def signature(self) -> str:
        return f"{self.name}({', '.join(name for _, name in self.parameters)})"


def rows_of(table: str) -> list[Row]:
    return [_parse(line.strip()) for line in table.strip().splitlines() if line.strip() and not line.strip().startswith("#")]


def _parse(line: str) -> Row:
    match = _ROW.match(line)
    assert match, f"not a row: {line!r}"
    name, parameters, arrow, outputs, c_name = match.groups()
    words = [tuple(each.split()) for each in parameters.split(",")] if parameters else []
    results = tuple(each.strip() for each in outputs.split(",")) if outputs else ()
    return Row(name, tuple((letter, each) for letter, each in words), results, arrow == "=>", c_name or "")


def unsupported(prefix: str, rows: list[Row], sentence: str) -> dict[str, Callable[..., Any]]:
    """What stands for calls that aclimb does not do: each refuses, in its own shape, whatever it is given."""
    return {row.name: _refusing(_path(prefix, row), row, sentence) for row in rows}


def _refusing(path: str, row: Row, sentence: str) -> Callable[..., Any]:
    zeros = tuple(_ZEROS.get(output[-2:], None if output == "None" else 0) for output in row.outputs)

    def call(*_: Any) -> Any:
        try:
            engine.require_own_process()
            raise Unsupported(sentence)
        except AclimbError as error:
            code = refuse(path, error)
        if row.bare:
            return zeros[0] if len(zeros) == 1 else zeros or None
        return (*zeros, code) if zeros else code

    call.__module__, call.__name__, call.__qualname__ = path.removesuffix(row.name).rstrip(".") or C_API, row.name, row.name
    return call


def bind(prefix: str, rows: dict[str, Row], functions: dict[str, Any]) -> dict[str, Callable[..., Any]]:
    """The wrappers of a module's rows around the functions of the same name."""
    space: dict[str, Any] = {"AclimbError": AclimbError, "_refuse": refuse, "_failed": _parse_failed}
    space |= {f"_{letter}": take for letter, take in _TAKES.items()}
    source = []
    for name, row in rows.items():
        space[f"_f_{name}"] = functions[name]
        source.append(_source(prefix, row))
    exec(compile("\n".join(source), f"<calls of {prefix}>", "exec"), space)  # as dataclasses does
    _spaces.append(space)
    if engine.forked():
        _refuse_in_child()
    made = {}
    for name in rows:
        wrapper = made[name] = space[name]
        wrapper.__module__, wrapper.__qualname__, wrapper.__doc__ = prefix, name, functions[name].__doc__
    return made


_spaces: list[dict[str, Any]] = []
# What a forked child may still ask: the words behind the refusals, and what concerns Python objects and host memory alone.
_HOST_ONLY = {"get_recent_err_msg", "app_log", "numpy_to_ptr", "numpy_contiguous_to_ptr", "ptr_to_numpy", "bytes_to_ptr", "ptr_to_bytes",
              "aclGetRecentErrMsg", "aclAppLog", "aclFloat16ToFloat", "aclFloatToFloat16"}  # fmt: skip


def _refuse_in_child() -> None:
    """In a forked child every call answers alike. Done once, there, so that nobody else has to ask."""
    for space in _spaces:
        for name in [each for each in space if each.startswith("_f_") and each[3:] not in _HOST_ONLY]:
            space[name] = lambda *_: engine.require_own_process()


engine.when_forked(_refuse_in_child)


def _path(prefix: str, row: Row) -> str:
    return row.name if prefix == C_API else f"{prefix}.{row.name}"  # a C function has no module before its name


def _source(prefix: str, row: Row) -> str:
    path = _path(prefix, row)
    names = [name for _, name in row.parameters]
    lines = [f"def {row.name}(*_args):"]
    if names:
        optional = sum(letter.endswith("?") for letter, _ in row.parameters)
        if optional:
            lines.append(f"    if {len(names) - optional} <= len(_args) < {len(names)}: _args += (None,) * ({len(names)} - len(_args))")
        lines += [f"    if len(_args) != {len(names)}: raise _failed({path!r})", f"    {', '.join(names)}, = _args"]
    for position, (letter, name) in enumerate(row.parameters, 1):
        lines += _check(path, letter, name, position)
    call = f"_f_{row.name}({', '.join(names)})"
    zeros = [_zero(output) for output in row.outputs]
    lines.append("    try:")
    if row.bare:
        if row.outputs[-1:] == ("ret",):  # a code of its own, which the function gives
            zeros[-1] = "_code"
        lines += [f"        return {call}", "    except AclimbError as error:", f"        _code = _refuse({path!r}, error)",
                  f"        return {', '.join(zeros) or 'None'}"]  # fmt: skip
    else:
        results = {0: f"{call}\n        return 0", 1: f"return {call}, 0"}.get(len(zeros), f"return *{call}, 0")
        lines += [
            f"        {results}",
            "    except AclimbError as error:",
            f"        return {', '.join([*zeros, f'_refuse({path!r}, error)'])}",
        ]
    return "\n".join(lines)


def _zero(output: str) -> str:
    return "None" if output == "None" else repr(_ZEROS.get(output[-2:], 0))


_ZEROS: dict[str, Any] = {":s": None, ":l": [], ":t": "", ":u": -1}


def _check(path: str, letter: str, name: str, position: int) -> list[str]:
    test = {
        "k": f"{name}.__class__ is not int or {name} < 0 or {name} > {UINT64}",
        "p": f"{name}.__class__ is not int or {name} < 0 or {name} > {UINT64}",
        "i": f"{name}.__class__ is not int or not -2147483648 <= {name} <= 2147483647",
        "I": f"{name}.__class__ is not int or not 0 <= {name} <= {UINT32}",
        "s": f"{name}.__class__ is not str or '\\0' in {name}",
        "z": f"{name}.__class__ is not str or '\\0' in {name}",
        "l": f"{name}.__class__ is not list",
        "L": f"{name}.__class__ is not list",
        "n": f"{name}.__class__ is not list",
    }.get(letter[0])
    if test is None:
        return []
    given = f"{name} is not None and ({test})" if letter.endswith("?") else test
    extra = f", {position}" if letter[0] in "lLn" else ""
    return [f"    if {given}: {name} = _{letter[0]}({name}, {path!r}{extra})"]


def _parse_failed(path: str) -> TypeError:
    return TypeError(f"{path} args parse failed")


def _as_uint64(value: Any, path: str) -> int:
    if not isinstance(value, int):
        raise _parse_failed(path)
    return int(value) & UINT64


def _as_pointer(value: Any, path: str) -> int:
    return 0 if value is None else _as_uint64(value, path)


def _index(value: Any, path: str) -> int:
    try:
        return operator.index(value)
    except TypeError:
        raise _parse_failed(path) from None


def _as_int32(value: Any, path: str) -> int:
    number = _index(value, path)
    if not -(2**31) <= number < 2**31:
        raise OverflowError(f"signed integer is {'greater than maximum' if number > 0 else 'less than minimum'}")
    return number


def _as_uint32(value: Any, path: str) -> int:
    return _index(value, path) & UINT32


def _as_text(value: Any, path: str) -> str:
    if not isinstance(value, str) or "\0" in value:
        raise _parse_failed(path)
    return value


def _as_text_or_none(value: Any, path: str) -> str | None:
    return None if value is None else _as_text(value, path)


def _as_plain_list(value: Any, path: str, position: int) -> list[Any]:
    if not isinstance(value, list):
        raise TypeError(f"argument {position} is not list")
    return value


def _as_list(value: Any, path: str, position: int) -> list[Any]:
    if not isinstance(value, list):
        raise ValueError(f"argument {position} only support the format of list")
    return value


def _as_list_or_empty(value: Any, path: str, position: int) -> list[Any]:
    return [] if value is None else _as_list(value, path, position)


_TAKES: dict[str, Callable[..., Any]] = {
    "k": _as_uint64,
    "p": _as_pointer,
    "i": _as_int32,
    "I": _as_uint32,
    "s": _as_text,
    "z": _as_text_or_none,
    "l": _as_list,
    "L": _as_plain_list,
    "n": _as_list_or_empty,
}
