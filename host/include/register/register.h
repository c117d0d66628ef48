// SPDX-License-Identifier: Apache-2.0
// REGISTER_CUSTOM_OP: how a framework's model names an operator. Nothing here reads such models, so adapters are taken and not used.
#pragma once
#include <initializer_list>
#include <string>
#include <vector>

namespace ge {
class Operator;
}

namespace domi {
using Status = unsigned int;
constexpr Status SUCCESS = 0;
constexpr Status FAILED = 0xFFFFFFFF;

enum FrameworkType { CAFFE = 0, MINDSPORE = 1, TENSORFLOW = 3, ANDROID_NN = 4, ONNX = 5 };

inline Status AutoMappingByOpFn(const ge::Operator&, ge::Operator&) { return SUCCESS; }
inline Status AutoMappingFn(const void*, ge::Operator&) { return SUCCESS; }

class OpRegistrationData {
  public:
    explicit OpRegistrationData(const std::string&) {}
    OpRegistrationData& FrameworkType(const domi::FrameworkType&) { return *this; }
    OpRegistrationData& OriginOpType(const std::string&) { return *this; }
    OpRegistrationData& OriginOpType(const std::initializer_list<std::string>&) { return *this; }
    OpRegistrationData& OriginOpType(const std::vector<std::string>&) { return *this; }
    template <typename F> OpRegistrationData& ParseParamsFn(const F&) { return *this; }
    template <typename F> OpRegistrationData& ParseParamsByOperatorFn(const F&) { return *this; }
    template <typename F> OpRegistrationData& ParseSubgraphPostFn(const F&) { return *this; }
    template <typename T> OpRegistrationData& ImplyType(const T&) { return *this; }
};
} // namespace domi

#define ACLIMB_ADAPTER_JOINED(number) aclimb_adapter_##number
#define ACLIMB_ADAPTER(number) ACLIMB_ADAPTER_JOINED(number)
#define REGISTER_CUSTOM_OP(name)                                                                                                           \
    static const ::domi::OpRegistrationData __attribute__((unused)) ACLIMB_ADAPTER(__COUNTER__) = ::domi::OpRegistrationData(name)
