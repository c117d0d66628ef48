# SPDX-License-Identifier: Apache-2.0
"""Functions of acl's headers that aclimb does not do: each returns 207000 and leaves the sentence that stands before it."""

from __future__ import annotations

UNSUPPORTED = {
    "ask aclGetDeviceCapability or aclrtGetDeviceInfo": """
aclGetCannAttributeList                     -> cann_attr_list, num
""",
    "the key dump of aclInit's configuration switches dumps on; a kernel can print": """
acldumpRegCallback                          ->
acldumpUnregCallback                        => None
acldumpGetPath                              => text:s
acldumpSaveExceptionInfo                    ->
acldumpGetExceptionInfoPath                 ->
aclmdlInitDump                              ->
aclmdlSetDump                               ->
aclmdlFinalizeDump                          ->
""",
    "ask aclrtGetDeviceInfo for core counts and sizes, aclrtGetSocName for the name": """
aclplatformGetDeviceInfo                    -> value
aclplatformGetInstructionInfo               -> value
""",
    "the profiler of the hardware is not there; use `aclimb profile`, or the key profiler of aclInit's configuration": """
aclprofInit                                 ->
aclprofFinalize                             ->
aclprofStart                                ->
aclprofCreateConfig                         => value
aclprofDestroyConfig                        ->
aclprofStop                                 ->
aclprofSetConfig                            ->
aclprofModelSubscribe                       ->
aclprofModelUnSubscribe                     ->
aclprofCreateSubscribeConfig                => value
aclprofDestroySubscribeConfig               ->
aclprofGetOpDescSize                        -> op_desc_size
aclprofGetOpNum                             -> op_number
aclprofGetOpTypeLen                         -> op_type_len
aclprofGetOpType                            ->
aclprofGetOpNameLen                         -> op_name_len
aclprofGetOpName                            ->
aclprofGetOpStart                           => value
aclprofGetOpEnd                             => value
aclprofGetOpDuration                        => value
aclprofGetModelId                           => value
aclprofGetOpFlag                            => value
aclprofGetOpAttriValue                      => text:s
aclprofGetStepTimestamp                     ->
aclprofCreateStepInfo                       => value
aclprofDestroyStepInfo                      => None
aclprofCreateStamp                          => value
aclprofDestroyStamp                         => None
aclprofPush                                 ->
aclprofPop                                  ->
aclprofRangeStart                           -> range_id
aclprofRangeStop                            ->
aclprofSetStampTraceMessage                 ->
aclprofMark                                 ->
aclprofMarkEx                               ->
aclprofStr2Id                               => value
aclprofRangePushEx                          ->
aclprofRangePop                             ->
""",
    "allocators of the program are not asked; memory comes from aclrtMalloc": """
aclrtAllocatorCreateDesc                    => value
aclrtAllocatorDestroyDesc                   ->
aclrtAllocatorSetObjToDesc                  ->
aclrtAllocatorSetAllocFuncToDesc            ->
aclrtAllocatorSetFreeFuncToDesc             ->
aclrtAllocatorSetAllocAdviseFuncToDesc      ->
aclrtAllocatorSetGetAddrFromBlockFuncToDesc ->
aclrtAllocatorRegister                      ->
aclrtAllocatorGetByStream                   -> allocator_desc, allocator, alloc_func, free_func, alloc_advise_func, get_addr_from_block_func
aclrtAllocatorUnregister                    ->
""",
    "memory pools in stream order are not there; use aclrtMalloc": """
aclrtMemPoolCreate                          -> mem_pool
aclrtMemPoolDestroy                         ->
aclrtMemPoolSetAttr                         ->
aclrtMemPoolGetAttr                         ->
aclrtMemPoolMallocAsync                     -> ptr
aclrtMemPoolFreeAsync                       ->
aclrtMemPoolTrimTo                          ->
""",
    "queues and channels of tensors are not there; copy with aclrtMemcpy": """
acltdtGetTensorTypeFromItem                 => value:u
acltdtGetDataTypeFromItem                   => value:u
acltdtGetDataAddrFromItem                   => value
acltdtGetDataSizeFromItem                   => value
acltdtGetDimNumFromItem                     => value
acltdtGetSliceInfoFromItem                  -> slice_num, slice_id
acltdtGetDimsFromItem                       ->
acltdtCreateDataItem                        => value
acltdtDestroyDataItem                       ->
acltdtCreateDataset                         => value
acltdtDestroyDataset                        ->
acltdtGetDataItem                           => value
acltdtAddDataItem                           ->
acltdtGetDatasetSize                        => value
acltdtGetDatasetName                        => text:s
acltdtStopChannel                           ->
acltdtCreateChannel                         => value
acltdtCreateChannelWithCapacity             => value
acltdtDestroyChannel                        ->
acltdtCleanChannel                          ->
acltdtSendTensor                            ->
acltdtReceiveTensor                         ->
acltdtQueryChannelSize                      -> size
acltdtCreateQueue                           -> qid
acltdtDestroyQueue                          ->
acltdtEnqueue                               ->
acltdtDequeue                               -> buf
acltdtEnqueueData                           ->
acltdtDequeueData                           -> ret_data_size
acltdtGrantQueue                            ->
acltdtAttachQueue                           -> permission
acltdtBindQueueRoutes                       ->
acltdtUnbindQueueRoutes                     ->
acltdtQueryQueueRoutes                      ->
acltdtAllocBuf                              -> buf
acltdtFreeBuf                               ->
acltdtGetBufData                            -> data_ptr, size
acltdtSetBufDataLen                         ->
acltdtGetBufDataLen                         -> len
acltdtAppendBufChain                        ->
acltdtGetBufChainNum                        -> num
acltdtGetBufFromChain                       -> buf
acltdtGetBufUserData                        ->
acltdtSetBufUserData                        ->
acltdtCopyBufRef                            -> new_buf
acltdtCreateQueueAttr                       => value
acltdtDestroyQueueAttr                      ->
acltdtSetQueueAttr                          ->
acltdtGetQueueAttr                          -> param_ret_size
acltdtCreateQueueRoute                      => value
acltdtDestroyQueueRoute                     ->
acltdtGetQueueRouteParam                    -> param_ret_size
acltdtCreateQueueRouteList                  => value
acltdtDestroyQueueRouteList                 ->
acltdtAddQueueRoute                         ->
acltdtGetQueueRoute                         ->
acltdtGetQueueRouteNum                      => value
acltdtCreateQueueRouteQueryInfo             => value
acltdtDestroyQueueRouteQueryInfo            ->
acltdtSetQueueRouteQueryInfo                ->
aclrtGetBufFromChain                        -> buf
aclrtGetBufChainNum                         -> num
aclrtAppendBufChain                         ->
aclrtCopyBufRef                             -> new_buf
aclrtGetBufUserData                         ->
aclrtSetBufUserData                         ->
aclrtGetBufData                             -> data_ptr, size
aclrtGetBufDataLen                          -> len
aclrtSetBufDataLen                          ->
aclrtFreeBuf                                ->
aclrtAllocBuf                               -> buf
""",
    "host functions run on a thread of aclimb without a subscription; use aclrtLaunchHostFunc": """
aclrtSubscribeHostFunc                      ->
aclrtProcessHostFunc                        ->
aclrtUnSubscribeHostFunc                    ->
""",
    "states of devices and streams are not told; use aclrtExceptionInfoCallbackRegister for failures": """
aclrtRegStreamStateCallback                 ->
aclrtRegDeviceStateCallback                 ->
aclrtSetDeviceTaskAbortCallback             ->
""",
    "groups of cores are not modelled; use aclrtSetDeviceResLimit": """
aclrtSetTsDevice                            ->
aclrtSetGroup                               ->
aclrtGetGroupCount                          -> count
aclrtCreateGroupInfo                        => value
aclrtDestroyGroupInfo                       ->
aclrtGetAllGroupInfo                        ->
aclrtGetGroupInfoDetail                     -> param_ret_size
""",
    "a modelled chip has no place in a machine; aclrtGetDeviceInfo knows what it has": """
aclrtDeviceGetBareTgid                      -> pid
aclrtGetDeviceCapability                    -> value
aclrtDeviceGetUuid                          -> uuid
aclrtDeviceGetPCIBusId                      ->
aclrtDeviceGetByPCIBusId                    -> device_id
aclrtDeviceGetHostAtomicCapabilities        -> capabilities
aclrtDeviceGetP2PAtomicCapabilities         -> capabilities
aclrtGetDevicesTopo                         -> value
aclrtDevicePeerAccessStatus                 -> status
aclrtCheckArchCompatibility                 -> can_compatible
aclrtHostMemMapCapabilities                 -> capabilities
""",
    "stacks and caches of a modelled chip have no size to set": """
aclrtDeviceSetLimit                         ->
aclrtDeviceGetLimit                         -> value
aclrtDeviceL2CacheFlush                     ->
""",
    "devices have one number here, that of aclrtSetDevice": """
aclrtGetLogicDevIdByUserDevId               -> logic_dev_id
aclrtGetUserDevIdByLogicDevId               -> user_devid
aclrtGetLogicDevIdByPhyDevId                -> logic_dev_id
aclrtGetPhyDevIdByLogicDevId                -> phy_dev_id
aclrtGetUserDevIdByPhyDevId                 -> user_dev_id
aclrtGetPhyDevIdByUserDevId                 -> phy_dev_id
""",
    "a modelled chip has no hardware errors; aclGetRecentErrMsg says what failed": """
aclrtGetErrorVerbose                        -> error_info
aclrtRepairError                            ->
aclrtGetMemUceInfo                          -> ret_size
aclrtMemUceRepair                           ->
""",
    "a process cannot be frozen and restored": """
aclrtSnapShotProcessLock                    ->
aclrtSnapShotProcessUnlock                  ->
aclrtSnapShotProcessBackup                  ->
aclrtSnapShotProcessRestore                 ->
aclrtSnapShotCallbackRegister               ->
aclrtSnapShotCallbackUnregister             ->
""",
    "events have no flags at a record or a wait; use aclrtRecordEvent, aclrtStreamWaitEvent": """
aclrtRecordEventWithFlag                    ->
aclrtStreamWaitEventWithFlag                ->
""",
    "notifies are not modelled; use events": """
aclrtCreateNotify                           -> notify
aclrtDestroyNotify                          ->
aclrtCntNotifyCreate                        -> cnt_notify
aclrtCntNotifyDestroy                       ->
aclrtRecordNotify                           ->
aclrtWaitAndResetNotify                     ->
aclrtGetNotifyId                            -> notify_id
aclrtNotifyBatchReset                       ->
aclrtNotifyGetExportKey                     ->
aclrtNotifyImportByKey                      -> notify
aclrtNotifySetImportPid                     ->
aclrtNotifySetImportPidInterServer          ->
aclrtCntNotifyRecord                        ->
aclrtCntNotifyWaitWithTimeout               ->
aclrtCntNotifyReset                         ->
aclrtCntNotifyGetId                         -> notify_id
""",
    "events have no number; at most 65536 can exist": """
aclrtGetEventId                             -> event_id
aclrtGetEventAvailNum                       -> event_count
""",
    "memory and events are not shared with other processes; use threads": """
aclrtIpcGetEventHandle                      -> handle
aclrtIpcOpenEventHandle                     -> event
aclrtMemExportToShareableHandle             -> shareable_handle
aclrtMemExportToShareableHandleV2           ->
aclrtMemImportFromShareableHandle           -> handle
aclrtMemImportFromShareableHandleV2         -> handle
aclrtMemSetPidToShareableHandle             ->
aclrtMemSetPidToShareableHandleV2           ->
aclrtIpcMemGetExportKey                     ->
aclrtIpcMemClose                            ->
aclrtIpcMemImportByKey                      -> dev_ptr
aclrtIpcMemSetImportPid                     ->
aclrtIpcMemSetAttr                          ->
aclrtIpcMemImportPidInterServer             ->
""",
    "SIMT kernels exist on Ascend 950 only, which is not modelled": """
aclrtLaunchSIMTKernelWithArgsArray          ->
aclrtLaunchSIMTKernelWithHostArgs           ->
""",
    "kernels for A2 and A3 have no dynamic UB": """
aclrtFunctionGetAvailDynUbufPerBlock        -> dynamic_ubuf_size
""",
    "there is one kind of memory; aclrtGetMemInfo knows how much, aclrtPointerGetAttributes where an address lies": """
aclrtMallocForTaskScheduler                 -> dev_ptr
aclrtGetMemUsageInfo                        ->
aclrtCheckMemType                           -> check_result
aclrtMemGetAddressRange                     -> pbase, psize
""",
    "copies by descriptor, offset or condition are not there; use aclrtMemcpyAsync": """
aclrtMemcpyAsyncWithCondition               ->
aclrtGetMemcpyDescSize                      -> desc_size
aclrtSetMemcpyDesc                          ->
aclrtMemcpyAsyncWithOffset                  ->
aclrtMemcpyAsyncWithDesc                    ->
""",
    "variables of the device code are found by name; use aclrtBinaryGetGlobal and aclrtMemcpy": """
aclrtGetSymbolAddress                       -> dev_ptr
aclrtGetSymbolSize                          -> size
aclrtMemcpyFromSymbol                       ->
aclrtMemcpyFromSymbolAsync                  ->
aclrtMemcpyToSymbol                         ->
aclrtMemcpyToSymbolAsync                    ->
""",
    "there is no cache to control; aclrtCmoAsync is accepted": """
aclrtCmoAsyncWithBarrier                    ->
aclrtCmoWaitBarrier                         ->
aclrtCmoGetDescSize                         -> size
aclrtCmoSetDesc                             ->
aclrtCmoAsyncWithDesc                       ->
""",
    "batches of copies are not there; call aclrtMemcpyAsync for each": """
aclrtMemcpyBatch                            -> fail_index
aclrtMemcpyBatchV2                          ->
aclrtMemcpyBatchAsync                       -> fail_index
aclrtMemcpyBatchAsyncV2                     ->
""",
    "random numbers are not made by the device; use a kernel": """
aclrtRandomNumAsync                         ->
""",
    "tasks of a model are changed with aclmdlRICaptureTaskUpdateBegin; they cannot be listed": """
aclmdlRITaskGetParams                       -> params
aclmdlRITaskSetParams                       ->
aclmdlRIKernelTaskGetAttribute              -> attr_value
aclmdlRIUpdate                              ->
aclmdlRITaskDisable                         ->
aclmdlRISetName                             ->
aclmdlRIGetName                             -> name
aclmdlRIGetId                               -> model_r_i_id
aclmdlRIDestroyRegisterCallback             ->
aclmdlRIDestroyUnregisterCallback           ->
aclmdlRIGetStreams                          -> num_streams
aclmdlRIGetTasksByStream                    -> num_tasks
aclmdlRITaskGetType                         -> type
aclmdlRITaskGetSeqId                        -> id
aclmdlRIAbort                               ->
""",
    "models are not printed; use aclmdlRIDebugJsonPrint": """
aclmdlRIDebugPrint                          ->
""",
    "models are made by capturing a stream; use aclmdlRICaptureBegin": """
aclmdlRIBuildBegin                          -> model_r_i
aclmdlRIBindStream                          ->
aclmdlRIEndTask                             ->
aclmdlRIBuildEnd                            ->
aclmdlRIUnbindStream                        ->
aclmdlRICondHandleCreate                    -> handle
aclmdlRICondHandleGetCondPtr                -> ptr
aclmdlRIAddCondTask                         ->
aclmdlRICaptureToModelRIBegin               ->
""",
    "managed memory is not there; use aclrtMalloc and aclrtMemcpy": """
aclrtMemManagedGetAttr                      ->
aclrtMemManagedGetAttrs                     -> data
aclrtMemAllocManaged                        -> ptr
aclrtMemManagedAdvise                       ->
aclrtMemManagedPrefetchAsync                ->
aclrtMemManagedPrefetchBatchAsync           ->
""",
    "virtual and physical memory are one here; use aclrtMalloc": """
aclrtReserveMemAddress                      -> vir_ptr
aclrtReleaseMemAddress                      ->
aclrtMallocPhysical                         -> handle
aclrtFreePhysical                           ->
aclrtMapMem                                 ->
aclrtUnmapMem                               ->
aclrtMemMapNoAccess                         ->
aclrtMemGetAllocationGranularity            -> granularity
aclrtMemSetAccess                           ->
aclrtMemGetAccess                           -> flag
aclrtMemRetainAllocationHandle              -> handle
aclrtMemGetAllocationPropertiesFromHandle   -> prop
aclrtReserveMemAddressNoUCMemory            -> vir_ptr
aclrtMemP2PMap                              ->
aclrtMemMapSelectedLink                     ->
aclrtMemMapSetLink                          ->
""",
    "tasks carry no notes; `aclimb profile` shows them": """
aclrtGetThreadLastTaskId                    -> task_id
aclrtProfTrace                              ->
aclrtCacheLastTaskOpInfo                    ->
aclrtCacheLastTaskExtendInfo                ->
""",
    "streams have flags and are served alike; use aclrtCreateStreamWithConfig": """
aclrtCreateStreamConfigHandle               => value
aclrtDestroyStreamConfigHandle              ->
aclrtSetStreamConfigOpt                     ->
aclrtCreateStreamV2                         -> stream
aclrtStreamGetPriority                      -> priority
""",
    "overflow is not detected; results are those of the instructions": """
aclrtGetOverflowStatus                      ->
aclrtResetOverflowStatus                    ->
aclrtCtxGetFloatOverflowAddr                -> overflow_addr
aclrtGetFloatOverflowStatus                 ->
aclrtResetFloatOverflowStatus               ->
aclrtNpuGetFloatOverFlowStatus              ->
aclrtNpuClearFloatOverFlowStatus            ->
""",
    "a stream runs its tasks in order, without labels and switches; decide on the host": """
aclrtCreateLabel                            -> label
aclrtSetLabel                               ->
aclrtDestroyLabel                           ->
aclrtCreateLabelList                        -> label_list
aclrtDestroyLabelList                       ->
aclrtSwitchLabelByIndex                     ->
aclrtActiveStream                           ->
aclrtSwitchStream                           ->
aclrtStreamStop                             ->
aclrtTaskUpdateAsync                        ->
aclrtPersistentTaskClean                    ->
""",
    "starts and ends are not told; call the function after aclInit": """
aclInitCallbackRegister                     ->
aclInitCallbackUnRegister                   ->
aclFinalizeCallbackRegister                 ->
aclFinalizeCallbackUnRegister               ->
""",
}
