// SPDX-License-Identifier: Apache-2.0
// vaxpy  dst = dst + p, where p = a * s; product and sum each round to the destination's type.   Ascend C: Axpy
SCALAR_ACCUMULATE(vaxpy, half, float, mixed<float, half>) { return d + p; }
