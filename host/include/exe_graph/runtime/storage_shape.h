// SPDX-License-Identifier: Apache-2.0
// gert::StorageShape: a shape as the user wrote it, and as it lies in memory.
#pragma once
#include "exe_graph/runtime/shape.h"

namespace gert {
class StorageShape {
  public:
    StorageShape() = default;
    StorageShape(const std::initializer_list<int64_t>& origin, const std::initializer_list<int64_t>& storage)
        : origin_(origin), storage_(storage) {}

    const Shape& GetOriginShape() const { return origin_; }
    const Shape& GetShape() const { return origin_; }
    const Shape& GetStorageShape() const { return storage_; }
    Shape& MutableOriginShape() { return origin_; }
    Shape& MutableShape() { return origin_; }
    Shape& MutableStorageShape() { return storage_; }

    bool operator==(const StorageShape& other) const { return origin_ == other.origin_ && storage_ == other.storage_; }
    bool operator!=(const StorageShape& other) const { return !(*this == other); }

  private:
    Shape origin_; // first: a pointer to a StorageShape is one to its origin shape, too
    Shape storage_;
};
} // namespace gert
