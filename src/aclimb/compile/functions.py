# SPDX-License-Identifier: Apache-2.0
"""Function definitions at namespace scope: where each begins, where its body is, and for whom it is, host or AI Core.

Member functions that are defined inside their class are part of the class and not found.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from aclimb.compile.scan import Declarations
from aclimb.compile.tokens import Token, closing_angle

# What __aicore__ and __host__ stand for while a source with a host part is split; they do not reach the compiler.
AICORE, HOST = "__aclimb_aicore__", "__aclimb_host__"
_MARKS = re.compile(rf"\b(?:{AICORE}|{HOST})\b")
_KERNEL = '"aclimb_kernel"'
_EMITTED_ON_DEMAND = {"inline", "__inline", "__inline__", "constexpr", "consteval"}
_BEHIND_PARAMETERS = {"const", "volatile", "override", "final", "mutable", "&", "&&", AICORE, HOST}
_WITH_GROUP = {"__attribute__", "noexcept", "alignas", "requires", "throw"}


@dataclass(frozen=True, slots=True)
class Function:
    """Indexes of tokens: where it starts, what only a definition has (initialisers and body), what comes behind it."""

    start: int
    body: int
    end: int
    name: str
    words: frozenset[str]  # of its head, without the parameters
    is_template: bool
    is_qualified: bool  # a::f: it was declared before, and a member cannot be declared again
    is_internal: bool  # static, or in an unnamed namespace
    has_deduced_type: bool

    @property
    def is_kernel(self) -> bool:
        return _KERNEL in self.words

    @property
    def is_for_aicore(self) -> bool:
        return self.is_kernel or AICORE in self.words

    @property
    def is_for_host(self) -> bool:
        """Also where it is for the AI Core."""
        return not self.is_for_aicore or HOST in self.words

    @property
    def is_emitted_on_demand(self) -> bool:
        return self.is_template or bool(self.words & _EMITTED_ON_DEMAND)


def without_marks(text: str) -> str:
    return _MARKS.sub("", text)


def functions(tokens: list[Token]) -> list[Function]:
    walker = _Functions(tokens)
    walker.run()
    return walker.found


class _Functions(Declarations):
    def __init__(self, tokens: list[Token]) -> None:
        super().__init__(tokens)
        self.found: list[Function] = []

    def declaration(self) -> None:
        """A `{` behind a parameter list begins a body; any other one a class, an enumeration or a value."""
        start = self.at
        is_template = self._skip_template_heads()
        parameters, returns_at = -1, -1  # where the last list that can be one of parameters starts; the arrow of a trailing type
        while self.at < len(self.tokens):
            text = self.text(self.at)
            if text in (";", "}"):
                self.at += text == ";"
                return
            if text == "=":
                self._skip_value()
                return
            if text == "operator":
                parameters = self.at = self._behind_operator()
                self.at = self.skip_group(self.at)
            elif text == "(":
                parameters = self.at if returns_at < 0 else parameters
                self.at = self.skip_group(self.at)
            elif parameters >= 0 and text in ("{", ":", "try"):
                self._finish(start, parameters, is_template, returns_at >= 0)
                return
            elif text == "{":
                self.at = self.skip_group(self.at)
                return
            elif text in _WITH_GROUP and self.text(self.at + 1) == "(":
                self.at = self.skip_group(self.at + 1)
            elif text == "[":
                self.at = self.skip_group(self.at)
            elif text == "->" and parameters >= 0:
                returns_at = self.at
                self.at += 1
            else:
                if returns_at < 0 and text not in _BEHIND_PARAMETERS and text not in _WITH_GROUP:
                    parameters = -1
                self.at += 1

    def _skip_template_heads(self) -> bool:
        is_template = False
        while self.text(self.at) == "template" and self.text(self.at + 1) == "<":
            end = closing_angle(self.tokens, self.at + 1)
            is_template |= end > self.at + 3
            self.at = end
        return is_template

    def _skip_value(self) -> None:
        while self.at < len(self.tokens) and self.text(self.at) not in (";", "}"):
            self.at = self.skip_group(self.at) if self.text(self.at) in ("(", "[", "{") else self.at + 1

    def _behind_operator(self) -> int:
        """Where the parameters start: behind `operator()`, `operator<<`, `operator bool`."""
        at = self.at + 1
        if self.text(at) == "(" and self.text(at + 1) == ")":
            return at + 2
        while at < len(self.tokens) and self.text(at) not in ("(", ";", "{"):
            at += 1
        return at

    def _finish(self, start: int, parameters: int, is_template: bool, has_trailing_type: bool) -> None:
        body = self.at
        is_try = self.text(self.at) == "try"
        self.at += is_try
        if self.text(self.at) == ":":
            self._skip_initialisers()
        self.at = self.skip_group(self.at)
        while is_try and self.text(self.at) == "catch":
            self.at = self.skip_group(self.skip_group(self.at + 1))
        head = self.tokens[start:parameters]
        words = frozenset(t.text for t in [*head, *self.tokens[self.skip_group(parameters) : body]])
        name = self._name(start, parameters)
        self.found.append(
            Function(
                start,
                body,
                self.at,
                self.text(name),
                words,
                is_template,
                self.text(name - 1) == "::" or (self.text(name - 1) == "~" and self.text(name - 2) == "::"),
                "static" in words or any("" in scope for scope in self.scopes),
                "auto" in words and not has_trailing_type,
            )
        )

    def _name(self, start: int, parameters: int) -> int:
        """Where the name stands: f of a::f<int>(...), operator of operator==(...)."""
        for at in range(parameters - 1, start, -1):
            if self.text(at) == "operator":
                return at
        at, depth = parameters - 1, 0
        while at > start and (self.kind(at) != "name" or depth > 0):
            depth += {">": 1, ">>": 2, "<": -1}.get(self.text(at), 0)
            at -= 1
        return at

    def _skip_initialisers(self) -> None:
        """a(1), b<int>{2} up to the brace of the body."""
        while self.at < len(self.tokens):
            self.at += 1
            while self.at < len(self.tokens) and self.text(self.at) not in ("(", "{"):
                self.at = closing_angle(self.tokens, self.at) if self.text(self.at) == "<" else self.at + 1
            self.at = self.skip_group(self.at)
            self.at += self.text(self.at) == "."  # a pack: three dots
            while self.text(self.at) == ".":
                self.at += 1
            if self.text(self.at) != ",":
                return
