# SPDX-License-Identifier: Apache-2.0
"""Compile errors in the cache: the same source that fails again is answered without a compiler.

Some tools answer a failure with a second try, and editors build the same text again and again. What is kept is an error of the user's
text, at a line of it; what a full disk or a killed compiler says is not. The files that the text was made of are known once the
preprocessor is through: before that nothing is kept, because a header that is missing now may be there later.
"""

from __future__ import annotations

import json
import re

from aclimb.compile.cache import Cache
from aclimb.errors import CompileError, Diagnostic

_OF_THE_MACHINE = re.compile(
    r"No space left|Cannot allocate|memory exhausted|out of memory|quota|error (?:reading|writing)|Killed|internal compiler"
)


def keep(cache: Cache, key: str, error: CompileError) -> None:
    if error.read is not None and error.diagnostics and not _OF_THE_MACHINE.search(str(error)):
        told = {"text": str(error), "diagnostics": error.diagnostics}
        cache.keep(_key(key), error.read, json.dumps(told).encode())
    cache.give_up(key)


def find(cache: Cache, key: str) -> CompileError | None:
    data = cache.find(_key(key), claims=False)
    if data is None:
        return None
    try:
        told = json.loads(data)
        return CompileError(told["text"], [Diagnostic(*each) for each in told["diagnostics"]])
    except (ValueError, TypeError, KeyError):
        return None  # damaged on disk: compile again


def _key(key: str) -> str:
    return f"{key}-failed"
