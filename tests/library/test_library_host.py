# SPDX-License-Identifier: Apache-2.0
"""Host functions: sizes and tilings are the same in C++, in Python and in kernels."""

from __future__ import annotations

import inspect
import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from library_image import near

from aclimb import Program
from aclimb.host import programs
from aclimb.tiling import library

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
SHARED = "This file is in both folders of headers"
plain_session = pytest.mark.skipif(bool(os.environ.get("ACLIMB_CXXFLAGS")), reason="programs are started without this session's sanitizer")


@pytest.mark.requirement("lib-8")
def test_headers_of_both_folders_are_the_same() -> None:
    device, host = ROOT / "device" / "include", ROOT / "host" / "include"
    shared = [path.relative_to(device) for path in device.rglob("*.h") if SHARED in " ".join(path.read_text().replace("//", "").split())]
    assert len(shared) > 10
    for path in shared:
        assert (device / path).read_bytes() == (host / path).read_bytes(), f"{path} differs: copy it from device/include to host/include"


FIRST_AND_LAST = {
    "SoftMaxTiling": (64, "srcM", "tailReduceSize"),
    "LayerNormTiling": (104, "bLength", "lastDimValueBack"),
    "DeepNormTiling": (104, "bLength", "lastDimValueBack"),
    "LayerNormSeparateTiling": (104, "aLength", "rValueBack"),
    "RmsNormTiling": (48, "bLength", "tailBsLength"),
    "LayerNormGradTiling": (120, "stackBufferSize", "lastDimValueBackMulTwo"),
    "LayerNormGradBetaTiling": (80, "stackBufferSize", "reserved"),
    "BatchNormTiling": (80, "originalBLength", "castHalfOutRepStride"),
    "GroupNormTiling": (120, "n", "smallShape"),
    "TopkTiling": (112, "tmpLocalSize", "vreducehalfValMask7"),
}  # fmt: skip


@pytest.mark.requirement("lib-8")
@pytest.mark.parametrize("name", FIRST_AND_LAST)
def test_tilings_are_as_published(name: str) -> None:
    size, first, last = FIRST_AND_LAST[name]
    tiling = getattr(library, name)()
    assert len(tiling.pack()) == size
    setattr(tiling, first, 7)
    assert tiling.pack()[:4] == b"\7\0\0\0"
    setattr(tiling, last, type(getattr(tiling, last))(1))
    changed = tiling.pack()
    assert any(changed[-4:]), "the last field is in the last bytes"
    assert bytes(type(tiling).unpack(changed)) == changed
    with pytest.raises(ValueError, match=f"a tiling of {size} bytes is unpacked, and 3 are given"):
        type(tiling).unpack(b"abc")


SIZED = [name for name, value in inspect.getmembers(library) if name.endswith("max_min_tmp_size") and "src_shape:" in str(value.__doc__)]


def asked(function: str, shape: tuple[int, ...], size: int) -> tuple[int, int]:
    """With what a function takes besides its shape."""
    words = str(getattr(library, function).__doc__).partition("(")[2].partition(")")[0]
    more: dict[str, object] = {}
    for word, value in {"type_size": size, "is_reuse_source": False, "is_last_axis": True, "group_num": 2, "ar": True, "is_transpose": True,
                        "to_half": False, "type_is_int": False, "src_type_size": size, "mask_type_size": 1, "mask_shape": shape,
                        "src1_shape": shape, "src_shape2": (1,), "scale_shape": (shape[-1],), "dst_shape": shape,
                        "transpose_type": 7}.items():  # fmt: skip
        if f"{word}:" in words:
            more[word] = value
    first = "src0_shape" if "src0_shape:" in words else "src_shape1" if "src_shape1:" in words else "src_shape"
    return getattr(library, function)(**{first: shape}, **more)  # type: ignore[no-any-return]


@pytest.mark.requirement("lib-7")
@pytest.mark.parametrize("function", SIZED)
@settings(max_examples=20, deadline=None)
@given(dims=st.lists(st.integers(1, 12), min_size=4, max_size=4), which=st.integers(0, 2), size=st.sampled_from([2, 4]))
def test_sizes_are_whole_blocks_and_grow_with_the_shape(function: str, dims: list[int], which: int, size: int) -> None:
    group = function == "get_group_norm_max_min_tmp_size"
    shape = (dims[0], 4 * dims[1], dims[2], 8) if group else (dims[0], dims[1], 16 * dims[2])
    most, least = asked(function, shape, size)
    assert 0 < least <= most, "a kernel makes a buffer of it"
    assert most % 32 == 0
    assert least % 32 == 0
    greater = tuple(2 * dim if i == which else dim for i, dim in enumerate(shape))
    more, less = asked(function, greater, size)
    assert more >= most
    assert less >= least


