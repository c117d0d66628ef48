# SPDX-License-Identifier: Apache-2.0
"""Begin, end, and what went wrong lately."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from host import message, ok, run_program

import acl
from aclimb import knobs

REPEATED_INIT, REPEATED_FINALIZE = 100002, 100037


@pytest.mark.requirement("host-9")
def test_a_second_init_says_so_and_harms_nothing() -> None:
    assert acl.init() == 0
    assert acl.init() == REPEATED_INIT
    ok(acl.rt.set_device(0))
    ok(acl.rt.synchronize_device())
    ok(acl.rt.reset_device(0))
    assert acl.finalize() == 0


@pytest.mark.requirement("host-10")
def test_finalize_works_once() -> None:
    ok(acl.init())
    assert acl.finalize() == 0
    assert acl.finalize() == REPEATED_FINALIZE


@pytest.mark.requirement("host-10")
def test_one_finalize_ends_any_number_of_inits() -> None:
    assert [acl.init() for _ in range(3)] == [0, REPEATED_INIT, REPEATED_INIT]
    assert acl.finalize() == 0
    assert acl.finalize() == REPEATED_FINALIZE


@pytest.mark.requirement("host-11")
def test_init_works_again_after_finalize() -> None:
    for _ in range(3):
        assert acl.init() == 0
        ok(acl.rt.set_device(0))
        ok(acl.rt.reset_device(0))
        assert acl.finalize() == 0


@pytest.mark.requirement("host-12")
def test_finalize_reference_counts_down_to_the_end() -> None:
    assert [acl.init() for _ in range(3)] == [0, REPEATED_INIT, REPEATED_INIT]
    assert [acl.finalize_reference() for _ in range(2)] == [(2, 0), (1, 0)]
    assert acl.init() == REPEATED_INIT, "it is not finalised yet"
    assert [acl.finalize_reference() for _ in range(3)] == [(1, 0), (0, 0), (0, REPEATED_FINALIZE)]
    assert acl.init() == 0
    assert acl.finalize() == 0


@pytest.mark.requirement("host-13")
def test_a_bad_configuration_is_refused_and_does_not_count(tmp_path: Path) -> None:
    broken = tmp_path / "broken.json"
    broken.write_text('{"dump": ')
    assert acl.init(str(tmp_path / "missing.json")) == 100003
    assert "missing.json" in message()
    assert acl.init(str(broken)) == 100006
    assert "broken.json" in message()
    assert acl.init() == 0
    assert acl.finalize() == 0


CONFIGURED = """
import acl
for path in PATHS:
    print(acl.init(path), *acl.rt.get_device())
    acl.finalize()
"""


@pytest.mark.requirement("host-13")
def test_a_good_configuration_is_taken_and_another_one_later_is_not(tmp_path: Path) -> None:
    """In a process of its own: the first configuration is kept until its end."""
    names = ["empty", "device", "deep"]
    contents = [{}, {"defaultDevice": {"default_device": "0"}}, {}]
    for _ in range(12):
        contents[2] = {"dump": contents[2]}
    paths = [str(tmp_path / f"{name}.json") for name in names]
    for path, content in zip(paths, contents, strict=True):
        Path(path).write_text(json.dumps(content))
    empty, device, deep = paths
    assert run_program(CONFIGURED.replace("PATHS", repr([empty, device, empty]))) == ["0 0 107002", "100000 0 107002", "0 0 107002"]
    (answer,) = run_program(CONFIGURED.replace("PATHS", repr([deep])))
    assert answer.split()[0] != "0"


@pytest.mark.requirement("host-13", "host-20")
def test_a_configured_default_device_needs_no_set_device(tmp_path: Path) -> None:
    path = tmp_path / "device.json"
    path.write_text('{"defaultDevice": {"default_device": "0"}}')
    assert run_program(CONFIGURED.replace("PATHS", repr([str(path)]))) == ["0 0 0"]


@pytest.mark.requirement("host-14")
def test_a_device_can_be_set_before_init() -> None:
    assert acl.rt.set_device(0) == 0
    assert acl.rt.get_device() == (0, 0)
    assert acl.init() == 0
    ok(acl.rt.synchronize_device())
    ok(acl.rt.reset_device(0))
    ok(acl.finalize())


LATE = """
import atexit
import acl

