// SPDX-License-Identifier: Apache-2.0
// gert::TilingContext: shapes in; key, blocks, workspaces and tiling data out.
#pragma once
#include <limits>

#include "exe_graph/runtime/continuous_vector.h"
#include "exe_graph/runtime/extended_kernel_context.h"
#include "exe_graph/runtime/runtime_tensor.h"
#include "exe_graph/runtime/tiling_data.h"
#include "platform/platform_infos_def.h"

namespace gert {
struct Dim3 {
    uint32_t x, y, z;
    Dim3(uint32_t in_x = 1, uint32_t in_y = 1, uint32_t in_z = 1) : x(in_x), y(in_y), z(in_z) {}
};

class TilingContext : public ExtendedKernelContext {
  public:
    // The values behind the node's inputs and outputs, and what a callback sets.
    enum TilingInput {
        kInputCompileInfo,
        kInputPlatformInfo,
        kInputFrameworkData,
        kInputDeterministic,
        kInputDeterministicLevel,
        kInputEnd
    };
    enum TilingOutput {
        kOutputTilingKey,
        kOutputBlockDim,
        kOutputAtomicCleanFlag,
        kOutputTilingData,
        kOutputWorkspace,
        kOutputTilingCond,
        kOutputScheduleMode,
        kOutputLocalMemorySize,
        kOutputAicpuBlockDim,
        kOutputSimtBlockDim,
        kOutputSimtGridDim,
        kOutputEnd
    };

    const void* GetCompileInfo() const { return GetInputValue<const void*>(Behind(kInputCompileInfo)); }
    template <typename T> const T* GetCompileInfo() const { return static_cast<const T*>(GetCompileInfo()); }
    fe::PlatFormInfos* GetPlatformInfo() const { return GetInputValue<fe::PlatFormInfos*>(Behind(kInputPlatformInfo)); }
    int32_t GetDeterministic() const { return GetInputValue<int32_t>(Behind(kInputDeterministic)); }
    int32_t GetDeterministicLevel() const { return GetInputValue<int32_t>(Behind(kInputDeterministicLevel)); }

    // --- shapes, and tensors of inputs whose values tiling was declared to need

    const StorageShape* GetInputShape(size_t index) const { return ShapeOf(GetInputTensor(index)); }
    const StorageShape* GetOptionalInputShape(size_t ir_index) const { return GetDynamicInputShape(ir_index, 0); }
    const StorageShape* GetRequiredInputShape(size_t ir_index) const { return GetDynamicInputShape(ir_index, 0); }
    const StorageShape* GetDynamicInputShape(size_t ir_index, size_t relative_index) const {
        return GetInputShape(InputInstance(ir_index, relative_index));
    }
    const StorageShape* GetOutputShape(size_t index) const { return ShapeOf(Output<Tensor>(index)); }
    const Tensor* GetInputTensor(size_t index) const { return Input<Tensor>(index); }
    const Tensor* GetOptionalInputTensor(size_t ir_index) const { return GetDynamicInputTensor(ir_index, 0); }
    const Tensor* GetRequiredInputTensor(size_t ir_index) const { return GetDynamicInputTensor(ir_index, 0); }
    const Tensor* GetDynamicInputTensor(size_t ir_index, size_t relative_index) const {
        return GetInputTensor(InputInstance(ir_index, relative_index));
    }

    // --- views: false, nullptr and -1 unless the tensor is a TensorV2

    bool InputIsView(size_t index) const { return View(GetInputTensor(index)) != nullptr; }
    const Stride* GetInputStride(size_t index) const { return StrideOf(GetInputTensor(index)); }
    int64_t GetInputOffset(size_t index) const { return OffsetOf(GetInputTensor(index)); }
    bool OptionalInputIsView(size_t ir_index) const { return DynamicInputIsView(ir_index, 0); }
    const Stride* GetOptionalInputStride(size_t ir_index) const { return GetDynamicInputStride(ir_index, 0); }
    int64_t GetOptionalInputOffset(size_t ir_index) const { return GetDynamicInputOffset(ir_index, 0); }
    bool RequiredInputIsView(size_t ir_index) const { return DynamicInputIsView(ir_index, 0); }
    const Stride* GetRequiredInputStride(size_t ir_index) const { return GetDynamicInputStride(ir_index, 0); }
    int64_t GetRequiredInputOffset(size_t ir_index) const { return GetDynamicInputOffset(ir_index, 0); }
    bool DynamicInputIsView(size_t ir_index, size_t relative_index) const { return InputIsView(InputInstance(ir_index, relative_index)); }
    const Stride* GetDynamicInputStride(size_t ir_index, size_t relative_index) const {
        return GetInputStride(InputInstance(ir_index, relative_index));
    }
    int64_t GetDynamicInputOffset(size_t ir_index, size_t relative_index) const {
        return GetInputOffset(InputInstance(ir_index, relative_index));
    }
    bool OutputIsView(size_t index) const { return View(Output<Tensor>(index)) != nullptr; }
    const Stride* GetOutputStride(size_t index) const { return StrideOf(Output<Tensor>(index)); }
    int64_t GetOutputOffset(size_t index) const { return OffsetOf(Output<Tensor>(index)); }

    // --- what tiling decides

