// SPDX-License-Identifier: Apache-2.0
// The memory behind a context while its callback runs: tensors and node made of a Request, the values in the order that each context has
// them in, and what was decided, written to the Answer.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "aclimb/op/wire.h"
#include "exe_graph/runtime/op_execute_launch_context.h"
#include "exe_graph/runtime/op_execute_prepare_context.h"
#include "exe_graph/runtime/range.h"
#include "exe_graph/runtime/tiling_context.h"

namespace aclimb {
namespace op {
class Frame {
  public:
    Frame(const Request& request, Answer& answer) : request_(request), answer_(answer), platform_(request.platform) {
        const int64_t* at = request.node;
        at = read_anchors(at, ir_inputs_);
        at = read_anchors(at, ir_outputs_);
        at = read_tensors(at, inputs_, input_descs_);
        read_tensors(at, outputs_, output_descs_);
        node_.reset(new gert::ComputeNodeInfo({request.type, request.name, ir_inputs_.data(), ir_outputs_.data(), input_descs_.data(),
                                               output_descs_.data(), ir_inputs_.size(), ir_outputs_.size(), inputs_.size(), outputs_.size(),
                                               static_cast<const gert::RuntimeAttrs*>(request.attrs)}));
    }

    // Runs a callback that takes a context of that type, over the values that were put in.
    template <typename Context, typename Callback> uint32_t run(const Callback& callback) {
        struct Made : Context { // a context has no public way to be made
            explicit Made(const gert::KernelRunContext& filled) { *this->GetContext() = filled; }
        } context({input_num_, values_.size() - input_num_, node_.get(), nullptr, values_.data()});
        return callback(&context);
    }

    // --- what each stage has for values

    void infer_shape() {
        put_tensors();
        put_outputs(outputs_, [](gert::Tensor& each) { return &each.MutableOriginShape(); });
    }
    void infer_data_type() {
        for (const auto& each : inputs_) put_value(is_there(each) ? each.GetDataType() : ge::DT_UNDEFINED);
        end_inputs();
        for (const auto& each : outputs_) put_value(each.GetDataType());
    }
    void infer_shape_range() {
        shapes_.resize(2 * outputs_.size());
        ranges_.reserve(inputs_.size() + outputs_.size());
        tensor_ranges_.reserve(inputs_.size());
        for (auto& each : inputs_) ranges_.emplace_back(&each.MutableOriginShape());
        for (size_t i = 0; i < outputs_.size(); ++i) ranges_.emplace_back(&shapes_[2 * i], &shapes_[2 * i + 1]);
        for (auto& each : inputs_) tensor_ranges_.emplace_back(&each);
        for (size_t i = 0; i < inputs_.size(); ++i) put_pointer(is_there(inputs_[i]) ? &ranges_[i] : nullptr);
        for (size_t i = 0; i < inputs_.size(); ++i) put_pointer(is_there(inputs_[i]) ? &tensor_ranges_[i] : nullptr);
        end_inputs();
        for (size_t i = 0; i < outputs_.size(); ++i) put_pointer(&ranges_[inputs_.size() + i]);
    }
    void tiling_parse() {
        put_pointer(const_cast<char*>(request_.json));
        put_pointer(&platform_);
        end_inputs();
        put_pointer(request_.compile_info);
    }
    void tiling() {
        put_tensors(false);
        put_pointer(request_.compile_info);
        put_pointer(&platform_);
        put_pointer(nullptr);
        put_value(request_.deterministic);
        put_value(request_.deterministic_level);
        end_inputs();
        tiling_data_.Init(answer_.tiling_capacity, answer_.tiling_data);
        workspaces_ = gert::ContinuousVector::Create<size_t>(kMaxWorkspaces);
        put_value(answer_.tiling_key);
        put_value(answer_.num_blocks);
        put_value(answer_.need_atomic != 0);
        put_pointer(&tiling_data_);
        put_pointer(workspaces_.get());
        put_value(answer_.tiling_cond);
        put_value(answer_.schedule_mode);
        put_value(answer_.dyn_ubuf_size);
        put_value(answer_.aicpu_num_blocks);
        put_pointer(&simt_block_dim_);
        put_pointer(&simt_grid_dim_);
    }
    void prepare() {
        put_tensors(false);
        put_pointer(options());
        put_pointer(nullptr);
        put_pointer(nullptr); // the stream, which prepare does not see
        end_inputs();
        values_.emplace_back();
        values_.emplace_back();
    }
    void launch() {
        const size_t count = request_.workspace_count;
        addresses_.reserve(count);
        for (size_t i = 0; i < count; ++i) {
            void* address = reinterpret_cast<void*>(static_cast<uintptr_t>(request_.workspace_addresses[i]));
            addresses_.emplace_back(address, nullptr, request_.workspace_sizes[i], gert::kOnDeviceHbm);
        }
        address_list_ = list<gert::TensorData*>(count, [this](size_t i) { return &addresses_[i]; });
        workspaces_ = list<size_t>(count, [this](size_t i) { return static_cast<size_t>(request_.workspace_sizes[i]); });
        put_tensors(false);
        put_pointer(request_.params);
        put_pointer(count != 0 ? address_list_.get() : nullptr);
        put_pointer(workspaces_.get());
        put_pointer(request_.stream);
        put_pointer(nullptr);
        end_inputs();
    }
    void execute(void* function) {
        put_tensors(false);
        put_pointer(nullptr);
        put_pointer(request_.stream);
        put_pointer(options());
        put_pointer(function);
        put_pointer(nullptr);
        end_inputs();
        values_.emplace_back();
    }

