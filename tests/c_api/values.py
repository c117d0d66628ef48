# SPDX-License-Identifier: Apache-2.0
"""Values and layouts of the published interface, written from its documentation: the test compares our headers with them.

Names stand without their common prefix; a name without a number has the number after the last one's.
"""

ENUMS = [
    (
        "aclDataType",
        "ACL_",
        """
        DT_UNDEFINED -1, FLOAT, FLOAT16, INT8, INT32, UINT8, INT16 6, UINT16, UINT32, INT64, UINT64, DOUBLE, BOOL, STRING, COMPLEX64
        16, COMPLEX128, BF16 27, INT4 29, UINT1, COMPLEX32 33, HIFLOAT8, FLOAT8_E5M2, FLOAT8_E4M3FN, FLOAT8_E8M0, FLOAT6_E3M2,
        FLOAT6_E2M3, FLOAT4_E2M1, FLOAT4_E1M2 41
        """,
    ),
    (
        "aclFormat",
        "ACL_FORMAT_",
        """
        UNDEFINED -1, NCHW 0, NHWC 1, ND 2, NC1HWC0 3, FRACTAL_Z 4, NC1HWC0_C04 12, HWCN 16, NDHWC 27, FRACTAL_NZ 29, NCDHW 30,
        NDC1HWC0 32, NC 35, NCL 47, FRACTAL_NZ_C0_16 50, FRACTAL_NZ_C0_32 51, FRACTAL_NZ_C0_2 52, FRACTAL_NZ_C0_4 53,
        FRACTAL_NZ_C0_8 54
        """,
    ),
    ("aclFormat", "ACL_", "FRACTAL_Z_3D 33"),
    ("aclLogLevel", "ACL_", "DEBUG 0, INFO, WARNING, ERROR"),
    ("aclMemType", "ACL_MEMTYPE_", "DEVICE 0, HOST, HOST_COMPILE_INDEPENDENT"),
    ("aclSysParamOpt", "ACL_OPT_", "DETERMINISTIC 0, ENABLE_DEBUG_KERNEL, STRONG_CONSISTENCY, ENABLE_KERNEL_EARLY_START"),
    ("aclCannAttr", "ACL_CANN_ATTR_", "UNDEFINED -1, INF_NAN, BF16, JIT_COMPILE"),
    ("aclDeviceInfo", "ACL_DEVICE_INFO_", "UNDEFINED -1, AI_CORE_NUM, VECTOR_CORE_NUM, L2_SIZE"),
    ("aclrtRunMode", "ACL_", "DEVICE 0, HOST"),
    ("aclrtLastErrLevel", "ACL_RT_", "THREAD_LEVEL 0"),
    (
        "aclrtMemcpyKind",
        "ACL_MEMCPY_",
        """
        HOST_TO_HOST 0, HOST_TO_DEVICE, DEVICE_TO_HOST, DEVICE_TO_DEVICE, DEFAULT, HOST_TO_BUF_TO_DEVICE, INNER_DEVICE_TO_DEVICE,
        INTER_DEVICE_TO_DEVICE 7
        """,
    ),
    (
        "aclrtMemMallocPolicy",
        "ACL_MEM_",
        """
        MALLOC_HUGE_FIRST 0, MALLOC_HUGE_ONLY, MALLOC_NORMAL_ONLY, MALLOC_HUGE_FIRST_P2P, MALLOC_HUGE_ONLY_P2P,
        MALLOC_NORMAL_ONLY_P2P, MALLOC_HUGE1G_ONLY, MALLOC_HUGE1G_ONLY_P2P 7, TYPE_LOW_BAND_WIDTH 0x100, TYPE_HIGH_BAND_WIDTH
        0x1000, ACCESS_USER_SPACE_READONLY 0x100000
        """,
    ),
    (
        "aclrtMemAttr",
        "ACL_",
        """
        DDR_MEM 0, HBM_MEM, DDR_MEM_HUGE, DDR_MEM_NORMAL, HBM_MEM_HUGE, HBM_MEM_NORMAL, DDR_MEM_P2P_HUGE, DDR_MEM_P2P_NORMAL,
        HBM_MEM_P2P_HUGE, HBM_MEM_P2P_NORMAL, HBM_MEM_HUGE1G, HBM_MEM_P2P_HUGE1G, MEM_NORMAL, MEM_HUGE, MEM_HUGE1G, MEM_P2P_NORMAL,
        MEM_P2P_HUGE, MEM_P2P_HUGE1G 17
        """,
    ),
    ("aclrtMallocAttrType", "ACL_RT_MEM_ATTR_", "RSV 0, MODULE_ID, DEVICE_ID, VA_FLAG"),
    ("aclrtHostRegisterType", "ACL_HOST_REGISTER_", "MAPPED 0, IOMEMORY 4, READONLY 8"),
    ("aclrtMemLocationType", "ACL_MEM_LOCATION_TYPE_", "HOST 0, DEVICE, UNREGISTERED, MANAGED, HOST_NUMA"),
    ("aclrtEventStatus", "ACL_EVENT_STATUS_", "COMPLETE 0, NOT_READY, RESERVED"),
    ("aclrtEventRecordedStatus", "ACL_EVENT_RECORDED_STATUS_", "NOT_READY 0, COMPLETE"),
    ("aclrtEventWaitStatus", "ACL_EVENT_WAIT_STATUS_", "COMPLETE 0, NOT_READY, RESERVED 0xFFFF"),
    ("aclrtStreamStatus", "ACL_STREAM_STATUS_", "COMPLETE 0, NOT_READY, RESERVED 0xFFFF"),
    ("aclrtCallbackBlockType", "ACL_CALLBACK_", "NO_BLOCK 0, BLOCK"),
    ("aclrtDeviceStatus", "ACL_RT_DEVICE_STATUS_", "NORMAL 0, ABNORMAL, END 0xFFFF"),
    ("aclrtBinaryLoadOptionType", "ACL_RT_BINARY_LOAD_OPT_", "LAZY_LOAD 1, LAZY_MAGIC 2, MAGIC 2, CPU_KERNEL_MODE 3"),
    (
        "aclrtLaunchKernelAttrId",
        "ACL_RT_LAUNCH_KERNEL_ATTR_",
        """
        SCHEM_MODE 1, DYN_UBUF_SIZE 2, LOCAL_MEMORY_SIZE 2, ENGINE_TYPE 3, BLOCKDIM_OFFSET, BLOCK_TASK_PREFETCH, DATA_DUMP, TIMEOUT,
        TIMEOUT_US, ENABLE_PROFILING 9
        """,
    ),
    ("aclrtEngineType", "ACL_RT_ENGINE_TYPE_", "AIC 0, AIV"),
    ("aclrtKernelType", "ACL_KERNEL_TYPE_", "AICORE 0, CUBE, VECTOR, MIX, AICPU 100"),
    ("aclrtFuncAttribute", "ACL_FUNC_ATTR_", "KERNEL_TYPE 1, KERNEL_RATIO, KERNEL_SCHED_MODE"),
    ("aclrtStreamAttr", "ACL_STREAM_ATTR_", "FAILURE_MODE 1, FLOAT_OVERFLOW_CHECK, USER_CUSTOM_TAG, CACHE_OP_INFO, PRIORITY"),
    ("aclrtDevResLimitType", "ACL_RT_DEV_RES_", "CUBE_CORE 0, VECTOR_CORE"),
    ("aclrtCmoType", "ACL_RT_CMO_TYPE_", "PREFETCH 0, WRITEBACK, INVALID, FLUSH"),
    (
        "aclrtDevAttr",
        "ACL_DEV_ATTR_",
        """
        AICPU_CORE_NUM 1, AICORE_CORE_NUM 101, CUBE_CORE_NUM, VECTOR_CORE_NUM 201, WARP_SIZE, MAX_THREAD_PER_VECTOR_CORE,
        UBUF_PER_VECTOR_CORE 204, LOCAL_MEM_PER_VECTOR_CORE 204, MAX_GRID_DIM_X 205, MAX_GRID_DIM_Y, MAX_GRID_DIM_Z,
        MAX_BLOCK_PER_GRID, MAX_THREADS_PER_BLOCK, MAX_BLOCK_DIM_X, MAX_BLOCK_DIM_Y, MAX_BLOCK_DIM_Z 212, TOTAL_GLOBAL_MEM_SIZE 301,
        L2_CACHE_SIZE, SMP_ID 401, PHY_CHIP_ID, SUPER_POD_DEVICE_ID 403, SUPER_POD_DEVIDE_ID 403, SUPER_POD_SERVER_ID, SUPER_POD_ID,
        CUST_OP_PRIVILEGE, MAINBOARD_ID, HD_CONNECT_TYPE, DEVICE_FORM_FACTOR 409, IS_VIRTUAL 501, NPU_ARCH 601
        """,
    ),
    ("aclmdlRICaptureMode", "ACL_MODEL_RI_CAPTURE_MODE_", "GLOBAL 0, THREAD_LOCAL, RELAXED"),
    ("aclmdlRICaptureStatus", "ACL_MODEL_RI_CAPTURE_STATUS_", "NONE 0, ACTIVE, INVALIDATED"),
    ("aclopEngineType", "ACL_ENGINE_", "SYS 0, AICORE, VECTOR"),
    (
        "rtMemcpyKind_t",
        "RT_MEMCPY_",
        """
        HOST_TO_HOST 0, HOST_TO_DEVICE, DEVICE_TO_HOST, DEVICE_TO_DEVICE, MANAGED, ADDR_DEVICE_TO_DEVICE, HOST_TO_DEVICE_EX,
        DEVICE_TO_HOST_EX
        """,
    ),
]

