# SPDX-License-Identifier: Apache-2.0
"""What is registered for an operator type."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, fields
from typing import Any

from aclimb.op.status import TilingPlacement

DEFAULT_IMPL = "DefaultImpl"
DEFAULT_TILING_CAPACITY = 2048
MASK_BITS = 64

Callback = Callable[..., Any]


@dataclass(slots=True)
class OpImpl:
    """Everything registered for one type; what is not set is None, 0 or empty."""

    op_type: str = ""
    infer_shape: Callback | None = None
    infer_shape_range: Callback | None = None
    infer_data_type: Callback | None = None
    tiling: Callback | None = None
    max_tiling_data_size: int = 0
    gen_simplified_key: Callback | None = None
    tiling_parse: Callback | None = None
    compile_info: Callback | None = None  # makes the object that tiling_parse fills
    op_execute_func: Callback | None = None
    prepare: Callback | None = None
    launch: Callback | None = None
    null_stages: int = 0  # of a pair that is none: 1 prepare is null, 2 launch
    infer_format: Callback | None = None
    calc_op_param: Callback | None = None
    generate_task: Callback | None = None
    check_support: Callback | None = None
    op_select_format: Callback | None = None
    exception_dump_parse_func: Callback | None = None
    inputs_data_dependency: int = 0  # masks: bit i is IR index i
    tiling_inputs_data_dependency: int = 0
    tiling_placements: int = 0
    host_inputs: int = 0
    output_shape_depend_on_compute: int = 0
    nullable_outputs: int = 0
    private_attrs: list[tuple[str, Any]] = field(default_factory=list)  # name and default; None: required
    prototype: Any = None  # of the friendly layer: what define() declared

    def is_input_data_dependency(self, index: int) -> bool:
        """IsInputDataDependency."""
        return _bit(self.inputs_data_dependency, index)

    def is_tiling_input_data_dependency(self, index: int) -> bool:
        """IsTilingInputDataDependency."""
        return _bit(self.tiling_inputs_data_dependency, index)

    def is_host_input(self, index: int) -> bool:
        """IsHostInput."""
        return _bit(self.host_inputs, index)

    def is_output_shape_depend_on_compute(self, index: int) -> bool:
        """IsOutputShapeDependOnCompute."""
        return _bit(self.output_shape_depend_on_compute, index)

    def is_nullable_output(self, index: int) -> bool:
        """IsNullableOutput."""
        return _bit(self.nullable_outputs, index)

    def can_tile_on(self, placement: TilingPlacement) -> bool:
        """Whether tiling may run there."""
        return _bit(self.tiling_placements, placement)

    def merge(self, other: OpImpl, *, keep: bool) -> None:
        """Takes what is set in the other; what both set is kept (across libraries) or replaced (inside one)."""
        for each in fields(self):
            theirs = getattr(other, each.name)
            if each.name != "op_type" and theirs and not (keep and getattr(self, each.name)):
                setattr(self, each.name, theirs)


def _bit(mask: int, index: int) -> bool:
    return 0 <= index < MASK_BITS and bool(mask >> index & 1)