    // --- what was decided

    void answer_outputs(Stage stage) {
        for (size_t i = 0; i < outputs_.size(); ++i) {
            int64_t* out = answer_.outputs + i * kOutputWords;
            if (stage == kInferDataType) out[0] = values_[input_num_ + i].GetValue<ge::DataType>();
            write_shape(out + 1, outputs_[i].GetOriginShape());
            if (stage == kInferShapeRange) {
                write_shape(out + 1 + kShapeWords, *ranges_[inputs_.size() + i].GetMin());
                write_shape(out + 1 + 2 * kShapeWords, *ranges_[inputs_.size() + i].GetMax());
            }
        }
    }
    void answer_tiling() {
        using T = gert::TilingContext;
        answer_.tiling_key = output<uint64_t>(T::kOutputTilingKey);
        answer_.num_blocks = output<uint32_t>(T::kOutputBlockDim);
        answer_.need_atomic = output<bool>(T::kOutputAtomicCleanFlag) ? 1 : 0;
        answer_.tiling_cond = output<int32_t>(T::kOutputTilingCond);
        answer_.schedule_mode = output<uint32_t>(T::kOutputScheduleMode);
        answer_.dyn_ubuf_size = output<uint32_t>(T::kOutputLocalMemorySize);
        answer_.aicpu_num_blocks = output<uint32_t>(T::kOutputAicpuBlockDim);
        answer_.tiling_size = tiling_data_.GetDataSize();
        write_dim(answer_.simt_block_dim, simt_block_dim_);
        write_dim(answer_.simt_grid_dim, simt_grid_dim_);
        answer_workspaces(reinterpret_cast<gert::TypedContinuousVector<size_t>*>(workspaces_.get()));
    }
    // The params are Python's to keep from now on, and its to have deleted.
    void answer_prepare() {
        gert::Chain& sizes = values_[input_num_ + 1];
        answer_.params = values_[input_num_].Release(answer_.deleter);
        if (sizes.GetValue<void*>() == nullptr) answer_.workspace_count = UINT64_MAX;
        else answer_workspaces(sizes.GetPointer<gert::TypedContinuousVector<size_t>>());
    }

