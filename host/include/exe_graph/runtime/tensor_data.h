// SPDX-License-Identifier: Apache-2.0
// gert::TensorData: an address with its size, its place, and the function that shares and frees it.
#pragma once
#include <cstddef>
#include <cstdint>

#include "graph/error_codes.h"

namespace gert {
using TensorAddress = void*;
using ConstTensorAddressPtr = const void*;

enum TensorOperateType { kGetTensorAddress, kFreeTensor, kPlusShareCount, kTensorOperateType };
using TensorAddrManager = ge::graphStatus (*)(TensorAddress, TensorOperateType, void** out);

enum TensorPlacement : int32_t { kOnDeviceHbm = 0, kOnHost = 1, kFollowing = 2, kOnDeviceP2p = 3, kTensorPlacementEnd = 4 };

class TensorPlacementUtils {
  public:
    static bool IsOnDevice(TensorPlacement placement) { return IsOnDeviceHbm(placement) || IsOnDeviceP2p(placement); }
    static bool IsOnHost(TensorPlacement placement) { return placement == kOnHost || placement == kFollowing; }
    static bool IsOnHostNotFollowing(TensorPlacement placement) { return placement == kOnHost; }
    static bool IsOnHostFollowing(TensorPlacement placement) { return placement == kFollowing; }
    static bool IsOnDeviceHbm(TensorPlacement placement) { return placement == kOnDeviceHbm; }
    static bool IsOnDeviceP2p(TensorPlacement placement) { return placement == kOnDeviceP2p; }
};

class TensorData {
  public:
    explicit TensorData(TensorAddress addr = nullptr, TensorAddrManager manager = nullptr)
        : addr_(addr), manager_(manager), size_(0), placement_(kTensorPlacementEnd) {}
    TensorData(TensorAddress addr, TensorAddrManager manager, size_t size, TensorPlacement placement)
        : addr_(addr), manager_(manager), size_(size), placement_(placement) {}
    TensorData(const TensorData&) = delete;
    TensorData& operator=(const TensorData&) = delete;
    TensorData(TensorData&& other) noexcept
        : addr_(other.addr_), manager_(other.manager_), size_(other.size_), placement_(other.placement_) {
        other.Forget();
    }
    TensorData& operator=(TensorData&& other) noexcept {
        if (this != &other) {
            Free();
            addr_ = other.addr_;
            manager_ = other.manager_;
            size_ = other.size_;
            placement_ = other.placement_;
            other.Forget();
        }
        return *this;
    }
    ~TensorData() { Free(); }

    // With a manager the address is a handle, and the manager says what it stands for.
    TensorAddress GetAddr() const {
        if (manager_ == nullptr || addr_ == nullptr) return addr_;
        void* out = nullptr;
        return manager_(addr_, kGetTensorAddress, &out) == ge::GRAPH_SUCCESS ? out : nullptr;
    }
    size_t GetSize() const { return size_; }
    void SetSize(size_t size) { size_ = size; }
    TensorPlacement GetPlacement() const { return placement_; }
    void SetPlacement(TensorPlacement placement) { placement_ = placement; }

    ge::graphStatus Free() {
        if (manager_ != nullptr) {
            const ge::graphStatus status = manager_(addr_, kFreeTensor, nullptr);
            if (status != ge::GRAPH_SUCCESS) return status;
        }
        addr_ = nullptr;
        manager_ = nullptr;
        return ge::GRAPH_SUCCESS;
    }
    // What it had before is freed.
    ge::graphStatus SetAddr(const ConstTensorAddressPtr addr, TensorAddrManager manager) {
        const ge::graphStatus status = Free();
        addr_ = const_cast<TensorAddress>(addr);
        manager_ = manager;
        return status;
    }
    bool IsSharedWith(const TensorData& other) const { return addr_ == other.addr_ && manager_ == other.manager_; }
    ge::graphStatus ShareFrom(const TensorData& other) {
        if (IsSharedWith(other)) return ge::GRAPH_SUCCESS;
        Free();
        addr_ = other.addr_;
        manager_ = other.manager_;
        size_ = other.size_;
        placement_ = other.placement_;
        return manager_ != nullptr ? manager_(addr_, kPlusShareCount, nullptr) : ge::GRAPH_SUCCESS;
    }
    // The address and its manager are the caller's from now on.
    TensorAddress Release(TensorAddrManager& manager) {
        TensorAddress addr = addr_;
        manager = manager_;
        Forget();
        return addr;
    }

  private:
    void Forget() noexcept {
        addr_ = nullptr;
        manager_ = nullptr;
    }

    TensorAddress addr_;
    TensorAddrManager manager_;
    size_t size_;
    TensorPlacement placement_;
};
} // namespace gert
