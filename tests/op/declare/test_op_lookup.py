# SPDX-License-Identifier: Apache-2.0
"""Which registration is used: registries in order, the default implementation, what unregistering puts back, and threads."""

from __future__ import annotations

import logging
import re
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from op_parts import Find, Register, add_scaled, device, floats, same_shape, six_times, tile_add

from aclimb import Stream, op
from aclimb.errors import AclimbError


def one(ctx: Any) -> None: ...


def two(ctx: Any) -> None: ...


def library(**fields: Any) -> Any:
    """A registry with the type T; a field is called with its value."""
    made = op.OpImplRegistry()
    builder = op.OpImplRegisterV2("T", registry=made)
    for name, value in fields.items():
        getattr(builder, name)(*value if isinstance(value, tuple) else (value,))
    builder.commit()
    return made


@pytest.mark.requirement("op-10")
def test_the_first_registry_wins_and_later_ones_fill_what_is_missing() -> None:
    space = op.OpImplSpaceRegistry()
    space.add_registry(library(infer_shape=one, tiling=(one, 64)))
    space.add_registry(library(infer_shape=two, infer_data_type=two, tiling=(two, 128), host_inputs=[1]))
    found = space.get_op_impl("T")
    assert (found.infer_shape, found.infer_data_type, found.tiling, found.max_tiling_data_size) == (one, two, one, 64)
    assert found.host_inputs == 0b10


@pytest.mark.requirement("op-10")
def test_nullable_outputs_come_from_the_first_registry_that_has_them() -> None:
    space = op.OpImplSpaceRegistry()
    space.add_registry(library(infer_shape=one))
    space.add_registry(library(nullable_outputs=[2]))
    space.add_registry(library(nullable_outputs=[0]))
    assert space.get_op_impl("T").nullable_outputs == 0b100


@pytest.mark.requirement("op-10")
def test_half_of_a_pair_is_never_put_together_from_two_registries() -> None:
    space = op.OpImplSpaceRegistry()
    space.add_registry(library(op_2stage_execute_funcs=(one, None)))
    space.add_registry(library(op_2stage_execute_funcs=(two, two)))
    found = space.get_op_impl("T")
    assert (found.prepare, found.launch) == (two, two)


@pytest.mark.requirement("op-10")
def test_the_registry_of_the_process_is_asked_last(register: Register) -> None:
    space = op.OpImplSpaceRegistry()
    space.add_registry(library(infer_shape=one))
    assert space.get_op_impl("OnlyHere") is None
    register(op.OpImplRegisterV2("OnlyHere").infer_shape(two))
    register(op.OpImplRegisterV2("T").infer_shape(two).tiling(two))
    assert space.get_op_impl("OnlyHere").infer_shape is two
    found = space.get_op_impl("T")
    assert (found.infer_shape, found.tiling) == (one, None), "the type is in a registry, so the process is not asked"


@pytest.mark.requirement("op-10")
def test_the_same_registry_twice_is_no_mistake() -> None:
    space, same = op.OpImplSpaceRegistry(), library(infer_shape=one)
    space.add_registry(same)
    space.add_registry(same)
    assert space.get_op_impl("T").infer_shape is one
    assert space.get_op_impl("Unknown") is None


@pytest.mark.requirement("op-11")
def test_tiling_falls_back_to_the_default_implementation(kernel: Find, stream: Stream, register: Register) -> None:
    made = add_scaled(kernel, tiling=None)
    register(made)
    assert op.find_tiling("AddScaled") is None
    register(op.OpImplRegisterV2.default().tiling(tile_add))
    assert op.find_tiling("AddScaled") is tile_add
    np.testing.assert_array_equal(made(floats(5), floats(5), alpha=3.0, stream=stream).to_numpy(), 4 * floats(5))


@pytest.mark.requirement("op-11")
def test_an_operators_own_tiling_comes_before_the_default(register: Register) -> None:
    register(op.OpImplRegisterV2("Own").tiling(one).tiling_parse(one, compile_info=dict))
    register(op.OpImplRegisterV2("Other").infer_shape(one))
    default = op.default_impl()
    default.tiling(two)
    default.tiling_parse(list)(two)
    register(default)
    assert (op.find_tiling("Own"), op.find_tiling("Other")) == (one, two)
    assert (op.find_tiling_parse("Own"), op.find_tiling_parse("Other")) == (one, two)


@pytest.mark.requirement("op-11")
def test_shapes_and_execution_do_not_fall_back(kernel: Find, stream: Stream, register: Register) -> None:
    bare = op.define("Bare")
    bare.input("x", dtype=["float32"])
    bare.output("y", dtype=["float32"])
    register(bare)
    calls: list[str] = []
    register(
        op.OpImplRegisterV2.default()
        .infer_shape(lambda ctx: calls.append("infer"))
        .op_execute_func(lambda ctx: calls.append("execute"))
        .op_2stage_execute_funcs(lambda ctx: calls.append("prepare"), lambda ctx: calls.append("launch"))
    )
    x = device(floats(4))
    with pytest.raises(op.OpError, match="Bare"):
        bare(x, stream=stream)
    with pytest.raises(op.OpError, match="Do not find op execute function"):
        bare(x, out=device(floats(4)), stream=stream)
    assert calls == []


