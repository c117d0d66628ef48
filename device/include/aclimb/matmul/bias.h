// SPDX-License-Identifier: Apache-2.0
// The bias of a Matmul object: a row that is added to every row of C. It goes through L1 into the bias table, block by block of columns.
#pragma once
#include "aclimb/matmul/geometry.h"

namespace aclimb {

template <class Type, typename Sum> class Bias {
  public:
    using T = typename Type::T;
    static_assert(std::is_same_v<T, Sum> || std::is_same_v<T, half> || std::is_same_v<T, bfloat16_t> || sizeof(T) <= 4,
                  "aclimb: the bias of a Matmul object is float or half, and int32_t for integers");

    AscendC::GlobalTensor<T> gm;
    bool is_set = false;

    ACLIMB_API uint32_t l1_bytes(int32_t columns) const { return static_cast<uint32_t>(columns) * sizeof(T); }
    ACLIMB_API void begin(uint32_t l1_address) {
        address_ = l1_address;
        full_.take();
        free_.take();
        table_free_.take();
    }
    ACLIMB_API void load(int32_t column, int32_t columns) {
        static_assert(std::is_same_v<T, Sum>,
                      "aclimb: the bias of a Matmul object has the type of its sums here, float or int32_t; half is not supported yet");
        const auto padded = static_cast<uint32_t>(up_to(columns, 16));
        const AscendC::LocalTensor<T> l1(AscendC::TPosition::C1, address_, padded);
        free_.set(0);
        free_.wait(0);
        AscendC::Nd2NzParams row; // one row: copies what there is and fills the last block with zeros
        row.ndNum = 1;
        row.nValue = 1;
        row.dValue = static_cast<uint16_t>(columns);
        row.srcDValue = static_cast<uint16_t>(columns);
        row.dstNzC0Stride = 1;
        row.dstNzNStride = 1;
        AscendC::DataCopy(l1, gm[static_cast<uint64_t>(column)], row);
        full_.set(0);
        full_.wait(0);
        if (table_used_) table_free_.wait(0);
        AscendC::DataCopy(table(), l1, AscendC::DataCopyParams(1, static_cast<uint16_t>(padded * 4 / 64), 0, 0));
    }
    ACLIMB_API AscendC::LocalTensor<Sum> table() const { return AscendC::LocalTensor<Sum>(AscendC::TPosition::C2, 0, 256); }
    // The product that reads the table has been issued.
    ACLIMB_API void used() {
        table_free_.set(0);
        table_used_ = true;
    }
    ACLIMB_API void drop() {
        if (table_used_) table_free_.wait(0);
        table_used_ = false;
    }
    ACLIMB_API void end() {
        drop();
        full_.give();
        free_.give();
        table_free_.give();
    }

  private:
    Events<Pipe::MTE2, Pipe::MTE1, 1> full_;
    Events<Pipe::MTE1, Pipe::MTE2, 1> free_;
    Events<Pipe::M, Pipe::MTE1, 1> table_free_;
    uint32_t address_ = 0;
    bool table_used_ = false;
};

} // namespace aclimb
