# SPDX-License-Identifier: Apache-2.0
"""From what a command said to a verdict: one word, one short sentence, and the call that is missing where one is."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from pathlib import PurePath

from aclimb.fleet.trees import signal_name
from aclimb.trial.processes import Ended

_WIDTH = 160


class Result(StrEnum):
    passes = "passes"
    builds = "builds"  # there is nothing to run, or nothing to compare with
    wrong = "wrong"
    fails = "fails"
    unsupported = "unsupported"
    needs = "needs"


@dataclass(frozen=True, slots=True)
class Verdict:
    result: Result
    reason: str = ""
    call: str = ""  # what is not supported, as the source names it


# --- what aclimb does not have

# The toolkit's own folders: a header in one of them that is not there is a part that aclimb lacks, not the user's file.
_TOOLKIT = (
    "acl", "aclnn", "aclnnop", "adv_api", "aicpu_api", "basic_api", "c_api", "exe_graph", "graph", "hccl", "kernel_tiling", "lib", "opdev",
    "register", "runtime", "simt_api", "tiling", "utils",
)  # fmt: skip
_REFUSAL = r"(?:is not supported yet|does not exist on Atlas A2 and A3)"
_UNSUPPORTED = (
    re.compile(rf"error: (?:aclimb: )?(?P<text>(?:AscendC::)?(?P<call>[\w:]+)(?:, a part of [^\n]+?,)? {_REFUSAL})"),
    re.compile(r"error: (?P<text>AscendC::(?P<call>\w+) (?:is not|has no \w+) in aclimb's device headers)"),
    re.compile(rf"(?P<call>(?:(?:{'|'.join(_TOOLKIT)})/|kernel_)[\w./]+\.h(?:pp)?)'?: (?:no such header|No such file or directory)"),
    re.compile(rf"'(?P<call>(?:(?:{'|'.join(_TOOLKIT)})/|kernel_)[\w./]+\.h(?:pp)?)' file not found"),
    re.compile(r"(?P<text>(?P<call>CMAKE_ASC_ARCHITECTURES) is [^\n;]+)"),
    re.compile(r"(?P<text>(?P<call>--npu-arch)=[^\n]* is not modelled)"),
    re.compile(r"(?P<text>(?P<call>-[\w-]+(?:=\S+)?) is not supported: [^\n]+)"),
    re.compile(r"(?:error: |\n  )(?P<text>[^\n]*\b(?P<call>SIMT)\b[^\n]*)"),
    re.compile(r"undefined (?:reference to|symbol:?) [`']?(?P<call>acl\w+|Hccl\w+|rt[A-Z]\w+)"),
)
_REFUSED = re.compile(r"207000: (?P<call>\w+)[^:\n]*: (?P<why>[^\n]*)")
_COMPILE_ERROR = re.compile(r"^(?P<file>[^\s:][^:\n]*):(?P<line>\d+):(?:\d+:)? (?:fatal )?error: (?P<text>[^\n]*)", re.MULTILINE)
_CMAKE_ERROR = re.compile(r"CMake Error[^\n]*:\n+((?:[ \t]+\S[^\n]*\n+)+)")
_OWN_ERROR = re.compile(r"^\w*(?:Error|Argument|NotFound|Unsupported|bisheng: error): (?P<text>[^\n]+)", re.MULTILINE)

# --- what the machine, or the sample, does not have

_PACKAGE = re.compile(r"ModuleNotFoundError: No module named '([\w.]+)'")
_CMAKE_PACKAGE = re.compile(r'provided by "(\w+)"|Could NOT find (\w+)|By not providing "Find(\w+)\.cmake"')
_HEADER = re.compile(r"(?P<name>[\w./+-]+\.h\w*): (?:no such header|No such file or directory)|'(?P<other>[\w./+-]+\.h\w*)' file not found")
_TEMPLATES = re.compile(r"has only kernel templates \((?P<names>[^)]*)\)")
_OPERATOR_VALUE = re.compile(r"(?P<name>\w+) is not defined: an operator project sets it")
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


def short(text: str) -> str:
    """One line of it, that fits a table."""
    line = " ".join(text.split())
    return line if len(line) <= _WIDTH else line[: _WIDTH - 3].rstrip() + "..."


def too_slow(step: str, seconds: float) -> Verdict:
    return Verdict(Result.fails, f"{step} was still running after {seconds:g} s, and was ended")


def of_build(ended: Ended) -> Verdict:
    """Of a compiler, CMake or `aclimb` that failed."""
    output = ended.output
    if ended.code < 0:
        return Verdict(Result.fails, f"the build ended by {signal_name(-ended.code)}")
    if verdict := _first_unsupported(output) or _needed(output):
        return verdict
    if match := _COMPILE_ERROR.search(output):
        return Verdict(Result.fails, short(f"{PurePath(match['file']).name}:{match['line']}: {match['text']}"))
    if match := _CMAKE_ERROR.search(output):
        return Verdict(Result.fails, short(match[1]))
    if match := _OWN_ERROR.search(output):
        return Verdict(Result.fails, short(match["text"]))
    return Verdict(Result.fails, short(_last_line(output)) or f"the build ended with {ended.code}")


def _first_unsupported(output: str) -> Verdict | None:
    found = [match for pattern in _UNSUPPORTED if (match := pattern.search(output))]
    if not found:
        return None
    first = min(found, key=lambda match: match.start("call"))
    names = first.groupdict()
    return Verdict(Result.unsupported, short(names.get("text") or f"{names['call']} is not there"), names["call"])


def _needed(output: str) -> Verdict | None:
    if match := _PACKAGE.search(output):
        return Verdict(Result.needs, f"the Python package {match[1]} is not installed")
    if match := _CMAKE_PACKAGE.search(output):
        return Verdict(Result.needs, f"CMake finds no package {match[1] or match[2] or match[3]}")
    if match := _HEADER.search(output):
        return Verdict(Result.needs, f"the header {match['name'] or match['other']} is not there")
    if match := _TEMPLATES.search(output):
        return Verdict(Result.needs, f"only kernel templates ({match['names']}), and nobody says for which types")
    if match := _OPERATOR_VALUE.search(output):
        return Verdict(Result.needs, f"{match['name']}, which an operator project sets")
    return None


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
    last = _last_line(output)
    return Verdict(Result.fails, short(f"the program ended with {ended.code}" + (f": {last}" if last else "")))


def _wrong(ended: Ended) -> re.Match[str] | None:
    """Where it says so. Of one that ends with 0, "0 mismatches" is no complaint."""
    return _WRONG.search(ended.output) or (None if ended.ok else _PERHAPS_WRONG.search(ended.output))


def of_data(script: str, ended: Ended) -> Verdict:
    """Of a script that makes data, and failed."""
    return _needed(ended.output) or Verdict(Result.needs, short(f"{script} ended with {ended.code}: {_last_line(ended.output)}"))


def of_check(script: str, ended: Ended) -> Verdict:
    """Of a script that compares."""
    says_wrong = _wrong(ended)
    if ended.ok and not says_wrong:
        return Verdict(Result.passes)
    if verdict := _needed(ended.output):
        return verdict
    if "FileNotFoundError" in ended.output or "No such file" in ended.output:
        return Verdict(Result.fails, short(f"{script}: {_last_line(ended.output)}"))
    found = _FIRST_VALUE.search(ended.output) or says_wrong
    return Verdict(Result.wrong, short(found[0] if found else f"{script} ended with {ended.code}: {_last_line(ended.output)}"))


def of_operators(ended: Ended) -> Verdict:
    """Of `aclimb op test`."""
    if ended.ok:
        return Verdict(Result.passes)
    if missing := _MISSING_ATTRIBUTE.search(ended.output):
        return Verdict(Result.needs, short(missing[0]))
    if "rows are fine" not in ended.output:
        return of_build(ended)
    if row := _ROW.search(ended.output):
        return Verdict(Result.wrong, short(f"{row['shape']} {row['dtype']}: {row['text']}"))
    return Verdict(Result.wrong, short((_FINDING.search(ended.output) or ["its check found something"])[0]))


def _last_line(output: str) -> str:
    return next((line.strip() for line in reversed(output.splitlines()) if line.strip()), "")
