// SPDX-License-Identifier: Apache-2.0
// A test lays out an image of the UB: operands, scratch, and bytes between them that nobody may touch. The kernel takes it in as it is,
// makes its call on tensors at given places, and puts it back whole, with the core's registers behind it.
#pragma once
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t IMAGE = 112 * 1024;
constexpr uint32_t STATE = 64;

struct Places { // in bytes, as the test gives them
    uint32_t at[8];
    uint32_t size[8]; // in elements; of scratch in bytes
    uint32_t count, form, more[6];
};

class Image {
  public:
    __aicore__ inline Image(GM_ADDR image, GM_ADDR places) {
        gm_.SetGlobalBuffer((__gm__ uint32_t*)image, (IMAGE + STATE) / 4);
        const __gm__ uint32_t* from = (const __gm__ uint32_t*)places;
        uint32_t* to = reinterpret_cast<uint32_t*>(&place);
        for (uint32_t i = 0; i < sizeof(Places) / 4; i++) to[i] = from[i];
        pipe_.InitBuffer(buffer_, IMAGE);
        DataCopy(buffer_.Get<uint32_t>(), gm_, IMAGE / 4);
        PipeBarrier<PIPE_ALL>();
    }
    __aicore__ inline ~Image() {
        const aclimb::CoreView* core = aclimb::core();
        const uint64_t state[] = {core->mask[0], core->mask[1],   core->mask_counted,
                                  core->ctrl,    core->deq_scale, static_cast<uint64_t>(core->atomic_op)};
        PipeBarrier<PIPE_ALL>();
        DataCopy(gm_, buffer_.Get<uint32_t>(), IMAGE / 4);
        for (uint32_t i = 0; i < sizeof state / 4; i++) gm_.SetValue(IMAGE / 4 + i, reinterpret_cast<const uint32_t*>(state)[i]);
    }
    template <typename T> __aicore__ inline LocalTensor<T> Tensor(uint32_t i) {
        return buffer_.GetWithOffset<T>(place.size[i], place.at[i]);
    }
    __aicore__ inline float Scalar() const { return reinterpret_cast<const float&>(place.more[0]); }
    Places place;

  private:
    TPipe pipe_;
    TBuf<TPosition::VECCALC> buffer_;
    GlobalTensor<uint32_t> gm_;
};

// A kernel around forms of a call. Tensors: destination, sources, scratch.
#define CALL_KERNEL(name, T, sources, forms)                                                                                               \
    extern "C" __global__ __aicore__ void name(GM_ADDR bytes, GM_ADDR places) {                                                            \
        Image image(bytes, places);                                                                                                        \
        const auto z = image.Tensor<T>(0), x = image.Tensor<T>(1), y = image.Tensor<T>(2);                                                 \
        const auto tmp = image.Tensor<uint8_t>(1 + sources);                                                                               \
        const uint32_t n = image.place.count;                                                                                              \
        switch (image.place.form) { forms }                                                                                                \
    }
#define COUNTED_FORMS(call, ...)                                                                                                           \
    case 0: return call(__VA_ARGS__, tmp, n);                                                                                              \
    case 2: return call(__VA_ARGS__, n);
#define ALL_FORMS(call, ...)                                                                                                               \
    COUNTED_FORMS(call, __VA_ARGS__)                                                                                                       \
    case 1: return call(__VA_ARGS__, tmp);                                                                                                 \
    case 3: return call(__VA_ARGS__);
#define ONE_SOURCE(call, T) CALL_KERNEL(call##_##T, T, 1, ALL_FORMS(call<T>, z, x))
#define ONE_SOURCE_COUNTED(call, T) CALL_KERNEL(call##_##T, T, 1, COUNTED_FORMS(call<T>, z, x))
#define TWO_SOURCES(call, T) CALL_KERNEL(call##_##T, T, 2, ALL_FORMS(call<T>, z, x, y))
#define TWO_SOURCES_COUNTED(call, T) CALL_KERNEL(call##_##T, T, 2, COUNTED_FORMS(call<T>, z, x, y))