MACROS = [
    ("ACL_", "MAJOR_VERSION 1, MINOR_VERSION 17, PATCH_VERSION 0"),
    ("ACL_EVENT_", "SYNC 1, CAPTURE_STREAM_PROGRESS 2, TIME_LINE 8, DEVICE_USE_ONLY 0x10, EXTERNAL 0x20, IPC 0x40"),
    ("ACL_STREAM_", "FAST_LAUNCH 1, FAST_SYNC 2, PERSISTENT 4, HUGE 8, CPU_SCHEDULE 0x10, DEVICE_USE_ONLY 0x20"),
    ("ACL_STREAM_WAIT_VALUE_", "GEQ 0, EQ 1, AND 2, NOR 3"),
    ("ACL_", "CONTINUE_ON_FAILURE 0, STOP_ON_FAILURE 1"),
    ("ACL_HOST_REG_", "MAPPED 2, IOMEMORY 4, READONLY 8, PINNED 0x10000000"),
    ("ACL_RT_BINARY_MAGIC_ELF_", "AICORE 0x43554245, VECTOR_CORE 0x41415246, CUBE_CORE 0x41494343"),
    ("ACL_", "PKG_VERSION_MAX_SIZE 128, PKG_VERSION_PARTS_MAX_SIZE 64, TENSOR_SHAPE_RANGE_NUM 2, TENSOR_VALUE_RANGE_NUM 2"),
    ("ACL_", "UNKNOWN_RANK 0xFFFFFFFFFFFFFFFE"),
    ("ACL_COMPILE_FLAG_", "BIN_SELECTOR 1"),
    ("RT_DEV_BINARY_MAGIC_", "ELF 0x43554245, ELF_AIVEC 0x41415246, ELF_AICUBE 0x41494343, ELF_AICPU 0x41415243"),
    ("RT_MEMORY_", "HBM 2, POLICY_HUGE_PAGE_FIRST 0x400, POLICY_HUGE_PAGE_ONLY 0x800, POLICY_DEFAULT_PAGE_ONLY 0x1000"),
    ("MSPROF_", "REPORT_DATA_MAGIC_NUM 0x5A5A, REPORT_NODE_LEVEL 10000, REPORT_NODE_LAUNCH_TYPE 5"),
]

