// SPDX-License-Identifier: Apache-2.0
// gert::InferShapeRangeContext: the smallest and the largest shape, of inputs and to be set for outputs.
#pragma once
#include "exe_graph/runtime/extended_kernel_context.h"
#include "exe_graph/runtime/range.h"
#include "exe_graph/runtime/runtime_tensor.h"

namespace gert {
class InferShapeRangeContext : public ExtendedKernelContext {
  public:
    const Range<Shape>* GetInputShapeRange(size_t index) const { return Input<Range<Shape>>(index); }
    const Range<Shape>* GetOptionalInputShapeRange(size_t ir_index) const { return GetDynamicInputShapeRange(ir_index, 0); }
    const Range<Shape>* GetRequiredInputShapeRange(size_t ir_index) const { return GetDynamicInputShapeRange(ir_index, 0); }
    const Range<Shape>* GetDynamicInputShapeRange(size_t ir_index, size_t relative_index) const {
        return GetInputShapeRange(InputInstance(ir_index, relative_index));
    }
    const Range<Tensor>* GetInputTensorRange(size_t index) const {
        return index < GetComputeNodeInputNum() ? GetInputValue<const Range<Tensor>*>(GetComputeNodeInputNum() + index) : nullptr;
    }
    const Range<Tensor>* GetOptionalInputTensorRange(size_t ir_index) const { return GetDynamicInputTensorRange(ir_index, 0); }
    const Range<Tensor>* GetRequiredInputTensorRange(size_t ir_index) const { return GetDynamicInputTensorRange(ir_index, 0); }
    const Range<Tensor>* GetDynamicInputTensorRange(size_t ir_index, size_t relative_index) const {
        return GetInputTensorRange(InputInstance(ir_index, relative_index));
    }
    Range<Shape>* GetOutputShapeRange(size_t index) {
        return index < GetOutputNum() ? GetOutput(index)->GetValue<Range<Shape>*>() : nullptr;
    }
};
} // namespace gert