Asked = tuple[Callable[[int], tuple[int, int]], Callable[[int, int], tuple[int, int]]]  # factors of a type, sizes of so many elements


def usual_factors(call: str) -> Asked:
    sizes = getattr(library, f"get_{call}_max_min_tmp_size")
    return getattr(library, f"get_{call}_tmp_buffer_factor_size"), lambda n, size: sizes((n,), size)


# With arguments of their own.
OWN_FACTORS: dict[str, Asked] = {
    "power": (lambda size: library.get_power_tmp_buffer_factor_size(True, True, False, size),
              lambda n, size: library.get_power_max_min_tmp_size((n,), (n,), False, size)),
    "mean": (library.get_mean_tmp_buffer_factor_size, lambda n, size: library.get_mean_max_min_tmp_size(n, size, size)),
    "mean in float": (library.get_mean_tmp_buffer_factor_size, lambda n, size: library.get_mean_max_min_tmp_size(n, size, 4)),
    "ascend_quant": (lambda size: library.get_ascend_quant_tmp_buffer_factor_size(),
                     lambda n, size: library.get_ascend_quant_max_min_tmp_size((n,), size)),
    "ascend_dequant": (lambda size: library.get_ascend_dequant_tmp_buffer_factor_size((1,)),
                       lambda n, size: library.get_ascend_dequant_max_min_tmp_size((n,), 4)),
    "ascend_anti_quant": (lambda size: library.get_ascend_anti_quant_tmp_buffer_factor_size((1,), (1,), True, False),
                          lambda n, size: library.get_ascend_anti_quant_max_min_tmp_size((n,), (1,), True, False)),
}  # fmt: skip
FACTORS = [name.removeprefix("get_").removesuffix("_tmp_buffer_factor_size") for name in dir(library) if name.endswith("factor_size")]


@pytest.mark.requirement("lib-7")
@pytest.mark.parametrize("call", [*FACTORS, "mean in float"])
@pytest.mark.parametrize("size", [2, 4])
def test_factors_fit_the_sizes(call: str, size: int) -> None:
    factors, sizes = OWN_FACTORS.get(call) or usual_factors(call)
    size = {"ascend_anti_quant": 1, "ascend_dequant": 4}.get(call, size)  # of what they are given
    count, extra = factors(size)
    for elements in (1, 77, 200, 4096, 40000):
        most, least = sizes(elements, size)
        assert most <= count * size * elements + extra
        assert least <= most


def test_a_call_that_is_not_there() -> None:
    with pytest.raises(KeyError, match="Sine"):
        library.sizes("Sine", 64, 4)


