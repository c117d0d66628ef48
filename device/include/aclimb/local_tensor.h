// SPDX-License-Identifier: Apache-2.0
// LocalTensor: a piece of a local memory. A small value; copies name the same bytes.
//
// State map
//   place     where the bytes are, how many belong to the tensor, and which buffer of which queue they came from
//   size      the element count that GetSize reports and SetSize changes; bookkeeping only, bounds are place's
//   position  the logical position it was made for
#pragma once
#include "aclimb/issue.h"
#include "aclimb/shape_info.h"
#include "aclimb/tensor_address.h"

namespace aclimb {

enum class Operator { add, sub, mul, div, bit_or, bit_and, lt, gt, le, ge, eq, ne };
template <Operator, typename T> struct Expression; // operators.h

// What t(i) gives: an element that can be read and, on the left, written.
template <typename T> class Element {
  public:
    ACLIMB_API explicit Element(const Place& at) : at_(at) {}
    ACLIMB_API operator T() const { return scalar_load<T>(at_); }
    ACLIMB_API const Element& operator=(const T& value) const {
        scalar_store<T>(at_, value);
        return *this;
    }
    ACLIMB_API const Element& operator=(const Element& other) const { return *this = static_cast<T>(other); }
    template <typename U> ACLIMB_API const Element& operator+=(const U& value) const { return *this = static_cast<T>(T(*this) + value); }
    template <typename U> ACLIMB_API const Element& operator-=(const U& value) const { return *this = static_cast<T>(T(*this) - value); }
    template <typename U> ACLIMB_API const Element& operator*=(const U& value) const { return *this = static_cast<T>(T(*this) * value); }
    template <typename U> ACLIMB_API const Element& operator/=(const U& value) const { return *this = static_cast<T>(T(*this) / value); }
    Element(const Element&) = default;

  private:
    Place at_;
};

} // namespace aclimb

namespace AscendC {

template <typename T> class LocalTensor {
  public:
    using PrimType = T;

    [[no_unique_address]] aclimb::TensorAddress<T> address_; // first: it stands where the tensor does

    ACLIMB_API LocalTensor() {}
    LocalTensor(const LocalTensor&) = default;
    ACLIMB_API LocalTensor& operator=(const LocalTensor& other) {
        place = other.place;
        size = other.size;
        position = other.position;
        tag = other.tag;
        shape = other.shape;
        return *this;
    }
    ACLIMB_API LocalTensor(TPosition position, uint32_t addr, uint32_t size)
        : place({addr, aclimb::bytes_of<T>(size), 0, aclimb::kNoSlot, static_cast<uint64_t>(aclimb::memory_of(position))}), size(size),
          position(position) {}
    ACLIMB_API explicit LocalTensor(TPosition position) : LocalTensor(position, 0, 0) {}
    ACLIMB_API LocalTensor(const aclimb::Place& place, TPosition position)
        : place(place), size(static_cast<uint32_t>(place.size * 8 / element_bits)), position(position) {}

    ACLIMB_API LocalTensor operator[](uint32_t offset) const {
        LocalTensor shifted;
        shifted.place = aclimb::moved(place, static_cast<int64_t>(aclimb::bytes_of<T>(offset)));
        shifted.size = size > offset ? size - offset : 0;
        shifted.position = position;
        return shifted;
    }

    // Scalar access, in order on pipe S.
    ACLIMB_API T GetValue(uint32_t index) const {
        if (!here()) {
            aclimb::leave_to_other_core();
            return T{};
        }
        return aclimb::scalar_load<T>(element(index));
    }
    template <typename U> ACLIMB_API void SetValue(uint32_t index, const U value) const {
        if (!here()) return aclimb::leave_to_other_core();
        aclimb::scalar_store<T>(element(index), static_cast<T>(value));
    }
    ACLIMB_API aclimb::Element<T> operator()(uint32_t index) const { return aclimb::Element<T>(element(index)); }

    // The byte offset inside the memory, as on the device. Kernels cast it to uint64_t or to a pointer; following that pointer is not
    // supported.
    ACLIMB_API uint64_t GetPhyAddr() const { return place.addr; }
    ACLIMB_API uint64_t GetPhyAddr(uint32_t offset) const { return place.addr + aclimb::bytes_of<T>(offset); }

    template <typename U> ACLIMB_API LocalTensor<U> ReinterpretCast() const { return LocalTensor<U>(place, position); }

    ACLIMB_API uint32_t GetSize() const { return size; }
    ACLIMB_API void SetSize(uint32_t elements) { size = elements; }
    ACLIMB_API uint32_t GetLength() const { return static_cast<uint32_t>(aclimb::bytes_of<T>(size)); }
    ACLIMB_API void SetBufferLen(uint32_t elements) { size = elements; }
    ACLIMB_API int32_t GetPosition() const { return static_cast<int32_t>(position); }
    ACLIMB_API void SetUserTag(TTagType value) { tag = value; }
    ACLIMB_API TTagType GetUserTag() const { return tag; }
    ACLIMB_API void SetShapeInfo(const ShapeInfo& info) { shape = info; }
    ACLIMB_API ShapeInfo GetShapeInfo() const { return shape; }
    ACLIMB_API void SetAddr(const TBuffAddr& address) { address_ = address; }
    template <typename U> ACLIMB_API void SetAddrWithOffset(LocalTensor<U>& source, uint32_t offset) {
        *this = source[offset].template ReinterpretCast<T>();
    }

    // z = x + y and relatives: GetSize() elements of this tensor, as in the calls Add, Compare, ... with a count.
    template <aclimb::Operator op, typename U> ACLIMB_API LocalTensor& operator=(const aclimb::Expression<op, U>& expression) {
        expression.into(*this);
        return *this;
    }

    ACLIMB_API bool here() const { return aclimb::has_memory(static_cast<aclimb::Memory>(place.memory)); }

    aclimb::Place place = aclimb::kNowhere;
    uint32_t size = 0;
    TPosition position = TPosition::MAX;
    TTagType tag = 0;
    ShapeInfo shape;

  private:
    static constexpr uint64_t element_bits = std::is_same_v<T, int4b_t> ? 4 : sizeof(T) * 8;
    ACLIMB_API aclimb::Place element(uint32_t index) const {
        static_assert(!std::is_same_v<T, int4b_t>,
                      "aclimb: GetValue and SetValue of an int4b_t tensor are not supported; ReinterpretCast<int8_t> first");
        return aclimb::moved(place, static_cast<int64_t>(aclimb::bytes_of<T>(index)));
    }
};

} // namespace AscendC
