# SPDX-License-Identifier: Apache-2.0
"""One function for each kind of fault: name it, give the value, say what is accepted, say what to do."""

from __future__ import annotations

from aclimb import engine, errors, knobs
from aclimb.flow import PIPES, FaultKind
from aclimb.report.facts import Facts, Words, kind
from aclimb.report.memory_sentences import address, span


@kind(FaultKind.buffer_overflow, errors.Misuse)
def _buffer_overflow(facts: Facts) -> Words:
    n, memory = facts.fault, facts.fault.memory
    lines = []
    for index, (label, _) in enumerate(facts.fault.sites):
        addr, size = map(int, label.split())
        place = facts.site(index)
        lines.append(f"{memory} {span(addr, size)} ({size} bytes)   {place.row() if place else ''}".rstrip())
    head = f"InitBuffer asks for {n.count} x {n.length} bytes of {memory}; {n.free} of {n.memory_bytes} are free"
    advice = "smaller tiles, or fewer buffers"
    if n.kept_for_printing:
        advice += f"; {n.kept_for_printing} more are there in a kernel without printf, DumpTensor and assert"
    return Words(head, lines, advice)


@kind(FaultKind.empty_buffer, errors.Misuse)
def _empty_buffer(facts: Facts) -> Words:
    n = facts.fault
    what = "0 buffers" if not n.count else "0 bytes"
    return Words(
        f"InitBuffer asks for {what}", advice="leave the buffer out, or check the size: it may come from tiling data that were not set"
    )


@kind(FaultKind.partial_block, errors.Misuse)
def _partial_block(facts: Facts) -> Words:
    given = facts.fault.value0
    moved = given // 32 * 32
    return Words(
        f"DataCopy of {given} bytes, which are no multiple of 32: hardware moves {moved} of them and leaves out {given - moved}",
        advice="DataCopyPad moves any number of bytes; or round the count up where source and destination have the room",
    )


@kind(FaultKind.unpadded_rows, errors.Misuse)
def _unpadded_rows(facts: Facts) -> Words:
    row = facts.fault.value0
    return Words(
        f"srcInnerPad of {facts.fault.text} is false; it takes true: rows are padded to whole blocks of 32 bytes, and here they have {row}",
        advice=f"pad each row to {-(-row // 32) * 32} bytes and pass true" if row % 32 else "pass true: these rows are whole blocks",
    )


@kind(FaultKind.too_many_buffers, errors.Misuse)
def _too_many_buffers(facts: Facts) -> Words:
    n = facts.fault
    return Words(
        f"InitBuffer asks for {n.count} more; {n.slots} of a core's 64 buffers are in use",
        advice="one larger TBuf, divided with GetWithOffset, takes one",
    )


@kind(FaultKind.no_such_memory, errors.Misuse)
def _no_such_memory(facts: Facts) -> Words:
    return Words(f"InitBuffer of {facts.fault.memory}, which an {facts.fault.core_type.name} does not have")


@kind(FaultKind.queue_no_free_buffer, errors.Hang)
def _no_free_buffer(facts: Facts) -> Words:
    queue = facts.receiver("AllocTensor", "the queue")
    return Words(f"AllocTensor finds none of {queue}'s {facts.fault.value0} buffers free and would wait for ever",
                 advice="FreeTensor the earlier ones first, or give InitBuffer more buffers")  # fmt: skip


@kind(FaultKind.queue_over_depth, errors.Misuse)
def _over_depth(facts: Facts) -> Words:
    depth, queue = facts.fault.value0, facts.receiver("EnQue", "the queue")
    return Words(f"EnQue of tensor {depth + 1} in {queue}, whose depth is {depth}", advice="DeQue before the next EnQue, or a deeper TQue")


@kind(FaultKind.queue_empty, errors.Hang)
def _queue_empty(facts: Facts) -> Words:
    return Words(
        f"DeQue of {facts.receiver('DeQue', 'a queue')}, which is empty, would wait for ever", advice="every DeQue needs an EnQue before it"
    )


@kind(FaultKind.event_ids_used_up, errors.Misuse)
def _event_ids(facts: Facts) -> Words:
    n = facts.fault
    return Words(f"all {n.value2} event ids of {PIPES[n.value0]}_{PIPES[n.value1]} are in use",
                 advice="release ids, or keep fewer tensors in flight: at most 8 of one position")  # fmt: skip


@kind(FaultKind.two_pipes, errors.Misuse)
def _two_pipes(facts: Facts) -> Words:
    return Words("a second TPipe while the first is alive", advice="one TPipe for each kernel; Destroy() the first")


@kind(FaultKind.no_pipe, errors.Misuse)
def _no_pipe(facts: Facts) -> Words:
    call = facts.fault.text
    if call in ("AllocTensor", "EnQue", "DeQue", "FreeTensor"):
        advice = "call Destroy when the queues have done their work; a TBuf may be used behind it"
        return Words(f"{call} of {facts.receiver(call, 'a queue')} after TPipe::Destroy", advice=advice)
    return Words("a queue or buffer without a TPipe", advice="declare a TPipe before InitBuffer")


@kind(FaultKind.buffer_not_initialised, errors.Misuse)
def _not_initialised(facts: Facts) -> Words:
    what = facts.receiver("Get", "") or facts.receiver("AllocTensor", "a queue or TBuf")
    return Words(f"{what} is used before its InitBuffer", advice="call pipe.InitBuffer for it first")


