# SPDX-License-Identifier: Apache-2.0
"""Every overload of every call of the table emits text, and what the device has compiles; and kernels with the calls that programs use."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from scalar_runs import compiled_from

import aclimb.asc as asc
from aclimb.asc.codegen.errors import CodegenError
from aclimb.asc.language import table
from aclimb.asc.language.core import enums
from aclimb.errors import CompileError

TENSORS = {"src_offset": "u32", "offset": "u32", "dst_offset": "u32", "temp_buffer": "u8", "shared_tmp_buffer": "t"}
BY_KIND = {
    "truth": "False",
    "L": "t",
    "G": "g",
    "T": "t",
    "mask": "64",
    "flag": "True",
    "const": "1",
    "dtype": "asc.float32",
    "str": "'x'",
    "tensors": "[t] * 16",
    "addresses": "[n.cast(asc.uint64)] * 16",
    "slices": "[asc.SliceInfo()]",
    "pattern": "1",
    "queue": "q",
    "buf": "buf",
    "pool": "pool",
    "bool": "False",
    "any": "n",
    "address": "x",
    "u16s": "[1, 2, 3, 4]",
}
RECORDS = {
    "ShapeInfo": "asc.ShapeInfo((2, 3))",
    "FixpipeConfig": "asc.FixpipeConfig()",
    "MrgSortSrcList": "asc.MrgSortSrcList(asc.float32, t, t)",
    "QuantConfig": "None",
    "MrgSort4Info": "asc.MrgSort4Info([1, 1, 1, 1])",
    "VdeqInfo": "asc.VdeqInfo(0, 0, 0)",
}


def argument(parameter: table.Parameter) -> str:
    kind = parameter.kind
    if kind == "L" and parameter.name in TENSORS:
        return TENSORS[parameter.name]
    if kind in BY_KIND:
        return BY_KIND[kind]
    if kind in enums.ALL:
        return f"asc.{kind}.{next(iter(enums.ALL[kind])).name}"
    if kind in RECORDS:
        return RECORDS[kind]
    if kind in table.records():
        return f"asc.{kind}({'asc.float32' if table.records()[kind].is_generic else ''})"
    return "1.0" if kind in ("f16", "f32") or kind.startswith("of ") else "1"


def call_text(owner: str, call: table.Call, overload: table.Overload) -> str:
    """By keyword: the published names are accepted."""
    inside = ", ".join(f"{each.name}={argument(each)}" for each in overload.parameters)
    return f"{owner}.{call.name}({inside})"


HEAD = """
@asc.jit
def kernel(x: asc.GlobalAddress, n: int):
    g = asc.GlobalTensor()
    g.set_global_buffer(x, n)
    pipe = asc.TPipe()
    q = asc.TQue(asc.TPosition.VECIN, 1)
    buf = asc.TBuf(asc.TPosition.VECCALC)
    pool = asc.TBufPool(asc.TPosition.VECCALC)
    t = buf.get(asc.float32)
    u32 = t.reinterpret_cast(asc.uint32)
    u8 = t.reinterpret_cast(asc.uint8)
