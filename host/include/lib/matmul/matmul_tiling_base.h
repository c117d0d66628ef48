// SPDX-License-Identifier: Apache-2.0
// matmul_tiling: words, and what every tiling object can be told. The tiler is in Python (src/aclimb/tiling): an object keeps its numbers,
// and each call is a call there. Setters return 0, or -1 and a line in the log for what is not accepted.
#pragma once
#include <cstddef>
#include <cstdint>
#include <initializer_list>

#include "aclimb/op/log.h"
#include "aclimb/op/type_names.h"
#include "kernel_tiling/tcube_tiling.h"
#include "lib/matmul/tcube_tiling_def.h"
#include "tiling/platform/platform_ascendc.h"

namespace matmul_tiling {
// clang-format off
enum class TPosition : int32_t {
    GM = 0, A1, A2, B1, B2, C1, C2, CO1, CO2, VECIN, VECOUT, VECCALC, LCM = VECCALC, SPM, SHM = SPM, TSCM, C2PIPE2GM, C2PIPE2LOCAL, MAX
};
enum class CubeFormat : int32_t { ND = 0, NZ, ZN, ZZ, NN, ND_ALIGN, SCALAR, VECTOR, COLUMN_MAJOR, ROW_MAJOR = ND };
// As ge counts them; those that no matmul takes can be said and are refused.
enum class DataType : int32_t {
    DT_FLOAT = 0, DT_FLOAT16 = 1, DT_INT8 = 2, DT_INT32 = 3, DT_UINT8 = 4, DT_INT16 = 6, DT_UINT16 = 7, DT_UINT32 = 8, DT_INT64 = 9,
    DT_UINT64 = 10, DT_DOUBLE = 11, DT_BF16 = 27, DT_BFLOAT16 = DT_BF16, DT_INT4 = 29
};
// clang-format on
enum class MatrixTraverse : int32_t { NOSET = 0, FIRSTM = 1, FIRSTN = 2 };
enum class MatrixMadType : int32_t { NORMAL = 0, HF32 = 1, MXMODE = 2 };
enum class DequantType : int32_t { SCALAR = 0, TENSOR = 1 };
enum class ScheduleType : int32_t { INNER_PRODUCT = 0, OUTER_PRODUCT = 1, N_BUFFER_33 = 2 };

// Bytes; 0: as Atlas A2 and A3 have it.
struct PlatformInfo {
    platform_ascendc::SocVersion socVersion;
    uint64_t l1Size = 0;
    uint64_t l0CSize = 0;
    uint64_t ubSize = 0;
    uint64_t l0ASize = 0;
    uint64_t l0BSize = 0;
};

struct MatmulConfigParams {
    int32_t mmConfigType;
    bool enableL1CacheUB;
    ScheduleType scheduleType;
    MatrixTraverse traverse;
    bool enVecND2NZ;
    MatmulConfigParams(int32_t type = 1, bool l1_cache_ub = false, ScheduleType schedule = ScheduleType::INNER_PRODUCT,
                       MatrixTraverse order = MatrixTraverse::NOSET, bool vec_nd2nz = false)
        : mmConfigType(type), enableL1CacheUB(l1_cache_ub), scheduleType(schedule), traverse(order), enVecND2NZ(vec_nd2nz) {}
};

struct SysTilingTempBufSize {
    int32_t ubSize = 0;
    int32_t l1Size = 0;
    int32_t l0cSize = 0;
};

class MatmulApiTilingBase {
  public:
    virtual ~MatmulApiTilingBase() = default;

