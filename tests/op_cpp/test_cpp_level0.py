# SPDX-License-Identifier: Apache-2.0
"""Hand-written aclnn functions: opdev/*.h and aclnn_kernels/*.h, in a project and function by function."""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from cpp_parts import HERE, MORE_FLAGS, Build
from numpy.typing import NDArray

import acl
from aclimb import Buffer, Device, Kernel, Program, op
from aclimb.host import door, places, programs
from aclimb.host.prefix import prefix
from aclimb.op import aclnn
from aclimb.op.aclnn.executors import EXECUTORS
from aclimb.op.aclnn.objects import SCALARS, TENSORS, dtype_number
from aclimb.op.native.package import Package

EXAMPLE = HERE.parents[1] / "examples" / "cpp" / "aclnn_by_hand"
pytestmark = pytest.mark.skipif(bool(os.environ.get(MORE_FLAGS)), reason="the library for programs has no sanitizer")
ND, NZ, FLOAT, INT8 = 2, 29, 0, 2
NULL, INVALID, INNER_NULL = 161001, 161002, 561103
Array = NDArray[Any]


def at(array: Array) -> tuple[list[int], list[int], int, list[int]]:
    """dims, strides, offset and storage of a view, in elements of the whole array that it is a part of."""
    whole = array
    while isinstance(whole.base, np.ndarray):
        whole = whole.base
    size = array.itemsize
    offset = (array.ctypes.data - whole.ctypes.data) // size
    return list(array.shape), [each // size for each in array.strides], offset, list(whole.shape)


class Objects:
    """aclTensors of NumPy arrays, views included, with their memory."""

    def __init__(self) -> None:
        self.kept: list[Any] = []

    def tensor(self, array: Array | None) -> int:
        if array is None:
            return 0
        whole = array
        while isinstance(whole.base, np.ndarray):
            whole = whole.base
        dims, strides, offset, storage = at(array)
        buffer = Buffer.from_array(whole) if whole.size else None
        handle = aclnn.aclCreateTensor(dims, dtype_number(array.dtype), strides, offset, ND, storage, buffer.address if buffer else None)
        self.kept.append((handle, buffer, array))
        return handle

    def array(self, *values: int) -> int:
        return aclnn.aclCreateIntArray(values)

    def read(self, handle: int) -> Array:
        """What lies there now, as the view shows it."""
        buffer, array = next((buffer, array) for each, buffer, array in self.kept if each == handle)
        whole = buffer.to_numpy()
        dims, strides, offset, _ = at(array)
        flat = whole.reshape(-1)[offset:]
        return np.lib.stride_tricks.as_strided(flat, dims, [each * flat.itemsize for each in strides]).copy()


@pytest.fixture
def objects() -> Iterator[Objects]:
    made = Objects()
    yield made
    for handle, _, _ in made.kept:
        aclnn.aclDestroyTensor(handle)
    made.kept.clear()


def in_c(library: Path, types: dict[str, list[Any]], restypes: dict[str, Any] | None = None) -> ctypes.CDLL:
    door.open_door()
    ctypes.CDLL(str(places.library()), mode=os.RTLD_NOW | os.RTLD_GLOBAL)
    opened = ctypes.CDLL(str(library))
    for name, arguments in types.items():
        function = getattr(opened, name)
        function.argtypes, function.restype = arguments, (restypes or {}).get(name, ctypes.c_int32)
    return opened


P, U = ctypes.c_void_p, ctypes.c_uint64


class TwoPhases:
    """call(first phase's arguments...) runs both phases, in a workspace of exactly the size that is asked for."""

    def __init__(self, stream: int, first: Any, second: Any) -> None:
        self.stream, self.first, self.second = stream, first, second
        self.size, self.executor = U(), P()

    def plan(self, *arguments: Any) -> int:
        return int(self.first(*arguments, ctypes.byref(self.size), ctypes.byref(self.executor)))

    def run(self) -> int:
        workspace = Buffer(self.size.value, "uint8") if self.size.value else None
        code = int(self.second(workspace.address if workspace else None, self.size, self.executor, self.stream))
        assert acl.rt.synchronize_stream(self.stream) == 0, last_message()
        return code

    def __call__(self, *arguments: Any) -> int:
        code = self.plan(*arguments)
        return code or self.run()


@pytest.fixture
def stream() -> Iterator[int]:
    """acl's, on its device 0."""
    assert acl.rt.set_device(0) == 0
    made, ret = acl.rt.create_stream()
    assert ret == 0
    yield made
    assert acl.rt.destroy_stream(made) == 0


# --- the example: a project with its own aclnn functions


@pytest.fixture(scope="session")
def package(package_of: Callable[[Path], Package]) -> Package:
    return package_of(EXAMPLE)


@pytest.fixture
def affine(package: Package, stream: int) -> Iterator[TwoPhases]:
    opened = in_c(package.api, {"aclnnAffineGetWorkspaceSize": [P, P, P, P, P, P], "aclnnAffine": [P, U, P, P]})
    with package.load():
        yield TwoPhases(stream, opened.aclnnAffineGetWorkspaceSize, opened.aclnnAffine)


LOOKS: dict[str, Callable[[Array], Array]] = {
    "plain": lambda x: x,
    "transposed": lambda x: x.T,
    "every second column": lambda x: x[:, ::2],
    "rows from the middle": lambda x: x[3:9],
    "one broadcast row": lambda x: np.broadcast_to(x[2], x.shape),
}


@pytest.mark.parametrize("dtype", [np.float32, np.float16, ml_dtypes.bfloat16], ids=["float32", "float16", "bfloat16"])
@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("with_bias", [True, False], ids=["bias", "no bias"])
def test_a_function_of_a_project_takes_any_strides_and_types(
    dtype: Any, look: str, with_bias: bool, affine: TwoPhases, objects: Objects
) -> None:
    random = np.random.default_rng(7)
    x = LOOKS[look](random.normal(size=(37, 210)).astype(dtype))
    bias = random.normal(size=x.shape).astype(dtype) if with_bias else None
    target = np.zeros((*x.shape[::-1], 2), np.float16)[..., 1].T  # out is strided, and of another type
    given, out = objects.tensor(x), objects.tensor(target)
    alpha = aclnn.aclCreateScalar(-1.75, FLOAT)
    assert affine(given, objects.tensor(bias), alpha, out) == 0
    expected = x.astype(np.float32) * np.float32(-1.75)
    if bias is not None:
        expected = expected + bias.astype(np.float32)
    np.testing.assert_array_equal(objects.read(out), expected.astype(np.float16))
    aclnn.aclDestroyScalar(alpha)


def test_a_tensor_without_elements_needs_no_workspace_and_launches_nothing(affine: TwoPhases, objects: Objects) -> None:
    x, out, alpha = (objects.tensor(np.zeros((0, 4), np.float32)) for _ in "ab"), None, aclnn.aclCreateScalar(1.0, FLOAT)
    first, second = x
    assert affine(first, 0, alpha, second) == 0
    assert (affine.size.value, out) == (0, None)


def last_message() -> str:
    return acl.get_recent_err_msg() or ""


@pytest.mark.parametrize(
    ("wrong", "code", "text"),
    [
        ("self", NULL, "aclnnAffineGetWorkspaceSize: self is nullptr; it takes a tensor (161001)"),
        ("alpha", NULL, "aclnnAffineGetWorkspaceSize: alpha is nullptr; it takes a tensor (161001)"),
        ("type", INVALID, "aclnnAffineGetWorkspaceSize: self is DT_INT8, which is not supported (161002)"),
        ("shape", INVALID, "aclnnAffineGetWorkspaceSize: self is [2,3] and out is [3,2]; they take one shape (161002)"),
    ],
)
def test_checks_of_parameters_give_the_code_and_a_sentence(wrong: str, code: int, text: str, affine: TwoPhases, objects: Objects) -> None:
    x = np.zeros((2, 3), np.int8 if wrong == "type" else np.float32)
    given = 0 if wrong == "self" else objects.tensor(x)
    out = objects.tensor(np.zeros((3, 2) if wrong == "shape" else (2, 3), np.float32))
    before = len(EXECUTORS)
    last_message()
    assert affine(given, 0, 0 if wrong == "alpha" else aclnn.aclCreateScalar(1.0, FLOAT), out) == code
    assert text in last_message()
    assert len(EXECUTORS) == before, "what was not released ended with the function"


def test_nothing_is_left_after_a_run_or_a_failure(affine: TwoPhases, objects: Objects) -> None:
    x, out, alpha = (
        objects.tensor(np.ones((4, 4), np.float16).T),
        objects.tensor(np.ones((4, 4), np.float16)),
        aclnn.aclCreateScalar(2, FLOAT),
    )
    before = len(EXECUTORS), len(TENSORS), len(SCALARS)
    assert affine(x, 0, alpha, out) == 0
    assert affine.plan(x, out, alpha, out) == 0
    assert aclnn.aclDestroyAclOpExecutor(affine.executor.value) == 0
    assert (len(EXECUTORS), len(TENSORS), len(SCALARS)) == before


def test_an_executor_repeats_where_it_was_made_to(affine: TwoPhases, objects: Objects) -> None:
    x = np.arange(6, dtype=np.float16).reshape(2, 3).T
    given, out, alpha = objects.tensor(x), objects.tensor(np.zeros((3, 2), np.float32)), aclnn.aclCreateScalar(3, FLOAT)
    assert affine.plan(given, 0, alpha, out) == 0
    assert aclnn.aclSetAclOpExecutorRepeatable(affine.executor.value) == 0
    for factor in (1, 5):
        buffer = next(buffer for handle, buffer, _ in objects.kept if handle == given)
        buffer.copy_from(np.ascontiguousarray(x.T) * np.float16(factor))
        assert affine.run() == 0
        np.testing.assert_array_equal(objects.read(out), x.astype(np.float32) * 3 * factor)
    assert aclnn.aclDestroyAclOpExecutor(affine.executor.value) == 0
    assert affine.plan(given, 0, alpha, out) == 0
    assert affine.run() == 0
    assert affine.run() == INVALID, "one that does not repeat ended with its run"


def test_the_workspace_is_checked(affine: TwoPhases, objects: Objects, stream: int) -> None:
    x, out, alpha = (
        objects.tensor(np.ones((4, 4), np.float16)),
        objects.tensor(np.ones((4, 4), np.float16)),
        aclnn.aclCreateScalar(2, FLOAT),
    )
    assert affine.plan(x, 0, alpha, out) == 0
    size = affine.size.value
    assert size >= 4 * 4 * 4
    small = Buffer(size, "uint8")
    assert affine.second(None, size, affine.executor, stream) == NULL
    assert f"aclnnAffine: workspace is NULL; this call needs {size} bytes" in last_message()
    assert affine.second(small.address, size - 1, affine.executor, stream) == INVALID
    assert f"aclnnAffine: the workspace has {size - 1} bytes; this call needs {size}" in last_message()
    assert affine.run() == 0


def test_the_generated_function_of_such_an_operator_is_left_out(package: Package) -> None:
    header = (package.include / "aclnn_affine.h").read_text()
    assert "any strides; bias may be NULL" in header
    assert sorted(each.name for each in package.include.iterdir()) == ["aclnn_affine.h"]


# --- the functions of the toolkit, one by one


@pytest.fixture(scope="session")
def level0(build: Build) -> ctypes.CDLL:
    types = {"plan": [ctypes.c_char_p, P, P, P, P, P, P], "plan_fractal": [ctypes.c_int, P, P, P, P], "plan_shrunk": [P, P, P, P],
             "plan_values": [ctypes.c_int, P, P, P], "run": [P, U, P, P], "look": [P] * 5, "mistake": [ctypes.c_int, P],
             "halves": [P, P, P, U], "floats": [P, P]}  # fmt: skip
    return in_c(build("level0.cpp", std=14), types, {"look": ctypes.c_char_p, "halves": None, "floats": None})


X = np.arange(2 * 3 * 5, dtype=np.float32).reshape(2, 3, 5)
FUNCTIONS: dict[str, tuple[Array, list[int], list[int], Array]] = {
    "Cast": (X, [1], [], X.astype(np.float16)),
    "Contiguous": (X.transpose(2, 0, 1), [], [], X.transpose(2, 0, 1)),
    "Reshape": (X, [6, 5], [], X.reshape(6, 5)),
    "Slice": (X.transpose(1, 0, 2), [1, 0, 2], [2, 2, 3], X.transpose(1, 0, 2)[1:, :, 2:]),
    "Slice into": (X, [0, 1, 4], [2, 1, 1], X[:, 1:2, 4:]),
    "Transpose": (X, [2, 0, 1], [], X.transpose(2, 0, 1)),
    "Transpose into": (X, [1, 2, 0], [], X.transpose(1, 2, 0)),
    "Pad": (X, [0, 1, 2, 0, 0, 3], [], np.pad(X, [(0, 1), (2, 0), (0, 3)])),
    "TransData and back": (X, [], [], X),
    "TransDataSpecial and back": (X, [], [], X),
    "CopyToNpu": (X, [4, -5, 6], [], np.array([4, -5, 6], np.float32)),
    "CopyNpuToNpu": (X, [], [], X.reshape(30)),
    "CreateView": (X, [7], [], X.reshape(-1)[7:19].reshape(3, 4)),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_computes_what_numpy_does(name: str, level0: ctypes.CDLL, objects: Objects, stream: int) -> None:
    x, first, second, expected = FUNCTIONS[name]
    out = objects.tensor(np.zeros(expected.shape, expected.dtype))
    call = TwoPhases(stream, level0.plan, level0.run)
    assert call(name.encode(), objects.tensor(x), out, objects.array(*first), objects.array(*second)) == 0
    np.testing.assert_array_equal(objects.read(out), expected)


def blocks(x: Array, c0: int) -> Array:
    """FRACTAL_NZ, by its definition: [.., column of blocks, row of blocks, 16, C0]."""
    rows, columns = x.shape[-2:]
    high, wide = -(-rows // 16), -(-columns // c0)
    made = np.zeros((*x.shape[:-2], wide, high, 16, c0), x.dtype)
    for row in range(rows):
        for column in range(columns):
            made[..., column // c0, row // 16, row % 16, column % c0] = x[..., row, column]
    return made


@pytest.mark.parametrize(("dtype", "special", "c0"), [(np.float16, 0, 16), (np.float32, 0, 8), (np.float32, 1, 16), (np.int8, 0, 32)])
@pytest.mark.parametrize("dims", [(16, 32), (17, 5), (2, 3, 40, 33)])
def test_trans_data_lays_out_blocks(
    dtype: Any, special: int, c0: int, dims: tuple[int, ...], level0: ctypes.CDLL, objects: Objects, stream: int
) -> None:
    x = (np.arange(np.prod(dims)) % 100).reshape(dims).astype(dtype)
    expected = blocks(x, c0)
    out = objects.tensor(np.zeros(expected.shape, dtype))
    assert TwoPhases(stream, level0.plan_fractal, level0.run)(special, objects.tensor(x), out) == 0
    np.testing.assert_array_equal(objects.read(out), expected)


REFUSED = {
    "Reshape": ([7, 5], [], "x has [2, 3, 5], 30 elements; Reshape cannot make [7, 5] of it"),
    "Slice": ([0, 0, 3], [2, 3, 3], "offsets [0, 0, 3] and sizes [2, 3, 3] go beyond x, which is [2, 3, 5]"),
    "Transpose": ([0, 0, 1], [], "perm is [0, 0, 1] for x of 3 dims; it takes each of 0 to 2 once, of at most 8 dims"),
    "Pad": ([0, 1], [], "paddings are [0, 1]; self has 3 dims and takes two numbers from 0 on for each"),
    "Pad by a device tensor": ([], [], "paddings is a tensor of the device, whose values are not known yet; give a host tensor"),
    "TransData": (
        [4, 0],
        [],
        "TransData from format 2 to 4 with 0 groups is not supported; it converts between ND (2) and FRACTAL_NZ (29)",
    ),
    "CopyToNpu of the device": ([], [], "src lies on the device; CopyToNpu takes a host tensor"),
    "ViewCopy of another shape": ([30], [], "x is float32[2, 3, 5] and y float32[30]; ViewCopy takes two of one kind"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_function_gives_null_and_says_why(name: str, level0: ctypes.CDLL, objects: Objects, stream: int) -> None:
    first, second, text = REFUSED[name]
    call = TwoPhases(stream, level0.plan, level0.run)
    x, out = objects.tensor(X), objects.tensor(np.zeros_like(X))
    before = len(EXECUTORS), len(TENSORS)
    last_message()
    assert call(name.encode(), x, out, objects.array(*first), objects.array(*second)) == INNER_NULL
    assert f"planGetWorkspaceSize: {text}" in last_message()
    assert (len(EXECUTORS), len(TENSORS)) == before


def test_contiguous_refuses_a_view_beyond_its_storage(level0: ctypes.CDLL, objects: Objects, stream: int) -> None:
    memory = Buffer(8, "float32")
    x = aclnn.aclCreateTensor([2, 3], FLOAT, [10, 30], 0, ND, [8], memory.address)
    call = TwoPhases(stream, level0.plan, level0.run)
    last_message()
    assert call(b"Contiguous", x, objects.tensor(np.zeros((2, 3), np.float32)), objects.array(), objects.array()) == INNER_NULL
    assert "a view of [2, 3] with strides [10, 30] from element 0 on goes beyond its storage of [8]" in last_message()
    aclnn.aclDestroyTensor(x)


def test_a_tensor_that_is_declared_smaller_keeps_its_room(level0: ctypes.CDLL, objects: Objects, stream: int) -> None:
    x = np.arange(3000, dtype=np.int32)
    out = objects.tensor(np.zeros(3000, np.float32))
    assert TwoPhases(stream, level0.plan_shrunk, level0.run)(objects.tensor(x), out) == 0
    np.testing.assert_array_equal(objects.read(out), x.astype(np.float16).astype(np.float32))


@pytest.fixture
def filled() -> Iterator[None]:
    """An operator that writes the sum of its input, which its tiling reads."""
    source = """
    #include "kernel_operator.h"
    extern "C" __global__ __vector__ void filled(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
        *(__gm__ int32_t*)y = *(__gm__ int32_t*)tiling + *(__gm__ int32_t*)x;
    }
    """
    made = op.define("Filled")
    made.input("x", dtype=["int32"], value_depend="all")
    made.output("y", dtype=["int32"])

    def tile(ctx: Any) -> None:
        ctx.num_blocks = 1
        ctx.raw_tiling_data.append(np.int32(ctx.inputs["x"].to_numpy().sum()))

    made.tiling(tile)
    made.kernel(Kernel(Program(source, name="filled").compile()))
    handle = made.register()
    yield
    handle.unregister()


def test_tiling_reads_the_values_of_a_host_tensor(level0: ctypes.CDLL, objects: Objects, stream: int, filled: None) -> None:
    out = objects.tensor(np.zeros(1, np.int32))
    assert TwoPhases(stream, level0.plan_values, level0.run)(1, out) == 0
    assert objects.read(out) == [3 + 4 + 3]


def test_tiling_cannot_read_what_an_earlier_task_computes(level0: ctypes.CDLL, objects: Objects, stream: int, filled: None) -> None:
    last_message()
    assert TwoPhases(stream, level0.plan_values, level0.run)(0, objects.tensor(np.zeros(1, np.int32))) == INVALID
    assert (
        "plan_valuesGetWorkspaceSize: tiling of Filled reads the values of x, which an earlier task of the same call computes"
        in last_message()
    )


def test_tensors_of_another_device_are_computed_there(
    affine: TwoPhases, objects: Objects, monkeypatch: pytest.MonkeyPatch, stream: int
) -> None:
    monkeypatch.setenv("ACLIMB_DEVICES", "2")
    assert acl.rt.set_device(1) == 0
    other, ret = acl.rt.create_stream()
    assert ret == 0
    there = Device(1)
    given, found = Buffer.from_array(np.arange(6, dtype=np.float16), there), Buffer(6, "float32", device=there)
    tensors = [aclnn.aclCreateTensor([6], number, None, 0, ND, [6], each.address) for number, each in ((1, given), (FLOAT, found))]
    assert affine.plan(tensors[0], 0, aclnn.aclCreateScalar(2, FLOAT), tensors[1]) == 0
    workspace = Buffer(affine.size.value, "uint8", device=there)
    assert affine.second(workspace.address, affine.size, affine.executor, other) == 0, last_message()
    assert acl.rt.synchronize_stream(other) == 0
    np.testing.assert_array_equal(found.to_numpy(), np.arange(6, dtype=np.float32) * 2)
    for each in tensors:
        aclnn.aclDestroyTensor(each)
    assert acl.rt.destroy_stream(other) == 0
    assert acl.rt.reset_device(1) == 0
    assert acl.rt.set_device(0) == 0


# --- objects


def test_objects_say_what_they_are(level0: ctypes.CDLL, objects: Objects) -> None:
    x = objects.tensor(np.zeros((4, 6), np.float16)[1:3, ::2])
    items = aclnn.aclCreateTensorList([objects.tensor(np.zeros(3, np.int32)), objects.tensor(np.zeros((1, 7), np.int8))])
    scalar = aclnn.aclCreateScalar(300.75, FLOAT)
    floats, bools = aclnn.aclCreateFloatArray([1.5, -2.25]), aclnn.aclCreateBoolArray([False, True])
    found = level0.look(x, items, scalar, floats, bools).decode().splitlines()
    assert found == [
        "view [2,3]", "storage [4,6]", "origin [2,3]", "strides [6,2]", "offset 6", "type DT_FLOAT16", "format ND", "count 6", "empty 0",
        "contiguous 0", "picked 0", "valid 1",
        "list 2", "second [1,7]", "scalar type DT_FLOAT", "float 300.75", "whole 300", "byte 44", "bool 1", "half 300.75", "bf16 300",
        "beyond int8 1", "beyond half 0", "beyond uint16 0", "floats 2", "last -2.25", "flags 1",
        "made -8", "host -8", "on the device 1", "filled 1", "filled 0", "filled 40", "zero 0", "of a scalar 300", "made scalar 2.5",
        "made list [3]",
        "workspace 512", "view [5,3]", "storage [3,5]", "origin [5,3]", "strides [3,1]", "offset 0", "type DT_FLOAT16",
        "format FRACTAL_NZ", "count 15", "empty 0", "contiguous 1", "picked 1", "valid 1", "workspace 4608",
        "broadcast 1", "broadcast [2,10]", "not broadcast 0", "strides [600,30,1]", "promoted DT_FLOAT", "promoted DT_INT16",
        "promoted DT_FLOAT16", "can cast 100", "size of int4 1004", "private 10", "block 32", "a3 1",
    ]  # fmt: skip
    for destroy, each in ((aclnn.aclDestroyScalar, scalar), (aclnn.aclDestroyFloatArray, floats), (aclnn.aclDestroyBoolArray, bools)):
        assert destroy(each) == 0


def test_halves_of_the_host_are_those_of_numpy(level0: ctypes.CDLL) -> None:
    bits = np.arange(65536, dtype=np.uint16)
    found = np.empty(65536, np.float32)
    level0.floats(bits.ctypes.data, found.ctypes.data)
    np.testing.assert_array_equal(found, bits.view(np.float16).astype(np.float32))
    # Every half, what lies just beside it, the middle to the next one, and every pattern of the upper 16 bits.
    exact = bits.view(np.float16).astype(np.float32)
    ties = exact.view(np.uint32) + np.uint32(0x1000)
    values = np.concatenate([exact.view(np.uint32), ties, ties + np.uint32(1), ties - np.uint32(1),
                             bits.astype(np.uint32) << 16, (bits.astype(np.uint32) << 16) + np.uint32(0x8000),
                             (bits.astype(np.uint32) << 16) + np.uint32(0x8001)]).view(np.float32)  # fmt: skip
    half, brain = np.empty(values.size, np.uint16), np.empty(values.size, np.uint16)
    level0.halves(values.ctypes.data, half.ctypes.data, brain.ctypes.data, values.size)
    is_number = ~np.isnan(values)
    with np.errstate(over="ignore"):
        np.testing.assert_array_equal(half[is_number], values[is_number].astype(np.float16).view(np.uint16))
    np.testing.assert_array_equal(brain[is_number], values[is_number].astype(ml_dtypes.bfloat16).view(np.uint16))
    assert np.isnan(half[~is_number].view(np.float16)).all()
    assert np.isnan(brain[~is_number].view(ml_dtypes.bfloat16)).all()


MISTAKES = [
    (0, 561003, "nobody has Nobody"),
    (1, INVALID, "OP_INPUT has 3 tensors; AddScaled declares x, y"),
    (2, 561104, "OP_ATTR has 0 values; AddScaled declares alpha"),
    (3, NULL, "AddScaled needs y"),
    (4, 561000, "OP_OUTSHAPE of AddScaled is not supported"),
    (5, NULL, "AddScaled needs y"),
    (6, INNER_NULL, ""),
    (7, 0, "strides are [-1] for [5]; it takes one for each dim, from 0 on"),
    (8, 0, "SetData fills a host tensor, as executor->AllocHostTensor makes one; this one lies on the device"),
    (9, 0, "SetData fills elements 2 to 2; the tensor has 2"),
    (10, 0, "SetData is given type 2; the tensor is float32"),
    (11, INVALID, "x has 1 dims; it takes at most 0 (161002)"),
    (12, INVALID, "x has 1 dims; it takes at least 3 (161002)"),
    (13, INVALID, "x has 1 dims; it takes 2 (161002)"),
    (14, INVALID, "x is DT_FLOAT; it takes DT_INT8 (161002)"),
    (15, INVALID, "x is DT_FLOAT and executor->AllocTensor(Shape{1}, DataType::DT_INT8) is DT_INT8; they take one type (161002)"),
    (16, INVALID, "they cannot be broadcast (161002)"),
    (17, INVALID, "a result of DT_FLOAT cannot become DT_INT8 (161002)"),
    (18, INVALID, "x is [5]; it takes [1,2] (161002)"),
]


@pytest.mark.parametrize(("which", "code", "text"), MISTAKES)
def test_a_mistake_gives_its_code_and_a_sentence(
    which: int, code: int, text: str, level0: ctypes.CDLL, objects: Objects, load_library: Callable[..., op.Library]
) -> None:
    load_library("add_scaled.cpp")
    last_message()
    assert level0.mistake(which, objects.tensor(np.ones(5, np.float32))) == code
    assert text in last_message()


# --- the example as a program


def said_by_the_program(package: Package, out: Path) -> str:
    words = [
        str(EXAMPLE / "main.cpp"),
        f"-I{package.include}",
        f"-L{package.api.parent}",
        "-lcust_opapi",
        f"-Wl,-rpath,{package.api.parent}",
    ]
    return subprocess.run([programs.build(words, out)], capture_output=True, text=True, check=True, timeout=600).stdout


def test_a_program_calls_the_function(package: Package, tmp_path: Path) -> None:
    assert said_by_the_program(package, tmp_path / "main") == "0 1 2 3 4 5 \n"


@pytest.mark.slow
def test_cmake_builds_the_projects_own_functions(tmp_path: Path) -> None:
    project = Path(shutil.copytree(EXAMPLE, tmp_path / "affine"))
    for form in ("common", "by_hand"):
        shutil.copytree(HERE.parent / "op_projects" / "cmake_form" / form, project, dirs_exist_ok=True)
    environment = {**os.environ, "ASCEND_HOME_PATH": str(prefix())}
    for words in (
        ["--preset", "default"],
        ["--build", "build_out", "--target", "binary"],
        ["--build", "build_out", "--target", "cust_opapi"],
    ):
        done = subprocess.run(["cmake", *words], cwd=project, capture_output=True, text=True, env=environment, timeout=600)
        assert done.returncode == 0, done.stdout + done.stderr
    assert said_by_the_program(Package(project / "build_out" / "vendors" / "generated"), tmp_path / "main") == "0 1 2 3 4 5 \n"