# size; then name and offset of each member
STRUCTS = {
    "aclrtLaunchKernelCfg": (16, "attrs 0, numAttrs 8"),
    "aclrtLaunchKernelAttr": (20, "id 0, value 4"),
    "aclrtLaunchKernelAttrValue": (
        16,
        """
        schemMode 0, localMemorySize 0, dynUBufSize 0, engineType 0, blockDimOffset 0, isBlockTaskPrefetch 0, isDataDump 0, timeout
        0, timeoutUs 0, enableProfiling 0, rsv 0
        """,
    ),
    "aclrtTimeoutUs": (8, "timeoutLow 0, timeoutHigh 4"),
    "aclrtPlaceHolderInfo": (8, "addrOffset 0, dataOffset 4"),
    "aclrtBinaryLoadOptions": (16, "options 0, numOpt 8"),
    "aclrtBinaryLoadOption": (20, "type 0, value 4"),
    "aclrtBinaryLoadOptionValue": (16, "isLazyLoad 0, magic 0, cpuKernelMode 0, rsv 0"),
    "aclrtMallocConfig": (16, "attrs 0, numAttrs 8"),
    "aclrtMallocAttribute": (12, "attr 0, value 4"),
    "aclrtStreamAttrValue": (16, "failureMode 0, overflowSwitch 0, userCustomTag 0, cacheOpInfoSwitch 0, streamPriority 0, reserve 0"),
    "aclrtMemLocation": (8, "id 0, type 4"),
    "aclrtPtrAttributes": (28, "location 0, pageSize 8, rsv 12"),
    "dim3": (12, "x 0, y 4, z 8"),
    "aclrtStreamConfigHandle": (32, ""),
    "aclrtUtilizationInfo": (24, ""),
    "aclrtPhysicalMemProp": (32, ""),
    "aclrtMemAccessDesc": (24, ""),
    "aclrtMemcpyBatchAttr": (32, ""),
    "aclmdlRIKernelTaskParams": (88, ""),
    "aclmdlRITaskParams": (200, ""),
    "aclCANNPackageVersion": (512, ""),
    "aclrtErrorInfo": (2576, ""),
    "rtDevBinary_t": (24, "magic 0, version 4, data 8, length 16"),
    "MsprofApi": (40, "magicNumber 0, level 2, type 4, threadId 8, beginTime 16, endTime 24, itemId 32"),
    "MsprofCompactInfo": (64, "magicNumber 0, level 2, type 4, threadId 8, dataLen 12, timeStamp 16, data 24"),
    "MsprofAdditionalInfo": (256, "magicNumber 0, level 2, type 4, threadId 8, dataLen 12, timeStamp 16, data 24"),
    "MsprofNodeBasicInfo": (28, "opName 0, taskType 8, opType 12, blockDim 20, opFlag 24"),
    "MsprofTensorInfo": (232, "opName 0, tensorNum 8, tensorData 12"),
    "MsprofContextIdInfo": (232, "opName 0, ctxIdNum 8, ctxIds 12"),
}