    int32_t SetAType(TPosition pos, CubeFormat type, DataType data_type, bool is_trans = false) {
        return Ask("SetAType", {Number(pos), Number(type), Number(data_type), is_trans});
    }
    int32_t SetBType(TPosition pos, CubeFormat type, DataType data_type, bool is_trans = false) {
        return Ask("SetBType", {Number(pos), Number(type), Number(data_type), is_trans});
    }
    int32_t SetCType(TPosition pos, CubeFormat type, DataType data_type) {
        return Ask("SetCType", {Number(pos), Number(type), Number(data_type)});
    }
    int32_t SetBiasType(TPosition pos, CubeFormat type, DataType data_type) {
        return Ask("SetBiasType", {Number(pos), Number(type), Number(data_type)});
    }
    int32_t SetScaleAType(TPosition pos, CubeFormat type, bool is_trans = false) {
        return Ask("SetScaleAType", {Number(pos), Number(type), is_trans});
    }
    int32_t SetScaleBType(TPosition pos, CubeFormat type, bool is_trans = true) {
        return Ask("SetScaleBType", {Number(pos), Number(type), is_trans});
    }

    virtual int32_t SetShape(int32_t m, int32_t n, int32_t k) { return Ask("SetShape", {m, n, k}); }
    int32_t SetOrgShape(int32_t m, int32_t n, int32_t k) { return Ask("SetOrgShape", {m, n, k}); }
    int32_t SetOrgShape(int32_t m, int32_t n, int32_t ka, int32_t kb) { return Ask("SetOrgShape", {m, n, ka, kb}); }
    int32_t SetFixSplit(int32_t base_m = -1, int32_t base_n = -1, int32_t base_k = -1) {
        return Ask("SetFixSplit", {base_m, base_n, base_k});
    }
    int32_t SetBufferSpace(int32_t l1 = -1, int32_t l0c = -1, int32_t ub = -1, int32_t bt = -1) {
        return Ask("SetBufferSpace", {l1, l0c, ub, bt});
    }
    int32_t SetSplitRange(int32_t max_m = -1, int32_t max_n = -1, int32_t max_k = -1, int32_t min_m = -1, int32_t min_n = -1,
                          int32_t min_k = -1) {
        return Ask("SetSplitRange", {max_m, max_n, max_k, min_m, min_n, min_k});
    }
    int32_t SetDoubleBuffer(bool a, bool b, bool c, bool bias, bool trans_nd2nz = true, bool trans_nz2nd = true) {
        return Ask("SetDoubleBuffer", {a, b, c, bias, trans_nd2nz, trans_nz2nd});
    }

    int32_t SetTraverse(MatrixTraverse traverse) { return Ask("SetTraverse", {Number(traverse)}); }
    int32_t SetMadType(MatrixMadType mad_type) { return Ask("SetMadType", {Number(mad_type)}); }
    int32_t SetBias(bool is_bias = false) { return Ask("SetBias", {is_bias}); }
    int32_t EnableBias(bool is_bias = false) { return Ask("EnableBias", {is_bias}); }
    int32_t SetDequantType(DequantType type) { return Ask("SetDequantType", {Number(type)}); }
    int32_t SetSparse(bool is_sparse = false) { return Ask("SetSparse", {is_sparse}); }
    void SetMatmulConfigParams(int32_t type = 1, bool l1_cache_ub = false, ScheduleType schedule = ScheduleType::INNER_PRODUCT,
                               MatrixTraverse traverse = MatrixTraverse::NOSET, bool vec_nd2nz = false) {
        Ask("SetMatmulConfigParams", {type, l1_cache_ub, Number(schedule), Number(traverse), vec_nd2nz});
    }
    void SetMatmulConfigParams(const MatmulConfigParams& params) {
        SetMatmulConfigParams(params.mmConfigType, params.enableL1CacheUB, params.scheduleType, params.traverse, params.enVecND2NZ);
    }
    bool EnableL1BankConflictOptimise() {
        int32_t enabled = 0;
        Ask("EnableL1BankConflictOptimise", {}, &enabled);
        return enabled != 0;
    }

