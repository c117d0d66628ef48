// SPDX-License-Identifier: Apache-2.0
// gert::OpExecuteContext: of a single-stage function, which takes its workspaces itself and launches on the stream.
#pragma once
#include <limits>

#include "aclimb/op/door.h"
#include "exe_graph/runtime/extended_kernel_context.h"
#include "exe_graph/runtime/runtime_tensor.h"

namespace gert {
using rtStream = void*;

// How an operator is to run.
struct OpExecuteOptions {
    int32_t precision_mode;
    int32_t deterministic;
    char allow_hf32[3];
    char reserved[53];
};

// The tensors of the three execution contexts, with their addresses.
class OpExecuteTensors : public ExtendedKernelContext {
  public:
    const Tensor* GetInputTensor(size_t index) const { return Input<Tensor>(index); }
    const Tensor* GetOptionalInputTensor(size_t ir_index) const { return GetDynamicInputTensor(ir_index, 0); }
    const Tensor* GetRequiredInputTensor(size_t ir_index) const { return GetDynamicInputTensor(ir_index, 0); }
    const Tensor* GetDynamicInputTensor(size_t ir_index, size_t relative_index) const {
        return GetInputTensor(InputInstance(ir_index, relative_index));
    }
    const Tensor* GetOutputTensor(size_t index) const { return Output<Tensor>(index); }
    const Tensor* GetRequiredOutputTensor(size_t ir_index) const { return GetDynamicOutputTensor(ir_index, 0); }
    const Tensor* GetDynamicOutputTensor(size_t ir_index, size_t relative_index) const {
        return GetOutputTensor(OutputInstance(ir_index, relative_index));
    }

  protected:
    bool Deterministic(const OpExecuteOptions* options) const { return options != nullptr && options->deterministic != 0; }
    const char* AllowHf32(const OpExecuteOptions* options) const {
        return options != nullptr && options->reserved[0] == 0 ? options->allow_hf32 : nullptr; // reserved[0]: it was not said
    }
    int32_t PrecisionMode(const OpExecuteOptions* options) const {
        return options != nullptr ? options->precision_mode : std::numeric_limits<int32_t>::max();
    }
};

class OpExecuteContext : public OpExecuteTensors {
  public:
    enum class OpExecuteInput { kAllocate, kStream, kExecuteOption, kExecuteFunc, kFwkData, kEnd };

    rtStream GetStream() const { return At<void*>(OpExecuteInput::kStream); }
    // A device address; nullptr when there is no memory.
    ACLIMB_OP_OWN void* MallocWorkspace(size_t size) { return aclimb::op::connection().malloc_workspace(size); }
    // All of them.
    ACLIMB_OP_OWN void FreeWorkspace() { aclimb::op::connection().free_workspace(); }
    void* GetOpExecuteFunc() const { return At<void*>(OpExecuteInput::kExecuteFunc); }
    bool GetDeterministic() const { return Deterministic(Options()); }
    const char* GetAllowHf32() const { return AllowHf32(Options()); }
    int32_t GetPrecisionMode() const { return PrecisionMode(Options()); }

  private:
    template <typename T> T At(OpExecuteInput input) const { return GetInputValue<T>(Behind(static_cast<size_t>(input))); }
    const OpExecuteOptions* Options() const { return At<const OpExecuteOptions*>(OpExecuteInput::kExecuteOption); }
};
} // namespace gert
