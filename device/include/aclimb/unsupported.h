// SPDX-License-Identifier: Apache-2.0
// Names of Ascend C that kernels use and that are not here yet. A call fails to compile with one sentence that names it. When an API
// arrives, its line leaves.
//
// The parameters after the first are of a type everything converts to: a kernel's own function of the same name is always the better match.
#pragma once
#include "aclimb/global_tensor.h"

namespace aclimb {

struct Any {
    template <typename... T> constexpr Any(const T&...) {}
};

} // namespace aclimb

#define ACLIMB_ANY_ARGUMENTS                                                                                                               \
    ::aclimb::Any = {}, ::aclimb::Any = {}, ::aclimb::Any = {}, ::aclimb::Any = {}, ::aclimb::Any = {}, ::aclimb::Any = {},                \
    ::aclimb::Any = {}, ::aclimb::Any = {}, ::aclimb::Any = {}, ::aclimb::Any = {}, ::aclimb::Any = {}
#define ACLIMB_SENTENCE(api, nearest) "aclimb: AscendC::" #api " is not supported yet; nearest: " nearest
#define ACLIMB_OTHER_PRODUCT(api, nearest) "aclimb: AscendC::" #api " does not exist on Atlas A2 and A3; nearest: " nearest

// A function whose first argument is a tensor, with or without template arguments: types, values, or types and then values.
#define ACLIMB_REFUSED(api, sentence)                                                                                                      \
    template <typename... X, template <typename> class Tensor, typename E> void api(const Tensor<E>&, ACLIMB_ANY_ARGUMENTS) {              \
        static_assert(::aclimb::never<E>, sentence);                                                                                       \
    }                                                                                                                                      \
    template <auto v, auto... vs, template <typename> class Tensor, typename E> void api(const Tensor<E>&, ACLIMB_ANY_ARGUMENTS) {         \
        static_assert(::aclimb::never<E>, sentence);                                                                                       \
    }                                                                                                                                      \
    template <typename X, auto v, auto... vs, template <typename> class Tensor, typename E>                                                \
    void api(const Tensor<E>&, ACLIMB_ANY_ARGUMENTS) {                                                                                     \
        static_assert(::aclimb::never<E>, sentence);                                                                                       \
    }                                                                                                                                      \
    template <typename X, typename Y, auto v, auto... vs, template <typename> class Tensor, typename E>                                    \
    void api(const Tensor<E>&, ACLIMB_ANY_ARGUMENTS) {                                                                                     \
        static_assert(::aclimb::never<E>, sentence);                                                                                       \
    }
#define ACLIMB_UNSUPPORTED(api, nearest) ACLIMB_REFUSED(api, ACLIMB_SENTENCE(api, nearest))