"""


def calls() -> Iterator[tuple[str, table.Call]]:
    yield from (("asc", call) for call in table.basic().values())
    yield from (("asc.adv", call) for call in table.adv().values())
    owners = {"GlobalTensor": "g", "LocalTensor": "t", "TPipe": "pipe", "TQue": "q", "TBuf": "buf", "TBufPool": "pool"}
    yield from ((owners[name], call) for name, found in table.methods().items() if name in owners for call in found.values())


ALL = list(calls())


@pytest.mark.requirement("py-31")
@pytest.mark.parametrize(("owner", "call"), ALL, ids=[f"{owner}.{call.name}" for owner, call in ALL])
def test_every_overload_emits_its_call(owner: str, call: table.Call) -> None:
    for overload in call.overloads:
        text = ("r = " if overload.result else "") + call_text(owner, call, overload)
        source = compiled_from(HEAD + f"    {text}\n")["kernel"].source(asc.float32, 8)
        assert call.cpp in source or call.name == "get_shape_size", text


VECTOR = """add sub mul max min div fused_mul_add mul_add_dst add_relu abs exp ln reciprocal relu rsqrt sqrt adds muls maxs mins leaky_relu
axpy duplicate copy brcb reduce_max reduce_min reduce_sum whole_reduce_sum whole_reduce_max whole_reduce_min
block_reduce_sum block_reduce_max
block_reduce_min pair_reduce_sum gather gatherb"""
LIBRARY = "sin cos tanh erf floor round log sign power trunc ceil frac"
OTHERS = """
asc.data_copy(t, g, 64)
asc.data_copy(t, g, asc.DataCopyParams(1, 8, 0, 0))
asc.data_copy(g, t, count=64)
asc.data_copy_pad(t, g, asc.DataCopyExtParams(1, 8, 0, 0, 0), asc.DataCopyPadExtParams(asc.float32, True, 0, 1, 0.5))
asc.compare(u8, t, t, asc.CMPMODE.LT, 64)
asc.compare_scalar(u8, t, 0.0, asc.CMPMODE.GT, 64)
asc.select(t, u8, t, t, asc.SelMode.VSEL_TENSOR_TENSOR_MODE, 64)
asc.select(t, u8, t, 1.0, asc.SelMode.VSEL_TENSOR_SCALAR_MODE, 64)
asc.cast(u32.reinterpret_cast(asc.int32), t, asc.RoundMode.CAST_RINT, 64)
asc.transpose(t.reinterpret_cast(asc.float16), t.reinterpret_cast(asc.float16))
r = asc.gather_mask(t, t, 1, False, 0, asc.GatherMaskParams(1, 1, 0, 0))
asc.data_cache_clean_and_invalid(asc.CacheLine.SINGLE_CACHE_LINE, g)
asc.set_vector_mask(0, 255, dtype=asc.float32)
asc.set_mask_norm()
asc.reset_mask()
asc.set_atomic_add(asc.float32)
asc.set_atomic_none()
asc.sync_all()
asc.cross_core_set_flag(0, 2, asc.PipeID.PIPE_MTE3)
asc.printf('%d', n)
asc.dump_tensor(t, 1, 8)
"""


def test_what_the_device_has_compiles() -> None:
    basic = table.basic()
    lines = [call_text("asc", basic[name], overload) for name in VECTOR.split() for overload in basic[name].overloads]
    lines += [call_text("asc.adv", table.adv()[name], overload) for name in LIBRARY.split() for overload in table.adv()[name].overloads]
    lines += OTHERS.strip().splitlines()
    compiled_from(HEAD + "".join(f"    {line}\n" for line in lines))["kernel"].compile(asc.float32, 8)


def test_arguments_that_fit_no_overload_are_shown_with_what_is_taken() -> None:
    with pytest.raises(
        CodegenError, match=r"add was given \(a local tensor of float32, 3\); it takes add\(dst: LocalTensor, src0: LocalTensor"
    ):
        compiled_from(HEAD + "    asc.add(t, 3)\n")["kernel"].source(asc.float32, 8)
    with pytest.raises(CodegenError, match=r"300 does not fit uint8, which holds 0 to 255"):
        compiled_from(HEAD + "    asc.add(t, t, t, 64, 300, asc.BinaryRepeatParams())\n")["kernel"].source(asc.float32, 8)


# --- kernels that programs of pyasc's kinds need


def run(body: str, *arrays: Any, cores: int = 1, **names: Any) -> None:
    """Three arrays in, the last one out; a, b, c are tensors of 256 elements in UB, copied in and out around the body."""
    text = """
    @asc.jit
    def kernel(x: asc.GlobalAddress, y: asc.GlobalAddress, z: asc.GlobalAddress, k):
        x_gm = asc.GlobalTensor()
        y_gm = asc.GlobalTensor()
        z_gm = asc.GlobalTensor()
        x_gm.set_global_buffer(x, 256)
        y_gm.set_global_buffer(y, 256)
        z_gm.set_global_buffer(z, 256)
        a = asc.LocalTensorAuto(x.dtype, 256)
        b = asc.LocalTensorAuto(y.dtype, 256)
        c = asc.LocalTensorAuto(z.dtype, 256)
        asc.data_copy(a, x_gm, 256)
        asc.data_copy(b, y_gm, 256)
        asc.data_copy(c, z_gm, 256)
        {}
        asc.data_copy(z_gm, c, 256)
    """
    lines = "\n        ".join(line for line in body.strip().splitlines())
    compiled_from(text.format(lines), **names)["kernel"][cores](*arrays)


def three(dtype: Any = np.float32) -> tuple[Any, Any, Any]:
    random = np.random.default_rng(2)
    return tuple(random.integers(1, 50, 256).astype(dtype) for _ in range(3))  # type: ignore[return-value]


@pytest.mark.requirement("py-3", "py-36")
@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("asc.sqrt(c, a, 256)", lambda x, y, z, k: np.sqrt(x)),
        ("asc.adds(c, a, k, 256)", lambda x, y, z, k: x + k),
        ("asc.duplicate(c, k, 256)", lambda x, y, z, k: np.full_like(x, k)),
        ("asc.axpy(c, a, k, 256)", lambda x, y, z, k: z + x * k),
        ("asc.add(c, a, b, 64, 4, asc.BinaryRepeatParams(1, 1, 1, 8, 8, 8))", lambda x, y, z, k: x + y),
        ("asc.add(c, a, b, [2**64 - 1, 0], 4, asc.BinaryRepeatParams())", lambda x, y, z, k: x + y),
        ("asc.copy(c, a, 64, 4, asc.CopyRepeatParams(1, 1, 8, 8))", lambda x, y, z, k: x),
        ("asc.muls(c, a, k, 64, 4, asc.UnaryRepeatParams(), is_set_mask=True)", lambda x, y, z, k: x * k),
    ],
)
def test_vector_calls_in_all_their_forms(body: str, expected: Any) -> None:
    for k in (3, 2.0):
        x, y, z = three()
        want = expected(x, y, z, np.float32(k))
        run(body if isinstance(k, float) else body.replace("k,", "k.cast(asc.float32),"), x, y, z, k)
        np.testing.assert_array_equal(z, want)


@pytest.mark.requirement("py-37")
def test_the_framework_taken_down_and_set_up_again_in_a_loop() -> None:
    kernel = compiled_from(
        """
        @asc.jit
        def step(gm, i):
            pipe = asc.get_tpipe_ptr()
            queue = asc.TQueBind(asc.TPosition.VECIN, asc.TPosition.VECOUT, 1)
            pipe.init_buffer(queue, 1, 256)
            event = pipe.fetch_event_id(asc.HardEvent.MTE2_V)
            local = queue.alloc_tensor(asc.float32)
            asc.data_copy(local, gm[i * 64:], 64)
            asc.set_flag(asc.HardEvent.MTE2_V, event)
            asc.wait_flag(asc.HardEvent.MTE2_V, event)
            whole = local.reinterpret_cast(asc.int32)
            if whole.get_size() == 64 and local.get_length() == 256:
                asc.adds(local, local, 1.0, 64)
            if local.get_position() == asc.TPosition.GM:
                asc.adds(local, local, 100.0, 64)
            asc.pipe_barrier(asc.PipeID.PIPE_ALL)
            asc.data_copy(gm[i * 64:], local, 64)
            queue.free_tensor(local)

        @asc.jit
        def kernel(x: asc.GlobalAddress):
            gm = asc.GlobalTensor()
            gm.set_global_buffer(x, 256)
            pipe = asc.TPipe()
            for i in range(4):
                if i > 0:
                    pipe.init()
                step(gm, i)
                pipe.reset()
                pipe.destroy()
        """
    )["kernel"]
    x = np.arange(256, dtype=np.float32)
    kernel[1](x)
    np.testing.assert_array_equal(x, np.arange(256) + 1)


@pytest.mark.requirement("py-38")
def test_transposes_with_lists_of_tensors_and_of_addresses() -> None:
    body = """
