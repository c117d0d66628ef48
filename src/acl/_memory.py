# SPDX-License-Identifier: Apache-2.0
"""acl.rt: memory."""

from __future__ import annotations

from typing import Any

from aclimb.errors import InvalidArgument, Refused
from aclimb.runtime import addresses, memory
from aclimb.runtime.context import current
from aclimb.runtime.device import opened
from aclimb.runtime.failures import queue_on
from aclimb.runtime.handles import NULL

TABLE = """
malloc                              k size, i policy                    -> ptr                     aclrtMalloc
malloc_align32                      k size, i policy                    -> ptr                     aclrtMallocAlign32
malloc_cached                       k size, i policy                    -> ptr                     aclrtMallocCached
malloc_with_cfg                     k size, i policy, o config          -> ptr                     aclrtMallocWithCfg
free                                k ptr                               ->                         aclrtFree
malloc_host                         k size                              -> ptr                     aclrtMallocHost
free_host                           k ptr                               ->                         aclrtFreeHost
memcpy                              k dst, k dst_max, k src, k count, i kind  ->                   aclrtMemcpy
memcpy_async                        k dst, k dst_max, k src, k count, i kind, k stream  ->         aclrtMemcpyAsync
memset                              k ptr, k max_count, i value, k count  ->                       aclrtMemset
memset_async                        k ptr, k max_count, i value, k count, k stream  ->             aclrtMemsetAsync
memcpy2d                            k dst, k dpitch, k src, k spitch, k width, k height, i kind  ->  aclrtMemcpy2d
memcpy2d_async                      k dst, k dpitch, k src, k spitch, k width, k height, i kind, k stream  ->  aclrtMemcpy2dAsync
get_mem_info                        i attribute                         -> free, total             aclrtGetMemInfo
host_register                       k ptr, k size, i kind               -> ptr                     aclrtHostRegister
host_unregister                     k ptr                               ->                         aclrtHostUnregister
pointer_get_attributes              k ptr                               -> attributes              aclrtPointerGetAttributes
"""

WITHOUT_EFFECT = """
mem_flush                           k ptr, k size                       ->                         aclrtMemFlush
mem_invalidate                      k ptr, k size                       ->                         aclrtMemInvalidate
cmo_async                           k ptr, k size, i kind, k stream     ->                         aclrtCmoAsync
"""

UNSUPPORTED = {
    "reductions and value tasks in a stream are not modelled; use a kernel": """
reduce_async                        k dst                               ->                         aclrtReduceAsync
value_write                         k ptr                               ->                         aclrtValueWrite
value_wait                          k ptr                               ->                         aclrtValueWait
""",
}

_MEM_ATTRIBUTES = range(18)
HOST, DEVICE = 0, 1


def malloc(size: int, policy: int) -> int:
    """Device memory, page aligned. Policies are accepted; huge pages are used from 1 MiB on."""
    return memory.allocate(current().device, size, pad=True)


def malloc_align32(size: int, policy: int) -> int:
    """As malloc, without the 32 extra bytes behind."""
    return memory.allocate(current().device, size, pad=False)


def malloc_cached(size: int, policy: int) -> int:
    return memory.allocate(current().device, size, pad=True)


def malloc_with_cfg(size: int, policy: int, config: Any) -> int:
    """The configuration is accepted and not looked at."""
    return memory.allocate(current().device, size, pad=True)


def free(ptr: int) -> None:
    """Does not wait for tasks that use it."""
    memory.release(opened(), ptr)


def malloc_host(size: int) -> int:
    """Host memory that asynchronous copies can use."""
    return memory.allocate_host(size)


def free_host(ptr: int) -> None:
    """Copies that are queued keep it until they are done."""
    memory.release_host(ptr)


def memcpy(dst: int, dst_max: int, src: int, count: int, kind: int) -> None:
    """Does not wait for any stream."""
    memory.copy(dst, dst_max, src, count, kind)


def memcpy_async(dst: int, dst_max: int, src: int, count: int, kind: int, stream: int) -> None:
    """In stream order; with pageable host memory it is done when the call returns."""
    memory.copy(dst, dst_max, src, count, kind, queue_on(stream))


def memset(ptr: int, max_count: int, value: int, count: int) -> None:
    memory.fill(ptr, max_count, value, count)


def memset_async(ptr: int, max_count: int, value: int, count: int, stream: int) -> None:
    memory.fill(ptr, max_count, value, count, queue_on(stream))


def memcpy2d(dst: int, dpitch: int, src: int, spitch: int, width: int, height: int, kind: int) -> None:
    memory.copy_2d(dst, dpitch, src, spitch, width, height, kind)


def memcpy2d_async(dst: int, dpitch: int, src: int, spitch: int, width: int, height: int, kind: int, stream: int) -> None:
    memory.copy_2d(dst, dpitch, src, spitch, width, height, kind, queue_on(stream))


def get_mem_info(attribute: int) -> tuple[int, int]:
    """Free and total bytes of the current device; there is one kind of memory."""
    device = current().device
    if attribute not in _MEM_ATTRIBUTES:
        raise InvalidArgument(f"memory attribute is {attribute}; it takes 0 to {_MEM_ATTRIBUTES[-1]}")
    return device.memory_total - device.memory_used, device.memory_total


def host_register(ptr: int, size: int, kind: int) -> int:
    """From now on asynchronous copies can use that host memory; its device address is its own."""
    if ptr == 0 or size == 0:
        raise Refused(NULL, f"{size} bytes at 0x{ptr:x} cannot be registered")
    addresses.require_host(ptr, size, "the memory to register")
    memory.register_host(ptr, size)
    return ptr


def host_unregister(ptr: int) -> None:
    memory.unregister_host(ptr)


def pointer_get_attributes(ptr: int) -> dict[str, Any]:
    """Where an address lies: location type 1 is a device, 0 the host."""
    for device in opened():
        if device.native.contains(ptr):
            return {"location": {"id": device.index, "type": DEVICE}, "page_size": 4096, "rsv": []}
    return {"location": {"id": 0, "type": HOST}, "page_size": 4096, "rsv": []}


def mem_flush(ptr: int, size: int) -> None:
    """Host and device see the same memory: there is nothing to flush."""


def mem_invalidate(ptr: int, size: int) -> None:
    """Host and device see the same memory: there is nothing to invalidate."""


def cmo_async(ptr: int, size: int, kind: int, stream: int) -> None:
    """A hint for the L2 cache."""
    queue_on(stream)
