// SPDX-License-Identifier: Apache-2.0
// The host functions as a C++ host program calls them; a line each.
#include <cstdio>

#include "tiling/tiling_api.h"

namespace optiling {
BEGIN_TILING_DATA_DEF(BothTiling)
TILING_DATA_FIELD_DEF(uint32_t, total);
TILING_DATA_FIELD_DEF_STRUCT(SoftMaxTiling, softmax);
TILING_DATA_FIELD_DEF_STRUCT(LayerNormTiling, norm);
TILING_DATA_FIELD_DEF(uint32_t, last);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(Both, BothTiling)
} // namespace optiling

using namespace AscendC;

template <class Plain, class Saved> void compare(const char* name, const Plain& plain, Saved& saved) {
    uint8_t bytes[512] = {};
    saved.SaveToBuffer(bytes, sizeof bytes);
    // What is behind the last field fills the class up to a multiple of eight.
    std::printf("%s %d %zu %zu\n", name, __builtin_memcmp(bytes, &plain, sizeof plain) == 0, sizeof plain, saved.GetDataSize());
}
#define COMPARE(Struct, fill)                                                                                                              \
    {                                                                                                                                      \
        tiling::Struct plain;                                                                                                              \
        optiling::Struct saved;                                                                                                            \
        {                                                                                                                                  \
            auto& t = plain;                                                                                                               \
            fill;                                                                                                                          \
        }                                                                                                                                  \
        {                                                                                                                                  \
            auto& t = saved;                                                                                                               \
            fill;                                                                                                                          \
        }                                                                                                                                  \
        compare(#Struct, plain, saved);                                                                                                    \
    }

int main() {
    ge::Shape changed({1, 2});
    if (!changed.SetDim(1, 7) || changed.SetDim(2, 7) || changed.GetDims()[1] != 7 || changed.GetShapeSize() != 7 ||
        ge::Shape().GetShapeSize() != 0)
        return 1;
    const platform_ascendc::PlatformAscendC& chip = *platform_ascendc::PlatformAscendCManager::GetInstance();
    const ge::Shape rows({8, 1024}), norm({2, 4, 64, 60}), whole({2, 4, 64}), images({2, 8, 3, 5}), matrix({32, 48});
    uint32_t max = 0, min = 0;
#define SIZES_AS(label, name, ...)                                                                                                         \
    name(__VA_ARGS__);                                                                                                                     \
    std::printf("%s %u %u\n", label, max, min);
#define SIZES(name, ...) SIZES_AS(#name, name, __VA_ARGS__)
    SIZES(GetSinMaxMinTmpSize, rows, 2, false, max, min)
    SIZES(GetSinTmpBufferFactorSize, 2, max, min)
    SIZES(GetExpMaxMinTmpSize, rows, 4, false, max, min)
    SIZES(GetRoundMaxMinTmpSize, chip, rows, 2, false, max, min)
    SIZES(GetPowerMaxMinTmpSize, rows, ge::Shape({1}), false, 4, false, max, min)
    SIZES(GetGeluMaxMinTmpSize, rows, 4, max, min)
    SIZES(GetSwiGLUMaxMinTmpSize, rows, 2, max, min, false)
    SIZES(GetClampMaxMinTmpSize, rows, 2, false, max, min)
    SIZES(GetLayerNormMaxMinTmpSize, norm, 4, false, max, min)
    SIZES(GetRmsNormMaxMinTmpSize, whole, 2, max, min)
    SIZES(GetGroupNormMaxMinTmpSize, images, 4, false, 2, max, min)
    SIZES(GetSumMaxMinTmpSize, 100, 4, false, max, min)
    SIZES(GetReduceMaxMaxMinTmpSize, rows, ge::DT_FLOAT, ReducePattern::AR, true, false, max, min)
    SIZES(GetCumSumMaxMinTmpSize, rows, 4, true, false, max, min)
    SIZES(GetAscendQuantMaxMinTmpSize, rows, 4, max, min)
    SIZES(GetTopKMaxMinTmpSize, chip, 64, 3, false, false, TopKMode::TOPK_NORMAL, true, 4, max, min)
    SIZES(GetBroadCastMaxMinTmpSize, chip, ge::Shape({8, 1}), rows, 4, false, max, min)
    SIZES(GetSelectMaxMinTmpSize, rows, ge::Shape({1}), 4, rows, 1, true, max, min)
    SIZES_AS("GetSum-short", GetSumMaxMinTmpSize, 8, 4, false, max, min)
    SIZES(GetUnPadMaxMinTmpSize, chip, rows, 4, max, min)
    SIZES(GetMeanTmpBufferFactorSize, 2, max, min)
    const SinConfig sine = {SinAlgo::RADIAN_REDUCTION};
    const TransDataConfig tiles = {DataFormat::NCDHW, DataFormat::NDC1HWC0};
    SIZES_AS("GetSin-config", GetSinMaxMinTmpSize, sine, rows, 2, false, max, min)
    SIZES(GetTransDataMaxMinTmpSize, chip, ge::Shape({1, 16, 1, 4, 4}), ge::Shape({1, 1, 1, 4, 4, 16}), ge::DT_FLOAT16, tiles, max, min)
    TopKConfig best;
    best.order = TopKOrder::LARGEST;
    SIZES_AS("GetTopK-config", GetTopKMaxMinTmpSize, 64, 3, 5, false, false, TopKMode::TOPK_NORMAL, true, TensorDataType::DT_FLOAT, best, max, min)
    // --- of calls that these products lack
    SortConfig order;
    order.isDescend = true;
    SIZES(GetSortMaxMinTmpSize, rows, ge::DT_FLOAT, ge::DT_UINT32, false, order, max, min)
    SIZES(GetRintMaxMinTmpSize, chip, rows, 4, false, max, min)
    SIZES(GetQuantizeMaxMinTmpSize, rows, 4, max, min)
    SIZES(GetDequantizeMaxMinTmpSize, rows, 4, max, min)
    SIZES(GetAntiQuantizeMaxMinTmpSize, rows, rows, false, ge::DT_INT8, ge::DT_FLOAT16, max, min)
    SIZES(GetHypotTmpBufferFactorSize, 4, max, min)
    SIZES(GetWhereTmpBufferFactorSize, chip, 4, max, min)
    max = GetSoftMaxMaxTmpSize(rows, 4, false), min = GetSoftMaxMinTmpSize(rows, 4, false);
    std::printf("GetSoftMaxMaxMinTmpSize %u %u\n", max, min);

    COMPARE(SoftMaxTiling, SoftMaxTilingFunc(rows, 4, 20000, t))
    COMPARE(LogSoftMaxTiling, LogSoftMaxTilingFunc(rows, 4, 20000, t))
    COMPARE(LayerNormTiling, GetLayerNormNDTilingInfo(norm, 20000, 4, false, t))
    COMPARE(LayerNormSeparateTiling, GetLayerNormNDTilingInfo(rows, 20000, 4, false, true, t))
    COMPARE(DeepNormTiling, GetDeepNormTilingInfo(whole, whole, 20000, 4, false, false, t))
    COMPARE(RmsNormTiling, GetRmsNormTilingInfo(whole, whole, 20000, 4, t))
    COMPARE(LayerNormGradTiling, GetLayerNormGradNDTilingInfo(norm, 5000, 4, false, t))
    COMPARE(LayerNormGradBetaTiling, GetLayerNormGradBetaNDTilingInfo(norm, 5000, 4, false, t))
    COMPARE(BatchNormTiling, GetBatchNormNDTilingInfo(whole, whole, 20000, 4, false, t))
    COMPARE(GroupNormTiling, GetGroupNormNDTilingInfo(images, 20000, 4, false, 2, t))
    COMPARE(TopkTiling, TopKTilingFunc(chip, 64, 3, 5, 4, false, TopKMode::TOPK_NORMAL, true, t))
    COMPARE(PadTiling, PadTilingFunc(matrix, matrix, 0, 4, t))
    COMPARE(UnPadTiling, UnPadTilingFunc(matrix, 0, 4, t))
    COMPARE(ConfusionTransposeTiling, GetTransposeTilingInfo(matrix, 0, 4, 7, t))

    uint32_t from[4] = {1, 2, 3, 4}, to[4] = {};
    if (memcpy_s(to, sizeof to, from, 8) != EOK || to[1] != 2 || memcpy_s(to, 8, from, 12) == EOK || to[1] != 0) return 2;
    if (memcpy_s(to, sizeof to, from, 12) != EOK || memcpy_s(to, 8, to + 1, 8) == EOK || to[0] != 0 || to[2] != 3) return 3;
    char text[6];
    if (sprintf_s(text, sizeof text, "%d", 12345) != 5 || sprintf_s(text, sizeof text, "%d", 123456) != -1 || text[0] != 0) return 4;
    if (strcpy_s(text, sizeof text, "abc") != EOK || strcat_s(text, sizeof text, "de") != EOK || strcat_s(text, sizeof text, "f") == EOK)
        return 5;

    optiling::BothTiling both;
    SoftMaxTilingFunc(rows, 4, 20000, both.softmax);
    GetLayerNormNDTillingInfo(norm, 20000, 4, false, both.norm);
    both.set_last(99);
    uint32_t words[64] = {};
    both.SaveToBuffer(words, sizeof words);
    std::printf("places %u %u %u %zu\n", words[(8 + 4) / 4], words[(72 + 8) / 4], words[176 / 4], both.GetDataSize()); // as in a kernel
    std::printf("both %u %u %d\n", both.softmax.get_srcK(), both.norm.get_originalHLength(), IsBasicBlockInSoftMax(both.softmax, 4));
    return 0;
}
