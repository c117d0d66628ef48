# SPDX-License-Identifier: Apache-2.0
"""acl.rt: devices and contexts."""

from __future__ import annotations

from aclimb import chips, engine
from aclimb.calls import recent
from aclimb.errors import InvalidArgument, Refused
from aclimb.flow import Waited
from aclimb.runtime import context as contexts
from aclimb.runtime.context import CONTEXTS, Context
from aclimb.runtime.failures import settle

TABLE = """
set_device                          i device                            ->                         aclrtSetDevice
reset_device                        i device                            ->                         aclrtResetDevice
reset_device_force                  i device                            ->                         aclrtResetDeviceForce
get_device                                                              -> device                  aclrtGetDevice
get_device_count                                                        -> count                   aclrtGetDeviceCount
get_run_mode                                                            -> mode                    aclrtGetRunMode
synchronize_device                                                      ->                         aclrtSynchronizeDevice
synchronize_device_with_timeout     i timeout_ms                        ->                         aclrtSynchronizeDeviceWithTimeout
get_device_info                     I device, I attribute               -> value                   aclrtGetDeviceInfo
device_get_stream_priority_range                                        -> least, greatest         aclrtDeviceGetStreamPriorityRange
query_device_status                 i device                            -> status                  aclrtQueryDeviceStatus
device_task_abort                   i device, I timeout_ms              ->                         aclrtDeviceTaskAbort
device_can_access_peer              i device, i peer                    -> can                     aclrtDeviceCanAccessPeer
set_device_res_limit                i device, i kind, I value           ->                         aclrtSetDeviceResLimit
get_device_res_limit                i device, i kind                    -> value                   aclrtGetDeviceResLimit
reset_device_res_limit              i device                            ->                         aclrtResetDeviceResLimit
get_res_in_current_thread           i kind                              -> value                   aclrtGetResInCurrentThread
create_context                      i device                            -> context                 aclrtCreateContext
destroy_context                     k context                           ->                         aclrtDestroyContext
set_context                         k context                           ->                         aclrtSetCurrentContext
get_context                                                             -> context                 aclrtGetCurrentContext
ctx_get_current_default_stream                                          -> stream                  aclrtCtxGetCurrentDefaultStream
get_primary_ctx_state               i device                            -> active, flags           aclrtGetPrimaryCtxState
set_op_execute_time_out             I seconds                           ->                         aclrtSetOpExecuteTimeOut
set_op_execute_timeout_v2           k microseconds                      -> microseconds            aclrtSetOpExecuteTimeOutV2
get_op_timeout_interval                                                 -> microseconds            aclrtGetOpTimeOutInterval
get_op_execute_timeout                                                  -> milliseconds            aclrtGetOpExecuteTimeout
peek_at_last_error                  i level                             => code                    aclrtPeekAtLastError
get_last_error                      i level                             => code                    aclrtGetLastError
"""

WITHOUT_EFFECT = """
device_enable_peer_access           i peer, I flags                     ->                         aclrtDeviceEnablePeerAccess
device_disable_peer_access          i peer                              ->                         aclrtDeviceDisablePeerAccess
"""

UNSUPPORTED = {
    "utilisation cannot be measured on a modelled chip": """
get_device_utilization_rate         i device                            -> rate                    aclrtGetDeviceUtilizationRate
""",
}

ACL_HOST = 1
PARAM_INVALID, DEVICE_SYNC_TIMEOUT = 107000, 507046
CUBE_CORES, VECTOR_CORES = 0, 1


def set_device(device: int) -> None:
    """Makes the device's default context current; each one needs a reset_device."""
    engine.require_own_process()
    contexts.retain_primary(device)


def reset_device(device: int) -> None:
    """Waits for the device's work; the last one ends the default context."""
    contexts.release_primary(device, wait=True)


def reset_device_force(device: int) -> None:
    """Ends the default context at once, with what it runs."""
    contexts.release_primary(device, wait=False)


def get_device() -> int:
    return contexts.current().user_id


def get_device_count() -> int:
    return len(contexts.device_ids())


def get_run_mode() -> int:
    """1: the program runs on a host, and device memory is not its own."""
    return ACL_HOST


def synchronize_device() -> None:
    """Waits for every stream of the current device."""
    _synchronize(0)


def synchronize_device_with_timeout(timeout_ms: int) -> None:
    _synchronize(nanoseconds(timeout_ms))


def _synchronize(at_most_ns: int) -> None:
    device = contexts.current().device
    streams = [stream for context in list(CONTEXTS.values()) if context.device is device for stream in context.all_streams()]
    for stream in streams:
        if stream.native.wait(at_most_ns) is Waited.timed_out:
            raise Refused(DEVICE_SYNC_TIMEOUT, f"the device was not done within {at_most_ns / 1e6:g} ms; its work goes on")
    settle(streams)


