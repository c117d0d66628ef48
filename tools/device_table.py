# SPDX-License-Identifier: Apache-2.0
"""docs/reference/device_api.md: the calls of the device headers, how and where each works and which test calls it, and what is missing."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

import library_table

from aclimb import _engine, chips
from aclimb.compile import api_names
from aclimb.compile.scan import parameter
from aclimb.compile.tokens import split, tokens_of

ROOT = Path(__file__).resolve().parent.parent
HEADERS = ROOT / "device" / "include" / "aclimb"

# Headings of the page, in its order; each header that offers Ascend C calls stands in one of them.
HEADINGS = {
    "Tensors": ("global_tensor.h", "local_tensor.h", "list_tensor.h", "shape_info.h", "operators.h"),
    "Buffers and queues": ("tpipe.h", "tque.h", "tbuf.h", "buffer_pool.h", "allocator.h"),
    "Order inside a core": ("sync.h", "events.h"),
    "Order between cores": ("cross_core.h",),
    "Collective operations": ("hccl.h",),
    "Who this core is, and its modes": ("core_type.h", "system.h", "workspace.h", "ranks.h"),
    "Movement": ("data_copy.h", "data_copy_forms.h", "params.h", "aipp.h"),
    "Vector: two tensors": ("vector_binary.h",),
    "Vector: one tensor": ("vector_unary.h",),
    "Vector: a tensor and a scalar": ("vector_scalar.h",),
    "Vector: fill, copy, convert, compare": ("vector_fill.h", "cast.h", "compare_select.h"),
    "Vector: reductions": ("reduce.h",),
    "Vector: gather, index, transpose": ("gather.h", "transpose.h", "interpolation.h"),
    "Vector: sort": ("sort.h",),
    "Vector: arithmetic that converts": ("dequant.h",),
    "Cube": ("cube_load.h", "cube.h", "cube_params.h", "fixpipe.h"),
    "Scalars": ("scalar.h", "bfloat16.h", "half.h", "small_float.h", "std.h", "numeric_limits.h", "types.h"),
    "Debugging": ("debug.h", "words.h"),
    "Raw intrinsics": ("intrinsics.h", "raw_vector.h", "raw_movement.h", "raw_scalar.h"),
}
TITLES = ("call", "shapes", "element types", "products", "test")
WRONG = ("refused.cpp", "bad.cpp", "refused_samples.py")
NAMES = {"TQueBind": ("TQue",)}  # classes that add nothing to their base
SAME_TYPES = {"FusedMulAddRelu": "MulAddRelu", "CompareScalar": "Compares", "CastDeq": "CastDequant"}  # other names of a call
BY_PAIRS = ("And", "Or", "Not")  # of bytes, too: an element of the instruction is two of them
MACROS = re.compile(r"^ACLIMB_(?!API|TYPES|UNSUPPORTED|NOT_ON|REFUSED|EVENT|REFUSE)([A-Z0-9_]+)\((\w+)(?:, [^)]*)?\)$", re.MULTILINE)
CALLS = re.compile(r"^(?:template <.*> )?(?:constexpr )?ACLIMB_API [^(=]*?\b([A-Za-z]\w+)\(", re.MULTILINE)
METHODS = re.compile(r"^    (?:template <.*> )?ACLIMB_API [^(=]*?\b([A-Z]\w+)\(", re.MULTILINE)
CLASSES = re.compile(r"^(?:template <[^\n]*> )?(?:class|struct) (\w+) (?:\{|:)(.*?)^\};", re.MULTILINE | re.DOTALL)


def device_api_page() -> Iterator[str]:
    listed = {name for files in HEADINGS.values() for name in files} | {"unsupported.h", "not_on_a2_a3.h", "observed.h"}
    forgotten = [path.name for path in HEADERS.glob("*.h") if path.name not in listed and calls_in(offered(path))]
    assert not forgotten, f"HEADINGS in tools/device_table.py lacks {', '.join(forgotten)}"
    assert not library_table.forgotten(), f"HEADINGS in tools/library_table.py lacks {', '.join(library_table.forgotten())}"
    yield "# Device API"
    yield "From `device/include`. These are the Ascend C calls that a kernel can use after `#include"
    yield '"kernel_operator.h"`: how each is called, for which element types, on which products, and a test that calls it.'
    yield "`mask` is a number of elements or an array of bits. Where element types are named, the call takes these; another type is a"
    yield "compile error that lists them. `aclimb coverage` compares a folder of sources with this page."
    for heading, files in HEADINGS.items():
        texts = [offered(HEADERS / name) for name in files if (HEADERS / name).exists()]
        calls = {name: shapes for text in texts for name, shapes in calls_in(text).items()}
        methods = {name: found for text in texts for name, found in methods_in(text).items()}
        yield ""
        yield f"## {heading}"
        yield ""
        yield from (f"- {code([*NAMES.get(name, ()), name])}: {code(found)}" for name, found in methods.items())
        if calls:
            yield ""
            yield from table(TITLES, [row(name, shapes) for name, shapes in calls.items()])
    yield from library()
    yield from constants()
    yield from macros()
    yield from missing("not yet", "Not there yet", "is not supported yet")
    yield from missing("not on A2 and A3", "Not on Atlas A2 and A3", "does not exist on Atlas A2 and A3")


def library() -> Iterator[str]:
    for heading, files in library_table.HEADINGS.items():
        yield ""
        yield f"## {heading}"
        yield ""
        if heading == next(iter(library_table.HEADINGS)):
            yield "Calls of the library are made of the calls above, and compute in float where they do not say otherwise;"
            yield "[Use the library](../use_the_library.md) has the rules of their scratch."
            yield ""
        rows = [
            row(name, shapes, library_table.types_in(file).get(name, []), tested_in_library(name))
            for file in files
            for name, shapes in library_table.calls_in(file).items()
        ]
        yield from table(TITLES, rows)


def constants() -> Iterator[str]:
    yield ""
    yield "## Constants"
    yield ""
    text = "".join((HEADERS / name).read_text() for name in ("types.h", "constants.h"))
    yield code(sorted(set(re.findall(r"^constexpr \w+ ([A-Z][A-Z0-9_]+)(?:\[\d\])? = ", text, re.MULTILINE))))


def macros() -> Iterator[str]:
    yield ""
    yield "## Macros and qualifiers"
    yield ""
    text = "".join((HEADERS / name).read_text() for name in ("qualifiers.h", "tiling.h", "core_type.h", "words.h", "buffer_pool.h"))
    yield code(sorted(set(re.findall(r"^#define ((?!ACLIMB)\w+)", text, re.MULTILINE))))
    yield ""
    yield "Attributes of the vendor's compiler: `[aicore]`, `[host, aicore]`, `[[bisheng::core_ratio(c, v)]]`. Template arguments as tiling"
    yield "keys: the `ASCENDC_TPL_*` macros of `ascendc/host_api/tiling/template_argument.h`. Codes for `#if`: `DT_*` and `FORMAT_*`; the"
    yield "macros `DTYPE_*`, `ORIG_DTYPE_*` and `FORMAT_*` of an operator's parameters come with the build, as defines."


def missing(reason: str, title: str, words: str) -> Iterator[str]:
    found = [each for each in api_names.missing(HEADERS.parent).values() if each.reason == reason]
    yield ""
    yield f"## {title}"
    yield ""
    yield f"One of these does not compile; the message names it, its line and the nearest call: `AscendC::X {words}; nearest: …`."
    yield ""
    parts: dict[tuple[str, str], list[str]] = {}
    for each in found:
        parts.setdefault((each.part if each.part != each.name else "", each.nearest), []).append(each.name)
    yield from table(("names", "part of", "nearest"), [(code(names), part, nearest) for (part, nearest), names in parts.items()])


def row(name: str, shapes: list[str], element_types: list[str] | None = None, test: str = "") -> tuple[str, ...]:
    types = {each.call: each.types for each in _engine.instructions() if each.name != "vconv"}  # which takes pairs of types
    if element_types is None:
        has_tensors = any("dst" in shape for shape in shapes)  # Max(a, b) is no instruction
        element_types = types.get(SAME_TYPES.get(name, name), []) if has_tensors else []
        element_types = [*element_types, *(("int8_t", "uint8_t") if name in BY_PAIRS else ())]
    words = {family: chips.support(name, family) for family in chips.FAMILIES}
    products = ", ".join(family if word == "effective" else f"{family} ({word})" for family, word in words.items())
    shown = " ".join(f"`({shape})`" for shape in shapes)
    return f"`{name}`", shown, code(element_types), products, test or tested_in(name)


def table(titles: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> Iterator[str]:
    yield "| " + " | ".join(titles) + " |"
    yield "|" + "---|" * len(titles)
    yield from ("| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in rows)


def offered(header: Path) -> str:
    """A header without its namespace aclimb, the lines of a definition joined."""
    text = header.read_text().replace("\\\n", "\n")
    rest = re.sub(r"^namespace aclimb \{.*?^\} // namespace aclimb", "", text, flags=re.MULTILINE | re.DOTALL)
    return re.sub(r">\n *(?=ACLIMB_API|__)", "> ", rest)


SHAPES = {  # of the macros that make a call
    "BINARY": ["dst, src0, src1, count", "dst, src0, src1, mask, repeatTime, params"],
    "UNARY": ["dst, src, count", "dst, src, mask, repeatTime, params"],
    "SCALAR": ["dst, src, scalar, count", "dst, src, scalar, mask, repeatTime, params"],
}


def calls_in(text: str) -> dict[str, list[str]]:
    """The calls of a header, and the parameters of each form."""
    found: dict[str, list[str]] = {}
    plain = CLASSES.sub("", text)
    for match in CALLS.finditer(plain):
        shape = parameters(plain, match.end())
        if shape not in found.setdefault(match[1], []):
            found[match[1]].append(shape)
    bodies = dict(re.findall(r"^#define ACLIMB_(\w+)\((?:api|name)[^\n]*\n((?:[ \t][^\n]*\n)+)", text, re.MULTILINE))
    for macro, name in MACROS.findall(text):
        body = bodies.get(macro, "")
        shapes = SHAPES.get(macro) or [parameters(body, at.end()) for at in re.finditer(r"\b(?:api|name)\((?=[a-zA-Z])", body)]
        found.setdefault(name, list(dict.fromkeys(shapes)))
    return found


def parameters(text: str, start: int) -> str:
    """The names behind an opening bracket."""
    depth, at = 1, start
    while depth and at < len(text):
        depth += (text[at] == "(") - (text[at] == ")")
        at += 1
    inside = list(tokens_of(re.sub(r"//[^\n]*", "", text[start : at - 1])))
    names = [parameter(part)[1] for part in split(inside)]
    return ", ".join(name for name in names if name)


def code(words: list[str]) -> str:
    return ", ".join(f"`{word.strip()}`" for word in words)


def methods_in(text: str) -> dict[str, list[str]]:
    found = {name: list(dict.fromkeys(METHODS.findall(body))) for name, body in CLASSES.findall(text)}
    own = {name: [m for m in methods if m not in (name, "Attach", "Overlay", "Begin")] for name, methods in found.items()}
    return {name: methods for name, methods in own.items() if methods}


@cache
def test_sources() -> dict[str, str]:
    """Those of the device headers first; those that only compile every call last, the wrong ones not at all."""
    files = [path for path in (ROOT / "tests").rglob("*") if path.suffix in (".cpp", ".asc", ".py") and path.name not in WRONG]
    ordered = sorted(files, key=lambda path: (path.name.startswith("every_"), path.suffix == ".py", "device" not in path.parts, str(path)))
    return {str(path.relative_to(ROOT)): path.read_text(errors="replace") for path in ordered}


def tested_in(name: str) -> str:
    used = re.compile(rf"(?<!\w){name}(?:<[^;(]*>)?\(")
    sources = {path: text for path, text in test_sources().items() if not (path.endswith(".py") and name.islower())}  # min is Python's too
    return link(next((path for path, text in sources.items() if name in text and used.search(text)), ""))


def tested_in_library(name: str) -> str:
    """Macros make kernels out of names there."""
    sources = {path: text for path, text in test_sources().items() if "tests/library/" in path or path.endswith("every_library_call.cpp")}
    plain = {path: re.sub(r"//[^\n]*", "", text) for path, text in sources.items() if path.endswith(".cpp")}
    return link(next((path for path, text in plain.items() if re.search(rf"\b{name}\b", text)), ""))


def link(place: str) -> str:
    return f"[{Path(place).name}](../../{place})" if place else ""
