# SPDX-License-Identifier: Apache-2.0
"""The calls of device/include/aclimb/library for docs/reference/device_api.md.

Macros make most of their forms, so that the preprocessor reads the headers first.
"""

from __future__ import annotations

import re
import subprocess
import tempfile
from functools import cache
from pathlib import Path

from aclimb.compile import toolchain
from aclimb.compile.scan import parameter
from aclimb.compile.tokens import split, tokens_of

HEADERS = Path(__file__).resolve().parent.parent / "device" / "include" / "aclimb"

# Headings of the page, in its order; each header of the library that offers calls stands in one of them.
HEADINGS = {
    "Library: activations": ("activation.h", "gated.h"),
    "Library: mathematics": (
        *("exponential.h", "power.h", "trigonometry.h", "hyperbolic.h", "error_function.h", "gamma.h"),
        *("rounding.h", "limits.h", "cumsum.h"),
    ),
    "Library: soft-max": ("softmax.h", "softmax_flash.h", "softmax_shifted.h", "softmax_grad.h"),
    "Library: normalisation": ("layer_norm.h", "layer_norm_grad.h", "normalize.h", "welford.h", "batch_norm.h", "group_norm.h"),
    "Library: quantisation": ("quant.h", "dequant.h", "anti_quant.h"),
    "Library: reductions": ("reduction.h", "reduce_pattern.h"),
    "Library: sorting": ("topk.h",),
    "Library: layout": ("broadcast.h", "pad.h", "confusion_transpose.h", "trans_data.h", "layout.h"),
    "Library: filters": ("filter.h",),
}
_CALL = re.compile(r"inline __attribute__\(\(always_inline\)\) [^(={}]*?\b([A-Z]\w+)\(|[{}]")
_TYPES = re.compile(r"struct aclimb_types_(\w+) \{.*?is_one_of<T, ([^>]*)>")


@cache
def expanded() -> dict[str, str]:
    """What each header of the library is to the compiler of a kernel for AIVs, without namespace aclimb."""
    tools = toolchain.find()
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "kernel.cpp"
        source.write_text('#include "kernel_operator.h"\n')
        options = [*tools.flags(1), "-DACLIMB_CORE_TYPE=2", "-D__DAV_C220_VEC__", "-I", HEADERS.parent, "-E", source]
        done = subprocess.run(
            list(map(str, [*tools.compiler(), *options])), capture_output=True, text=True, check=True, env=tools.environment(Path(folder))
        )
    texts: dict[str, list[str]] = {}
    name = ""
    for line in done.stdout.splitlines():
        if marker := re.match(r'# \d+ "([^"]*)"', line):
            path = Path(marker[1])
            name = path.name if path.parent.name == "library" else ""
        elif name:
            texts.setdefault(name, []).append(line)
    return {name: _offered("\n".join(lines)) for name, lines in texts.items()}


def _offered(text: str) -> str:
    while found := re.search(r"^namespace aclimb \{", text, re.MULTILINE):
        text = text[: found.start()] + text[_end(text, found.end()) :]
    return text


def _end(text: str, start: int, brackets: str = "{}") -> int:
    """Behind the bracket that closes the one before `start`."""
    depth = 1
    while depth:
        depth += (text[start] == brackets[0]) - (text[start] == brackets[1])
        start += 1
    return start


def calls_in(header: str) -> dict[str, list[str]]:
    """The calls of a header, and the parameters of each form."""
    text, depth = expanded().get(header, ""), 0
    found: dict[str, list[str]] = {}
    for match in _CALL.finditer(text):
        depth += (match[0] == "{") - (match[0] == "}")
        if match[1] and depth == 1:  # in namespace AscendC, no method
            names = [parameter(part)[1] for part in split(list(tokens_of(text[match.end() : _end(text, match.end(), "()") - 1])))]
            shape = ", ".join(name for name in names if name)
            if shape not in found.setdefault(match[1], []):
                found[match[1]].append(shape)
    return found


def types_in(header: str) -> dict[str, list[str]]:
    """The element types that its calls check for."""
    return {name: types.split(", ") for name, types in _TYPES.findall(expanded().get(header, "").replace("\n", " "))}


def forgotten() -> list[str]:
    listed = {name for names in HEADINGS.values() for name in names}
    return sorted(name for name in expanded() if name not in listed and calls_in(name))
