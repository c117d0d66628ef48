// SPDX-License-Identifier: Apache-2.0
// The enumerations and constants of Ascend C, in Ascend's order, and how they map to the engine's.
#pragma once
#include "aclimb/bfloat16.h"
#include "aclimb/core_type.h"
#include "aclimb/library/configs.h"

// The numbers are the engine's: aclimb::Pipe.
enum pipe_t { PIPE_S, PIPE_V, PIPE_M, PIPE_MTE1, PIPE_MTE2, PIPE_MTE3, PIPE_FIX, PIPE_ALL };

enum event_t : int32_t { EVENT_ID0, EVENT_ID1, EVENT_ID2, EVENT_ID3, EVENT_ID4, EVENT_ID5, EVENT_ID6, EVENT_ID7 };

enum QuantMode_t : uint8_t {
    NoQuant = static_cast<uint8_t>(aclimb::QuantMode::NoQuant),
    F322F16 = static_cast<uint8_t>(aclimb::QuantMode::F322F16),
    VREQ8 = static_cast<uint8_t>(aclimb::QuantMode::VREQ8),
    REQ8 = static_cast<uint8_t>(aclimb::QuantMode::REQ8),
    VDEQF16 = static_cast<uint8_t>(aclimb::QuantMode::VDEQF16),
    DEQF16 = static_cast<uint8_t>(aclimb::QuantMode::DEQF16),
    F322BF16 = static_cast<uint8_t>(aclimb::QuantMode::F322BF16),
    VQF322B8_PRE = static_cast<uint8_t>(aclimb::QuantMode::VQF322B8_PRE),
    QF322B8_PRE = static_cast<uint8_t>(aclimb::QuantMode::QF322B8_PRE),
    // Of later products: code that names them compiles, a Fixpipe that uses one is refused. Their numbers are ours.
    QF322FP8_PRE = 128,
    VQF322FP8_PRE,
    QF322HIF8_PRE,
    VQF322HIF8_PRE,
    QF322HIF8_PRE_HYBRID,
    VQF322HIF8_PRE_HYBRID,
    QS322BF16_PRE,
    VQS322BF16_PRE,
    QF322F16_PRE,
    VQF322F16_PRE,
    QF322BF16_PRE,
    VQF322BF16_PRE,
    QF322F32_PRE,
    VQF322F32_PRE,
};

