# SPDX-License-Identifier: Apache-2.0
"""Argument lists as acl builds them: one for each thread in our memory, any number in the user's. The bytes are the engine's."""

from __future__ import annotations

import threading

from aclimb import _engine
from aclimb.errors import InvalidArgument, Refused
from aclimb.runtime import addresses
from aclimb.runtime.handles import BAD_HANDLE, Handles

ArgsStatus = _engine.ArgsStatus
WRONG_STATE = 207000
MAX_PARAMETERS = _engine.MAX_PARAMETERS
HANDLE_BYTES = 64 + 32 * MAX_PARAMETERS  # what a user gives us for a list; we only use its address as the handle
MANY_DATA_BYTES = 2048  # above this the hardware's copy of arguments gets slow, says its documentation

ARGS: Handles[ArgsList] = Handles("argument list")
USER_LISTS: dict[int, ArgsList] = {}  # by the address of the memory that is their handle
_thread = threading.local()


def mem_size(user_size: int) -> int:
    """Bytes to allocate for a list whose parameters and placeholder data need `user_size`: room for alignment on top."""
    return user_size + 8 * 8 + 8 * MAX_PARAMETERS


class ArgsList:
    """The engine's list, with words for what it refuses. It is for one function, whose handle it keeps."""

    def __init__(self, function: int = 0) -> None:
        self.native = _engine.ArgsList()
        self.function = function
        self.has_much_data = False

    def append(self, value: int, size: int) -> int:
        parameter = self.native.append(value, size)
        if isinstance(parameter, ArgsStatus):
            raise self._refusal(parameter, f"a parameter of {size} bytes", value=value, size=size)
        return parameter

    def append_placeholder(self) -> int:
        parameter = self.native.append_placeholder()
        if isinstance(parameter, ArgsStatus):
            raise self._refusal(parameter, "a placeholder of 8 bytes")
        return parameter

    def placeholder_buffer(self, parameter: int, size: int) -> int:
        host = self.native.placeholder_buffer(parameter, size)
        if isinstance(host, ArgsStatus):
            raise self._refusal(host, f"a placeholder's buffer of {size} bytes", parameter)
        self.has_much_data = self.native.data_bytes > MANY_DATA_BYTES
        return host

    def update(self, parameter: int, value: int, size: int) -> None:
        status = self.native.update(parameter, value, size)
        if status is not ArgsStatus.ok:
            raise self._refusal(status, f"a value of {size} bytes", parameter, value, size)

    def _refusal(self, status: ArgsStatus, what: str, parameter: int = 0, value: int = 0, size: int = 0) -> Exception:
        native = self.native
        match status:
            case ArgsStatus.too_many:
                return InvalidArgument(f"the argument list has {native.most} parameters, and that is the limit; pack several into a struct")
            case ArgsStatus.no_room:
                return InvalidArgument(f"{what} does not fit: the list has {native.size} of {native.capacity} bytes in use; "
                                       "give less, or more memory to kernel_args_init_by_user_mem")  # fmt: skip
            case ArgsStatus.has_data:
                return Refused(WRONG_STATE, f"{what} cannot be appended: placeholder buffers stand behind all parameters, and one was "
                                            "taken already; append everything first")  # fmt: skip
            case ArgsStatus.finalised:
                return Refused(WRONG_STATE, f"{what} cannot be added: kernel_args_finalize closed the list; kernel_args_init begins anew")
            case ArgsStatus.stale:
                return Refused(BAD_HANDLE, f"0x{parameter:x} is not a parameter of this argument list, or one from before its last init")
            case ArgsStatus.not_placeholder:
                return InvalidArgument(f"parameter 0x{parameter:x} is a value, not a placeholder; it has no buffer")
            case ArgsStatus.placeholder:
                return InvalidArgument(f"parameter 0x{parameter:x} is a placeholder: write into its buffer instead of updating it")
            case ArgsStatus.unreadable:
                why = addresses.unreadable(value, size)
                if why.endswith("host memory"):
                    why += " that holds the value (for a device address: the address of a variable with that address)"
                return InvalidArgument(f"{what} cannot be read: {why}")
            case ArgsStatus.gone:
                return Refused(BAD_HANDLE, "the memory of this argument list, given to kernel_args_init_by_user_mem, is gone or cannot be "
                                           "written")  # fmt: skip
            case _:
                appended = native.size_of(parameter)
                return InvalidArgument(f"{what} cannot replace one of {appended}; give {appended} bytes")


class _Holder:
    """Ends the list of a thread when the thread ends."""

    def __init__(self) -> None:
        self.args = ArgsList()
        self.number = ARGS.add(self.args)

    def __del__(self) -> None:
        ARGS.pop(self.number, None)


def init_for_thread(function: int) -> int:
    """Empties the one list of this thread whose memory is ours, for that function; gives its handle."""
    holder: _Holder | None = getattr(_thread, "holder", None)
    if holder is None:
        holder = _thread.holder = _Holder()
    holder.args.native.init()
    holder.args.function = function
    holder.args.has_much_data = False
    return holder.number


def init_in_user_memory(function: int, handle: int, buffer: int, size: int) -> None:
    """A list for that function whose handle is an address of the user."""
    addresses.require_host(handle, 8, "the argument list")
    addresses.require_host(buffer, size, "the memory of the argument list")
    found = ArgsList(function)
    if not found.native.init_in(handle, buffer, size, MAX_PARAMETERS):
        raise InvalidArgument(f"0x{handle:x} cannot be written; give memory of your own for the argument list")
    USER_LISTS[handle] = found


def list_of(number: int) -> ArgsList:
    """The list of that handle."""
    found = ARGS.get(number)
    if found is not None:
        return found
    in_user_memory = USER_LISTS.get(number)
    if in_user_memory is not None and in_user_memory.native.alive:
        return in_user_memory
    USER_LISTS.pop(number, None)  # that memory serves another purpose now
    return ARGS[number]
