# SPDX-License-Identifier: Apache-2.0
"""fuse() remembers what it made: for an equal call, and for no other."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from typing import Any

import numpy as np
import pytest
from chains import KERNELS

from aclimb import Buffer, Device, Kernel, KernelBinary, LaunchConfig, Program, Stream, errors, launch
from aclimb.fuse import FuseOptions, Member, forget, fuse, plan_of

A2, A3 = "Ascend910B1", "Ascend910_9392"
Change = tuple[int, Any]  # of which member, to what

BINARIES = {
    "soc": lambda binary: replace(binary, record=replace(binary.record, soc=A2, family="A2")),
    "cores of the soc": lambda binary: replace(binary, record=replace(binary.record, soc="Ascend910_9372")),
    "host": lambda binary: replace(binary, record=replace(binary.record, host="riscv64")),
    "compiler": lambda binary: replace(binary, record=replace(binary.record, compiler="another")),
    "name": lambda binary: replace(binary, record=replace(binary.record, name="another")),
    "facts": lambda binary: replace(binary, kernels=tuple(replace(each, early_start_set=False) for each in binary.kernels)),
    "images": lambda binary: replace(binary, images=binary.images | {"aiv": binary.images["aiv"] + b"\0"}),
    "abi": lambda binary: replace(binary, abi=binary.abi + 1),
}
MEMBERS: dict[str, Change] = {
    "num_blocks": (1, 3),
    "kernel": (1, "v"),
    "tiling_key": (0, 2),
    "task_type": (0, "dynamic"),
    "stream": (1, 1),
    "sends": (1, (5,)),
    "receives": (2, (5,)),
    "early_start_set": (1, False),
    "early_start_wait": (2, False),
    "split_mode": (1, 2),
}
OPTIONS: dict[str, Any] = {
    "early_start": 0, "preload_code": "max", "split_mode": 2, "func_align": 256, "stream_fusion": 1, "feed_sync_all": 1,
    "debug_sync_all": 1, "debug_dcci_all": 1, "profiling": 1, "debug_aic_num": 4, "debug_aiv_num": 6,
    "dcci_before_kernel_start": ("v_set",), "dcci_after_kernel_end": ("v_set",), "dcci_disable_on_kernel": ("v_set",),
    "strict_scope_check": "abort", "compile_options": ("-g",),
}  # fmt: skip


@pytest.fixture(scope="module")
def binaries() -> tuple[KernelBinary, KernelBinary]:
    return Program(KERNELS / "dynamic.cpp").compile(), Program(KERNELS / "chain.cpp").compile()


@pytest.fixture(autouse=True)
def _own_cache() -> Iterator[None]:
    forget()
    yield
    forget()


def chain(binaries: tuple[KernelBinary, KernelBinary]) -> list[Member]:
    first, others = binaries
    return [Member(first, 2, "scaled", tiling_key=1), Member(others, 2, "v_set"), Member(others, 2, "v_wait")]


def outcome(call: Callable[[], KernelBinary]) -> Any:
    """What a caller can see of it: the whole binary, or the refusal."""
    try:
        made = call()
    except errors.AclimbError as error:
        return str(error)
    return made.record, made.kernels, made.images, made.plan


def check(base: Callable[[], KernelBinary], other: Callable[[], KernelBinary]) -> None:
    """The other call gives what it gives where the cache is empty, which is not what the first one gives."""
    wanted = outcome(other)
    forget()
    assert outcome(base) != wanted
    assert outcome(other) == wanted
    assert base() is base()


def test_the_changes_below_are_all_there_are() -> None:
    assert {"binary", *MEMBERS} == {field.name for field in fields(Member)}
    assert set(OPTIONS) == {field.name for field in fields(FuseOptions)}


@pytest.mark.parametrize("what", [each for each in BINARIES if each not in ("images", "abi")])
def test_another_binary_gets_its_own_plan(what: str, binaries: tuple[KernelBinary, KernelBinary]) -> None:
    members = chain(binaries)
    changed = [replace(each, binary=BINARIES[what](each.binary)) for each in members]
    check(lambda: fuse(members), lambda: fuse(changed))


@pytest.mark.parametrize("what", ["images", "abi"])
def test_other_code_is_fused_anew(what: str, binaries: tuple[KernelBinary, KernelBinary]) -> None:
    members = chain(binaries)
    made = fuse(members)
    assert fuse([*members[:2], replace(members[2], binary=BINARIES[what](members[2].binary))]) is not made


@pytest.mark.parametrize("what", MEMBERS)
def test_another_member_gets_its_own_plan(what: str, binaries: tuple[KernelBinary, KernelBinary]) -> None:
    members = chain(binaries)
    index, value = MEMBERS[what]
    changed = [*members[:index], replace(members[index], **{what: value}), *members[index + 1 :]]
    check(lambda: fuse(members), lambda: fuse(changed))


@pytest.mark.parametrize("what", OPTIONS)
def test_other_options_get_their_own_plan(what: str, binaries: tuple[KernelBinary, KernelBinary]) -> None:
    members = chain(binaries)
    check(lambda: fuse(members), lambda: fuse(members, FuseOptions(**{what: OPTIONS[what]})))


def test_a_list_of_two_names_is_not_one_name_with_a_comma(binaries: tuple[KernelBinary, KernelBinary]) -> None:
    one, two = (FuseOptions(dcci_before_kernel_start=names) for names in (("v_set,v_wait",), ("v_set", "v_wait")))
    check(lambda: fuse(chain(binaries), one, name="s"), lambda: fuse(chain(binaries), two, name="s"))


def test_another_name_gets_its_own_plan(binaries: tuple[KernelBinary, KernelBinary]) -> None:
    check(lambda: fuse(chain(binaries), name="one"), lambda: fuse(chain(binaries), name="two"))


def test_the_same_producers_are_asked_for_other_events(binaries: tuple[KernelBinary, KernelBinary]) -> None:
    """Kernels are named alike whatever the numbers of their events; whether they can run is another matter."""
    others = binaries[1]

    def waiting(event: int, needs: tuple[int, int] = (0, 1)) -> KernelBinary:
        return fuse([Member(others, 48, "v"), Member(others, 48, "v", receives=(event,))], producers={7: needs})

    check(lambda: waiting(8), lambda: waiting(7))
    check(lambda: waiting(7, (1, 0)), lambda: waiting(7))


@pytest.mark.requirement("sk-28")
@pytest.mark.parametrize("order", [(A2, A3), (A3, A2)])
def test_each_soc_keeps_its_own_early_start_in_one_process(order: tuple[str, str]) -> None:
    """A kernel that breaks the rules of early start is an error on A3 and harmless on A2, whichever was fused first."""
    source = """#include "kernel_operator.h"
extern "C" __global__ __vector__ void broken(GM_ADDR x) { if (AscendC::GetBlockIdx() != 2) AscendC::SetNextTaskStart(); }
"""
    found = {}
    for soc in order:
        device = Device(0, soc=soc)
        made = fuse([(Program(source, name="broken", soc=soc).compile(), 4)] * 2)
        assert (made.soc, plan_of(made).subs[0].sets) == (soc, soc == A3)
        stream, x = Stream(device), Buffer.from_array(np.zeros(8, np.float32), device)
        launch(stream, LaunchConfig(4), Kernel(made), x, x)
        try:
            stream.synchronize()
            found[soc] = "runs"
        except errors.EarlyStartMismatch:
            found[soc] = "refused"
    assert found == {A2: "runs", A3: "refused"}
