# SPDX-License-Identifier: Apache-2.0
"""How functions of the operator library behave: in the order of their stream, named in a timeline, refused with a code and a sentence."""

from __future__ import annotations

import ctypes
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import acl
import aclimb
from aclimb import capi
from aclimb.host import places
from aclimb.op import aclnn
from aclimb.op.builtin import ROWS
from op_library import Out, Tensor, call, library, plan, run

ROOT = Path(__file__).parents[2]
NULLPTR, INVALID, NO_EXECUTOR, FAILED, EXCEPTION = 161001, 161002, 561101, 361001, 507018


@pytest.fixture
def x() -> np.ndarray:
    return np.arange(8, dtype=np.float32)


def told() -> str:
    text: str = acl.get_recent_err_msg()
    return text


# --- a task of its stream


@pytest.mark.requirement("tool-27")
def test_an_operator_runs_as_a_task_of_its_stream_and_not_at_the_call(stream: int, x: np.ndarray) -> None:
    gate = threading.Event()
    tensor, one = Tensor(x), aclnn.aclCreateScalar(1.0, 0)
    assert capi.aclrtLaunchHostFunc(stream, lambda _: gate.wait(20), None) == 0
    for _ in range(3):
        code, executor = plan("aclnnInplaceAdds", [tensor.handle, one, one])
        assert (code, run("aclnnInplaceAdds", executor, stream)) == (0, 0)
    before = tensor.read().copy()
    gate.set()
    assert acl.rt.synchronize_stream(stream) == 0
    np.testing.assert_array_equal(before, x)
    np.testing.assert_array_equal(tensor.read(), x + 3)
    tensor.free()


@pytest.mark.requirement("tool-27")
def test_two_streams_are_ordered_by_an_event(stream: int, x: np.ndarray) -> None:
    other, ret = acl.rt.create_stream()
    event, _ = acl.rt.create_event()
    a, b, one = Tensor(x), Tensor(np.zeros_like(x)), aclnn.aclCreateScalar(1.0, 0)
    gate = threading.Event()
    assert capi.aclrtLaunchHostFunc(stream, lambda _: gate.wait(20), None) == 0
    assert run("aclnnInplaceAdds", plan("aclnnInplaceAdds", [a.handle, one, one])[1], stream) == 0
    assert acl.rt.record_event(event, stream) == 0
    assert acl.rt.stream_wait_event(other, event) == 0
    assert run("aclnnAdd", plan("aclnnAdd", [a.handle, a.handle, one, b.handle])[1], other) == 0
    gate.set()
    assert acl.rt.synchronize_stream(other) == 0
    np.testing.assert_array_equal(b.read(), 2 * (x + 1))
    acl.rt.synchronize_stream(stream)
    a.free(), b.free()
    assert acl.rt.destroy_event(event) == acl.rt.destroy_stream(other) == ret == 0


def test_a_timeline_names_an_operator_and_says_that_the_host_computed_it(stream: int, x: np.ndarray) -> None:
    with aclimb.profile() as profile:
        call("aclnnAdd", [x, x, 1, Out(x + x)], stream)
    names = [row["name"] for row in profile.json()["host"]]
    assert "aclnnAdd (computed by the host)" in names, names
    assert [row["label"] for row in profile.log if row["kind"] == "call"] == ["aclnnAdd"]


def test_a_captured_operator_runs_with_each_replay(stream: int, x: np.ndarray) -> None:
    tensor, one = Tensor(x), aclnn.aclCreateScalar(1.0, 0)
    assert capi.aclmdlRICaptureBegin(stream, 0) == 0
    assert run("aclnnInplaceAdds", plan("aclnnInplaceAdds", [tensor.handle, one, one])[1], stream) == 0
    model, ret = capi.aclmdlRICaptureEnd(stream)
    assert ret == 0
    np.testing.assert_array_equal(tensor.read(), x)
    for _ in range(3):
        assert capi.aclmdlRIExecuteAsync(model, stream) == 0
    assert acl.rt.synchronize_stream(stream) == 0
    np.testing.assert_array_equal(tensor.read(), x + 3)
    assert capi.aclmdlRIDestroy(model) == 0
    tensor.free()


def test_an_executor_runs_once_unless_it_is_made_to_repeat(stream: int, x: np.ndarray) -> None:
    tensor, one = Tensor(x), aclnn.aclCreateScalar(1.0, 0)
    _, executor = plan("aclnnInplaceAdds", [tensor.handle, one, one])
    assert run("aclnnInplaceAdds", executor, stream) == 0
    assert run("aclnnInplaceAdds", executor, stream) == INVALID
    _, executor = plan("aclnnInplaceAdds", [tensor.handle, one, one])
    assert aclnn.aclSetAclOpExecutorRepeatable(executor) == 0
    assert aclnn.aclSetInputTensorAddr(executor, 0, tensor.handle, tensor.address) == INVALID
    assert "the addresses of aclnnInplaceAdds cannot be changed; plan it again with other tensors" in told()
    assert run("aclnnInplaceAdds", executor, stream) == run("aclnnInplaceAdds", executor, stream) == 0
    assert acl.rt.synchronize_stream(stream) == 0
    np.testing.assert_array_equal(tensor.read(), x + 3)
    assert aclnn.aclDestroyAclOpExecutor(executor) == 0
    tensor.free()


