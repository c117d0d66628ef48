# SPDX-License-Identifier: Apache-2.0
"""The C API: the calls of the runtime and of aclop under their C names, in C's parameter order, None for NULL.

What C gives back through pointers comes before the code: `function, ret = aclrtBinaryGetFunctionByEntry(binary, 7)`.
Handles and addresses are those of `acl`. Calls that pyACL has too are taken from there; those that only C has are written here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from aclimb import calls, run
from aclimb.errors import InvalidArgument, Refused
from aclimb.flow import KernelType, Waited
from aclimb.op.single import aclop
from aclimb.runtime import launches, memory, models, reports
from aclimb.runtime.context import EVENTS, current, stream_of
from aclimb.runtime.device import opened
from aclimb.runtime.failures import INFOS, queue_on, settle
from aclimb.runtime.handles import NULL
from aclimb.runtime.loader import BINARIES, FUNCTIONS

TABLE = """
aclrtLaunchKernelV2                   p function, I num_blocks, p args, k size, o config, p stream      ->
aclrtLaunchKernelWithArgsArray        p function, I num_blocks, p stream, o config, o args              ->
aclrtBinaryGetFunctionByEntry         p binary, k entry                                                 -> function
aclrtBinaryGetDevAddress              p binary                                                          -> address, size
aclrtBinaryGetGlobal                  p binary, z name                                                  -> address, size
aclrtGetFunctionSize                  p function                                                        -> aic, aiv
aclrtGetFunctionAttribute             p function, i attribute                                           -> value
aclrtFunctionGetBinary                p function                                                        -> binary
aclrtBinarySetExceptionCallback       p binary, o callback, o data                                      ->
aclrtGetArgsFromExceptionInfo         p info                                                            -> address, size
aclrtGetFuncHandleFromExceptionInfo   p info                                                            -> function
aclrtLaunchHostFunc                   p stream, o callback, o data                                      ->
aclrtStreamWaitEventWithTimeout       p stream, p event, i timeout_ms                                   ->
aclrtGetHardwareSyncAddr                                                                                -> address
aclrtFreeWithDevSync                  p address                                                         ->
aclrtMemsetD32                        p address, k max_bytes, I value, k count                          ->
aclmdlRICaptureBegin                  p stream, i mode                                                  ->
aclmdlRICaptureEnd                    p stream                                                          -> model
aclmdlRICaptureGetInfo                p stream                                                          -> status, model
aclmdlRICaptureThreadExchangeMode     i mode                                                            -> mode
aclmdlRICaptureTaskGrpBegin           p stream                                                          ->
aclmdlRICaptureTaskGrpEnd             p stream                                                          -> group
aclmdlRICaptureTaskUpdateBegin        p stream, p group                                                 ->
aclmdlRICaptureTaskUpdateEnd          p stream                                                          ->
aclmdlRIExecute                       p model, i timeout_ms                                             ->
aclmdlRIExecuteAsync                  p model, p stream                                                 ->
aclmdlRIDestroy                       p model                                                           ->
aclopRegisterCompileFunc              z op_type, o selector                                             ->
aclopUnregisterCompileFunc            z op_type                                                         ->
aclopCreateKernel     z op_type, z kernel_id, z kernel_name, p data, i size, i engine, o deallocator    ->
aclopSetKernelArgs                    p desc, z kernel_id, I num_blocks, p args, I size                 ->
aclopSetKernelWorkspaceSizes          p desc, i count, p sizes                                          ->
aclopUpdateParams                     z op_type, i num_inputs, o inputs, i num_outputs, o outputs, p attr  ->
aclopInferShape       z op_type, i num_inputs, o in_descs, o inputs, i num_outputs, o out_descs, p attr  ->
aclopExecute          z op_type, i num_inputs, o in_descs, o inputs, i num_outputs, o out_descs, o outputs, p attr, p stream  ->
aclopExecuteV2        z op_type, i num_inputs, o in_descs, o inputs, i num_outputs, o out_descs, o outputs, p attr, p stream  ->
aclopCreateHandle                     z op_type, i num_inputs, o inputs, i num_outputs, o outputs, p attr  -> handle
aclopDestroyHandle                    p handle                                                          => None
aclopExecWithHandle                   p handle, i num_inputs, o inputs, i num_outputs, o outputs, p stream  ->
aclopSetMaxOpQueueNum                 k count                                                           ->
aclopCreateAttr                                                                                         => attr
aclopDestroyAttr                      p attr                                                            => None
aclopSetAttrBool                      p attr, z name, o value                                           ->
aclopSetAttrInt                       p attr, z name, o value                                           ->
aclopSetAttrFloat                     p attr, z name, o value                                           ->
aclopSetAttrString                    p attr, z name, z value                                           ->
aclopSetAttrDataType                  p attr, z name, i value                                           ->
aclopSetAttrListBool                  p attr, z name, i count, o values                                 ->
aclopSetAttrListInt                   p attr, z name, i count, o values                                 ->
aclopSetAttrListFloat                 p attr, z name, i count, o values                                 ->
aclopSetAttrListString                p attr, z name, i count, o values                                 ->
aclopSetAttrListDataType              p attr, z name, i count, o values                                 ->
aclopSetAttrListListInt               p attr, z name, i num_lists, o num_values, o values               ->
"""

UNSUPPORTED = {
    "SIMT kernels exist on Ascend 950 only, which is not modelled": """
