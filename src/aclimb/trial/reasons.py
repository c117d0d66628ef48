# SPDX-License-Identifier: Apache-2.0
"""From what a command said to a verdict: one word, one short sentence, and the call that is missing where one is."""

from __future__ import annotations

import re

from aclimb.fleet.trees import signal_name
from aclimb.trial import causes
from aclimb.trial.headers import Where
from aclimb.trial.processes import Ended
from aclimb.trial.verdicts import Result, Verdict, short

__all__ = ["Result", "Verdict", "of_build", "of_check", "of_data", "of_operators", "of_program", "short", "too_slow"]

_REFUSED = re.compile(r"207000: (?P<call>\w+)[^:\n]*: (?P<why>[^\n]*)")
_USAGE = re.compile(r"^usage:[^\n]*", re.IGNORECASE | re.MULTILINE)
_NO_FILE = re.compile(r"(?:No such file or directory: |no such file[^\n]*?|(?:cannot|can't|could not|failed to|fail to|unable to) "
                      r"(?:open|read|get|find|load)(?: the)?(?: file)?[ :]*)['\"]?(?P<name>[\w./-]*\.\w+)?", re.IGNORECASE)  # fmt: skip

# --- wrong values, as samples and their scripts say it

_WRONG = re.compile(r"^[^\n]*(?:\[(?:failed|error|fail)\]|verification failed|test failed|test fail\b|result error)[^\n]*$",
                    re.IGNORECASE | re.MULTILINE)  # fmt: skip
_PERHAPS_WRONG = re.compile(r"^[^\n]*\b(?:mismatch\w*|not equal|differs?|incorrect|wrong)\b[^\n]*$", re.IGNORECASE | re.MULTILINE)
_FIRST_VALUE = re.compile(r"^[^\n]*\b(?:expect\w*|golden)\b[^\n]*\d[^\n]*$", re.IGNORECASE | re.MULTILINE)
_FAULT = re.compile(r"^(?:aclimb info: )?(?P<text>\d{6}: \w+[^:\n]*: [^\n]+)", re.MULTILINE)
_UNSEEN = re.compile(r"nobody synchronised the stream of this task, which failed:\n(?P<text>[^\n]+)")
_MISSING_ATTRIBUTE = re.compile(r"\w+ needs the attribute \w+; check\.py gives it: [^\n]+")
_ROW = re.compile(r"^(?P<shape>\[[\d, ]*\]) +(?P<dtype>\w+) +FAIL +(?P<text>[^\n]+)", re.MULTILINE)  # of op.check
_FINDING = re.compile(r"^(?P<text>[a-z]+(?:-[a-z]+)*: [^\n]+)", re.MULTILINE)


def too_slow(step: str, seconds: float) -> Verdict:
    return Verdict(Result.fails, f"{step} was still running after {seconds:g} s, and was ended")


def _nowhere(_: str) -> str | None:
    return None


def of_build(ended: Ended, where: Where = _nowhere) -> Verdict:
    """Judge a build that failed, by a compiler, CMake or `aclimb`. `where`: see headers.verdict."""
    if ended.code < 0:
        return Verdict(Result.fails, f"the build ended by {signal_name(-ended.code)}")
    found = causes.first(ended.output, where)
    return found or Verdict(Result.fails, short(causes.last_line(ended.output)) or f"the build ended with {ended.code}")


def of_program(ended: Ended, missing_data: list[str]) -> Verdict:
    """Of a program that was run. `missing_data`: files that its sources name, and that are not there."""
    output = ended.output
    says_wrong = _wrong(ended)
    if ended.ok and not says_wrong:
        return Verdict(Result.passes)
    if match := _REFUSED.search(output):
        return Verdict(Result.unsupported, short(f"{match['call']}: {match['why']}"), match["call"])
    if missing_data:
        return Verdict(Result.needs, short(f"{missing_data[0]} is not there, and no script made it"))
    if ended.code < 0:
        return Verdict(Result.fails, f"the program ended by {signal_name(-ended.code)}")
    if match := _UNSEEN.search(output) or _FAULT.search(output):
        return Verdict(Result.fails, short(match["text"]))
    if says_wrong:
        return Verdict(Result.wrong, short((_FIRST_VALUE.search(output) or says_wrong)[0]))
    if match := _USAGE.search(output):
        return Verdict(Result.needs, short(f"arguments; {match[0]}"))
    if match := _NO_FILE.search(output):
        return Verdict(Result.needs, short(f"{match['name'] or 'a file'} is not there"))
    last = causes.last_line(output)
    return Verdict(Result.fails, short(f"the program ended with {ended.code}" + (f": {last}" if last else "")))


def _wrong(ended: Ended) -> re.Match[str] | None:
    """Where it says so. Of one that ends with 0, "0 mismatches" is no complaint."""
    return _WRONG.search(ended.output) or (None if ended.ok else _PERHAPS_WRONG.search(ended.output))


def of_data(script: str, ended: Ended) -> Verdict:
    """Of a script that makes data, and failed."""
    return causes.needed(ended.output, _nowhere) or Verdict(
        Result.needs, short(f"{script} ended with {ended.code}: {causes.last_line(ended.output)}")
    )


def of_check(script: str, ended: Ended) -> Verdict:
    """Of a script that compares."""
    says_wrong = _wrong(ended)
    if ended.ok and not says_wrong:
        return Verdict(Result.passes)
    if verdict := causes.needed(ended.output, _nowhere):
        return verdict
    if "FileNotFoundError" in ended.output or "No such file" in ended.output:
        return Verdict(Result.fails, short(f"{script}: {causes.last_line(ended.output)}"))
    found = _FIRST_VALUE.search(ended.output) or says_wrong
    return Verdict(Result.wrong, short(found[0] if found else f"{script} ended with {ended.code}: {causes.last_line(ended.output)}"))


def of_operators(ended: Ended, where: Where = _nowhere) -> Verdict:
    """Of `aclimb op test`."""
    if ended.ok:
        return Verdict(Result.passes)
    if missing := _MISSING_ATTRIBUTE.search(ended.output):
        return Verdict(Result.needs, short(missing[0]))
    if "rows are fine" not in ended.output:
        return of_build(ended, where)
    if row := _ROW.search(ended.output):
        return Verdict(Result.wrong, short(f"{row['shape']} {row['dtype']}: {row['text']}"))
    return Verdict(Result.wrong, short((_FINDING.search(ended.output) or ["its check found something"])[0]))
