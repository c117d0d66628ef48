# SPDX-License-Identifier: Apache-2.0
"""Shapes, expanded axes, raw tiling data, packed structs and template keys: values that need no device."""

from __future__ import annotations

import ctypes
import itertools

import numpy as np
import pytest
from op_parts import Padded, PaddedStructure, Part, Whole

from aclimb import op
from aclimb.errors import InvalidArgument

# --- shapes


@pytest.mark.requirement("op-20")
def test_a_scalar_has_no_side_and_one_element() -> None:
    scalar = op.Shape()
    assert (len(scalar), scalar.size, scalar.is_scalar) == (0, 1, True)
    assert not op.Shape(1).is_scalar


@pytest.mark.requirement("op-20")
@pytest.mark.parametrize("sides", [(3,), (2, 3, 4), (2, 0, 4), tuple(range(1, 26))[:20], (1,) * 25])
def test_a_shape_counts_its_elements(sides: tuple[int, ...]) -> None:
    assert tuple(op.Shape(*sides)) == tuple(op.Shape(sides)) == sides
    assert op.Shape(sides).size == int(np.prod(sides, dtype=object))


@pytest.mark.requirement("op-20")
def test_25_sides_are_the_most() -> None:
    assert len(op.Shape(range(25))) == 25
    assert len(op.Shape(range(26))) == 0
    shape = op.Shape([1] * 25)
    shape.append_dim(7)
    assert tuple(shape) == (1,) * 25


@pytest.mark.requirement("op-20")
def test_a_size_beyond_64_bits_is_invalid() -> None:
    assert op.INVALID_DIM == -(2**63)
    assert op.Shape(2**32, 2**30).size == 2**62
    assert op.Shape(2**32, 2**31).size == op.INVALID_DIM
    assert op.Shape(2**40, 2**40, 2**40).size == op.INVALID_DIM


@pytest.mark.requirement("op-20")
def test_shapes_are_equal_when_their_sides_are() -> None:
    long, short = op.Shape(2, 3, 4), op.Shape(2, 3)
    assert long != short
    long.set_dim_num(2)
    assert long == short == (2, 3)
    assert op.Shape(2, 3) != op.Shape(3, 2)


@pytest.mark.requirement("op-20")
def test_sides_are_read_and_set_inside_the_rank_only() -> None:
    shape = op.Shape(2, 3)
    shape.set_dim(1, 9)
    assert (shape[1], shape.get_dim(1), shape.get_dim(2)) == (9, 9, op.INVALID_DIM)
    for wrong in (2, 25, -3):
        with pytest.raises(IndexError):
            shape.set_dim(wrong, 1)
    with pytest.raises(IndexError):
        shape[2]
    assert shape == (2, 9)


@pytest.mark.requirement("op-20")
def test_a_shape_grows_side_by_side() -> None:
    shape = op.Shape(4, 4)
    shape.set_dim_num(0)
    for side in (5, 6, 7):
        shape.append_dim(side)
    assert shape == [5, 6, 7]


@pytest.mark.requirement("op-21")
@pytest.mark.parametrize(
    ("mask", "before", "after"),
    [("0110", (2, 2), (2, 1, 1, 2)), ("1000", (2, 3, 4), (1, 2, 3, 4)), ("", (2, 3), (2, 3)), ("00", (2, 3), (2, 3)), ("11", (), (1, 1))],
)
def test_a_mask_puts_ones_where_it_says(mask: str, before: tuple[int, ...], after: tuple[int, ...]) -> None:
    assert op.ExpandDimsType(mask).expand(op.Shape(before)) == after


@pytest.mark.requirement("op-21")
@pytest.mark.parametrize(("mask", "before"), [("1000", (2, 2)), ("0110", (2, 2, 2)), ("1", (2, 3))])
def test_a_mask_that_does_not_fit_is_an_error(mask: str, before: tuple[int, ...]) -> None:
    with pytest.raises(InvalidArgument, match=mask):
        op.ExpandDimsType(mask).expand(op.Shape(before))


@pytest.mark.requirement("op-21")
def test_a_mask_is_a_number_with_its_length_on_top() -> None:
    for mask in ("0110", "1000", "1" * 56):
        number = int(op.ExpandDimsType(mask))
        assert number >> 56 == len(mask)
        assert int(op.ExpandDimsType(number)) == number
    assert op.ExpandDimsType(int(op.ExpandDimsType("0110"))).expand(op.Shape(2, 2)) == (2, 1, 1, 2)
    for wrong in ("1" * 57, "012", "a"):
        with pytest.raises(InvalidArgument):
            op.ExpandDimsType(wrong)


