# SPDX-License-Identifier: Apache-2.0
"""Two stages and one, and what goes wrong in any of them."""

from __future__ import annotations

import ctypes
import logging
import threading
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from cpp_parts import KERNELS

import acl
from aclimb import Kernel, KernelBinary, Program, Stream, op
from aclimb.op import OpError

Load = Callable[..., op.Library]
LAUNCHER = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_uint32, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_uint64)
X = np.arange(1, 101, dtype=np.float32)


class Launching:
    """What stands for aclrtLaunchKernelWithHostArgs: the acl call of that name, with the kernel `scale`."""

    def __init__(self, binary: KernelBinary) -> None:
        self._data = np.frombuffer(binary.to_bytes(), np.uint8)
        self.streams: list[int] = []
        self.codes: list[int] = []
        self.function = LAUNCHER(self._launch)

    def _launch(self, num_blocks: int, stream: int | None, args: int, size: int) -> int:
        binary, code = acl.rt.binary_load_from_data(self._data.ctypes.data, self._data.nbytes, [])
        if code == 0:
            function, code = acl.rt.binary_get_function(binary, "scale")
        if code == 0:
            keep = np.zeros(64, np.uint8)
            code = acl.rt.launch_kernel_with_host_args(function, num_blocks, stream or 0, [], args or keep.ctypes.data, size or 32, [], 0)
        if code == 0:
            code = acl.rt.synchronize_stream(stream or 0)
            acl.rt.binary_unload(binary)
        self.streams.append(stream or 0)
        self.codes.append(code)
        return code


@pytest.fixture
def stages(load_library: Load) -> Iterator[Any]:
    library = load_library("stages.cpp")
    library.launching = Launching(Program(KERNELS / "arithmetic.cpp").compile())  # type: ignore[attr-defined]
    library._file.set_launcher(library.launching.function)  # type: ignore[attr-defined]
    library._file.said_text.restype = ctypes.c_char_p
    yield library
    library._file.set_launcher(None)


def params(library: Any) -> tuple[int, int]:
    return library._file.params_made(), library._file.params_deleted()


# --- two stages


@pytest.mark.requirement("cpp-34")
def test_a_launch_function_starts_kernels_on_its_stream_through_the_acl_api(stages: Any, stream: Stream) -> None:
    made, deleted = params(stages)
    y = stages["SixTimes"](X, stream=stream)
    stream.synchronize()
    assert stages.launching.codes == [0, 0]
    np.testing.assert_array_equal(y.to_numpy(), 6 * X)
    assert params(stages) == (made + 2, deleted + 2)  # the one that was replaced, and the one of the run
    assert stages._file.said_text() == b"0 2147483647 null"


@pytest.mark.requirement("cpp-34")
def test_a_stream_of_acl_keeps_its_own_handle(stages: Any) -> None:
    from aclimb.runtime.context import STREAMS

    acl.init()
    assert acl.rt.set_device(0) == 0
    number, _ = acl.rt.create_stream()
    y = stages["SixTimes"](X, stream=STREAMS[number])
    assert stages.launching.streams == [number, number]
    np.testing.assert_array_equal(y.to_numpy(), 6 * X)
    acl.rt.destroy_stream(number)
    acl.rt.reset_device(0)
    acl.finalize()


@pytest.mark.requirement("cpp-34")
def test_a_stream_that_is_not_acls_has_a_handle_while_the_function_runs(stages: Any, stream: Stream) -> None:
    stages["SixTimes"](X, stream=stream)
    (number,) = set(stages.launching.streams)
    assert number > 2**48
    assert acl.rt.synchronize_stream(number) == 107017
    assert "is not a stream that is alive" in acl.get_recent_err_msg()


@pytest.mark.requirement("cpp-34")
def test_a_thread_without_a_context_has_none_afterwards(stages: Any, stream: Stream) -> None:
    codes: list[Any] = []

    def work() -> None:
        stages["SixTimes"](X, stream=stream)
        codes.append(acl.rt.memcpy_async(1 << 40, 8, 1 << 41, 8, 1, 0))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert codes == [107002]