# --- refusals


def test_what_is_null_or_of_another_format_is_refused_at_the_call(stream: int, x: np.ndarray) -> None:
    tensor = Tensor(x)
    assert plan("aclnnAdd", [tensor.handle, 0, 0, tensor.handle])[0] == NULLPTR
    assert "aclnnAddGetWorkspaceSize: other is NULL" in told()
    assert plan("aclnnAdd", [tensor.handle, tensor.handle, 0, tensor.handle])[0] == NULLPTR
    assert "alpha is NULL" in told()
    fractal = aclnn.aclCreateTensor([16, 16], 0, None, 0, 29, [1, 1, 16, 16], tensor.address)
    assert plan("aclnnNeg", [fractal, tensor.handle])[0] == INVALID
    assert "self has format 29; aclimb's operator library takes plain formats, such as 2 (ND)" in told()
    host = aclnn.aclCreateTensor([8], 0, None, 0, 2, [8], x.ctypes.data)
    assert plan("aclnnNeg", [host, tensor.handle])[0] == INVALID
    assert f"the data of self is at 0x{x.ctypes.data:x}, which is host memory" in told()
    _, executor = plan("aclnnNeg", [tensor.handle, tensor.handle])
    assert run("aclnnAbs", executor, stream) == INVALID
    assert "the executor is one of aclnnNeg, not of aclnnAbs" in told()
    assert aclnn.aclDestroyAclOpExecutor(executor) == 0
    tensor.free()


def test_memory_that_was_freed_is_told_by_the_next_synchronise(stream: int, x: np.ndarray) -> None:
    tensor, out = Tensor(x), Tensor(x)
    _, executor = plan("aclnnNeg", [tensor.handle, out.handle])
    assert acl.rt.free(tensor.address) == 0
    assert run("aclnnNeg", executor, stream) == 0
    assert acl.rt.synchronize_stream(stream) == EXCEPTION
    assert f"aclnnNeg: self: 32 bytes at 0x{tensor.address:x} cannot be used: that is device memory that was freed" in told()
    out.free()


def test_shapes_that_do_not_fit_and_indices_outside_are_told_by_the_next_synchronise(stream: int, x: np.ndarray) -> None:
    for name, arguments, words in (
        ("aclnnAdd", [x, x[:3], 1, Out(x)], "aclnnAdd: operands could not be broadcast together"),
        ("aclnnTake", [x, np.array([8]), Out(x[:1])], "aclnnTake: index 8 is outside of a dim of 8"),
        ("aclnnFloorDivide", [np.ones(2, np.int32), np.zeros(2, np.int32), Out(np.ones(2, np.int32))], "an integer is divided by zero"),
        ("aclnnMaskedSelect", [x, x >= 0, Out(x[:3])], "the output has room for 3 elements; 8 are there"),
    ):
        with pytest.raises(AssertionError, match=words):
            call(name, arguments, stream)
    call("aclnnAdd", [x, x, 1, Out(x + x)], stream)  # and the stream goes on


def test_a_function_that_is_not_served_says_what_to_do() -> None:
    told()  # what was said before
    for name, near in (("aclnnGelu", "; it has aclnnRelu"), ("aclnnFlashAttentionScore", "")):
        assert library()[f"{name}GetWorkspaceSize"]() == NO_EXECUTOR
        text = told()
        assert f"{name}GetWorkspaceSize: aclimb's operator library has no {name}{near}" in text
        assert text.rstrip().endswith("move the tensors to the CPU (.cpu()), or run a kernel of your own")
        assert library()[name](None, ctypes.c_uint64(0), None, None) == FAILED


def test_an_operator_by_name_says_what_to_do() -> None:
    assert capi.aclopCompileAndExecute("Conv2D", 0, [], [], 0, [], [], 0, 0, 0, None, 0) == 100024
    words = ("aclopCompileAndExecute: aclimb has no operator Conv2D; move the tensors to the CPU (.cpu()), run a kernel of your own on "
             "them, or name the package that has the operator in ASCEND_CUSTOM_OPP_PATH")  # fmt: skip
    assert words in told()
    assert capi.aclopCompileAndExecuteV2(None, 0, [], [], 0, [], [], 0, 0, 0, None, 0) == 100000