for form in asc.static_range(1):
    asc.trans_data_to_5hd([c[i * 16:] for i in range(16)], [a[i * 16:] for i in range(16)], asc.TransDataTo5HDParams())
"""
    x, y, z = three(np.float16)
    run(body.strip().replace("\n", "\n        "), x, y, z, 0)
    np.testing.assert_array_equal(z.reshape(16, 16), x.reshape(16, 16).T)
    run("asc.transpose(c, a)", x, y, z, 0)
    np.testing.assert_array_equal(z.reshape(16, 16), x.reshape(16, 16).T)


@pytest.mark.requirement("py-39")
def test_quantising_and_a_library_soft_max() -> None:
    x, y = three()[:2]
    z = np.zeros(256, np.int8)
    run("asc.adv.quant(c, a, 0.5, 3.0, count=256)", x, y, z, 0)
    np.testing.assert_array_equal(z, np.clip(np.rint(x * 0.5 + 3), -128, 127).astype(np.int8))
    kernel = compiled_from(
        """
        @asc.jit
        def kernel(x: asc.GlobalAddress, z: asc.GlobalAddress, tiling: asc.adv.SoftmaxTiling):
            x_gm = asc.GlobalTensor()
            z_gm = asc.GlobalTensor()
            x_gm.set_global_buffer(x, 512)
            z_gm.set_global_buffer(z, 512)
            pipe = asc.TPipe()
            bufs = [asc.TBuf(asc.TPosition.VECCALC) for _ in range(4)]
            for buf, size in zip(bufs, (2048, 2048, 256, 256)):
                pipe.init_buffer(buf, size)
            src, dst, total, greatest = [buf.get(asc.float32) for buf in bufs]
            shape = asc.ShapeInfo(asc.array(asc.uint32, [8, 64]))
            assert asc.get_shape_size(shape) == 512
            src.set_shape_info(shape)
            asc.data_copy(src, x_gm, 512)
            asc.pipe_barrier(asc.PipeID.PIPE_ALL)
            asc.adv.softmax(dst, total, greatest, src, tiling)
            asc.pipe_barrier(asc.PipeID.PIPE_ALL)
            asc.data_copy(z_gm, dst, 512)
        """
    )["kernel"]
    data = np.random.default_rng(1).standard_normal((8, 64)).astype(np.float32)
    out = np.zeros_like(data)
    sides = {"src_m": 8, "src_k": 64, "src_size": 512, "out_max_m": 8, "out_max_k": 8, "out_max_size": 64, "split_m": 8, "split_k": 64}
    tiling = asc.adv.SoftmaxTiling(**sides, split_size=512, reduce_m=8, reduce_k=8, reduce_size=64, range_m=1)
    kernel[1](data, out, tiling)
    expected = np.exp(data - data.max(axis=1, keepdims=True))
    np.testing.assert_allclose(out, expected / expected.sum(axis=1, keepdims=True), rtol=1e-5)


@pytest.mark.requirement("py-31", "py-40")
@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("asc.get_arch_version()", "the version of the core, is not supported yet; nearest: #if __NPU_ARCH__ == 2201"),
        ("asc.scatter(t, t, u32, 0, 64)", "Scatter does not exist on Atlas A2 and A3; nearest: SetValue in a loop"),
        ("asc.load_image_to_local(t, asc.LoadImageToLocalParams())", "aclimb's device headers do not have it (yet)"),
    ],
)
def test_what_the_device_lacks_says_so_at_the_python_line(line: str, sentence: str) -> None:
    with pytest.raises(CompileError) as caught:
        compiled_from(HEAD + f"    {line}\n")["kernel"].compile(asc.float32, 8)
    assert sentence in str(caught.value)
    assert caught.value.diagnostics[0].line == HEAD.count("\n") + 1
