# SPDX-License-Identifier: Apache-2.0
"""The first real error in what a build said, and what it comes to. What follows it is mostly its consequence."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePath

from aclimb.trial import headers, torch_paths
from aclimb.trial.verdicts import Result, Verdict, short

# --- what aclimb does not have

_REFUSAL = r"(?:is not supported yet|does not exist on Atlas A2 and A3)"
_UNSUPPORTED = (
    re.compile(rf"error: (?:aclimb: )?(?P<text>(?:AscendC::)?(?P<call>[\w:]+)(?:, a part of [^\n]+?,)? {_REFUSAL})"),
    re.compile(r"error: (?P<text>AscendC::(?P<call>\w+) (?:is not|has no \w+) in aclimb's device headers)"),
    re.compile(r"(?P<text>(?P<call>CMAKE_ASC_ARCHITECTURES) is [^\n;]+)"),
    re.compile(r"(?P<text>(?P<call>--npu-arch)=[^\n]* is not modelled)"),
    re.compile(r"(?P<text>(?P<call>-[\w-]+(?:=\S+)?) is not supported: [^\n]+)"),
    re.compile(r"(?:error: |\n  )(?P<text>[^\n]*\b(?P<call>SIMT)\b[^\n]*)"),
    re.compile(r"undefined (?:reference to|symbol:?) [`']?(?P<call>acl\w+|Hccl\w+|rt[A-Z]\w+)"),
)

# --- what the machine, or the sample, does not have

_PYTHON_PACKAGE = re.compile(r"ModuleNotFoundError: No module named '([\w.]+)'")
_CMAKE_PACKAGE = re.compile(r'provided by "(\w+)"|Could NOT find (\w+)|By not providing "Find(\w+)\.cmake"')
_COMMAND = re.compile(r"^(?:\S*sh|[^\s:]+\.sh): (?:line )?(?:\d+: )?(?P<name>[\w.+-]+): (?:command )?not found", re.MULTILINE)
_TEMPLATES = re.compile(r"has only kernel templates \((?P<names>[^)]*)\)")
_OPERATOR_VALUE = re.compile(r"(?P<name>\w+) is not defined: an operator project sets it")

# --- any other error

_COMPILE_ERROR = re.compile(r"^(?P<file>[^\s:][^:\n]*):(?P<line>\d+):(?:\d+:)? (?:fatal )?error: (?P<text>[^\n]*)", re.MULTILINE)
_CMAKE_ERROR = re.compile(r"CMake Error[^\n]*:\n+((?:[ \t]+\S[^\n]*\n+)+)")
_OWN_ERROR = re.compile(r"^\w*(?:Error|Argument|NotFound|Unsupported|bisheng: error): (?P<text>[^\n]+)", re.MULTILINE)
_SAID_ERROR = re.compile(r"^(?:\S+: )?\[?(?:error|fatal)\]?(?: error)?:? +[^\n]+", re.IGNORECASE | re.MULTILINE)
_BUILD_TOOL = re.compile(r"^(?:g?make(?:\[\d+\])?: |ninja: |FAILED: )")

_DECLARED = re.compile(r"(?P<type>\w+) is declared for (?P<units>[\w, ]+); \w+ is (?P<unit>\w+)")  # a warning of the build
_MODELLED = ("ascend910b", "ascend910_93")  # units, as AddConfig names them

_Found = tuple[int, int, Verdict]  # where it begins, whether it is a general one, what it comes to


def first(output: str, where: headers.Where) -> Verdict | None:
    """None: nothing in it looks like an error. Of two for one line the more special one counts."""
    found = [*_special(output, where), *_general(output)]
    if found:
        return min(found, key=lambda each: each[:2])[2]
    if match := _OWN_ERROR.search(output):
        return Verdict(Result.fails, short(match["text"]))
    said = next((match[0] for match in _SAID_ERROR.finditer(output) if not _BUILD_TOOL.match(match[0])), None)
    return Verdict(Result.fails, short(said)) if said else None


def needed(output: str, where: headers.Where) -> Verdict | None:
    """The first thing that is missing."""
    found = [each for each in _special(output, where) if each[2].result is Result.needs]
    return min(found, key=lambda each: each[0])[2] if found else None


def last_line(output: str) -> str:
    """What was said last, but for the build tool's own farewell."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    return next((line for line in reversed(lines) if not _BUILD_TOOL.match(line)), lines[-1] if lines else "")


def _special(output: str, where: headers.Where) -> Iterator[_Found]:
    def at(match: re.Match[str], group: str | int = 0) -> int:
        return output.rfind("\n", 0, match.start(group)) + 1

    for pattern in _UNSUPPORTED:
        if match := pattern.search(output):
            names = match.groupdict()
            text = short(names.get("text") or f"{names['call']} is not there")
            yield at(match, "call"), 0, Verdict(Result.unsupported, text, names["call"])
    for match in _DECLARED.finditer(output):
        units = [each.strip() for each in match["units"].split(",")]
        if not set(units) & set(_MODELLED):
            text = f"{match['type']} is declared for {' and '.join(units)} alone; aclimb models Atlas A2 and A3"
            yield at(match), 0, Verdict(Result.unsupported, text, units[0])
            break
    if match := headers.MISSED.search(output):
        yield at(match), 0, headers.verdict(match, where)
    if match := _PYTHON_PACKAGE.search(output):
        yield at(match), 0, Verdict(Result.needs, f"the Python package {match[1]} is not installed")
    for block in _CMAKE_ERROR.finditer(output):
        if match := _CMAKE_PACKAGE.search(block[1]):
            yield block.start(1), 0, Verdict(Result.needs, _without_package(match[1] or match[2] or match[3]))
            break
    if match := _COMMAND.search(output):
        yield at(match), 0, Verdict(Result.needs, f"the command {match['name']} is not there")
    if match := _TEMPLATES.search(output):
        yield at(match), 0, Verdict(Result.needs, f"only kernel templates ({match['names']}), and nobody says for which types")
    if match := _OPERATOR_VALUE.search(output):
        yield at(match), 0, Verdict(Result.needs, f"{match['name']}, which an operator project sets")


def _general(output: str) -> Iterator[_Found]:
    if match := _COMPILE_ERROR.search(output):
        yield match.start(), 1, Verdict(Result.fails, short(f"{PurePath(match['file']).name}:{match['line']}: {match['text']}"))
    if match := _CMAKE_ERROR.search(output):
        yield match.end(), 1, Verdict(Result.fails, short(match[1]))  # behind what a line of it says


def _without_package(name: str) -> str:
    return torch_paths.reason("torch", f"find_package({name})") if name == "Torch" else f"CMake finds no package {name}"
