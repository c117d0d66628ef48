# SPDX-License-Identifier: Apache-2.0
"""Arguments, launch options, and the words for each of them that is not accepted."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest

from aclimb import Buffer, Device, Kernel, LaunchConfig, Stream, launch
from aclimb.errors import DeviceError, InvalidArgument

Find = Callable[[str], Kernel]
ONE = LaunchConfig(num_blocks=1)
INTEGERS = {
    "i8": (1, -(2**7), 2**7 - 1, "int8"),
    "u8": (2, 0, 2**8 - 1, "uint8"),
    "i16": (3, -(2**15), 2**15 - 1, "int16"),
    "u16": (4, 0, 2**16 - 1, "uint16"),
    "i32": (5, -(2**31), 2**31 - 1, "int32"),
    "u32": (6, 0, 2**32 - 1, "uint32"),
    "i64": (7, -(2**63), 2**63 - 1, "int64"),
    "u64": (8, 0, 2**64 - 1, "uint64"),
}
ZEROS = [0, 0, 0, 0, 0, 0, 0, 0, False]


def refused(stream: Stream, kernel: Kernel, *args: Any, config: LaunchConfig = ONE, error: type[Exception] = InvalidArgument) -> str:
    with pytest.raises(error) as caught:
        launch(stream, config, kernel, *args)
    return str(caught.value)


def test_scalars_arrive_with_their_lowest_and_highest_values(stream: Stream, kernel: Find) -> None:
    z = Buffer(9, np.int64)
    for pick in (1, 2):
        values = [row[pick] for row in INTEGERS.values()]
        launch(stream, ONE, kernel("scalars"), z, *values, pick == 2)
        bits = [value - 2**64 if value >= 2**63 else value for value in values]  # the kernel stores uint64 as int64
        assert z.to_numpy().tolist() == [*bits, pick - 1]


def test_numpy_scalars_are_taken_as_integers(stream: Stream, kernel: Find) -> None:
    z = Buffer(9, np.int64)
    kinds = [np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.int64, np.uint64]
    launch(stream, ONE, kernel("scalars"), z, *(each(i) for i, each in enumerate(kinds)), True)
    assert z.to_numpy().tolist() == [0, 1, 2, 3, 4, 5, 6, 7, 1]


@pytest.mark.parametrize("name", INTEGERS)
@pytest.mark.parametrize("beyond", ["below", "above"])
def test_an_integer_out_of_range_is_refused_with_its_range(stream: Stream, kernel: Find, name: str, beyond: str) -> None:
    index, low, high, kind = INTEGERS[name]
    value = low - 1 if beyond == "below" else high + 1
    args = list(ZEROS)
    args[index - 1] = value
    words = f"argument {index + 1} of scalars, {name}: {kind}, is {value}; it takes {low} to {high}"
    assert refused(stream, kernel("scalars"), 0, *args) == words


@pytest.mark.parametrize(("value", "shown"), [(1.5, "1.5"), ("7", "'7'"), (True, "True"), (None, "a NoneType"), (b"1234", "a bytes")])
def test_what_is_no_integer_is_refused(stream: Stream, kernel: Find, value: object, shown: str) -> None:
    words = f"argument 4 of add, length: uint32, is {shown}; it takes 0 to 4294967295"
    assert refused(stream, kernel("add"), 0, 0, 0, value) == words


@pytest.mark.parametrize("value", [True, np.True_, np.array(True), False, np.False_, np.bool_(0)])
def test_a_bool_of_numpy_is_one(stream: Stream, kernel: Find, value: Any) -> None:
    z = Buffer(9, np.int64)
    launch(stream, ONE, kernel("scalars"), z, *ZEROS[:8], value)
    assert z.to_numpy()[8] == int(value)


@pytest.mark.parametrize(
    ("value", "shown"),
    [(1, "1"), (0.0, "0.0"), (None, "a NoneType"), (b"1", "a bytes"), (np.uint8(1), "1"), (np.array([True]), "a ndarray")],
)
def test_only_true_and_false_are_bools(stream: Stream, kernel: Find, value: object, shown: str) -> None:
    assert (
        refused(stream, kernel("scalars"), 0, *ZEROS[:8], value)
        == f"argument 10 of scalars, flag: bool, is {shown}; it takes True or False"
    )


@pytest.mark.parametrize(
    "number", [0.0, -0.0, 1 / 3, -2.5, 1e-8, 70000.0, 1e39, float("inf"), float("nan"), 7, np.float64(0.1), np.float32(0.1)]
)
def test_floats_are_rounded_once_to_the_parameters_type(stream: Stream, kernel: Find, number: float) -> None:
    z = Buffer(3, np.float32)
    launch(stream, ONE, kernel("floats"), z, number, number, number)
    with np.errstate(over="ignore"):
        expected = [np.float32(number), np.float32(np.float16(number)), np.float32(ml_dtypes.bfloat16(number))]
    np.testing.assert_array_equal(z.to_numpy().view(np.uint32), np.array(expected, np.float32).view(np.uint32))


@pytest.mark.parametrize("index", [1, 2, 3])
@pytest.mark.parametrize("value", ["1.5", None])
def test_what_is_no_number_is_refused_for_a_float(stream: Stream, kernel: Find, index: int, value: object) -> None:
    args: list[object] = [0, 1.0, 1.0, 1.0]
    args[index] = value
    parameter = ["f32: float", "f16: half", "bf16: bfloat16"][index - 1]
    shown = repr(value) if value else "a NoneType"
    assert refused(stream, kernel("floats"), *args) == f"argument {index + 1} of floats, {parameter}, is {shown}; it takes a number"


def test_a_struct_is_its_bytes_and_what_follows_starts_on_eight(stream: Stream, kernel: Find) -> None:
    layout = np.dtype([("length", "<u4"), ("scale", "<f4"), ("offset", "<u8"), ("tag", "u1", 5)], align=True)
    tiling = np.zeros((), layout)
    tiling["length"], tiling["scale"], tiling["offset"], tiling["tag"] = 2**32 - 1, 3.0, 2**63, [1, 2, 3, 4, 5]
    z = Buffer(5, np.uint64)
    for value in (tiling.tobytes(), bytearray(tiling.tobytes()), tiling):
        launch(stream, ONE, kernel("takes_struct"), z, value, 77)
        assert z.to_numpy().tolist() == [2**32 - 1, 3, 2**63, 5, 77]


@pytest.mark.parametrize(("value", "shown"), [(b"", "a bytes"), (bytes(23), "a bytes"), (bytes(25), "a bytes"), (5, "5"), ({}, "a dict")])
def test_a_struct_of_another_size_is_refused(stream: Stream, kernel: Find, value: object, shown: str) -> None:
    accepted = "exactly 24 bytes (bytes, or a NumPy structured scalar's tobytes())"
    assert (
        refused(stream, kernel("takes_struct"), 0, value, 1)
        == f"argument 2 of takes_struct, tiling: Tiling, is {shown}; it takes {accepted}"
    )


@pytest.mark.parametrize("count", [0, 3, 5])
def test_a_wrong_number_of_arguments_shows_the_signature(stream: Stream, kernel: Find, count: int) -> None:
    words = f"add(x: GM_ADDR, y: GM_ADDR, z: GM_ADDR, length: uint32) takes 4 arguments; {count} given"
    assert refused(stream, kernel("add"), *[0] * count) == words


def test_a_numpy_array_is_refused_where_device_memory_is_wanted(stream: Stream, kernel: Find) -> None:
    words = "argument 2 of add, y: GM_ADDR, is a NumPy array in host memory; give a Buffer: Buffer.from_array(...)"
    assert refused(stream, kernel("add"), 0, np.zeros(4), 0, 4) == words


def test_a_freed_buffer_is_refused(stream: Stream, kernel: Find) -> None:
    buffer = Buffer(4)
    buffer.free()
    words = "argument 3 of add, z: GM_ADDR, is a buffer that was freed"
    assert refused(stream, kernel("add"), 0, 0, buffer, 4, error=DeviceError) == words


@pytest.mark.parametrize(("value", "shown"), [(1.0, "1.0"), ("x", "'x'"), (True, "True"), (-1, "-1"), (2**64, str(2**64)), ([], "a list")])
def test_what_is_no_address_is_refused(stream: Stream, kernel: Find, value: object, shown: str) -> None:
    words = f"argument 1 of add, x: GM_ADDR, is {shown}; it takes a Buffer, a device address or None"
    assert refused(stream, kernel("add"), value, 0, 0, 4) == words


def test_a_device_address_is_as_good_as_its_buffer(stream: Stream, kernel: Find) -> None:
    z = Buffer.from_array(np.zeros(4, np.int32))
    launch(stream, ONE, kernel("store_word"), z.address + 8, 1, -5)
    assert z.to_numpy().tolist() == [0, 0, 0, -5]


def test_a_refused_launch_leaves_nothing_queued(stream: Stream, kernel: Find) -> None:
    refused(stream, kernel("add"), 0, 0, 0, "x")
    assert stream.idle


@pytest.mark.parametrize("blocks", [0, -1, 65536, True, 1.0, "8", None])
def test_num_blocks_out_of_range_is_refused_when_the_config_is_made(blocks: object) -> None:
    with pytest.raises(InvalidArgument) as caught:
        LaunchConfig(num_blocks=blocks)  # type: ignore[arg-type]
    assert str(caught.value) == f"num_blocks is {blocks!r}; it takes 1 to 65535"


def test_65535_blocks_all_run(stream: Stream, kernel: Find) -> None:
    z = Buffer(65535 * 8, np.float32)
    x = Buffer.from_array(np.arange(65535 * 8, dtype=np.float32))
    launch(stream, LaunchConfig(num_blocks=65535), kernel("add"), x, x, z, 65535 * 8)
    np.testing.assert_array_equal(z.to_numpy(), 2 * np.arange(65535 * 8, dtype=np.float32))


@pytest.mark.parametrize("key", [-1, 2**64, 1.5, "10", True])
def test_a_tiling_key_out_of_range_is_refused_when_the_config_is_made(key: object) -> None:
    with pytest.raises(InvalidArgument) as caught:
        LaunchConfig(num_blocks=1, tiling_key=key)  # type: ignore[arg-type]
    assert str(caught.value) == f"tiling_key is {key!r}; it takes 0 to 18446744073709551615, or None"


@pytest.mark.parametrize("workspace", [-1, 2**64, None, "x"])
def test_a_workspace_that_is_no_address_is_refused_when_the_config_is_made(workspace: object) -> None:
    with pytest.raises(InvalidArgument) as caught:
        LaunchConfig(num_blocks=1, workspace=workspace)  # type: ignore[arg-type]
    assert str(caught.value) == f"workspace is {workspace!r}; it takes a device address, 0 for none"


@pytest.mark.parametrize("key", [10, 20])
def test_the_tiling_key_chooses_the_code(stream: Stream, kernel: Find, key: int) -> None:
    z = Buffer(1, np.int32)
    launch(stream, LaunchConfig(num_blocks=1, tiling_key=key), kernel("keyed"), z)
    assert z.to_numpy()[0] == key


def test_a_kernel_with_tiling_keys_wants_one_of_them(stream: Stream, kernel: Find) -> None:
    missing = "keyed chooses its code by tiling key; give one of 10, 20 in LaunchConfig(tiling_key=...)"
    assert refused(stream, kernel("keyed"), 0) == missing
    assert refused(stream, kernel("keyed"), 0, config=LaunchConfig(1, tiling_key=30)) == "keyed has no tiling key 30; it has 10, 20"


@pytest.mark.parametrize(("name", "kind", "core"), [("meets", "MIX_AIV_1_0", "AIV"), ("meets_mixed", "MIX_AIC_1_2", "AIC")])
def test_blocks_that_meet_must_all_fit_on_the_chip(stream: Stream, kernel: Find, name: str, kind: str, core: str) -> None:
    chip = Device().chip
    limit = chip.aiv_cores if core == "AIV" else chip.aic_cores
    words = (
        f"{name} synchronises across cores, so all its blocks must run at once: {limit + 1} blocks asked for, {chip.name} "
        f"has {core}s for {limit} of a {kind} kernel; launch at most {limit}"
    )
    assert refused(stream, kernel(name), 0, config=LaunchConfig(limit + 1)) == words
    z = Buffer(1, np.int32)
    launch(stream, LaunchConfig(limit), kernel(name), z)
    assert z.to_numpy()[0] == limit


def test_every_core_has_its_own_block_local_variables(stream: Stream, load: Callable[..., Kernel]) -> None:
    kernel = load(Path(__file__).parent / "block_local.cpp", "block_local")
    other = Stream()
    outputs = [Buffer.from_array(np.zeros(48 * 16, np.int32)) for _ in range(6)]
    for index, z in enumerate(outputs):  # two streams at once, and one launch after another, all from the initial values
        launch((stream, other)[index % 2], LaunchConfig(num_blocks=48), kernel, z)
    for z in outputs:
        np.testing.assert_array_equal(z.to_numpy()[::16], 42 + np.arange(48))


def test_a_buffer_of_another_device_is_refused(stream: Stream, kernel: Find) -> None:
    foreign = Buffer(64, np.float32, Device(soc="Ascend910B1"))
    text = refused(stream, kernel("add"), foreign, foreign, foreign, 64)
    assert text == (
        "argument 1 of add, x: GM_ADDR, is a buffer of Device(0, soc='Ascend910B1'); "
        "the stream is of Device(0, soc='Ascend910_9392'): copy it there first"
    )
