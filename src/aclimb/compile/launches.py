# SPDX-License-Identifier: Apache-2.0
"""Finds `kernel<<<blocks, l2ctrl, stream>>>(arguments)` among the tokens of a preprocessed source.

`<<` followed by `<` is nothing else in C++, but for `operator<< <T>`; comments and unused macros are gone, strings are one
token. The callee is any postfix expression: a name, a::f, f<T>, table[i], (*pointer), object.member.
"""

from __future__ import annotations

from dataclasses import dataclass

from aclimb.compile.tokens import Token, closing
from aclimb.errors import Diagnostic

_OPEN, _CLOSE = {")": "(", "]": "[", "}": "{"}, (")", "]", "}")
_KEYWORDS = {"return", "else", "do", "co_return", "co_await", "co_yield", "throw", "case", "typename", "new", "delete", "goto", "and", "or"}


@dataclass(frozen=True, slots=True)
class Launch:
    """Places in the text."""

    place: Token
    callee: int
    opening: int  # of <<<
    values: int
    closing: int  # of >>>
    arguments: int  # their parenthesis
    end: int  # behind the parenthesis that closes them


class BadLaunch(Exception):
    """What cannot be a launch, with its place."""

    def __init__(self, place: Token, text: str) -> None:
        super().__init__(text)
        self.diagnostic = Diagnostic(place.file, place.line, 0, "error", text)


def find_launches(tokens: list[Token]) -> list[Launch]:
    tokens = [each for token in tokens for each in _single_angles(token)]
    return [_launch(tokens, at) for at in range(1, len(tokens) - 1) if _opens(tokens, at)]


def _single_angles(token: Token) -> list[Token]:
    """>> as two: the closing >>> may stand right behind a template's own >."""
    if token.text != ">>":
        return [token]
    return [token._replace(text=">"), token._replace(text=">", start=token.start + 1)]


def _opens(tokens: list[Token], at: int) -> bool:
    return tokens[at].text == "<<" and tokens[at + 1].text == "<" and tokens[at - 1].text != "operator"


def _launch(tokens: list[Token], opening: int) -> Launch:
    callee = _callee(tokens, opening - 1)
    if callee is None:
        raise BadLaunch(tokens[opening], "<<< has no kernel before it; a launch is kernel<<<blocks, nullptr, stream>>>(arguments)")
    ends = _closing(tokens, opening + 2)
    if ends is None:
        raise BadLaunch(tokens[opening], "<<< is not closed by >>>(arguments); a launch is kernel<<<blocks, nullptr, stream>>>(arguments)")
    if ends == opening + 2:
        raise BadLaunch(tokens[opening], "<<<>>> is empty; give the number of blocks: kernel<<<blocks, nullptr, stream>>>(arguments)")
    arguments = ends + 3
    end = tokens[closing(tokens, arguments) - 1].start + 1
    first, values = tokens[opening].start, tokens[opening + 1].start + 1
    return Launch(tokens[opening], tokens[callee].start, first, values, tokens[ends].start, tokens[arguments].start, end)


def _callee(tokens: list[Token], last: int) -> int | None:
    """The first token of the postfix expression that ends at `last`."""
    at = last
    while at >= 0:
        text = tokens[at].text
        if text == ">":
            at = _angle_start(tokens, at) - 1
            if at < 0 or tokens[at].kind != "name":
                return None
        elif text in _OPEN:
            at = _group_start(tokens, at)
            before = tokens[at - 1] if at else None
            is_postfix = before is not None and (before.text in (")", "]") or (before.kind == "name" and before.text not in _KEYWORDS))
            if is_postfix:
                at -= 1
                continue
            return at
        elif tokens[at].kind != "name" or text in _KEYWORDS:
            return None
        at = _qualified_start(tokens, at)
        if at == 0 or tokens[at - 1].text not in (".", "->"):
            return at
        at -= 2
    return None


def _qualified_start(tokens: list[Token], at: int) -> int:
    """Of `a::b<c>::name`, given where the name stands."""
    if at and tokens[at - 1].text == "template":
        at -= 1
    while at and tokens[at - 1].text == "::":
        at -= 1
        before = at - 1
        if before >= 0 and tokens[before].text == ">":
            before = _angle_start(tokens, before) - 1
        if before < 0 or tokens[before].kind != "name" or tokens[before].text in _KEYWORDS:
            return at
        at = before
    return at


def _angle_start(tokens: list[Token], at: int) -> int:
    depth = 0
    while at >= 0:
        text = tokens[at].text
        if text in _CLOSE:
            at = _group_start(tokens, at)
        depth += {">": 1, "<": -1}.get(text, 0)
        if depth <= 0:
            break
        at -= 1
    return at


def _group_start(tokens: list[Token], at: int) -> int:
    depth = 0
    while at >= 0:
        depth += (tokens[at].text in _CLOSE) - (tokens[at].text in _OPEN.values())
        if depth == 0:
            break
        at -= 1
    return max(at, 0)


def _closing(tokens: list[Token], start: int) -> int | None:
    """Where >>> stands. f<A<B<2>>>() inside has three of its own: so the one that no < is open for, else the first."""
    first, depth, at = None, 0, start
    while at < len(tokens) - 3 and tokens[at].text not in (";", ")", "]", "}"):
        text = tokens[at].text
        if text in ("(", "[", "{"):
            at = closing(tokens, at)
            continue
        if [token.text for token in tokens[at : at + 4]] == [">", ">", ">", "("]:
            if depth <= 0:
                return at
            first = at if first is None else first
        depth += (text == "<" and at > start and tokens[at - 1].kind == "name") - (text == ">")
        at += 1
    return first
