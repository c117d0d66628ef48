# SPDX-License-Identifier: Apache-2.0
"""Operators: registration, shapes, tiling, two-stage execution, workspaces.

`define` is the Python way; `OpImplRegisterV2` is the C++ one, method by method. docs/write_an_operator.md begins here.
"""

from aclimb.op.check.checker import EDGE_SHAPES, CheckReport, check
from aclimb.op.declare.impl import OpImpl
from aclimb.op.declare.kernel import kernel_name
from aclimb.op.declare.register import IMPL_OP, IMPL_OP_DEFAULT, IMPL_OP_INFERSHAPE, IMPL_OP_OPTILING, OpImplRegisterV2
from aclimb.op.declare.registry import OpImplRegistry, RegistrationHandle
from aclimb.op.declare.space import OpImplSpaceRegistry, default_space_registry, find_tiling, find_tiling_parse
from aclimb.op.execute.operator import Operator, default_impl, define, prepare
from aclimb.op.execute.plan import OpPlan as Plan
from aclimb.op.execute.run import run
from aclimb.op.infer.contexts import InferDataTypeContext, InferShapeContext, InferShapeRangeContext
from aclimb.op.native import package as _package  # noqa: F401 - is asked for types that nobody registered
from aclimb.op.native.library import Library, load
from aclimb.op.node.node import tensor
from aclimb.op.node.shape import INVALID_DIM, ExpandDimsType, Range, Shape, StorageShape
from aclimb.op.options import Options, get_deterministic, set_deterministic
from aclimb.op.single.attributes import attributes
from aclimb.op.stages import LaunchRecord, Step, observe
from aclimb.op.status import (
    ACLNN_ERR_INNER_CREATE_EXECUTOR,
    ACLNN_ERR_INNER_NOT_TRANS_EXECUTOR,
    ACLNN_ERR_INNER_NULLPTR,
    ACLNN_ERR_PARAM_INVALID,
    ACLNN_ERR_PARAM_NULLPTR,
    ACLNN_ERR_RUNTIME_ERROR,
    ACLNN_SUCCESS,
    DT_UNDEFINED,
    GRAPH_FAILED,
    GRAPH_PARAM_INVALID,
    GRAPH_SUCCESS,
    MAX_WORKSPACES,
    PARAM_INVALID,
    TILING_ON_AICPU,
    TILING_ON_HOST,
    Format,
    OpError,
    TensorPlacement,
    TilingPlacement,
    kFollowing,
    kOnDeviceHbm,
    kOnDeviceP2p,
    kOnHost,
)
from aclimb.op.tiling.contexts import TilingContext, TilingParseContext
from aclimb.op.tiling.data import TilingData, pack_tiling
from aclimb.op.tiling.template_key import TemplateKey
from aclimb.op.two_stage.contexts import (
    NO_DELETE,
    OpExecLaunchFunc,
    OpExecPrepareFunc,
    OpExecuteContext,
    OpExecuteLaunchContext,
    OpExecutePrepareContext,
    Prepared,
)
from aclimb.op.two_stage.prepared import PreparedOp
from aclimb.op.workspace import release_workspaces
from aclimb.runtime.stream import Stream as _Stream

__all__ = [
    "ACLNN_ERR_INNER_CREATE_EXECUTOR",
    "ACLNN_ERR_INNER_NOT_TRANS_EXECUTOR",
    "ACLNN_ERR_INNER_NULLPTR",
    "ACLNN_ERR_PARAM_INVALID",
    "ACLNN_ERR_PARAM_NULLPTR",
    "ACLNN_ERR_RUNTIME_ERROR",
    "ACLNN_SUCCESS",
    "DT_UNDEFINED",
    "EDGE_SHAPES",
    "GRAPH_FAILED",
    "GRAPH_PARAM_INVALID",
    "GRAPH_SUCCESS",
    "IMPL_OP",
    "IMPL_OP_DEFAULT",
    "IMPL_OP_INFERSHAPE",
    "IMPL_OP_OPTILING",
    "INVALID_DIM",
    "MAX_WORKSPACES",
    "NO_DELETE",
    "PARAM_INVALID",
    "TILING_ON_AICPU",
    "TILING_ON_HOST",
    "CheckReport",
    "ExpandDimsType",
    "Format",
    "InferDataTypeContext",
    "InferShapeContext",
    "InferShapeRangeContext",
    "LaunchRecord",
    "Library",
    "OpError",
    "OpExecLaunchFunc",
    "OpExecPrepareFunc",
    "OpExecuteContext",
    "OpExecuteLaunchContext",
    "OpExecutePrepareContext",
    "OpImpl",
    "OpImplRegisterV2",
    "OpImplRegistry",
    "OpImplSpaceRegistry",
    "Operator",
    "Options",
    "Plan",
    "Prepared",
    "PreparedOp",
    "Range",
    "RegistrationHandle",
    "Shape",
    "Step",
    "StorageShape",
    "TemplateKey",
    "TensorPlacement",
    "TilingContext",
    "TilingData",
    "TilingParseContext",
    "TilingPlacement",
    "attributes",
    "check",
    "core_limits",
    "default_impl",
    "default_space_registry",
    "define",
    "find_tiling",
    "find_tiling_parse",
    "get",
    "get_deterministic",
    "kFollowing",
    "kOnDeviceHbm",
    "kOnDeviceP2p",
    "kOnHost",
    "kernel_name",
    "load",
    "observe",
    "pack_tiling",
    "prepare",
    "registry",
    "release_workspaces",
    "run",
    "set_deterministic",
    "tensor",
]  # fmt: skip


def registry() -> OpImplRegistry:
    """The registry of this process. C++: OpImplRegistry::GetInstance."""
    return OpImplRegistry.instance()


def get(op_type: str) -> OpImpl | None:
    """What is registered for a type; None when nobody did. C++: OpImplSpaceRegistryV2::GetOpImpl."""
    return default_space_registry().get_op_impl(op_type)


def core_limits(stream: _Stream) -> tuple[int, int]:
    """How many AICs and AIVs operators shall use on a stream."""
    return stream.cores
