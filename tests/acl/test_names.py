# SPDX-License-Identifier: Apache-2.0
"""What a program finds when it looks for a name: additions, C functions without a Python name, and models."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from host import code, message, ok, read, write
from steps import attributes, packed

import acl
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


@pytest.mark.requirement("host-153")
def test_launch_kernel_v2_is_an_addition(malloc: Malloc, stream: int, function: Find) -> None:
    out, block, fill_index = malloc(16), malloc(8), function("fill_index")
    write(block, packed(out))
    assert acl.rt.launch_kernel_v2(fill_index, 4, block, 8, [], stream) == 0
    assert acl.rt.launch_kernel_v2(fill_index, 4, block, 8, attributes(schedule_mode=1), stream) == 0
    ok(acl.rt.synchronize_stream(stream))
    assert read(out, 4).tolist() == [0, 1, 2, 3]


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
    assert message()
