# SPDX-License-Identifier: Apache-2.0
"""The runtime below acl (runtime/rt.h): other names and orders for what acl does, with the same handles.

Its own are functions under an address that the program chooses: rtFunctionRegister keeps them, rtKernelLaunch finds them.
"""

from __future__ import annotations

import struct

from aclimb import run
from aclimb.capi import runtime
from aclimb.errors import InvalidArgument, KernelNotFound, Refused, Unsupported
from aclimb.runtime import addresses, launches
from aclimb.runtime.context import current, stream_of
from aclimb.runtime.handles import NULL
from aclimb.runtime.loader import BINARIES, LAZY_LOAD, MAGIC, Function

TABLE = """
rtSetDevice                           i device                                                          ->
rtDeviceReset                         i device                                                          ->
rtDeviceSynchronize                                                                                     ->
rtGetDeviceCount                                                                                        -> count
rtGetSocVersion                       I max_len                                                         -> name:s
rtGetAiCoreCount                                                                                        -> count
rtGetDeviceInfo                       I device, i module, i info                                        -> value
rtStreamCreate                        i priority                                                        -> stream
rtStreamDestroy                       p stream                                                          ->
rtStreamSynchronize                   p stream                                                          ->
rtStreamSynchronizeWithTimeout        p stream, i timeout_ms                                            ->
rtMalloc                              k size, I kind, I module                                          -> address
rtFree                                p address                                                         ->
rtMallocHost                          k size, I module                                                  -> address
rtFreeHost                            p address                                                         ->
rtMemcpy                              p dst, k dst_max, p src, k count, i kind                          ->
rtDevBinaryRegister                   p binary                                                          -> handle
rtDevBinaryUnRegister                 p handle                                                          ->
rtFunctionRegister                    p handle, p stub, z stub_name, p name, I mode                     ->
rtKernelLaunch                        p stub, I num_blocks, p args, I size, p sm_desc, p stream         ->
rtGetC2cCtrlAddr                                                                                        -> address, size
"""

WITHOUT_EFFECT = """
rtProfSetProSwitch                    p data, I size                                                    ->
"""

UNSUPPORTED = {
    "launches with a description of their arguments are not there; use rtKernelLaunch, or aclrtLaunchKernelWithHostArgs": """
rtKernelLaunchWithFlagV2              ->
rtKernelLaunchWithHandleV2            ->
""",
    "functions are found one by one; use rtDevBinaryRegister and rtFunctionRegister, or aclrtBinaryGetFunctionByEntry": """
rtRegisterAllKernel                   -> handle
rtBinaryLoadWithoutTilingKey          -> handle
""",
    "the chip is modelled and its registers have no addresses; kernels set and wait for flags": """
rtGetDevResAddress                    ->
""",
    "devices have one number; it is the one that rtSetDevice takes": """
rtGetVisibleDeviceIdByLogicDeviceId   -> device
""",
}

KERNEL_LOOKUP = 507027
AICPU_MAGIC = 0x41415243
AI_CORES, VECTOR_CORES, CORE_COUNT = 4, 7, 3
_BINARY = struct.Struct("<IIQQ")  # rtDevBinary_t: magic, version, data, length
_KINDS = (0, 1, 2, 3, 4, 3, 1, 2)  # of a copy, as acl numbers them: 4 decides by the addresses
_LONGEST_NAME = 4096
_acl = run.our_acl()
_base, _devices, _streams = _acl["acl._base"], _acl["acl._devices"], _acl["acl._streams"]
_memory, _binaries = _acl["acl._memory"], _acl["acl._binaries"]
_stubs: dict[int, Function] = {}


# --- devices and streams


def rtSetDevice(device: int) -> None:
    """aclrtSetDevice."""
    _devices.set_device(device)


def rtDeviceReset(device: int) -> None:
    """aclrtResetDevice."""
    _devices.reset_device(device)


def rtDeviceSynchronize() -> None:
    """aclrtSynchronizeDevice."""
    _devices.synchronize_device()


def rtGetDeviceCount() -> int:
    """aclrtGetDeviceCount."""
    return int(_devices.get_device_count())


def rtGetSocVersion(max_len: int) -> str:
    """aclrtGetSocName, into memory of the caller."""
    name = str(_base.get_soc_name())
    if max_len < len(name) + 1:
        raise InvalidArgument(f"maxLen is {max_len}; {name} needs {len(name) + 1}")
    return name


def rtGetAiCoreCount() -> int:
    """AICs of the current device."""
    return current().device.chip.aic_cores


def rtGetDeviceInfo(device: int, module: int, info: int) -> int:
    """How many AI cores (module 4) or vector cores (7) there are (info 3)."""
    if module not in (AI_CORES, VECTOR_CORES) or info != CORE_COUNT:
        raise Unsupported(f"module {module} with info {info} is not known; there are 4 (AI cores) and 7 (vector cores) with 3 (how many)")
    return runtime.aclGetDeviceCapability(device, (AI_CORES, VECTOR_CORES).index(module))