HANDLES = """
aclrtStream, aclrtEvent, aclrtContext, aclrtNotify, aclrtCntNotify, aclrtLabel, aclrtLabelList, aclrtMbuf, aclrtAllocatorDesc,
aclrtAllocator, aclrtAllocatorBlock, aclrtAllocatorAddr, aclrtTaskGrp, aclrtDrvMemHandle, aclrtBinary, aclrtBinHandle,
aclrtFuncHandle, aclrtArgsHandle, aclrtParamHandle, aclmdlRI, aclmdlRITask, aclmdlRICondHandle, aclrtMemPool, rtStream_t
"""

CALLBACKS = {
    "aclrtCallback": "void (*)(void*)",
    "aclrtHostFunc": "void (*)(void*)",
    "aclrtExceptionInfoCallback": "void (*)(aclrtExceptionInfo*)",
    "aclrtOpExceptionCallback": "void (*)(aclrtExceptionInfo*, void*)",
    "aclrtStreamStateCallback": "void (*)(aclrtStream, aclrtStreamState, void*)",
    "aclrtDeviceStateCallback": "void (*)(int32_t, aclrtDeviceState, void*)",
    "aclrtDeviceTaskAbortCallback": "int32_t (*)(int32_t, aclrtDeviceTaskAbortStage, uint32_t, void*)",
    "aclDataDeallocator": "void (*)(void*, size_t)",
    "aclopCompileFunc": "aclError (*)(int, const aclTensorDesc* const*, int, const aclTensorDesc* const*, const aclopAttr*, "
    "aclopKernelDesc*)",
}

