# SPDX-License-Identifier: Apache-2.0
"""acl.op up to an execution: selectors, kernels, what a selector says, attributes, and the codes of what goes wrong."""

from __future__ import annotations

import ctypes
import dataclasses
import threading
from typing import Any

import numpy as np
import pytest
from acl_parts import AICORE, OP, SYS, VECTOR, Single, choosing, message, ok, set_args, set_sizes, tiling
from op_parts import floats

import acl
from aclimb import Device, capi, op

NAMES = """
register_compile_func unregister_compile_func create_kernel set_kernel_args set_kernel_workspace_sizes update_params execute_v2
create_handle execute_with_handle destroy_handle set_max_op_queue_num infer_shape create_attr destroy_attr set_attr_bool set_attr_int
set_attr_float set_attr_string set_attr_list_bool set_attr_list_int set_attr_list_float set_attr_list_string set_attr_list_list_int
set_attr_data_type
"""
C_NAMES = """
aclopRegisterCompileFunc aclopUnregisterCompileFunc aclopCreateKernel aclopSetKernelArgs aclopSetKernelWorkspaceSizes aclopUpdateParams
aclopExecuteV2 aclopCreateHandle aclopExecWithHandle aclopDestroyHandle aclopSetMaxOpQueueNum aclopInferShape aclopCreateAttr
aclopDestroyAttr aclopSetAttrBool aclopSetAttrInt aclopSetAttrFloat aclopSetAttrString aclopSetAttrListBool aclopSetAttrListInt
aclopSetAttrListFloat aclopSetAttrListString aclopSetAttrListListInt aclopSetAttrDataType
"""


@pytest.mark.requirement("op-76")
@pytest.mark.parametrize("name", NAMES.split())
def test_every_function_is_there_and_takes_no_keyword(name: str) -> None:
    function = getattr(acl.op, name)
    with pytest.raises(TypeError):
        function(no_such_argument=1)


@pytest.mark.requirement("op-76")
@pytest.mark.parametrize("name", C_NAMES.split())
def test_the_c_names_are_in_capi(name: str) -> None:
    assert callable(getattr(capi, name))
    assert not hasattr(acl.op, name)


@pytest.mark.requirement("op-76")
def test_answers_have_pyacls_shape(single: Single) -> None:
    x, z = single.tensor(floats(2)), single.out()
    attr = acl.op.create_attr()
    assert type(attr) is int
    assert attr
    assert acl.op.set_attr_int(attr, "n", 1) == 0
    changed = acl.op.set_attr_data_type(attr, "t", 1)
    assert isinstance(changed, tuple)
    assert len(changed) == 2
    assert changed[1] == 0
    assert acl.op.destroy_attr(attr) is None
    assert type(acl.op.unregister_compile_func(OP)) is int
    handle = acl.op.create_handle(OP, [x.desc], [z.desc], 0)
    assert isinstance(handle, tuple)
    assert len(handle) == 2
    assert acl.op.destroy_handle(handle[0]) is None


@pytest.mark.requirement("host-141", "op-77")
def test_a_second_selector_is_refused_until_the_first_is_taken_back(single: Single) -> None:
    single.select(OP, choosing("k", b"1"))
    assert acl.op.register_compile_func(OP, choosing("k", b"1")) == 100030
    assert OP in message()
    assert acl.op.unregister_compile_func(OP) == 0
    assert acl.op.register_compile_func(OP, choosing("k", b"1")) == 0
    assert acl.op.unregister_compile_func(OP) == 0
    assert acl.op.unregister_compile_func(OP) == 0
    assert acl.op.unregister_compile_func("Nobody") == 0


@pytest.mark.requirement("host-141")
def test_a_selector_has_to_be_callable(single: Single) -> None:
    for wrong in (None, 5, "text"):
        with pytest.raises(TypeError):
            acl.op.register_compile_func(OP, wrong)


@pytest.mark.requirement("host-142", "op-77")
def test_kernels_have_an_engine_and_an_id_of_their_own(single: Single) -> None:
    assert single.create_kernel(OP, "k", "inline_bytes", SYS) == 100000
    assert single.create_kernel(OP, "k", "inline_bytes", VECTOR) == 0
    assert single.create_kernel(OP, "k", "inline_bytes", VECTOR) == 100031
    assert single.create_kernel(OP, "other", "inline_bytes", AICORE) == 0
    assert single.create_kernel("Another", "k", "inline_bytes") == 0


@pytest.mark.requirement("host-142")
def test_a_kernel_has_to_be_in_its_binary(single: Single) -> None:
    data, size = single.data("inline_bytes")
    assert acl.op.create_kernel(OP, "k", "nobody", data, size, VECTOR, 0) != 0
    assert "nobody" in message()
    assert acl.op.create_kernel(OP, "k", "inline_bytes", 0, size, VECTOR, 0) == 100000
    assert acl.op.create_kernel(OP, "k", "inline_bytes", data, 0, VECTOR, 0) == 100000
    assert acl.op.create_kernel(OP, "k", "inline_bytes", data, 64, VECTOR, 0) != 0
    assert acl.op.create_kernel(OP, "k", "inline_bytes", data, size, VECTOR, 0) == 0, "what failed was not registered"


