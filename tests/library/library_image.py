# SPDX-License-Identifier: Apache-2.0
"""The UB as a test lays it out (kernels/image.h): tensors and scratch with guard bytes between them, checked after the call."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from aclimb import Buffer, Kernel, LaunchConfig, Program, Stream, launch
from aclimb.tiling import library

Array = NDArray[np.generic]
IMAGE, STATE = 112 * 1024, 64
GUARD = 64
KERNELS = Path(__file__).with_name("kernels")
WITH_TMP_AND_COUNT, WITH_TMP, WITH_COUNT, BARE = range(4)
ALL_FORMS = (WITH_TMP_AND_COUNT, WITH_TMP, WITH_COUNT, BARE)
COUNTED = (WITH_TMP_AND_COUNT, WITH_COUNT)


@cache
def kernel(source: str, name: str) -> Kernel:
    return Kernel(Program(KERNELS / f"{source}.cpp").compile(), name)


class Image:
    """Tensors one behind the other, each at a multiple of 32, with random bytes around them."""

    def __init__(self) -> None:
        self.bytes = np.random.default_rng(0).integers(0, 256, IMAGE + STATE, dtype=np.uint8)
        self.before = self.bytes
        self.places: list[tuple[int, int, np.dtype[np.generic], tuple[int, ...]]] = []
        self._end = GUARD

    def add(self, values: Array) -> int:
        """A tensor with these values; its number."""
        at = self._end
        self._end = -(-(at + values.nbytes) // 32) * 32 + GUARD
        assert self._end <= IMAGE, "the image is full"
        self.bytes[at : at + values.nbytes] = np.frombuffer(values.tobytes(), np.uint8)
        self.places.append((at, values.size, values.dtype, values.shape))
        return len(self.places) - 1

    def same_place(self, tensor: int) -> int:
        """Another tensor at the place of one."""
        self.places.append(self.places[tensor])
        return len(self.places) - 1

    def scratch(self, size: int) -> int:
        return self.add(np.zeros(size, np.uint8))

    def run(self, source: str, name: str, count: int = 0, form: int = WITH_TMP_AND_COUNT, more: tuple[int, ...] = ()) -> None:
        """Makes the call on the tensors in the order in which they were added, and checks what it must not touch."""
        self.before = self.bytes.copy()
        words = np.zeros(24, np.uint32)
        for i, (at, size, _, _) in enumerate(self.places):
            words[i], words[8 + i] = at, size
        words[16], words[17] = count, form
        words[18 : 18 + len(more)] = more
        image, places = Buffer.from_array(self.bytes), Buffer.from_array(words)
        stream = Stream()
        launch(stream, LaunchConfig(num_blocks=1), kernel(source, name), image, places)
        stream.synchronize()
        self.bytes = image.to_numpy().copy()
        self._check_guards()
        self._check_registers()

    def of(self, tensor: int) -> Array:
        """What a tensor holds now."""
        return self._values(self.bytes, tensor)

    def was(self, tensor: int) -> Array:
        return self._values(self.before, tensor)

    def _values(self, image: NDArray[np.uint8], tensor: int) -> Array:
        at, size, dtype, shape = self.places[tensor]
        return np.frombuffer(image[at : at + size * dtype.itemsize].tobytes(), dtype).reshape(shape)

    def _check_guards(self) -> None:
        free = np.ones(IMAGE, bool)
        for at, size, dtype, _ in self.places:
            free[at : at + size * dtype.itemsize] = False
        np.testing.assert_array_equal(self.bytes[:IMAGE][free], self.before[:IMAGE][free], "bytes outside the tensors changed")

    def _check_registers(self) -> None:
        full = 2**64 - 1
        mask0, mask1, counted, _, _, atomics = np.frombuffer(self.bytes[IMAGE : IMAGE + 48].tobytes(), np.uint64)
        assert (int(mask0), int(mask1), int(counted)) == (full, full, 0), "the mask register is not NORMAL and full"
        assert atomics == 0


@dataclass(frozen=True)
class Call:
    """An element-wise call in a file of kernels: `<name>_<type>` there, destination and sources of one type."""

    source: str
    name: str
    sources: int = 1
    forms: tuple[int, ...] = ALL_FORMS
    needs: str = ""  # its line in needs.h, where that has another name
    in_place: bool = False
    more: tuple[int, ...] = ()

    def sizes(self, count: int, type_size: int) -> tuple[int, int]:
        return library.sizes(self.needs or self.name, count, type_size)

    def run(self, xs: list[Array], count: int, form: int, tmp: int, *, in_place: bool = False) -> Array:
        """The result. Sources, and what lies behind the count, are as they were."""
        image = Image()
        whole = form in {WITH_TMP, BARE}
        xs = [x[:count] if whole else x for x in xs]
        z = image.add(xs[0] if in_place else np.full(xs[0].size, 7, xs[0].dtype))
        sources = [image.same_place(z) if in_place and i == 0 else image.add(x) for i, x in enumerate(xs)]
        if form in {WITH_TMP_AND_COUNT, WITH_TMP}:
            image.scratch(tmp)
        image.run(self.source, f"{self.name}_{NAMES[xs[0].dtype]}", count, form, self.more)
        for each in sources[in_place:]:
            np.testing.assert_array_equal(image.of(each), image.was(each))
        np.testing.assert_array_equal(image.of(z)[count:], image.was(z)[count:])
        return image.of(z)[:count]

    def all_ways(self, xs: list[Array], count: int) -> Array:
        """The result in the least scratch; every other form, the most scratch, and in place where it may be, give the same."""
        most, least = self.sizes(count, xs[0].itemsize)
        results = [self.run(xs, count, form, least) for form in self.forms]
        results += [self.run(xs, count, form, most) for form in self.forms if form == WITH_TMP_AND_COUNT and most > least]
        results += [self.run(xs, count, form, least, in_place=True) for form in self.forms[:1] if self.in_place]
        for other in results[1:]:
            np.testing.assert_array_equal(results[0], other)
        return results[0]


NAMES = {
    np.dtype(np.float32): "float",
    np.dtype(np.float16): "half",
    np.dtype(np.int32): "int32_t",
    np.dtype(np.int16): "int16_t",
    np.dtype(np.uint16): "uint16_t",
}


def near(got: Array, expected: NDArray[np.float64], tolerance: float | None = None) -> None:
    """Within the tolerance of the type, relative or absolute: 2e-6 for float, 1e-3 for half. NaN and infinities are equal to themselves."""
    tolerance = tolerance or (2e-6 if got.dtype == np.float32 else 1e-3)
    with np.errstate(over="ignore", invalid="ignore"):
        rounded = expected.astype(got.dtype).astype(np.float64)
        wide = got.astype(np.float64)
        error = np.abs(wide - rounded)
        good = (wide == rounded) | (np.isnan(wide) & np.isnan(rounded)) | (error <= tolerance) | (error <= tolerance * np.abs(rounded))
    where = np.flatnonzero(~good.reshape(-1))[:5]
    assert good.all(), (
        f"{(~good).sum()} of {good.size} differ: at {where} {wide.reshape(-1)[where]} instead of {rounded.reshape(-1)[where]}"
    )
