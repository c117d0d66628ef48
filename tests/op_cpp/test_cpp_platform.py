# SPDX-License-Identifier: Apache-2.0
"""PlatformAscendC for every chip, with the limits of devices and streams."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from test_cpp_value_classes import run_check

import acl
from aclimb import Kernel, chips, op
from aclimb.runtime.context import STREAMS

MIB = 1 << 20
SOC_VERSIONS = {"A2": 1, "A3": 1, "310P": 2, "950": 4}  # both A2 and A3 are ASCEND910B


@pytest.fixture
def platform(load_library: Callable[..., op.Library]) -> Any:
    library = load_library("platform.cpp")
    for name in ("chip_text", "current_text", "manager_text", "last_text"):
        getattr(library._file, name).restype = ctypes.c_char_p
    return library


@pytest.fixture
def device() -> Iterator[None]:
    acl.init()
    assert acl.rt.set_device(0) == 0
    yield
    acl.rt.reset_device_res_limit(0)
    acl.rt.reset_device(0)
    acl.finalize()


def facts(chip: chips.Chip, aic: int, aiv: int) -> list[int]:
    """As published: 256 bytes less of UB and L1, 16 MiB for the library on 2201."""
    memory, is_2201 = chip.arch.memory, chip.arch.npu_arch == 2201
    vector = aiv if chip.family == "310P" else 0
    return [aic, aiv, aiv, vector, memory["UB"] - 256, memory["L1"] - 256, memory["L0A"], memory["L0B"], memory["L0C"], chip.l2_size,
            chip.device_memory, memory.get("BT", 0), memory.get("FB", 0), 0, SOC_VERSIONS[chip.family], chip.arch.npu_arch,
            16 * MIB if is_2201 else 2 * MIB, MIB if is_2201 else 2**32 - 1, MIB if is_2201 else 2**32 - 1,
            256 if chip.arch.npu_arch == 3510 else 0, 0]  # fmt: skip


def numbers(text: bytes) -> list[int]:
    return [int(each) for each in text.split()]


@pytest.mark.requirement("cpp-32")
@pytest.mark.parametrize("soc", chips.names(query_only=True))
def test_every_chip_is_described(soc: str, platform: Any) -> None:
    chip = chips.load(soc)
    assert numbers(platform._file.chip_text(soc.encode())) == facts(chip, chip.aic_cores, chip.aiv_cores)


@pytest.mark.requirement("cpp-32")
def test_published_figures_of_atlas_a3(platform: Any) -> None:
    got = numbers(platform._file.chip_text(b"Ascend910_9392"))
    assert got[:9] == [24, 48, 48, 0, 196352, 524032, 65536, 65536, 131072]
    assert got[14:20] == [1, 2201, 16777216, 1048576, 1048576, 0]
    assert platform._file.chip_text(b"Ascend1000") == b"unknown"


@pytest.mark.requirement("cpp-32")
def test_the_manager_knows_the_chip_of_its_first_call_and_needs_no_device(platform: Any, capfd: pytest.CaptureFixture[str]) -> None:
    file = platform._file
    first = file.manager_text(b"Ascend910B4")
    if first == b"20 same":  # nobody asked in this process before
        assert file.manager_text(b"Ascend910B1") == b"20 same"
    assert file.manager_text(None) == first


@pytest.mark.requirement("cpp-32")
def test_limits_of_device_and_stream_count(platform: Any, device: None, kernel: Callable[[str], Kernel]) -> None:
    file = platform._file
    chip = chips.load("Ascend910_9392")
    assert file.current_text() == b"Ascend910_9392 24 48"
    assert acl.rt.set_device_res_limit(0, 0, 5) == acl.rt.set_device_res_limit(0, 1, 7) == 0
    assert file.current_text() == b"Ascend910_9392 5 7"
    number, _ = acl.rt.create_stream()
    platform["Platform"].kernel(kernel("accumulate"))
    assert seen(platform, number) == facts(chip, 5, 7)
    assert acl.rt.set_stream_res_limit(number, 1, 3) == 0
    assert seen(platform, number) == facts(chip, 5, 3)
    assert seen(platform, number, op.Options(aicore_num=2)) == facts(chip, 2, 3)
    assert acl.rt.use_stream_res_in_current_thread(number) == 0
    assert file.current_text() == b"Ascend910_9392 5 3"
    acl.rt.not_use_stream_res_in_current_thread(number)
    acl.rt.destroy_stream(number)


def seen(platform: Any, stream: int, options: op.Options | None = None) -> list[int]:
    with pytest.raises(op.OpError, match="Platform failed in tiling"):
        platform["Platform"](np.ones(4, np.float32), stream=STREAMS[stream], options=options)
    return numbers(platform._file.last_text())


@pytest.mark.requirement("cpp-32")
def test_the_rest_of_the_platform(platform: Any) -> None:
    assert run_check(platform.path, "the_rest_of_the_platform") == ""