def nanoseconds(timeout_ms: int) -> int:
    """Of a timeout: -1 is for ever, which the engine calls 0."""
    if timeout_ms == 0 or timeout_ms < -1:
        raise InvalidArgument(f"timeout is {timeout_ms} ms; it takes -1 (for ever), or 1 and more")
    return 0 if timeout_ms == -1 else timeout_ms * 1_000_000


def get_device_info(device: int, attribute: int) -> int:
    """Core counts, UB, memory and architecture of the modelled chip."""
    found = contexts.device_of(device)
    chip = found.chip
    values = {1: 0, 101: chip.aic_cores, 102: chip.aic_cores, 201: chip.aiv_cores, 204: chip.arch.memory["UB"],
              301: found.memory_total, 302: chip.l2_size, 601: 2201}  # fmt: skip
    if attribute not in values:
        raise InvalidArgument(f"device attribute {attribute} is not known; there are {', '.join(map(str, values))}")
    return values[attribute] & 0xFFFFFFFF  # the real binding cuts it, too


def device_get_stream_priority_range() -> tuple[int, int]:
    return 7, 0


def query_device_status(device: int) -> int:
    """0: the device is there and works."""
    contexts.device_of(device)
    return 0


def device_task_abort(device: int, timeout_ms: int) -> None:
    """Ends what runs on the device and drops what waits."""
    found = contexts.device_of(device)
    streams = [stream for context in list(CONTEXTS.values()) if context.device is found for stream in context.all_streams()]
    for stream in streams:
        stream.native.abort()
    for stream in streams:
        stream.native.wait(timeout_ms * 1_000_000)


def device_can_access_peer(device: int, peer: int) -> int:
    """1 for two different devices: every device address can be copied from and to."""
    contexts.device_of(device)
    contexts.device_of(peer)
    return int(device != peer)


def device_enable_peer_access(peer: int, flags: int) -> None:
    contexts.device_of(peer)


def device_disable_peer_access(peer: int) -> None:
    contexts.device_of(peer)


# --- core counts for operator libraries; a launch does not look at them


def cores_of(chip: chips.Chip, kind: int) -> int:
    if kind not in (CUBE_CORES, VECTOR_CORES):
        raise InvalidArgument(f"resource type is {kind}; it takes 0 (cube cores) or 1 (vector cores)")
    return chip.aic_cores if kind == CUBE_CORES else chip.aiv_cores


def set_device_res_limit(device: int, kind: int, value: int) -> None:
    """How many cores an operator library shall use."""
    found = contexts.device_of(device)
    most = cores_of(found.chip, kind)
    if not 1 <= value <= most:
        raise InvalidArgument(f"the limit is {value} cores; it takes 1 to {most}")
    found.limits[kind] = value


def get_device_res_limit(device: int, kind: int) -> int:
    found = contexts.device_of(device)
    return found.limits.get(kind, cores_of(found.chip, kind))


def reset_device_res_limit(device: int) -> None:
    contexts.device_of(device).limits.clear()


def get_res_in_current_thread(kind: int) -> int:
    """The stream's limit if one is in use, else the device's, else what the chip has."""
    context = contexts.current()
    stream = contexts.stream_in_use()
    if stream is not None and kind in stream.limits:
        return stream.limits[kind]
    return get_device_res_limit(context.user_id, kind)


# --- contexts


def create_context(device: int) -> int:
    """Also makes it current for this thread."""
    engine.require_own_process()
    context = Context(contexts.device_of(device), device)
    contexts.make_current(context)
    return context.number


def destroy_context(context: int) -> None:
    """For contexts made with create_context; their streams and events end, after their work."""
    found = CONTEXTS[context]
    if found.references:
        raise InvalidArgument("this is the default context of a device; reset_device ends it")
    found.end()


def set_context(context: int) -> None:
    if context and context not in CONTEXTS:
        raise InvalidArgument(f"0x{context:x} is not a context that is alive")
    contexts.make_current(CONTEXTS[context])


def get_context() -> int:
    return contexts.current().number


def ctx_get_current_default_stream() -> int:
    return contexts.current().default_number


def get_primary_ctx_state(device: int) -> tuple[int, int]:
    """Whether the default context of a device exists."""
    return int(contexts.primary(device) is not None), 0


# --- how long a kernel may run

_INTERVAL_US = 1


def set_op_execute_time_out(seconds: int) -> None:
    """The time limit of every launch that has none of its own; 0: none."""
    engine.set_time_limit(seconds or 1e9)


def set_op_execute_timeout_v2(microseconds: int) -> int:
    """As set_op_execute_time_out, in microseconds; gives what took effect."""
    engine.set_time_limit(microseconds / 1e6 or 1e9)
    return microseconds


def get_op_timeout_interval() -> int:
    return _INTERVAL_US


def get_op_execute_timeout() -> int:
    return round(engine.time_limit() * 1000)


def peek_at_last_error(level: int) -> int:
    """The last code of this thread."""
    return recent.code(clear=False)


def get_last_error(level: int) -> int:
    """The last code of this thread, which is 0 afterwards."""
    return recent.code(clear=True)
