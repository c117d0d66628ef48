# SPDX-License-Identifier: Apache-2.0
"""Kernels in the form that TileLang generates: one source with kernel and host part, built by its command line into a library, loaded
with ctypes, called with pointers, numbers and a stream."""

from __future__ import annotations

import ctypes
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from driver_calls import ARCH, Npu, call

import acl
import aclimb
from aclimb import Buffer, Kernel, KernelBinary, LaunchConfig, Stream
from aclimb.compile.toolchain import clang
from aclimb.host.prefix import prefix

KERNELS = Path(__file__).parent / "tilelang"
SEED = 11


def words_of(source: Path, library: str) -> list[str]:
    """TileLang's, with the libraries before the source and folders that need not exist."""
    root = prefix()
    folders = ["include", "include/experiment/msprof", "include/experiment/runtime", "pkg_inc", "pkg_inc/runtime", "pkg_inc/profiling"]
    return [
        "--npu-arch=dav-2201", "-O2", "-std=c++17", "-xasc", *(f"-I{root}/{folder}" for folder in folders), "-I/nowhere/catlass/include",
        "-I/nowhere/shmem/include", f"-I{KERNELS}", "-DBACKEND_HYBM", f"-L{root}/lib64", "-Wno-macro-redefined", "-Wno-ignored-attributes",
        "-Wno-non-c-typedef-for-linkage", "-lruntime", "-lascendcl", "-lm", "-ltiling_api", "-lplatform", "-lc_sec", "-ldl", "-fPIC",
        "--shared", str(source), "-o", library,
    ]  # fmt: skip


def built(source: Path, folder: Path, **variables: str) -> ctypes.CDLL:
    library = folder / f"lib{source.stem}.so"
    done = call("bisheng", *words_of(source, str(library)), folder=folder, **variables)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", ""), done.stderr
    return ctypes.CDLL(str(library))


def launch(library: ctypes.CDLL, npu: Npu, *values: int, numbers: tuple[int, ...]) -> None:
    library.call(*map(ctypes.c_void_p, values), *map(ctypes.c_int64, numbers), ctypes.c_void_p(npu.stream))


def floats(*shape: int, dtype: Any = np.float32) -> npt.NDArray[Any]:
    return np.random.default_rng(SEED).uniform(-1, 1, shape).astype(dtype)


@pytest.mark.requirement("tool-6", "tool-7", "tool-22", "tool-24", "tool-25")
@pytest.mark.parametrize("blocks", [4, 256])
def test_add_with_more_groups_than_cores(blocks: int, npu: Npu, tmp_path_factory: pytest.TempPathFactory) -> None:
    """256 groups of one AIC and two AIVs, on a chip that has 24."""
    library = built(KERNELS / "add.cpp", tmp_path_factory.mktemp("add"))
    a, b = floats(blocks * 256), floats(blocks * 256)[::-1].copy()
    c = npu.put(np.zeros_like(a))
    launch(library, npu, npu.put(a), npu.put(b), c, numbers=(a.size,))
    np.testing.assert_array_equal(npu.get(c, a.shape, a.dtype), a + b)


@pytest.mark.requirement("tool-24")
def test_gemm(npu: Npu, tmp_path: Path) -> None:
    library = built(KERNELS / "gemm.cpp", tmp_path)
    m, n, k = 128, 192, 256
    a, b = floats(m, k, dtype=np.float16), floats(k, n, dtype=np.float16)
    c = npu.put(np.zeros((m, n), np.float16))
    launch(library, npu, npu.put(a), npu.put(b), c, numbers=(m, n, k))
    np.testing.assert_allclose(npu.get(c, (m, n), np.float16), a.astype(np.float32) @ b.astype(np.float32), rtol=1e-3, atol=1e-3)


