// SPDX-License-Identifier: Apache-2.0
// tiling_main SOC: what a program's own main asks the tiler, with every method once.
#include <cstdio>
#include <vector>

#include "tiling/tiling_api.h"

using namespace matmul_tiling;

static void print(const char* name, const std::vector<int32_t>& words) {
    std::printf("%s", name);
    for (int32_t each : words) std::printf(" %d", each);
    std::printf("\n");
}

static std::vector<int32_t> saved(const optiling::TCubeTiling& tiling) {
    std::vector<int32_t> words(tiling.GetDataSize() / 4);
    tiling.SaveToBuffer(words.data(), words.size() * 4);
    return words;
}

static std::vector<int32_t> plain(const AscendC::tiling::TCubeTiling& tiling) {
    const int32_t* first = &tiling.usedCoreNum;
    return std::vector<int32_t>(first, first + sizeof tiling / 4);
}

static void setters() {
    MultiCoreMatmulTiling t;
    const TPosition gm = TPosition::GM;
    const CubeFormat nd = CubeFormat::ND;
    t.SetMatmulConfigParams();
    t.SetMatmulConfigParams(MatmulConfigParams(0));
    t.SetSplitK(false);
    t.EnableMultiCoreSplitK(false);
    print("setters", {t.SetAType(gm, nd, DataType::DT_BFLOAT16, true),
                      t.SetBType(gm, nd, DataType::DT_BF16),
                      t.SetCType(gm, nd, DataType::DT_FLOAT),
                      t.SetBiasType(gm, nd, DataType::DT_FLOAT),
                      t.SetShape(100, 200, 300),
                      t.SetOrgShape(100, 200, 300),
                      t.SetOrgShape(100, 200, 300, 400),
                      t.SetDim(4),
                      t.SetSingleShape(),
                      t.SetSingleRange(),
                      t.SetAlignSplit(-1, 0, -1),
                      t.SetFixSplit(),
                      t.SetBufferSpace(),
                      t.SetSplitRange(),
                      t.SetDoubleBuffer(true, true, true, true),
                      t.SetTraverse(MatrixTraverse::FIRSTN),
                      t.SetMadType(MatrixMadType::HF32),
                      t.SetBias(true),
                      t.EnableBias(true),
                      t.SetDequantType(DequantType::SCALAR),
                      t.SetSparse(),
                      t.SetALayout(1, 2, 3, 4, 5),
                      t.SetBLayout(1, 2, 3, 4, 5),
                      t.SetCLayout(1, 2, 3, 4, 5),
                      t.SetBatchNum(6),
                      t.EnableL1BankConflictOptimise()});
    MultiCoreMatmulTiling copy = t; // plain numbers: a copy is another object
    copy.SetBatchNum(9);
    AscendC::tiling::TCubeTiling made, other;
    print("codes", {static_cast<int32_t>(t.GetTiling(made)), static_cast<int32_t>(copy.GetTiling(other))});
    print("said", {made.M, made.Kb, made.isBias, made.iterateOrder, made.CLayoutInfoS2, made.BatchNum, other.BatchNum});
}

static void refused() {
    MultiCoreMatmulTiling t;
    int32_t dim = 5, m = 6, n = 7;
    AscendC::tiling::TCubeTiling made{};
    print("refused",
          {t.SetDim(0), t.SetAType(TPosition::A1, CubeFormat::ND, DataType::DT_FLOAT), t.SetScaleAType(TPosition::GM, CubeFormat::ND),
           t.SetScaleBType(TPosition::GM, CubeFormat::ND), t.GetCoreNum(dim, m, n), t.GetSingleShape(dim, m, n),
           static_cast<int32_t>(t.GetTiling(made)), dim, m, n, made.usedCoreNum});
    SysTilingTempBufSize size;
    optiling::TCubeTiling empty;
    print("sizes", {MatmulGetTmpBufSize(empty, size), MultiCoreMatmulGetTmpBufSizeV2(made, size), BatchMatmulGetTmpBufSize(empty, size)});
}

int main(int argc, char** argv) {
    auto* chip = platform_ascendc::PlatformAscendCManager::GetInstance(argc > 1 ? argv[1] : "Ascend910B1");
    if (chip == nullptr) return 1;
    MultiCoreMatmulTiling tiler(*chip);
    tiler.SetAType(TPosition::GM, CubeFormat::ND, DataType::DT_FLOAT16);
    tiler.SetBType(TPosition::GM, CubeFormat::ND, DataType::DT_FLOAT16);
    tiler.SetCType(TPosition::GM, CubeFormat::ND, DataType::DT_FLOAT);
    tiler.SetShape(128, 30720, 1024);
    tiler.SetDim(chip->GetCoreNumAic());
    tiler.SetBias(true);
    optiling::TCubeTiling tiling;
    AscendC::tiling::TCubeTiling same;
    if (tiler.GetTiling(tiling) != 0 || tiler.GetTiling(same) != 0) return 2;
    print("saved", saved(tiling));
    print("plain", plain(same));
    int32_t dim = 0, m = 0, n = 0, sm = 0, sn = 0, sk = 0;
    print("cores", {tiler.GetCoreNum(dim, m, n), dim, m, n, tiler.GetSingleShape(sm, sn, sk), sm, sn, sk});
    print("base", {tiler.GetBaseM(), tiler.GetBaseN(), tiler.GetBaseK()});
    SysTilingTempBufSize size, second, third;
    print("sizes", {MatmulGetTmpBufSize(tiling, size), MultiCoreMatmulGetTmpBufSizeV2(same, second),
                    BatchMatmulGetTmpBufSize(tiling, third), size.ubSize, size.l1Size, size.l0cSize, second.l1Size, third.l1Size});
    tiling.set_mxTypePara(50);
    tiling.set_usedCoreNum(-1);
    print("set", {tiling.get_mxTypePara(), tiling.get_usedCoreNum(), static_cast<int32_t>(tiling.GetDataSize())});
    PlatformInfo small{};
    small.l0CSize = 16384;
    MatmulApiTiling one(small);
    one.SetShape(512, 512, 512);
    one.GetTiling(same);
    print("small", {same.baseM * same.baseN * 4 * same.dbL0C <= 16384, same.usedCoreNum, same.singleCoreM});
    BatchMatmulTiling batch(*chip);
    batch.SetBatchInfoForNormal(3, 1, 32, 256, 64);
    batch.GetTiling(same);
    int32_t over_a = 0, over_b = 0;
    print("batch", {same.BatchNum, same.singleCoreN, batch.GetCoreNum(dim, m, n, over_a, over_b), dim, m, n, over_a, over_b});
    setters();
    refused();
    return 0;
}