assert acl.init() == 0 and acl.rt.set_device(0) == 0
stream, event = acl.rt.create_stream()[0], acl.rt.create_event()[0]
memory, pinned = acl.rt.malloc(64, 0)[0], acl.rt.malloc_host(64)[0]
binary = acl.rt.binary_load_from_file(KERNEL, [])[0]
function = acl.rt.binary_get_function(binary, "fill_index")[0]
args = acl.rt.kernel_args_init(function)[0]


def clean_up():
    codes = [
        acl.rt.memcpy(memory, 64, pinned, 64, 1),
        acl.rt.kernel_args_finalize(args),
        acl.rt.launch_kernel_with_config(function, 1, stream, [], args, 0),
        acl.rt.record_event(event, stream),
        acl.rt.synchronize_stream(stream),
        acl.rt.malloc(64, 0)[-1],
        acl.rt.create_stream()[-1],
        acl.rt.binary_unload(binary),
        acl.rt.free(memory),
        acl.rt.free_host(pinned),
        acl.rt.destroy_event(event),
        acl.rt.destroy_stream(stream),
        acl.rt.reset_device(0),
        acl.finalize(),
    ]
    print(len(codes), all(type(code) is int for code in codes))


atexit.register(clean_up)
"""


@pytest.mark.requirement("host-15")
@pytest.mark.parametrize("end", ["acl.finalize()", "acl.rt.reset_device(0); acl.finalize()", "acl.rt.reset_device_force(0)", "pass"])
def test_calls_after_the_end_give_codes(kernels: dict[str, Path], end: str) -> None:
    """Programs clean up at exit, in any order; none of it may bring the interpreter down."""
    text = LATE.replace("KERNEL", repr(str(kernels["fill_index"]))) + end
    assert run_program(text) == ["14 True"]


@pytest.mark.requirement("host-16")
def test_the_recent_error_is_told_once(device: int) -> None:
    assert acl.get_recent_err_msg() is None
    assert acl.rt.set_device(77) == 107001
    text = acl.get_recent_err_msg()
    assert type(text) is str
    assert "77" in text
    assert acl.get_recent_err_msg() is None


@pytest.mark.requirement("host-16")
def test_the_newest_error_comes_first(device: int) -> None:
    acl.rt.set_device(77)
    acl.rt.set_device(88)
    text = message()
    assert 0 <= text.index("88") < text.index("77")


@pytest.mark.requirement("host-16")
def test_a_call_that_works_leaves_no_text(device: int) -> None:
    ok(acl.rt.synchronize_device())
    assert acl.get_recent_err_msg() is None


@pytest.mark.requirement("host-17")
def test_the_version_is_three_numbers() -> None:
    *version, ret = acl.get_version()
    assert ret == 0
    assert len(version) == 3
    assert all(type(number) is int and number >= 0 for number in version)


@pytest.mark.requirement("host-18")
def test_the_chip_has_its_name(device: int) -> None:
    assert acl.get_soc_name() == knobs.soc()


@pytest.mark.requirement("host-18")
def test_the_chip_is_the_one_that_was_asked_for_once_a_device_is_set() -> None:
    text = "import acl; print(acl.get_soc_name()); acl.rt.set_device(0); print(acl.get_soc_name())"
    assert run_program(text, ACLIMB_SOC="Ascend910B1") == ["None", "Ascend910B1"]


@pytest.mark.parametrize("asked", ["1", "0"])
def test_finalize_lists_what_was_left_when_asked(asked: str) -> None:
    """In a process of its own: what other tests left is listed too, and whether places are kept is asked once."""
    text = """
import logging, sys
logging.basicConfig(stream=sys.stdout, format="%(message)s")
import acl
acl.init()
acl.rt.set_device(0)
memory, stream = acl.rt.malloc(4321, 0), acl.rt.create_stream()
acl.finalize()
"""
    lines = run_program(text, ACLIMB_LEAKS=asked)
    left = "acl.finalize: not given back: 1 buffer (4321 bytes), 2 streams"  # one is the default stream of the device that is still set
    assert lines[:1] == ([left] if asked == "1" else [])
