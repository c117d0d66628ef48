// SPDX-License-Identifier: Apache-2.0
// gert::ExtendedKernelContext: what all contexts know of the node. What is not there is nullptr.
#pragma once
#include "exe_graph/runtime/kernel_context.h"

namespace gert {
class ExtendedKernelContext : protected KernelContext {
  public:
    const CompileTimeTensorDesc* GetInputDesc(size_t index) const { return NodeInfo()->GetInputTdInfo(index); }
    const CompileTimeTensorDesc* GetOptionalInputDesc(size_t ir_index) const { return GetDynamicInputDesc(ir_index, 0); }
    const CompileTimeTensorDesc* GetRequiredInputDesc(size_t ir_index) const { return GetDynamicInputDesc(ir_index, 0); }
    const CompileTimeTensorDesc* GetDynamicInputDesc(size_t ir_index, size_t relative_index) const {
        return NodeInfo()->GetInputTdInfo(InputInstance(ir_index, relative_index));
    }
    const CompileTimeTensorDesc* GetOutputDesc(size_t index) const { return NodeInfo()->GetOutputTdInfo(index); }

    const AnchorInstanceInfo* GetIrInputInstanceInfo(size_t ir_index) const { return NodeInfo()->GetInputInstanceInfo(ir_index); }
    const AnchorInstanceInfo* GetIrOutputInstanceInfo(size_t ir_index) const { return NodeInfo()->GetOutputInstanceInfo(ir_index); }
    size_t GetComputeNodeInputNum() const { return NodeInfo()->GetInputsNum(); }
    size_t GetComputeNodeOutputNum() const { return NodeInfo()->GetOutputsNum(); }
    const RuntimeAttrs* GetAttrs() const { return NodeInfo()->GetAttrs(); }
    const char* GetNodeType() const { return NodeInfo()->GetNodeType(); }
    const char* GetNodeName() const { return NodeInfo()->GetNodeName(); }
    const ComputeNodeInfo* GetComputeNodeInfo() const { return NodeInfo(); }

    // Of the graph engine's own kernel, which stands behind no callback here: both are the node's.
    const char* GetKernelName() const { return GetNodeName(); }
    const char* GetKernelType() const { return GetNodeType(); }
    const void* GetExtendInfo() const { return ExtendInfo(); }

  protected:
    // The place among the tensors that are there; one that is not there when the prototype has none at that place.
    size_t InputInstance(size_t ir_index, size_t relative_index) const {
        return Instance(NodeInfo()->GetInputInstanceInfo(ir_index), relative_index);
    }
    size_t OutputInstance(size_t ir_index, size_t relative_index) const {
        return Instance(NodeInfo()->GetOutputInstanceInfo(ir_index), relative_index);
    }
    // Inputs of the node are the first values, its outputs the next.
    template <typename T> const T* Input(size_t index) const {
        return index < GetComputeNodeInputNum() ? GetInputValue<const T*>(index) : nullptr;
    }
    template <typename T> T* Output(size_t index) const {
        return index < GetComputeNodeOutputNum() ? GetInputValue<T*>(GetComputeNodeInputNum() + index) : nullptr;
    }
    // Of what comes behind both, the i-th.
    size_t Behind(size_t i) const { return GetComputeNodeInputNum() + GetComputeNodeOutputNum() + i; }

  private:
    static size_t Instance(const AnchorInstanceInfo* info, size_t relative_index) {
        if (info == nullptr || relative_index >= info->GetInstanceNum()) return static_cast<size_t>(-1);
        return info->GetInstanceStart() + relative_index;
    }
};
} // namespace gert
