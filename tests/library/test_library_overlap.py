# SPDX-License-Identifier: Apache-2.0
"""Tensors and scratch of a call in one place: an error that names them. The same calls with places of their own are in the other files."""

from __future__ import annotations

import numpy as np
import pytest
from library_image import WITH_COUNT, WITH_TMP_AND_COUNT, Array, Image

from aclimb import errors

ROWS = np.zeros((16, 16), np.float16)
PLANES = np.zeros((1, 16, 1, 16), np.float16)
# kernels, call, source, words behind the places, what is named
ON_ITS_SOURCE = {
    "Pad": ("layout", "pad_half", np.zeros((16, 15), np.float16), (16, 15, 0, 1, 0), "dst and src of Pad"),
    "UnPad": ("layout", "unpad_half", ROWS, (16, 16, 0, 1), "dst and src of UnPad"),
    "a matrix": ("layout", "turn_half", ROWS, (7, 16, 16), "dst and src of Transpose"),
    "heads": ("layout", "turn_half", ROWS, (5, 1, 1, 16, 16), "dst and src of Transpose"),
    "images": ("layout", "to_tiles", PLANES, (1, 16, 1, 4, 4), "dst and src of TransData"),
    "a column": ("layout", "column_half", ROWS, (16, 16), "dst and src of Broadcast"),
}


@pytest.mark.requirement("lib-5")
@pytest.mark.parametrize("name", ON_ITS_SOURCE)
def test_a_destination_on_its_source(name: str) -> None:
    source, call, x, more, named = ON_ITS_SOURCE[name]
    image = Image()
    image.same_place(image.add(x))
    with pytest.raises(errors.Misuse, match=f"{named} share bytes"):
        image.run(source, call, form=WITH_COUNT, more=more)


@pytest.mark.requirement("lib-5")
@pytest.mark.parametrize(
    ("shared", "named"), [((0, 2), "dstValue and src"), ((1, 2), "dstIndex and src"), ((0, 1), "dstValue and dstIndex")]
)
def test_tensors_of_topk(shared: tuple[int, int], named: str) -> None:
    image = Image()
    tensors: list[Array] = [
        np.zeros(8, np.float32),
        np.zeros(8, np.int32),
        np.zeros(64, np.float32),
        np.zeros(8, np.int32),
        np.zeros(32, np.uint8),
    ]
    for each in tensors:
        image.add(each)
    first, second = shared
    _, size, dtype, shape = image.places[first]
    image.places[first] = (image.places[second][0], size, dtype, shape)
    with pytest.raises(errors.Misuse, match=f"{named} of TopK share bytes"):
        image.run("topk", "normal_float", 5, WITH_COUNT, (1, 64, 64, 1))


SCRATCH = {
    "SoftMax": ("softmax", "softmax_alone", np.zeros((8, 64), np.float32), (8, 64), 1),
    "Broadcast": ("layout", "column_float", np.zeros((16, 5), np.float32), (16, 5), 1),
    "Pad": ("layout", "pad_half", np.zeros((16, 15), np.float16), (16, 15, 0, 1, 0), 1),
    "Transpose": ("layout", "turn_half", ROWS, (5, 1, 1, 16, 16), 1),
    "TransData": ("layout", "to_tiles", PLANES, (1, 16, 1, 4, 4), 1),
    "Sum": ("reduction", "Sum_float", np.zeros((4, 128), np.float32), (4, 128, 128), 1),
    "Mean": ("reduction", "Mean_half_float", np.zeros((4, 64), np.float16), (4, 64, 64), 1),
    "ReduceMax": ("reduction", "ReduceMax_float_AR", np.zeros((4, 128), np.float32), (4, 128), 1),
    "DropOut": ("filter", "drop_float", np.zeros((1, 256), np.float32), (1, 256, 256, 2), 2),
}


@pytest.mark.requirement("lib-5")
@pytest.mark.parametrize("name", SCRATCH)
@pytest.mark.parametrize("tensor", [0, 1])
def test_scratch_on_a_tensor(name: str, tensor: int) -> None:
    source, call, x, more, last = SCRATCH[name]
    image = Image()
    image.add(np.zeros((x.shape[0], x.size), x.dtype))  # as long as any result
    image.add(x)
    if last == 2:
        image.add(np.zeros(256, np.uint8))
    room = image.scratch(16384)
    image.places[room] = (image.places[tensor][0], *image.places[room][1:])
    with pytest.raises(errors.Misuse, match=f"sharedTmpBuffer and a tensor of {name} share bytes"):
        image.run(source, call, form=WITH_TMP_AND_COUNT, more=more)