# --- raw tiling data


@pytest.mark.requirement("op-56")
def test_values_are_appended_without_gaps() -> None:
    data = op.TilingData(32)
    data.append(np.uint8(1))
    data.append(np.uint32(2))
    data.append(np.array([3, 4], np.uint16))
    data.append(ctypes.c_uint64(5))
    data.append(b"\x06")
    assert data.data == bytes([1, 2, 0, 0, 0, 3, 0, 4, 0, 5, *bytes(7), 6])
    assert (data.data_size, data.capacity) == (18, 32)


@pytest.mark.requirement("op-56")
def test_one_byte_too_many_is_refused_and_changes_nothing() -> None:
    data = op.TilingData(8)
    data.append(b"12345678")
    with pytest.raises(InvalidArgument, match=r"1.*8|8.*1"):
        data.append(b"9")
    assert data.data == b"12345678"
    data.data_size = 6
    with pytest.raises(InvalidArgument):
        data.append(np.zeros(3, np.uint8))
    assert (data.data, data.data_size) == (b"123456", 6)


@pytest.mark.requirement("op-56")
@pytest.mark.parametrize("size", [9, 2**63, 2**64 - 4, 2**64])
def test_a_size_that_overflows_is_refused(size: int) -> None:
    data = op.TilingData(8)
    data.append(b"1234")
    with pytest.raises(InvalidArgument):
        data.expand(size)
    with pytest.raises(InvalidArgument):
        data.data_size = size
    assert data.data == b"1234"


# --- structs


@pytest.mark.requirement("op-58")
def test_a_dataclass_and_a_ctypes_structure_have_the_same_bytes() -> None:
    packed = op.pack_tiling(Padded(1, 2, (3, 4, 5), 6, 7.0))
    assert packed == op.pack_tiling(PaddedStructure(1, 2, (3, 4, 5), 6, 7.0)) == bytes(PaddedStructure(1, 2, (3, 4, 5), 6, 7.0))
    assert len(packed) == 32
    assert op.pack_tiling(b"as it is") == b"as it is"


@pytest.mark.requirement("op-58")
def test_parts_of_a_macro_class_are_multiples_of_8() -> None:
    value = Whole(1, Part(2), 3)
    assert len(op.pack_tiling(value)) == 12
    packed = op.pack_tiling(value, pad_to=8)
    assert packed == np.array([1, 2, 3], np.uint64).tobytes()


@pytest.mark.requirement("op-58")
@pytest.mark.parametrize(
    "value", [Padded(256, 0, (0, 0, 0), 0, 0), Padded(-1, 0, (0, 0, 0), 0, 0), Padded(0, 0, (1, 2), 0, 0), {"a": 1}, 7]
)
def test_what_does_not_fit_its_field_is_refused(value: object) -> None:
    with pytest.raises(InvalidArgument):
        op.pack_tiling(value)


# --- template keys


def template(**options: object) -> object:
    return op.TemplateKey(
        op.TemplateKey.dtype("d", ["float16", "float32"]),
        op.TemplateKey.bool("split", [0, 1]),
        op.TemplateKey.uint("tiles", 4, [1, 2, 8]),
        op.TemplateKey.format("f", ["ND", "NCHW"]),
        op.TemplateKey.kernel_type("k", [0, 7]),
        **options,
    )


@pytest.mark.requirement("op-59")
def test_template_keys_are_packed_and_unpacked() -> None:
    keys = template()
    assert keys.bits == 8 + 1 + 4 + 8 + 8
    seen = set()
    for d, split, tiles, f, k in itertools.product(["float16", "float32"], [0, 1], [1, 2, 8], ["ND", "NCHW"], [0, 7]):
        values = {"d": d, "split": split, "tiles": tiles, "f": f, "k": k}
        key = keys.pack(**values)
        seen.add(key)
        assert 0 <= key < 2**keys.bits
        assert keys.unpack(key) == values
    assert len(seen) == 48


@pytest.mark.requirement("op-59")
def test_the_first_field_of_a_template_key_has_the_lowest_bits() -> None:
    keys = op.TemplateKey(op.TemplateKey.dtype("d", ["float16", "float32"]), op.TemplateKey.bool("split", [0, 1]))
    assert keys.pack(d="float16", split=0) == 1
    assert keys.pack(d="float32", split=1) == 1 << 8


