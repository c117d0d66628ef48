# SPDX-License-Identifier: Apache-2.0
"""An operator with tiling in C++: called, planned, compared with the same one in Python over random shapes."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from cpp_parts import KERNELS, Build
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from aclimb import Buffer, Kernel, Stream, op
from aclimb.op.aclnn import aclCreateTensor, aclDestroyTensor
from aclimb.op.tiling.decide import decide

Load = Callable[..., op.Library]


class AddTiling(ctypes.Structure):
    _fields_ = (("count", ctypes.c_uint32), ("alpha", ctypes.c_float))


def in_python(kernel: Kernel) -> op.Operator:
    """AddScaled of sources/add_scaled.cpp, in Python."""
    made = op.define("AddScaledInPython")
    made.input("x", dtype=["float32"]).input("y", dtype=["float32"]).output("z", dtype=["float32"])
    made.attr("alpha", float, 1.0).kernel(kernel)

    @made.infer_shape
    def infer_shape(ctx: Any) -> None:
        ctx.output_shape["z"] = ctx.input_shape["x"]

    @made.tiling_parse(SimpleNamespace)
    def parse(ctx: Any) -> None:
        ctx.compiled_info.cores, ctx.compiled_info.ub = ctx.platform.vector_core_num, ctx.platform.ub_size - 256

    @made.tiling
    def tile(ctx: Any) -> None:
        count, info = ctx.input_shape["x"].storage.size, ctx.compile_info
        ctx.tiling_data = AddTiling(count, ctx.attrs["alpha"])
        ctx.num_blocks = min(max(-(-count // 64), 1), info.cores)
        ctx.workspace_sizes = [count * 4 + info.ub // 256]

    return made


@pytest.mark.requirement("cpp-24", "cpp-27")
def test_an_operator_of_cpp_computes(load_library: Load, kernel: Callable[[str], Kernel], stream: Stream) -> None:
    add = load_library("add_scaled.cpp", kernels={"AddScaled": kernel("add_scaled")})["AddScaled"]
    x, y = np.arange(600, dtype=np.float32).reshape(20, 30), np.full((20, 30), 2, np.float32)
    z = add(x, y, alpha=0.5, stream=stream)
    stream.synchronize()
    np.testing.assert_array_equal(z.to_numpy(), x + 0.5 * y)
    np.testing.assert_array_equal(op.run("AddScaled", [x, y])[0].to_numpy(), x + y)
    out = Buffer(x.shape, np.float32)
    with add.plan(x, y, out=out, alpha=3.0) as plan:
        assert plan.workspace_size == 600 * 4 + (192 * 1024 - 256) // 256
        plan.run(stream=stream)
        stream.synchronize()
    np.testing.assert_array_equal(out.to_numpy(), x + 3 * y)


@pytest.mark.requirement("cpp-24")
def test_kernels_are_found_in_their_folder_by_the_file_that_the_configuration_names(load_library: Load) -> None:
    library = load_library("add_scaled.cpp", kernels=KERNELS)
    assert library["AddScaled"].settings["opFile.value"] == "arithmetic"
    assert library["AddScaled"].settings["needCheckSupport.flag"] == "false"
    x = np.ones(5, np.float32)
    np.testing.assert_array_equal(library["AddScaled"](x, x).to_numpy(), x + x)


@pytest.mark.requirement("cpp-27")
def test_an_operator_of_cpp_has_aclnn_functions(load_library: Load, kernel: Callable[[str], Kernel], stream: Stream) -> None:
    from aclimb.op import aclnn

    load_library("add_scaled.cpp", kernels={"AddScaled": kernel("add_scaled")})
    assert "aclnnAddScaledGetWorkspaceSize" in dir(aclnn)
    x = Buffer.from_array(np.arange(64, dtype=np.float32))
    z = Buffer(64, np.float32)
    tensors = [aclCreateTensor([64], 0, None, 0, 2, [64], each.address) for each in (x, x, z)]
    size, executor, ret = aclnn.aclnnAddScaledGetWorkspaceSize(tensors[0], tensors[1], 2.0, tensors[2])
    assert ret == 0
    workspace = Buffer(size, np.uint8)
    assert aclnn.aclnnAddScaled(workspace.address, size, executor, stream) == 0
    stream.synchronize()
    np.testing.assert_array_equal(z.to_numpy(), 3 * x.to_numpy())
    for each in tensors:
        aclDestroyTensor(each)


@pytest.mark.requirement("cpp-29")
def test_compile_info_is_made_once_and_deleted_by_its_library(build: Build, kernel: Callable[[str], Kernel]) -> None:
    library = op.load(build("add_scaled.cpp"), kernels={"AddScaled": kernel("add_scaled")})
    alive, parsed = library._file.infos_alive, library._file.infos_parsed
    before = parsed()
    assert alive() == 0
    for count in (10, 20, 10):
        x = np.ones(count, np.float32)
        library["AddScaled"](x, x)
    assert (alive(), parsed()) == (1, before + 1)
    library.close()
    assert alive() == 0
    library.close()
    assert alive() == 0


def decided(operator: op.Operator, shape: tuple[int, ...], alpha: float, cores: int, stream: Stream) -> Any:
    """Tiling bytes, key, blocks, workspaces and the output's shape. The compile info is made anew."""
    x = Buffer(shape, np.float32)
    operator._loaded.close()
    call = operator._call([x, x], {"alpha": alpha}, None, stream, op.Options(vectorcore_num=cores))
    operator._inference(call).run()
    made = decide(call, operator._loaded, cached=False)
    call.discard_outputs()
    return made.data, made.tiling.tiling_key, made.tiling.num_blocks, made.tiling.workspace_sizes, call.node.outputs[0].shape


