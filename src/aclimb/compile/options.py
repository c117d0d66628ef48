# SPDX-License-Identifier: Apache-2.0
"""What a build can be asked for. Checked when it is built, so that a bad value fails where it was written."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from aclimb import chips, knobs
from aclimb.errors import InvalidArgument, SourceNotFound

_MACRO = re.compile(r"[A-Za-z_]\w*(\([\w\s,.]*\))?")
_OWN_MACROS = ("ACLIMB_", "__CCE_AICORE__", "__NPU_ARCH__", "__DAV_C220_VEC__", "__DAV_C220_CUBE__")
Defines = Mapping[str, Any] | Iterable[str]


@dataclass(frozen=True, slots=True)
class WantedKernel:  # host pass -> device passes
    """An instance of a kernel template, or one of several kernels of one name, that host code can launch."""

    name: str  # in the image
    function: str  # as it is called from outside every namespace: ::a::f<float, 3>
    types: str  # of its parameters
    is_overloaded: bool
    file: str  # of the definition
    line: int
    number: int  # among the kernels of that line: one macro may define several


@dataclass(frozen=True, slots=True)
class Options:  # user -> compile/
    """Options of one build. `Options.create` takes them in the forms people write."""

    soc: str
    include_dirs: tuple[Path, ...] = ()
    defines: tuple[tuple[str, str], ...] = ()
    opt_level: int = 1
    extra_flags: tuple[str, ...] = ()
    instances: tuple[str, ...] = ()
    name: str | None = None
    more_sources: tuple[Path, ...] = ()  # with functions, or kernels, of the same binary
    has_host_part: bool = False  # known without looking: it is part of a program
    cores: str = ""  # aiv, aic, 1:1 or 1:2: what a kernel runs on that does not say it itself; "" is for what its calls say
    auto_sync: bool = False  # the source may count on flags that the vendor's compiler inserts, and we do not
    observed: bool = False  # the second image, which tells what no record shows (observed.py)
    places_only: tuple[str, ...] = ()  # files that #line names, and that are no part of the text
    isolated: bool = False  # a stranger's source: compilers run in a sandbox
    prelude: str = ""  # C++ that stands before the source: what the generator of an operator project writes for it
    workspace_from_end: int = 0  # which parameter is a workspace that a kernel is to see without the system's part; 1: the last

    @classmethod
    def create(
        cls,
        *,
        soc: str | None = None,
        include_dirs: Iterable[str | os.PathLike[str]] = (),
        defines: Defines = (),
        opt_level: int = 1,
        extra_flags: Iterable[str] = (),
        instances: Iterable[str] = (),
        name: str | None = None,
        more_sources: Iterable[str | os.PathLike[str]] = (),
        isolated: bool = False,
        prelude: str = "",
    ) -> Options:
        if name is not None and not re.fullmatch(r"[\w.+-]+", name):
            raise InvalidArgument(f"name is {name!r}; it takes letters, digits, _ . + and -, because it names a file")
        if opt_level not in (0, 1, 2, 3) or isinstance(opt_level, bool):
            raise InvalidArgument(f"opt_level is {opt_level!r}; it takes 0, 1, 2 or 3")
        return cls(
            soc=chips.buildable(soc or knobs.soc()).name,
            include_dirs=tuple(_folder(d) for d in _several("include_dirs", include_dirs)),
            defines=tuple((dict(_defines(defines)) | dict(_defines(knobs.defines().split()))).items()),
            opt_level=opt_level,
            extra_flags=tuple(_several("extra_flags", extra_flags)),
            instances=tuple(_instance(i) for i in _several("instances", instances)),
            name=name,
            more_sources=tuple(_source(each) for each in _several("more_sources", more_sources)),
            isolated=isolated,
            prelude=prelude,
        )


def _several(what: str, values: Any) -> list[Any]:
    if isinstance(values, str | bytes):
        raise InvalidArgument(f"{what} is the text {values!r}; it takes a list: {what}=[{values!r}]")
    return list(values)


def _folder(path: str | os.PathLike[str]) -> Path:
    folder = Path(path).absolute()
    if not folder.is_dir():
        raise SourceNotFound(f"include folder {folder} does not exist")
    return folder


def _source(path: str | os.PathLike[str]) -> Path:
    found = Path(path).absolute()
    if not found.is_file():
        raise SourceNotFound(f"kernel source {found}, one of more_sources, does not exist")
    return found


def _defines(defines: Defines) -> Iterable[tuple[str, str]]:
    """{"N": 8} or ["N=8", "DEBUG"]; a macro without a value is 1, as with -D."""
    if isinstance(defines, Mapping):
        pairs = [(str(key), "1" if value is True else "0" if value is False else str(value)) for key, value in defines.items()]
    else:
        split = [str(text).partition("=") for text in _several("defines", defines)]
        pairs = [(key, value if has_value else "1") for key, has_value, value in split]
    for key, value in pairs:
        if not _MACRO.fullmatch(key):
            raise InvalidArgument(f"define {key!r} is not a macro name; write NAME or NAME=value")
        if key.startswith(_OWN_MACROS):
            raise InvalidArgument(f"define {key!r} belongs to aclimb, which sets it itself; choose another name")
        if "\n" in value:
            raise InvalidArgument(f"define {key!r} has a value of several lines; a macro has one")
        yield key, value


def _instance(text: str) -> str:
    if not re.fullmatch(r"[\w:]+\s*<.*>", text.strip(), re.DOTALL):
        raise InvalidArgument(f"instance {text!r} is not a template with its arguments; write it as in C++, f<float>")
    return text.strip()
