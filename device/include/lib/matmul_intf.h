// SPDX-License-Identifier: Apache-2.0
// The Matmul object of the library is not supported yet: a kernel that makes one fails to compile with a sentence. A kernel that only
// includes this header, or names MatmulType, compiles.
#pragma once
#include "kernel_operator.h"

enum class CubeFormat { ND = 0, NZ, ZN, ZZ, NN, ND_ALIGN, SCALAR, VECTOR, COLUMN_MAJOR };
namespace AscendC {
using ::CubeFormat;

template <TPosition position, CubeFormat format, typename T, auto... more> struct MatmulType {};
template <typename A, typename B, typename C, typename... More> class Matmul {
    static_assert(aclimb::never<A>, ACLIMB_SENTENCE(Matmul, "DataCopy with Nd2NzParams, LoadData, Mmad, Fixpipe"));
};
template <typename A, typename B, typename C, typename... More> class MatmulImpl {
    static_assert(aclimb::never<A>, ACLIMB_SENTENCE(MatmulImpl, "DataCopy with Nd2NzParams, LoadData, Mmad, Fixpipe"));
};

} // namespace AscendC

namespace matmul {
using AscendC::Matmul;
using AscendC::MatmulImpl;
using AscendC::MatmulType;
} // namespace matmul

namespace aclimb {
template <typename... T> void regist_matmul_obj(const T&...) {
    static_assert(never<T...>,
                  "aclimb: REGIST_MATMUL_OBJ is not supported yet; nearest: DataCopy with Nd2NzParams, LoadData, Mmad, Fixpipe");
}
} // namespace aclimb
#define REGIST_MATMUL_OBJ(...) ::aclimb::regist_matmul_obj(__VA_ARGS__)
