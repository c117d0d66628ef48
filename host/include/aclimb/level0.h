// SPDX-License-Identifier: Apache-2.0
// What opdev/*.h and aclnn_kernels/*.h are made of: tensors, executors and arrays are numbers of Python's, and each method asks for what it
// needs (src/aclimb/op/level0/calls.py).
#pragma once
#include <cstdint>
#include <initializer_list>
#include <string>
#include <type_traits>
#include <vector>

#include "aclimb/aclnn.h"
#include "aclimb/op/door.h"
#include "exe_graph/runtime/shape.h"

namespace aclimb {
namespace level0 {
// An address in this library: by it the package and its operators are found.
inline ACLIMB_OP_OWN const void* inside() {
    static const char here = 0;
    return &here;
}
// The aclnn function that runs in this thread, for messages.
inline ACLIMB_OP_OWN std::string& function() {
    static thread_local std::string name;
    return name;
}

class Values {
  public:
    Values& add(const void* handle) { return put(aclnn::of(handle)); }
    Values& add(std::nullptr_t) { return put(aclnn::of(static_cast<const void*>(nullptr))); }
    Values& add(const char* text) { return put(aclnn::of(text)); }
    Values& add(const std::string& text) { return put(aclnn::of(text.c_str())); }
    Values& add(bool flag) { return put(aclnn::of(flag)); }
    Values& add(double number) { return put(aclnn::of(number)); }
    template <typename T> typename std::enable_if<std::is_integral<T>::value || std::is_enum<T>::value, Values&>::type add(T number) {
        return put(aclnn::of(static_cast<int64_t>(number)));
    }
    Values& add(const gert::Shape& shape) {
        for (size_t i = 0; i < shape.GetDimNum(); ++i) add(shape.GetDim(i));
        return *this;
    }
    Values& add(const std::vector<int64_t>& numbers) {
        for (int64_t each : numbers) add(each);
        return *this;
    }
    Values& add(const Values& more) {
        values_.insert(values_.end(), more.values_.begin(), more.values_.end());
        return *this;
    }
    // With its length in front.
    Values& counted(const gert::Shape& shape) { return add(shape.GetDimNum()).add(shape); }
    Values& counted(const Values& more) { return add(more.values_.size()).add(more); }

    const aclimb_value* data() const { return values_.data(); }
    uint32_t size() const { return static_cast<uint32_t>(values_.size()); }

  private:
    Values& put(const aclimb_value& value) {
        values_.push_back(value);
        return *this;
    }
    std::vector<aclimb_value> values_;
};
template <typename... T> Values values(const T&... each) {
    Values made;
    (void)std::initializer_list<int>{0, (made.add(each), 0)...};
    return made;
}

struct Answer {
    aclnnStatus code;
    int64_t numbers[64];

    // Null where the call was refused; what was wrong is in aclGetRecentErrMsg.
    template <typename T> T* handle() const { return code == 0 ? reinterpret_cast<T*>(static_cast<uintptr_t>(numbers[0])) : nullptr; }
    int64_t number() const { return code == 0 ? numbers[0] : 0; }
    gert::Shape shape() const {
        gert::Shape made;
        for (int64_t i = 0; code == 0 && i < numbers[0]; ++i) made.AppendDim(numbers[i + 1]);
        return made;
    }
};
inline Answer call(const char* method, const Values& given) {
    Answer answer;
    answer.code = aclimb_level0(inside(), function().c_str(), method, given.data(), given.size(), answer.numbers);
    return answer;
}
template <typename... T> Answer ask(const char* method, const T&... each) { return call(method, values(each...)); }
} // namespace level0
} // namespace aclimb