namespace AscendC {

// clang-format off
enum class TPosition : uint8_t {
    GM, A1, A2, B1, B2, C1, C2, CO1, CO2, VECIN, VECOUT, VECCALC, LCM = VECCALC, SPM, SHM = SPM, TSCM, C2PIPE2GM, C2PIPE2LOCAL, MAX,
};
// clang-format on
using QuePosition = TPosition;
enum class Hardware : uint8_t { GM, UB, L1, L0A, L0B, L0C, BIAS, FIXBUF, MAX };

using TEventID = int8_t;
using TTagType = int32_t;
using aclimb::kEventIds;

// HardEvent: (source pipe, destination pipe), in the documented order.
// clang-format off
#define ACLIMB_EVENTS(EVENT)                                                                                                         \
    EVENT(MTE2, MTE1) EVENT(MTE1, MTE2) EVENT(MTE1, M)    EVENT(M, MTE1)    EVENT(MTE2, V)   EVENT(V, MTE2)   EVENT(MTE3, V)         \
    EVENT(V, MTE3)    EVENT(M, V)       EVENT(V, M)       EVENT(V, V)       EVENT(MTE3, MTE1) EVENT(MTE1, MTE3) EVENT(MTE1, V)       \
    EVENT(MTE2, M)    EVENT(M, MTE2)    EVENT(V, MTE1)    EVENT(M, FIX)     EVENT(FIX, M)    EVENT(MTE3, MTE2) EVENT(MTE2, MTE3)     \
    EVENT(S, V)       EVENT(V, S)       EVENT(S, MTE2)    EVENT(MTE2, S)    EVENT(S, MTE3)   EVENT(MTE3, S)   EVENT(MTE2, FIX)       \
    EVENT(FIX, MTE2)  EVENT(FIX, S)     EVENT(M, S)       EVENT(FIX, MTE3)  EVENT(MTE1, FIX) EVENT(FIX, MTE1) EVENT(FIX, FIX)
// clang-format on
enum class HardEvent : uint8_t {
#define ACLIMB_EVENT(src, dst) src##_##dst,
    ACLIMB_EVENTS(ACLIMB_EVENT)
#undef ACLIMB_EVENT
        MAX,
};

enum class RoundMode : uint8_t { CAST_NONE, CAST_RINT, CAST_FLOOR, CAST_CEIL, CAST_ROUND, CAST_TRUNC, CAST_ODD, CAST_HYBRID };
enum class CMPMODE : uint8_t { LT, GT, EQ, LE, GE, NE };
enum class SELMODE : uint8_t { VSEL_CMPMASK_SPR, VSEL_TENSOR_SCALAR_MODE, VSEL_TENSOR_TENSOR_MODE };
enum class ReduceOrder : uint8_t { ORDER_VALUE_INDEX, ORDER_INDEX_VALUE, ORDER_ONLY_VALUE, ORDER_ONLY_INDEX };
enum class ReduceType : uint8_t { SUM, MAX, MIN };
enum class MaskMode : uint8_t { NORMAL, COUNTER };
enum class CacheMode : uint8_t { CACHE_MODE_DISABLE = 0, CACHE_MODE_NORMAL = 1, CACHE_MODE_LAST = 2, CACHE_MODE_PERSISTENT = 4 };
enum class CacheRwMode : uint8_t { READ = 1, WRITE = 2, RW = 3 };
enum class CacheLine : uint64_t { SINGLE_CACHE_LINE = 0, ENTIRE_DATA_CACHE };
enum class DcciDst : uint64_t { CACHELINE_ALL = 0, CACHELINE_UB, CACHELINE_OUT, CACHELINE_ATOMIC };
enum class MemDsbT : uint64_t { ALL = 0, DDR, UB, SEQ };
enum class SaturationMode : uint8_t { FLOAT, FLOAT8, INT, CAST };
enum class BlockMode : uint8_t {
    BLOCK_MODE_NORMAL = 0,
    BLOCK_MODE_MATRIX,
    BLOCK_MODE_VECTOR,
    BLOCK_MODE_SMALL_CHANNEL,
    BLOCK_MODE_DEPTHWISE
};
enum class DeqScale : uint8_t { DEQ_NONE = 0, DEQ, VDEQ, DEQ8, VDEQ8, DEQ16, VDEQ16 };
enum class CO2Layout : uint8_t { NZ = 0, ROW_MAJOR, COLUMN_MAJOR };

constexpr int32_t ONE_BLK_SIZE = 32;
constexpr int32_t ONE_REPEAT_BYTE_SIZE = 256;
constexpr int32_t DEFAULT_BLOCK_SIZE = 256;
constexpr int32_t DEFAULT_BLK_NUM = 8;
constexpr int32_t DEFAULT_BLK_STRIDE = 1;
constexpr int32_t DEFAULT_REPEAT_STRIDE = 8;
constexpr int32_t HALF_DEFAULT_REPEAT_STRIDE = 4;
constexpr int32_t ONE_FOURTH_DEFAULT_REPEAT_STRIDE = 2;
constexpr int32_t MAX_REPEAT_TIMES = 255;
constexpr int32_t DEFAULT_C0_SIZE = 32;
constexpr int32_t BLOCK_CUBE = 16;
constexpr int32_t CUBE_MAX_SIZE = 256;
constexpr uint32_t K_MAX_DIM = 8;
constexpr int32_t BYTE_PER_FRACTAL = 512;
constexpr uint64_t MASK_PLACEHOLDER = 0;
constexpr uint64_t MASK_PLACEHOLDER_LIST[2] = {0, 0};
constexpr uint64_t FULL_MASK = ~0ull;
constexpr uint32_t TOTAL_UB_SIZE = 192 * 1024;
constexpr uint32_t TMP_UB_OFFSET = 184 * 1024;
constexpr uint32_t TOTAL_VEC_LOCAL_SIZE = 184 * 1024;
constexpr uint32_t TOTAL_L1_SIZE = 512 * 1024 - 128;
constexpr uint32_t TOTAL_L0A_SIZE = 64 * 1024;
constexpr uint32_t TOTAL_L0B_SIZE = 64 * 1024;
constexpr uint32_t TOTAL_L0C_SIZE = 128 * 1024;
constexpr uint32_t CACHE_LINE_SIZE = 64;
constexpr uint32_t RESERVED_WORKSPACE = 16 * 1024 * 1024;

} // namespace AscendC