@pytest.mark.requirement("op-13")
def test_unregistering_puts_back_what_was_there() -> None:
    assert op.get("Layered") is None
    first = op.OpImplRegisterV2("Layered").infer_shape(one).commit()
    second = op.OpImplRegisterV2("Layered").infer_shape(two).tiling(two).commit()
    second.unregister()
    assert (op.get("Layered").infer_shape, op.get("Layered").tiling) == (one, None)
    first.unregister()
    assert op.get("Layered") is None
    assert "Layered" not in op.registry().types()
    first.unregister()  # a second time does nothing


@pytest.mark.requirement("op-13")
def test_a_registration_can_last_for_a_block(kernel: Find, stream: Stream) -> None:
    made = six_times(kernel)
    with made.registered():
        np.testing.assert_array_equal(made(floats(3), stream=stream).to_numpy(), 6 * floats(3))
    assert op.get("SixTimes") is None
    with pytest.raises(AclimbError, match=r"SixTimes.*register"):
        made(floats(3), stream=stream)


@pytest.mark.requirement("op-13")
def test_another_operator_of_the_type_names_both_places(register: Register) -> None:
    first = op.define("Twice").input("x", dtype=["float32"]).output("y", follow="x")
    register(first)
    second = op.define("Twice").input("x", dtype=["int32"]).output("y", follow="x")
    with pytest.raises(AclimbError, match="Twice") as caught:
        second.register()
    places = re.findall(r"(\w+\.py):(\d+)", str(caught.value))
    assert len(set(places)) >= 2, f"both places have to be named: {caught.value}"
    assert "override=True" in str(caught.value)
    assert op.get("Twice") is not None


@pytest.mark.requirement("op-13")
def test_an_override_replaces_and_gives_back(kernel: Find, stream: Stream, register: Register) -> None:
    first = six_times(kernel)
    register(first)
    calls: list[str] = []
    second = six_times(kernel, launch=lambda ctx: calls.append("launch"))
    handle = register(second, override=True)
    second(floats(3), stream=stream)
    assert calls == ["launch"]
    handle.unregister()
    np.testing.assert_array_equal(first(floats(3), stream=stream).to_numpy(), 6 * floats(3))


@pytest.mark.requirement("op-13")
def test_the_same_registration_again_changes_nothing_and_says_so(
    kernel: Find, register: Register, caplog: pytest.LogCaptureFixture
) -> None:
    made = six_times(kernel)
    handle = register(made)
    with caplog.at_level(logging.WARNING, "aclimb"):
        assert made.register() is handle
    assert "SixTimes" in caplog.text
    made.unregister()
    assert op.get("SixTimes") is None


@pytest.mark.requirement("op-13")
def test_a_registration_that_fails_changes_nothing() -> None:
    made = op.define("Lonely")
    made.input("x", dtype=["float32"])
    made.output("y", follow="x")
    made.prepare(one)  # and no launch
    with pytest.raises(AclimbError, match="Lonely"):
        made.register()
    assert op.get("Lonely") is None
    assert "Lonely" not in op.registry().types()


@pytest.mark.requirement("op-14")
def test_threads_register_and_unregister_at_the_same_time() -> None:
    start = threading.Barrier(8)

    def work(number: int) -> list[Any]:
        start.wait(30)
        found = []
        for turn in range(50):
            mine = op.OpImplRegisterV2(f"Mine{number}").infer_shape(one).commit()
            shared = op.OpImplRegisterV2("Shared").private_attr(f"from{number}", turn).commit()
            found.append(op.get(f"Mine{number}").infer_shape)
            mine.unregister()
            shared.unregister()
        return found

    with ThreadPoolExecutor(8) as pool:
        results = list(pool.map(work, range(8)))
    assert results == [[one] * 50] * 8
    op.registry().remove("Shared")
    assert [name for name in op.registry().types() if name.startswith("Mine")] == []


@pytest.mark.requirement("op-14")
def test_a_lookup_sees_a_whole_registration_or_none() -> None:
    stop = threading.Event()
    torn = []

    def look() -> None:
        while not stop.is_set():
            found = op.get("Whole")
            if found is not None and (found.infer_shape is None) != (found.prepare is None):
                torn.append(found)

    with ThreadPoolExecutor(1) as pool:
        looking = pool.submit(look)
        for _ in range(300):
            op.OpImplRegisterV2("Whole").infer_shape(same_shape).op_2stage_execute_funcs(one, two).commit().unregister()
        stop.set()
        looking.result(30)
    assert torn == []
    op.registry().remove("Whole")


@pytest.mark.requirement("op-98")
def test_an_import_registers_nothing_and_opens_no_device() -> None:
    script = (
        "import aclimb, acl\nfrom aclimb import op\nfrom aclimb.op import aclnn\n"
        "print(op.registry().types(), aclimb.live()['streams'], op.registry() is op.OpImplRegistry.instance())"
    )
    answer = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=600)
    assert answer.stdout.split("\n")[0] == "[] 0 True"
