# SPDX-License-Identifier: Apache-2.0
"""The functions of a library, as the stages of a run call functions: with a context, raising what went wrong."""

from __future__ import annotations

import ctypes
import logging
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from aclimb.op.infer.contexts import InferDataTypeContext, InferShapeContext, InferShapeRangeContext
from aclimb.op.native import door, wire
from aclimb.op.native.platform import address_of, platform_lines
from aclimb.op.native.request import Sent, TilingMemory, dtype_of_number
from aclimb.op.node.node import tensors_of
from aclimb.op.node.shape import MAX_DIMS, Range, Shape
from aclimb.op.options import ShownOptions
from aclimb.op.status import GRAPH_FAILED, GRAPH_PARAM_INVALID, MAX_WORKSPACES, OpError
from aclimb.op.tiling.contexts import Platform, TilingContext, TilingParseContext
from aclimb.op.two_stage.contexts import OpExecuteContext, OpExecuteLaunchContext, OpExecutePrepareContext
from aclimb.runtime.lent import lend

if TYPE_CHECKING:
    from aclimb.op.native.library import Library

_log = logging.getLogger("aclimb")
_CAPACITY_AT = wire.Answer.tiling_capacity.offset
_STATUS_NAMES = {GRAPH_FAILED: "GRAPH_FAILED", GRAPH_PARAM_INVALID: "GRAPH_PARAM_INVALID"}
# stage -> what OpImplRegisterV2 calls it
_CPP_NAMES = {
    wire.INFER_SHAPE: "InferShape",
    wire.INFER_SHAPE_RANGE: "InferShapeRange",
    wire.INFER_DATA_TYPE: "InferDataType",
    wire.TILING_PARSE: "TilingParse",
    wire.TILING: "Tiling",
    wire.PREPARE: "the prepare function of Op2StageExecuteFuncs",
    wire.LAUNCH: "the launch function of Op2StageExecuteFuncs",
    wire.EXECUTE: "OpExecuteFunc",
}


class CompileInfo:
    """The object that TilingParse<T> fills. The library made it, and deletes it."""

    def __init__(self, library: Library, row: int) -> None:
        self._library, self._row = library, row
        self.pointer: int | None = library.record.make_compile_info(row)

    def close(self) -> None:
        pointer, self.pointer = self.pointer, None
        if pointer is not None:
            self._library.record.delete_compile_info(self._row, pointer)


