# SPDX-License-Identifier: Apache-2.0
"""Options of a SuperKernel: parsed once, and what is wrong names itself."""

from __future__ import annotations

import logging
from dataclasses import fields

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aclimb.errors import FuseError
from aclimb.fuse import FuseOptions


@pytest.mark.requirement("sk-3")
def test_defaults_are_the_documented_ones() -> None:
    options = FuseOptions.parse("")
    assert options == FuseOptions()
    assert (options.early_start, options.preload_code, options.split_mode, options.func_align) == (1, "per-func", 4, 512)
    assert (options.stream_fusion, options.feed_sync_all, options.profiling, options.strict_scope_check) == (0, 0, 0, "")


@pytest.mark.requirement("sk-3")
def test_a_text_sets_what_it_names() -> None:
    options = FuseOptions.parse('"early-start=0:dcci-disable-on-kernel=add,mul:debug-aic-num=3"')
    assert (options.early_start, options.dcci_disable_on_kernel, options.debug_aic_num) == (0, ("add", "mul"), 3)
    assert FuseOptions.parse(str(options)) == options


@pytest.mark.requirement("sk-3", "sk-8")
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("early-start=3", r"^option early-start is 3; it takes 0, 1 or 2$"),
        ("early_start=1", r"^option 'early_start' does not exist; there are early-start, "),
        ("fast=1", r"^option 'fast' does not exist"),
        ("profiling=1:profiling=0", r"^option profiling is given twice: 1 and '0'$"),
        ("profiling=yes", r"^option profiling is 'yes'; it takes a number$"),
        ("=1", r"^option '=1' has no name; an option is key=value$"),
        ("profiling=", r"^option 'profiling=' has no value"),
        ("preload-code=pre-func", r"^option preload-code is 'pre-func'; it takes max, none or per-func$"),
        ("func-align=3", r"^option func-align is 3; it takes 0 or a power of two$"),
        ("split-mode=65", r"^option split-mode is 65; it takes 1 to 64$"),
        ("strict-scope-check=maybe", r"^option strict-scope-check is 'maybe'; it takes bypass or abort$"),
        ("debug-aic-num=2:debug-aiv-num=3", r"^options debug-aic-num=2 and debug-aiv-num=3 contradict each other"),
    ],
)
def test_what_is_wrong_names_itself(text: str, message: str) -> None:
    with pytest.raises(FuseError, match=message) as caught:
        FuseOptions.parse(text)
    assert caught.value.code == "EB0500"


@pytest.mark.requirement("sk-3")
def test_a_part_without_a_value_is_ignored_with_a_warning(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, "aclimb"):
        assert FuseOptions.parse("whatever:profiling=1").profiling == 1
    assert "option 'whatever' has no '='" in caplog.text


@given(
    st.text(max_size=60)
    | st.lists(st.sampled_from([*(f.name.replace("_", "-") for f in fields(FuseOptions)), "=", ":", "1", ",", "-"])).map("".join)
)
def test_any_text_is_options_or_a_fuse_error(text: str) -> None:
    try:
        options = FuseOptions.parse(text)
    except FuseError as error:
        assert str(error).startswith("option")  # noqa: PT017
    else:
        assert FuseOptions.parse(str(options)) == options