@kind(FaultKind.double_free, errors.UseAfterFree)
def _double_free(facts: Facts) -> Words:
    call = facts.fault.text or "FreeTensor"
    return Words(f"{call} of {facts.given(call, 'a tensor')}, which is free already",
                 advice="FreeTensor once for each AllocTensor or DeQue, and EnQue before it")  # fmt: skip


@kind(FaultKind.not_from_queue, errors.Misuse)
def _not_from_queue(facts: Facts) -> Words:
    call = facts.fault.text or "FreeTensor"
    queue = facts.receiver(call, "a queue")
    return Words(
        f"{call} of {facts.given(call, 'a tensor')}, which does not belong to {queue}",
        advice="EnQue and FreeTensor take what AllocTensor or DeQue of the same queue gave",
    )


@kind(FaultKind.other_core, errors.Misuse)
def _other_core(facts: Facts) -> Words:
    here = facts.fault.core_type.name
    other, sort, qualifier = {"AIC": ("AIV", "vector", "__vector__"), "AIV": ("AIC", "cube", "__cube__")}[here]
    return Words(f"{facts.call} is work for a {sort} core ({other}), and this kernel has {here}s only",
                 advice=f"declare the cores it needs, {qualifier} or for both __mix__(1, 2), or KERNEL_TASK_TYPE_DEFAULT;"
                        f" what only one sort of them does stands behind `if ASCEND_IS_{other}`")  # fmt: skip


@kind(FaultKind.unsupported, errors.Unsupported)
def _unsupported(facts: Facts) -> Words:
    return Words(facts.fault.sentence or facts.fault.text)


@kind(FaultKind.warning, errors.Misuse)
def _warning(facts: Facts) -> Words:
    return Words(facts.fault.text)


@kind(FaultKind.queue_limit, errors.Hang)
def _queue_limit(facts: Facts) -> Words:
    return Words(
        "64 MiB of instructions stand behind a wait that nothing has satisfied", advice="a WaitFlag without its SetFlag inside a loop?"
    )


@kind(FaultKind.stack_overflow, errors.StackOverflow)
def _stack_overflow(facts: Facts) -> Words:
    return Words("the stack of the core is used up (192 KiB)", advice="the AI Core has no recursion, and large arrays belong into UB")


@kind(FaultKind.sampled_block_waits, errors.Unsupported)
def _sampled_block_waits(facts: Facts) -> Words:
    return Words(f"{facts.call} waits for other blocks, and a sampled run has one; profile it without --sampled")


@kind(FaultKind.trap, errors.KernelTrap)
def _trap(facts: Facts) -> Words:
    return Words("the kernel ran into an illegal instruction (a trap, or code that cannot be reached)")


@kind(FaultKind.arithmetic_trap, errors.KernelTrap)
def _arithmetic(facts: Facts) -> Words:
    return Words("integer division by zero, or of the smallest number by -1")


@kind(FaultKind.unknown_instruction, errors.KernelTrap)
def _unknown_instruction(facts: Facts) -> Words:
    return Words(f"instruction number {facts.fault.op} does not exist; this engine has 0 to {facts.fault.known - 1}",
                 advice="the record was written over, or the binary changed after it was built: build it again")  # fmt: skip


@kind(FaultKind.trap_call, errors.KernelTrap)
def _trap_call(facts: Facts) -> Words:
    return Words("Trap() was called")


@kind(FaultKind.assertion, errors.KernelTrap)
def _assert(facts: Facts) -> Words:
    return Words(f"assertion `{facts.fault.expression}` failed")


@kind(FaultKind.time_limit, errors.TimeLimit)
def _time_limit(facts: Facts) -> Words:
    if hasattr(facts.fault, "limit_us"):
        return Words(f"the task ran longer than {facts.fault.limit_us / 1e6:g} s, its time limit", advice="an endless loop?")
    return Words(f"the task ran longer than {engine.time_limit():g} s", advice=f"an endless loop? The limit is {knobs.timeout.variable}")


@kind(FaultKind.interrupted, errors.TimeLimit)
def _interrupted(facts: Facts) -> Words:
    return Words("the task was ended by Ctrl-C")


@kind(FaultKind.copy_refused, errors.DeviceError)
def _copy_refused(facts: Facts) -> Words:
    n = facts.fault
    where = f"{n.size} bytes at {address(n)}"
    if facts.fault.memory_of == "host":
        return Words(f"an asynchronous copy could not use its {facts.fault.side}: {where} are not all host memory that it may use",
                     advice="keep host memory until the stream is synchronised")  # fmt: skip
    return Words(f"an asynchronous copy found its {facts.fault.side} gone: {where} were freed while it waited",
                 advice="synchronise the stream before memory is freed")  # fmt: skip


@kind(FaultKind.args_freed, errors.DeviceError)
def _args_freed(facts: Facts) -> Words:
    n = facts.fault
    return Words(f"its {n.size} bytes of arguments at 0x{n.addr:x} were freed before it started",
                 advice="arguments in device memory have to stay until the kernel has ended")  # fmt: skip


@kind(FaultKind.operator_failed, errors.DeviceError)
def _operator_failed(facts: Facts) -> Words:
    return Words(f"{facts.fault.call}: {facts.fault.sentence}")


@kind(FaultKind.event_wait_timeout, errors.DeviceError)
def _event_wait_timeout(facts: Facts) -> Words:
    return Words(f"the stream waited longer than {facts.fault.limit_ms} ms for an event, and went on without it")