SHAPES = st.lists(st.integers(0, 70), max_size=5).filter(lambda shape: math.prod(shape) < 10**6).map(tuple)


def compare(library: op.Library, python: op.Operator, examples: int) -> None:
    stream = Stream()

    @settings(max_examples=examples, deadline=None, suppress_health_check=list(HealthCheck))
    @given(shape=SHAPES, alpha=st.floats(width=32), cores=st.integers(1, 40))
    def same(shape: tuple[int, ...], alpha: float, cores: int) -> None:
        assert decided(library["AddScaled"], shape, alpha, cores, stream) == decided(python, shape, alpha, cores, stream)

    with python.registered():
        same()
    assert library._file.infos_alive() == 1


@pytest.mark.requirement("cpp-27", "cpp-30")
def test_python_and_cpp_decide_the_same_for_random_shapes(load_library: Load, kernel: Callable[[str], Kernel]) -> None:
    compare(load_library("add_scaled.cpp"), in_python(kernel("add_scaled")), 60)


@pytest.mark.slow
@pytest.mark.requirement("cpp-27", "cpp-30")
def test_python_and_cpp_decide_the_same_for_a_thousand_random_shapes(load_library: Load, kernel: Callable[[str], Kernel]) -> None:
    compare(load_library("add_scaled.cpp"), in_python(kernel("add_scaled")), 1000)


@pytest.mark.requirement("cpp-46")
def test_tiling_data_has_room_for_the_classes_that_are_registered(load_library: Load, stream: Stream) -> None:
    library = load_library("big_tiling.cpp")
    assert op.get("BigTiling").max_tiling_data_size == 1024 * 4 + 8
    call = library["BigTiling"]._call([np.zeros(3, np.float32)], {}, None, stream, None)
    library["BigTiling"]._inference(call).run()
    made = decide(call, library["BigTiling"]._loaded, cached=False)
    call.discard_outputs()
    words = np.frombuffer(made.data, np.uint32)
    assert (len(words), words[0], words[1023], words[1024:1025].view(np.float32)[0]) == (1026, 7, 9, 0.5)