@pytest.mark.requirement("op-59")
def test_a_uint_is_packed_by_its_place_in_the_declaration() -> None:
    keys = op.TemplateKey(op.TemplateKey.bool("split"), op.TemplateKey.uint("tile", 2, [64, *range(7, 9), 1000]))
    assert [keys.pack(split=1, tile=tile) for tile in (64, 7, 8, 1000)] == [1, 1 | 1 << 1, 1 | 2 << 1, 1 | 3 << 1]
    assert keys.unpack(1 | 3 << 1) == {"split": True, "tile": 1000}
    with pytest.raises(InvalidArgument, match="template parameter n has 3 values and 1 bits, which take 2; widen it"):
        op.TemplateKey.uint("n", 1, [5, 6, 7])
    with pytest.raises(InvalidArgument, match="template parameter n lists 5 twice"):
        op.TemplateKey.uint("n", 4, [5, 6, 5])


@pytest.mark.requirement("op-59")
def test_a_combination_that_is_not_listed_is_an_error() -> None:
    keys = template(select=[{"d": ["float16"], "split": [1]}, {"d": ["float32"], "split": [0]}])
    fine = {"tiles": 2, "f": "ND", "k": 0}
    keys.pack(d="float16", split=1, **fine)
    with pytest.raises(InvalidArgument):
        keys.pack(d="float16", split=0, **fine)
    with pytest.raises(InvalidArgument, match="3"):
        keys.pack(d="float16", split=1, tiles=3, f="ND", k=0)
    with pytest.raises(InvalidArgument):
        keys.pack(d="int8", split=1, **fine)
    with pytest.raises(InvalidArgument):
        keys.unpack(2**64 - 1)


@pytest.mark.requirement("op-59")
def test_a_template_key_has_64_bits_at_most() -> None:
    with pytest.raises(InvalidArgument, match="64"):
        op.TemplateKey(*(op.TemplateKey.dtype(f"d{i}", ["float16"]) for i in range(9)))


# --- names


@pytest.mark.requirement("op-68")
@pytest.mark.parametrize(
    ("type", "name"),
    [
        ("AddCustom", "add_custom"),
        ("GRUCell", "gru_cell"),
        ("Conv2DCustom", "conv2_d_custom"),
        ("AbcAAc", "abc_a_ac"),
        ("Add", "add"),
        ("ABC", "abc"),
    ],
)
def test_a_kernels_name_follows_from_the_operators(type: str, name: str) -> None:
    assert op.kernel_name(type) == name


@pytest.mark.requirement("op-97")
@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("GRAPH_SUCCESS", 0),
        ("GRAPH_FAILED", 0xFFFFFFFF),
        ("GRAPH_PARAM_INVALID", 50331649),
        ("PARAM_INVALID", 1343225857),
        ("TILING_ON_HOST", 0),
        ("TILING_ON_AICPU", 1),
        ("kOnDeviceHbm", 0),
        ("kOnHost", 1),
        ("kFollowing", 2),
        ("kOnDeviceP2p", 3),
        ("ACLNN_SUCCESS", 0),
        ("ACLNN_ERR_PARAM_NULLPTR", 161001),
        ("ACLNN_ERR_PARAM_INVALID", 161002),
        ("ACLNN_ERR_RUNTIME_ERROR", 361001),
        ("ACLNN_ERR_INNER_CREATE_EXECUTOR", 561101),
        ("ACLNN_ERR_INNER_NOT_TRANS_EXECUTOR", 561102),
        ("ACLNN_ERR_INNER_NULLPTR", 561103),
    ],
)
def test_names_of_cpp_are_constants(name: str, value: int) -> None:
    assert getattr(op, name) == value
    assert name in op.__all__


@pytest.mark.requirement("op-22")
def test_options_made_from_a_nodes_attributes_begin_at_zero() -> None:
    empty = op.Options.from_attrs({})
    assert (empty.precision_mode, bool(empty.deterministic), empty.allow_hf32) == (0, False, "")
    full = op.Options.from_attrs({"_precision_mode_enum": 2, "deterministic": "1", "allow_hf32": "10"})
    assert (full.precision_mode, bool(full.deterministic), full.allow_hf32) == (2, True, "10")
    odd = op.Options.from_attrs({"deterministic": "true", "allow_hf32": "101"})
    assert (bool(odd.deterministic), odd.allow_hf32) == (False, "")


@pytest.mark.requirement("op-40")
def test_a_core_count_that_is_no_number_is_refused() -> None:
    limits = op.Options.from_attrs({"_op_aicore_num": "4", "_op_vectorcore_num": "8"})
    assert (limits.aicore_num, limits.vectorcore_num) == (4, 8)
    with pytest.raises(InvalidArgument, match="many"):
        op.Options.from_attrs({"_op_aicore_num": "many"})
