// SPDX-License-Identifier: Apache-2.0
// Into L0A and L0B: whole fractals (LoadData 2D), windows of a map (LoadData 3D) with their registers, transposed squares, sparse weights.
// All of it vanishes on an AIV.
#pragma once
#include "aclimb/cube_params.h"
#include "aclimb/data_copy.h"

namespace aclimb {

template <typename T> ACLIMB_API void load_2d(const Place& dst, const Place& src, const AscendC::LoadData2DParams& params, Pipe pipe) {
    if constexpr (cube_call(); kIsCube) {
        Load2D record{};
        record.dst = dst;
        record.src = src;
        record.start_index = params.startIndex;
        record.src_stride = params.srcStride;
        record.dst_gap = params.dstGap;
        record.repeat = params.repeatTimes;
        record.transpose = params.ifTranspose;
        record.address_mode = params.addrMode;
        issue(record, Op::load_2d, pipe, dtype_of<T>());
    }
}

// What is given stays in the registers, for later calls that leave it out.
ACLIMB_API void set_fmatrix(uint16_t height, uint16_t width, const uint8_t* pad) {
    Load3DState& state = core()->load_3d;
    state.height = height;
    state.width = width;
    state.pad_left = pad[0];
    state.pad_right = pad[1];
    state.pad_top = pad[2];
    state.pad_bottom = pad[3];
}

template <typename T> ACLIMB_API void load_3d(Load3D& record, const Place& dst, const Place& src, bool right_matrix) {
    if (right_matrix)
        misuse(MisuseKind::unsupported, "LoadData with fMatrixCtrl: Atlas A2 and A3 have one register of the map, the left one; leave it false");
    record.dst = dst;
    record.src = src;
    record.state = core()->load_3d;
    issue(record, Op::load_3d, Pipe::MTE1, dtype_of<T>());
}

} // namespace aclimb

