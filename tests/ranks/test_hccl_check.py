# SPDX-License-Identifier: Apache-2.0
"""The check of kernels that communicate: a commit reads and writes this rank's buffers, and only a wait says that it has."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import aclimb
from aclimb import Buffer, Kernel, LaunchConfig, Program, launch, ranks
from aclimb.check.finding import Finding

SOURCE = Path(__file__).with_name("collectives.cpp").read_text()


def findings(source: str) -> list[Finding]:
    kernel = Kernel(Program(source, name="collectives").compile(), "add_reduce_add")
    with aclimb.check() as check, ranks(2, window=64) as group:
        x = [Buffer.from_array(np.arange(256, dtype=np.float32), rank.device) for rank in group]
        others = [[Buffer.from_array(np.zeros(256, np.float32), rank.device) for _ in range(2)] for rank in group]
        for rank in group:
            launch(rank.stream, LaunchConfig(num_blocks=4), kernel, x[rank.index], *others[rank.index], 256)
        group.synchronize()
    return list(check.findings)


def line_of(source: str, text: str) -> int:
    return next(number for number, line in enumerate(source.splitlines(), 1) if text in line)


def test_nothing_is_found_in_a_kernel_that_waits_for_what_it_commits() -> None:
    assert findings(SOURCE) == []


def test_a_result_that_is_read_without_a_wait_is_a_race_with_the_server() -> None:
    source = SOURCE.replace("    hccl.Wait(handle);\n    DataCopy(local, sumGm, part);", "    DataCopy(local, sumGm, part);")
    assert source != SOURCE
    found = findings(source)
    copy = line_of(source, "DataCopy(local, sumGm, part);")
    assert [each.rule for each in found] == ["O3", "O4"]
    assert "the communication server writes and MTE2 reads GM bytes 0x0000-0x00ff of sum in no order" in found[0].headline
    assert (found[0].missing, found[0].fix) == ("hccl.Wait", f"hccl.Wait(handle) before line {copy}")


@pytest.mark.parametrize(("instead", "rules", "fix"), [
    ("", ["O1", "O3", "O5"], "PipeBarrier<PIPE_ALL>() before line {}"),
    ("PipeBarrier<PIPE_ALL>();", ["O5"], "SyncAll() before line {}"),
])  # fmt: skip
def test_data_that_is_committed_before_it_is_there_is_a_race_with_the_server(instead: str, rules: list[str], fix: str) -> None:
    source = SOURCE.replace("SyncAll();", instead)
    assert source != SOURCE
    found = findings(source)
    commit = line_of(source[source.index("add_reduce_add") :], "hccl.Commit(handle);") + source[: source.index("add_reduce_add")].count(
        "\n"
    )
    assert [each.rule for each in found] == rules
    told = found[-1] if instead else found[1]
    assert "the communication server" in told.headline
    assert "of x in no order" in told.headline
    assert told.fix == fix.format(commit)
