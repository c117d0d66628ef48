// SPDX-License-Identifier: Apache-2.0
#pragma once
namespace op {
struct Object {};
} // namespace op
