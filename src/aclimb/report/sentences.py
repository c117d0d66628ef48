# SPDX-License-Identifier: Apache-2.0
"""One function for each kind of fault: name it, give the value, say what is accepted, say what to do."""

from __future__ import annotations

from aclimb import engine, errors, knobs
from aclimb.flow import PIPES, Fault, FaultKind
from aclimb.report.facts import Facts, Words, kind
from aclimb.runtime.addresses import place, place_of


def span(first: int, count: int) -> str:
    return f"bytes 0x{first:04x}-0x{first + count - 1:04x}"


@kind(FaultKind.out_of_bounds, errors.OutOfBounds)
def _out_of_bounds(facts: Facts) -> Words:
    n, memory = facts.fault, facts.fault.memory
    if memory == "GM" and n.tensor_bytes <= 1 < n.span:  # the headers leave one byte where none is left
        return Words(f"{facts.call} needs {n.span} bytes of {facts.operand()}, which begins behind the length given to SetGlobalBuffer",
                     advice="check the offset, or give SetGlobalBuffer a larger length")  # fmt: skip
    if memory == "GM":
        return Words(f"{facts.call} needs {n.span} bytes of {facts.operand()}, which was given {n.tensor_bytes} from there on",
                     advice="the length is the one of SetGlobalBuffer, less the offset")  # fmt: skip
    head = f"{facts.call} needs {memory} {span(n.addr, n.span)} of {facts.operand()}"
    if n.addr + n.span > n.memory_bytes:
        return Words(f"{head}, beyond the end of {memory} (0x{n.memory_bytes:x})")
    if not n.tensor_bytes:
        return Words(f"{head}, behind the end of its tensor", advice="make the buffer larger, or the offset smaller")
    return Words(f"{head}, which has {n.tensor_bytes} bytes", advice="make the buffer larger, or the count or repeat smaller")


@kind(FaultKind.gm_out_of_bounds, errors.OutOfBounds)
def _gm_out_of_bounds(facts: Facts) -> Words:
    n = facts.fault
    head = f"{facts.call} needs {n.span} bytes of {facts.operand()} at {_address(n)}"
    match facts.fault.memory_of:
        case "host":
            return Words(f"{head}, which is host memory", advice=_COPY_FIRST)
        case "other device":
            return Words(f"{head}, which is memory of another device", advice="copy it to the device of the stream, and give that address")
        case "window":
            return Words(f"{head}, {_distance(n, n.span)}", advice="check the offset; winSize of the context is the size of a window")
        case "nothing":
            what = "a pointer argument given as None is address 0" if n.addr == 0 else "is the argument an address of device memory?"
            return Words(f"{head}, where no memory lies", advice=what)
        case _:
            return Words(f"{head}, {_distance(n, n.span)}", _freed_there(n), "check the offset, the block count and the size of the buffer")


_COPY_FIRST = "copy the data to device memory first (acl.rt.memcpy, Buffer.from_array), and give the kernel that address"


def _address(n: Fault) -> str:
    return f"0x{n.addr & (2**64 - 1):x}"


@kind(FaultKind.freed_memory, errors.UseAfterFree)
def _freed_memory(facts: Facts) -> Words:
    n = facts.fault
    needs = f"{facts.call} needs {n.span} bytes of {facts.operand()} at" if hasattr(n, "operand") else f"{_does(facts)} address"
    return Words(f"{needs} {_address(n)}, in device memory that was freed", [_freed_piece(n)],
                 "free memory after the kernels that use it: synchronise the stream first")  # fmt: skip


def _freed_piece(n: Fault) -> str:
    allocated, freed = place(", allocated at", place_of(n.allocated_at)), place(", freed at", place_of(n.freed_at))
    return f"{n.freed_bytes} bytes at 0x{n.freed_addr:x}{allocated}{freed}"


def _freed_there(n: Fault) -> list[str]:
    """No argument leads to that piece, so more likely the offset is wrong than the free too early."""
    return [f"memory that was freed lay there: {_freed_piece(n)}"] if hasattr(n, "freed_addr") else []


def _distance(n: Fault, span: int) -> str:
    if not hasattr(n, "near_addr"):
        return "and there is no device memory allocated at all"
    begin, end = n.near_addr, n.near_addr + n.near_bytes
    buffer = f"the buffer of {n.near_bytes} bytes at 0x{begin:x}"
    if hasattr(n, "rank"):
        buffer = f"{n.window} of rank {n.rank}, which has {n.near_bytes} bytes"
    if n.addr < begin:
        return f"{begin - n.addr} bytes before {buffer}"
    if n.addr < end:
        return f"{n.addr + span - end} bytes beyond {buffer}"
    return f"{n.addr - end} bytes behind {buffer}" if n.addr > end else f"right behind {buffer}"


