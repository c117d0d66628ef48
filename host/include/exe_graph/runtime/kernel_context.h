// SPDX-License-Identifier: Apache-2.0
// gert::KernelContext: the values of a callback, inputs first. The contexts are views of it, each with names for its values.
#pragma once
#include "exe_graph/runtime/compute_node_info.h"
#include "exe_graph/runtime/kernel_run_context.h"

namespace gert {
// What a context is made of; Python fills it (aclimb/op/frame.h).
struct KernelRunContext {
    size_t input_size;
    size_t output_size;
    const ComputeNodeInfo* compute_node_info;
    const void* kernel_extend_info;
    Chain* values; // inputs, then outputs
};

class KernelContext {
  public:
    KernelContext(const KernelContext&) = delete;
    KernelContext& operator=(const KernelContext&) = delete;

    size_t GetInputNum() const { return context_.input_size; }
    size_t GetOutputNum() const { return context_.output_size; }
    const Chain* GetInput(size_t i) const { return i < context_.input_size ? context_.values + i : nullptr; }
    Chain* MutableInput(size_t i) { return i < context_.input_size ? context_.values + i : nullptr; }
    const Chain* GetOutput(size_t i) const { return i < context_.output_size ? context_.values + context_.input_size + i : nullptr; }
    Chain* GetOutput(size_t i) { return i < context_.output_size ? context_.values + context_.input_size + i : nullptr; }

    // A zero value, or nullptr, for an index that is not there.
    template <typename T> T GetInputValue(size_t i) const { return i < context_.input_size ? GetInput(i)->GetValue<T>() : T(); }
    template <typename T> const T* GetInputPointer(size_t i) const {
        return i < context_.input_size ? GetInput(i)->GetPointer<T>() : nullptr;
    }
    template <typename T> T* MutableInputPointer(size_t i) { return i < context_.input_size ? MutableInput(i)->GetPointer<T>() : nullptr; }
    const char* GetInputStrPointer(size_t i) const { return GetInputValue<const char*>(i); }
    template <typename T> const T* GetOutputPointer(size_t i) const {
        return i < context_.output_size ? GetOutput(i)->GetPointer<T>() : nullptr;
    }
    template <typename T> T* GetOutputPointer(size_t i) { return i < context_.output_size ? GetOutput(i)->GetPointer<T>() : nullptr; }

    KernelRunContext* GetContext() { return &context_; }
    const KernelRunContext* GetContext() const { return &context_; }

  protected:
    KernelContext() = default;
    const ComputeNodeInfo* NodeInfo() const { return context_.compute_node_info; }
    const void* ExtendInfo() const { return context_.kernel_extend_info; }

  private:
    KernelRunContext context_{};
};
} // namespace gert
