# SPDX-License-Identifier: Apache-2.0
"""Runs Python on a core: the numbers that a function hands to `put` come back."""

from __future__ import annotations

import itertools
import linecache
import textwrap
from pathlib import Path
from typing import Any

import numpy as np

import aclimb.asc as asc

_number = itertools.count()


def compiled_from(text: str, **names: Any) -> dict[str, Any]:
    """The globals of a module with this text; its lines can be read, as those of a notebook cell can."""
    file = f"<cell {next(_number)}>"
    plain = textwrap.dedent(text)
    linecache.cache[file] = (len(plain), None, plain.splitlines(keepends=True), file)
    scope: dict[str, Any] = {"asc": asc, "__name__": "cell", **names}
    exec(compile(plain, file, "exec"), scope)
    return scope


HEAD = """
@asc.jit
def kernel(out: asc.GlobalAddress, a, b, f):
    result = asc.GlobalTensor()
    result.set_global_buffer(out, 64)
    put = result.set_value
"""


def run_body(body: str, a: int = 7, b: int = -3, f: float = 2.5, *, dtype: Any = np.int32, before: str = "", **names: Any) -> list[Any]:
    """What the body stored: put(i, x). `a`, `b` and `f` are only known when the kernel runs."""
    text = textwrap.dedent(before) + HEAD + textwrap.indent(textwrap.dedent(body).strip("\n"), "    ") + "\n"
    kernel = compiled_from(text, **names)["kernel"]
    out = np.zeros(64, dtype)
    kernel[1](out, a, b, f)
    stored: list[Any] = out.tolist()
    return stored


class _Result:
    """The same body as plain Python."""

    def __init__(self) -> None:
        self.values = [0] * 64

    def set_value(self, index: int, value: Any) -> None:
        self.values[index] = value


def python_result(body: str, a: int = 7, b: int = -3, f: float = 2.5, *, before: str = "", **names: Any) -> list[Any]:
    result = _Result()
    text = (
        textwrap.dedent(before).replace("@asc.jit", "")
        + "def body(result, put, a, b, f):\n"
        + textwrap.indent(textwrap.dedent(body).strip("\n"), "    ")
    )
    scope: dict[str, Any] = {"asc": asc, **names}
    exec(text, scope)
    scope["body"](result, result.set_value, a, b, f)
    return result.values


def refusal(body: str, **names: Any) -> str:
    """The message of a body that does not compile, with the file's name taken out."""
    try:
        run_body(body, **names)
    except Exception as error:
        return str(error)
    raise AssertionError("it compiled")


def here() -> Path:
    return Path(__file__).parent
