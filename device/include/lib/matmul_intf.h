// SPDX-License-Identifier: Apache-2.0
// The Matmul object of the library. A kernel that defines ASCENDC_CUBE_ONLY before this header runs it on AICs alone; one that does not has
// AIVs send their calls to the AIC, which is not supported yet.
#pragma once
#include "aclimb/matmul/regist.h"

namespace AscendC {

#ifdef ASCENDC_CUBE_ONLY
template <class A_TYPE, class B_TYPE, class C_TYPE, class BIAS_TYPE = C_TYPE, const auto& MM_CFG = CFG_NORM,
          class MM_CB = MatmulCallBackFunc<nullptr, nullptr, nullptr>,
          template <const auto&, typename...> class MATMUL_POLICY = Impl::Detail::MatmulPolicy>
using Matmul = MatmulImpl<ACLIMB_MATMUL_ARGUMENTS>;
#else
template <class A_TYPE, class B_TYPE, class C_TYPE, class BIAS_TYPE = C_TYPE, const auto& MM_CFG = CFG_NORM,
          class MM_CB = MatmulCallBackFunc<nullptr, nullptr, nullptr>,
          template <const auto&, typename...> class MATMUL_POLICY = Impl::Detail::MatmulPolicy>
class Matmul {
    static_assert(aclimb::never<A_TYPE>,
                  ACLIMB_SENTENCE(Matmul, "a kernel of the AIC alone: #define ASCENDC_CUBE_ONLY before lib/matmul_intf.h"));
};
#endif

} // namespace AscendC

namespace matmul {
using AscendC::GetBlockIdx;
using AscendC::Matmul;
using AscendC::MatmulImpl;
using AscendC::MatmulType;
} // namespace matmul
