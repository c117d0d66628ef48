# SPDX-License-Identifier: Apache-2.0
"""acl.op: selectors, kernels, and executing an operator."""

from __future__ import annotations

from typing import Any

from aclimb.op.single import infer, registry, run
from aclimb.op.single.kernels import free_host
from aclimb.op.single.run import Tensors

TABLE = """
register_compile_func        s op_type, o selector                       ->           aclopRegisterCompileFunc
unregister_compile_func      s op_type                                   ->           aclopUnregisterCompileFunc
create_kernel  s op_type, s kernel_id, s kernel_name, k data, i size, i engine, i deallocator  ->  aclopCreateKernel
set_kernel_args              k desc, s kernel_id, I num_blocks, k args, I size  ->    aclopSetKernelArgs
set_kernel_workspace_sizes   k desc, i count, k sizes                    ->           aclopSetKernelWorkspaceSizes
update_params                s op_type, L inputs, L outputs, k attr      ->           aclopUpdateParams
infer_shape    s op_type, L in_descs, L inputs, i num_outputs, L out_descs, k attr  ->  aclopInferShape
execute        s op_type, L in_descs, L inputs, L out_descs, L outputs, k attr, k stream  ->  aclopExecute
execute_v2     s op_type, L in_descs, L inputs, L out_descs, L outputs, k attr, k stream  ->  aclopExecuteV2
create_handle                s op_type, L inputs, L outputs, k attr      -> handle    aclopCreateHandle
destroy_handle               k handle                                    => None      aclopDestroyHandle
execute_with_handle          k handle, L inputs, L outputs, k stream     ->           aclopExecWithHandle
set_max_op_queue_num         k count                                     ->           aclopSetMaxOpQueueNum
"""

UNSUPPORTED = {
    "aclimb runs kernels, not models of single operators; register the kernel with acl.op.create_kernel": """
set_model_dir                ->                     aclopSetModelDir
load                         ->                     aclopLoad
""",
    "there is no built-in operator for casts; register a kernel with acl.op.create_kernel": """
cast                         ->                     aclopCast
create_handle_for_cast       -> handle              aclopCreateHandleForCast
""",
    "the key dump of acl.init's configuration, with dump_op_switch, dumps tensors of operators": """
start_dump_args              ->                     aclopStartDumpArgs
stop_dump_args               ->                     aclopStopDumpArgs
""",
}


def _handles(call: str, values: list[Any]) -> list[int]:
    if not all(isinstance(each, int) for each in values):
        raise TypeError(f"acl.op.{call} args parse failed")
    return [int(each) & 0xFFFF_FFFF_FFFF_FFFF for each in values]


def _tensors(call: str, descs: list[Any], buffers: list[Any]) -> Tensors:
    return Tensors(_handles(call, descs), _handles(call, buffers))


def register_compile_func(op_type: str, selector: Any) -> None:
    """selector(num_inputs, inputs, num_outputs, outputs, attr, kernel_desc) chooses a kernel in update_params. One for each type."""
    if not callable(selector):
        raise TypeError("argument 2 must be a callback function.")
    registry.register(op_type, selector)


def unregister_compile_func(op_type: str) -> None:
    """Forgets the selector and what it chose; kernels stay until acl.finalize."""
    registry.unregister(op_type)


def create_kernel(op_type: str, kernel_id: str, kernel_name: str, data: int, size: int, engine: int, deallocator: int) -> None:
    """A kernel of an operator binary in host memory, which is copied. Deallocator 1: acl.finalize frees that memory with free_host."""
    registry.create_kernel(op_type, kernel_id, kernel_name, data, size, engine, free_host if deallocator else None)


def set_kernel_args(desc: int, kernel_id: str, num_blocks: int, args: int, size: int) -> None:
    """In a selector: which kernel, how many blocks, and the bytes behind its addresses, copied now."""
    registry.set_kernel_args(desc, kernel_id, num_blocks, args, size)


def set_kernel_workspace_sizes(desc: int, count: int, sizes: int) -> None:
    """In a selector: the address of `count` numbers of 64 bits. Each call adds to those before."""
    registry.add_workspaces(desc, count, sizes)


def update_params(op_type: str, inputs: list[Any], outputs: list[Any], attr: int) -> None:
    """Runs the selector for these descriptors and attributes. One that raises gives 500001, with its traceback as the message."""
    registry.update_params(op_type, _handles("update_params", inputs), _handles("update_params", outputs), attr)


def infer_shape(op_type: str, in_descs: list[Any], inputs: list[Any], num_outputs: int, out_descs: list[Any], attr: int) -> None:
    """Sets the shapes of output descriptors, by what aclimb.op has registered for the type."""
    descs, buffers, targets = (_handles("infer_shape", each) for each in (in_descs, inputs, out_descs))
    infer.infer_shape(op_type, descs, buffers, num_outputs, targets, attr)


def execute(op_type: str, in_descs: list[Any], inputs: list[Any], out_descs: list[Any], outputs: list[Any], attr: int, stream: int) -> None:
    """As execute_v2, and output descriptors stay as they are."""
    sources, targets = _tensors("execute", in_descs, inputs), _tensors("execute", out_descs, outputs)
    run.execute(op_type, sources, targets, attr, stream, refresh=False)


def execute_v2(
    op_type: str, in_descs: list[Any], inputs: list[Any], out_descs: list[Any], outputs: list[Any], attr: int, stream: int
) -> None:
    """Queues the kernel that update_params chose for the same descriptors and attributes. Workspaces belong to the stream."""
    sources, targets = _tensors("execute_v2", in_descs, inputs), _tensors("execute_v2", out_descs, outputs)
    run.execute(op_type, sources, targets, attr, stream, refresh=True)


def create_handle(op_type: str, inputs: list[Any], outputs: list[Any], attr: int) -> int:
    """Keeps what update_params chose, for execute_with_handle."""
    return run.create_handle(op_type, _handles("create_handle", inputs), _handles("create_handle", outputs), attr)


def destroy_handle(handle: int) -> None:
    run.destroy_handle(handle)


def execute_with_handle(handle: int, inputs: list[Any], outputs: list[Any], stream: int) -> None:
    """As execute_v2, without looking anything up."""
    buffers = _handles("execute_with_handle", inputs), _handles("execute_with_handle", outputs)
    run.execute_with_handle(handle, *buffers, stream)


def set_max_op_queue_num(count: int) -> None:
    """How many choices of update_params are kept, 20000 at first; the one that was not used for longest leaves."""
    registry.set_limit(count)
