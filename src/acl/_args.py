# SPDX-License-Identifier: Apache-2.0
"""acl.rt: argument lists."""

from __future__ import annotations

from aclimb.errors import Refused
from aclimb.runtime import args as lists
from aclimb.runtime.args import list_of
from aclimb.runtime.context import current
from aclimb.runtime.handles import NULL
from aclimb.runtime.loader import FUNCTIONS

TABLE = """
kernel_args_init                    k function                          -> args                    aclrtKernelArgsInit
kernel_args_init_by_user_mem        k function, k args, k memory, k size  ->                       aclrtKernelArgsInitByUserMem
kernel_args_get_mem_size            k function, k user_size             -> size                    aclrtKernelArgsGetMemSize
kernel_args_get_handle_mem_size     k function                          -> size                    aclrtKernelArgsGetHandleMemSize
kernel_args_append                  k args, k value, k size             -> parameter               aclrtKernelArgsAppend
kernel_args_append_place_holder     k args                              -> parameter               aclrtKernelArgsAppendPlaceHolder
kernel_args_get_place_holder_buffer  k args, k parameter, k size        -> ptr                     aclrtKernelArgsGetPlaceHolderBuffer
kernel_args_para_update             k args, k parameter, k value, k size  ->                       aclrtKernelArgsParaUpdate
kernel_args_finalize                k args                              ->                         aclrtKernelArgsFinalize
"""


def kernel_args_init(function: int) -> int:
    """The list of this thread, empty; there is one."""
    return lists.init_for_thread(FUNCTIONS[function].number)


def kernel_args_init_by_user_mem(function: int, args: int, memory: int, size: int) -> None:
    """A list in the caller's memory: any number of them can be built at the same time."""
    found = FUNCTIONS[function]
    _require(args=args, memory=memory, size=size)
    lists.init_in_user_memory(found.number, args, memory, size)


def kernel_args_get_mem_size(function: int, user_size: int) -> int:
    FUNCTIONS[function]
    return lists.mem_size(user_size)


def kernel_args_get_handle_mem_size(function: int) -> int:
    FUNCTIONS[function]
    return lists.HANDLE_BYTES


def kernel_args_append(args: int, value: int, size: int) -> int:
    """`value` is the host address of the bytes, which are copied now."""
    if not (value and size):
        _require(args=args, value=value, size=size)
    return list_of(args).append(value, size)


def kernel_args_append_place_holder(args: int) -> int:
    """A pointer whose data travels with the arguments; see kernel_args_get_place_holder_buffer."""
    return list_of(args).append_placeholder()


def kernel_args_get_place_holder_buffer(args: int, parameter: int, size: int) -> int:
    """Host memory for a placeholder's data, read at the launch. After all parameters are appended."""
    _require(args=args, parameter=parameter, size=size)
    return list_of(args).placeholder_buffer(parameter, size)


def kernel_args_para_update(args: int, parameter: int, value: int, size: int) -> None:
    """Another value of the same size; needs a kernel_args_finalize before the next launch."""
    _require(args=args, parameter=parameter, value=value, size=size)
    list_of(args).update(parameter, value, size)


def kernel_args_finalize(args: int) -> None:
    """The list is complete and can be launched."""
    found = list_of(args)
    current()
    found.native.finalise()


def _require(**values: int) -> None:
    for name, value in values.items():
        if value == 0:
            raise Refused(NULL, f"{name} is 0")
