# SPDX-License-Identifier: Apache-2.0
"""The vectors under the checker: each mistake is found under its rule, and nothing is found where it is put right or only looks wrong."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import numpy as np
import pytest
from vectors import FAULTY, LEGAL, Vector, compiled, prepare, source_of, two_streams

import aclimb
from aclimb import Buffer, Kernel, LaunchConfig, Stream, launch
from aclimb.errors import AclimbError
from aclimb.op.workspace import pool_of

by_id = {"ids": lambda vector: vector.id}


def findings_of(vector: Vector, *, put_right: bool, auto_sync: str | None = None) -> list[Any]:
    run = prepare(vector, source_of(vector, put_right=put_right))
    stream = Stream()
    with aclimb.check(auto_sync=auto_sync or vector.auto_sync) as check:
        run.launch(stream)
        try:
            stream.synchronize()
        except AclimbError:
            assert not put_right
    return list(check.findings)


def rules_of(findings: list[Any]) -> set[str]:
    return {each.rule for each in findings if each.severity != "note"}


@pytest.mark.parametrize("vector", FAULTY, **by_id)
@pytest.mark.requirement("ord-8", "ord-18", "ord-35", "ord-38", "ord-49", "sk-39", "sk-41")
def test_the_mistake_is_found_under_its_rule(vector: Vector) -> None:
    assert rules_of(findings_of(vector, put_right=False)) & vector.rules


@pytest.mark.parametrize("vector", FAULTY, **by_id)
def test_nothing_is_found_once_it_is_put_right(vector: Vector) -> None:
    assert not rules_of(findings_of(vector, put_right=True))


@pytest.mark.parametrize("vector", LEGAL, **by_id)
@pytest.mark.requirement("ord-9", "ord-15", "ord-16", "ord-17", "ord-49")
def test_nothing_is_found_in_what_only_looks_wrong(vector: Vector) -> None:
    found = findings_of(vector, put_right=True)
    assert rules_of(found) <= vector.rules, [each.headline for each in found]
    assert not [each for each in found if each.severity == "error"]


@pytest.mark.requirement("ord-48")
def test_local_memory_filled_before_the_wait_asks_for_an_earlier_wait() -> None:
    [vector] = [each for each in FAULTY if each.name == "m22_fills_before_the_wait"]
    fixes = {each.fix for each in findings_of(vector, put_right=False)}
    line = 1 + source_of(vector, put_right=False).splitlines().index("    Duplicate(a.z, 7, kTile);")
    assert fixes == {f"move WaitPreTaskEnd() before line {line}; or other addresses for sub-kernel 1 m22_fills_before_the_wait"}


@pytest.mark.parametrize("vector", [each for each in FAULTY if each.name.startswith("m11")], **by_id)
def test_the_compiler_orders_v_with_itself(vector: Vector) -> None:
    assert not rules_of(findings_of(vector, put_right=False, auto_sync="on"))
    assert rules_of(findings_of(vector, put_right=False, auto_sync="warn")) == {"O9"}


# --- the host's part

TWICE = next(each for each in LEGAL if each.name.startswith("t18"))


def kernel_and_buffers() -> tuple[Kernel, list[Buffer]]:
    kernel = Kernel(compiled(source_of(TWICE, put_right=True), TWICE.file), TWICE.name)
    return kernel, [Buffer.from_array(np.zeros((64, 16), np.int32)) for _ in range(4)]


@pytest.mark.requirement("ord-12", "ord-25")
def test_m35_two_streams_without_an_event_are_found() -> None:
    kernel, buffers = kernel_and_buffers()
    with aclimb.check() as check:
        two_streams(kernel, *buffers, with_event=False)
    assert rules_of(check.findings) == {"H1"}


@pytest.mark.requirement("ord-12", "ord-25")
def test_t31_two_streams_with_an_event_are_not() -> None:
    kernel, buffers = kernel_and_buffers()
    with aclimb.check() as check:
        two_streams(kernel, *buffers, with_event=True)
    assert not check.findings


@pytest.mark.requirement("ord-31")
def test_m35_memory_freed_while_a_task_may_use_it_is_found() -> None:
    import acl

    kernel, (x, _, _, w) = kernel_and_buffers()
    acl.init()
    acl.rt.set_device(0)
    address, _ = acl.rt.malloc(4096, 0)
    stream = Stream()
    with aclimb.check() as check:
        launch(stream, LaunchConfig(4), kernel, x, address, w)
        acl.rt.free(address)
        with suppress(AclimbError):  # it ran behind the free
            stream.synchronize()
    acl.rt.reset_device(0)
    acl.finalize()
    assert rules_of(check.findings) & {"L3", "L1"}


def test_t30_a_workspace_lent_again_on_its_stream_is_not() -> None:
    kernel, (x, z, w, _) = kernel_and_buffers()
    stream = Stream()
    with aclimb.check() as check:
        for source, target in ((x, None), (None, z)):
            with pool_of(stream).lend([4096]) as (address,):
                launch(stream, LaunchConfig(4), kernel, source or address, target or address, w)
        stream.synchronize()
    assert not [each for each in check.findings if each.rule[0] == "L"]
