// SPDX-License-Identifier: Apache-2.0
#pragma once
template <typename T> __aicore__ inline T Scaled(T value, float factor, int32_t more) { return T(float(value) * factor + more); }
