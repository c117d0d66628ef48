# SPDX-License-Identifier: Apache-2.0
"""The host part of a preprocessed source, as C++ for the host's compiler.

    __global__ void add(GM_ADDR x, int n) { ... }   ->   void add(GM_ADDR x, int n) { launches itself with x and n }
    add<<<8, nullptr, stream>>>(x, 3);              ->   (Launch(file, line, 8, nullptr, stream), add(x, 3));

A kernel stays a function and a launch a call, so overloads, templates, conversions and pointers to kernels are the
compiler's own work. No line gets another number.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from aclimb.compile import diagnostics
from aclimb.compile.edits import EditedText
from aclimb.compile.functions import AICORE, HOST, Function, functions, without_marks
from aclimb.compile.launches import BadLaunch, find_launches
from aclimb.compile.scan import ScannedKernel, end_of_name, parameter, scan_text, strip_attributes
from aclimb.compile.tokens import Token, closing, closing_angle, split

SELF = "aclimb_self_"  # and the kernel's number: the static of a stub, from which the object file shows where the stub comes from
_ATTRIBUTE = re.compile(r'annotate\s*\(\s*"aclimb_(\w+)[^"]*"\s*\)(?:\s*,\s*noinline\s*,\s*visibility\s*\(\s*"hidden"\s*\))?')
_DEVICE_WORDS = re.compile(rf'\b(?:{AICORE}|{HOST})\b|"aclimb_kernel"')
# Behind everything else. The assembly that is appended defines aclimb_this_unit; a program's own constructors may launch already.
REGISTRATION = """
# 1 "<aclimb>"
extern "C" {
extern struct aclimb_unit aclimb_this_unit __attribute__((visibility("hidden")));
__attribute__((constructor(101), used)) static void aclimb_register_this_unit(void) { aclimb_register(&aclimb_this_unit); }
__attribute__((destructor(101), used)) static void aclimb_unregister_this_unit(void) { aclimb_unregister(&aclimb_this_unit); }
}
"""


@dataclass(frozen=True)
class HostText:
    text: str
    kernels: list[ScannedKernel]  # definitions, kernels and templates; a stub names its number
    plain_kernels: list[ScannedKernel]  # those that are not templates
    is_settled: bool  # the kernels of the image are those the source names: no templates, no overloads
    has_launches: bool
    has_device_words: bool  # __global__ or __aicore__, which only we understand
    files: list[Path]  # the user's


def host_text(preprocessed: str, source: Path, own_folders: tuple[Path, ...], stub_attributes: str) -> HostText:
    """`stub_attributes` keep a stub a function of its own, whatever the compiler sees through."""
    text = EditedText(preprocessed, own_folders)
    found = scan_text(text.users)
    kernels = [k for k in (*found.kernels, *(template for template, _ in found.templates)) if k.tokens[1] != k.tokens[2]]
    for number, kernel in enumerate(kernels):
        _make_stub(text, found.tokens, kernel, number)
    for function in functions(found.tokens):
        if not function.is_for_host and not function.is_kernel and not function.is_emitted_on_demand and not function.is_internal:
            _declare_only(text, found.tokens, function)
    try:
        launches = find_launches(found.tokens)
    except BadLaunch as error:
        raise diagnostics.from_diagnostics(source, [error.diagnostic]) from None
    for launch in launches:
        values = _on_one_line(text.users[launch.values : launch.closing])
        place = f'"{launch.place.file}", {launch.place.line}'
        text.insert(launch.callee, f"(static_cast<void>(::aclimb_host::Launch({place}, {values})), ")
        text.replace(launch.opening, launch.arguments, " ")
        text.insert(launch.end, ")")
    out = _ATTRIBUTE.sub(lambda match: stub_attributes if match[1] == "kernel" else "", without_marks(text.result()))
    is_settled = not found.templates and len({kernel.name for kernel in kernels}) == len(kernels)
    return HostText(
        out,
        kernels,
        [k for k in kernels if k in found.kernels],
        is_settled,
        bool(launches),
        bool(_DEVICE_WORDS.search(text.users)),
        text.files,
    )


def _make_stub(text: EditedText, tokens: list[Token], kernel: ScannedKernel, number: int) -> None:
    start, body, end = kernel.tokens
    names = []
    for at, part in enumerate(_parameters(tokens[start:body])):
        if [token.text for token in part] == ["void"]:
            continue
        name = parameter(part)[1]
        if not name:
            name = f"aclimb_p{at}"
            last = part[end_of_name(part) - 1]
            text.insert(last.start + len(last.text), f" {name} ")
        is_pack = any([t.text for t in part[i : i + 3]] == ["."] * 3 for i in range(len(part)))
        names.append(f", {name}..." if is_pack else f", {name}")
    call = f"::aclimb_host::launch(&{SELF}{number}{''.join(names)});"
    text.replace(tokens[body].start, tokens[end - 1].start + 1, f"{{ static char {SELF}{number}; (void){call} }}")


def _parameters(head: list[Token]) -> list[list[Token]]:
    """The tokens of each parameter: of the last parenthesis of the head that is not an attribute's."""
    head, _ = strip_attributes(head)
    at, found = 0, (0, 0)
    while at < len(head):
        if head[at].text == "template" and at + 1 < len(head) and head[at + 1].text == "<":
            at = closing_angle(head, at + 1)
        elif head[at].text in ("noexcept", "alignas", "requires", "decltype") and at + 1 < len(head):
            at = closing(head, at + 1)
        elif head[at].text == "(":
            found = at, closing(head, at)
            at = found[1]
        else:
            at += 1
    return split(head[found[0] + 1 : found[1] - 1])


def _declare_only(text: EditedText, tokens: list[Token], function: Function) -> None:
    """A function of the other side becomes a declaration; one that was declared before vanishes."""
    first = tokens[function.start if function.is_qualified else function.body].start
    text.replace(first, tokens[function.end - 1].start + 1, "" if function.is_qualified else ";")


def _on_one_line(values: str) -> str:
    return re.sub(r"\n#[^\n]*|\n", " ", values)
