# SPDX-License-Identifier: Apache-2.0
"""acl.op: single operators. Not there yet; every call says so."""

from acl import _assemble

_assemble.add_unsupported(
    globals(),
    "acl.op",
    """
register_compile_func         ->                     aclopRegisterCompileFunc
unregister_compile_func       ->                     aclopUnregisterCompileFunc
create_kernel                 ->                     aclopCreateKernel
set_kernel_args               ->                     aclopSetKernelArgs
set_kernel_workspace_sizes    ->                     aclopSetKernelWorkspaceSizes
update_params                 ->                     aclopUpdateParams
infer_shape                   ->                     aclopInferShape
execute                       ->                     aclopExecute
execute_v2                    ->                     aclopExecuteV2
create_handle                 -> handle              aclopCreateHandle
destroy_handle                => None                aclopDestroyHandle
execute_with_handle           ->                     aclopExecWithHandle
set_model_dir                 ->                     aclopSetModelDir
load                          ->                     aclopLoad
set_max_op_queue_num          ->                     aclopSetMaxOpQueueNum
cast                          ->                     aclopCast
create_attr                   => attr                aclopCreateAttr
destroy_attr                  => None                aclopDestroyAttr
set_attr_bool                 ->                     aclopSetAttrBool
set_attr_int                  ->                     aclopSetAttrInt
set_attr_float                ->                     aclopSetAttrFloat
set_attr_string               ->                     aclopSetAttrString
set_attr_list_bool            ->                     aclopSetAttrListBool
set_attr_list_int             ->                     aclopSetAttrListInt
set_attr_list_float           ->                     aclopSetAttrListFloat
set_attr_list_string          ->                     aclopSetAttrListString
set_attr_list_list_int        ->                     aclopSetAttrListListInt
set_attr_data_type            -> attr                aclopSetAttrDataType
""",
    "the single-operator API is not there yet; launch the kernel itself with acl.rt.launch_kernel_with_config",
)
__getattr__ = _assemble.missing(globals(), "acl.op")
