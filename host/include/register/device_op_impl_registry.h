// SPDX-License-Identifier: Apache-2.0
// optiling::DeviceOpImplRegister: a tiling function that may run on an AI CPU. Here tiling always runs on the host: it is registered where
// the type has no other.
#pragma once
#include <deque>
#include <functional>

#include "register/op_impl_registry.h"

namespace optiling {
using SinkTilingFunc = std::function<ge::graphStatus(gert::TilingContext*)>;

class DeviceOpImplRegister {
  public:
    explicit DeviceOpImplRegister(const char* op_type) : type_(op_type) {}
    ACLIMB_OP_OWN DeviceOpImplRegister& Tiling(SinkTilingFunc function) {
        aclimb::op::Functions& functions = aclimb::op::registry().row(type_).functions;
        functions.device_tiling = function;
        return *this;
    }

  private:
    std::string type_;
};
} // namespace optiling

#define DEVICE_IMPL_OP_OPTILING(op_type)                                                                                                   \
    static optiling::DeviceOpImplRegister __attribute__((unused)) ACLIMB_OP_JOIN(device_op_impl_register_##op_type, __COUNTER__) =         \
        optiling::DeviceOpImplRegister(#op_type)