@pytest.mark.requirement("tool-24")
def test_cube_and_vector_cores_with_a_flag_between_them(npu: Npu, tmp_path: Path) -> None:
    library = built(KERNELS / "mix.cpp", tmp_path)
    blocks = 30  # more than there are AICs
    a, b = floats(blocks, 64, 64, dtype=np.float16), floats(64, 64, dtype=np.float16)
    c = npu.put(np.zeros((blocks, 64, 64), np.float16))
    launch(library, npu, npu.put(a), npu.put(b), npu.put(np.zeros((blocks, 64, 64), np.float32)), c, numbers=(blocks,))
    expected = np.maximum(a.astype(np.float32) @ b.astype(np.float32), 0)
    np.testing.assert_allclose(npu.get(c, expected.shape, np.float16), expected, rtol=1e-3, atol=1e-3)


COMPILERS = ["", pytest.param("clang", marks=pytest.mark.skipif(clang() is None, reason="no clang"))]


@pytest.mark.requirement("tool-24")
@pytest.mark.parametrize("compiler", COMPILERS)
def test_softmax_of_rows_and_lists_as_arguments(compiler: str, npu: Npu, tmp_path: Path) -> None:
    x = floats(12, 128) * 4
    found = clang() if compiler else None
    if found is not None:  # device code alone: a link with zig builds a C++ library first
        words = ("--cce-aicore-only", "-xasc", f"-I{KERNELS}", ARCH, KERNELS / "softmax.cpp", "-o", "softmax.o")
        assert call("bisheng", *words, folder=tmp_path, ACLIMB_CXX=found.path).stderr == ""
        stream, buffers = Stream(), [Buffer.from_array(x), Buffer(x.shape, "float32")]
        aclimb.launch(stream, LaunchConfig(num_blocks=6), Kernel(KernelBinary.read(tmp_path / "softmax.o")), *buffers, 12, 0)
        got = buffers[1].to_numpy()
    else:
        y = npu.put(np.zeros_like(x))
        launch(built(KERNELS / "softmax.cpp", tmp_path), npu, npu.put(x), y, numbers=(12,))
        got = npu.get(y, x.shape, x.dtype)
    wide = np.exp(x.astype(np.float64) - x.max(axis=1, keepdims=True))
    np.testing.assert_allclose(got, wide / wide.sum(axis=1, keepdims=True), rtol=2e-6, atol=1e-9)


@pytest.mark.requirement("tool-24")
def test_softmax_of_tiles_with_reductions_by_pattern_and_broadcast(npu: Npu, tmp_path: Path) -> None:
    x = floats(96, 128) * 4
    y = npu.put(np.zeros_like(x))
    launch(built(KERNELS / "softmax_tiles.cpp", tmp_path), npu, npu.put(x), y, numbers=(96,))
    wide = np.exp(x.astype(np.float64) - x.max(axis=1, keepdims=True))
    np.testing.assert_allclose(npu.get(y, x.shape, x.dtype), wide / wide.sum(axis=1, keepdims=True), rtol=2e-6, atol=1e-9)


@pytest.mark.requirement("tool-24")
def test_the_largest_of_each_row(npu: Npu, tmp_path: Path) -> None:
    library = built(KERNELS / "topk.cpp", tmp_path)
    x = floats(8, 32)
    values, places = npu.put(np.zeros((8, 16), np.float32)), npu.put(np.zeros((8, 16), np.uint32))
    launch(library, npu, npu.put(x), values, places, numbers=(8,))
    order = np.argsort(-x, axis=1)[:, :16]
    np.testing.assert_array_equal(npu.get(places, (8, 16), np.uint32), order)
    np.testing.assert_array_equal(npu.get(values, (8, 16), np.float32), np.take_along_axis(x, order, 1))


