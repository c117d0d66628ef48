# SPDX-License-Identifier: Apache-2.0
"""Findings of old code that are known: a check with a baseline speaks of new ones only.

The file is JSON, sorted, one entry for each fingerprint: {"fingerprint", "rule", "count", "where", "headline"}. Only the fingerprint and
the count decide; the rest is for whoever reads the file.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from aclimb.check.finding import Finding
from aclimb.errors import InvalidArgument

FORMAT, VERSION = "aclimb check baseline", 1
_HOW = "`aclimb check --write-baseline FILE` writes one"


@dataclass(frozen=True, slots=True)
class Entry:
    fingerprint: str
    count: int = 1  # several places may look alike
    rule: str = ""
    where: str = ""
    headline: str = ""


@dataclass(frozen=True, slots=True)
class Compared:
    new: tuple[Finding, ...]
    known: tuple[Finding, ...] = ()
    stale: tuple[Entry, ...] = ()  # what the baseline has and the run has not, with how many


def compare(findings: Iterable[Finding], entries: Sequence[Entry]) -> Compared:
    left: Counter[str] = Counter()
    for each in entries:
        left[each.fingerprint] += each.count
    new: list[Finding] = []
    known: list[Finding] = []
    for finding in findings:
        is_known = left[finding.fingerprint] > 0
        (known if is_known else new).append(finding)
        if is_known:
            left[finding.fingerprint] -= 1
    stale = {mark: replace(each, count=left[mark]) for each in entries if left[mark := each.fingerprint] > 0}
    return Compared(tuple(new), tuple(known), tuple(stale.values()))


# --- the file


def dump(findings: Iterable[Finding]) -> str:
    found = list(findings)
    counts = Counter(each.fingerprint for each in found)
    first = {each.fingerprint: each for each in reversed(found)}
    entries = [
        {"fingerprint": mark, "rule": first[mark].rule, "count": counts[mark],
         "where": ", ".join(each.short for each in first[mark].accesses if each.short), "headline": first[mark].headline}
        for mark in sorted(first)
    ]  # fmt: skip
    return json.dumps({"format": FORMAT, "version": VERSION, "findings": entries}, indent=1, ensure_ascii=False) + "\n"


def write(path: Path, findings: Iterable[Finding]) -> Path:
    try:
        path.write_text(dump(findings), encoding="utf-8")
    except OSError as error:
        raise InvalidArgument(f"the baseline {path} cannot be written: {error.strerror}; choose another place") from None
    return path


def load(path: Path) -> list[Entry]:
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise InvalidArgument(f"the baseline {path} does not exist; {_HOW}") from None
    except UnicodeDecodeError:
        raise InvalidArgument(f"the baseline {path} is not text; {_HOW}") from None
    except OSError as error:
        raise InvalidArgument(f"the baseline {path} cannot be read: {error.strerror}") from None
    return parse(text, str(path))


def parse(text: str, name: str) -> list[Entry]:
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InvalidArgument(f"the baseline {name} is no JSON: {error}; {_HOW}") from None
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise InvalidArgument(f"{name} is not a baseline; {_HOW}")
    if data.get("version") != VERSION:
        raise InvalidArgument(
            f"the baseline {name} has version {data.get('version')!r}; this aclimb reads version {VERSION}: write it anew"
        )
    entries = data.get("findings")
    if not isinstance(entries, list):
        raise InvalidArgument(f"the baseline {name} is damaged: it has no list of findings; write it anew")
    return [_entry(each, number, name) for number, each in enumerate(entries)]


def _entry(data: Any, number: int, name: str) -> Entry:
    fields = data if isinstance(data, dict) else {}
    mark, count = fields.get("fingerprint"), fields.get("count", 1)
    if not isinstance(mark, str) or isinstance(count, bool) or not isinstance(count, int) or count < 1:
        raise InvalidArgument(f"the baseline {name} is damaged: finding {number} has no fingerprint, or a count below 1; write it anew")
    texts = [value if isinstance(value := fields.get(key), str) else "" for key in ("rule", "where", "headline")]
    return Entry(mark, count, *texts)
