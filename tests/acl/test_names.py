# SPDX-License-Identifier: Apache-2.0
"""What a program finds when it looks for a name: additions, C functions without a Python name, and models."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from host import code, message, ok, read, write
from steps import attributes, packed

import acl
from acl import _assemble
from aclimb import capi

Malloc = Callable[[int], int]
Find = Callable[[str], int]
UNSUPPORTED = {200001, 200006, 207000}
ONLY_IN_C = """
aclrtLaunchKernelWithArgsArray aclrtBinaryGetFunctionByEntry aclrtBinaryGetDevAddress aclrtBinaryGetGlobal aclrtGetFunctionAttribute
aclrtGetFunctionSize aclrtFunctionGetBinary aclrtBinarySetExceptionCallback aclrtGetArgsFromExceptionInfo
aclrtGetFuncHandleFromExceptionInfo aclrtLaunchHostFunc aclrtStreamWaitEventWithTimeout aclrtGetHardwareSyncAddr aclrtFreeWithDevSync
aclrtMemsetD32 aclrtLaunchKernelV2 aclrtLaunchSIMTKernelWithHostArgs aclrtLaunchSIMTKernelWithArgsArray aclmdlRICaptureBegin
aclmdlRICaptureEnd aclmdlRIExecuteAsync aclmdlRIDestroy
"""
WITHOUT_A_PYTHON_NAME = """
launch_kernel_with_args_array binary_get_function_by_entry binary_get_dev_address binary_get_global get_function_attribute
get_function_size function_get_binary binary_set_exception_callback get_args_from_exception_info get_func_handle_from_exception_info
launch_host_func stream_wait_event_with_timeout get_hardware_sync_addr free_with_dev_sync memset_d32 ri_capture_begin capture_begin
kernel_args_append_placeholder kernel_args_get_placeholder_buffer MEMCPY_HOST_TO_DEVICE
"""


@pytest.mark.requirement("host-153")
@pytest.mark.parametrize("name", ONLY_IN_C.split())
def test_c_functions_without_a_python_name_are_in_capi(name: str) -> None:
    assert callable(getattr(capi, name))
    for module in (acl, acl.rt, acl.mdl, acl.op, acl.util):
        assert not hasattr(module, name)


@pytest.mark.requirement("host-153")
@pytest.mark.parametrize("name", WITHOUT_A_PYTHON_NAME.split())
def test_no_python_name_is_made_up(name: str) -> None:
    for module in (acl, acl.rt, acl.mdl):
        assert not hasattr(module, name)


IN_THE_DOCUMENTS = """
aclrtLaunchKernelV2 aclrtLaunchKernel aclrtLaunchKernelWithConfig aclrtLaunchKernelWithHostArgs aclrtMalloc aclrtKernelArgsAppend
aclrtKernelArgsAppendPlaceHolder aclrtKernelArgsGetPlaceHolderBuffer aclrtKernelArgsFinalize aclopSetKernelWorkspaceSizes
"""


@pytest.mark.parametrize("name", IN_THE_DOCUMENTS.split())
def test_c_functions_that_the_documents_name_are_in_capi(name: str) -> None:
    assert callable(getattr(capi, name))


def test_every_call_of_the_runtime_has_its_c_name_in_capi() -> None:
    rows = [row for row in _assemble.SUPPORT if row.path.startswith("acl.rt.") and row.c_name]
    assert len(rows) > 100
    assert [row.c_name for row in rows if not callable(getattr(capi, row.c_name, None))] == []


@pytest.mark.parametrize("config", [None, []], ids=["NULL", "empty"])
def test_a_program_in_c_names_runs_from_init_to_the_result(kernels: dict[str, Path], config: Any) -> None:
    """The steps of the runtime's documents, with None where C has NULL."""
    ok(capi.aclInit(None))
    ok(capi.aclrtSetDevice(0))
    stream = ok(capi.aclrtCreateStream())
    out = ok(capi.aclrtMalloc(16, 0))
    binary = ok(capi.aclrtBinaryLoadFromFile(str(kernels["fill_index"]), None))
    function = ok(capi.aclrtBinaryGetFunction(binary, "fill_index"))
    args, address = ok(capi.aclrtKernelArgsInit(function)), np.array([out], np.uint64)
    ok(capi.aclrtKernelArgsAppend(args, address.ctypes.data, 8))
    ok(capi.aclrtKernelArgsFinalize(args))
    ok(capi.aclrtLaunchKernelWithConfig(function, 4, stream, config, args, None))
    ok(capi.aclrtSynchronizeStream(stream))
    host = np.empty(4, np.int32)
    ok(capi.aclrtMemcpy(host.ctypes.data, 16, out, 16, 2))
    assert host.tolist() == [0, 1, 2, 3]
    ok(capi.aclrtLaunchKernelWithHostArgs(function, 4, None, config, address.ctypes.data, 8, None, 0))
    ok(capi.aclrtSynchronizeStream(None))
    assert acl.rt.free(out) == 0  # handles and addresses are acl's
    ok(capi.aclrtBinaryUnLoad(binary))
    ok(capi.aclrtDestroyStream(stream))
    ok(capi.aclrtResetDevice(0))
    ok(capi.aclFinalize())


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: capi.aclrtBinaryLoadFromFile(None, None), "aclrtBinaryLoadFromFile: path is None (NULL)"),
        (lambda: capi.aclrtKernelArgsAppend(None, None, 0), "aclrtKernelArgsAppend: args is 0"),
        (lambda: capi.aclrtFree(None), "aclrtFree: the address is 0 (NULL)"),
    ],
)
def test_null_where_something_is_needed_is_refused(call: Callable[[], Any], sentence: str) -> None:
    assert code(call()) == 100000
    assert sentence in message()


