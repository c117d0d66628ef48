// SPDX-License-Identifier: Apache-2.0
// GlobalTensor: a piece of global memory. A device address is a host address here; the engine checks every access against the
// allocation, and against the length given to SetGlobalBuffer.
#pragma once
#include "aclimb/local_tensor.h"

namespace AscendC {

template <typename T> class GlobalTensor {
  public:
    using PrimType = T;

    ACLIMB_API GlobalTensor() {}
    ACLIMB_API void SetGlobalBuffer(const T* buffer, uint64_t bufferSize) {
        place.addr = reinterpret_cast<uint64_t>(buffer);
        place.size = aclimb::bytes_of<T>(bufferSize);
        size = bufferSize;
    }
    ACLIMB_API void SetGlobalBuffer(const T* buffer) { SetGlobalBuffer(buffer, 0); }

    ACLIMB_API GlobalTensor operator[](uint64_t offset) const {
        GlobalTensor shifted;
        shifted.place = aclimb::moved(place, static_cast<int64_t>(aclimb::bytes_of<T>(offset)));
        shifted.size = size > offset ? size - offset : 0;
        return shifted;
    }

    ACLIMB_API T GetValue(uint64_t index) const { return aclimb::scalar_load<T>(element(index)); }
    template <typename U> ACLIMB_API void SetValue(uint64_t index, const U value) const {
        aclimb::scalar_store<T>(element(index), static_cast<T>(value));
    }
    ACLIMB_API aclimb::Element<T> operator()(uint64_t index) const { return aclimb::Element<T>(element(index)); }

    ACLIMB_API T* GetPhyAddr() const { return reinterpret_cast<T*>(place.addr); }
    ACLIMB_API T* GetPhyAddr(uint64_t offset) const { return reinterpret_cast<T*>(place.addr + aclimb::bytes_of<T>(offset)); }
    ACLIMB_API uint64_t GetSize() const { return size; }
    ACLIMB_API void SetSize(uint64_t elements) { size = elements; }
    ACLIMB_API void SetShapeInfo(const ShapeInfo& info) { shape = info; }
    ACLIMB_API ShapeInfo GetShapeInfo() const { return shape; }
    template <typename U> ACLIMB_API GlobalTensor<U> ReinterpretCast() const {
        GlobalTensor<U> same;
        same.place = place;
        same.size = size * sizeof(T) / sizeof(U);
        return same;
    }

    // Which data stays in the L2 cache changes time only, never a value.
    template <CacheRwMode = CacheRwMode::RW> ACLIMB_API void SetL2CacheHint(CacheMode) {}

    aclimb::Place place = aclimb::kNowhere;
    uint64_t size = 0;
    ShapeInfo shape;

  private:
    ACLIMB_API aclimb::Place element(uint64_t index) const {
        return aclimb::moved(place, static_cast<int64_t>(aclimb::bytes_of<T>(index)));
    }
};

} // namespace AscendC
