// SPDX-License-Identifier: Apache-2.0
// gert::InferDataTypeContext: types of inputs, and those of outputs to be set. DT_UNDEFINED for what is not there.
#pragma once
#include "exe_graph/runtime/extended_kernel_context.h"

namespace gert {
class InferDataTypeContext : public ExtendedKernelContext {
  public:
    ge::DataType GetInputDataType(size_t index) const {
        return index < GetInputNum() ? GetInputValue<ge::DataType>(index) : ge::DT_UNDEFINED;
    }
    ge::DataType GetOptionalInputDataType(size_t ir_index) const { return GetDynamicInputDataType(ir_index, 0); }
    ge::DataType GetRequiredInputDataType(size_t ir_index) const { return GetDynamicInputDataType(ir_index, 0); }
    ge::DataType GetDynamicInputDataType(size_t ir_index, size_t relative_index) const {
        return GetInputDataType(InputInstance(ir_index, relative_index));
    }
    ge::DataType GetOutputDataType(size_t index) const {
        return index < GetOutputNum() ? GetOutput(index)->GetValue<ge::DataType>() : ge::DT_UNDEFINED;
    }
    ge::graphStatus SetOutputDataType(size_t index, ge::DataType type) {
        if (index >= GetOutputNum()) return ge::GRAPH_FAILED;
        GetOutput(index)->SetValue(type);
        return ge::GRAPH_SUCCESS;
    }
};
} // namespace gert