namespace AscendC {

// --- sort, images
ACLIMB_UNSUPPORTED(TopK, "Sort, and Extract of the first k")
ACLIMB_UNSUPPORTED(LoadImageToLocal, "DataCopy, and the image prepared on the host")
// --- library: activation, softmax, normalisation
ACLIMB_UNSUPPORTED(SoftMax, "ReduceMax, Adds, Exp, ReduceSum, Muls")
ACLIMB_UNSUPPORTED(SimpleSoftMax, "Sub, Exp, Div")
ACLIMB_UNSUPPORTED(SoftmaxFlash, "ReduceMax, Adds, Exp, ReduceSum, Muls")
ACLIMB_UNSUPPORTED(SoftmaxFlashV2, "ReduceMax, Adds, Exp, ReduceSum, Muls")
ACLIMB_UNSUPPORTED(SoftmaxFlashV3, "ReduceMax, Adds, Exp, ReduceSum, Muls")
ACLIMB_UNSUPPORTED(SoftmaxGrad, "Mul, ReduceSum, Sub")
ACLIMB_UNSUPPORTED(SoftmaxGradFront, "Mul and ReduceSum")
ACLIMB_UNSUPPORTED(LogSoftMax, "ReduceMax, Adds, Exp, ReduceSum, Ln")
ACLIMB_UNSUPPORTED(AdjustSoftMaxRes, "Compare and Select")
ACLIMB_UNSUPPORTED(Gelu, "Muls, Exp, Adds, Div")
ACLIMB_UNSUPPORTED(FasterGelu, "Muls, Exp, Adds, Div")
ACLIMB_UNSUPPORTED(FasterGeluV2, "Muls, Exp, Adds, Div")
ACLIMB_UNSUPPORTED(Silu, "Muls, Exp, Adds, Div")
ACLIMB_UNSUPPORTED(Swish, "Muls, Exp, Adds, Div")
ACLIMB_UNSUPPORTED(Sigmoid, "Muls, Exp, Adds, Reciprocal")
ACLIMB_UNSUPPORTED(SwiGLU, "Muls, Exp, Adds, Div, Mul")
ACLIMB_UNSUPPORTED(GeGLU, "Muls, Exp, Adds, Div, Mul")
ACLIMB_UNSUPPORTED(ReGlu, "Relu and Mul")
ACLIMB_UNSUPPORTED(LayerNorm, "ReduceSum, Sub, Mul, Sqrt, Div")
ACLIMB_UNSUPPORTED(LayerNormGrad, "ReduceSum, Sub, Mul, Div")
ACLIMB_UNSUPPORTED(LayerNormGradBeta, "ReduceSum and Mul")
ACLIMB_UNSUPPORTED(RmsNorm, "Mul, ReduceSum, Sqrt, Div")
ACLIMB_UNSUPPORTED(BatchNorm, "Add, Sub, Mul, Sqrt, Div")
ACLIMB_UNSUPPORTED(DeepNorm, "Axpy, ReduceSum, Sub, Mul, Sqrt, Div")
ACLIMB_UNSUPPORTED(GroupNorm, "ReduceSum, Sub, Mul, Sqrt, Div")
ACLIMB_UNSUPPORTED(Normalize, "Sub, Mul, Sqrt, Div")
ACLIMB_UNSUPPORTED(WelfordUpdate, "Sub, Muls, Add, Mul")
ACLIMB_UNSUPPORTED(WelfordFinalize, "Add, Muls, ReduceSum")
// --- library: mathematics
ACLIMB_UNSUPPORTED(Sin, "a polynomial of Muls, Mul and Adds")
ACLIMB_UNSUPPORTED(Cos, "a polynomial of Muls, Mul and Adds")
ACLIMB_UNSUPPORTED(Tan, "a polynomial of Muls, Mul and Adds")
ACLIMB_UNSUPPORTED(Asin, "a polynomial of Muls, Mul and Adds")
ACLIMB_UNSUPPORTED(Acos, "a polynomial of Muls, Mul and Adds")
ACLIMB_UNSUPPORTED(Atan, "a polynomial of Muls, Mul and Adds")
ACLIMB_UNSUPPORTED(Sinh, "Exp, Reciprocal, Sub, Muls")
ACLIMB_UNSUPPORTED(Cosh, "Exp, Reciprocal, Add, Muls")
ACLIMB_UNSUPPORTED(Tanh, "Muls, Exp, Adds, Div")
ACLIMB_UNSUPPORTED(Asinh, "Mul, Adds, Sqrt, Add, Ln")
ACLIMB_UNSUPPORTED(Acosh, "Mul, Adds, Sqrt, Add, Ln")
ACLIMB_UNSUPPORTED(Atanh, "Adds, Div, Ln, Muls")
ACLIMB_UNSUPPORTED(Erf, "a polynomial of Muls, Mul and Adds, and Exp")
ACLIMB_UNSUPPORTED(Erfc, "a polynomial of Muls, Mul and Adds, and Exp")
ACLIMB_UNSUPPORTED(Power, "Ln, Mul, Exp")
ACLIMB_UNSUPPORTED(Log, "Ln")
ACLIMB_UNSUPPORTED(Log2, "Ln and Muls")
ACLIMB_UNSUPPORTED(Log10, "Ln and Muls")
ACLIMB_UNSUPPORTED(Floor, "Cast with RoundMode::CAST_FLOOR")
ACLIMB_UNSUPPORTED(Ceil, "Cast with RoundMode::CAST_CEIL")
ACLIMB_UNSUPPORTED(Round, "Cast with RoundMode::CAST_ROUND")
ACLIMB_UNSUPPORTED(Trunc, "Cast with RoundMode::CAST_TRUNC")
ACLIMB_UNSUPPORTED(Truncate, "Cast with RoundMode::CAST_TRUNC")
ACLIMB_UNSUPPORTED(Frac, "Cast with RoundMode::CAST_TRUNC and Sub")
ACLIMB_UNSUPPORTED(Fmod, "Div, Cast with RoundMode::CAST_TRUNC, Mul, Sub")
ACLIMB_UNSUPPORTED(Sign, "Compares and Select")
ACLIMB_UNSUPPORTED(Xor, "Or, And, Not")
ACLIMB_UNSUPPORTED(ClampMax, "Mins")
ACLIMB_UNSUPPORTED(ClampMin, "Maxs")
ACLIMB_UNSUPPORTED(CumSum, "Add in a loop")
ACLIMB_UNSUPPORTED(Lgamma, "a polynomial of Muls, Mul and Adds, and Ln")
ACLIMB_UNSUPPORTED(Digamma, "a polynomial of Muls, Mul and Adds, and Ln")
// --- library: quantisation, reduction, layout, random numbers
ACLIMB_UNSUPPORTED(AscendQuant, "Muls, Adds and Cast")
ACLIMB_UNSUPPORTED(AscendDequant, "Cast and Mul")
ACLIMB_UNSUPPORTED(AscendAntiQuant, "Cast, Adds and Muls")
ACLIMB_UNSUPPORTED(Sum, "ReduceSum")
ACLIMB_UNSUPPORTED(Mean, "ReduceSum and Muls")
ACLIMB_UNSUPPORTED(ReduceMean, "ReduceSum and Muls")
ACLIMB_UNSUPPORTED(ReduceProd, "Mul in a loop")
ACLIMB_UNSUPPORTED(ReduceAny, "ReduceMax")
ACLIMB_UNSUPPORTED(ReduceAll, "ReduceMin")
ACLIMB_UNSUPPORTED(ReduceXorSum, "Or, And and Not in a loop")
ACLIMB_UNSUPPORTED(Broadcast, "Duplicate, Brcb or Copy with stride 0")
ACLIMB_UNSUPPORTED(BroadCast, "Duplicate, Brcb or Copy with stride 0")
ACLIMB_UNSUPPORTED(Pad, "DataCopyPad")
ACLIMB_UNSUPPORTED(UnPad, "DataCopyPad")
ACLIMB_UNSUPPORTED(ConfusionTranspose, "DataCopyPad with strides on the way in or out")
ACLIMB_UNSUPPORTED(TransData, "DataCopy with Nd2NzParams")
ACLIMB_UNSUPPORTED(DropOut, "Select and Muls")
ACLIMB_UNSUPPORTED(SelectWithBytesMask, "Compares and Select")

} // namespace AscendC