    int32_t SetALayout(int32_t b, int32_t s, int32_t n, int32_t g, int32_t d) { return Ask("SetALayout", {b, s, n, g, d}); }
    int32_t SetBLayout(int32_t b, int32_t s, int32_t n, int32_t g, int32_t d) { return Ask("SetBLayout", {b, s, n, g, d}); }
    int32_t SetCLayout(int32_t b, int32_t s, int32_t n, int32_t g, int32_t d) { return Ask("SetCLayout", {b, s, n, g, d}); }
    int32_t SetBatchNum(int32_t batch) { return Ask("SetBatchNum", {batch}); }
    int32_t SetBatchInfoForNormal(int32_t batch_a, int32_t batch_b, int32_t m, int32_t n, int32_t k) {
        return Ask("SetBatchInfoForNormal", {batch_a, batch_b, m, n, k});
    }

    // 0, or -1 where there is no tiling for what was asked; the struct is as it was then.
    int64_t GetTiling(AscendC::tiling::TCubeTiling& tiling) {
        AscendC::tiling::TCubeTiling made;
        const int64_t code = Ask("GetTiling", {}, &made.usedCoreNum);
        if (code == 0) tiling = made;
        return code;
    }
    int64_t GetTiling(optiling::TCubeTiling& tiling) {
        AscendC::tiling::TCubeTiling made;
        const int64_t code = GetTiling(made);
        if (code == 0) optiling::AclimbAssign(tiling, made);
        return code;
    }
    int32_t GetBaseM() const { return Result("GetBaseM"); }
    int32_t GetBaseN() const { return Result("GetBaseN"); }
    int32_t GetBaseK() const { return Result("GetBaseK"); }

  protected:
    enum Kind { kOne = 0, kMulti = 1, kBatch = 2 };
    MatmulApiTilingBase(Kind kind, const char* name) : name_(name) { Init(kind, -1, -1, -1, -1, -1, -1, -1); }
    MatmulApiTilingBase(Kind kind, const char* name, const platform_ascendc::PlatformAscendC& chip) : name_(name) {
        using platform_ascendc::CoreMemType;
        Init(kind, Size(chip, CoreMemType::L1), Size(chip, CoreMemType::L0_C), Size(chip, CoreMemType::UB), Size(chip, CoreMemType::L0_A),
             Size(chip, CoreMemType::L0_B), Size(chip, CoreMemType::BT), chip.GetCoreNumAic());
    }
    MatmulApiTilingBase(Kind kind, const char* name, const PlatformInfo& chip) : name_(name) {
        Init(kind, Given(chip.l1Size), Given(chip.l0CSize), Given(chip.ubSize), Given(chip.l0ASize), Given(chip.l0BSize), -1, -1);
    }

    int32_t Ask(const char* method, std::initializer_list<int64_t> arguments, int32_t* results = nullptr) const {
        aclimb::op::TilingCall call = {method, state_, kWords, arguments.begin(), arguments.size(), results, ""};
        if (aclimb::op::connection().tiling(&call) == 0) return 0;
        aclimb::op::log(aclimb::op::kError, name_, method, "%s", call.said);
        return -1;
    }
    template <typename E> static int64_t Number(E word) { return static_cast<int64_t>(word); }

  private:
    static const size_t kWords = 128; // Python says when that is too little

    void Init(Kind kind, int64_t l1, int64_t l0c, int64_t ub, int64_t l0a, int64_t l0b, int64_t bt, int64_t aic) {
        Ask("Init", {kind, l1, l0c, ub, l0a, l0b, bt, aic});
    }
    static int64_t Given(uint64_t size) { return size != 0 ? static_cast<int64_t>(size) : -1; }
    static int64_t Size(const platform_ascendc::PlatformAscendC& chip, platform_ascendc::CoreMemType type) {
        uint64_t size = 0;
        chip.GetCoreMemSize(type, size);
        return Given(size);
    }
    int32_t Result(const char* method) const {
        int32_t result = -1;
        Ask(method, {}, &result);
        return result;
    }

    const char* name_;
    mutable int32_t state_[kWords] = {};
};
} // namespace matmul_tiling
