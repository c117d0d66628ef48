// SPDX-License-Identifier: Apache-2.0
// From an address of code to the image it lies in.
#pragma once
#include <nanobind/nanobind.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/kernel.h"

namespace aclimb {

using NamedImages = std::vector<std::pair<std::string, std::shared_ptr<Image>>>;

// Every image of the kernel with a name: AIC and AIV, in a fused kernel with the number of the sub-kernel behind it. Those of `sub` come
// first: a sub-kernel may be there twice.
NamedImages images_of(const Kernel& kernel, int32_t sub);

// A place as Python wants it: which image, and the offset in it. ("", 0) when it is in none.
nanobind::tuple locate(const NamedImages& images, uint64_t pc, nanobind::dict& used);

} // namespace aclimb
