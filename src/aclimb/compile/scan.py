# SPDX-License-Identifier: Apache-2.0
"""Finds the kernels in a preprocessed source: names, namespaces, templates and their instances, qualifiers, parameters.

Works on the compiler's own -E output, so kernels made by macros and kernels in headers are found like any other, and
text that the preprocessor removed is not. Types, sizes and offsets come from the compiler later (entry.h); this file
only needs names.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

from aclimb.compile.tokens import Token, closing, closing_angle, spell, split, tokens_of, user_text

_ANNOTATION = re.compile(r"aclimb_(\w+)\s*(.*)")
_CORE_RATIO = re.compile(r"bisheng::core_ratio\((\w+),(\w+)\)")  # [[bisheng::core_ratio(c, v)]] is __mix__(c, v)
_WORKSPACE = "__kfc_workspace__"
_TYPE_WORDS = {"const", "volatile", "unsigned", "signed", "int", "long", "short", "char", "bool", "float", "double"}
_TYPE_WORDS |= {"void", "auto", "struct", "class", "enum", "union", "typename"}


Parameters = tuple[tuple[str, str], ...]  # (type text, name)


@dataclass(frozen=True)
class ScannedKernel:
    """One kernel, or one instance of a kernel template, as the source spells it."""

    namespaces: tuple[str, ...]
    function: str  # with template arguments: f<float, 3>
    parameters: Parameters
    annotations: dict[str, str] = field(hash=False)
    file: str = ""
    line: int = 0
    tokens: tuple[int, int, int] = (0, 0, 0)  # of its definition: the first, the brace of the body, the one behind it

    @property
    def name(self) -> str:
        return "::".join((*(n for n in self.namespaces if n), self.function))


@dataclass
class Scan:
    """What one pass over the preprocessed source found."""

    kernels: list[ScannedKernel] = field(default_factory=list)
    templates: list[tuple[ScannedKernel, tuple[str, ...]]] = field(default_factory=list)  # with names of template parameters
    files: list[Path] = field(default_factory=list)  # the user's files, in the order they were entered
    text: str = ""  # the user's part of the preprocessed text
    tokens: list[Token] = field(default_factory=list)


def scan(preprocessed: str, own_folders: tuple[Path, ...]) -> Scan:
    """`own_folders`: aclimb's headers and working folders, which are not the user's."""
    files: list[Path] = []
    result = scan_text(user_text(preprocessed, own_folders, files))
    result.files = files
    return result


def scan_text(text: str) -> Scan:
    """A text as it is, whomever its parts belong to."""
    result = Scan(text=text, tokens=list(tokens_of(text)))
    _Kernels(result).run()
    return result


class Declarations:
    """Walks the declarations at namespace scope; bodies are skipped."""

    def __init__(self, tokens: list[Token]) -> None:
        self.tokens, self.at = tokens, 0
        self.scopes: list[tuple[str, ...]] = []  # names each open brace added: namespaces, or () for extern "C"

    def run(self) -> None:
        while self.at < len(self.tokens):
            text = self.text(self.at)
            if text == "}":
                if self.scopes:
                    self.scopes.pop()
                self.at += 1
            elif text == ";":
                self.at += 1
            elif not self._open_scope():
                self.declaration()

    def declaration(self) -> None:
        """Steps behind the declaration that begins here."""
        raise NotImplementedError

    def _open_scope(self) -> bool:
        """namespace a::b { ... } and extern "C" { ... }: what is inside belongs to this level."""
        at = self.at + (self.text(self.at) == "inline")
        if self.text(at) == "extern" and self.kind(at + 1) == "string" and self.text(at + 2) == "{":
            self.scopes.append(())
            self.at = at + 3
            return True
        if self.text(at) != "namespace":
            return False
        at += 1
        names = []
        while at < len(self.tokens) and self.text(at) not in ("{", ";", "="):
            if self.kind(at) == "name" and self.text(at) not in ("inline", "__attribute__"):
                names.append(self.text(at))
            at = self.skip_group(at) if self.text(at) in "([" else at + 1
        if self.text(at) != "{":
            return False  # an alias
        self.scopes.append(tuple(names) or ("",))
        self.at = at + 1
        return True

    def skip_group(self, at: int) -> int:
        """The index behind the bracket that closes the one at `at`."""
        depth = 0
        while at < len(self.tokens):
            token = self.tokens[at]
            if token.kind == "mark":
                depth += (token.text in ("(", "[", "{")) - (token.text in (")", "]", "}"))
            at += 1
            if depth == 0:
                break
        return at

    def text(self, at: int) -> str:
        return self.tokens[at].text if at < len(self.tokens) else ""

    def kind(self, at: int) -> str:
        return self.tokens[at].kind if at < len(self.tokens) else ""


class _Kernels(Declarations):
    """The declarations that are kernels."""

    def __init__(self, result: Scan) -> None:
        super().__init__(result.tokens)
        self.result = result

    def declaration(self) -> None:
        start = self.at
        while self.at < len(self.tokens):
            text = self.text(self.at)
            if text == ";":
                self._finish(start, self.at, self.at)
                self.at += 1
                return
            if text == "{":
                end = self.skip_group(self.at)
                self._finish(start, self.at, end)
                self.at = end
                return
            if text == "}":
                return
            self.at = self.skip_group(self.at) if text in ("(", "[") else self.at + 1

    def _finish(self, start: int, body: int, end: int) -> None:
        """A declaration; a definition has a body, from `body` to `end`."""
        tokens = self.tokens[start:body]
        if not any(t.text == '"aclimb_kernel"' for t in tokens):
            return
        head, annotations = strip_attributes(tokens, keeps_mark=True)
        if head and head[0].kind == "name" and head[0].text == "extern":
            head = head[2 if len(head) > 1 and head[1].kind == "string" else 1 :]
        is_instance = len(head) > 1 and head[0].text == "template" and head[1].text != "<"  # template void f<float>(...);
        template, head = _template_head(head)
        found = _function(head)
        if found is None:
            return
        function, parameters, place, inner = found
        parameters, from_end = _without_mark(parameters)
        if from_end:
            annotations["workspace"] = str(from_end)
        spaces = (*(name for scope in self.scopes for name in scope), *inner)
        kernel = ScannedKernel(spaces, function, parameters, annotations, place.file, place.line, (start, body, end))
        if body == end:
            if is_instance:
                self._add(kernel)
        elif template:
            self.result.templates.append((kernel, template))
        else:
            self._add(kernel)

    def _add(self, kernel: ScannedKernel) -> None:
        if all(k.name != kernel.name or k.parameters != kernel.parameters for k in self.result.kernels):
            self.result.kernels.append(kernel)


def strip_attributes(tokens: list[Token], *, keeps_mark: bool = False) -> tuple[list[Token], dict[str, str]]:
    """The declaration without __attribute__((...)) and [[...]], and our annotations {"vector": "", "mix": "1 2"}.

    `keeps_mark`: the one of a workspace, as the word __kfc_workspace__ at its parameter.
    """
    kept: list[Token] = []
    annotations: dict[str, str] = {}
    at = 0
    while at < len(tokens):
        is_old = tokens[at].text == "__attribute__"
        is_new = tokens[at].text == "[" and at + 1 < len(tokens) and tokens[at + 1].text == "["
        if not (is_old or is_new):
            kept.append(tokens[at])
            at += 1
            continue
        end = closing(tokens, at + is_old)
        text = "".join(t.text[1:-1] if t.kind == "string" else "," for t in tokens[at:end])
        for part in text.split(","):
            match = _ANNOTATION.fullmatch(part.strip())
            if match and match[1] == "workspace":
                kept += [tokens[at]._replace(kind="name", text=_WORKSPACE)] if keeps_mark else []
            elif match:
                annotations[match[1]] = match[2]
        if ratio := _CORE_RATIO.search("".join(t.text for t in tokens[at:end])):
            annotations["mix"] = f"{ratio[1]} {ratio[2]}"
        at = end
    return kept, annotations


def _without_mark(parameters: Parameters) -> tuple[Parameters, int]:
    """Without __kfc_workspace__, and which of them has it: 1 is the last, 0 none."""
    marked = [_WORKSPACE in [*kind.split(" "), name] for kind, name in parameters]
    plain = tuple(
        (" ".join(word for word in kind.split(" ") if word != _WORKSPACE), "" if name == _WORKSPACE else name) for kind, name in parameters
    )
    return (plain, len(parameters) - marked.index(True)) if any(marked) else (parameters, 0)


def _template_head(tokens: list[Token]) -> tuple[tuple[str, ...], list[Token]]:
    """The names of the template parameters, none for an instance or a full specialisation, and the rest."""
    names: tuple[str, ...] = ()
    while tokens and tokens[0].text == "template":
        if len(tokens) > 1 and tokens[1].text == "<":
            end = closing_angle(tokens, 1)
            names += tuple(parameter(p)[1] for p in split(tokens[2 : end - 1]))
            tokens = tokens[end:]
        else:
            tokens = tokens[1:]
    return names, tokens


def _function(tokens: list[Token]) -> tuple[str, Parameters, Token, tuple[str, ...]] | None:
    """Of `void a::f<int>(int x)`: the name with template arguments, the parameters, where it stands, the namespaces
    before it."""
    at = 0
    while at < len(tokens) and tokens[at].text != "(":
        at = closing_angle(tokens, at) if tokens[at].text == "<" else at + 1
    if at == 0 or at == len(tokens):
        return None
    start = at - 1
    if tokens[start].text in (">", ">>"):
        depth = 0
        while start >= 0:
            depth += {">": 1, ">>": 2, "<": -1}.get(tokens[start].text, 0)
            if depth == 0:
                break
            start -= 1
        start -= 1
    if start < 0 or tokens[start].kind != "name":
        return None
    parameters = tuple(parameter(p) for p in split(tokens[at + 1 : closing(tokens, at) - 1]))
    if parameters == (("void", ""),):
        parameters = ()
    inner: tuple[str, ...] = ()
    back = start
    while back >= 2 and tokens[back - 1].text == "::" and tokens[back - 2].kind == "name":
        inner = (tokens[back - 2].text, *inner)
        back -= 2
    return spell(tokens[start:at]), parameters, tokens[start], inner


def end_of_name(parameter: list[Token]) -> int:
    """Where a default value or the size of an array begins, or the parameter ends."""
    at = 0
    while at < len(parameter) and parameter[at].text not in ("=", "["):
        text = parameter[at].text
        at = closing_angle(parameter, at) if text == "<" else closing(parameter, at) if text == "(" else at + 1
    return at


def parameter(tokens: list[Token]) -> tuple[str, str]:
    """(type text, name); the name is empty where the source gives none."""
    tokens = tokens[: end_of_name(tokens)]
    last = tokens[-1] if tokens else None
    is_named = (
        len(tokens) > 1
        and last is not None
        and last.kind == "name"
        and last.text not in _TYPE_WORDS | {"__restrict__", "__restrict", "restrict"}
        and tokens[-2].text != "::"
        and any(t.kind == "name" and t.text not in ("const", "volatile", "struct", "enum") for t in tokens[:-1])
    )
    kind = tokens[:-1] if is_named else tokens
    return spell(kind), last.text if is_named and last else ""
