# SPDX-License-Identifier: Apache-2.0
"""A pyACL program: one pointer, one scalar and one placeholder parameter, in the nine steps of loading and running a kernel.

It takes the path of an operator binary, and would run unchanged beside an NPU with a binary that CANN built.
"""

import ctypes
import sys

import numpy as np

import acl

BLOCKS, LENGTH = 8, 512
HOST_TO_DEVICE, DEVICE_TO_HOST = 1, 2


def check(ret):
    if ret != 0:
        raise RuntimeError(f"{ret}: {acl.get_recent_err_msg()}")


def ok(result):
    *values, ret = result
    check(ret)
    return values[0]


def main(binary_path, scale=2.0, bias=0.5):
    x = np.arange(BLOCKS * LENGTH, dtype=np.float32)
    check(acl.init())  # 1. initialise
    check(acl.rt.set_device(0))  # 2. a device and a stream
    stream = ok(acl.rt.create_stream())
    address = ok(acl.rt.malloc(x.nbytes, 0))
    check(acl.rt.memcpy(address, x.nbytes, x.ctypes.data, x.nbytes, HOST_TO_DEVICE))

    binary = ok(acl.rt.binary_load_from_file(binary_path, []))  # 3. load the binary
    function = ok(acl.rt.binary_get_function(binary, "affine"))  # 4. find the kernel

    args = ok(acl.rt.kernel_args_init(function))  # 5. the parameters, from left to right
    pointer, length = ctypes.c_uint64(address), ctypes.c_uint32(LENGTH)
    ok(acl.rt.kernel_args_append(args, ctypes.addressof(pointer), 8))
    ok(acl.rt.kernel_args_append(args, ctypes.addressof(length), 4))
    placeholder = ok(acl.rt.kernel_args_append_place_holder(args))
    tiling = np.array([scale, bias], np.float32)
    buffer = ok(acl.rt.kernel_args_get_place_holder_buffer(args, placeholder, tiling.nbytes))
    ctypes.memmove(buffer, tiling.ctypes.data, tiling.nbytes)  # travels with the arguments
    check(acl.rt.kernel_args_finalize(args))

    check(acl.rt.launch_kernel_with_config(function, BLOCKS, stream, [], args, 0))  # 6. launch
    check(acl.rt.synchronize_stream(stream))
    result = np.empty_like(x)
    check(acl.rt.memcpy(result.ctypes.data, result.nbytes, address, result.nbytes, DEVICE_TO_HOST))

    check(acl.rt.binary_unload(binary))  # 7. give everything back
    check(acl.rt.free(address))
    check(acl.rt.destroy_stream(stream))  # 8.
    check(acl.rt.reset_device(0))
    check(acl.finalize())  # 9.
    return result, x * np.float32(scale) + np.float32(bias)


if __name__ == "__main__":
    got, expected = main(sys.argv[1])
    print(f"affine             {np.count_nonzero(got == expected)} of {got.size} equal to numpy")