  private:
    static bool is_there(const gert::Tensor& each) { return each.GetDataType() != ge::DT_MAX; }
    const int64_t* read_anchors(const int64_t* at, std::vector<gert::AnchorInstanceInfo>& into) {
        const int64_t count = *at++;
        into.reserve(static_cast<size_t>(count));
        for (int64_t i = 0; i < count; ++i, at += 2) into.emplace_back(static_cast<uint32_t>(at[0]), static_cast<uint32_t>(at[1]));
        return at;
    }
    const int64_t* read_tensors(const int64_t* at, std::vector<gert::Tensor>& into, std::vector<gert::CompileTimeTensorDesc>& descs) {
        const int64_t count = *at++;
        into.reserve(static_cast<size_t>(count));
        descs.resize(static_cast<size_t>(count));
        for (int64_t i = 0; i < count; ++i) at = read_tensor(at, into, descs[static_cast<size_t>(i)]);
        return at;
    }
    const int64_t* read_tensor(const int64_t* at, std::vector<gert::Tensor>& into, gert::CompileTimeTensorDesc& desc) {
        const ge::DataType type = static_cast<ge::DataType>(at[0]);
        const gert::StorageFormat format(static_cast<ge::Format>(at[1]), static_cast<ge::Format>(at[2]), gert::ExpandDimsType(at[3]));
        const gert::TensorPlacement placement = static_cast<gert::TensorPlacement>(at[4]);
        void* address = reinterpret_cast<void*>(static_cast<uintptr_t>(at[5]));
        const size_t size = static_cast<size_t>(at[6]);
        gert::StorageShape shape;
        at = read_shape(at + 7, shape.MutableOriginShape());
        at = read_shape(at, shape.MutableStorageShape());
        into.emplace_back(shape, format, placement, type, address);
        into.back().SetSize(size);
        desc.SetDataType(type);
        desc.SetOriginFormat(format.GetOriginFormat());
        desc.SetStorageFormat(format.GetStorageFormat());
        desc.SetExpandDimsType(format.GetExpandDimsType());
        return at;
    }
    static const int64_t* read_shape(const int64_t* at, gert::Shape& shape) {
        const int64_t rank = *at++;
        for (int64_t i = 0; i < rank; ++i) shape.AppendDim(*at++);
        return at;
    }
    static void write_shape(int64_t* out, const gert::Shape& shape) {
        *out++ = static_cast<int64_t>(shape.GetDimNum());
        for (size_t i = 0; i + 1 < kShapeWords; ++i) *out++ = shape.GetDim(i);
    }
    static void write_dim(uint32_t* out, const gert::Dim3& dim) {
        out[0] = dim.x;
        out[1] = dim.y;
        out[2] = dim.z;
    }
    void answer_workspaces(const gert::TypedContinuousVector<size_t>* sizes) {
        answer_.workspace_count = sizes->GetSize();
        for (size_t i = 0; i < sizes->GetSize() && i < kMaxWorkspaces; ++i) answer_.workspace_sizes[i] = sizes->GetData()[i];
    }
    template <typename T> T output(size_t index) const { return values_[input_num_ + index].GetValue<T>(); }

    void put_pointer(void* value) {
        values_.emplace_back();
        values_.back().Set(value, nullptr);
    }
    template <typename T> void put_value(T value) {
        values_.emplace_back();
        values_.back().SetValue(value);
    }
    template <typename Make> void put_outputs(std::vector<gert::Tensor>& tensors, Make make) {
        for (auto& each : tensors) put_pointer(make(each));
    }
    void put_tensors(bool end = true) {
        values_.reserve(inputs_.size() + outputs_.size() + 24);
        for (auto& each : inputs_) put_pointer(is_there(each) ? &each : nullptr);
        for (auto& each : outputs_) put_pointer(&each);
        if (end) end_inputs();
    }
    void end_inputs() { input_num_ = values_.size(); }

    gert::OpExecuteOptions* options() {
        options_.precision_mode = request_.precision_mode;
        options_.deterministic = request_.deterministic;
        for (size_t i = 0; request_.allow_hf32 != nullptr && i < 2 && request_.allow_hf32[i] != '\0'; ++i) {
            options_.allow_hf32[i] = request_.allow_hf32[i];
        }
        options_.reserved[0] = request_.allow_hf32 == nullptr ? 1 : 0;
        return &options_;
    }
    template <typename T, typename Make> std::unique_ptr<uint8_t[]> list(size_t count, Make make) {
        std::unique_ptr<uint8_t[]> block = gert::ContinuousVector::Create<T>(count);
        auto* made = reinterpret_cast<gert::TypedContinuousVector<T>*>(block.get());
        made->SetSize(count);
        for (size_t i = 0; i < count; ++i) made->MutableData()[i] = make(i);
        return block;
    }

    const Request& request_;
    Answer& answer_;
    fe::PlatFormInfos platform_;
    std::vector<gert::AnchorInstanceInfo> ir_inputs_, ir_outputs_;
    std::vector<gert::Tensor> inputs_, outputs_;
    std::vector<gert::CompileTimeTensorDesc> input_descs_, output_descs_;
    std::unique_ptr<gert::ComputeNodeInfo> node_;
    std::vector<gert::Shape> shapes_;
    std::vector<gert::Range<gert::Shape>> ranges_;
    std::vector<gert::Range<gert::Tensor>> tensor_ranges_;
    std::vector<gert::TensorData> addresses_;
    std::unique_ptr<uint8_t[]> address_list_, workspaces_;
    gert::TilingData tiling_data_;
    gert::Dim3 simt_block_dim_{0, 0, 0}, simt_grid_dim_{0, 0, 0};
    gert::OpExecuteOptions options_{};
    size_t input_num_ = 0;
    std::vector<gert::Chain> values_; // last: what a callback stored goes first
};
} // namespace op
} // namespace aclimb
