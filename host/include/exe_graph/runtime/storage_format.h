// SPDX-License-Identifier: Apache-2.0
// gert::StorageFormat: the format of a tensor before and in memory, and the axes in between.
#pragma once
#include "exe_graph/runtime/expand_dims_type.h"
#include "graph/types.h"

namespace gert {
class StorageFormat {
  public:
    StorageFormat() = default;
    StorageFormat(ge::Format origin, ge::Format storage, const ExpandDimsType& expand)
        : origin_(origin), storage_(storage), expand_dims_type_(expand) {}

    ge::Format GetOriginFormat() const { return origin_; }
    void SetOriginFormat(ge::Format format) { origin_ = format; }
    ge::Format GetStorageFormat() const { return storage_; }
    void SetStorageFormat(ge::Format format) { storage_ = format; }
    ExpandDimsType GetExpandDimsType() const { return expand_dims_type_; }
    void SetExpandDimsType(const ExpandDimsType& expand) { expand_dims_type_ = expand; }
    ExpandDimsType& MutableExpandDimsType() { return expand_dims_type_; }

    bool operator==(const StorageFormat& other) const {
        return origin_ == other.origin_ && storage_ == other.storage_ && expand_dims_type_ == other.expand_dims_type_;
    }
    bool operator!=(const StorageFormat& other) const { return !(*this == other); }

  private:
    ge::Format origin_ = ge::FORMAT_ND;
    ge::Format storage_ = ge::FORMAT_ND;
    ExpandDimsType expand_dims_type_;
};
} // namespace gert