    ge::graphStatus SetTilingKey(uint64_t tiling_key) { return Put(kOutputTilingKey, tiling_key); }
    uint64_t GetTilingKey() const { return Get(kOutputTilingKey, std::numeric_limits<uint64_t>::max()); }
    ge::graphStatus SetBlockDim(uint32_t block_dim) { return Put(kOutputBlockDim, block_dim); }
    uint32_t GetBlockDim() const { return Get(kOutputBlockDim, std::numeric_limits<uint32_t>::max()); }
    ge::graphStatus SetSimdNumBlocks(uint32_t num_blocks) { return SetBlockDim(num_blocks); }
    uint32_t GetSimdNumBlocks() const { return GetBlockDim(); }
    ge::graphStatus SetNeedAtomic(bool atomic) { return Put(kOutputAtomicCleanFlag, atomic); }
    bool NeedAtomic() const { return Get(kOutputAtomicCleanFlag, false); }
    ge::graphStatus SetTilingCond(int32_t tiling_cond) { return Put(kOutputTilingCond, tiling_cond); }
    int32_t GetTilingCond() const { return Get(kOutputTilingCond, int32_t{-1}); }
    ge::graphStatus SetScheduleMode(uint32_t schedule_mode) { return Put(kOutputScheduleMode, schedule_mode); }
    uint32_t GetScheduleMode() const { return Get(kOutputScheduleMode, uint32_t{0}); }
    ge::graphStatus SetLocalMemorySize(uint32_t size) { return Put(kOutputLocalMemorySize, size); }
    uint32_t GetLocalMemorySize() const { return Get(kOutputLocalMemorySize, std::numeric_limits<uint32_t>::max()); }
    ge::graphStatus SetDynUBufSize(uint32_t size) { return SetLocalMemorySize(size); }
    uint32_t GetDynUBufSize() const { return GetLocalMemorySize(); }
    ge::graphStatus SetAicpuBlockDim(uint32_t block_dim) { return Put(kOutputAicpuBlockDim, block_dim); }
    uint32_t GetAicpuBlockDim() const { return Get(kOutputAicpuBlockDim, std::numeric_limits<uint32_t>::max()); }
    ge::graphStatus SetAicpuNumBlocks(uint32_t num_blocks) { return SetAicpuBlockDim(num_blocks); }
    uint32_t GetAicpuNumBlocks() const { return GetAicpuBlockDim(); }
    ge::graphStatus SetSimtBlockDim(const Dim3& dim) { return PutDim(kOutputSimtBlockDim, dim); }
    const Dim3* GetSimtBlockDim() const { return GetOutputPointer<Dim3>(kOutputSimtBlockDim); }
    ge::graphStatus SetSimtGridDim(const Dim3& dim) { return PutDim(kOutputSimtGridDim, dim); }
    const Dim3* GetSimtGridDim() const { return GetOutputPointer<Dim3>(kOutputSimtGridDim); }

    TilingData* GetRawTilingData() { return GetOutputPointer<TilingData>(kOutputTilingData); }
    // The data have the size of T from now on; nullptr when it does not fit.
    template <typename T> T* GetTilingData() {
        TilingData* data = GetRawTilingData();
        if (data == nullptr || data->GetCapacity() < sizeof(T)) return nullptr;
        data->SetDataSize(sizeof(T));
        return static_cast<T*>(data->GetData());
    }

    // So many sizes to set; nullptr for more than 16.
    size_t* GetWorkspaceSizes(size_t count) {
        TypedContinuousVector<size_t>* sizes = GetOutputPointer<TypedContinuousVector<size_t>>(kOutputWorkspace);
        if (sizes == nullptr || sizes->SetSize(count) != ge::GRAPH_SUCCESS) return nullptr;
        return sizes->MutableData();
    }
    size_t GetWorkspaceNum() const {
        const TypedContinuousVector<size_t>* sizes = GetOutputPointer<TypedContinuousVector<size_t>>(kOutputWorkspace);
        return sizes != nullptr ? sizes->GetSize() : 0;
    }

  private:
    static const StorageShape* ShapeOf(const Tensor* tensor) { return tensor != nullptr ? &tensor->GetShape() : nullptr; }
    static const TensorV2* View(const Tensor* tensor) {
        return tensor != nullptr && tensor->GetVersion() == kTensorV2 ? static_cast<const TensorV2*>(tensor) : nullptr;
    }
    static const Stride* StrideOf(const Tensor* tensor) { return View(tensor) != nullptr ? &View(tensor)->GetStride() : nullptr; }
    static int64_t OffsetOf(const Tensor* tensor) { return View(tensor) != nullptr ? View(tensor)->GetOffset() : -1; }
    template <typename T> ge::graphStatus Put(size_t output, T value) {
        T* at = GetOutputPointer<T>(output);
        if (at == nullptr) return ge::GRAPH_FAILED;
        *at = value;
        return ge::GRAPH_SUCCESS;
    }
    ge::graphStatus PutDim(size_t output, const Dim3& dim) {
        Dim3* at = GetOutputPointer<Dim3>(output);
        if (at == nullptr) return ge::GRAPH_FAILED;
        *at = dim;
        return ge::GRAPH_SUCCESS;
    }
    template <typename T> T Get(size_t output, T otherwise) const {
        const T* at = GetOutputPointer<T>(output);
        return at != nullptr ? *at : otherwise;
    }
};
} // namespace gert
