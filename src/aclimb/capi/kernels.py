# SPDX-License-Identifier: Apache-2.0
"""Binaries, functions and launches as only C has them, or has them wider than pyACL."""

from __future__ import annotations

import struct
from typing import Any

from aclimb.errors import InvalidArgument, Refused
from aclimb.flow import KernelType
from aclimb.runtime import addresses, launches
from aclimb.runtime.args import list_of
from aclimb.runtime.context import current, stream_of
from aclimb.runtime.handles import NULL
from aclimb.runtime.loader import BINARIES, FUNCTIONS, Function, function_of_symbol

TABLE = """
aclrtLaunchKernelV2                   p function, I num_blocks, p args, k size, o config, p stream      ->
aclrtLaunchKernelWithConfig           p function, I num_blocks, p stream, o config, p args, p reserve   ->
aclrtLaunchKernelWithHostArgs  p function, I num_blocks, p stream, o config, p args, k size, o slots, k count  ->
aclrtLaunchKernelWithArgsArray        p function, I num_blocks, p stream, o config, o args              ->
aclrtBinaryGetFunctionByEntry         p binary, k entry                                                 -> function
aclrtBinaryGetDevAddress              p binary                                                          -> address, size
aclrtBinaryGetGlobal                  p binary, z name                                                  -> address, size
aclrtGetFunctionSize                  p function                                                        -> aic, aiv
aclrtGetFunctionAttribute             p function, i attribute                                           -> value
aclrtGetFunctionName                  p function, I max_len                                             -> name:s
aclrtGetFuncBySymbol                  p symbol                                                          -> function
aclrtFunctionGetBinary                p function                                                        -> binary
aclrtFunctionGetParamCount            p function                                                        -> count
aclrtFunctionGetParamInfo             p function, k index                                               -> offset, size
"""

KERNEL_TYPE, KERNEL_RATIO, SCHED_MODE = 1, 2, 3
TYPE_CUBE, TYPE_VECTOR, TYPE_MIX = 1, 2, 3
SYMBOL_NOT_FOUND, INVALID_SYMBOL = 107042, 107043


# --- launches


def _pairs(call: str, given: Any, first: str, second: str) -> list[tuple[int, int]]:
    """None, or a list of {first: ..., second: ...}."""
    if given is None:
        return []
    if not isinstance(given, list) or not all(isinstance(each, dict) for each in given):
        raise TypeError(f"{call} args parse failed")
    return [(each.get(first, 0), each.get(second, 0)) for each in given]


def aclrtLaunchKernelV2(function: int, num_blocks: int, args: int, size: int, config: Any, stream: int) -> None:
    """Arguments in device memory, with a configuration."""
    found = FUNCTIONS[function]
    attributes = _pairs("aclrtLaunchKernelV2", config, "id", "value")
    launches.with_device_args(found, num_blocks, args, size, attributes, stream_of(stream))


def aclrtLaunchKernelWithConfig(function: int, num_blocks: int, stream: int, config: Any, args: int, reserve: int) -> None:
    """An argument list; its bytes are copied now."""
    found = FUNCTIONS[function]
    arguments = list_of(args)
    if reserve:
        raise Refused(NULL, f"reserve is {reserve}; it has to be 0")
    attributes = _pairs("aclrtLaunchKernelWithConfig", config, "id", "value") if config is not None else ()
    launches.with_list(found, num_blocks, arguments, attributes, stream_of(stream))


def aclrtLaunchKernelWithHostArgs(
    function: int, num_blocks: int, stream: int, config: Any, args: int, size: int, slots: Any, count: int
) -> None:
    """A block of host memory, copied now; placeholder slots are {"addrOffset": ..., "dataOffset": ...} into it."""
    found = FUNCTIONS[function]
    attributes = _pairs("aclrtLaunchKernelWithHostArgs", config, "id", "value")
    offsets = _pairs("aclrtLaunchKernelWithHostArgs", slots, "addrOffset", "dataOffset")
    launches.with_host_args(found, num_blocks, args, size, offsets, count, attributes, stream_of(stream))


def aclrtLaunchKernelWithArgsArray(function: int, num_blocks: int, stream: int, config: Any, args: Any) -> None:
    """One host address for each parameter, whose size the binary knows: a list, or the address of an array."""
    found = _function(function)
    attributes = _pairs("aclrtLaunchKernelWithArgsArray", config, "id", "value")
    launches.with_addresses(found, num_blocks, _argument_addresses(found, args), attributes, stream_of(stream))


