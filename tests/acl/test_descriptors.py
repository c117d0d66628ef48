# SPDX-License-Identifier: Apache-2.0
"""Data buffers and tensor descriptors: small records that programs fill in and read back."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from host import ok

import acl

# Numbers of the data types, and bytes of an element.
SIZES = {
    "FLOAT": (0, 4),
    "FLOAT16": (1, 2),
    "INT8": (2, 1),
    "INT32": (3, 4),
    "UINT8": (4, 1),
    "INT16": (6, 2),
    "UINT16": (7, 2),
    "UINT32": (8, 4),
    "INT64": (9, 8),
    "UINT64": (10, 8),
    "DOUBLE": (11, 8),
    "BOOL": (12, 1),
    "COMPLEX64": (16, 8),
    "COMPLEX128": (17, 16),
    "BF16": (27, 2),
    "COMPLEX32": (33, 4),
}
ODD = {"STRING": 13, "INT4": 29, "UINT1": 30}  # an element is no whole number of bytes, or none at all
FORMATS = {"UNDEFINED": -1, "NCHW": 0, "NHWC": 1, "ND": 2, "NC1HWC0": 3, "FRACTAL_Z": 4, "FRACTAL_NZ": 29}
ND = FORMATS["ND"]


@pytest.fixture
def desc() -> Iterator[int]:
    made = acl.create_tensor_desc(0, [2, 3, 4], ND)
    yield made
    acl.destroy_tensor_desc(made)


@pytest.mark.requirement("host-139")
@pytest.mark.parametrize(("address", "size"), [(0x1234, 10**6), (2**63, 2**40), (64, 0)])
def test_a_data_buffer_gives_back_what_it_was_made_of(address: int, size: int) -> None:
    buffer = acl.create_data_buffer(address, size)
    assert type(buffer) is int
    assert buffer
    assert acl.get_data_buffer_addr(buffer) == address
    assert acl.get_data_buffer_size_v2(buffer) == size
    assert acl.destroy_data_buffer(buffer) == 0


@pytest.mark.requirement("host-139")
def test_a_data_buffer_can_be_pointed_elsewhere() -> None:
    buffer = acl.create_data_buffer(64, 100)
    assert acl.get_data_buffer_size(buffer) == 100
    assert acl.update_data_buffer(buffer, 128, 200) == 0
    assert (acl.get_data_buffer_addr(buffer), acl.get_data_buffer_size(buffer), acl.get_data_buffer_size_v2(buffer)) == (128, 200, 200)
    ok(acl.destroy_data_buffer(buffer))


@pytest.mark.requirement("host-139")
def test_a_data_buffer_leaves_the_memory_alone() -> None:
    memory = np.arange(64, dtype=np.uint8)
    buffer = acl.create_data_buffer(memory.ctypes.data, 32)
    other = acl.create_data_buffer(memory.ctypes.data, 32)
    assert buffer != other
    ok(acl.update_data_buffer(buffer, memory.ctypes.data + 32, 32))
    for each in (buffer, other):
        ok(acl.destroy_data_buffer(each))
    np.testing.assert_array_equal(memory, np.arange(64))


@pytest.mark.requirement("host-139")
def test_a_data_buffer_that_is_none_gives_nothing() -> None:
    gone = acl.create_data_buffer(64, 8)
    ok(acl.destroy_data_buffer(gone))
    assert acl.destroy_data_buffer(0) == 100000
    assert acl.update_data_buffer(0, 64, 8) == 100000
    for none in (0, gone, 2**64 - 1):
        assert acl.destroy_data_buffer(none) != 0
        assert acl.update_data_buffer(none, 64, 8) != 0
        assert acl.get_data_buffer_addr(none) == 0
        assert acl.get_data_buffer_size_v2(none) == 0


@pytest.mark.requirement("host-140")
@pytest.mark.parametrize("name", SIZES)
def test_a_descriptor_works_out_elements_and_bytes(name: str) -> None:
    number, size = SIZES[name]
    assert acl.data_type_size(number) == size
    made = acl.create_tensor_desc(number, [2, 3, 4], ND)
    assert acl.get_tensor_desc_type(made) == number
    assert acl.get_tensor_desc_element_count(made) == 24
    assert acl.get_tensor_desc_size(made) == 24 * size
    assert acl.destroy_tensor_desc(made) is None


@pytest.mark.requirement("host-140")
@pytest.mark.parametrize("name", ODD)
def test_a_descriptor_takes_types_without_a_size(name: str) -> None:
    made = acl.create_tensor_desc(ODD[name], [8, 2], ND)
    assert acl.get_tensor_desc_type(made) == ODD[name]
    assert acl.get_tensor_desc_element_count(made) == 16
    assert type(acl.get_tensor_desc_size(made)) is int
    acl.destroy_tensor_desc(made)


@pytest.mark.requirement("host-140")
@pytest.mark.parametrize("name", FORMATS)
def test_a_descriptor_keeps_its_format(name: str) -> None:
    made = acl.create_tensor_desc(1, [16, 16], FORMATS[name])
    assert acl.get_tensor_desc_format(made) == FORMATS[name]
    acl.destroy_tensor_desc(made)


@pytest.mark.requirement("host-140")
@pytest.mark.parametrize("sides", [[1], [2, 3, 4], [7, 1, 5, 2**31], [4, 0, 4], []])
def test_a_descriptor_gives_back_its_sides(sides: list[int]) -> None:
    made = acl.create_tensor_desc(0, sides, ND)
    assert acl.get_tensor_desc_num_dims(made) == len(sides)
    assert [acl.get_tensor_desc_dim(made, index) for index in range(len(sides))] == sides
    assert [acl.get_tensor_desc_dim_v2(made, index) for index in range(len(sides))] == [(side, 0) for side in sides]
    assert acl.get_tensor_desc_dim_v2(made, len(sides))[1] != 0
    assert acl.get_tensor_desc_element_count(made) == int(np.prod(sides, dtype=object))
    acl.destroy_tensor_desc(made)


@pytest.mark.requirement("host-140")
def test_sides_are_a_list_of_integers() -> None:
    for wrong in (None, (2, 3), 5, np.array([2, 3])):
        with pytest.raises(TypeError, match=r"^argument 2 is not list$"):
            acl.create_tensor_desc(0, wrong, ND)
    for wrong in ([2.0], ["2"], [None]):
        with pytest.raises(TypeError):
            acl.create_tensor_desc(0, wrong, ND)


@pytest.mark.requirement("host-140")
def test_a_descriptor_has_a_name(desc: int) -> None:
    assert not acl.get_tensor_desc_name(desc)
    assert acl.set_tensor_desc_name(desc, "weights") is None
    assert acl.get_tensor_desc_name(desc) == "weights"


@pytest.mark.requirement("host-140")
def test_shape_and_format_can_be_changed(desc: int) -> None:
    for change in (acl.set_tensor_origin_shape, acl.set_tensor_storage_shape, acl.set_tensor_shape):
        assert change(desc, [5, 6]) == 0
    for set_format in (acl.set_tensor_origin_format, acl.set_tensor_storage_format, acl.set_tensor_format):
        assert set_format(desc, FORMATS["FRACTAL_NZ"]) == 0
    assert acl.get_tensor_desc_type(desc) == 0


@pytest.mark.requirement("host-140")
def test_sides_that_vary_have_a_range() -> None:
    desc = acl.create_tensor_desc(0, [-1, 3, -1], ND)
    assert acl.set_tensor_shape_range(desc, [[1, 16], [3, 3], [4, -1]]) == 0
    assert acl.get_tensor_desc_dim_range(desc, 0, 2) == ([1, 16], 0)
    assert acl.get_tensor_desc_dim_range(desc, 1, 2) == ([3, 3], 0)
    assert acl.get_tensor_desc_dim_range(desc, 2, 2) == ([4, -1], 0)
    assert acl.get_tensor_desc_dim_range(desc, 3, 2)[1] != 0
    acl.destroy_tensor_desc(desc)


@pytest.mark.requirement("host-140")
def test_a_destroyed_descriptor_gives_nothing() -> None:
    gone = acl.create_tensor_desc(0, [2, 3], ND)
    acl.destroy_tensor_desc(gone)
    for none in (0, gone, 2**64 - 1):
        assert acl.get_tensor_desc_element_count(none) == 0
        assert acl.get_tensor_desc_dim_v2(none, 0)[1] != 0
        assert acl.set_tensor_shape(none, [1]) != 0
        assert acl.destroy_tensor_desc(none) is None
