# SPDX-License-Identifier: Apache-2.0
"""The records of host/include/aclimb/op/wire.h, field by field: what crosses the border to a library of operators."""

from __future__ import annotations

import ctypes
import struct
from ctypes import c_char, c_char_p, c_int32, c_int64, c_uint32, c_uint64, c_void_p

from aclimb.op.node.shape import MAX_DIMS
from aclimb.op.status import MAX_WORKSPACES

VERSION = 3
SAID_BYTES = 2048
SHAPE_WORDS = 1 + MAX_DIMS
OUTPUT_WORDS = 1 + 3 * SHAPE_WORDS
UNSET = 2**64 - 1

INFER_SHAPE, INFER_SHAPE_RANGE, INFER_DATA_TYPE, TILING_PARSE, TILING, PREPARE, LAUNCH, EXECUTE = range(8)


class Request(ctypes.Structure):
    """What a callback sees."""

    _fields_ = (
        ("type", c_char_p),
        ("name", c_char_p),
        ("node", c_void_p),
        ("attrs", c_void_p),
        ("platform", c_void_p),
        ("json", c_char_p),
        ("compile_info", c_void_p),
        ("params", c_void_p),
        ("stream", c_void_p),
        ("allow_hf32", c_char_p),
        ("workspace_sizes", c_void_p),
        ("workspace_addresses", c_void_p),
        ("workspace_count", c_uint64),
        ("deterministic", c_int32),
        ("deterministic_level", c_int32),
        ("precision_mode", c_int32),
        ("reserved", c_uint32),
    )


class Answer(ctypes.Structure):
    """What a callback decided."""

    _fields_ = (
        ("tiling_key", c_uint64),
        ("num_blocks", c_uint32),
        ("schedule_mode", c_uint32),
        ("need_atomic", c_int32),
        ("tiling_cond", c_int32),
        ("dyn_ubuf_size", c_uint32),
        ("aicpu_num_blocks", c_uint32),
        ("simt_block_dim", c_uint32 * 3),
        ("simt_grid_dim", c_uint32 * 3),
        ("tiling_capacity", c_uint64),
        ("tiling_size", c_uint64),
        ("tiling_data", c_void_p),
        ("workspace_count", c_uint64),
        ("workspace_sizes", c_uint64 * MAX_WORKSPACES),
        ("params", c_void_p),
        ("deleter", c_void_p),
        ("outputs", c_void_p),
        ("threw", c_uint32),
        ("reserved", c_uint32),
        ("said", c_char * SAID_BYTES),
    )


REQUEST_HEAD = struct.Struct("<4Q")  # type, name, node, attrs
assert Request.platform.offset == REQUEST_HEAD.size
# Several fields of an Answer at once: what holds before tiling, where its data go, and all that it decided, up to workspace_sizes.
TILING_BEFORE = struct.Struct("<Q2I2i")
TILING_DATA = struct.Struct("<QQQ")
TILING_DECIDED = struct.Struct(f"<Q2I2i2I3I3I3QQ{MAX_WORKSPACES}Q")
assert (TILING_BEFORE.size, TILING_DECIDED.size) == (Answer.dyn_ubuf_size.offset, Answer.params.offset)

PLATFORM = ctypes.CFUNCTYPE(c_void_p, c_char_p)
MALLOC_WORKSPACE = ctypes.CFUNCTYPE(c_void_p, c_uint64)
FREE_WORKSPACE = ctypes.CFUNCTYPE(None)
LOG = ctypes.CFUNCTYPE(c_int32, c_int32, c_char_p)
TILER = ctypes.CFUNCTYPE(c_int32, c_void_p)


class Door(ctypes.Structure):
    """What the library asks us for."""

    _fields_ = (
        ("platform", PLATFORM),
        ("malloc_workspace", MALLOC_WORKSPACE),
        ("free_workspace", FREE_WORKSPACE),
        ("log", LOG),
        ("tiling", TILER),
    )


class LibraryRecord(ctypes.Structure):
    """What aclimb_op_library() gives."""

    _fields_ = (
        ("version", c_uint32),
        ("reserved", c_uint32),
        ("description", c_char_p),
        ("call", ctypes.CFUNCTYPE(c_uint32, c_uint64, c_uint32, c_void_p, c_void_p)),
        ("make_compile_info", ctypes.CFUNCTYPE(c_void_p, c_uint64)),
        ("delete_compile_info", ctypes.CFUNCTYPE(None, c_uint64, c_void_p)),
        ("call_deleter", ctypes.CFUNCTYPE(None, c_void_p, c_void_p)),
        ("connect", ctypes.CFUNCTYPE(None, ctypes.POINTER(Door))),
    )


Words = ctypes.POINTER(c_int64)
