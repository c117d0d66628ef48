# SPDX-License-Identifier: Apache-2.0
"""C and C++ for the tests: small libraries that are loaded into this process, where Python answers, and the stubs by their prototypes."""

from __future__ import annotations

import ctypes
import re
import subprocess
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from aclimb.compile import toolchain
from aclimb.host import places
from aclimb.host.door import open_door

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tools"))

from make_c_api import FOLDERS, Parameter, Prototype, prototypes  # noqa: E402

INCLUDE = places.host_dir() / "include"
PROTOTYPES = {each.name: each for each in prototypes(INCLUDE)}
CODES = ("aclError", "aclnnStatus", "rtError_t")  # what a function returns that can be refused
STRICT = ("-Wall", "-Wextra", "-Werror")


def check(standard: str, *sources: Path, options: Sequence[str] = ()) -> str:
    """What the compiler says of these files; nothing, where it is content."""
    language = "c++" if "++" in standard else "c"
    files = [word for source in sources for word in ("-x", language, str(source))]  # g++ forgets the language after a file
    command = [*toolchain.find().compiler(), f"-std={standard}", "-c", *STRICT, *options, f"-I{INCLUDE}", *files]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=sources[0].parent).stderr


def library(folder: Path, source: Path) -> ctypes.CDLL:
    """The source as a library that uses libascendcl, loaded."""
    made = folder / f"lib{source.stem}.so"
    stubs = places.library()
    options = ["-std=c++17", "-O1", "-fPIC", "-shared", "-pthread", *STRICT, f"-I{INCLUDE}", f"-Wl,-rpath,{stubs.parent}", "-o", str(made)]
    command = [*toolchain.find().compiler(), *options, "-x", "c++", str(source), "-x", "none", str(stubs)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    open_door()
    return ctypes.CDLL(str(made))


# --- the stubs, called as their prototypes say

_NUMBERS: dict[str, Any] = {
    "int8_t": ctypes.c_int8, "uint8_t": ctypes.c_uint8, "uint16_t": ctypes.c_uint16, "int": ctypes.c_int, "int32_t": ctypes.c_int32,
    "uint32_t": ctypes.c_uint32, "int64_t": ctypes.c_int64, "uint64_t": ctypes.c_uint64, "size_t": ctypes.c_size_t, "float": ctypes.c_float,
    "aclFloat16": ctypes.c_uint16, "aclError": ctypes.c_int, "aclnnStatus": ctypes.c_int32, "rtError_t": ctypes.c_int32,
    "bool": ctypes.c_bool,
}  # fmt: skip
HANDLES = ("aclrt", "aclmdlRI", "acltdt")


@cache
def stubs() -> ctypes.CDLL:
    open_door()
    return ctypes.CDLL(str(places.library()))


def is_pointer(parameter: Parameter) -> bool:
    return "*" in parameter.type or bool(parameter.suffix) or parameter.type.split()[-1] in _pointer_names()


@cache
def _pointer_names() -> set[str]:
    """Names that the headers give to void* and to functions."""
    text = "".join(path.read_text() for folder in FOLDERS for path in (INCLUDE / folder).rglob("*.h"))
    return set(re.findall(r"typedef void\* (\w+);", text)) | set(re.findall(r"typedef [^;{}]*?\(\*(\w+)\)", text))


def is_struct(parameter: Parameter) -> bool:
    """By value: none of them is in a call that aclimb does."""
    return parameter.type in ("dim3", "aclrtMemManagedLocation", "aclmdlRICondTaskParams", "aclrtIpcEventHandle")


def c_type(parameter: Parameter) -> Any:
    if is_pointer(parameter):
        return ctypes.c_void_p
    word = parameter.type.removeprefix("const ").split()[0]
    return _NUMBERS.get(word, ctypes.c_int)  # an enum


def result_type(prototype: Prototype) -> Any:
    if prototype.returns == "void":
        return None
    if prototype.returns == "const char*":
        return ctypes.c_char_p
    if "*" in prototype.returns or prototype.returns in _pointer_names():
        return ctypes.c_void_p
    return _NUMBERS.get(prototype.returns, ctypes.c_int)


@cache
def stub(name: str) -> Any:
    """A function of libascendcl that takes and gives what its prototype says."""
    prototype, found = PROTOTYPES[name], stubs()[name]
    found.restype = result_type(prototype)
    if not prototype.is_variadic:
        found.argtypes = [c_type(each) for each in prototype.parameters]
    return found


def recent() -> str:
    """aclGetRecentErrMsg, asked from C."""
    text = stub("aclGetRecentErrMsg")()
    return text.decode() if text is not None else ""