@pytest.mark.requirement("host-143", "op-77")
def test_an_update_needs_a_selector_and_a_kernel_that_exists(single: Single) -> None:
    x, z = single.tensor(floats(2)), single.out()
    assert acl.op.update_params(OP, [x.desc], [z.desc], 0) == 100028
    single.select(OP, choosing("nobody", b"1"))
    assert acl.op.update_params(OP, [x.desc], [z.desc], 0) == 100029
    assert "nobody" in message()
    single.select("Silent", lambda *args: None)
    assert acl.op.update_params("Silent", [x.desc], [z.desc], 0) == 100029, "a selector that chose nothing"


@pytest.mark.requirement("host-144", "op-79")
def test_a_selector_gets_counts_descriptors_attributes_and_a_description(single: Single) -> None:
    seen: list[Any] = []

    def select(*args: Any) -> None:
        seen.append((args[:5], threading.get_ident()))
        dims = [acl.get_tensor_desc_dim_v2(args[1][0], i) for i in (0, 1)]
        seen.append((dims, acl.get_tensor_desc_type(args[3][0]), type(args[5])))
        set_args(args[5], "k", 1, tiling())

    x, y, z, attr = single.tensor(np.zeros((2, 3), np.float32)), single.tensor(floats(1)), single.out(), single.attr()
    assert single.create_kernel(OP, "k", "inline_bytes") == 0
    single.select(OP, select)
    assert seen == []
    ok(acl.op.update_params(OP, [x.desc, y.desc], [z.desc], attr))
    (arguments, thread), facts = seen
    assert (arguments[0], len(arguments[1]), arguments[2], len(arguments[3])) == (2, 2, 1, 1)
    assert thread == threading.get_ident()
    assert facts == ([(2, 0), (3, 0)], 10, int)


@pytest.mark.requirement("host-144", "op-79")
def test_a_selector_that_raises_gives_500001_with_its_traceback(single: Single) -> None:
    def deep() -> None:
        raise ZeroDivisionError("my own mistake")

    def select(*args: Any) -> None:
        set_args(args[5], "k", 1, tiling())
        deep()

    x, z = single.tensor(floats(2)), single.out()
    assert single.create_kernel(OP, "k", "inline_bytes") == 0
    single.select(OP, select)
    message()
    assert acl.op.update_params(OP, [x.desc], [z.desc], 0) == 500001
    text = message()
    for word in ("ZeroDivisionError", "my own mistake", "in deep", "test_acl_op.py"):
        assert word in text
    assert acl.op.execute_v2(OP, [x.desc], [x.buffer], [z.desc], [z.buffer], 0, single.stream) == 100024, "nothing was stored"


@pytest.mark.requirement("op-79")
@pytest.mark.parametrize("code", [7, 100000, 500001])
def test_the_code_of_a_selector_is_returned_and_nothing_stored(single: Single, code: int) -> None:
    def select(*args: Any) -> int:
        set_args(args[5], "k", 1, tiling())
        return code

    x, z = single.tensor(floats(2)), single.out()
    assert single.create_kernel(OP, "k", "inline_bytes") == 0
    single.select(OP, select)
    assert acl.op.update_params(OP, [x.desc], [z.desc], 0) == code
    assert acl.op.execute_v2(OP, [x.desc], [x.buffer], [z.desc], [z.buffer], 0, single.stream) == 100024


@pytest.mark.requirement("host-146", "op-78")
def test_sizes_are_checked(single: Single) -> None:
    codes: list[int] = []

    def select(*args: Any) -> None:
        desc, array = args[5], np.array([64], np.uint64)
        codes.append(acl.op.set_kernel_workspace_sizes(desc, 0, 0))
        codes.append(acl.op.set_kernel_workspace_sizes(desc, 0, array.ctypes.data))
        codes.append(acl.op.set_kernel_workspace_sizes(desc, -1, array.ctypes.data))
        codes.append(acl.op.set_kernel_workspace_sizes(desc, 1, 0))
        codes.append(acl.op.set_kernel_workspace_sizes(0, 1, array.ctypes.data))
        codes.append(capi.aclopSetKernelWorkspaceSizes(desc, 1, None))
        codes.append(capi.aclopSetKernelWorkspaceSizes(None, 0, None))
        codes.append(capi.aclopSetKernelWorkspaceSizes(desc, 1, array.ctypes.data))
        set_args(desc, "k", 1, tiling())

    x, z = single.tensor(floats(2)), single.out()
    assert single.create_kernel(OP, "k", "inline_bytes") == 0
    single.select(OP, select)
    ok(acl.op.update_params(OP, [x.desc], [z.desc], 0))
    assert codes == [0, 0, 100000, 100000, 100000, 100000, 100000, 0]