@kind(FaultKind.misaligned, errors.Misaligned)
def _misaligned(facts: Facts) -> Words:
    n = facts.fault
    if not hasattr(n, "alignment"):  # seen by the headers
        return Words(f"{facts.fault.text} is {n.value0}; it takes a multiple of {n.value1}")
    memory = facts.fault.memory
    return Words(f"{facts.operand()} starts at {memory} byte 0x{n.addr:x}; {facts.call} takes a multiple of {n.alignment} there",
                 advice="" if memory == "GM" else f"element offsets must keep the address on {n.alignment} bytes")  # fmt: skip


@kind(FaultKind.gather_offset, errors.Misaligned)
def _gather_offset(facts: Facts) -> Words:
    n = facts.fault
    base = f" with srcBaseAddr {n.addr}" if n.addr else ""
    return Words(f"offset {n.value} of element {n.count}{base} is not a multiple of {n.alignment}; {facts.call} would read something else",
                 advice="offsets are bytes: multiply an index by the size of what is gathered")  # fmt: skip


@kind(FaultKind.field_range, errors.Misuse)
def _field_range(facts: Facts) -> Words:
    n = facts.fault
    name = facts.fault.field or facts.fault.text
    value, low, high = (n.value, n.lowest, n.highest) if hasattr(n, "value") else (n.value0, n.value1, n.value2)
    return Words(f"{name} is {value}; it takes {low} to {high}", advice="the hardware would keep only the low bits of the field")


@kind(FaultKind.freed_tensor, errors.UseAfterFree)
def _freed(facts: Facts) -> Words:
    n = facts.fault
    head = f"{facts.call} uses {facts.operand()} (UB {span(n.first_byte, n.last_byte - n.first_byte + 1)}) after its FreeTensor"
    return Words(head, advice="free it after the last use, or AllocTensor/DeQue a new one")


@kind(FaultKind.flag_set_twice, errors.UnbalancedFlags)
def _set_twice(facts: Facts) -> Words:
    before = facts.site(0)
    lines = [f"set before  {before.row()}"] if before else []
    head = f"flag {facts.fault.flag} id {facts.fault.id} is set a second time before a WaitFlag took it"
    return Words(head, lines, "a flag is one bit: wait for it in between, or use another id")


@kind(FaultKind.flag_left, errors.UnbalancedFlags)
def _flag_left(facts: Facts) -> Words:
    flag, number = facts.fault.flag, facts.fault.id
    return Words(f"flag {flag} id {number} is still set when the kernel ends",
                 advice=f"WaitFlag<HardEvent::{flag}>({number}) before the end: on hardware it leaks into the next kernel")  # fmt: skip


@kind(FaultKind.hang, errors.Hang)
def _hang(facts: Facts) -> Words:
    lines: list[str] = []
    for (label, _), wait in zip(facts.fault.sites, facts.fault.waits, strict=False):
        source, destination, number = wait.split()
        place = facts.site(len(lines))
        lines.append(f"{label:<4} waits for {source}_{destination} id {number}   {place.row() if place else ''}".rstrip())
    flags = sorted({"_".join(wait.split()[:2]) for wait in facts.fault.waits})
    advice = "; ".join(_setters(facts, flag) for flag in flags)
    return Words(f"hang at {_hang_place(facts)}: nothing left can set what is waited for", lines, advice)


def _hang_place(facts: Facts) -> str:
    """What the user wrote there: PipeBarrier<PIPE_ALL> is also a part of SyncAll and of TPipe's end."""
    at = facts.fault.at
    api = facts.places.outermost_api(facts.fault.where)
    if at != "PipeBarrier<PIPE_ALL>" or api in ("", "PipeBarrier"):
        return at
    return {"~TPipe": "the end of TPipe", "Destroy": "TPipe::Destroy", "Reset": "TPipe::Reset"}.get(api, api)


def _setters(facts: Facts, flag: str) -> str:
    setters = facts.places.setters(facts.fault.core_type.name, flag)
    if not setters:
        return f"nothing in this kernel sets {flag}"
    return f"{flag} is set at {', '.join(place.short() for place in setters)}: with another id, or behind another wait"


@kind(FaultKind.hang_across_cores, errors.Hang)
def _hang_across(facts: Facts) -> Words:
    n = facts.fault
    head = f"hang: {n.waiting} of {n.cores} cores wait for another core, {n.ended} {'has' if n.ended == 1 else 'have'} ended"
    return Words(head, _waiting(facts), "every core must reach the same SyncAll, and every wait needs its set")