# Codes, without ACL_ERROR_, by the number of the first; what the documents name in ranges is left out.
CODES = {
    100000: """
        INVALID_PARAM, UNINITIALIZE, REPEAT_INITIALIZE, INVALID_FILE, WRITE_FILE, INVALID_FILE_SIZE, PARSE_FILE, FILE_MISSING_ATTR,
        FILE_ATTR_INVALID, INVALID_DUMP_CONFIG, INVALID_PROFILING_CONFIG, INVALID_MODEL_ID, DESERIALIZE_MODEL, PARSE_MODEL,
        READ_MODEL_FAILURE, MODEL_SIZE_INVALID, MODEL_MISSING_ATTR, MODEL_INPUT_NOT_MATCH, MODEL_OUTPUT_NOT_MATCH,
        MODEL_NOT_DYNAMIC, OP_TYPE_NOT_MATCH, OP_INPUT_NOT_MATCH, OP_OUTPUT_NOT_MATCH, OP_ATTR_NOT_MATCH, OP_NOT_FOUND,
        OP_LOAD_FAILED, UNSUPPORTED_DATA_TYPE, FORMAT_NOT_MATCH, BIN_SELECTOR_NOT_REGISTERED, KERNEL_NOT_FOUND,
        BIN_SELECTOR_ALREADY_REGISTERED, KERNEL_ALREADY_REGISTERED, INVALID_QUEUE_ID, REPEAT_SUBSCRIBE, STREAM_NOT_SUBSCRIBE,
        THREAD_NOT_SUBSCRIBE, WAIT_CALLBACK_TIMEOUT, REPEAT_FINALIZE, NOT_STATIC_AIPP, COMPILING_STUB_MODE, GROUP_NOT_SET,
        GROUP_NOT_CREATE, PROF_ALREADY_RUN, PROF_NOT_RUN, DUMP_ALREADY_RUN, DUMP_NOT_RUN
    """,
    148046: """
        PROF_REPEAT_SUBSCRIBE, PROF_API_CONFLICT, INVALID_MAX_OPQUEUE_NUM_CONFIG, INVALID_OPP_PATH, OP_UNSUPPORTED_DYNAMIC,
        RELATIVE_RESOURCE_NOT_CLEARED, UNSUPPORTED_JPEG, INVALID_BUNDLE_MODEL_ID
    """,
    200000: """
        BAD_ALLOC, API_NOT_SUPPORT, INVALID_DEVICE, MEMORY_ADDRESS_UNALIGNED, RESOURCE_NOT_MATCH, INVALID_RESOURCE_HANDLE,
        FEATURE_UNSUPPORTED, PROF_MODULES_UNSUPPORTED
    """,
    300000: "STORAGE_OVER_LIMIT",
    500000: "INTERNAL_ERROR, FAILURE, GE_FAILURE, RT_FAILURE, DRV_FAILURE, PROFILING_FAILURE",
    107000: """
        RT_PARAM_INVALID, RT_INVALID_DEVICEID, RT_CONTEXT_NULL, RT_STREAM_CONTEXT, RT_MODEL_CONTEXT, RT_STREAM_MODEL,
        RT_EVENT_TIMESTAMP_INVALID, RT_EVENT_TIMESTAMP_REVERSAL, RT_ADDR_UNALIGNED, RT_FILE_OPEN, RT_FILE_WRITE,
        RT_STREAM_SUBSCRIBE, RT_THREAD_SUBSCRIBE, RT_GROUP_NOT_SET, RT_GROUP_NOT_CREATE, RT_STREAM_NO_CB_REG,
        RT_INVALID_MEMORY_TYPE, RT_INVALID_HANDLE, RT_INVALID_MALLOC_TYPE, RT_WAIT_TIMEOUT, RT_TASK_TIMEOUT, RT_SYSPARAMOPT_NOT_SET,
        RT_DEVICE_TASK_ABORT, RT_STREAM_ABORT, RT_CAPTURE_DEPENDENCY, RT_STREAM_UNJOINED, RT_MODEL_CAPTURED, RT_STREAM_CAPTURED,
        RT_EVENT_CAPTURED, RT_STREAM_NOT_CAPTURED, RT_CAPTURE_MODE_NOT_SUPPORT, RT_STREAM_CAPTURE_IMPLICIT, STREAM_CAPTURE_CONFLICT,
        STREAM_TASK_GROUP_STATUS, STREAM_TASK_GROUP_INTR, RT_TASK_ABORT_STOP, RT_STREAM_CAPTURE_UNMATCHED, RT_MODEL_RUNNING,
        RT_STREAM_CAPTURE_WRONG_THREAD, RT_INSUFFICIENT_INPUT_ARRAY, RT_MODEL_UPDATE_FAILED
    """,
    107042: "RT_SYMBOL_NOT_FOUND, RT_INVALID_SYMBOL, RT_INVALID_DEVICE_FUNCTION, RT_SUB_ACLGRAPH_IS_CAPTURING",
    207000: """
        RT_FEATURE_NOT_SUPPORT, RT_MEMORY_ALLOCATION, RT_MEMORY_FREE, RT_AICORE_OVER_FLOW, RT_NO_DEVICE, RT_RESOURCE_ALLOC_FAIL,
        RT_NO_PERMISSION, RT_NO_EVENT_RESOURCE, RT_NO_STREAM_RESOURCE, RT_NO_NOTIFY_RESOURCE, RT_NO_MODEL_RESOURCE,
        RT_NO_CDQ_RESOURCE, RT_OVER_LIMIT, RT_QUEUE_EMPTY, RT_QUEUE_FULL, RT_REPEATED_INIT, RT_AIVEC_OVER_FLOW, RT_OVER_FLOW,
        RT_DEVICE_OOM, RT_FEATURE_NOT_SUPPORT_UPDATE_OP, RT_TIMEOUT, RT_LINK_TYPE_NOT_SUPPORTED
    """,
    507000: """
        RT_INTERNAL_ERROR, RT_TS_ERROR, RT_STREAM_TASK_FULL, RT_STREAM_TASK_EMPTY, RT_STREAM_NOT_COMPLETE, RT_END_OF_SEQUENCE,
        RT_EVENT_NOT_COMPLETE, RT_CONTEXT_RELEASE_ERROR, RT_SOC_VERSION, RT_TASK_TYPE_NOT_SUPPORT, RT_LOST_HEARTBEAT,
        RT_MODEL_EXECUTE, RT_REPORT_TIMEOUT, RT_SYS_DMA, RT_AICORE_TIMEOUT, RT_AICORE_EXCEPTION, RT_AICORE_TRAP_EXCEPTION,
        RT_AICPU_TIMEOUT, RT_AICPU_EXCEPTION
    """,
    507024: "RT_KERNEL_UNREGISTERING",
    507027: "RT_KERNEL_LOOKUP, RT_KERNEL_DUPLICATE",
    507034: "RT_VECTOR_CORE_TIMEOUT, RT_VECTOR_CORE_EXCEPTION, RT_VECTOR_CORE_TRAP_EXCEPTION",
    507042: """
        RT_AICORE_TRAP_READ_OVERFLOW, RT_AICORE_TRAP_WRITE_OVERFLOW, RT_VECTOR_CORE_TRAP_READ_OVERFLOW,
        RT_VECTOR_CORE_TRAP_WRITE_OVERFLOW, RT_STREAM_SYNC_TIMEOUT, RT_EVENT_SYNC_TIMEOUT, RT_FFTS_PLUS_TIMEOUT
    """,
    507053: "RT_DEVICE_MEM_ERROR",
    507899: "RT_DRV_INTERNAL_ERROR",
    507903: "RT_STREAM_CAPTURE_INVALIDATED",
}