ROOM, SLACK = 64, 16  # elements of a buffer, and more than what malloc adds to it


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(-1, 12)), max_size=3), st.integers(0, 20))
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_whatever_view_is_given_is_right_or_refused(stream: int, sides: list[tuple[int, int]], offset: int) -> None:
    dims, strides = [side for side, _ in sides], [stride for _, stride in sides]
    memory = Tensor(np.arange(ROOM, dtype=np.float32))
    view = aclnn.aclCreateTensor(dims, 0, strides, offset, 2, [ROOM], memory.address)
    out = Tensor(np.zeros(dims, np.float32))
    code, executor = plan("aclnnNeg", [view, out.handle])
    last = offset + sum((side - 1) * stride for side, stride in sides)
    if any(stride < 0 for stride in strides):
        assert code == INVALID
        assert "none may be below 0" in told()
    elif 0 in dims or last < ROOM:
        assert (code, run("aclnnNeg", executor, stream), acl.rt.synchronize_stream(stream)) == (0, 0, 0)
        want = -np.lib.stride_tricks.as_strided(np.arange(ROOM, dtype=np.float32)[offset:], dims, [4 * stride for stride in strides])
        np.testing.assert_array_equal(out.read(), want if 0 not in dims else np.zeros(dims))
    elif last >= ROOM + SLACK:
        assert (code, run("aclnnNeg", executor, stream)) == (0, 0)
        assert acl.rt.synchronize_stream(stream) == EXCEPTION
        assert "aclnnNeg: self: " in told()
    elif code == 0:
        aclnn.aclDestroyAclOpExecutor(executor)
    aclnn.aclDestroyTensor(view)
    memory.free(), out.free()


# --- the library


def test_the_library_resolves_what_torch_npu_looks_up_in_it() -> None:
    objects = ("Tensor", "Scalar", "IntArray", "BoolArray", "TensorList", "ScalarList")
    names = [f"acl{verb}{each}" for verb in ("Create", "Destroy") for each in objects]
    for name in (*names, "InitHugeMemThreadLocal", "UnInitHugeMemThreadLocal", "ReleaseHugeMem"):
        assert library()[name]
    assert library().InitHugeMemThreadLocal(None, False) == 0


def test_every_name_of_the_list_is_in_the_library_once_and_newer_versions_of_served_ones_are_not() -> None:
    sys.path.insert(0, str(ROOT / "tools"))
    from make_op_library import prototypes, refused

    served = prototypes(ROOT / "src/aclimb/op/builtin")
    assert {name: [letter for letter, _ in parameters] for name, parameters in served.items()} == \
           {name: [letter[0] for letter, _ in row.parameters] for name, row in ROWS.items()}  # fmt: skip
    names = [each for each in (ROOT / "host/src/aclnn_names.txt").read_text().splitlines() if each.startswith("aclnn")]
    others = refused(names, set(served))
    assert not set(others) & set(served)
    assert "aclnnMeanV3" not in refused(["aclnnMeanV3"], {"aclnnMean"})
    for name in (*served, *others):
        assert library()[name]
        assert library()[f"{name}GetWorkspaceSize"]


def test_a_c_program_links_to_it_and_gets_its_result(tmp_path: Path) -> None:
    source = tmp_path / "neg.cpp"
    source.write_text("""
#include "acl/acl.h"
#include "aclnn/acl_meta.h"
#include <cstdio>
extern "C" aclnnStatus aclnnNegGetWorkspaceSize(const aclTensor*, aclTensor*, uint64_t*, aclOpExecutor**);
extern "C" aclnnStatus aclnnNeg(void*, uint64_t, aclOpExecutor*, aclrtStream);
int main() {
    aclInit(nullptr);
    aclrtSetDevice(0);
    float x[2] = {1, -2};
    void* device;
    aclrtMalloc(&device, sizeof x, ACL_MEM_MALLOC_HUGE_FIRST);
    aclrtMemcpy(device, sizeof x, x, sizeof x, ACL_MEMCPY_HOST_TO_DEVICE);
    int64_t dims[1] = {2}, strides[1] = {1};
    aclTensor* tensor = aclCreateTensor(dims, 1, ACL_FLOAT, strides, 0, ACL_FORMAT_ND, dims, 1, device);
    uint64_t size;
    aclOpExecutor* executor;
    int code = aclnnNegGetWorkspaceSize(tensor, tensor, &size, &executor) + aclnnNeg(nullptr, size, executor, nullptr);
    aclrtSynchronizeDevice();
    aclrtMemcpy(x, sizeof x, device, sizeof x, ACL_MEMCPY_DEVICE_TO_HOST);
    printf("%d %g %g\\n", code, x[0], x[1]);
}
""")
    from aclimb.host.prefix import prefix

    root = prefix()
    command = [
        str(root / "bin/bisheng"),
        str(source),
        f"-L{root / 'lib64'}",
        "-lopapi",
        "-lnnopbase",
        "-lascendcl",
        "-o",
        str(tmp_path / "neg"),
    ]
    subprocess.run(command, check=True, timeout=600)
    done = subprocess.run([str(tmp_path / "neg")], capture_output=True, text=True, timeout=600, check=False)
    assert done.stdout == "0 -1 2\n", done.stderr
    assert places.library().with_name("libopapi.so").is_file()
