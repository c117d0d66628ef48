# SPDX-License-Identifier: Apache-2.0
"""acl.mdl: whole models. aclimb runs kernels; every call here says so."""

from acl import _assemble

_assemble.add_unsupported(
    globals(),
    "acl.mdl",
    """
load_from_file              -> model_id                      aclmdlLoadFromFile
load_from_file_with_mem     -> model_id                      aclmdlLoadFromFileWithMem
load_from_mem               -> model_id                      aclmdlLoadFromMem
load_from_mem_with_mem      -> model_id                      aclmdlLoadFromMemWithMem
load_from_file_with_q       -> model_id                      aclmdlLoadFromFileWithQ
load_from_mem_with_q        -> model_id                      aclmdlLoadFromMemWithQ
load_with_config            -> model_id                      aclmdlLoadWithConfig
unload                      ->                               aclmdlUnload
query_size                  -> work_size, weight_size        aclmdlQuerySize
query_size_from_mem         -> work_size, weight_size        aclmdlQuerySizeFromMem
execute                     ->                               aclmdlExecute
execute_async               ->                               aclmdlExecuteAsync
create_desc                 => desc                          aclmdlCreateDesc
destroy_desc                ->                               aclmdlDestroyDesc
get_desc                    ->                               aclmdlGetDesc
get_num_inputs              => count                         aclmdlGetNumInputs
get_num_outputs             => count                         aclmdlGetNumOutputs
get_input_size_by_index     => size                          aclmdlGetInputSizeByIndex
get_output_size_by_index    => size                          aclmdlGetOutputSizeByIndex
get_input_dims              -> dims                          aclmdlGetInputDims
get_input_dims_v2           -> dims                          aclmdlGetInputDimsV2
get_output_dims             -> dims                          aclmdlGetOutputDims
get_cur_output_dims         -> dims                          aclmdlGetCurOutputDims
get_input_name_by_index     => name:s                        aclmdlGetInputNameByIndex
get_output_name_by_index    => name:s                        aclmdlGetOutputNameByIndex
get_input_index_by_name     -> index                         aclmdlGetInputIndexByName
get_output_index_by_name    -> index                         aclmdlGetOutputIndexByName
get_input_format            => format                        aclmdlGetInputFormat
get_output_format           => format                        aclmdlGetOutputFormat
get_input_data_type         => dtype                         aclmdlGetInputDataType
get_output_data_type        => dtype                         aclmdlGetOutputDataType
get_dynamic_batch           -> batch                         aclmdlGetDynamicBatch
get_dynamic_hw              -> hw                            aclmdlGetDynamicHW
get_input_dynamic_dims      -> dims                          aclmdlGetInputDynamicDims
get_input_dynamic_gear_count  -> count                       aclmdlGetInputDynamicGearCount
set_dynamic_batch_size      ->                               aclmdlSetDynamicBatchSize
set_dynamic_hw_size         ->                               aclmdlSetDynamicHWSize
set_input_dynamic_dims      ->                               aclmdlSetInputDynamicDims
create_dataset              => dataset                       aclmdlCreateDataset
destroy_dataset             ->                               aclmdlDestroyDataset
add_dataset_buffer          -> dataset                       aclmdlAddDatasetBuffer
get_dataset_num_buffers     => count                         aclmdlGetDatasetNumBuffers
get_dataset_buffer          => buffer                        aclmdlGetDatasetBuffer
set_dataset_tensor_desc     -> dataset                       aclmdlSetDatasetTensorDesc
get_dataset_tensor_desc     => desc                          aclmdlGetDatasetTensorDesc
create_config_handle        => handle                        aclmdlCreateConfigHandle
destroy_config_handle       ->                               aclmdlDestroyConfigHandle
set_config_opt              ->                               aclmdlSetConfigOpt
init_dump                   ->                               aclmdlInitDump
set_dump                    ->                               aclmdlSetDump
finalize_dump               ->                               aclmdlFinalizeDump
create_aipp                 => aipp                          aclmdlCreateAIPP
destroy_aipp                ->                               aclmdlDestroyAIPP
""",
    "models (.om files) are out of scope: aclimb runs kernels; load one with acl.rt.binary_load_from_file",
)
__getattr__ = _assemble.missing(globals(), "acl.mdl")
