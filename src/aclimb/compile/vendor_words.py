# SPDX-License-Identifier: Apache-2.0
"""Attributes in the vendor compiler's own spelling, which no other compiler reads: [aicore], [host, aicore].

They are no names that a macro could replace: they are taken out of the preprocessed text, where blanks take their place.
The words of the standard's form, [[bisheng::core_ratio(1, 2)]], compile as they are and are read by scan.py.
"""

from __future__ import annotations

import re

from aclimb.compile.tokens import TOKEN

_ATTRIBUTE = re.compile(r"\[\s*(?:host\s*,\s*)?aicore\s*\](?P<behind>\s*)(?P<next>\w|~|::|\[|\{)?")
_BEFORE_BODY = re.compile(r"\)\s*$")


def plain(text: str, aicore: str = "", both: str = "") -> str:
    """The text without these attributes, or with words in their place; lines stay, and columns where there are no words."""
    return _ATTRIBUTE.sub(lambda match: _blank(match, both if "host" in match[0] else aicore), text) if "aicore" in text else text


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
