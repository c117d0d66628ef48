// SPDX-License-Identifier: Apache-2.0
// gert::OpExecutePrepareContext: of a prepare function, which decides what launch does. There is no stream.
#pragma once
#include <vector>

#include "exe_graph/runtime/op_execute_context.h"

namespace gert {
class OpExecutePrepareContext : public OpExecuteTensors {
  public:
    enum class OpExecuteInput { kExecuteOption, kFwkData, kStream, kEnd };
    enum class OpExecuteOutput { kParams, kWorkspaceSize, kEnd };

    bool GetDeterministic() const { return Deterministic(Options()); }
    const char* GetAllowHf32() const { return AllowHf32(Options()); }
    int32_t GetPrecisionMode() const { return PrecisionMode(Options()); }

    // What launch gets. Stored before, it is freed now by its own deleter; without a deleter nothing is stored.
    ge::graphStatus SetOpApiParams(void* const params, Chain::Deleter deleter) {
        if (deleter == nullptr) return ge::GRAPH_FAILED;
        GetOutput(static_cast<size_t>(OpExecuteOutput::kParams))->Set(params, deleter);
        return ge::GRAPH_SUCCESS;
    }
    template <typename T> ge::graphStatus SetOpApiParamsWithDefaultDeleter(T* const params) {
        GetOutput(static_cast<size_t>(OpExecuteOutput::kParams))->SetWithDefaultDeleter(params);
        return ge::GRAPH_SUCCESS;
    }

    // The first call says how many there may be; one with more fails, and what was set stays.
    ge::graphStatus SetWorkspaceSizes(const std::vector<uint64_t>& sizes) {
        Chain* chain = GetOutput(static_cast<size_t>(OpExecuteOutput::kWorkspaceSize));
        if (chain->GetValue<void*>() == nullptr) {
            uint8_t* block = ContinuousVector::Create<size_t>(sizes.size()).release();
            if (block == nullptr) return ge::GRAPH_FAILED;
            chain->Set(block, FreeBlock);
        }
        TypedContinuousVector<size_t>* kept = chain->GetPointer<TypedContinuousVector<size_t>>();
        if (kept->SetSize(sizes.size()) != ge::GRAPH_SUCCESS) return ge::GRAPH_FAILED;
        for (size_t i = 0; i < sizes.size(); ++i) kept->MutableData()[i] = static_cast<size_t>(sizes[i]);
        return ge::GRAPH_SUCCESS;
    }

  private:
    static void FreeBlock(void* block) { delete[] static_cast<uint8_t*>(block); }
    const OpExecuteOptions* Options() const {
        return GetInputValue<const OpExecuteOptions*>(Behind(static_cast<size_t>(OpExecuteInput::kExecuteOption)));
    }
};
} // namespace gert