def _waiting(facts: Facts) -> list[str]:
    """The cores that stand still, a line each."""
    lines = []
    for index, (label, _) in enumerate(facts.fault.sites):
        place = facts.site(index)
        lines.append(f"{label}   {place.row() if place else ''}".rstrip())
    more = getattr(facts.fault, "waiting", 0) - len(lines)
    return [*lines, f"... and {more} more"] if more > 0 else lines


@kind(FaultKind.cross_core_not_armed, errors.Misuse)
def _not_armed(facts: Facts) -> Words:
    call, name = facts.fault.call, facts.fault.type
    mixed = "KERNEL_TYPE_MIX_AIV_1_0, __mix__(0,1)" if name == "AIV_ONLY" else "KERNEL_TYPE_MIX_AIC_1_0, __mix__(1,0)"
    return Words(f"{call} in a kernel declared {name}: its launch does not arm the synchronisation between cores",
                 advice=f"declare it {mixed}")  # fmt: skip


@kind(FaultKind.cross_flag_left, errors.UnbalancedFlags)
def _cross_left(facts: Facts) -> Words:
    n = facts.fault
    times = "once" if n.value == 1 else f"{n.value} times"
    return Words(
        f"cross-core flag {n.id} is still set, {times}, when the kernel ends",
        advice=f"CrossCoreWaitFlag({n.id}) on that core: on hardware it leaks into the next kernel",
    )


@kind(FaultKind.cross_flag_overflow, errors.Misuse)
def _cross_overflow(facts: Facts) -> Words:
    n = facts.fault
    return Words(
        f"cross-core flag {n.id} is set more than {n.limit} times without a wait, and no core is left that could take one",
        _waiting(facts),
        "CrossCoreWaitFlag it before it is set again",
    )


@kind(FaultKind.cross_flag_full, errors.Misuse)  # a warning
def _cross_full(facts: Facts) -> Words:
    n = facts.fault
    return Words(
        f"cross-core flag {n.id} stood at {n.limit}, its limit, when it was set again; here the set waits for the other core",
        advice="on hardware nothing waits: the kernel relies on the other core being fast enough. Let that one answer with a flag",
    )


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


@kind(FaultKind.queue_limit, errors.Hang)
def _queue_limit(facts: Facts) -> Words:
    return Words(
        "64 MiB of instructions stand behind a wait that nothing has satisfied", advice="a WaitFlag without its SetFlag inside a loop?"
    )


def _does(facts: Facts) -> str:
    """What came upon an address: an instruction, or the kernel's own code."""
    return f"{facts.call} reaches" if facts.fault.instruction else "access to"


@kind(FaultKind.address_fault, errors.AddressFault)
def _address_fault(facts: Facts) -> Words:
    n = facts.fault
    does = _does(facts)
    advice = "only device memory can be read or written by its address; for local memory use GetValue and SetValue"
    if not hasattr(n, "addr"):  # the CPU does not say
        return Words(f"{does} a non-canonical address, which no memory can have", advice=advice)
    address = f"address {_address(n)}"
    if hasattr(n, "non_canonical"):
        return Words(f"{does} {address}, which is non-canonical: no memory can have it", advice=advice)
    if hasattr(n, "own_code"):
        return Words(f"{does} {address}, which is the kernel's own code")
    near = f", {_distance(n, 1)}" if hasattr(n, "near_addr") and abs(n.addr - n.near_addr) < 2**30 else ""
    if 0 <= n.addr < 4096:
        advice = "a pointer argument given as None is address 0"
    return Words(f"{does} {address}, which is not device memory{near}", _freed_there(n), advice)


@kind(FaultKind.ranks_missing, errors.Misuse)
def _ranks_missing(facts: Facts) -> Words:
    n = facts.fault
    index = f", index={n.id}" if n.id else ""
    return Words(f"GetHcclContext<{n.id}> has no context: the device is no rank of a group",
                 advice=f"launch inside `with aclimb.ranks(count, window=...{index}) as group:`, on the streams of its ranks")  # fmt: skip


@kind(FaultKind.rank_hang, errors.Hang)
def _rank_hang(facts: Facts) -> Words:
    n = facts.fault
    what = f"{n.window} of rank {n.rank}, byte 0x{n.addr - n.near_addr:x}" if hasattr(n, "rank") else f"address {_address(n)}"
    return Words(f"the kernel reads {what} again and again, and for {n.limit_ms / 1000:g} s no rank has done anything else", n.waits,
                 "every wait needs a rank that writes what it waits for; timeout= of aclimb.ranks says how long it may take")  # fmt: skip


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
    where = f"{n.size} bytes at {_address(n)}"
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


@kind(FaultKind.event_wait_timeout, errors.DeviceError)
def _event_wait_timeout(facts: Facts) -> Words:
    return Words(f"the stream waited longer than {facts.fault.limit_ms} ms for an event, and went on without it")
