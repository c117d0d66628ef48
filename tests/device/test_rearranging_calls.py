# SPDX-License-Identifier: Apache-2.0
"""Gather, index, transpose, sort: each form of a call computes what NumPy does."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from aclimb import Buffer, Kernel, LaunchConfig, Program, Stream, errors, launch
from aclimb.fuse import stress

ROW = 256
Row = NDArray[np.float32]
Run = Callable[..., None]


@pytest.fixture
def rows(run: Run) -> Callable[..., Row]:
    def _rows(name: str, count: int, a: NDArray[np.generic], b: NDArray[np.generic] | None = None) -> Row:
        z = Buffer((count, ROW), np.float32)
        second = np.zeros(ROW, np.float32) if b is None else b.view(np.float32)
        run("rearrange", name, Buffer.from_array(a.view(np.float32)), Buffer.from_array(second), z)
        return z.to_numpy()

    return _rows


@pytest.fixture
def a() -> Row:
    return np.random.default_rng(1).uniform(-9, 9, ROW).astype(np.float32)


@pytest.mark.requirement("lib-48")
def test_gather_in_its_forms(rows: Callable[..., Row], a: Row) -> None:
    random = np.random.default_rng(2)
    index, blocks = random.integers(0, 200, 208), random.integers(0, 32, 48)
    got = rows("gathers", 4, a, np.concatenate([index * 4, blocks * 32]).astype(np.uint32))
    at = np.arange(ROW)
    np.testing.assert_array_equal(got[0], np.where(at < 100, a[np.pad(index, (0, 48))], 0))
    first = np.where((at % 64 < 7) & (at < 192), a[np.pad(index, (0, 48))[:ROW] + 16], 0)
    np.testing.assert_array_equal(got[1], first)
    expected = np.zeros(ROW, np.float32)
    for r in range(2):
        expected[128 * r : 128 * r + 64 : 2] = a[index[64 * r : 64 * r + 64 : 2]]
    np.testing.assert_array_equal(got[2], expected)
    expected = np.zeros((32, 8), np.float32)
    expected[[*range(8), *range(16, 24)]] = a.reshape(32, 8)[blocks[:16]]
    np.testing.assert_array_equal(got[3], expected.reshape(-1))


def stepped(first: float, diff: float, count: int, dtype: type[np.generic]) -> NDArray[np.generic]:
    """Block after block from the block before, then 256 bytes after 256 bytes: each step rounds."""
    size = np.dtype(dtype).itemsize
    block, repeat = 32 // size, 256 // size
    wide = np.float32(diff if dtype is np.float32 else np.float16(diff))
    made = np.zeros(count, dtype)
    for i in range(count):
        if i < block:
            made[i] = np.float32(first) + wide * np.float32(i)
        else:
            step = block if i < repeat else repeat
            made[i] = np.float32(made[i - step]) + np.float32((wide * np.float32(step)).astype(dtype))
    return made


@pytest.mark.requirement("lib-44")
def test_index_calls_count(rows: Callable[..., Row], a: Row) -> None:
    got = rows("indices", 8, a)
    np.testing.assert_array_equal(got[0].view(np.int32), np.pad(np.arange(5, 105), (0, 156)))
    expected = np.zeros(ROW, np.float32)
    expected[:7], expected[128:135] = 3.5 + np.arange(7), 3.5 + 64 + np.arange(7)
    np.testing.assert_array_equal(got[1], expected)
    expected = np.zeros(ROW, np.float32)
    for r in range(3):
        expected[64 * r], expected[64 * r + 63] = 64 * r, 64 * r + 63
    np.testing.assert_array_equal(got[2], expected)
    np.testing.assert_array_equal(got[3], np.pad(stepped(0.1, 0.3, 251, np.float32), (0, 5)))
    np.testing.assert_array_equal(got[4].view(np.int32), np.pad(-7 + 3 * np.arange(250), (0, 6)))
    np.testing.assert_array_equal(got[5].view(np.float16), np.pad(stepped(1, 0.3, 500, np.float16), (0, 12)))
    np.testing.assert_array_equal(got[6].view(np.int16), np.pad((32000 + 7 * np.arange(300)).astype(np.int16), (0, 212)))
    np.testing.assert_array_equal(got[7], np.pad(np.float32([2, 3, 4]), (0, 253)))


@pytest.mark.requirement("lib-49")
def test_gather_mask_packs_and_counts(rows: Callable[..., Row], a: Row) -> None:
    got = rows("gather_masks", 10, a)
    at = np.arange(192)
    taken = [at % 2 == 0, at % 2 == 1, *(at % 4 == i for i in range(4)), at >= 0]
    for row, chosen in zip(got, taken, strict=False):
        kept = a[:192][chosen]
        assert row[255] == len(kept)
        np.testing.assert_array_equal(row[:255], np.pad(kept, (0, 255 - len(kept))))
    for row, values in ((7, a[:200]), (8, a.astype(np.float16).astype(np.float32))):
        kept = values[a[: len(values)] > 0]
        assert got[row][255] == len(kept)
        np.testing.assert_array_equal(got[row][:255], np.pad(kept, (0, 255 - len(kept))))
    np.testing.assert_array_equal(got[9], np.pad(a[:64] + np.float32(1), (0, 192)))


@pytest.mark.requirement("lib-50")
def test_transposes_are_numpys(rows: Callable[..., Row]) -> None:
    x = np.random.default_rng(4).integers(0, 2**16, 512, np.uint16)
    got = rows("transposes", 8, x)
    for row in range(3):
        np.testing.assert_array_equal(got[row].view(np.uint16), np.pad(x[:256].reshape(16, 16).T.reshape(-1), (0, 256)))
    bits = x.view(np.uint32)
    np.testing.assert_array_equal(got[3].view(np.uint32), bits.reshape(2, 4, 32).transpose(0, 2, 1).reshape(-1))
    np.testing.assert_array_equal(got[4].view(np.uint32), bits.reshape(2, 32, 4).transpose(0, 2, 1).reshape(-1))
    squares = bits.reshape(2, 16, 8).transpose(0, 2, 1).reshape(-1)
    np.testing.assert_array_equal(got[5].view(np.uint32), squares)
    for row in (6, 7):
        np.testing.assert_array_equal(got[row].view(np.uint32), np.pad(squares[:128], (0, 128)))


def interpolated(x: NDArray[np.float16], blocks: NDArray[np.int64], weights: NDArray[np.float16], h: int, v: int) -> NDArray[np.float16]:
    """v rows, each the sum of h times eight blocks with their weights; one weight a time, or eight; every step rounds to half."""
    taken = x.reshape(-1, 16)[blocks[: 8 * h * v]].reshape(v, h, 8, 16)
    spread = np.broadcast_to(weights.reshape(v, h, -1, 1), (v, h, 8, 1))
    products = taken * spread
    total = products[:, 0]
    for i in range(1, h):
        total = products[:, i] + total
    return total.reshape(v, 128)


def test_bilinear_interpolation_adds_weighted_blocks(rows: Callable[..., Row]) -> None:
    random = np.random.default_rng(8)
    x = random.uniform(-4, 4, 512).astype(np.float16)
    blocks, weights = random.integers(0, 32, 32), random.uniform(-1, 1, 32).astype(np.float16)
    second = np.zeros(1024, np.uint8)
    second[:128], second[128:192] = (blocks * 32).astype(np.uint32).view(np.uint8), weights.view(np.uint8)
    got = rows("interpolations", 4, x, second).view(np.float16)
    plain = interpolated(x, blocks, weights[:4], 2, 2)
    np.testing.assert_array_equal(got[0], np.pad(plain.reshape(-1), (0, 256)))
    bits = np.unpackbits(np.array([0x00FF00FF00FF00FF, 0x5555555555555555], np.uint64).view(np.uint8), bitorder="little").astype(bool)
    expected = np.zeros((2, 8, 2, 16), np.float16)  # a block, and one that is left out
    expected[:, :, 0] = np.where(bits, interpolated(x, blocks, weights, 2, 2), np.float16(0)).reshape(2, 8, 16)
    np.testing.assert_array_equal(got[1], expected.reshape(-1))
    np.testing.assert_array_equal(got[2], np.pad(interpolated(x, blocks, weights[:24], 3, 1)[0, :100], (0, 412)))
    halves = interpolated(x, blocks, weights[:4], 1, 4)
    np.testing.assert_array_equal(got[3].reshape(4, 128), np.where(np.arange(128) < 64, halves, np.float16(0)))


def test_settings_for_images_leave_copies_as_they_are(rows: Callable[..., Row], a: Row) -> None:
    np.testing.assert_array_equal(rows("image_settings", 1, a)[0], a)


@pytest.mark.requirement("lib-41")
@pytest.mark.parametrize(("name", "dtype"), [("sort_float", np.float32), ("sort_half", np.float16), ("sort_groups", np.float32)])
@pytest.mark.parametrize("repeat", [1, 2, 5, 64, 255])
def test_sort_and_extract_are_a_stable_argsort(run: Run, name: str, dtype: type[np.generic], repeat: int) -> None:
    n = 32 * repeat
    scores = np.random.default_rng(n).integers(-500, 500, n).astype(dtype)
    pairs, values, order = Buffer(2 * n, np.uint32), Buffer(n, dtype), Buffer(n, np.uint32)
    run("rearrange", name, Buffer.from_array(scores), pairs, values, order, repeat)
    if name == "sort_groups":
        expected = np.argsort(-scores.reshape(repeat, 32), kind="stable", axis=1) + 32 * np.arange(repeat)[:, None]
    else:
        expected = np.argsort(-scores.astype(np.float64), kind="stable")
    np.testing.assert_array_equal(order.to_numpy(), expected.reshape(-1))
    np.testing.assert_array_equal(values.to_numpy(), scores[expected.reshape(-1)])
    np.testing.assert_array_equal(pairs.to_numpy()[1::2], expected.reshape(-1))


@pytest.mark.requirement("lib-42", "lib-51")
def test_merging_stops_when_a_list_is_used_up_and_says_how_far_it_came(rows: Callable[..., Row]) -> None:
    random = np.random.default_rng(5)
    lists = [-np.sort(-random.uniform(0, 1, length).astype(np.float32)) for length in (32, 96)]
    pairs = np.zeros((128, 2), np.float32)
    pairs[:, 0], pairs[:, 1] = np.concatenate(lists), np.arange(128, dtype=np.uint32).view(np.float32)
    got = rows("merge_some", 4, pairs.reshape(-1))
    order = np.argsort(-pairs[:, 0], kind="stable")
    stop = min(np.flatnonzero(order < 32)[-1], np.flatnonzero(order >= 32)[-1]) + 1
    used = [int((order[:stop] < 32).sum()), int((order[:stop] >= 32).sum()), 0, 0]
    for row in (0, 2):
        np.testing.assert_array_equal(got[row].reshape(128, 2)[:stop], pairs[order[:stop]])
        assert not got[row][2 * stop :].any()
        assert got[row + 1][:4].tolist() == used


# --- what only the data or the launch know is said with the value

TENSORS = """LocalTensor<float> a(TPosition::VECIN, 0, 64), z(TPosition::VECOUT, 1024, 64);
    LocalTensor<uint32_t> u(TPosition::VECCALC, 2048, 64); uint64_t kept; uint16_t lengths[4] = {1, 1, 1, 1};"""
MISTAKES = [
    ("Duplicate(u, 6u, 64); Gather(z, a, u, 0, 64);", errors.Misaligned,
     "offset 6 of element 0 is not a multiple of 4; Gather would read something else",
     "offsets are bytes: multiply an index by the size of what is gathered"),
    ("Duplicate(u, 4u, 64); Gather(z, a, u, 2, 64);", errors.Misaligned,
     "offset 4 of element 0 with srcBaseAddr 2 is not a multiple of 4; Gather would read something else", "offsets are bytes"),
    ("Duplicate(u, 256u, 64); Gather(z, a, u, 0, 64);", errors.OutOfBounds,
     "Gather needs UB bytes 0x0000-0x0103 of a, which has 256 bytes", ""),
    ("Duplicate(u, 48u, 64); Gatherb(z, a, u, 1, {1, 8});", errors.Misaligned,
     "offset 48 of element 0 is not a multiple of 32; Gatherb would read something else", "offsets are bytes"),
    ("GatherMask(z, a, 8, false, 0, {1, 1, 8, 0}, kept);", errors.Misuse, "src1Pattern is 8; it takes 1 to 7", ""),
    ("Sort32(z, a, u, 256);", errors.Misuse, "repeatTime is 256; it takes 0 to 255", ""),
    ("MrgSort(z, {a, a, a, a}, {lengths, false, 5, 1});", errors.Misuse, "validBit (3, 7 or 15) is 5; it takes 3 to 15", ""),
    ("LocalTensor<float> l[16]; for (int i = 0; i < 16; i++) l[i] = z[32]; TransDataTo5HD<float>(l, l, {false, false, 6, 1, 1});",
     errors.Misuse, "bytes of a tensor of dstList is 128; it takes 192 to 196608", ""),
    ("SetDeqScale(1.0f, static_cast<int16_t>(256), true);", errors.Misuse, "offset of SetDeqScale is 256; it takes -256 to 255", ""),
    ("Transpose(z, a, u.ReinterpretCast<uint8_t>(), TransposeParamsExt());", errors.Misuse, "transposeType is 10; it takes 11 to 12", ""),
    ("LocalTensor<half> h = a.ReinterpretCast<half>();"
     "BilinearInterpolation(h, h, u, h, 128, 1, true, 1, 0, 20, z.ReinterpretCast<uint8_t>());",
     errors.Misuse, "elements of src1 is 128; it takes 160 to", ""),
    ("LocalTensor<half> h = a.ReinterpretCast<half>(); Duplicate(u, 0u, 64);"
     "BilinearInterpolation(h, h, u, h, 128, 1, true, 1, 0, 1, z.ReinterpretCast<uint8_t>());",
     errors.OutOfBounds, "0x0500-0x14ff of z.ReinterpretCast<uint8_t>(), behind the end of its tensor", ""),
    ("AippParams<int8_t> p; p.paddingParams.paddingMode = 4; SetAippFunctions(GlobalTensor<int8_t>(), AippInputFormat::RGB888_U8, p);",
     errors.Misuse, "paddingMode of AippParams is 4; it takes 0 to 3", ""),
    ("WaitFlag<HardEvent::MTE2_V>(EVENT_ID0); GatherMask(z, a, 1, false, 0, {1, 1, 8, 0}, kept);",
     errors.Hang, "rsvdCnt of GatherMask", ""),
]  # fmt: skip


@pytest.mark.parametrize(("body", "error", "text", "more"), MISTAKES)
def test_a_mistake_is_named_with_its_value(body: str, error: type[Exception], text: str, more: str) -> None:
    source = f'#include "kernel_operator.h"\nusing namespace AscendC;\nextern "C" __global__ __aicore__ void f() {{ {TENSORS} {body} }}'
    kernel, stream = Kernel(Program(source, name="f").compile()), Stream()
    launch(stream, LaunchConfig(num_blocks=1), kernel)
    with pytest.raises(error) as caught:
        stream.synchronize()
    assert text in str(caught.value)
    assert more in str(caught.value)


COUNTED = """
#include "kernel_operator.h"
using namespace AscendC;
extern "C" __global__ __aicore__ void counted(GM_ADDR x, GM_ADDR z) {
    GlobalTensor<float> from, to;
    from.SetGlobalBuffer((__gm__ float*)x, 256);
    to.SetGlobalBuffer((__gm__ float*)z, 8);
    LocalTensor<float> a(TPosition::VECIN, 0, 256), b(TPosition::VECOUT, 1024, 256), out(TPosition::VECOUT, 2048, 8);
    uint64_t kept = 0;
    uint16_t used[4], lengths[4] = {32, 32, 0, 0};
    DataCopy(a, from, 256);
    SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
    Duplicate(out, 0.0f, 8);
    GatherMask(b, a, 3, false, 0, {1, 4, 8, 0}, kept);
    out.SetValue(0, static_cast<float>(kept));
    MrgSort(b, MrgSortSrcList<float>(a, a[64], a, a), MrgSort4Info(lengths, true, 3, 1));
    GetMrgSortResult(used[0], used[1], used[2], used[3]);
    out.SetValue(1, static_cast<float>(used[0]));
    out.SetValue(2, static_cast<float>(used[1]));
    SetFlag<HardEvent::S_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::S_MTE3>(EVENT_ID0);
    DataCopy(to, out, 8);
}
"""


def test_what_is_counted_is_there_under_every_schedule() -> None:
    x = np.zeros((128, 2), np.float32)
    x[:32, 0], x[32:64, 0] = np.arange(64, 32, -1), np.arange(40, 8, -1)
    z = Buffer.from_array(np.zeros(8, np.float32))
    kernel, stream = Kernel(Program(COUNTED).compile()), Stream()
    launch(stream, LaunchConfig(num_blocks=1), kernel, Buffer.from_array(x), z)
    stream.synchronize()
    assert z.to_numpy()[:3].tolist() == [64, 32, 7]  # 33 is in both lists, and the first one's ends it
    report = stress(kernel, Buffer.from_array(x), z, config=LaunchConfig(1), seeds=range(30))
    assert str(report) == "counted: the same result under 30 schedules"
