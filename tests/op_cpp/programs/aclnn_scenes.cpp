// SPDX-License-Identifier: Apache-2.0
// aclnn_scenes NAME: calls the operators of projects/blend through their generated functions, and writes what they computed to a file.
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "acl/acl.h"
#include "aclnn_accumulate.h"
#include "aclnn_blend.h"
#include "aclnn_repeat.h"

namespace {
constexpr int64_t kRows = 7, kColumns = 31, kCount = kRows * kColumns;
aclrtStream stream;
const char* folder;

// Prints what the call was answered, and the sentence behind it.
int told(const char* what, aclnnStatus code) {
    const char* text = aclGetRecentErrMsg();
    std::printf("%s %d %s\n", what, code, text ? text : "");
    return code;
}

// Device memory with the values of a file, and a tensor of it.
struct Tensor {
    void* memory = nullptr;
    size_t bytes = 0;
    aclTensor* handle = nullptr;

    explicit Tensor(std::vector<int64_t> dims, const char* file = nullptr, aclDataType type = ACL_FLOAT) {
        bytes = aclDataTypeSize(type);
        for (int64_t each : dims) bytes *= static_cast<size_t>(each);
        std::vector<char> values(bytes + 1);
        if (file != nullptr) {
            FILE* opened = std::fopen((std::string(folder) + "/" + file).c_str(), "rb");
            if (opened == nullptr || std::fread(values.data(), 1, bytes, opened) != bytes) std::printf("%s is too short\n", file);
            if (opened != nullptr) std::fclose(opened);
        }
        if (bytes > 0) {
            aclrtMalloc(&memory, bytes, ACL_MEM_MALLOC_HUGE_FIRST);
            aclrtMemcpy(memory, bytes, values.data(), bytes, ACL_MEMCPY_HOST_TO_DEVICE);
        }
        handle = aclCreateTensor(dims.data(), dims.size(), type, nullptr, 0, ACL_FORMAT_ND, dims.data(), dims.size(), memory);
    }
    ~Tensor() {
        if (handle != nullptr) aclDestroyTensor(handle);
        if (memory != nullptr) aclrtFree(memory);
    }
    Tensor(const Tensor&) = delete;
    aclTensor* give() { // to a list, which destroys it
        aclTensor* given = handle;
        handle = nullptr;
        return given;
    }
    void save(const char* file) const {
        std::vector<char> values(bytes + 1);
        aclrtSynchronizeStream(stream);
        aclrtMemcpy(values.data(), bytes, memory, bytes, ACL_MEMCPY_DEVICE_TO_HOST);
        FILE* opened = std::fopen((std::string(folder) + "/" + file).c_str(), "wb");
        std::fwrite(values.data(), 1, bytes, opened);
        std::fclose(opened);
    }
};

using Run = aclnnStatus (*)(void*, uint64_t, aclOpExecutor*, aclrtStream);

// The second phase, in a workspace of its own.
void run(const char* what, Run second, uint64_t size, aclOpExecutor* executor) {
    void* workspace = nullptr;
    if (size > 0) aclrtMalloc(&workspace, size, ACL_MEM_MALLOC_HUGE_FIRST);
    told(what, second(workspace, size, executor, stream));
    aclrtSynchronizeStream(stream);
    if (workspace != nullptr) aclrtFree(workspace);
}

void everything() {
    Tensor x({kRows, kColumns}, "x"), bias({kRows, kColumns}, "bias"), first({kRows, kColumns}, "first"),
        second({kRows, kColumns}, "second"), y({kRows, kColumns});
    const aclTensor* both[] = {first.give(), second.give()};
    aclTensorList* parts = aclCreateTensorList(both, 2);
    const float weights[] = {0.5f, -4.0f};
    const int64_t order[] = {1, 0};
    const bool used[] = {true, true};
    aclFloatArray* weighed = aclCreateFloatArray(weights, 2);
    aclIntArray* ordered = aclCreateIntArray(order, 2);
    aclBoolArray* flags = aclCreateBoolArray(used, 2);
    char mode[] = "mul";
    uint64_t size = 0;
    aclOpExecutor* executor = nullptr;
    told("plan", aclnnBlendGetWorkspaceSize(x.handle, bias.handle, parts, -3, 0.25, true, mode, weighed, ordered, flags, y.handle, &size,
                                            &executor));
    std::printf("workspace %zu\n", static_cast<size_t>(size));
    run("run", aclnnBlend, size, executor);
    y.save("y");
    aclDestroyTensorList(parts);
    aclDestroyFloatArray(weighed);
    aclDestroyIntArray(ordered);
    aclDestroyBoolArray(flags);
}

// What may be NULL is; defaults hold.
void defaults() {
    Tensor x({kCount}, "x"), first({kCount}, "first"), y({kCount});
    const aclTensor* one[] = {first.give()};
    aclTensorList* parts = aclCreateTensorList(one, 1);
    uint64_t size = 0;
    aclOpExecutor* executor = nullptr;
    told("plan", aclnnBlendGetWorkspaceSize(x.handle, nullptr, parts, 5, 1.5, false, nullptr, nullptr, nullptr, nullptr, y.handle, &size,
                                            &executor));
    run("run", aclnnBlend, size, executor);
    y.save("y");
    aclDestroyTensorList(parts);
}

void in_place() {
    Tensor sum({kCount}, "x"), x({kCount}, "first");
    uint64_t size = 0;
    aclOpExecutor* executor = nullptr;
    told("plan", aclnnAccumulateGetWorkspaceSize(sum.handle, x.handle, &size, &executor));
    told("repeatable", aclSetAclOpExecutorRepeatable(executor));
    run("run", aclnnAccumulate, size, executor);
    run("run", aclnnAccumulate, size, executor);
    told("destroy", aclDestroyAclOpExecutor(executor));
    sum.save("y");
}

void values() {
    Tensor x({kCount}, "x"), y({3 * kCount}), z({2 * kCount}), times({1}, "two", ACL_INT64);
    const int64_t three = 3;
    aclIntArray* value = aclCreateIntArray(&three, 1);
    uint64_t size = 0;
    aclOpExecutor* executor = nullptr;
    told("plan", aclnnRepeatGetWorkspaceSize(x.handle, value, y.handle, &size, &executor));
    run("run", aclnnRepeat, size, executor);
    y.save("y");
    told("plan", aclnnRepeatTensorGetWorkspaceSize(x.handle, times.handle, z.handle, &size, &executor));
    run("run", aclnnRepeatTensor, size, executor);
    z.save("z");
    aclDestroyIntArray(value);
}

void empty() {
    Tensor sum({0, 5}), x({0, 5});
    uint64_t size = 99;
    aclOpExecutor* executor = nullptr;
    told("plan", aclnnAccumulateGetWorkspaceSize(sum.handle, x.handle, &size, &executor));
    std::printf("workspace %zu\n", static_cast<size_t>(size));
    told("run", aclnnAccumulate(nullptr, 0, executor, stream));
}

void refused() {
    Tensor x({kCount}, "x"), y({kCount}), whole({kCount}, "x", ACL_INT32);
    aclTensorList* parts = aclCreateTensorList(nullptr, 0);
    uint64_t size = 77;
    aclOpExecutor* executor = nullptr;
    told("dtype", aclnnAccumulateGetWorkspaceSize(whole.handle, x.handle, &size, &executor));
    told("missing", aclnnAccumulateGetWorkspaceSize(y.handle, nullptr, &size, &executor));
    told("no size", aclnnAccumulateGetWorkspaceSize(y.handle, x.handle, nullptr, &executor));
    told("no place", aclnnAccumulateGetWorkspaceSize(y.handle, x.handle, &size, nullptr));
    std::printf("untouched %zu %d\n", static_cast<size_t>(size), executor == nullptr);
    told("no executor", aclnnAccumulate(nullptr, 0, nullptr, stream));
    aclnnBlendGetWorkspaceSize(x.handle, nullptr, parts, 0, 1, false, nullptr, nullptr, nullptr, nullptr, y.handle, &size, &executor);
    told("other", aclnnAccumulate(nullptr, 0, executor, stream));
    told("no workspace", aclnnBlend(nullptr, size, executor, stream));
    told("small", aclnnBlend(x.memory, size - 1, executor, stream));
    told("destroy", aclDestroyAclOpExecutor(executor));
    aclDestroyTensorList(parts);
    Tensor first({kCount}), second({kCount}), third({kCount}), fourth({kCount});
    const aclTensor* four[] = {first.give(), second.give(), third.give(), fourth.give()};
    parts = aclCreateTensorList(four, 4);
    told("tiling",
         aclnnBlendGetWorkspaceSize(x.handle, nullptr, parts, 0, 1, false, nullptr, nullptr, nullptr, nullptr, y.handle, &size, &executor));
    aclDestroyTensorList(parts);
}
} // namespace

int main(int argc, char** argv) {
    const std::string scene = argc > 1 ? argv[1] : "";
    folder = argc > 2 ? argv[2] : ".";
    aclInit(nullptr);
    aclrtSetDevice(0);
    aclrtCreateStream(&stream);
    if (scene == "everything") everything();
    if (scene == "defaults") defaults();
    if (scene == "in_place") in_place();
    if (scene == "values") values();
    if (scene == "empty") empty();
    if (scene == "refused") refused();
    aclrtDestroyStream(stream);
    aclrtResetDevice(0);
    return aclFinalize();
}
