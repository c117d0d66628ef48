// SPDX-License-Identifier: Apache-2.0
// CREATE_EXECUTOR, INFER_SHAPE, ADD_TO_LAUNCHER_LIST_AICORE.
#pragma once
#include "opdev/op_arg_def.h"
#include "opdev/op_dfx.h"
#include "opdev/op_executor.h"

// Of one call of the first phase. What is not handed on with ReleaseTo ends with it.
class UniqueExecutor {
  public:
    UniqueExecutor() : executor_(aclimb::level0::ask("create").handle<aclOpExecutor>()) {}
    explicit UniqueExecutor(const char*) : UniqueExecutor() {}
    UniqueExecutor(UniqueExecutor&& other) noexcept : executor_(other.executor_) { other.executor_ = nullptr; }
    ~UniqueExecutor() {
        if (executor_ != nullptr) aclimb::level0::ask("destroy", executor_);
    }
    UniqueExecutor(const UniqueExecutor&) = delete;
    UniqueExecutor& operator=(const UniqueExecutor&) = delete;

    aclOpExecutor* get() const { return executor_; }
    aclOpExecutor* operator->() const { return executor_; }
    aclOpExecutor& operator*() const { return *executor_; }
    void ReleaseTo(aclOpExecutor** executor) {
        *executor = executor_;
        executor_ = nullptr;
    }

  private:
    aclOpExecutor* executor_;
};

namespace aclimb {
namespace level0 {
inline ACLIMB_OP_OWN aclnnStatus on_operator(const char* method, const char* type, aclOpExecutor* executor,
                                             std::initializer_list<Pack> packs) {
    Values inputs, outputs, attrs;
    bool hf32 = false;
    for (const Pack& each : packs) {
        switch (each.kind) {
        case Pack::kInput: inputs.add(each.values); break;
        case Pack::kOutput: outputs.add(each.values); break;
        case Pack::kAttr: attrs.add(each.values); break;
        case Pack::kMode:
            hf32 =
                each.values.size() != 0 && (each.values.data()->integer & static_cast<int64_t>(::op::OpExecMode::OP_EXEC_MODE_HF32T)) != 0;
            break;
        case Pack::kIgnored: break;
        case Pack::kUnsupported:
            report(ACLNN_ERR_INNER, type,
                   "%s of %s is not supported: an operator's tiling asks for workspaces, and its outputs have shapes that the host knows",
                   each.name, type);
            return ACLNN_ERR_INNER;
        }
    }
    Values given = values(executor, type, hf32);
    return call(method, given.counted(inputs).counted(outputs).counted(attrs)).code;
}
} // namespace level0
} // namespace aclimb

#define CREATE_EXECUTOR() UniqueExecutor(__func__)
// In a function with a parameter `executor`, behind OP_TYPE_REGISTER(KERNEL_NAME).
#define INFER_SHAPE(KERNEL_NAME, ...) ::aclimb::level0::on_operator("infer", KERNEL_NAME##OpType(), executor, {__VA_ARGS__})
#define ADD_TO_LAUNCHER_LIST_AICORE(KERNEL_NAME, ...)                                                                                      \
    ::aclimb::level0::on_operator("launch", KERNEL_NAME##OpType(), executor, {__VA_ARGS__})