#define ASC_UB_SIZE (192 * 1024 - 256)
#define ASC_L1_SIZE (512 * 1024 - 256)
#define ASC_L0A_SIZE (64 * 1024)
#define ASC_L0B_SIZE (64 * 1024)
#define ASC_L0C_SIZE (128 * 1024)
#define ASC_BT_SIZE 1024

namespace aclimb {

using AscendC::HardEvent;
using AscendC::TPosition;

#define ACLIMB_EVENT(src, dst) static_cast<uint8_t>(Pipe::src),
constexpr uint8_t kEventSources[] = {ACLIMB_EVENTS(ACLIMB_EVENT)};
#undef ACLIMB_EVENT
#define ACLIMB_EVENT(src, dst) static_cast<uint8_t>(Pipe::dst),
constexpr uint8_t kEventTargets[] = {ACLIMB_EVENTS(ACLIMB_EVENT)};
#undef ACLIMB_EVENT
constexpr Pipe source_of(HardEvent event) { return static_cast<Pipe>(kEventSources[static_cast<int>(event)]); }
constexpr Pipe target_of(HardEvent event) { return static_cast<Pipe>(kEventTargets[static_cast<int>(event)]); }

// Where a logical position lies on Atlas A2 and A3.
constexpr Memory memory_of(TPosition position) {
    switch (position) {
    case TPosition::VECIN:
    case TPosition::VECOUT:
    case TPosition::VECCALC: return Memory::UB;
    case TPosition::A1:
    case TPosition::B1:
    case TPosition::C1:
    case TPosition::TSCM: return Memory::L1;
    case TPosition::A2: return Memory::L0A;
    case TPosition::B2: return Memory::L0B;
    case TPosition::CO1: return Memory::L0C;
    case TPosition::C2: return Memory::BT;
    case TPosition::C2PIPE2GM: return Memory::FB;
    default: return Memory::GM;
    }
}

template <typename T> constexpr Dtype dtype_of() {
    using E = std::remove_cv_t<T>;
    if constexpr (std::is_same_v<E, half>) return Dtype::half;
    else if constexpr (std::is_same_v<E, bfloat16_t>) return Dtype::bf16;
    else if constexpr (std::is_same_v<E, int4b_t>) return Dtype::i4;
    else if constexpr (std::is_same_v<E, float>) return Dtype::f32;
    else if constexpr (sizeof(E) == 1) return std::is_signed_v<E> ? Dtype::i8 : Dtype::u8;
    else if constexpr (sizeof(E) == 2) return std::is_signed_v<E> ? Dtype::i16 : Dtype::u16;
    else if constexpr (sizeof(E) == 4) return std::is_signed_v<E> ? Dtype::i32 : Dtype::u32;
    else if constexpr (sizeof(E) == 8) return std::is_signed_v<E> && std::is_integral_v<E> ? Dtype::i64 : Dtype::u64;
    else return Dtype::none;
}

// Bytes of n elements; two int4b_t share one.
template <typename T> constexpr uint64_t bytes_of(uint64_t n) { return std::is_same_v<T, int4b_t> ? n / 2 : n * sizeof(T); }
// Elements in one vector repeat of 256 bytes.
template <typename T> constexpr int lanes_of() { return std::is_same_v<T, int4b_t> ? 256 : 256 / static_cast<int>(sizeof(T)); }

template <typename T, typename... U> constexpr bool is_one_of = (std::is_same_v<T, U> || ...);
template <auto value, auto... of> constexpr bool is_one_of_values = ((value == of) || ...);
template <typename T> constexpr T min_of(T a, T b) { return b < a ? b : a; }
template <typename T> struct Plain {
    using type = T;
};
// A parameter that takes what converts to T and does not take part in deduction.
template <typename T> using plain = typename Plain<T>::type;
template <typename...> constexpr bool never = false;

} // namespace aclimb