// --- reductions of the library, over one axis of a matrix
namespace AscendC {

namespace Pattern {
namespace Reduce {
struct R {};
struct AR {};
struct RA {};
struct ARA {};
struct RAR {};
} // namespace Reduce
} // namespace Pattern

#define ACLIMB_UNSUPPORTED_PATTERN(api)                                                                                                    \
    template <typename T, typename pattern, bool isReuseSource = false, std::enable_if_t<std::is_empty_v<pattern>, int> = 0>               \
    void api(const LocalTensor<T>&, const LocalTensor<T>&, ACLIMB_ANY_ARGUMENTS) {                                                         \
        static_assert(::aclimb::never<T>, ACLIMB_SENTENCE(api with a Pattern, #api " of each row in a loop"));                             \
    }
ACLIMB_UNSUPPORTED_PATTERN(ReduceSum)
ACLIMB_UNSUPPORTED_PATTERN(ReduceMax)
ACLIMB_UNSUPPORTED_PATTERN(ReduceMin)

} // namespace AscendC

// --- types. The Matmul object has a header of its own: lib/matmul_intf.h.
namespace AscendC {

template <typename T> struct LoadData3DParamsV1 {
    static_assert(aclimb::never<T>, ACLIMB_OTHER_PRODUCT(LoadData3DParamsV1, "LoadData3DParamsV2"));
};
template <typename... T> struct TensorTrait {
    static_assert(aclimb::never<T...>, ACLIMB_SENTENCE(TensorTrait, "LocalTensor and GlobalTensor of the element type itself"));
};

} // namespace AscendC