namespace AscendC {

// Whole fractals of 512 bytes, from L1 on MTE1 or straight from GM on MTE2.
template <typename T>
ACLIMB_API void LoadData(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LoadData2DParams& loadDataParams) {
    aclimb::load_2d<T>(dst.place, src.place, loadDataParams, aclimb::Pipe::MTE1);
}
template <typename T>
ACLIMB_API void LoadData(const LocalTensor<T>& dst, const GlobalTensor<T>& src, const LoadData2DParams& loadDataParams) {
    aclimb::load_2d<T>(dst.place, src.place, loadDataParams, aclimb::Pipe::MTE2);
}

// A window of the im2col matrix of a map in L1. enSmallK is of older products.
template <typename T, const IsResetLoad3dConfig& defaultConfig = IS_RESER_LOAD3D_DEFAULT_CONFIG, typename U = T>
ACLIMB_API void LoadData(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LoadData3DParamsV2<U>& loadDataParams) {
    static_assert(std::is_same_v<T, U>, "aclimb: LoadData: LoadData3DParamsV2 has the element type of the tensors");
    if constexpr (aclimb::cube_call(); aclimb::kIsCube) {
        const LoadData3DParamsV2<U>& params = loadDataParams;
        if constexpr (defaultConfig.isSetFMatrix) aclimb::set_fmatrix(params.l1H, params.l1W, params.padList);
        if constexpr (defaultConfig.isSetPadding) aclimb::core()->load_3d.pad_value = aclimb::bits_of(params.padValue);
        aclimb::Load3D record{};
        record.channels = params.channelSize;
        record.k_extension = params.kExtension;
        record.m_extension = params.mExtension;
        record.k_start = params.kStartPt;
        record.m_start = params.mStartPt;
        record.filter_w = static_cast<uint16_t>(params.filterW + 256 * params.filterSizeW);
        record.filter_h = static_cast<uint16_t>(params.filterH + 256 * params.filterSizeH);
        record.stride_w = params.strideW;
        record.stride_h = params.strideH;
        record.dilation_w = params.dilationFilterW;
        record.dilation_h = params.dilationFilterH;
        record.transpose = params.enTranspose;
        aclimb::load_3d<T>(record, dst.place, src.place, params.fMatrixCtrl);
    }
}
template <typename T>
ACLIMB_API void LoadData(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LoadData3DParamsV2Pro& loadDataParams) {
    if constexpr (aclimb::cube_call(); aclimb::kIsCube) {
        const uint64_t window = loadDataParams.extConfig, filter = loadDataParams.filterConfig;
        aclimb::Load3D record{};
        record.channels = loadDataParams.channelSize;
        record.k_extension = static_cast<uint16_t>(window);
        record.m_extension = static_cast<uint16_t>(window >> 16);
        record.k_start = static_cast<uint16_t>(window >> 32);
        record.m_start = static_cast<uint16_t>(window >> 48);
        record.stride_w = static_cast<uint8_t>(filter);
        record.stride_h = static_cast<uint8_t>(filter >> 8);
        record.filter_w = static_cast<uint16_t>((filter >> 16 & 255) + 256 * loadDataParams.filterSizeW);
        record.filter_h = static_cast<uint16_t>((filter >> 24 & 255) + 256 * loadDataParams.filterSizeH);
        record.dilation_w = static_cast<uint8_t>(filter >> 32);
        record.dilation_h = static_cast<uint8_t>(filter >> 40);
        record.transpose = loadDataParams.enTranspose;
        aclimb::load_3d<T>(record, dst.place, src.place, loadDataParams.fMatrixCtrl);
    }
}

// The registers of LoadData 3D.
ACLIMB_API void SetFmatrix(uint16_t l1H, uint16_t l1W, const uint8_t padList[4], const FmatrixMode& fmatrixMode) {
    if (fmatrixMode != FmatrixMode::FMATRIX_LEFT)
        aclimb::misuse(aclimb::MisuseKind::unsupported,
                       "SetFmatrix takes FmatrixMode::FMATRIX_LEFT on Atlas A2 and A3, which serves both matrices");
    aclimb::require_range("l1H of SetFmatrix", l1H, 1, 32767);
    aclimb::require_range("l1W of SetFmatrix", l1W, 1, 32767);
    aclimb::set_fmatrix(l1H, l1W, padList);
}
template <typename T> ACLIMB_API void SetLoadDataPaddingValue(const T padValue) {
    aclimb::core()->load_3d.pad_value = aclimb::bits_of(padValue);
}
ACLIMB_API void SetLoadDataRepeat(const LoadDataRepeatParam& repeatParams) {
    aclimb::require_range("repeatMode of SetLoadDataRepeat", repeatParams.repeatMode, 0, 1);
    aclimb::Load3DState& state = aclimb::core()->load_3d;
    state.repeat_stride = repeatParams.repeatStride;
    state.repeat_time = repeatParams.repeatTime;
    state.repeat_mode = repeatParams.repeatMode;
}
ACLIMB_API void SetLoadDataBoundary(uint32_t boundaryValue) { aclimb::core()->load_3d.boundary = boundaryValue; }

template <typename T>
ACLIMB_API void LoadDataWithTranspose(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LoadData2dTransposeParams& loadDataParams) {
    if constexpr (aclimb::cube_call(); aclimb::kIsCube) {
        aclimb::LoadTranspose record{};
        record.dst = dst.place;
        record.src = src.place;
        record.start_index = loadDataParams.startIndex;
        record.src_stride = loadDataParams.srcStride;
        record.dst_gap = loadDataParams.dstGap;
        record.dst_frac_gap = loadDataParams.dstFracGap;
        record.repeat = loadDataParams.repeatTimes;
        record.descending = loadDataParams.addrMode;
        aclimb::issue(record, aclimb::Op::load_transpose, aclimb::Pipe::MTE1, aclimb::dtype_of<T>());
    }
}

// Of the parameters only startIndex and repeatTimes count.
template <typename T = int8_t, typename U = uint8_t> ACLIMB_API void
LoadDataWithSparse(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LocalTensor<U>& idx, const LoadData2DParams& loadDataParam) {
    static_assert(std::is_same_v<T, int8_t> && std::is_same_v<U, uint8_t>,
                  "aclimb: AscendC::LoadDataWithSparse takes int8_t weights and uint8_t positions");
    if constexpr (aclimb::cube_call(); aclimb::kIsCube) {
        aclimb::LoadSparse record{};
        record.dst = dst.place;
        record.src = src.place;
        record.index = idx.place;
        record.start_index = loadDataParam.startIndex;
        record.repeat = loadDataParam.repeatTimes;
        aclimb::issue(record, aclimb::Op::load_sparse, aclimb::Pipe::MTE1, aclimb::dtype_of<T>());
    }
}

} // namespace AscendC
