# SPDX-License-Identifier: Apache-2.0
"""What the vendor's compiler reads and others do not: the attributes [aicore] and [host, aicore], and a list such as (int[]){1, 2} as an
argument, which g++ does not take the address of.

They are no names that a macro could replace: the preprocessed text is changed. Blanks take the place of an attribute.
The words of the standard's form, [[bisheng::core_ratio(1, 2)]], compile as they are and are read by scan.py.
"""

from __future__ import annotations

import re

from aclimb.compile.tokens import TOKEN

_ATTRIBUTE = re.compile(r"\[\s*(?:host\s*,\s*)?aicore\s*\](?P<behind>\s*)(?P<next>\w|~|::|\[|\{)?")
# Behind a name, a bracket or an angle it is the parameter list of a function or lambda.
_LITERAL = re.compile(
    r"(?P<before>[,({=?:&|+*/!;}-]|\breturn)(?P<space>\s*)\((?P<type>[A-Za-z_][\w:\s]*?)\s*\[\s*(?P<count>\w*)\s*\]\s*\)\s*(?=\{)"
)
_BEFORE_BODY = re.compile(r"\)\s*$")


def plain(text: str, aicore: str = "", both: str = "") -> str:
    """The text without these attributes, or with words in their place; lines stay, and columns where there are no words."""
    if "aicore" in text:
        text = _ATTRIBUTE.sub(lambda match: _blank(match, both if "host" in match[0] else aicore), text)
    return _with_lists(text)


def _with_lists(text: str) -> str:
    """(T[]){...} as ::aclimb::literal<T>({...}), which has the array's address until the end of the expression."""
    parts, done = [], 0
    for match in _LITERAL.finditer(text):
        end = _behind_list(text, match.end())
        if match.start() < done or end < 0 or _in_text(text, match.start()):
            continue
        count = f", {match['count']}" if match["count"] else ""
        call = f"{match['before']}{match['space']}::aclimb::literal<{match['type']}{count}>("
        lines = "\n" * match[0].count("\n", len(match["before"]) + len(match["space"]))
        parts += [text[done : match.start()], call, lines, _with_lists(text[match.end() : end]), ")"]
        done = end
    return "".join([*parts, text[done:]]) if parts else text


def _behind_list(text: str, at: int) -> int:
    """Where the brace at `at` is closed; -1 where it is not."""
    depth = 0
    for token in TOKEN.finditer(text, at):
        depth += (token[0] == "{") - (token[0] == "}")
        if depth == 0:
            return token.end()
    return -1


def _blank(match: re.Match[str], word: str) -> str:
    """An attribute stands before a word of a declaration, or between the parameters and the body of a lambda. What else is
    written like that is an index, a capture or a text."""
    following = match["next"]
    is_lambda = following == "{" and _BEFORE_BODY.search(match.string[max(0, match.start() - 100) : match.start()])
    if not following or (following == "{" and not is_lambda) or _in_text(match.string, match.start()):
        return match[0]
    length = match.end() - match.start() - len(match["behind"]) - len(following)
    return word.ljust(length) + match["behind"] + following


def _in_text(text: str, at: int) -> bool:
    start = text.rfind("\n", 0, at) + 1
    line = text[start : text.find("\n", at)]
    return any(token.start() < at - start < token.end() for token in TOKEN.finditer(line) if token.lastgroup in ("string", "raw", "tag"))
