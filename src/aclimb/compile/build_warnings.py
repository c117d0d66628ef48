# SPDX-License-Identifier: Apache-2.0
"""What a build wants to say although it succeeded. Kept in the binary, so that a build from the cache says it again."""

from __future__ import annotations

import re
import warnings
from pathlib import Path

from aclimb.binary import KernelBinary
from aclimb.compile import diagnostics, fact_places
from aclimb.compile.facts import Fact
from aclimb.compile.kernels import PassResult
from aclimb.errors import BuildWarning, Diagnostic
from aclimb.flow import KernelInfo

_UNDEFINED = re.compile(
    r"^(?P<file>[^\s:][^:\n]*):(?P<line>\d+):(?P<column>\d+): warning: [\"'](?P<name>\w+)[\"'] is not defined.*\[-Wundef\]$", re.MULTILINE
)
_CORES = {"aiv": ("a cube core (AIC)", "AIVs"), "aic": ("a vector core (AIV)", "AICs")}


def undefined_names(output: str, own_folders: tuple[Path, ...]) -> list[Diagnostic]:
    """Names in the user's #if lines that the preprocessor took for 0 (-Wundef). Those with two underscores are the compiler's to
    define: `#if __DAV_C220_CUBE__` is 0 on an AIV, and rightly so."""
    own = tuple(f"{folder}/" for folder in own_folders)
    return [
        Diagnostic(found["file"], int(found["line"]), int(found["column"]), "warning", _undefined_text(found["name"]))
        for found in _UNDEFINED.finditer(output)
        if not found["file"].startswith((*own, "<")) and not found["name"].startswith("__")
    ]


def _undefined_text(name: str) -> str:
    return (
        f'{name} is not defined, and #if takes it for 0; give it a value with defines={{"{name}": ...}} or -D {name}=...,'
        f" or ask #if defined({name})"
    )


def calls_of_other_core(kernel: KernelInfo, symbol: str, core: str, result: PassResult, image: bytes) -> list[Diagnostic]:
    """Calls that this kernel, which has cores of one sort only, cannot do."""
    if not any(fact == Fact.other_core for fact, _ in result.facts(symbol)):
        return []
    places = sorted(fact_places.find(result.found, symbol, Fact.other_core, image))
    return [_other_core(place, kernel, *_CORES[core]) for place in places]


def _other_core(place: fact_places.FactPlace, kernel: KernelInfo, other: str, here: str) -> Diagnostic:
    column = (diagnostics.source_line(place.file, place.line) or "").find(place.call) + 1
    text = f"{place.call} is work for {other}, and kernel {kernel.name} is {kernel.kernel_type.name}, which has {here} only"
    return Diagnostic(place.file, place.line, column, "warning", f"{text}; it is an error when it runs")


def render(found: list[Diagnostic]) -> tuple[str, ...]:
    """As texts; both passes find the same ones."""
    texts = list(dict.fromkeys(diagnostics.render(each) for each in found))
    more = len(texts) - diagnostics.MOST_ERRORS
    return (*texts[: diagnostics.MOST_ERRORS], *([f"... and {more} more warnings"] if more > 0 else []))


def tell(binary: KernelBinary) -> None:
    """At the line that called Program.compile(). Python shows equal ones from the same line once."""
    for text in binary.record.warnings:
        warnings.warn(text, BuildWarning, stacklevel=3)