def _argument_addresses(function: Function, args: Any) -> list[int]:
    info = function.kernel.info
    if args is None or (args == 0 and isinstance(args, int)):
        raise Refused(NULL, "args is None (NULL)")
    if isinstance(args, int):
        words = addresses.read(args, 8 * len(info.parameters), f"the array of arguments of {info.name}") if info.parameters else b""
        args = list(struct.unpack(f"<{len(info.parameters)}Q", words))
    if not isinstance(args, list) or not all(isinstance(each, int) for each in args):
        raise TypeError("aclrtLaunchKernelWithArgsArray args parse failed")
    if len(args) != len(info.parameters) or 0 in args:
        raise InvalidArgument(f"{info.signature} takes {len(info.parameters)} arguments; {len(args)} addresses are given, none may be 0")
    return args


def _function(number: int) -> Function:
    """Of a handle, or of the address of a __global__ function of the program."""
    found = FUNCTIONS.get(number) or function_of_symbol(number)
    return found if found is not None else FUNCTIONS[number]  # which says what it is instead


# --- binaries and functions


def aclrtBinaryGetFunctionByEntry(binary: int, entry: int) -> int:
    """By tiling key."""
    return BINARIES[binary].function_of_key(entry, current().device).number


def aclrtBinaryGetDevAddress(binary: int) -> tuple[int, int]:
    """Where the image lies; that of the AICs when there are two."""
    found = BINARIES[binary]
    found.devices.add(current().device.index)
    return found.image_addresses[0]


def aclrtBinaryGetGlobal(binary: int, name: str | None) -> tuple[int, int]:
    """A variable of the device code."""
    found = BINARIES[binary]
    if name is None:
        raise Refused(NULL, "name is None (NULL)")
    symbol = found.symbol(name)
    if symbol is None:
        raise Refused(SYMBOL_NOT_FOUND, f"{found.binary.name}.o has no variable {name!r}")
    return symbol


def aclrtGetFunctionSize(function: int) -> tuple[int, int]:
    """Bytes of code for AIC and AIV, 0 for none."""
    return FUNCTIONS[function].sizes


def aclrtGetFunctionAttribute(function: int, attribute: int) -> int:
    """1: kernel type, 2: ratio (vector in the low half, cube in the high), 3: schedule mode."""
    found = FUNCTIONS[function]
    kind = found.kernel_type
    aics, aivs = kind.task_ration
    if attribute == KERNEL_TYPE:
        return TYPE_MIX if kind.cross_core_sync else TYPE_VECTOR if kind is KernelType.AIV_ONLY else TYPE_CUBE
    if attribute == KERNEL_RATIO:
        return aics << 16 | aivs
    if attribute == SCHED_MODE:
        return found.kernel.info.schedule_mode
    raise InvalidArgument(f"function attribute {attribute} does not exist; there are 1 (type), 2 (ratio), 3 (schedule mode)")


def aclrtGetFunctionName(function: int, max_len: int) -> str:
    """With the NUL behind it, it has to fit."""
    name = FUNCTIONS[function].name
    if max_len < len(name.encode()) + 1:
        raise InvalidArgument(f"max_len is {max_len}; {name} needs {len(name.encode()) + 1}")
    return name


def aclrtGetFuncBySymbol(symbol: int) -> int:
    """`symbol` is the address of a __global__ function of the program."""
    if symbol == 0:
        raise Refused(NULL, "symbol is 0 (NULL)")
    found = function_of_symbol(symbol)
    if found is None:
        raise Refused(INVALID_SYMBOL, f"0x{symbol:x} is not the address of a __global__ function that aclimb built into this program")
    return found.number


def aclrtFunctionGetBinary(function: int) -> int:
    return FUNCTIONS[function].binary.number


def aclrtFunctionGetParamCount(function: int) -> int:
    return len(_function(function).kernel.info.parameters)


def aclrtFunctionGetParamInfo(function: int, index: int) -> tuple[int, int]:
    """Where the parameter starts in the argument block, and its bytes."""
    info = _function(function).kernel.info
    if index >= len(info.parameters):
        raise InvalidArgument(f"parameter {index} does not exist: {info.signature} has {len(info.parameters)}")
    return info.parameters[index].offset, info.parameters[index].size