def words(text: str) -> list[str]:
    return [each.strip() for each in text.split(",") if each.strip()]


def numbered(text: str) -> list[tuple[str, int]]:
    found: list[tuple[str, int]] = []
    for each in words(text):
        name, *number = each.split()
        found.append((name, int(number[0], 0) if number else found[-1][1] + 1))
    return found


def static_asserts() -> list[str]:
    """One line for each fact."""
    lines = [_same(prefix + name, f"({kind})({number})") for kind, prefix, text in ENUMS for name, number in numbered(text)]
    lines += [_same(prefix + name, f"{number}u") for prefix, text in MACROS for name, number in numbered(text)]
    lines += [_same(f"ACL_ERROR_{name}", str(first + place)) for first, text in CODES.items() for place, name in enumerate(words(text))]
    for name, (size, members) in STRUCTS.items():
        lines.append(_same(f"sizeof({name})", str(size)))
        lines += [_same(f"offsetof({name}, {member})", str(offset)) for member, offset in numbered(members)]
    numbers = {"aclError": "int", "aclFloat16": "uint16_t", "aclnnStatus": "int32_t", "rtError_t": "int32_t"}
    types = {**dict.fromkeys(words(HANDLES), "void*"), **CALLBACKS, **numbers}
    lines += [_same(f"std::is_same<{name}, {shape}>::value", "true") for name, shape in types.items()]
    return [*lines, _same("ACL_SUCCESS + ACL_ERROR_NONE + ACL_RT_SUCCESS + OK", "0")]


def _same(found: str, wanted: str) -> str:
    return f'static_assert({found} == {wanted}, "{found}");'
