// SPDX-License-Identifier: Apache-2.0
// gert::InferShapeContext: shapes of inputs, origin ones, and those of outputs to be set. Values only of inputs that were declared for it.
#pragma once
#include "exe_graph/runtime/extended_kernel_context.h"
#include "exe_graph/runtime/runtime_tensor.h"

namespace gert {
class InferShapeContext : public ExtendedKernelContext {
  public:
    const Shape* GetInputShape(size_t index) const { return Origin(GetInputTensor(index)); }
    const Shape* GetOptionalInputShape(size_t ir_index) const { return GetDynamicInputShape(ir_index, 0); }
    const Shape* GetRequiredInputShape(size_t ir_index) const { return GetDynamicInputShape(ir_index, 0); }
    const Shape* GetDynamicInputShape(size_t ir_index, size_t relative_index) const {
        return GetInputShape(InputInstance(ir_index, relative_index));
    }
    const Tensor* GetInputTensor(size_t index) const { return Input<Tensor>(index); }
    const Tensor* GetOptionalInputTensor(size_t ir_index) const { return GetDynamicInputTensor(ir_index, 0); }
    const Tensor* GetRequiredInputTensor(size_t ir_index) const { return GetDynamicInputTensor(ir_index, 0); }
    const Tensor* GetDynamicInputTensor(size_t ir_index, size_t relative_index) const {
        return GetInputTensor(InputInstance(ir_index, relative_index));
    }
    // Set its rank before its dims.
    Shape* GetOutputShape(size_t index) { return index < GetOutputNum() ? GetOutput(index)->GetValue<Shape*>() : nullptr; }

  private:
    static const Shape* Origin(const Tensor* tensor) { return tensor != nullptr ? &tensor->GetOriginShape() : nullptr; }
};
} // namespace gert
