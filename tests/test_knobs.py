# SPDX-License-Identifier: Apache-2.0
"""Settings: defaults, accepted values, and a sentence for the rest."""

from __future__ import annotations

from pathlib import Path

import pytest

from aclimb import knobs
from aclimb.errors import InvalidArgument

PAGE = Path(__file__).parents[1] / "docs" / "reference" / "knobs.md"


@pytest.fixture(autouse=True)
def clean_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for knob in knobs.all_knobs():
        monkeypatch.delenv(knob.variable, raising=False)


def test_the_settings_are_these_with_these_defaults(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", "/tmp/xdg")
    assert {knob.variable: knob() for knob in knobs.all_knobs()} == {
        "ACLIMB_SOC": "Ascend910_9392",
        "ACLIMB_DEVICES": 1,
        "ASCEND_RT_VISIBLE_DEVICES": "",
        "ASCEND_CUSTOM_OPP_PATH": "",
        "ASCEND_OPP_PATH": "",
        "ACLIMB_DEVICE_MEMORY": 0,
        "ACLIMB_QUARANTINE": 2**30,
        "ACLIMB_THREADS": 0,
        "ACLIMB_TIMEOUT": 120.0,
        "ACLIMB_STRICTNESS": "strict",
        "ACLIMB_SOURCES": "",
        "ACLIMB_CACHE_DIR": Path("/tmp/xdg/aclimb"),
        "ACLIMB_CACHE_SIZE": 2**30,
        "ACLIMB_DEFINES": "",
        "ACLIMB_PROFILE_LIMIT": 2**30,
        "ACLIMB_CXX": "",
        "ACLIMB_PYTHON": "",
        "ACLIMB_STREAMS": 1984,
        "ACLIMB_LEAKS": False,
        "ACLIMB_CHECK": "",
        "ACLIMB_PY_SLACK": 0,
        "ACLIMB_OP_DEBUG": False,
        "ACLIMB_ISOLATED": False,
        "ACLIMB_ISOLATED_MEMORY": 2**32,
        "ACLIMB_LOG": "WARNING",
        "ACLIMB_ISA": "auto",
    }


def test_a_setting_is_read_when_it_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ACLIMB_THREADS", "3")
    assert knobs.threads() == 3
    monkeypatch.setenv("ACLIMB_THREADS", "")
    assert knobs.threads() == 0


@pytest.mark.parametrize(
    ("text", "size"),
    [("4096", 4096), ("512K", 512 * 1024), ("64 MiB", 64 * 2**20), ("1.5g", 3 * 2**29), ("2TB", 2**41), ("7B", 7)],
)
def test_sizes_take_suffixes(text: str, size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ACLIMB_CACHE_SIZE", text)
    assert knobs.cache_size() == size


@pytest.mark.parametrize(
    ("knob", "value", "message"),
    [
        (
            knobs.threads,
            "many",
            "ACLIMB_THREADS is 'many'; it takes a whole number, 0 to 1024. Unset it for the default, 0: as many as the host has cores",
        ),
        (knobs.devices, "0", "ACLIMB_DEVICES is '0'; it takes a whole number, 1 to 64. Unset it for the default, 1"),
        (
            knobs.timeout,
            "-1",
            "ACLIMB_TIMEOUT is '-1'; it takes seconds, a number above 0. Unset it for the default, 120",
        ),
        (
            knobs.timeout,
            "nan",
            "ACLIMB_TIMEOUT is 'nan'; it takes seconds, a number above 0. Unset it for the default, 120",
        ),
        (
            knobs.cache_size,
            "1 parsec",
            "ACLIMB_CACHE_SIZE is '1 parsec'; it takes bytes above 0, with K, M, G or T if you like (64M, 1.5 GiB)."
            " Unset it for the default, 1 GiB",
        ),
        (
            knobs.isa,
            "mmx",
            "ACLIMB_ISA is 'mmx'; it takes one of auto, scalar, avx2, avx512, neon. Unset it for the default, auto",
        ),
        (
            knobs.log,
            "loud",
            "ACLIMB_LOG is 'loud'; it takes one of DEBUG, INFO, WARNING, ERROR, CRITICAL. Unset it for the default, WARNING",
        ),
    ],
)
def test_a_bad_value_names_variable_value_and_what_is_accepted(
    knob: knobs.Knob[object], value: str, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(knob.variable, value)
    with pytest.raises(InvalidArgument) as caught:
        knob()
    assert str(caught.value) == message


def test_flags_take_the_usual_words(monkeypatch: pytest.MonkeyPatch) -> None:
    flag = knobs.Flag("ACLIMB_TEST_FLAG", False, "A flag for this test.")
    for text, value in [("1", True), ("Yes", True), ("off", False), ("0", False)]:
        monkeypatch.setenv("ACLIMB_TEST_FLAG", text)
        assert flag() is value
    monkeypatch.setenv("ACLIMB_TEST_FLAG", "maybe")
    with pytest.raises(InvalidArgument, match=r"^ACLIMB_TEST_FLAG is 'maybe'; it takes 1, true, yes, on or 0, false, no, off"):
        flag()


def test_the_reference_page_is_the_printed_one() -> None:
    assert PAGE.read_text() == knobs.reference_page(), "print it again: python -m aclimb.knobs > docs/reference/knobs.md"