@pytest.mark.requirement("cpp-34")
def test_options_arrive_in_both_ways_of_execution(stages: Any) -> None:
    options = op.Options(deterministic=1, precision_mode=3, allow_hf32="01")
    for name in ("SixTimes", "Single"):
        stages[name](X, options=options)
        assert stages._file.said_text() == b"1 3 01"


@pytest.mark.requirement("cpp-34")
@pytest.mark.parametrize(("how", "text"), [
    ("nothing", "prepare set no workspace sizes; call set_workspace_sizes, with an empty list when none is needed"),
    ("too many", "17 workspaces are asked for; at most 16 are possible"),
])  # fmt: skip
def test_what_prepare_leaves_undone_is_an_error_and_its_params_are_deleted(how: str, text: str, stages: Any) -> None:
    made, deleted = params(stages)
    with pytest.raises(OpError) as raised:
        stages["SixTimes"](X, how=how)
    assert (str(raised.value), raised.value.stage) == (f"SixTimes failed in prepare: {text}", "prepare")
    assert params(stages)[0] - made == params(stages)[1] - deleted


@pytest.mark.requirement("cpp-34")
@pytest.mark.parametrize("stage", ["prepare", "launch"])
@pytest.mark.parametrize("how", ["throws", "returns 5"])
def test_params_are_deleted_once_when_a_stage_fails(stage: str, how: str, stages: Any) -> None:
    made, deleted = params(stages)
    with pytest.raises(OpError):
        stages["SixTimes"](X, stage=stage, how=how)
    assert params(stages) == (made + 2, deleted + 2)


@pytest.mark.requirement("cpp-34")
def test_prepare_cannot_touch_the_device(stages: Any) -> None:
    acl.init()
    assert acl.rt.set_device(0) == 0
    with pytest.raises(OpError, match="SixTimes failed in prepare"):
        stages["SixTimes"](X, how="device work")
    assert stages.launching.codes == [507000]
    assert "the prepare function of SixTimes must not launch" in acl.get_recent_err_msg()
    acl.rt.reset_device(0)
    acl.finalize()


@pytest.mark.requirement("cpp-34")
def test_a_plan_keeps_its_params_until_it_is_closed(stages: Any, stream: Stream) -> None:
    deleted = params(stages)[1]
    plan = stages["SixTimes"].plan(X)
    assert plan.workspace_size == 400
    assert params(stages)[1] == deleted + 1
    y = plan.run(stream=stream)
    plan.close()
    plan.close()
    assert params(stages)[1] == deleted + 2
    np.testing.assert_array_equal(y.to_numpy(), 6 * X)


# --- one stage


@pytest.mark.requirement("cpp-34")
@pytest.mark.parametrize("how", ["", "keep"])
def test_the_single_stage_wins_and_takes_its_workspaces_itself(how: str, stages: Any, stream: Stream) -> None:
    y = stages["Single"](X, how=how, stream=stream)
    stream.synchronize()
    np.testing.assert_array_equal(y.to_numpy(), 3 * X)


@pytest.mark.requirement("cpp-28")
def test_half_of_a_pair_is_none(stages: Any) -> None:
    assert stages.types == ("Fails", "SixTimes", "Single", "Half")
    assert op.get("Half").prepare is None
    with pytest.raises(
        KeyError, match=r"declares no operator 'Half'; it has Fails, SixTimes, Single. It registers functions for it, and no"
    ):
        stages["Half"]


# --- failures

WHERE = {
    "infer_data_type": "InferDataType",
    "infer_shape": "InferShape",
    "tiling_parse": "TilingParse",
    "tiling": "Tiling",
    "prepare": "the prepare function of Op2StageExecuteFuncs",
    "launch": "the launch function of Op2StageExecuteFuncs",
    "execute": "OpExecuteFunc",
}
OPERATOR = {"prepare": "SixTimes", "launch": "SixTimes", "execute": "Single"}


def failure(library: Any, stage: str, how: str, kernel: Kernel) -> OpError:
    operator = library[OPERATOR.get(stage, "Fails")]
    if operator.type == "Fails":
        operator.kernel(kernel)
    with pytest.raises(OpError) as raised:
        operator(X, stage=stage, how=how)
    return raised.value