@pytest.mark.requirement("host-145", "op-78")
def test_arguments_are_checked(single: Single) -> None:
    codes: list[int] = []

    def select(*args: Any) -> None:
        host = ctypes.create_string_buffer(16)
        codes.append(acl.op.set_kernel_args(args[5], "k", 1, 0, 0))
        codes.append(acl.op.set_kernel_args(args[5], "k", 1, 0, 16))
        codes.append(acl.op.set_kernel_args(0, "k", 1, ctypes.addressof(host), 16))
        codes.append(acl.op.set_kernel_args(args[5], "k", 1, ctypes.addressof(host), 16))

    x, z = single.tensor(floats(2)), single.out()
    assert single.create_kernel(OP, "k", "inline_bytes") == 0
    single.select(OP, select)
    ok(acl.op.update_params(OP, [x.desc], [z.desc], 0))
    assert codes == [100000, 100000, 100000, 0]


@pytest.mark.requirement("op-79")
def test_a_description_ends_with_its_selector(single: Single) -> None:
    kept: list[int] = []

    def select(*args: Any) -> None:
        set_args(args[5], "k", 1, tiling())
        kept.append(args[5])

    x, z = single.tensor(floats(2)), single.out()
    assert single.create_kernel(OP, "k", "inline_bytes") == 0
    single.select(OP, select)
    ok(acl.op.update_params(OP, [x.desc], [z.desc], 0))
    assert set_sizes(kept[0], 64) != 0


@pytest.mark.requirement("host-151")
def test_attributes_of_every_type_reach_the_selector(single: Single) -> None:
    seen: list[Any] = []

    def select(*args: Any) -> None:
        seen.append(op.attributes(args[4]))
        set_args(args[5], "k", 1, tiling())

    attr = single.attr()
    ok(acl.op.set_attr_bool(attr, "on", np.True_))
    ok(acl.op.set_attr_int(attr, "count", -5))
    ok(acl.op.set_attr_float(attr, "rate", 0.5))
    ok(acl.op.set_attr_string(attr, "mode", "fast"))
    ok(acl.op.set_attr_list_bool(attr, "flags", [1, np.False_]))
    ok(acl.op.set_attr_list_int(attr, "pads", [1, -2, 2**40]))
    ok(acl.op.set_attr_list_float(attr, "rates", [0.25, 4.0]))
    ok(acl.op.set_attr_list_string(attr, "names", ["a", "b"]))
    ok(acl.op.set_attr_list_list_int(attr, "pairs", [[1], [2, 3]]))
    ok(acl.op.set_attr_data_type(attr, "type", 27))
    ok(acl.op.set_attr_int(attr, "count", 6))
    x, z = single.tensor(floats(2)), single.out()
    assert single.create_kernel(OP, "k", "inline_bytes") == 0
    single.select(OP, select)
    ok(acl.op.update_params(OP, [x.desc], [z.desc], attr))
    assert seen == [
        {
            "on": True,
            "count": 6,
            "rate": 0.5,
            "mode": "fast",
            "flags": [True, False],
            "pads": [1, -2, 2**40],
            "rates": [0.25, 4.0],
            "names": ["a", "b"],
            "pairs": [[1], [2, 3]],
            "type": 27,
        }
    ]


@pytest.mark.requirement("host-151")
def test_an_attribute_set_that_was_destroyed_is_refused(single: Single) -> None:
    attr = acl.op.create_attr()
    acl.op.destroy_attr(attr)
    for wrong in (attr, 0):
        assert acl.op.set_attr_int(wrong, "n", 1) != 0
    assert acl.op.destroy_attr(0) is None


@pytest.mark.requirement("op-76")
@pytest.mark.parametrize(
    ("name", "args"),
    [
        ("register_compile_func", (OP, print)),
        ("unregister_compile_func", (OP,)),
        ("create_kernel", (OP, "k", "n", 64, 64, VECTOR, 0)),
        ("set_kernel_args", (64, "k", 1, 64, 8)),
        ("set_kernel_workspace_sizes", (64, 1, 64)),
        ("update_params", (OP, [], [], 0)),
        ("execute_v2", (OP, [], [], [], [], 0, 0)),
        ("set_max_op_queue_num", (5,)),
    ],
)
def test_other_products_than_a2_and_a3_do_not_have_it(
    single: Single, monkeypatch: pytest.MonkeyPatch, name: str, args: tuple[Any, ...]
) -> None:
    device = Device(0)
    monkeypatch.setattr(device, "chip", dataclasses.replace(device.chip, name="Ascend950", family="950"))
    assert getattr(acl.op, name)(*args) == 200001
    assert "A2" in message()
    monkeypatch.undo()


@pytest.mark.requirement("op-76")
@pytest.mark.parametrize("soc", ["Ascend910B1", "Ascend910_9392"])
def test_a2_and_a3_have_it(single: Single, monkeypatch: pytest.MonkeyPatch, soc: str) -> None:
    from aclimb import chips

    monkeypatch.setattr(Device(0), "chip", chips.load(soc))
    assert acl.op.register_compile_func(OP, choosing("k", b"1")) == 0
    assert acl.op.unregister_compile_func(OP) == 0
    monkeypatch.undo()
