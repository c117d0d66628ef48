// SPDX-License-Identifier: Apache-2.0
// The kernel's side of template_shared.h: an instance writes down what it is.
#include "kernel_operator.h"
#include "template_shared.h"

template <typename T, int D, int F, uint32_t L, uint32_t R, uint32_t M, bool S> __global__ __aicore__ void shared(__gm__ int32_t* y) {
    y[0] = sizeof(T);
    y[1] = D;
    y[2] = F;
    y[3] = L;
    y[4] = R;
    y[5] = M;
    y[6] = S;
}