def rtStreamCreate(priority: int) -> int:
    """aclrtCreateStreamWithConfig without flags."""
    return int(_streams.create_stream_with_config(priority, 0))


def rtStreamDestroy(stream: int) -> None:
    """aclrtDestroyStream."""
    _streams.destroy_stream(stream)


def rtStreamSynchronize(stream: int) -> None:
    """aclrtSynchronizeStream."""
    _streams.synchronize_stream(stream)


def rtStreamSynchronizeWithTimeout(stream: int, timeout_ms: int) -> None:
    """aclrtSynchronizeStreamWithTimeout."""
    _streams.synchronize_stream_with_timeout(stream, timeout_ms)


# --- memory


def rtMalloc(size: int, kind: int, module: int) -> int:
    """aclrtMalloc; every kind of memory is the same here."""
    return int(_memory.malloc(size, 0))


def rtFree(address: int) -> None:
    """aclrtFree."""
    _memory.free(address)


def rtMallocHost(size: int, module: int) -> int:
    """aclrtMallocHost."""
    return int(_memory.malloc_host(size))


def rtFreeHost(address: int) -> None:
    """aclrtFreeHost."""
    _memory.free_host(address)


def rtMemcpy(dst: int, dst_max: int, src: int, count: int, kind: int) -> None:
    """aclrtMemcpy; 4 decides by the addresses, 5 is device to device, 6 and 7 are 1 and 2."""
    if not 0 <= kind < len(_KINDS):
        raise InvalidArgument(f"kind is {kind}; it takes 0 to {len(_KINDS) - 1}")
    _memory.memcpy(dst, dst_max, src, count, _KINDS[kind])


# --- binaries, functions and launches


def rtDevBinaryRegister(binary: int) -> int:
    """aclrtBinaryLoadFromData of an rtDevBinary_t; its data may be freed at once."""
    magic, _, data, length = _BINARY.unpack(addresses.read(binary, _BINARY.size, "rtDevBinary_t"))
    if magic == AICPU_MAGIC:
        raise Unsupported(f"magic is 0x{magic:x}, for the AI CPU; aclimb runs AI Core kernels only")
    # A function has no device before its launch, so every device may use it.
    options = [{"type": LAZY_LOAD, "value": 1}, {"type": MAGIC, "value": magic}]
    return int(_binaries.binary_load_from_data(data, length, options))


def rtDevBinaryUnRegister(handle: int) -> None:
    """aclrtBinaryUnLoad; stubs of its functions end with it."""
    found = BINARIES[handle]
    for stub in [stub for stub, function in list(_stubs.items()) if function.binary is found]:
        del _stubs[stub]
    _binaries.binary_unload(handle)


def rtFunctionRegister(handle: int, stub: int, stub_name: str | None, name: int, mode: int) -> None:
    """From now on `stub`, an address that is never looked at, stands for the function `name`; another one before it is replaced."""
    found = BINARIES[handle]
    if stub == 0:
        raise Refused(NULL, "stubFunc is 0 (NULL)")
    wanted = _text(name) if name else stub_name
    if wanted is None:
        raise Refused(NULL, "kernelInfoExt and stubName are both NULL; one has to name the kernel")
    device = current().device
    try:
        _stubs[stub] = found.function(wanted, device)
    except KernelNotFound:  # a mix kernel may go by the name of its half
        half = wanted.removesuffix("_mix_aic").removesuffix("_mix_aiv")
        if half == wanted:
            raise
        _stubs[stub] = found.function(half, device)


def _text(address: int) -> str:
    """Of a name that C gives as any pointer."""
    there = addresses.readable_bytes(address, _LONGEST_NAME)
    text, ended, _ = addresses.read(address, there or 1, "kernelInfoExt").partition(b"\0")
    if not ended:
        raise InvalidArgument(f"kernelInfoExt: no name of up to {_LONGEST_NAME} characters begins at 0x{address:x}")
    return text.decode("utf-8", "replace")


def rtKernelLaunch(stub: int, num_blocks: int, args: int, size: int, sm_desc: int, stream: int) -> None:
    """aclrtLaunchKernelWithHostArgs of the function that was registered last for the stub; the arguments are a C struct."""
    found = _stubs.get(stub)
    if found is None:
        raise Refused(KERNEL_LOOKUP, f"no function is registered for the stub 0x{stub:x}; call rtFunctionRegister before the launch")
    if sm_desc:
        raise Unsupported("smDesc is given; there is no memory to set up for a launch, so leave it NULL")
    launches.with_struct(found, num_blocks, args, size, stream_of(stream))


def rtGetC2cCtrlAddr() -> tuple[int, int]:
    """0 and 0: the engine has the flags that kernels set with it."""
    return 0, 0


def rtProfSetProSwitch(data: int, size: int) -> None:
    """There is no profiler to switch; `aclimb profile` shows what a program does."""
