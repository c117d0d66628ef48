# SPDX-License-Identifier: Apache-2.0
"""Runs the two programs of a rule, plainly or under the checker.

`python tests/check_rules/rule_pairs.py L1 bad found.json` is how a host program is checked: in a process of its own, because it begins and
ends with acl, and may want other settings.
"""

from __future__ import annotations

import contextlib
import importlib.util
import json
import linecache
import os
import re
import runpy
import subprocess
import sys
import tempfile
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from rule_table import FAULTS, RULES, Rule

import aclimb
from aclimb import Buffer, Kernel, LaunchConfig, Program, Stream, launch
from aclimb.errors import AclimbError
from aclimb.fuse import Member, fuse, plan_of, stress


@dataclass(frozen=True)
class Told:
    """A finding, as far as a pair is concerned."""

    rule: str
    severity: str
    lines: tuple[str, ...]  # source text of the accesses, in order, and of the launch
    files: tuple[str, ...]
    report: str = ""  # of all findings together


def prepared(rule: Rule, which: str) -> tuple[Kernel, LaunchConfig, list[Buffer], Buffer]:
    """The kernel of the rule's own pair, or the chain of its two, with its arguments; z is the last."""
    binary = Program(rule.source(which)).compile()
    x, z = Buffer.from_array(rule.x), Buffer.from_array(np.zeros(max(rule.x.size, 1024), rule.z))
    words = [Buffer.from_array(np.zeros(rule.pair.words, np.int32))] if rule.pair.words else []
    if not rule.pair.fused:
        return Kernel(binary), LaunchConfig(num_blocks=rule.pair.blocks), [x, z, *words], z
    chain = fuse([Member(binary, rule.pair.blocks, "first"), Member(binary, rule.pair.blocks, "second")], name="chain")
    y = Buffer.from_array(np.zeros_like(rule.x))
    return Kernel(chain), LaunchConfig(plan_of(chain).num_blocks), [x, y, z, *words] * 2, z


def run(rule: Rule, which: str) -> np.ndarray[Any, Any]:
    """z after the kernel; raises what the kernel does wrong."""
    kernel, config, arguments, z = prepared(rule, which)
    stream = Stream()
    launch(stream, config, kernel, *arguments)
    stream.synchronize()
    return z.to_numpy()


def stressed(rule: Rule, which: str, seeds: range) -> int:
    """How many schedules give another result."""
    kernel, config, arguments, _ = prepared(rule, which)
    return len(stress(kernel, *arguments, seeds=seeds, config=None if rule.pair.fused else config).differences)


@cache
def _fault_pairs() -> ModuleType:
    """tests/check/test_pairs.py: how the faults that end a kernel are launched."""
    spec = importlib.util.spec_from_file_location("fault_pairs", FAULTS / "test_pairs.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # its dataclasses look there
    spec.loader.exec_module(module)
    return module


def run_fault(name: str, which: str) -> None:
    pairs = _fault_pairs()
    pairs.run(next(pair for pair in pairs.PAIRS if pair.name == name), which)


def run_host(rule: Rule, which: str, *arguments: str) -> None:
    """The program itself; with arguments, this file, which runs it under the checker."""
    command = [__file__, rule.id, which, *arguments] if arguments else [str(rule.source(which))]
    environment = {**os.environ, **rule.pair.environment}
    done = subprocess.run([sys.executable, *command], capture_output=True, text=True, check=False, timeout=600, env=environment)
    if done.returncode:
        raise AclimbError(done.stderr)


_answers: dict[tuple[str, str, str], list[Told]] = {}


def found(rule: Rule, which: str, fault: str = "") -> list[Told]:
    """What the checker says of one program of the pair, or of the pair of that name in tests/check. Each runs once a session."""
    key = rule.id, which, fault
    if key not in _answers:
        _answers[key] = _found_on_host(rule, which) if rule.on_host else _found_in_kernel(rule, which, fault)
    return _answers[key]


def _found_in_kernel(rule: Rule, which: str, fault: str) -> list[Told]:
    with aclimb.check(**rule.check) as checked, contextlib.suppress(AclimbError):
        run_fault(fault, which) if fault else run(rule, which)
    return told(checked)


def _found_on_host(rule: Rule, which: str) -> list[Told]:
    with tempfile.TemporaryDirectory() as folder:
        answer = Path(folder) / "found.json"
        run_host(rule, which, str(answer))
        rows = json.loads(answer.read_text())
    return [Told(**{**row, "lines": tuple(row["lines"]), "files": tuple(row["files"])}) for row in rows]


def told(checked: Any) -> list[Told]:
    return [_told(finding, checked.report()) for finding in checked.findings]


def _told(finding: Any, report: str) -> Told:
    places = [(access.file, access.line) for access in finding.accesses]
    if finding.launch_place:
        places.append(finding.launch_place)
    lines = tuple(linecache.getline(file, line).strip() for file, line in places)
    return Told(finding.rule, finding.severity, lines, tuple(file for file, _ in places), report)


def same_words(report: str) -> str:
    """A report, with what differs from run to run taken out, and without the launch, which stands in this file."""
    return re.sub(r"0x[0-9a-f]{9,}", "<address>", re.sub(r"^.*rule_pairs\.py.*\n", "", report, flags=re.MULTILINE))


def _check_host_program(name: str, which: str, answer: str) -> None:
    rule = next(each for each in RULES if each.id == name)
    with aclimb.check(**rule.check) as checked, contextlib.suppress(AclimbError):
        runpy.run_path(str(rule.source(which)), run_name="__main__")
    Path(answer).write_text(json.dumps([asdict(each) for each in told(checked)]))


if __name__ == "__main__":
    _check_host_program(*sys.argv[1:])
