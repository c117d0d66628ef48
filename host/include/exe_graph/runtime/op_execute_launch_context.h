// SPDX-License-Identifier: Apache-2.0
// gert::OpExecuteLaunchContext: of a launch function: what prepare stored, the workspaces, and the stream to launch on.
#pragma once
#include "exe_graph/runtime/op_execute_context.h"

namespace gert {
class OpExecuteLaunchContext : public OpExecuteTensors {
  public:
    enum class OpExecuteInput { kParams, kWorkspaceAddr, kWorkspaceSize, kStream, kFwkData, kEnd };

    // nullptr when prepare stored none.
    void* GetOpApiParams() const { return At<void*>(OpExecuteInput::kParams); }
    // One for each size that prepare set; nullptr when there are none.
    const TypedContinuousVector<TensorData*>* GetWorkspaceAddrs() const {
        return At<const TypedContinuousVector<TensorData*>*>(OpExecuteInput::kWorkspaceAddr);
    }
    const TypedContinuousVector<size_t>* GetWorkspaceSizes() const {
        return At<const TypedContinuousVector<size_t>*>(OpExecuteInput::kWorkspaceSize);
    }
    // The same number that aclrtCreateStream gives: every aclrt call takes it.
    rtStream GetStream() const { return At<void*>(OpExecuteInput::kStream); }

  private:
    template <typename T> T At(OpExecuteInput input) const { return GetInputValue<T>(Behind(static_cast<size_t>(input))); }
};
} // namespace gert