def test_capi_leaves_another_acl_alone(tmp_path: Path) -> None:
    """A machine with CANN has two: the program's own stays what it imported, and `aclimb run` still gives it ours."""
    (tmp_path / "acl.py").write_text("whose = 'another'\n")
    text = "import sys\nfrom importlib.machinery import PathFinder\nsys.meta_path.insert(0, PathFinder)\n"
    text += "{first}\nfrom aclimb import capi, run\nimport acl\n"
    text += "print(acl.whose, capi.aclrtSetDevice(0), run.use_our_acl().rt.get_device(), sys.modules['acl'] is acl)"
    for first in ("import acl", ""):
        command = [sys.executable, "-c", text.format(first=first)]
        environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
        done = subprocess.run(command, capture_output=True, text=True, timeout=600, env=environment, cwd=tmp_path, check=False)
        assert (done.stdout, done.stderr) == ("another 0 (0, 0) False\n", "")


@pytest.mark.requirement("host-153")
def test_launch_kernel_v2_is_an_addition(malloc: Malloc, stream: int, function: Find) -> None:
    out, block, fill_index = malloc(16), malloc(8), function("fill_index")
    write(block, packed(out))
    for config in ([], None, attributes(schedule_mode=1)):
        ok(acl.rt.memset(out, 16, 255, 16))
        assert acl.rt.launch_kernel_v2(fill_index, 4, block, 8, config, stream) == 0
        ok(acl.rt.synchronize_stream(stream))
        assert read(out, 4).tolist() == [0, 1, 2, 3]
    with pytest.raises(ValueError, match=r"^argument 5 only support the format of list$"):
        acl.rt.launch_kernel_v2(fill_index, 4, block, 8, {}, stream)


MODELS = """
create_desc destroy_desc get_desc get_num_inputs get_num_outputs get_input_size_by_index get_output_size_by_index get_input_dims
get_output_dims get_cur_output_dims get_input_data_type get_output_data_type create_dataset destroy_dataset add_dataset_buffer
get_dataset_buffer get_dataset_num_buffers load_from_file load_from_mem unload execute execute_async
"""


@pytest.mark.requirement("host-154")
@pytest.mark.parametrize("name", MODELS.split())
def test_functions_for_models_exist(name: str) -> None:
    assert callable(getattr(acl.mdl, name))


@pytest.mark.requirement("host-154")
def test_models_are_answered_with_a_code_and_a_sentence(stream: int) -> None:
    memory = np.zeros(64, np.uint8)
    number, ret = acl.mdl.load_from_file("model.om")
    assert (number, ret in UNSUPPORTED) == (0, True)
    assert "acl.mdl" in message()
    assert code(acl.mdl.load_from_mem(memory.ctypes.data, memory.nbytes)) in UNSUPPORTED
    assert acl.mdl.execute(1, 0, 0) in UNSUPPORTED
    assert acl.mdl.execute_async(1, 0, 0, stream) in UNSUPPORTED
    assert acl.mdl.unload(1) in UNSUPPORTED
    assert "models (.om files) are out of scope: aclimb runs kernels; load one with acl.rt.binary_load_from_file" in message()
