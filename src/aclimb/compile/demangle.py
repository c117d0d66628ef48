# SPDX-License-Identifier: Apache-2.0
"""Names of an object file as C++ spells them."""

from __future__ import annotations

import ctypes
import re
from dataclasses import dataclass
from functools import lru_cache

_FUNCTION_ARGUMENT = re.compile(r"&\(([\w:]+)\([^()]*\)\)")  # &(f(int)) as a template argument: a source writes &f
_UNNAMED_ENUM = re.compile(r"\([^()]*\{unnamed type#\d+\}\)(?=-?\d)")  # of a value whose type nobody can write
_NAMELESS = re.compile(r"\{lambda|\{unnamed type|'lambda|\bmain::|\)(?: const)?::")


@dataclass(frozen=True, slots=True)
class FunctionName:
    """`a::f<float>` and `unsigned char*, int`; names of unnamed namespaces are left out, as a source leaves them out."""

    function: str
    types: str

    @property
    def is_nameless(self) -> bool:
        """It has a type that only exists inside a function, or a lambda's."""
        return bool(_NAMELESS.search(f"{self.function}({self.types}"))

    @property
    def base(self) -> str:
        return self.function.partition("<")[0]


def function_name(symbol: str) -> FunctionName:
    """Of a function; a C function keeps its name and does not tell its types."""
    text = _demangled(symbol)
    if text is None:
        return FunctionName(symbol, "")
    text = text.replace("(anonymous namespace)::", "").partition(" [clone")[0]
    text = _UNNAMED_ENUM.sub("", _FUNCTION_ARGUMENT.sub(r"&\1", text))
    opening = _last_group(text)
    function = text[_behind_last_space(text[:opening]) : opening]  # a template's name has the type that it returns before it
    types = text[opening + 1 : -1]
    return FunctionName(function, "" if types == "void" else types)


def variable_name(symbol: str) -> str:
    """Of a variable: `a::b`, without unnamed namespaces."""
    return (_demangled(symbol) or symbol).replace("(anonymous namespace)::", "")


def _behind_last_space(text: str) -> int:
    """Outside of all brackets."""
    depth = 0
    for at in range(len(text) - 1, -1, -1):
        depth += (text[at] in ")>]}") - (text[at] in "(<[{")
        if text[at] == " " and depth == 0:
            return at + 1
    return 0


def _last_group(text: str) -> int:
    """Where the parenthesis opens that closes at the end."""
    depth = 0
    for at in range(len(text) - 1, -1, -1):
        depth += (text[at] == ")") - (text[at] == "(")
        if depth == 0:
            return at
    return 0


def _demangled(symbol: str) -> str | None:
    status = ctypes.c_int()
    demangle, free = _runtime()
    address = demangle(symbol.encode(), None, None, ctypes.byref(status))
    if status.value != 0 or not address:
        return None
    text = ctypes.string_at(address).decode()
    free(address)
    return text


@lru_cache(maxsize=1)
def _runtime() -> tuple[ctypes._NamedFuncPointer, ctypes._NamedFuncPointer]:
    """The engine is C++, so its library is in the process already."""
    demangle = ctypes.CDLL("libstdc++.so.6").__cxa_demangle
    demangle.restype = ctypes.c_void_p
    demangle.argtypes = [ctypes.c_char_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p]
    free = ctypes.CDLL(None).free
    free.restype, free.argtypes = None, [ctypes.c_void_p]
    return demangle, free