class Callbacks:
    """The functions of one row of a library."""

    def __init__(self, library: Library, row: int) -> None:
        self._library, self._row = library, row
        self._function = library.record.call  # each look at the record would make it anew
        self._chip: tuple[Platform | None, int] = (None, 0)  # as tiling saw it last; there is one for each chip and limit

    def _call(self, stage: int, sent: Sent) -> None:
        status = self._function(self._row, stage, *sent._records.addresses)
        text = sent.answer.said
        if status == 0 and not text:
            return
        said = text.decode(errors="replace")
        if status == 0:
            _log.error("%s, %s: %s", sent.request.type.decode(), _CPP_NAMES[stage], said)
            return
        where = f"{_CPP_NAMES[stage]} in {self._library.path.name}"
        if sent.answer.threw:
            raise OpError(status, f"{where} threw: {said}")
        name = f" ({_STATUS_NAMES[status]})" if status in _STATUS_NAMES else ""
        raise OpError(status, f"{where} returned {status}{name}{f': {said}' if said else ''}")

    # --- types and shapes

    def infer_shape(self, context: InferShapeContext) -> None:
        tensors = context._node.instances(context._node.outputs)
        with Sent(context) as sent:
            outputs = sent.outputs(len(tensors))
            self._call(wire.INFER_SHAPE, sent)
        for index, tensor in enumerate(tensors):
            tensor.shape.origin._dims = _shape(outputs, index, 0)

    def infer_shape_range(self, context: InferShapeRangeContext) -> None:
        with Sent(context) as sent:
            outputs = sent.outputs(context.num_outputs)
            self._call(wire.INFER_SHAPE_RANGE, sent)
        at = 0
        for ir, value in enumerate(context._node.outputs):
            count = len(tensors_of(value))
            if count:
                context._ranges[ir] = Range(Shape(_shape(outputs, at, 1)), Shape(_shape(outputs, at, 2)))
            at += count

    def infer_data_type(self, context: InferDataTypeContext) -> None:
        tensors = context._node.instances(context._node.outputs)
        with Sent(context) as sent:
            outputs = sent.outputs(len(tensors))
            self._call(wire.INFER_DATA_TYPE, sent)
        for index, tensor in enumerate(tensors):
            tensor.dtype = dtype_of_number(outputs[index * wire.OUTPUT_WORDS])

    # --- tiling

    def make_compile_info(self) -> CompileInfo:
        return CompileInfo(self._library, self._row)

    def tiling_parse(self, context: TilingParseContext) -> None:
        with Sent(context) as sent:
            sent.request.platform = _platform(context.platform)
            sent.request.json = context.compiled_json.encode()
            sent.request.compile_info = _pointer(context.compiled_info)
            self._call(wire.TILING_PARSE, sent)

    def tiling(self, context: TilingContext) -> None:
        with Sent(context) as sent:
            request, answer, tiling = sent.request, sent.answer, context._tiling
            if self._chip[0] is not context._platform:
                self._chip = context._platform, _platform(context._platform)
            request.platform = self._chip[1]
            request.compile_info = _pointer(context._compile_info)
            options, capacity = context._options, tiling.data.capacity
            request.deterministic, request.deterministic_level = options.deterministic, options.deterministic_level
            memory = sent.tiling_memory(capacity)
            before = (tiling.tiling_key, tiling.num_blocks, tiling.schedule_mode, tiling.need_atomic, tiling.tiling_cond)
            wire.TILING_BEFORE.pack_into(answer, 0, *before)
            wire.TILING_DATA.pack_into(answer, _CAPACITY_AT, capacity, 0, memory.address)
            self._call(wire.TILING, sent)
            decided = wire.TILING_DECIDED.unpack_from(answer)
            size = decided[14]
            if size > capacity or not memory.is_whole:
                raise self._misfit(size, memory)
            _take_tiling(context, decided, memory.data(size))

    def _misfit(self, size: int, memory: TilingMemory) -> OpError:
        if not memory.is_whole:
            return OpError(message=f"Tiling in {self._library.path.name} wrote behind its tiling data of {memory.capacity} bytes; register "
                           "Tiling with a larger max_tiling_data_size")  # fmt: skip
        return OpError(message=f"Tiling in {self._library.path.name} set {size} bytes of tiling data; the capacity is "
                       f"{memory.capacity}: register Tiling with a larger max_tiling_data_size")  # fmt: skip

    # --- execution

    def prepare(self, context: OpExecutePrepareContext) -> None:
        with Sent(context) as sent:
            _say_options(sent.request, context.options)
            self._call(wire.PREPARE, sent)
            answer = sent.answer
            params, deleter, count, sizes = answer.params or 0, answer.deleter, answer.workspace_count, list(answer.workspace_sizes)
        if deleter:
            context.set_op_api_params(params, self._deleter(deleter))
        if count != wire.UNSET:
            if count > MAX_WORKSPACES:
                raise OpError(message=f"{count} workspaces are asked for; at most {MAX_WORKSPACES} are possible")
            context.set_workspace_sizes(sizes[:count])

    def _deleter(self, function: int) -> Callable[[int], None]:
        record = self._library.record

        def delete(params: int) -> None:
            record.call_deleter(function, params)

        return delete

    def launch(self, context: OpExecuteLaunchContext) -> None:
        with Sent(context) as sent, lend(context.stream) as number:
            request, sizes = sent.request, context.workspace_sizes
            count = len(sizes)
            request.workspace_count = count
            request.workspace_sizes = sent.keep((ctypes.c_uint64 * max(count, 1))(*sizes))
            request.workspace_addresses = sent.keep((ctypes.c_uint64 * max(count, 1))(*[each.ptr or 0 for each in context.workspaces]))
            request.params = context.params if isinstance(context.params, int) else None
            request.stream = number
            self._call(wire.LAUNCH, sent)

    def execute(self, context: OpExecuteContext) -> None:
        with Sent(context) as sent, lend(context.stream) as number, door.workspaces_of(context):
            _say_options(sent.request, context.options)
            sent.request.stream = number
            self._call(wire.EXECUTE, sent)


def _take_tiling(context: TilingContext, decided: tuple[int, ...], data: bytearray) -> None:
    """Past the context's own checks, where C's types say the same. `decided` is wire.TILING_DECIDED."""
    tiling = context._tiling
    tiling.data._data = data
    tiling.tiling_key, tiling.num_blocks, schedule_mode, atomic, tiling.tiling_cond, tiling.dyn_ubuf_size, tiling.aicpu_num_blocks = (
        decided[:7]
    )
    tiling.need_atomic = bool(atomic)
    if schedule_mode != tiling.schedule_mode:
        context.schedule_mode = schedule_mode
    if any(decided[7:13]):
        block, grid = decided[7:10], decided[10:13]
        tiling.simt_block_dim, tiling.simt_grid_dim = block if any(block) else None, grid if any(grid) else None
    tiling.workspace_sizes = list(decided[17 : 17 + decided[16]])


def _shape(outputs: Any, index: int, which: int) -> list[int]:
    """The origin shape of an output, its smallest or its largest one."""
    start = index * wire.OUTPUT_WORDS + 1 + which * wire.SHAPE_WORDS
    rank = outputs[start]
    if not 0 <= rank <= MAX_DIMS:
        raise OpError(message=f"the rank of output {index} was set to {rank}; it takes 0 to {MAX_DIMS}")
    return list(outputs[start + 1 : start + 1 + rank])


def _platform(platform: Platform) -> int:
    return address_of(platform_lines(platform.soc_name, platform.cube_core_num, platform.vector_core_num))


def _pointer(info: Any) -> int | None:
    return info.pointer if isinstance(info, CompileInfo) else None


def _say_options(request: wire.Request, options: ShownOptions) -> None:
    request.deterministic, request.precision_mode = int(options.deterministic), options.precision_mode
    request.allow_hf32 = options.allow_hf32.encode() if options.allow_hf32 is not None else None
