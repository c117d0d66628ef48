# SPDX-License-Identifier: Apache-2.0
"""The launches of acl: by argument list, by a block of host memory, by device memory; with the attributes of a launch."""

from __future__ import annotations

import ctypes
import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from dataclasses import dataclass
from functools import partial
from typing import Any

from aclimb import chips
from aclimb.errors import InvalidArgument, OutOfMemory, Refused
from aclimb.flow import Parameter
from aclimb.runtime import addresses, dumps, guard, no_effect
from aclimb.runtime.args import MANY_DATA_BYTES, ArgsList
from aclimb.runtime.context import ContextStream
from aclimb.runtime.device import Device
from aclimb.runtime.failures import stopped
from aclimb.runtime.handles import BAD_HANDLE, NULL
from aclimb.runtime.loader import FUNCTIONS, Function
from aclimb.runtime.memory import not_allocated, read_in_task
from aclimb.runtime.requests import LaunchRequest, Refusal

_log = logging.getLogger("aclimb")

SCHEM_MODE, DYN_UBUF_SIZE, ENGINE_TYPE, BLOCKDIM_OFFSET, BLOCK_TASK_PREFETCH, DATA_DUMP, TIMEOUT, TIMEOUT_US, PROFILING = range(1, 10)
_NAMES = {1: "SCHEM_MODE", 2: "DYN_UBUF_SIZE", 3: "ENGINE_TYPE", 4: "BLOCKDIM_OFFSET", 5: "BLOCK_TASK_PREFETCH", 6: "DATA_DUMP",
          7: "TIMEOUT", 8: "TIMEOUT_US", 9: "ENABLE_PROFILING"}  # fmt: skip
_SWITCHES = (SCHEM_MODE, BLOCK_TASK_PREFETCH, DATA_DUMP, PROFILING)
FOR_EVER_NS = 2**64 - 1
PROFILERS: list[Callable[[], AbstractContextManager[object]]] = []  # of those above: what records one launch
_TAKE_HOST_MEMORY = (
    "; copy them to device memory, or use a call that takes arguments in host memory: aclrtLaunchKernelWithHostArgs or "
    "aclrtLaunchKernelWithConfig (acl.rt.launch_kernel_with_host_args, launch_kernel_with_config)"
)


@dataclass(frozen=True, slots=True)
class Attributes:
    """The attributes of one launch (aclrtLaunchKernelCfg). Checked when built; those that change nothing are said in the log."""

    limit_ns: int = 0  # 0: the limit of all
    is_dumped: bool = False
    is_profiled: bool = False

    @classmethod
    def parse(cls, items: Sequence[tuple[int, int]], chip: chips.Chip, kernel: str) -> Attributes:
        values = dict(items)  # the last one wins
        for number, value in values.items():
            _check(number, value, chip, kernel)
        for number in (SCHEM_MODE, BLOCK_TASK_PREFETCH):
            if values.get(number):
                no_effect.say(f"launch attribute {_NAMES[number]}")
        return cls(_limit_of(values, kernel), bool(values.get(DATA_DUMP)), bool(values.get(PROFILING)))


def _limit_of(values: Mapping[int, int], kernel: str) -> int:
    if TIMEOUT in values and TIMEOUT_US in values:
        raise InvalidArgument(f"TIMEOUT and TIMEOUT_US are both given for {kernel}; one launch has one time limit")
    if TIMEOUT in values:
        return (values[TIMEOUT] & 0xFFFF) * 1_000_000_000 or FOR_EVER_NS
    if TIMEOUT_US in values:
        return values[TIMEOUT_US] * 1000 or FOR_EVER_NS
    return 0


def _check(number: int, value: int, chip: chips.Chip, kernel: str) -> None:
    name = _NAMES.get(number)
    if name is None:
        known = ", ".join(f"{number} ({name})" for number, name in _NAMES.items())
        raise InvalidArgument(f"launch attribute {number}, given for {kernel}, does not exist; there are {known}")
    if number in _SWITCHES and value not in (0, 1):
        raise InvalidArgument(f"launch attribute {name} is {value} for {kernel}; it takes 0 or 1")
    if chips.support(f"LaunchKernelAttr.{name}", chip.family) == "unsupported" and not (number == DYN_UBUF_SIZE and value == 0):
        raise InvalidArgument(f"launch attribute {name} ({number}) is not for {kernel} on {chip.name}; leave it out")


