# SPDX-License-Identifier: Apache-2.0
"""Faults of memory: beyond the end, misaligned, freed, no memory at all."""

from __future__ import annotations

from aclimb import errors
from aclimb.flow import Fault, FaultKind
from aclimb.report.facts import Facts, Words, kind
from aclimb.runtime.addresses import place, place_of


def span(first: int, count: int) -> str:
    return f"bytes 0x{first:04x}-0x{first + count - 1:04x}"


def _limits(n: Fault, memory: str) -> list[str]:
    """All of them, whichever was broken: another one may be the next. In global memory the buffer's is the memory's."""
    tensor_bytes = 0 if memory == "GM" and n.tensor_bytes <= 1 < n.span else n.tensor_bytes  # the headers leave one where none is left
    there = [f"{tensor_bytes} bytes of the tensor"]
    there += [f"{max(n.buffer_bytes, 0)} of its buffer"] if hasattr(n, "buffer_bytes") else []
    there += [f"{max(n.memory_bytes - n.addr, 0)} of {memory}"] if memory != "GM" else []
    return [f"from there on: {', '.join(there)}"]


@kind(FaultKind.out_of_bounds, errors.OutOfBounds)
def _out_of_bounds(facts: Facts) -> Words:
    n, memory = facts.fault, facts.fault.memory
    words = _broken(facts)
    return Words(words.headline, [*words.lines, *_limits(n, memory)], words.advice)


def _broken(facts: Facts) -> Words:
    """The limit that was broken."""
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
    head = f"{facts.call} needs {n.span} bytes of {facts.operand()} at {address(n)}"
    match facts.fault.memory_of:
        case "host":
            return Words(f"{head}, which is host memory", advice=_COPY_FIRST)
        case "kernel":
            where = "among the tables of the kernel's own source"
            if getattr(n, "writes", False):
                return Words(f"{head}, {where}, which are only read", advice="give the kernel device memory for what it writes")
            return Words(f"{head}, which begins {where} and ends behind them", advice="check the offset and the count")
        case "other device":
            return Words(f"{head}, which is memory of another device", advice="copy it to the device of the stream, and give that address")
        case "window":
            return Words(f"{head}, {_distance(n, n.span)}", advice="check the offset; winSize of the context is the size of a window")
        case "nothing":
            what = "a pointer argument given as None is address 0" if n.addr == 0 else "is the argument an address of device memory?"
            return Words(f"{head}, where no memory lies", advice=what)
        case _:
            given = [f"from there on: {n.tensor_bytes} bytes of the tensor"] if getattr(n, "tensor_bytes", 0) > 1 else []
            lines, advice = [*given, *_freed_there(n)], "check the offset, the block count and the size of the buffer"
            return Words(f"{head}, {_distance(n, n.span)}", lines, advice)


@kind(FaultKind.block_past_end, errors.OutOfBounds)
def _block_past_end(facts: Facts) -> Words:
    n = facts.fault
    passed = f"{n.bytes} byte{'s' if n.bytes > 1 else ''}"
    return Words(
        f"{facts.call} reads {facts.operand()} in whole blocks, {passed} past the end of its buffer of {n.size}",
        advice=f"zeros here, and anything on a chip, where the buffer takes {n.limit}: right as long as the kernel does not use them; "
        "DataCopyPad reads what is there",
    )


_COPY_FIRST = "copy the data to device memory first (acl.rt.memcpy, Buffer.from_array), and give the kernel that address"


def address(n: Fault) -> str:
    return f"0x{n.addr & (2**64 - 1):x}"


@kind(FaultKind.freed_memory, errors.UseAfterFree)
def _freed_memory(facts: Facts) -> Words:
    n = facts.fault
    needs = f"{facts.call} needs {n.span} bytes of {facts.operand()} at" if hasattr(n, "operand") else f"{_does(facts)} address"
    return Words(f"{needs} {address(n)}, in device memory that was freed", [_freed_piece(n)],
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


@kind(FaultKind.scratch_too_small, errors.Misuse)
def _scratch_too_small(facts: Facts) -> Words:
    needed, there, is_free_ub = facts.fault.value0, facts.fault.value1, facts.fault.value2
    if is_free_ub:
        head = f"{facts.fault.text} needs {needed} bytes of UB that InitBuffer has not taken, and {there} are left"
        return Words(head, advice="give it a sharedTmpBuffer, or leave more of the UB free")
    head = f"the sharedTmpBuffer of {facts.fault.text} has {there} bytes, and the least it works with are {needed}"
    return Words(head, advice="the call's Get...MaxMinTmpSize on the host gives the sizes; is the shape it was asked for the kernel's?")


@kind(FaultKind.gather_overlap, errors.Misuse)
def _gather_overlap(facts: Facts) -> Words:
    n = facts.fault
    read = f"UB {span(n.first_byte, n.last_byte - n.first_byte + 1)} of {facts.operand()}"
    return Words(f"{facts.call} reads {read} (offset {n.value}, element {n.count}) and writes them: source and destination overlap",
                 advice="give the result a tensor of its own")  # fmt: skip


@kind(FaultKind.overlap, errors.Misuse)
def _overlap(facts: Facts) -> Words:
    return _shared(facts, facts.fault.text)


@kind(FaultKind.scratch_overlap, errors.Misuse)
def _scratch_overlap(facts: Facts) -> Words:
    return _shared(facts, f"sharedTmpBuffer and a tensor of {facts.fault.text}")


def _shared(facts: Facts, tensors: str) -> Words:
    first, length, second = facts.fault.value0, facts.fault.value1, facts.fault.value2
    head = f"{tensors} share bytes: {span(first, length)} of the UB, and what begins at byte {second}"
    return Words(head, advice="the library writes one while it still reads the other; give each a place of its own")


@kind(FaultKind.freed_tensor, errors.UseAfterFree)
def _freed(facts: Facts) -> Words:
    n = facts.fault
    head = f"{facts.call} uses {facts.operand()} (UB {span(n.first_byte, n.last_byte - n.first_byte + 1)}) after its FreeTensor"
    return Words(head, advice="free it after the last use, or AllocTensor/DeQue a new one")


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
    where = f"address {address(n)}"
    if hasattr(n, "non_canonical"):
        return Words(f"{does} {where}, which is non-canonical: no memory can have it", advice=advice)
    if hasattr(n, "own_code"):
        return Words(f"{does} {where}, which is the kernel's own code")
    near = f", {_distance(n, 1)}" if hasattr(n, "near_addr") and abs(n.addr - n.near_addr) < 2**30 else ""
    if 0 <= n.addr < 4096:
        advice = "a pointer argument given as None is address 0"
    return Words(f"{does} {where}, which is not device memory{near}", _freed_there(n), advice)