@pytest.mark.requirement("tool-25")
def test_groups_that_all_meet_must_all_have_a_core(npu: Npu, tmp_path: Path) -> None:
    text = (KERNELS / "add.cpp").read_text().replace("memories.take(pipe);", "memories.take(pipe);\n    AscendC::SyncAll<false>();")
    (tmp_path / "meet.cpp").write_text(text)
    library = built(tmp_path / "meet.cpp", tmp_path)
    for blocks, is_refused in ((8, False), (256, True)):
        a = floats(blocks * 256)
        c = npu.put(np.zeros_like(a))
        acl.get_recent_err_msg()
        launch(library, npu, npu.put(a), npu.put(a), c, numbers=(a.size,))
        said = acl.get_recent_err_msg() or ""
        refusal = "synchronises across cores, so all its blocks must run at once: 256 blocks asked for, Ascend910_9392 has AICs for 24 of"
        assert (refusal in said) == is_refused, said
        np.testing.assert_array_equal(npu.get(c, a.shape, a.dtype), a * (0 if is_refused else 2))


@pytest.mark.requirement("tool-22")
def test_a_tbuf_lives_longer_than_its_pipe(npu: Npu, tmp_path: Path) -> None:
    """tests/check/queue_after_destroy has the queue that is used too late."""
    (tmp_path / "later.cpp").write_text(LATER)
    library = built(tmp_path / "later.cpp", tmp_path)
    x = floats(64)
    y = npu.put(np.zeros_like(x))
    launch(library, npu, npu.put(x), y, numbers=(64,))
    np.testing.assert_array_equal(npu.get(y, x.shape, x.dtype), x + x + x)


# A queue that has done its work, Destroy, which takes its flags back, and a TBuf behind it.
LATER = """#include "form.h"
extern "C" __global__ __aicore__ void later_kernel(GM_ADDR x, GM_ADDR y, int64_t length) {
    AscendC::GlobalTensor<float> from, to;
    from.SetGlobalBuffer((__gm__ float*)x, length);
    to.SetGlobalBuffer((__gm__ float*)y, length);
    AscendC::TPipe pipe;
    AscendC::TQue<AscendC::TPosition::VECIN, 1> queue;
    AscendC::TBuf<AscendC::TPosition::VECCALC> buffer;
    pipe.InitBuffer(queue, 1, length * sizeof(float));
    pipe.InitBuffer(buffer, 2 * length * sizeof(float));
    auto sum = buffer.Get<float>();
    auto taken = queue.AllocTensor<float>();
    AscendC::DataCopy(taken, from, length);
    queue.EnQue(taken);
    taken = queue.DeQue<float>();
    AscendC::Add(sum, taken, taken, length);
    queue.FreeTensor(taken);
    pipe.Destroy();
    auto again = buffer.GetWithOffset<float>(length, length * sizeof(float));
    AscendC::DataCopy(again, from, length);
    AscendC::PipeBarrier<PIPE_ALL>();
    AscendC::Add(sum, sum, again, length);
    AscendC::PipeBarrier<PIPE_ALL>();
    AscendC::DataCopy(to, buffer.GetWithOffset<float>(length, 0), length);
}
extern "C" void call(uint8_t* x, uint8_t* y, int64_t length, aclrtStream stream) {
    later_kernel<<<1, nullptr, stream>>>(x, y, length);
}
"""


@pytest.mark.requirement("tool-23")
def test_calls_of_the_library_as_templates_write_them(tmp_path: Path) -> None:
    text = """#include "form.h"
extern "C" __global__ __aicore__ void k(__gm__ float* y) {
    AscendC::LocalTensor<float> a;
    AscendC::LocalTensor<uint8_t> tmp;
    USE
    y[0] = 1;
}
"""
    (tmp_path / "k.cpp").write_text(text)
    command = ["--npu-arch=dav-2201", "-xasc", "-c", f"-I{KERNELS}", "k.cpp"]
    assert call("bisheng", *command, "-DUSE=", folder=tmp_path).returncode == 0
    done = call("bisheng", *command, "-DUSE=form::later(a,a,tmp);", folder=tmp_path)
    assert done.returncode == 0, done.stderr