aclrtLaunchSIMTKernelWithHostArgs     ->
aclrtLaunchSIMTKernelWithArgsArray    ->
""",
}

KERNEL_TYPE, KERNEL_RATIO, SCHED_MODE = 1, 2, 3
TYPE_CUBE, TYPE_VECTOR, TYPE_MIX = 1, 2, 3
SYMBOL_NOT_FOUND = 107042
SYNC_TIMEOUT = 507046


def _attributes(path: str, config: Any) -> list[tuple[int, int]]:
    """None, or a list of {"id": ..., "value": ...}."""
    if config is None:
        return []
    if not isinstance(config, list) or not all(isinstance(each, dict) for each in config):
        raise TypeError(f"aclimb.capi.{path} args parse failed")
    return [(each.get("id", 0), each.get("value", 0)) for each in config]


def aclrtLaunchKernelV2(function: int, num_blocks: int, args: int, size: int, config: Any, stream: int) -> None:
    """Arguments in device memory, with a configuration."""
    found = FUNCTIONS[function]
    launches.with_device_args(found, num_blocks, args, size, _attributes("aclrtLaunchKernelV2", config), stream_of(stream))


def aclrtLaunchKernelWithArgsArray(function: int, num_blocks: int, stream: int, config: Any, args: Any) -> None:
    """One host address for each parameter, whose size the binary knows."""
    found = FUNCTIONS[function]
    if args is None:
        raise Refused(NULL, "args is None (NULL)")
    if not isinstance(args, list) or not all(isinstance(each, int) for each in args):
        raise TypeError("aclimb.capi.aclrtLaunchKernelWithArgsArray args parse failed")
    info = found.kernel.info
    if len(args) != len(info.parameters) or 0 in args:
        raise InvalidArgument(f"{info.signature} takes {len(info.parameters)} arguments; {len(args)} addresses are given, none may be 0")
    launches.with_addresses(found, num_blocks, args, _attributes("aclrtLaunchKernelWithArgsArray", config), stream_of(stream))


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


def aclrtFunctionGetBinary(function: int) -> int:
    return FUNCTIONS[function].binary.number


def aclrtBinarySetExceptionCallback(binary: int, callback: Callable[[int, Any], Any] | None, data: Any) -> None:
    """callback(info, data) is called when a kernel of this binary failed; None clears it, the last one counts."""
    BINARIES[binary].on_exception = None if callback is None else (callback, data)


def aclrtGetArgsFromExceptionInfo(info: int) -> tuple[int, int]:
    """The argument block that the kernel was given, in device memory; for as long as the callback runs."""
    block = INFOS[info].args
    return (block.address, block.size) if block is not None else (0, 0)


def aclrtGetFuncHandleFromExceptionInfo(info: int) -> int:
    return INFOS[info].function


def aclrtLaunchHostFunc(stream: int, callback: Callable[[Any], Any], data: Any) -> None:
    """Runs callback(data) on a thread of aclimb; the stream waits for it."""
    if not callable(callback):
        raise Refused(NULL, "callback cannot be called")
    reports.launch_host_function(callback, data, queue_on(stream))


def aclrtStreamWaitEventWithTimeout(stream: int, event: int, timeout_ms: int) -> None:
    """As stream_wait_event; after the timeout (0: none) the stream goes on and its synchronise returns 107019."""
    if timeout_ms < 0:
        raise InvalidArgument(f"timeout is {timeout_ms} ms; it takes 0 (for ever) and more")
    queue_on(stream).native.await_event(EVENTS[event].native, timeout_ms * 1_000_000)


def aclrtGetHardwareSyncAddr() -> int:
    """For hidden arguments of old kernels. Ours have none, so the address is never looked at; it is not 0."""
    return current().number


def aclrtFreeWithDevSync(address: int) -> None:
    """Waits for the device, then frees."""
    current().device.native.wait_idle()
    memory.release(opened(), address)


def aclrtMemsetD32(address: int, max_bytes: int, value: int, count: int) -> None:
    """Sets `count` 32-bit words."""
    if address == 0:
        raise Refused(NULL, "address is None (NULL)")
    if count * 4 > max_bytes:
        raise InvalidArgument(f"{count} words are to be set in a memory of {max_bytes} bytes")
    memory.require_allocated(address, count * 4)  # before so many words are made
    words = np.full(count, value, np.uint32)
    memory.copy(address, max_bytes, words.ctypes.data, words.nbytes, memory.HOST_TO_DEVICE)


def aclmdlRICaptureBegin(stream: int, mode: int) -> None:
    """What is launched on the stream from now on is recorded, not run."""
    models.begin(queue_on(stream), mode)


def aclmdlRICaptureEnd(stream: int) -> int:
    return models.end(stream_of(stream))


def aclmdlRICaptureGetInfo(stream: int) -> tuple[int, int]:
    """Status 0: not captured, 1: being captured. The model has a handle from the end of the capture on, and is 0 before."""
    return models.info(stream_of(stream))


def aclmdlRICaptureThreadExchangeMode(mode: int) -> int:
    """Gives the mode that held before. aclimb allows the same calls in all modes."""
    return models.exchange_mode(mode)


def aclmdlRICaptureTaskGrpBegin(stream: int) -> None:
    models.group_begin(stream_of(stream))


def aclmdlRICaptureTaskGrpEnd(stream: int) -> int:
    return models.group_end(stream_of(stream))


def aclmdlRICaptureTaskUpdateBegin(stream: int, group: int) -> None:
    """What is launched on the stream from now on replaces the tasks of the group."""
    models.update_begin(queue_on(stream), group)


def aclmdlRICaptureTaskUpdateEnd(stream: int) -> None:
    """Other kinds, or another number, of tasks are refused, and the model stays as it was."""
    models.update_end(stream_of(stream))


def aclmdlRIExecute(model: int, timeout_ms: int) -> None:
    """Replays and waits; -1 for ever."""
    found = models.MODELS[model]
    stream = current().default_stream
    found.launch(stream)
    if stream.native.wait(max(timeout_ms, 0) * 1_000_000) is Waited.timed_out:
        raise Refused(SYNC_TIMEOUT, f"the model was not done within {timeout_ms} ms; it goes on")
    settle([stream])


def aclmdlRIExecuteAsync(model: int, stream: int) -> None:
    models.MODELS[model].launch(queue_on(stream))


def aclmdlRIDestroy(model: int) -> None:
    models.destroy(model)


ACL_GROUPS = ("_base", "_devices", "_streams", "_events", "_callbacks", "_memory", "_binaries", "_args", "_launches")


def _module() -> None:
    """The functions above become the wrappers that check arguments and answer with codes; beside them those of acl."""
    rows = {row.name: row for row in calls.rows_of(TABLE)}
    space = globals()
    for group in ACL_GROUPS:
        space.update(calls.in_c("aclimb.capi", run.our_acl()[f"acl.{group}"], but=rows))
    space.update(calls.bind("aclimb.capi", rows, vars(aclop) | space))
    for sentence, table in (UNSUPPORTED | aclop.UNSUPPORTED).items():
        space.update(calls.unsupported("aclimb.capi", calls.rows_of(table), sentence))


_module()
