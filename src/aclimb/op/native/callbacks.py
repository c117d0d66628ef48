# SPDX-License-Identifier: Apache-2.0
"""The functions of a library, as the stages of a run call functions: with a context, raising what went wrong."""

from __future__ import annotations

import ctypes
import logging
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from aclimb.op.infer.contexts import InferDataTypeContext, InferShapeContext, InferShapeRangeContext
from aclimb.op.native import door, wire
from aclimb.op.native.platform import platform_lines
from aclimb.op.native.request import Sent, dtype_of_number
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
_GUARD = b"\xa5" * 64  # behind the tiling data: whoever writes there is told
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

    def _call(self, stage: int, sent: Sent) -> None:
        status = self._library.record.call(self._row, stage, ctypes.byref(sent.request), ctypes.byref(sent.answer))
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
        sent = Sent(context)
        outputs = self._outputs(sent, context)
        self._call(wire.INFER_SHAPE, sent)
        for index, tensor in enumerate(context._node.instances(context._node.outputs)):
            tensor.shape.origin.assign(_shape(outputs, index, 0))

    def infer_shape_range(self, context: InferShapeRangeContext) -> None:
        sent = Sent(context)
        outputs = self._outputs(sent, context)
        self._call(wire.INFER_SHAPE_RANGE, sent)
        at = 0
        for ir, value in enumerate(context._node.outputs):
            count = len(tensors_of(value))
            if count:
                context._ranges[ir] = Range(Shape(_shape(outputs, at, 1)), Shape(_shape(outputs, at, 2)))
            at += count

    def infer_data_type(self, context: InferDataTypeContext) -> None:
        sent = Sent(context)
        outputs = self._outputs(sent, context)
        self._call(wire.INFER_DATA_TYPE, sent)
        for index, tensor in enumerate(context._node.instances(context._node.outputs)):
            tensor.dtype = dtype_of_number(outputs[index * wire.OUTPUT_WORDS])

    @staticmethod
    def _outputs(sent: Sent, context: Any) -> Any:
        words = (ctypes.c_int64 * (wire.OUTPUT_WORDS * max(context.num_outputs, 1)))()
        sent.answer.outputs = sent.keep(words)
        return words

    # --- tiling

    def make_compile_info(self) -> CompileInfo:
        return CompileInfo(self._library, self._row)

    def tiling_parse(self, context: TilingParseContext) -> None:
        sent = Sent(context)
        sent.request.platform = _platform(context.platform)
        sent.request.json = context.compiled_json.encode()
        sent.request.compile_info = _pointer(context.compiled_info)
        self._call(wire.TILING_PARSE, sent)

    def tiling(self, context: TilingContext) -> None:
        sent, tiling = Sent(context), context._tiling
        request, answer = sent.request, sent.answer
        request.platform = _platform(context.platform)
        request.compile_info = _pointer(context.compile_info)
        request.deterministic, request.deterministic_level = context.deterministic, context.deterministic_level
        capacity = tiling.data.capacity
        memory = ctypes.create_string_buffer(capacity + len(_GUARD))
        at = sent.keep(memory)
        ctypes.memmove(at + capacity, _GUARD, len(_GUARD))
        answer.tiling_capacity, answer.tiling_data = capacity, at
        answer.tiling_key, answer.num_blocks, answer.need_atomic = tiling.tiling_key, tiling.num_blocks, tiling.need_atomic
        answer.tiling_cond, answer.schedule_mode = tiling.tiling_cond, tiling.schedule_mode
        self._call(wire.TILING, sent)
        self._require_fitting(answer, capacity, ctypes.string_at(at + capacity, len(_GUARD)))
        _take_tiling(context, answer, ctypes.string_at(at, answer.tiling_size))

    def _require_fitting(self, answer: wire.Answer, capacity: int, behind: bytes) -> None:
        if behind != _GUARD:
            raise OpError(message=f"Tiling in {self._library.path.name} wrote behind its tiling data of {capacity} bytes; register Tiling "
                          "with a larger max_tiling_data_size")  # fmt: skip
        if answer.tiling_size > capacity:
            raise OpError(message=f"Tiling in {self._library.path.name} set {answer.tiling_size} bytes of tiling data; the capacity is "
                          f"{capacity}: register Tiling with a larger max_tiling_data_size")  # fmt: skip

    # --- execution

    def prepare(self, context: OpExecutePrepareContext) -> None:
        sent, answer = Sent(context), None
        _say_options(sent.request, context.options)
        self._call(wire.PREPARE, sent)
        answer = sent.answer
        if answer.deleter:
            context.set_op_api_params(answer.params or 0, self._deleter(answer.deleter))
        if answer.workspace_count != wire.UNSET:
            if answer.workspace_count > MAX_WORKSPACES:
                raise OpError(message=f"{answer.workspace_count} workspaces are asked for; at most {MAX_WORKSPACES} are possible")
            context.set_workspace_sizes(answer.workspace_sizes[: answer.workspace_count])

    def _deleter(self, function: int) -> Callable[[int], None]:
        record = self._library.record

        def delete(params: int) -> None:
            record.call_deleter(function, params)

        return delete

    def launch(self, context: OpExecuteLaunchContext) -> None:
        sent = Sent(context)
        request, sizes = sent.request, context.workspace_sizes
        count = len(sizes)
        request.workspace_count = count
        request.workspace_sizes = sent.keep((ctypes.c_uint64 * max(count, 1))(*sizes))
        request.workspace_addresses = sent.keep((ctypes.c_uint64 * max(count, 1))(*[each.ptr or 0 for each in context.workspaces]))
        request.params = context.params if isinstance(context.params, int) else None
        with lend(context.stream) as number:
            request.stream = number
            self._call(wire.LAUNCH, sent)

    def execute(self, context: OpExecuteContext) -> None:
        sent = Sent(context)
        _say_options(sent.request, context.options)
        with lend(context.stream) as number, door.workspaces_of(context):
            sent.request.stream = number
            self._call(wire.EXECUTE, sent)


