// SPDX-License-Identifier: Apache-2.0
// gert::ComputeNodeInfo: what an operator's node looks like. "IR" counts the inputs of the prototype, the others the tensors that are
// there: an optional one may be absent, a dynamic one several.
#pragma once
#include "exe_graph/runtime/runtime_attrs.h"
#include "exe_graph/runtime/storage_format.h"
#include "graph/types.h"

namespace gert {
class CompileTimeTensorDesc {
  public:
    CompileTimeTensorDesc() = default;

    ge::DataType GetDataType() const { return type_; }
    const StorageFormat& GetFormat() const { return format_; }
    ge::Format GetOriginFormat() const { return format_.GetOriginFormat(); }
    ge::Format GetStorageFormat() const { return format_.GetStorageFormat(); }
    ExpandDimsType GetExpandDimsType() const { return format_.GetExpandDimsType(); }
    bool IsExist() const { return exists_; }

    void SetDataType(ge::DataType type) { type_ = type; }
    void SetOriginFormat(ge::Format format) { format_.SetOriginFormat(format); }
    void SetStorageFormat(ge::Format format) { format_.SetStorageFormat(format); }
    void SetExpandDimsType(const ExpandDimsType& expand) { format_.SetExpandDimsType(expand); }
    void SetExist(bool exists) { exists_ = exists; }

  private:
    ge::DataType type_ = ge::DT_UNDEFINED;
    StorageFormat format_;
    bool exists_ = true;
};

// Which tensors belong to an input of the prototype.
class AnchorInstanceInfo {
  public:
    AnchorInstanceInfo() = default;
    AnchorInstanceInfo(uint32_t start, uint32_t num) : start_(start), num_(num) {}

    size_t GetInstanceNum() const { return num_; }
    size_t GetInstanceStart() const { return start_; }
    void SetInstantiationNum(uint32_t num) { num_ = num; }
    void SetInstanceStart(uint32_t start) { start_ = start; }

  private:
    uint32_t start_ = 0;
    uint32_t num_ = 0;
};

class ComputeNodeInfo {
  public:
    // Everything belongs to whoever calls back: it is there while the callback runs.
    struct Parts {
        const char* type;
        const char* name;
        const AnchorInstanceInfo* ir_inputs;
        const AnchorInstanceInfo* ir_outputs;
        const CompileTimeTensorDesc* inputs;
        const CompileTimeTensorDesc* outputs;
        size_t ir_input_num, ir_output_num, input_num, output_num;
        const RuntimeAttrs* attrs;
    };
    explicit ComputeNodeInfo(const Parts& parts) : parts_(parts) {}

    const char* GetNodeType() const { return parts_.type; }
    const char* GetNodeName() const { return parts_.name; }
    size_t GetIrInputsNum() const { return parts_.ir_input_num; }
    size_t GetIrOutputsNum() const { return parts_.ir_output_num; }
    size_t GetInputsNum() const { return parts_.input_num; }
    size_t GetOutputsNum() const { return parts_.output_num; }
    const AnchorInstanceInfo* GetInputInstanceInfo(size_t ir) const { return ir < parts_.ir_input_num ? parts_.ir_inputs + ir : nullptr; }
    const AnchorInstanceInfo* GetOutputInstanceInfo(size_t ir) const {
        return ir < parts_.ir_output_num ? parts_.ir_outputs + ir : nullptr;
    }
    // Null for an absent input that has a number, too: its type is DT_MAX.
    const CompileTimeTensorDesc* GetInputTdInfo(size_t index) const {
        const bool is_there = index < parts_.input_num && parts_.inputs[index].GetDataType() != ge::DT_MAX;
        return is_there ? parts_.inputs + index : nullptr;
    }
    const CompileTimeTensorDesc* GetOutputTdInfo(size_t index) const {
        return index < parts_.output_num ? parts_.outputs + index : nullptr;
    }
    const RuntimeAttrs* GetAttrs() const { return parts_.attrs; }

  private:
    Parts parts_;
};
} // namespace gert
