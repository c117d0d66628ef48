# SPDX-License-Identifier: Apache-2.0
"""The operator of sources/looking.cpp in Python: what its functions see is written down in the same words."""

from __future__ import annotations

from typing import Any

import numpy as np

from aclimb import op
from aclimb.op.node.dtypes import GE_DTYPES


def number(dtype: Any) -> int:
    return 28 if dtype is op.DT_UNDEFINED else GE_DTYPES[str(dtype)]


def shape_text(shape: Any) -> str:
    return "null" if shape is None else str(list(shape))


def both_text(shape: Any) -> str:
    return "null" if shape is None else f"{shape_text(shape.origin)}/{shape_text(shape.storage)}"


def desc_text(tensor: Any) -> str:
    return "null" if tensor is None else f"{number(tensor.dtype)} {tensor.format} {tensor.format}"


def tensor_text(tensor: Any) -> str:
    if tensor is None:
        return "null"
    text = f"{list(tensor.origin_shape)}/{list(tensor.shape)} {number(tensor.dtype)} {tensor.nbytes}"
    try:
        values = tensor.to_numpy()
    except Exception:
        return f"{text} no data"
    return " ".join([text, *map(str, values.reshape(-1))])


class Looking:
    """make() is the operator, `seen` what its functions saw."""

    def __init__(self) -> None:
        self.seen: list[str] = []

    def note(self, name: str, value: Any) -> None:
        self.seen.append(f"{name} {value}\n")

    def make(self) -> op.Operator:
        made = op.define("Looking")
        made.input("x", dtype=["float16", "float32"], format=["ND", "FRACTAL_NZ"])
        made.input("maybe", dtype_list=["int64"], format_list=["ND"], optional=True)
        made.input("several", dtype_list=["int8"], format_list=["ND"], dynamic=True)
        made.input("value", dtype_list=["int32"], format_list=["ND"], value_depend="all")
        made.output("y", follow="x")
        made.attr("whole", int)
        made.attr("part", float, 0.25)
        made.attr("flag", bool, True)
        made.attr("mode", str, 'a "mode"')
        made.attr("ints", list[int], [1, -2])
        made.attr("floats", list[float], [0.5, 2.0])
        made.attr("lists", list[list[int]], [[1], [], [2, 3]])
        made.attr("bools", list[bool], [True, False])
        made.private_attr("hidden", int, 12)
        made.infer_data_type(self.infer_data_type)
        made.infer_shape(self.infer_shape)
        made.tiling(self.tile)
        return made

    def look_at_node(self, ctx: Any) -> None:
        self.note("type", ctx.node_type)
        self.note("kernel", f"{ctx.node_type} name")
        self.note("counts", f"{ctx.num_inputs} {ctx.num_outputs}")
        for ir in range(5):
            info = ctx.ir_input_instance(ir)
            self.note("ir input", f"{info[0]} {info[1]}" if info else "null")
            self.note("optional desc", desc_text(ctx.get_optional_input_tensor(ir)))
            self.note("required desc", desc_text(ctx.get_required_input_tensor(ir)))
            self.note("dynamic desc", desc_text(ctx.get_dynamic_input_tensor(ir, 1)))
        for index in range(6):
            self.note("desc", desc_text(ctx.get_input_tensor(index)))
        self.note("ir output", "{} {}".format(*ctx.ir_output_instance(0)))
        self.note("node", f"{ctx.node_type} 41{ctx.num_inputs}{ctx.num_outputs}")
        self.note("node parts", "fine")

    def look_at_attrs(self, attrs: Any) -> None:
        self.note("attrs", attrs.get_attr_num())
        whole = np.int64(attrs.get_int(0))
        narrow = whole.astype(np.int32)
        self.note("int", f"{whole} {whole} {narrow} {narrow} {whole.astype(np.uint32)}")
        self.note("float", " ".join([f"{np.float32(attrs.get_float(1)):f}"] * 2))
        self.note("bool", str(int(attrs.get_bool(2))) * 2)
        self.note("str", f"{attrs.get_str(3)} {attrs.get_str(3)}")
        self.note("ints", list(attrs.get_list_int(4)))
        self.note("as vector", len(attrs.get_list_int(4)))
        self.note("floats", f"[{', '.join(f'{each:f}' for each in attrs.get_list_float(5))}]")
        for each in attrs.get_list_list_int(6):
            self.note("list", list(each))
        self.note("beyond", "null" if attrs.get_int(9) is None else "there")
        for each in attrs.value(7):
            self.note("a bool", int(each))
        self.note("private", attrs.get_int(8))

    def look_at_shapes(self, ctx: Any, text: Any) -> None:
        for index in range(6):
            self.note("shape", text(ctx.get_input_shape(index)))
        for ir in range(5):
            self.note("optional shape", text(ctx.get_optional_input_shape(ir)))
            self.note("required shape", text(ctx.get_required_input_shape(ir)))
            self.note("dynamic shape", text(ctx.get_dynamic_input_shape(ir, 1)))

    def look_at_tensors(self, ctx: Any) -> None:
        for index in range(6):
            self.note("tensor", tensor_text(ctx.get_input_tensor(index)))
        for ir in range(5):
            self.note("optional tensor", tensor_text(ctx.get_optional_input_tensor(ir)))
            self.note("required tensor", tensor_text(ctx.get_required_input_tensor(ir)))
            self.note("dynamic tensor", tensor_text(ctx.get_dynamic_input_tensor(ir, 1)))

    # --- its functions

    def infer_data_type(self, ctx: Any) -> None:
        self.seen.clear()
        self.note("stage", "infer_data_type")
        self.look_at_node(ctx)
        for index in range(6):
            self.note("dtype", number(ctx.get_input_data_type(index)))
        for ir in range(5):
            first, second = ctx.get_required_input_tensor(ir), ctx.get_dynamic_input_tensor(ir, 1)
            found = [28 if each is None else number(each.dtype) for each in (first, first, second)]
            self.note("by ir", "{} {} {}".format(*found))
        self.note("beyond", f"1{number(ctx.get_output_data_type(7))}")
        ctx.set_output_data_type(0, ctx.get_input_data_type(0))
        self.note("set", number(ctx.get_output_data_type(0)))

    def infer_shape(self, ctx: Any) -> None:
        self.note("stage", "infer_shape")
        self.look_at_node(ctx)
        self.look_at_attrs(ctx.attrs)
        self.look_at_shapes(ctx, lambda shape: "null" if shape is None else shape_text(shape.origin))
        self.look_at_tensors(ctx)
        self.note("beyond", shape_text(ctx.get_output_shape(7)))
        ctx.output_shape[0] = ctx.get_input_shape(0).origin

    def tile(self, ctx: Any) -> None:
        self.note("stage", "tiling")
        self.look_at_node(ctx)
        self.look_at_attrs(ctx.attrs)
        self.look_at_shapes(ctx, both_text)
        self.look_at_tensors(ctx)
        self.note("output shape", f"{both_text(ctx.get_output_shape(0))} {both_text(ctx.get_output_shape(1))}")
        self.note("deterministic", f"{ctx.deterministic} {ctx.deterministic_level}")
        data = ctx.raw_tiling_data
        self.note("before", f"{ctx.tiling_key} {ctx.num_blocks} {int(ctx.need_atomic)} {ctx.tiling_cond} {ctx.schedule_mode} "
                  f"{ctx.workspace_num} {data.capacity} {data.data_size}")  # fmt: skip
        self.note("views", "none")
        self.note("chip", f"{ctx.platform.cube_core_num} {ctx.platform.vector_core_num} {ctx.platform.ub_size}")
        ctx.tiling_key, ctx.num_blocks, ctx.need_atomic, ctx.tiling_cond, ctx.schedule_mode = 1 << 63, 7, False, -5, 1
        ctx.dyn_ubuf_size, ctx.aicpu_num_blocks, ctx.simt_block_dim, ctx.simt_grid_dim = 64, 3, (4, 5, 6), (7, 1, 1)
        self.note("after", f"{ctx.tiling_key} {ctx.num_blocks} {64}{64}{3}{3}{5}{1}")
        self.note("too many", "null" if ctx.get_workspace_sizes(17) is None else "there")
        sizes = ctx.get_workspace_sizes(2)
        sizes[0], sizes[1] = 100, 0
        self.note("too large", "null")
        ctx.raw_tiling_data.append(np.uint64(0x0123456789ABCDEF))
        ctx.raw_tiling_data.append(np.uint16(5))