def _take_tiling(context: TilingContext, answer: wire.Answer, data: bytes) -> None:
    """Past the context's own checks, where C's types say the same."""
    tiling = context._tiling
    tiling.data._data = bytearray(data)
    tiling.tiling_key, tiling.num_blocks, tiling.tiling_cond = answer.tiling_key, answer.num_blocks, answer.tiling_cond
    tiling.need_atomic = bool(answer.need_atomic)
    context.schedule_mode = answer.schedule_mode
    tiling.dyn_ubuf_size, tiling.aicpu_num_blocks = answer.dyn_ubuf_size, answer.aicpu_num_blocks
    block, grid = tuple(answer.simt_block_dim), tuple(answer.simt_grid_dim)
    tiling.simt_block_dim, tiling.simt_grid_dim = block if any(block) else None, grid if any(grid) else None
    tiling.workspace_sizes = answer.workspace_sizes[: answer.workspace_count]


def _shape(outputs: Any, index: int, which: int) -> list[int]:
    """The origin shape of an output, its smallest or its largest one."""
    start = index * wire.OUTPUT_WORDS + 1 + which * wire.SHAPE_WORDS
    rank = outputs[start]
    if not 0 <= rank <= MAX_DIMS:
        raise OpError(message=f"the rank of output {index} was set to {rank}; it takes 0 to {MAX_DIMS}")
    return list(outputs[start + 1 : start + 1 + rank])


def _platform(platform: Platform) -> bytes:
    return platform_lines(platform.soc_name, platform.cube_core_num, platform.vector_core_num)


def _pointer(info: Any) -> int | None:
    return info.pointer if isinstance(info, CompileInfo) else None


def _say_options(request: wire.Request, options: ShownOptions) -> None:
    request.deterministic, request.precision_mode = int(options.deterministic), options.precision_mode
    request.allow_hf32 = options.allow_hf32.encode() if options.allow_hf32 is not None else None
