# SPDX-License-Identifier: Apache-2.0
"""Launches of kernels in Python: brackets, arguments, copies, specialisations."""

from __future__ import annotations

import dataclasses
import re
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from scalar_runs import compiled_from

import aclimb
import aclimb.asc as asc
from aclimb.asc.lib import runtime as rt
from aclimb.asc.runtime import config
from aclimb.asc.runtime.jit import MockTensor, MockValue
from aclimb.errors import InvalidArgument, OutOfBounds

TILE = 64


@asc.jit
def copy_in(gm: asc.GlobalTensor, queue: asc.TQue, i: int, tile: asc.ConstExpr[int]):
    local = queue.alloc_tensor(gm.dtype)
    asc.data_copy(local, gm[i * tile :], count=tile)
    queue.enque(local)


@asc.jit
def scale(x: asc.GlobalAddress, z: asc.GlobalAddress, n: int, factor, tile: asc.ConstExpr[int] = TILE):
    """z = x * factor, each block its share."""
    share = n // asc.get_block_num()
    offset = asc.get_block_idx() * share
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x + offset, share)
    z_gm.set_global_buffer(z + offset, share)
    pipe = asc.TPipe()
    x_queue = asc.TQue(asc.TPosition.VECIN, 1)
    z_queue = asc.TQue(asc.TPosition.VECOUT, 1)
    pipe.init_buffer(que=x_queue, num=2, len=tile * x.dtype.sizeof())
    pipe.init_buffer(que=z_queue, num=2, len=tile * z.dtype.sizeof())
    for i in range(share // tile):
        copy_in(x_gm, x_queue, i, tile)
        x_local = x_queue.deque(x.dtype)
        z_local = z_queue.alloc_tensor(z.dtype)
        asc.muls(z_local, x_local, factor, tile)
        z_queue.enque(z_local)
        x_queue.free_tensor(x_local)
        z_local = z_queue.deque(z.dtype)
        asc.data_copy(z_gm[i * tile :], z_local, tile)
        z_queue.free_tensor(z_local)


def numbers(count: int = 512, dtype: Any = np.float32) -> Any:
    return np.random.default_rng(1).integers(-100, 100, count).astype(dtype)


@pytest.mark.requirement("py-3", "py-6", "py-11")
@pytest.mark.parametrize("dtype", [np.float32, np.float16, np.int32, np.int16])
def test_a_kernel_with_queues_and_a_helper_gives_numpys_result(dtype: Any) -> None:
    x = numbers(dtype=dtype)
    z = np.zeros_like(x)
    scale[4](x, z, x.size, 3)
    np.testing.assert_array_equal(z, x * dtype(3))
    scale[2, rt.current_stream()](n=x.size, x=z, z=x, factor=2, tile=32)
    np.testing.assert_array_equal(x, z * dtype(2))


@pytest.mark.requirement("py-4")
def test_brackets_are_checked_and_belong_to_one_launcher() -> None:
    for wrong, kind in ((0, ValueError), (-1, ValueError), ("x", TypeError), (2.0, TypeError), ((2, 3), TypeError), (True, TypeError)):
        with pytest.raises(kind, match=r"scale\["):
            scale[wrong]
    x = numbers()
    four, eight = scale[4], scale[8]
    for launcher in (four, eight):
        z = np.zeros_like(x)
        launcher(x, z, x.size, 2.0)
        np.testing.assert_array_equal(z, x * 2)
    assert (four.cores, eight.cores) == (4, 8)


@pytest.mark.requirement("py-5")
def test_arguments_that_do_not_fit_are_named() -> None:
    x = numbers()
    with pytest.raises(InvalidArgument, match=r"n of scale is 3000000000; an int is int32 in a kernel"):
        scale[1](x, x, 3_000_000_000, 2.0)
    with pytest.raises(TypeError, match=r"factor of scale is a str, which is not supported"):
        scale[1](x, x, x.size, "two")
    with pytest.raises(TypeError, match=r"x of scale is a NoneType"):
        scale[1](None, x, x.size, 2.0)
    with pytest.raises(InvalidArgument, match=r"x of scale is an array of complex64"):
        scale[1](x.astype(np.complex64), x, x.size, 2.0)
    with pytest.raises(TypeError, match=r"scale: missing a required argument: 'factor'; it takes \(x, z, n, factor, tile\)"):
        scale[1](x, x, x.size)
    with pytest.raises(RuntimeError, match=r"tile of scale is 2.0, a float; its annotation says ConstExpr\[int\]"):
        scale[1](x, x, x.size, 2.0, 2.0)


@asc.jit
def store(out: asc.GlobalAddress, a, b, c, d, e):
    g = asc.GlobalTensor()
    g.set_global_buffer(out, 8)
    g.set_value(0, a.cast(asc.float32))
    g.set_value(1, b.cast(asc.float32))
    g.set_value(2, c.cast(asc.float32))
    g.set_value(3, d.cast(asc.float32))
    g.set_value(4, e.cast(asc.float32))


@pytest.mark.requirement("py-5")
def test_scalars_arrive_with_their_own_types() -> None:
    out = np.zeros(8, np.float32)
    store[1](out, True, -5, 2.5, np.int64(2**40), np.uint8(200))
    assert out[:5].tolist() == [1.0, -5.0, 2.5, 2.0**40, 200.0]
    signature = store.specializations[-1].signature
    assert signature == "store(out: float32*, a: int8, b: int32, c: float32, d: int64, e: uint8)"


@pytest.mark.requirement("py-6")
def test_views_keep_their_other_elements_and_read_only_arrays_stay() -> None:
    whole = np.zeros((512, 2), np.float32)
    x = numbers()
    scale[1](x, whole[:, 1], x.size, 2.0)
    np.testing.assert_array_equal(whole[:, 1], x * 2)
    assert not whole[:, 0].any()
    fixed = x.copy()
    fixed.flags.writeable = False
    scale[1](fixed, whole[:, 0], x.size, 3.0)
    np.testing.assert_array_equal(whole[:, 0], x * 3)
    with pytest.raises(InvalidArgument, match="scale changed z, an array that is read-only"):
        scale[1](x, fixed, x.size, 5.0)
    np.testing.assert_array_equal(fixed, x)
    scale[1](x, x, x.size, 2.0)  # passed twice: one piece of memory
    np.testing.assert_array_equal(x, fixed * 2)


@pytest.mark.requirement("py-8")
def test_an_access_behind_an_array_names_line_and_parameter_and_slack_allows_it(monkeypatch: pytest.MonkeyPatch) -> None:
    x = numbers(100)
    z = np.zeros(100, np.float32)
    with pytest.raises(OutOfBounds) as caught:
        scale[1](x, z, 128, 2.0)
    text = caught.value.in_full()
    assert "asc.data_copy(local, gm[i * tile :], count=tile)" in text
    assert re.search(r"test_asc_launch.py:\d+   asc.data_copy", text)
    assert "x is float32[100], 400 bytes; ACLIMB_PY_SLACK=1K, or kernel[cores].slack(1024)(...)" in text
    scale[1].slack(1024)(x, z, 128, 2.0)
    np.testing.assert_array_equal(z, x * 2)
    monkeypatch.setenv("ACLIMB_PY_SLACK", "1K")
    scale[1](x, z, 128, 3.0)
    np.testing.assert_array_equal(z, x * 3)


@pytest.mark.requirement("py-9")
def test_what_a_kernel_reads_decides_which_specialisation_runs() -> None:
    scope = compiled_from(
        """
        STEP = 1
        TABLE = [1, 2]

        def host_function(x):
            return x + STEP

        @asc.jit
        def helper(x):
            return x * STEP

        @asc.jit
        def kernel(out: asc.GlobalAddress, a, n: asc.ConstExpr[int] = 1):
            g = asc.GlobalTensor()
            g.set_global_buffer(out, 4)
            g.set_value(0, helper(a) + n)
            g.set_value(1, a * TABLE[1])
            g.set_value(2, a * host_function(1))
        """
    )
    kernel, out = scope["kernel"], np.zeros(4, np.int32)

    def result(*args: Any, **kwargs: Any) -> list[int]:
        kernel[1](out, *args, **kwargs)
        return out.tolist()[:3]

    assert result(5) == [6, 10, 10]
    assert result(6) == [7, 12, 12]
    assert kernel.cache_info() == (1, 1, 1)
    scope["STEP"] = 3
    assert result(5) == [16, 10, 20]
    scope["TABLE"][1] = 7
    assert result(5) == [16, 35, 20]
    assert result(5, n=2)[0] == 17
    assert kernel.cache_info().misses == 4
    scope["STEP"], scope["TABLE"][1] = 1, 2
    assert result(5) == [6, 10, 10]
    assert kernel.cache_info().misses == 4, "the first one is still known"
    out = np.zeros(4, np.int64)
    assert result(5) == [6, 10, 10]
    assert kernel.cache_info().misses == 5, "another dtype"
    kernel.cache_clear()
    assert kernel.cache_info() == (0, 0, 0)


@pytest.mark.requirement("py-32")
def test_compile_launches_nothing_and_takes_stand_ins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYASC_DUMP_PATH", str(tmp_path / "dump"))
    made = scale.compile(asc.float32, MockTensor(asc.float32), MockValue(asc.int32), 1.0, tile=16)
    assert made.signature == "scale(x: float32*, z: float32*, n: int32, factor: float32)"
    assert made.constants == {"tile": 16}
    assert (tmp_path / "dump" / "ascendc.cpp").read_text() == made.source == made.asm["ascendc"]
    assert made.asm["python"].startswith("@asc.jit\ndef scale(")
    assert made.kernel_type == "AIV_ONLY"
    assert [kernel.name for kernel in made.binary.kernels] == ["scale"]
    with pytest.raises(InvalidArgument, match="x is a DataType, which has no data"):
        scale[1](asc.float32, numbers(), 64, 1.0)
    monkeypatch.setenv("DRY_RUN", "1")
    z = np.zeros(512, np.float32)
    scale[1](numbers(), z, 512, 2.0)
    assert not z.any()


def test_buffers_are_launched_on_without_copies() -> None:
    x = numbers()
    stream, source, target = (
        aclimb.Stream(config.device()),
        aclimb.Buffer.from_array(x, config.device()),
        aclimb.Buffer(512, "float32", config.device()),
    )
    scale[4].launch(stream, source, target, 512, 2.0)
    stream.synchronize()
    np.testing.assert_array_equal(target.to_numpy(), x * 2)
    scale[4](source, target, 512, 3.0)
    np.testing.assert_array_equal(target.to_numpy(), x * 3)
    with pytest.raises(InvalidArgument, match="x is an array in host memory; launch"):
        scale[4].launch(stream, x, target, 512, 2.0)


@pytest.mark.requirement("py-2")
def test_device_calls_on_the_host_say_where_they_belong() -> None:
    with pytest.raises(RuntimeError, match=r"asc.add works on a core: call it in a function with @asc.jit"):
        asc.add(1, 2, 3, 4)
    with pytest.raises(RuntimeError, match=r"asc.TPipe works on a core"):
        asc.TPipe()
    with pytest.raises(RuntimeError, match=r"asc.get_block_num works on a core"):
        scale(np.zeros(4), np.zeros(4), 4, 1.0)
    assert asc.ceildiv(7, 2) == 4
    assert asc.float16.sizeof() == 2
    assert asc.TPosition.VECIN == 9
    assert hash(asc.DataType("int8")) == hash(asc.int8)


def test_options_are_checked_where_they_are_written() -> None:
    with pytest.raises(RuntimeError, match=r"@asc.jit has no option 'speed'; there are capture_exceptions"):
        asc.jit(speed=3)
    with pytest.raises(RuntimeError, match="opt_level is 9; it takes 0, 1, 2 or 3"):
        asc.jit(opt_level=9)
    with pytest.raises(RuntimeError, match="has a parameter 'stream', which is an option"):

        @asc.jit
        def kernel(stream):
            pass

    with pytest.raises(RuntimeError, match="a kernel names its parameters one by one"):

        @asc.jit
        def other(*x):
            pass

    x, z = numbers(), np.zeros(512, np.float32)
    before = scale.cache_info().misses
    scale[1](x, z, x.size, 2.0, always_compile=True)
    scale[1](x, z, x.size, 2.0, always_compile=True)
    assert scale.cache_info().misses == before + 2


def test_core_num_of_the_decorator_is_what_a_plain_call_launches_with() -> None:
    kernel = asc.jit(scale.fn, core_num=4)
    x, z = numbers(), np.zeros(512, np.float32)
    kernel(x, z, x.size, 2.0)
    np.testing.assert_array_equal(z, x * 2)


@pytest.mark.requirement("py-28")
def test_the_kernel_type_reaches_the_binary() -> None:
    made = scale.compile(asc.float32, asc.float32, 64, 1.0, kernel_type=config.KernelType.MIX_AIV_1_0)
    assert made.kernel_type == "MIX_AIV_1_0"
    assert "KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIV_1_0);" in made.source
    assert made.binary.kernels[0].kernel_type.name == "MIX_AIV_1_0"


def test_the_platform_is_the_chip_that_kernels_run_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(config._chosen, "soc", None)
    config.set_platform("Model")
    assert rt.get_soc_version() == "Ascend910B1"
    config.set_platform(config.Backend.Model, config.Platform.Ascend910B3)
    assert rt.device_info()["soc"] == "Ascend910B3"
    assert rt.current_stream().device.chip.name == "Ascend910B3"
    with pytest.raises(ValueError, match=r"the chip here is \w+, not Ascend910B4"):
        config.set_platform("NPU", "Ascend910B4")
    with pytest.raises(ValueError, match=r"backend 'Board'; it takes Backend.Model or Backend.NPU"):
        config.set_platform("Board")


@pytest.mark.requirement("py-7")
def test_torch_is_never_imported(tmp_path: Path) -> None:
    """In a process of its own: other tests may have imported it."""
    program = tmp_path / "program.py"
    program.write_text(f"""
import sys
sys.path.insert(0, {str(Path(__file__).parent)!r})
import numpy as np
from {Path(__file__).stem} import numbers, scale
z = np.zeros(512, np.float32)
scale[1](numbers(), z, 512, 2.0)
print(bool(np.array_equal(z, numbers() * 2)), "torch" in sys.modules)
""")
    done = subprocess.run([sys.executable, program], capture_output=True, text=True, timeout=600, check=False)
    assert done.stdout.split() == ["True", "False"], done.stdout + done.stderr


class FakeTensor:
    """As much of a torch tensor as a launch looks at."""

    def __init__(self, array: Any, device: str = "cpu") -> None:
        self._array, self.device, self.dtype = array, SimpleNamespace(type=device), array.dtype

    def detach(self) -> FakeTensor:
        return self

    def numpy(self) -> Any:
        if self._array.dtype == np.uint64:
            raise TypeError("Got unsupported ScalarType BFloat16")
        return self._array


@pytest.mark.requirement("py-7")
def test_a_torch_tensor_on_the_cpu_is_an_array_of_the_same_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", SimpleNamespace(Tensor=FakeTensor))
    x, z = numbers(), np.zeros(512, np.float32)
    scale[2](FakeTensor(x), FakeTensor(z), 512, 2.0)
    np.testing.assert_array_equal(z, x * 2)
    with pytest.raises(InvalidArgument, match=r"x of scale is a tensor on .*; move it: x of scale.cpu\(\)"):
        scale[2](FakeTensor(x, "npu"), FakeTensor(z), 512, 2.0)
    with pytest.raises(InvalidArgument, match="x of scale is a tensor of uint64, which NumPy does not have"):
        scale[2](FakeTensor(x.astype(np.uint64)), FakeTensor(z), 512, 2.0)


def test_a_device_of_a_tests_own_is_left_empty() -> None:
    from aclimb.runtime.device import fresh

    x, z = numbers(), np.zeros(512, np.float32)
    with fresh() as device:
        scale[1](x, z, 512, 2.0)
        assert device.memory_used > 0
    scale[1](x, z, 512, 2.0)
    assert device.memory_used == 0


class Inner(asc.Struct):
    tile = asc.Field(asc.int32, 64)


class Plan(asc.Struct):
    length = asc.Field(asc.int32, 0)
    factor = asc.Field(asc.float32, 1.0)
    wide = asc.Field(asc.int64, 0)
    inner = asc.StructField(Inner)


@asc.jit
def by_plan(out: asc.GlobalAddress, plan: Plan):
    g = asc.GlobalTensor()
    g.set_global_buffer(out, plan.length)
    local = Inner(tile=3)
    plan.length += 1
    for i in range(plan.length - 1):
        g.set_value(i, plan.factor * i.cast(asc.float32) + (plan.inner.tile + local.tile).cast(asc.float32))
    g.set_value(0, plan.wide.cast(asc.float32))


@pytest.mark.requirement("py-43")
def test_structs_travel_in_one_piece() -> None:
    plan = Plan(length=6, factor=0.5, wide=2**33)
    plan.inner.tile = 10
    out = np.zeros(8, np.float32)
    by_plan[1](out, plan)
    assert out.tolist() == [2.0**33, 13.5, 14.0, 14.5, 15.0, 15.5, 0, 0]
    assert plan.length == 6
    assert len(plan.pack()) == 24
    with pytest.raises(InvalidArgument, match="Plan has no field size; there are length, factor, wide, inner"):
        Plan(size=3)
    with pytest.raises(InvalidArgument, match=r"Plan.length is 5000000000, which int32 cannot hold"):
        plan.length = 5_000_000_000
    with pytest.raises(AttributeError, match="Plan has no field lenght"):
        plan.lenght = 3


def test_the_options_are_three_frozen_groups() -> None:
    for kind in (asc.CodegenOptions, asc.CompileOptions, asc.LaunchOptions):
        assert dataclasses.is_dataclass(kind)
        with pytest.raises(dataclasses.FrozenInstanceError):
            kind().opt_level = 3
