# SPDX-License-Identifier: Apache-2.0
"""Branches of the preprocessor that belong to other products, taken out of a source that is not built.

Only conditions on the product macros alone are decided; of every other `#if`, all branches stay.
"""

from __future__ import annotations

import re

_PRODUCT = {"__NPU_ARCH__": 2201, "__CCE_AICORE__": 220}
_UNDEFINED = {"ASCENDC_CPU_DEBUG", "__CCE_KT_TEST__", "__CCE_UT_TEST__", "__DAV_C310__", "__DAV_M200__", "__DAV_M310__", "__DAV_310R6__"}
_LINE = re.compile(r"\s*#\s*(ifdef|ifndef|if|elif|else|endif)\b(.*)")
_WORD = re.compile(r"[A-Za-z_]\w*")


def of_this_product(text: str) -> str:
    """The text with the other branches as empty lines. Of conditions, those stay that could not be decided."""
    stack: list[tuple[bool, bool | None]] = []  # (whether what is around is kept, whether one of its branches is surely taken)
    kept, lines = True, []
    for line in text.split("\n"):
        match = _LINE.match(line)
        if match is None:
            lines.append(line if kept else "")
            continue
        word, condition = match[1], match[2].split("//")[0]
        holds: bool | None = True
        if word in ("if", "ifdef", "ifndef"):
            holds = _holds(word, condition)
            stack.append((kept, holds))
            kept = kept and holds is not False
        elif stack and word == "endif":
            kept, _ = stack.pop()
        elif stack:
            around, taken = stack.pop()
            holds = False if taken else True if word == "else" and taken is False else None if word == "else" else _holds("if", condition)
            stack.append((around, _either(taken, holds)))
            kept = around and holds is not False
        lines.append(line if kept and holds is None else "")
    return "\n".join(lines)


def _either(taken: bool | None, holds: bool | None) -> bool | None:
    return True if taken or holds else None if taken is None or holds is None else False


def _holds(word: str, condition: str) -> bool | None:
    """None where it depends on something else."""
    if word != "if":
        name = condition.strip()
        known = True if name in _PRODUCT else False if name in _UNDEFINED else None
        return known if known is None or word == "ifdef" else not known
    text = re.sub(r"\bdefined\s*(?:\(\s*(\w+)\s*\)|(\w+))", lambda m: _defined(m[1] or m[2]), condition)
    text = _WORD.sub(lambda m: str(_PRODUCT[m[0]]) if m[0] in _PRODUCT else "0" if m[0] in _UNDEFINED else m[0], text)
    if not re.fullmatch(r"[\d\s()<>=!&|]*", text) or not text.strip():
        return None
    text = text.replace("&&", " and ").replace("||", " or ")
    try:
        return bool(eval(re.sub(r"!(?!=)", " not ", text), {"__builtins__": {}}))
    except (SyntaxError, TypeError):
        return None


def _defined(name: str) -> str:
    return "1" if name in _PRODUCT else "0" if name in _UNDEFINED else name