def with_list(
    function: Function, num_blocks: int, arguments: ArgsList, attributes: Sequence[tuple[int, int]], stream: ContextStream
) -> None:
    if num_blocks == 0:
        raise Refused(NULL, "num_blocks is 0; it takes 1 to 65535")
    if arguments.function != function.number:
        raise _for_another(arguments.function, function)
    request = _request(function, num_blocks, attributes, stream) if attributes else function.request(stream.device, num_blocks)
    refused = request.launch_list(stream.native, arguments.native)
    if refused is not None:
        raise _refusal(refused, function, arguments.native.parameter_bytes, stream)
    if arguments.has_much_data:
        _log_much_data(function, arguments.native.data_bytes)


def _for_another(number: int, function: Function) -> InvalidArgument:
    other = FUNCTIONS.get(number)
    if other is None:
        whose = "a function whose binary was unloaded"
    else:
        whose = other.name if other.name != function.name else f"{other.name} of another binary"
    return InvalidArgument(
        f"the argument list was made for {whose}, and {function.name} is launched; call kernel_args_init with {function.name}"
    )


def with_device_args(
    function: Function, num_blocks: int, address: int, size: int, attributes: Sequence[tuple[int, int]], stream: ContextStream
) -> None:
    """The arguments have to lie on the device of the stream."""
    _require(num_blocks, address, size)
    refused = _request(function, num_blocks, attributes, stream).launch_at(stream.native, address, size)
    if refused is Refusal.not_there:
        where = _where_instead(address, size, stream)
        raise InvalidArgument(f"the arguments of {function.name} have to be in device memory of {stream.device}: {where}")
    if refused is not None:
        raise _refusal(refused, function, size, stream)


def _where_instead(address: int, size: int, stream: ContextStream) -> str:
    if not addresses.is_on_device(address):
        what = addresses.described(address)
        return f"0x{address:x} is {what}" + (_TAKE_HOST_MEMORY if what == "host memory" else "; give the address of device memory")
    if not stream.device.native.contains(address):
        return f"0x{address:x} is memory of another device than {stream.device}"
    return not_allocated(address, size)


def with_host_args(
    function: Function,
    num_blocks: int,
    host: int,
    size: int,
    placeholders: Sequence[tuple[int, int]],
    count: int,
    attributes: Sequence[tuple[int, int]],
    stream: ContextStream,
) -> None:
    """Each placeholder is (where the address goes, where the data lies), both offsets into the block."""
    _require(num_blocks, host, size)
    if count != len(placeholders):
        raise InvalidArgument(f"{count} placeholders are announced and {len(placeholders)} are given")
    for address_offset, data_offset in placeholders:
        if address_offset + 8 > size or data_offset >= size:
            raise InvalidArgument(f"a placeholder has addrOffset {address_offset} and dataOffset {data_offset}; both have to be inside the "
                                  f"{size} bytes of arguments, with 8 bytes for the address")  # fmt: skip
    refused = _request(function, num_blocks, attributes, stream).launch_block(stream.native, host, size, list(placeholders))
    if refused is Refusal.unreadable:
        raise InvalidArgument(f"the arguments of {function.name}: {addresses.unreadable(host, size)}")
    if refused is Refusal.read_only:
        raise InvalidArgument(f"the arguments of {function.name} at 0x{host:x} cannot be written, and the addresses of placeholders are "
                              "written there; give memory of your own")  # fmt: skip
    if refused is not None:
        raise _refusal(refused, function, min([size, *(data for _, data in placeholders)]), stream)
    if placeholders and size - min(data for _, data in placeholders) > MANY_DATA_BYTES:
        _log_much_data(function, size - min(data for _, data in placeholders))


def with_struct(function: Function, num_blocks: int, host: int, size: int, stream: ContextStream) -> None:
    """A block of host memory that is a C struct: two 32-bit scalars share 8 bytes there."""
    _require(num_blocks, host, size)
    guard.require_device_work("launch kernels")
    request = function.request(stream.device, num_blocks)
    refused = request.launch_struct(stream.native, host, size)
    if refused is Refusal.unreadable:
        raise InvalidArgument(f"the arguments of {function.name}: {addresses.unreadable(host, size)}")
    if refused is Refusal.too_short:
        signature = function.kernel.info.signature
        raise InvalidArgument(f"{size} bytes of arguments are given; {signature} reads {request.struct_bytes} of a C struct")
    if refused is not None:
        raise _refusal(refused, function, size, stream)


