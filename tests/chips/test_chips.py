# SPDX-License-Identifier: Apache-2.0
"""Chips are data: every file loads, every number has a source and a grade, and unknown names get a useful answer."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from aclimb import chips
from aclimb.errors import InvalidArgument, UnknownSoc, Unsupported

DATA = Path(chips.__file__).parent / "data"
# SoC: AIC, AIV, AI CPUs, GiB of device memory, MiB of L2, MHz
COUNTS = {
    "Ascend910B1": (24, 48, 6, 64, 192, 1850),
    "Ascend910B2": (24, 48, 6, 64, 192, 1800),
    "Ascend910B2C": (24, 48, 6, 64, 192, 1800),
    "Ascend910B3": (20, 40, 6, 64, 192, 1800),
    "Ascend910B4": (20, 40, 6, 32, 96, 1650),
    "Ascend910B4-1": (20, 40, 6, 32, 168, 1500),
    "Ascend910_9391": (24, 48, 6, 64, 192, 1850),
    "Ascend910_9392": (24, 48, 6, 64, 192, 1850),
    "Ascend910_9381": (24, 48, 6, 64, 192, 1800),
    "Ascend910_9382": (24, 48, 6, 64, 192, 1800),
    "Ascend910_9372": (20, 40, 6, 64, 192, 1800),
    "Ascend910_9362": (20, 40, 6, 64, 168, 1500),
    "Ascend910_9363": (20, 40, 6, 32, 168, 1500),
    "Ascend310P1": (10, 8, 0, 22, 16, 1060),  # 24 GB
    "Ascend310P3": (8, 7, 0, 22, 16, 1060),
    "Ascend950PR_9599": (36, 72, 6, 128, 128, 1800),
    "Ascend950PR_9589": (32, 64, 6, 128, 128, 1650),
    "Ascend950PR_958b": (32, 64, 7, 112, 112, 1650),
    "Ascend950PR_9579": (28, 56, 7, 128, 128, 1650),
    "Ascend950PR_957b": (28, 56, 5, 112, 112, 1650),
    "Ascend950PR_950z": (4, 8, 5, 24, 16, 1650),
    "Ascend950DT_9591": (36, 72, 6, 144, 128, 1800),
    "Ascend950DT_9581": (32, 64, 6, 144, 128, 1650),
    "Ascend950DT_9585": (32, 64, 6, 96, 128, 1650),
    "Ascend950DT_9571": (28, 56, 7, 144, 128, 1650),
}
A2, A3 = (sorted(name for name in COUNTS if name.startswith(f"Ascend910{mark}")) for mark in "B_")


def test_the_chips_of_both_families_are_there() -> None:
    assert list(chips.names()) == A2 + A3
    assert {chips.load(name).family for name in A2} == {"A2"}
    assert {chips.load(name).family for name in A3} == {"A3"}


def test_chips_for_queries_have_numbers_and_cannot_be_built_for() -> None:
    known = chips.names(query_only=True)
    assert list(known[: len(A2 + A3)]) == A2 + A3
    others = known[len(A2 + A3) :]
    assert {chips.load(name).family for name in others} == {"310P", "950"}
    assert not any(chips.load(name).can_build for name in others)
    assert chips.load("Ascend950PR_9589").arch.npu_arch == 3510
    assert chips.load("Ascend310P3").arch.memory["L1"] == 2**20
    for name in others:
        with pytest.raises(Unsupported, match=rf"^{name} is not modelled: .* A2 \(Ascend910B1 \.\.\.\) and A3 \("):
            chips.buildable(name)


def test_cores_memory_and_clock_of_every_chip() -> None:
    assert set(chips.names(query_only=True)) == set(COUNTS)
    for name, numbers in COUNTS.items():
        chip = chips.load(name)
        found = (chip.aic_cores, chip.aiv_cores, chip.ai_cpus, chip.device_memory >> 30, chip.l2_size >> 20, chip.clock_mhz)
        assert found == numbers, name


def test_the_default_chip_has_the_published_numbers() -> None:
    chip = chips.load("Ascend910_9392")
    assert (chip.aic_cores, chip.aiv_cores, chip.clock_mhz) == (24, 48, 1850)
    assert (chip.device_memory, chip.l2_size) == (64 * 2**30, 192 * 2**20)
    assert chip.arch.memory == {
        "UB": 192 * 1024,
        "L1": 512 * 1024,
        "L0A": 64 * 1024,
        "L0B": 64 * 1024,
        "L0C": 128 * 1024,
        "BT": 1024,
        "FB": 2048,
    }
    assert chip.arch.alignment["L0A"] == 512
    assert chip.arch.limits["event_ids"] == 8


@pytest.mark.parametrize("name", A2 + A3)
def test_every_number_has_a_source_and_a_grade(name: str) -> None:
    data = tomllib.loads((DATA / f"{name}.toml").read_text())
    numbers = {key: row for key, row in data.items() if isinstance(row, dict) and key not in ("timing", "path_peaks")}
    assert set(numbers) == {"aic_cores", "aiv_cores", "ai_cpus", "device_memory", "l2_size", "clock"}
    for row in numbers.values():
        assert row["source"]
        assert row["grade"] in "ABCD"
    chip = chips.load(name)
    assert chip.name == name
    assert chip.aiv_cores == 2 * chip.aic_cores


def test_the_shared_limits_have_units_and_sources() -> None:
    data = tomllib.loads((DATA / "arch2201.toml").read_text())
    assert all(row["unit"] and row["source"] and row["grade"] in "ABCD" for row in data["limits"].values())
    assert all(re.fullmatch(r"\d+ (B|KiB)", row["size"]) for row in data["memory"].values())


def test_names_are_case_insensitive() -> None:
    assert chips.load("ascend910b4-1") is chips.load("ASCEND910B4-1")


def test_an_unknown_name_gets_close_matches_and_the_list() -> None:
    with pytest.raises(
        UnknownSoc,
        match=(
            r"^SoC 'Ascend910B9' is not known; did you mean .*Ascend910B.*\? known are Ascend910B1,"
            r" .*Ascend910_9392$"
        ),
    ):
        chips.load("Ascend910B9")
    with pytest.raises(UnknownSoc, match=r"^SoC 'H100' is not known; known are Ascend910B1, "):
        chips.load("H100")
    with pytest.raises(UnknownSoc, match=r"^SoC 3 is not known; known are Ascend910B1, "):
        chips.buildable(3)  # type: ignore[arg-type]


def test_the_name_of_a_family_gets_its_members() -> None:
    with pytest.raises(UnknownSoc) as caught:
        chips.load("Ascend910B")
    members = "Ascend910B1, Ascend910B2, Ascend910B2C, Ascend910B3, Ascend910B4, Ascend910B4-1"
    assert str(caught.value) == f"SoC 'Ascend910B' is the name of a family; give one of {members}"


@pytest.mark.parametrize("name", ["Ascend310P3", "Ascend950PR_9599", "ascend950dt_9581", "Ascend310B1"])
def test_other_products_are_refused_with_the_families_that_can_be_built(name: str) -> None:
    with pytest.raises(
        Unsupported,
        match=(
            rf"^{name} is not modelled: .*; aclimb builds for Atlas A2 \(Ascend910B1 \.\.\.\) and A3"
            rf" \(Ascend910_9392"
        ),
    ):
        chips.buildable(name)


def test_early_start_takes_effect_on_a3_and_not_on_a2() -> None:
    for api in ("SetNextTaskStart", "WaitPreTaskEnd"):
        assert chips.support(api, "A3") == "effective"
        assert chips.support(api, "A2") == "no effect"
    assert chips.support("Add", "A2") == "effective"
    with pytest.raises(InvalidArgument, match=r"^product family 'A5' does not exist; it is one of A2, A3$"):
        chips.support("Add", "A5")


def test_the_support_table_has_only_known_words() -> None:
    table = tomllib.loads((Path(chips.__file__).parent / "support.toml").read_text())
    assert table
    for row in table.values():
        assert row.pop("note", "experimental") == "experimental"
        assert set(row) == set(chips.FAMILIES)
        assert set(row.values()) <= {"effective", "no effect", "unsupported"}