@pytest.mark.requirement("cpp-35")
@pytest.mark.parametrize("stage", WHERE)
def test_an_exception_becomes_the_operators_error(stage: str, stages: Any, kernel: Callable[[str], Kernel]) -> None:
    error = failure(stages, stage, "throws", kernel("accumulate"))
    operator = OPERATOR.get(stage, "Fails")
    where = f"{WHERE[stage]} in {stages.path.name}"
    assert str(error) == f"{operator} failed in {stage}: {where} threw: x is too small in {stage}"
    assert (error.operator, error.stage, error.code) == (operator, stage, op.GRAPH_FAILED)
    assert failure(stages, stage, "throws a number", kernel("accumulate")).args[0].endswith("threw: something that is no std::exception")


@pytest.mark.requirement("cpp-27")
@pytest.mark.parametrize("stage", WHERE)
def test_a_status_becomes_one_error_with_operator_stage_and_status(stage: str, stages: Any, kernel: Callable[[str], Kernel]) -> None:
    operator, where = OPERATOR.get(stage, "Fails"), f"{WHERE[stage]} in {stages.path.name}"
    error = failure(stages, stage, "returns 5", kernel("accumulate"))
    assert str(error) == f"{operator} failed in {stage}: {where} returned 5"
    assert (error.operator, error.stage, error.code) == (operator, stage, 5)
    error = failure(stages, stage, "fails", kernel("accumulate"))
    assert str(error) == f"{operator} failed in {stage}: {where} returned 4294967295 (GRAPH_FAILED): x has 3 rows; and no columns"
    assert "returned 50331649 (GRAPH_PARAM_INVALID)" in str(failure(stages, stage, "invalid", kernel("accumulate")))


@pytest.mark.requirement("cpp-27", "cpp-35")
@pytest.mark.parametrize(("how", "text"), [
    ("null platform", "threw: PlatformAscendC: the platform pointer is null; GetPlatformInfo() of a tiling context gives one"),
    ("checked", "returned 4294967295 (GRAPH_FAILED): how is checked"),
    ("missing input", "returned 4294967295 (GRAPH_FAILED): context->GetInputShape(5) is nullptr"),
    ("missing output", "returned 9: context->GetOutputShape(5) is nullptr"),
    ("log if", "returned 8: it is"),
    ("no blocks", "tiling set 0 blocks; it takes 1 to 65535"),
    ("large", "set 10000 bytes of tiling data; the capacity is 2048: register Tiling with a larger max_tiling_data_size"),
    ("overrun", "wrote behind its tiling data of 2048 bytes; register Tiling with a larger max_tiling_data_size"),
    ("schedule mode", "InvalidArgument: schedule_mode is 9; it takes 0 to 1"),
])  # fmt: skip
def test_what_tiling_must_not_do_is_told(how: str, text: str, stages: Any, kernel: Callable[[str], Kernel]) -> None:
    error = failure(stages, "", how, kernel("accumulate"))
    assert str(error).startswith("Fails failed in tiling: ")
    assert str(error).endswith(text)


@pytest.mark.requirement("cpp-27")
def test_a_rank_or_a_type_that_is_not_modelled_is_told(stages: Any, kernel: Callable[[str], Kernel]) -> None:
    assert str(failure(stages, "", "rank 30", kernel("accumulate"))) == (
        "Fails failed in infer_shape: the rank of output 0 was set to 30; it takes 0 to 25"
    )
    assert str(failure(stages, "", "hifloat8", kernel("accumulate"))).startswith(
        "Fails failed in infer_data_type: data type 34 is not modelled; there are 0 (float32)")  # fmt: skip


@pytest.mark.requirement("cpp-27")
def test_what_cpp_logs_goes_to_the_log(stages: Any, kernel: Callable[[str], Kernel], caplog: pytest.LogCaptureFixture) -> None:
    """The operator fails in the end: its kernel has one input more."""
    stages["Fails"].kernel(kernel("add_scaled"))
    with caplog.at_level(logging.INFO, "aclimb"), pytest.raises(OpError, match="takes 5 parameters"):
        stages["Fails"](X, stage="tiling", how="logs")
    said = [record.getMessage() for record in caplog.records]
    assert "a fail_tiling: b" in said
    assert "nullptr fail_tiling: a warning of tiling" in said
    assert "Fails, Tiling: x has 3 rows; and no columns" in said
    assert not any("nobody" in each for each in said)