def with_addresses(
    function: Function, num_blocks: int, values: Sequence[int], attributes: Sequence[tuple[int, int]], stream: ContextStream
) -> None:
    """One host address for each parameter; the binary knows sizes and places."""
    if num_blocks == 0:
        raise Refused(NULL, "num_blocks is 0; it takes 1 to 65535")
    info = function.kernel.info
    block = bytearray(max(info.args_size, 1))
    for parameter, address in zip(info.parameters, values, strict=True):
        value = addresses.read(address, parameter.size, f"argument {parameter.name} of {info.name}")
        block[parameter.offset : parameter.offset + parameter.size] = value
    host = (ctypes.c_char * len(block)).from_buffer(block)
    refused = _request(function, num_blocks, attributes, stream).launch_block(stream.native, ctypes.addressof(host), len(block))
    if refused is not None:
        raise _refusal(refused, function, len(block), stream)


def _require(num_blocks: int, address: int, size: int) -> None:
    if address == 0:
        raise Refused(NULL, "the address of the arguments is 0 (NULL)")
    if size == 0:
        raise InvalidArgument("the arguments have 0 bytes")
    if num_blocks == 0:
        raise InvalidArgument("num_blocks is 0; it takes 1 to 65535")


def _request(
    function: Function, num_blocks: int, attributes: Sequence[tuple[int, int]], stream: ContextStream
) -> LaunchRequest | _Observed:
    guard.require_device_work("launch kernels")
    device = stream.device
    if not attributes:
        return function.request(device, num_blocks)
    parsed = Attributes.parse(attributes, device.chip, function.name)
    request = function.request(device, num_blocks, parsed.limit_ns)
    return _Observed(request, function, parsed, stream) if parsed.is_dumped or parsed.is_profiled else request


class _Observed:
    """A launch with the attribute DATA_DUMP or ENABLE_PROFILING, as the engine's request is used."""

    def __init__(self, request: LaunchRequest, function: Function, attributes: Attributes, stream: ContextStream) -> None:
        self._request, self._function, self._stream = request, function, stream
        self._is_profiled, self._is_dumped = attributes.is_profiled, attributes.is_dumped
        if self._is_dumped and (dumps.settings() is None or stream.graph is not None):
            self._is_dumped = False
            no_effect.say("launch attribute DATA_DUMP" + (" of a captured launch" if dumps.settings() else ""))

    def launch_list(self, stream: Any, arguments: Any) -> Refusal | None:
        with self._observe(arguments.block):
            return self._request.launch_list(stream, arguments)

    def launch_at(self, stream: Any, address: int, size: int) -> Refusal | None:
        with self._observe(lambda: read_in_task(address, size)):  # when the task runs, as the kernel does
            return self._request.launch_at(stream, address, size)

    def launch_block(self, stream: Any, host: int, size: int, placeholders: Sequence[tuple[int, int]] = ()) -> Refusal | None:
        block = addresses.copy_of(host, size) or b""
        with self._observe(lambda: block):
            return self._request.launch_block(stream, host, size, placeholders)

    @contextmanager
    def _observe(self, block: Callable[[], bytes]) -> Iterator[None]:
        info, device = self._function.kernel.info, self._stream.device
        with ExitStack() as around:
            if self._is_dumped:
                pieces = partial(_pieces, info.parameters, block, device)
                around.enter_context(dumps.around(info.name, pieces, self._stream))
            if self._is_profiled:
                around.enter_context(PROFILERS[-1]() if PROFILERS else nullcontext())
            yield


def _pieces(parameters: Sequence[Parameter], block: Callable[[], bytes], device: Device) -> list[dumps.Piece]:
    return dumps.of_arguments(parameters, block(), device)


def _refusal(refused: Refusal, function: Function, size: int, stream: ContextStream) -> Exception:
    info = function.kernel.info
    match refused:
        case Refusal.not_finalised:
            return InvalidArgument("the argument list is not complete; call kernel_args_finalize before the launch")
        case Refusal.updating:
            return InvalidArgument("the argument list was updated; call kernel_args_finalize again before the launch")
        case Refusal.empty:
            return InvalidArgument(f"the argument list is empty; {info.signature} takes {len(info.parameters)} parameters")
        case Refusal.too_short:
            return InvalidArgument(f"{size} bytes of arguments are given; {info.signature} reads {info.args_size}, each parameter at a "
                                   "multiple of 8")  # fmt: skip
        case Refusal.gone:
            return Refused(BAD_HANDLE, "the memory of the argument list, given to kernel_args_init_by_user_mem, is gone")
        case Refusal.no_memory:
            return OutOfMemory(f"{size} bytes of arguments with placeholders do not fit into device memory")
        case _:
            return stopped(stream.context)


def _log_much_data(function: Function, size: int) -> None:
    _log.warning("%s: %d bytes of placeholder data in one launch; above %d the copy is slow on hardware, a buffer of its own is better",
                 function.name, size, MANY_DATA_BYTES)  # fmt: skip
