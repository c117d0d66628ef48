// SPDX-License-Identifier: Apache-2.0
// vaxpy  dst = dst + a * s; product and sum each round to float, the result to its type.   Ascend C: Axpy
SCALAR_ACCUMULATE(vaxpy, half, float, mixed<float, half>) { return d + a * s; }