def output(program: Path) -> list[list[str]]:
    done = subprocess.run([str(program)], capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    return [line.split() for line in done.stdout.splitlines()]


IN_PYTHON = {
    "GetSinMaxMinTmpSize": lambda: library.get_sin_max_min_tmp_size((8, 1024), 2),
    "GetSinTmpBufferFactorSize": lambda: library.get_sin_tmp_buffer_factor_size(2),
    "GetExpMaxMinTmpSize": lambda: library.get_exp_max_min_tmp_size((8, 1024), 4),
    "GetRoundMaxMinTmpSize": lambda: library.get_round_max_min_tmp_size((8, 1024), 2),
    "GetPowerMaxMinTmpSize": lambda: library.get_power_max_min_tmp_size((8, 1024), (1,), False, 4),
    "GetGeluMaxMinTmpSize": lambda: library.get_gelu_max_min_tmp_size((8, 1024), 4),
    "GetSwiGLUMaxMinTmpSize": lambda: library.get_swi_glu_max_min_tmp_size((8, 1024), 2),
    "GetClampMaxMinTmpSize": lambda: library.get_clamp_max_min_tmp_size((8, 1024), 2),
    "GetLayerNormMaxMinTmpSize": lambda: library.get_layer_norm_max_min_tmp_size((2, 4, 64, 60), 4),
    "GetRmsNormMaxMinTmpSize": lambda: library.get_rms_norm_max_min_tmp_size((2, 4, 64), 2),
    "GetGroupNormMaxMinTmpSize": lambda: library.get_group_norm_max_min_tmp_size((2, 8, 3, 5), 4, 2),
    "GetSumMaxMinTmpSize": lambda: library.get_sum_max_min_tmp_size(100, 4),
    "GetReduceMaxMaxMinTmpSize": lambda: library.get_reduce_max_max_min_tmp_size((8, 1024), 4, True),
    "GetCumSumMaxMinTmpSize": lambda: library.get_cum_sum_max_min_tmp_size((8, 1024), 4, True),
    "GetAscendQuantMaxMinTmpSize": lambda: library.get_ascend_quant_max_min_tmp_size((8, 1024), 4),
    "GetTopKMaxMinTmpSize": lambda: library.get_top_k_max_min_tmp_size(64, 3),
    "GetBroadCastMaxMinTmpSize": lambda: library.get_broad_cast_max_min_tmp_size((8, 1), (8, 1024), 4),
    "GetSelectMaxMinTmpSize": lambda: library.get_select_max_min_tmp_size((8, 1024), (1,), 4, (8, 1024), 1),
    "GetUnPadMaxMinTmpSize": lambda: library.get_un_pad_max_min_tmp_size((8, 1024), 4),
    "GetMeanTmpBufferFactorSize": lambda: library.get_mean_tmp_buffer_factor_size(2),
    "GetTransDataMaxMinTmpSize": lambda: library.get_trans_data_max_min_tmp_size((1, 16, 1, 4, 4), (1, 1, 1, 4, 4, 16)),
    "GetSum-short": lambda: library.get_sum_max_min_tmp_size(8, 4),
    "GetSin-config": lambda: library.get_sin_max_min_tmp_size((8, 1024), 2),
    "GetTopK-config": lambda: library.get_top_k_max_min_tmp_size(64, 3),
    "GetSortMaxMinTmpSize": lambda: (0, 0),
    "GetRintMaxMinTmpSize": lambda: (0, 0),
    "GetQuantizeMaxMinTmpSize": lambda: (0, 0),
    "GetDequantizeMaxMinTmpSize": lambda: (0, 0),
    "GetAntiQuantizeMaxMinTmpSize": lambda: (0, 0),
    "GetHypotTmpBufferFactorSize": lambda: (0, 0),
    "GetWhereTmpBufferFactorSize": lambda: (0, 0),
    "GetSoftMaxMaxMinTmpSize": lambda: library.get_soft_max_max_min_tmp_size((8, 1024)),
}


@plain_session
@pytest.mark.requirement("lib-7", "lib-8")
def test_a_host_program_gets_the_same(tmp_path: Path) -> None:
    lines = output(programs.build([str(HERE / "programs" / "sizes.cpp")], tmp_path / "sizes"))
    sizes = {line[0]: (int(line[1]), int(line[2])) for line in lines if line[0].startswith("Get")}
    assert sizes == {name: function() for name, function in IN_PYTHON.items()}
    tilings = {line[0]: line[1:] for line in lines if line[0].endswith("Tiling")}
    assert len(tilings) == 14
    for name, (equal, plain, saved) in tilings.items():
        assert equal == "1", name
        assert int(saved) == -(-int(plain) // 8) * 8, name
    assert lines[-2:] == [["places", "1024", "64", "99", "184"], ["both", "1024", "60", "1"]]


@pytest.mark.requirement("lib-8")
def test_a_kernel_has_structs_where_the_host_put_them() -> None:
    """The same lines as in programs/sizes.cpp; a struct begins at a multiple of 8 on both sides."""
    source = """
    #include "kernel_operator.h"
    BEGIN_TILING_DATA_DEF(BothTiling)
    TILING_DATA_FIELD_DEF(uint32_t, total);
    TILING_DATA_FIELD_DEF_STRUCT(SoftMaxTiling, softmax);
    TILING_DATA_FIELD_DEF_STRUCT(LayerNormTiling, norm);
    TILING_DATA_FIELD_DEF(uint32_t, last);
    END_TILING_DATA_DEF;
    static_assert(offsetof(BothTiling, softmax) == 8 && offsetof(BothTiling, norm) == 72 && offsetof(BothTiling, last) == 176, "");
    static_assert(sizeof(BothTiling) == 184, "");
    extern "C" __global__ __aicore__ void k(GM_ADDR x, BothTiling tiling) { *(__gm__ uint32_t*)x = tiling.last; }
    """
    assert [kernel.name for kernel in Program(source).compile().kernels] == ["k"]


@plain_session
@pytest.mark.requirement("lib-8", "lib-22", "lib-43")
def test_a_program_with_both_sides(tmp_path: Path) -> None:
    lines = output(programs.build([str(HERE / "programs" / "both_sides.asc")], tmp_path / "both"))
    x = (np.arange(16 * 64) * 7919 % 1009 / np.float32(100)).astype(np.float32).reshape(16, 64).astype(np.float64)
    e = np.exp(x - x.max(1, keepdims=True))
    soft = e / e.sum(1, keepdims=True)
    at = np.argsort(-soft, axis=1, kind="stable")[:, :5]
    found = np.array([[float(index), float(value)] for index, value in lines])
    np.testing.assert_array_equal(found[:, 0].reshape(16, 5), at)
    near(found[:, 1].astype(np.float32).reshape(16, 5), np.take_along_axis(soft, at, 1))
