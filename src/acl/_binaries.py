# SPDX-License-Identifier: Apache-2.0
"""acl.rt: operator binaries and their functions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from aclimb.binary import KernelBinary
from aclimb.errors import InvalidArgument, Refused
from aclimb.runtime import addresses
from aclimb.runtime.context import current
from aclimb.runtime.handles import NULL, Handles
from aclimb.runtime.loader import BINARIES, FUNCTIONS, LoadedBinary, LoadOptions

TABLE = """
binary_load_from_file               s path, l options                   -> binary                  aclrtBinaryLoadFromFile
binary_load_from_data               k data, k length, l options         -> binary                  aclrtBinaryLoadFromData
create_binary                       k data, k length                    => object                  aclrtCreateBinary
destroy_binary                      k object                            ->                         aclrtDestroyBinary
binary_load                         k object                            -> binary                  aclrtBinaryLoad
binary_unload                       k binary                            ->                         aclrtBinaryUnLoad
binary_get_function                 k binary, s name                    -> function                aclrtBinaryGetFunction
get_function_addr                   k function                          -> aic, aiv                aclrtGetFunctionAddr
get_function_name                   k function, I max_len               -> name:s                  aclrtGetFunctionName
"""

UNSUPPORTED = {
    "aclimb runs AI Core kernels only, not AI CPU functions": """
register_cpu_func                   k binary                            -> function                aclrtRegisterCpuFunc
""",
}

MAX_NAME_LEN = 1024


@dataclass(frozen=True)
class OldBinary:
    """The old style: data that stays the caller's until destroy_binary."""

    data: int
    length: int


OLD_BINARIES: Handles[OldBinary] = Handles("binary object")


def pairs(path: str, items: list[Any], first: str, second: str) -> list[tuple[int, int]]:
    """A list of dicts as the real binding reads it: what is missing, or no integer, counts as 0."""
    found = []
    for item in items:
        if not isinstance(item, dict):
            raise TypeError(f"{path} args parse failed")
        values = (item.get(first, 0), item.get(second, 0))
        found.append(tuple(value & 0xFFFFFFFF if isinstance(value, int) else 0 for value in values))
    return found  # type: ignore[return-value]


def binary_load_from_file(path: str, options: list[Any]) -> int:
    """A file of `aclimb build`. Options are {"type": ..., "value": ...}."""
    parsed = LoadOptions.parse(pairs("acl.rt.binary_load_from_file", options, "type", "value"), from_file=True)
    return LoadedBinary(KernelBinary.read(path), parsed).number


def binary_load_from_data(data: int, length: int, options: list[Any]) -> int:
    """The data may be freed at once."""
    _require_data(data, length)
    parsed = LoadOptions.parse(pairs("acl.rt.binary_load_from_data", options, "type", "value"), from_file=False)
    return LoadedBinary(KernelBinary.read(addresses.read(data, length, _WHAT)), parsed).number


_WHAT = "the operator binary"


def _require_data(data: int, length: int) -> None:
    if data == 0 or length == 0:
        raise Refused(NULL, f"{length} bytes at 0x{data:x} are no operator binary; give the address and size of one")


def create_binary(data: int, length: int) -> int:
    """Old style: the data has to stay until destroy_binary."""
    _require_data(data, length)
    addresses.require_host(data, length, _WHAT)
    return OLD_BINARIES.add(OldBinary(data, length))


def destroy_binary(object: int) -> None:
    OLD_BINARIES.end(object)


def binary_load(object: int) -> int:
    old = OLD_BINARIES[object]
    current()
    return LoadedBinary(KernelBinary.read(addresses.read(old.data, old.length, _WHAT)), LoadOptions()).number


def binary_unload(binary: int) -> None:
    """Kernels that are queued or run still finish."""
    BINARIES[binary].unload()


def binary_get_function(binary: int, name: str) -> int:
    """By exact name, or name_<tiling key>. The same handle every time."""
    return BINARIES[binary].function(name, current().device).number


def get_function_addr(function: int) -> tuple[int, int]:
    """Where the code for AIC and AIV lies; 0 for none."""
    return FUNCTIONS[function].addresses


def get_function_name(function: int, max_len: int) -> str:
    if max_len >= MAX_NAME_LEN:
        raise ValueError(f"max_len is {max_len}; it takes less than {MAX_NAME_LEN}")
    name = FUNCTIONS[function].name
    if max_len < len(name) + 1:
        raise InvalidArgument(f"max_len is {max_len}; {name} needs {len(name) + 1}")
    return name
