// SPDX-License-Identifier: Apache-2.0
// A or B of a Matmul object: out of global memory into L1, group by group of base blocks, and block by block into L0.
//
// In memory an operand is a matrix of rows and columns; which of them is k depends on the side and on transposition. A group lies in L1
// as Nz: columns of 32 bytes, rows below each other. L1 holds several groups. While one is used for the first time, the next one that is
// missing is fetched into a place that nobody needs until then.
#pragma once
#include "aclimb/matmul/to_l0.h"

namespace aclimb {

template <class Type, bool kLeft, auto CopyBlock> class Operand {
  public:
    using T = typename Type::T;
    static constexpr bool kStaysInL1 = Type::pos == AscendC::TPosition::TSCM;
    static constexpr bool kIsSparse = is_sparse<Type>;
    static constexpr bool kIsScalar = Type::format == CubeFormat::SCALAR;
    static constexpr AscendC::TPosition kL1 = kLeft ? AscendC::TPosition::A1 : AscendC::TPosition::B1;
    static constexpr AscendC::TPosition kL0 = kLeft ? AscendC::TPosition::A2 : AscendC::TPosition::B2;
    static constexpr int32_t kMostPlaces = 64;

    AscendC::GlobalTensor<T> gm;
    AscendC::GlobalTensor<uint8_t> positions; // of a sparse operand
    AscendC::LocalTensor<T> l1;
    T scalar;
    bool transposed = false;
    uint64_t user_info = 0, user_data = 0; // for the callback

    // Whether rows of memory are m or n; otherwise they are k, and blocks are turned on their way to L0.
    ACLIMB_API bool outer_is_row() const { return kLeft != transposed; }
    ACLIMB_API int32_t row_unit() const { return outer_is_row() || kBits<T> > 8 ? 16 : kC0<T>; }
    ACLIMB_API int32_t column_unit() const { return kC0<T> < 16 ? 16 : kC0<T>; }

    // A sparse one has its positions behind it.
    ACLIMB_API uint32_t group_bytes(const OperandSizes& sizes) const { return element_bytes(sizes) / 4 * (kIsSparse ? 5 : 4); }
    ACLIMB_API uint32_t element_bytes(const OperandSizes& sizes) const {
        const int32_t outer = sizes.step * sizes.base, k = sizes.step_k * sizes.base_k;
        const int32_t rows = up_to(outer_is_row() ? outer : k, row_unit()), columns = up_to(outer_is_row() ? k : outer, column_unit());
        return static_cast<uint32_t>(size_in_bytes<T>(rows * columns));
    }

    ACLIMB_API void begin(const OperandSizes& sizes, uint32_t l1_address) {
        sizes_ = sizes;
        address_ = l1_address;
        for (int32_t i = 0; i < sizes_.places; ++i) places_[i] = Place{};
        if constexpr (!kStaysInL1) {
            full_.take();
            free_.take();
        }
    }
    // What was fetched and nobody used. Afterwards L1 holds nothing.
    ACLIMB_API void drop() {
        for (int32_t i = 0; i < sizes_.places; ++i) {
            if (places_[i].pending) full_.wait(places_[i].flag);
            places_[i] = Place{};
        }
    }
    ACLIMB_API void end() {
        drop();
        full_.give();
        free_.give();
        sizes_.places = 0;
    }

    // The group of a block is in L1, and MTE1 has waited for it.
    ACLIMB_API void acquire(int32_t block, int32_t k_block) {
        if constexpr (!kStaysInL1) {
            const Group group{block / sizes_.step, k_block / sizes_.step_k};
            int32_t place = find(group);
            if (place < 0) {
                place = oldest(0);
                fetch(place, group);
            }
            fresh_ = places_[place].pending;
            if (fresh_) full_.wait(places_[place].flag);
            places_[place].pending = false;
            places_[place].used = ++clock_;
            now_ = place;
        }
    }

    // After the first use of a group: the next one that is missing, where a place is free for it.
    ACLIMB_API void fetch_ahead(const Order& order, Step step) {
        if constexpr (!kStaysInL1) {
            constexpr int32_t kFar = 64; // steps that are looked at
            if (!fresh_ || sizes_.places < 2) return;
            fresh_ = false;
            uint64_t needed = uint64_t{1} << now_;
            for (int32_t i = 0; i < kFar && order.advance(step); ++i) {
                const Group group{(kLeft ? step.m : step.n) / sizes_.step, step.k / sizes_.step_k};
                const int32_t place = find(group);
                if (place >= 0) {
                    needed |= uint64_t{1} << place;
                    continue;
                }
                const int32_t victim = oldest(needed);
                if (victim >= 0) fetch(victim, group);
                return;
            }
        }
    }

    // A block from L1 to L0.
    ACLIMB_API void load(const AscendC::LocalTensor<T>& l0, int32_t block, int32_t k_block) const {
        const int32_t outer = min_of(sizes_.base, sizes_.outer - block * sizes_.base);
        const int32_t k = min_of(sizes_.base_k, sizes_.k - k_block * sizes_.base_k);
        WindowOfL1<T> from;
        if constexpr (kStaysInL1) from = {l1, {}, whole_rows(), block * sizes_.base, k_block * sizes_.base_k};
        else {
            const Group& group = places_[now_].group;
            from = {tensor(now_),
                    {},
                    rows_of(group),
                    (block - group.outer * sizes_.step) * sizes_.base,
                    (k_block - group.k * sizes_.step_k) * sizes_.base_k};
            if constexpr (kIsSparse) from.positions = positions_in_l1(now_);
        }
        if (outer_is_row()) ToL0<Type, kLeft>::plain(l0, from, outer, k);
        else ToL0<Type, kLeft>::turned(l0, from, outer, k);
    }

  private:
    struct Group {
        int32_t outer, k;
        ACLIMB_API bool operator==(const Group& other) const { return outer == other.outer && k == other.k; }
    };
    struct Place {
        Group group{-1, -1};
        uint32_t used = 0;
        bool pending = false; // fetched, not yet waited for
        int8_t flag = 0;
    };

    ACLIMB_API int32_t find(const Group& group) const {
        for (int32_t i = 0; i < sizes_.places; ++i)
            if (places_[i].group == group) return i;
        return -1;
    }
    ACLIMB_API int32_t oldest(uint64_t but_not) const {
        int32_t found = -1;
        for (int32_t i = 0; i < sizes_.places; ++i)
            if (!(but_not >> i & 1) && !places_[i].pending && (found < 0 || places_[i].used < places_[found].used)) found = i;
        return found;
    }
    ACLIMB_API AscendC::LocalTensor<T> tensor(int32_t place) const {
        return AscendC::LocalTensor<T>(kL1, address_of(place), element_bytes(sizes_) * 8 / kBits<T>);
    }
    ACLIMB_API uint32_t address_of(int32_t place) const { return address_ + static_cast<uint32_t>(place) * group_bytes(sizes_); }
    // Of the kept elements of a group: for each column of 32 a block of 8 bytes a row.
    ACLIMB_API AscendC::LocalTensor<uint8_t> positions_in_l1(int32_t place) const {
        const uint32_t elements = element_bytes(sizes_);
        return AscendC::LocalTensor<uint8_t>(kL1, address_of(place) + elements, elements / 4);
    }
    ACLIMB_API int32_t whole_rows() const { return up_to(outer_is_row() ? sizes_.outer : sizes_.k, row_unit()); }

    struct Piece { // of the matrix in memory
        int32_t row, column, rows, columns;
    };
    ACLIMB_API Piece piece_of(const Group& group) const {
        const int32_t outer = group.outer * sizes_.step * sizes_.base, k = group.k * sizes_.step_k * sizes_.base_k;
        const int32_t outers = min_of(sizes_.step * sizes_.base, sizes_.outer - outer),
                      ks = min_of(sizes_.step_k * sizes_.base_k, sizes_.k - k);
        return outer_is_row() ? Piece{outer, k, outers, ks} : Piece{k, outer, ks, outers};
    }
    ACLIMB_API int32_t rows_of(const Group& group) const { return up_to(piece_of(group).rows, row_unit()); }

    // MTE2 waits for everything that MTE1 has read so far, the old content of this place among it; MTE1 waits for the new content when it
    // is first used. Two ids in turn: a set is never two ahead of its wait, because the second fetch comes after the first one's use.
    ACLIMB_API void fetch(int32_t place, const Group& group) {
        const int8_t flag = turn_;
        turn_ ^= 1;
        free_.set(flag);
        free_.wait(flag);
        copy(place, group);
        full_.set(flag);
        places_[place].group = group;
        places_[place].pending = true;
        places_[place].flag = flag;
        places_[place].used = ++clock_;
    }

    ACLIMB_API void copy(int32_t place, const Group& group) const {
        const Piece piece = piece_of(group);
        if constexpr (!std::is_null_pointer_v<std::remove_cv_t<decltype(CopyBlock)>>) call_back(place, group, piece);
        else if constexpr (kIsScalar) fill(tensor(place), piece);
        else if constexpr (Type::format == CubeFormat::NZ) copy_nz(tensor(place), piece);
        else copy_nd(tensor(place), piece);
        if constexpr (kIsSparse) copy_positions(positions_in_l1(place), piece);
    }
    ACLIMB_API void copy_positions(const AscendC::LocalTensor<uint8_t>& to, const Piece& piece) const {
        const int32_t rows = up_to(piece.rows, 16), org_rows = up_to(sizes_.org_rows, 16);
        const int64_t offset = int64_t{piece.column} / 4 * org_rows + int64_t{piece.row} * 8;
        require_range("32-byte blocks between columns of a sparse index", (org_rows - rows) / 4, 0, 65535);
        AscendC::DataCopy(to, positions[static_cast<uint64_t>(offset)],
                          AscendC::DataCopyParams(static_cast<uint16_t>(parts_of(piece.columns, kC0<T>)), static_cast<uint16_t>(rows / 4),
                                                  static_cast<uint16_t>((org_rows - rows) / 4), 0));
    }
    ACLIMB_API void call_back(int32_t place, const Group& group, const Piece& piece) const {
        const int32_t outers = outer_is_row() ? piece.rows : piece.columns, ks = outer_is_row() ? piece.columns : piece.rows;
        const auto bytes = tensor(place).template ReinterpretCast<int8_t>();
        const void* address = gm.GetPhyAddr();
        if constexpr (kLeft) CopyBlock(bytes, address, group.outer, group.k, outers, ks, user_info, user_data);
        else CopyBlock(bytes, address, group.k, group.outer, ks, outers, user_info, user_data);
    }
    ACLIMB_API void fill(const AscendC::LocalTensor<T>& to, const Piece& piece) const {
        const int32_t blocks = up_to(piece.rows, row_unit()) * parts_of(piece.columns, kC0<T>);
        AscendC::InitConstValue(to, AscendC::InitConstValueParams<T>(1, static_cast<uint16_t>(blocks), 0, scalar));
    }
    ACLIMB_API void copy_nz(const AscendC::LocalTensor<T>& to, const Piece& piece) const {
        const int32_t rows = up_to(piece.rows, 16), org_rows = up_to(sizes_.org_rows, 16);
        const int64_t offset = int64_t{piece.column} * org_rows + int64_t{piece.row} * kC0<T>;
        const AscendC::DataCopyParams params(static_cast<uint16_t>(parts_of(piece.columns, kC0<T>)), static_cast<uint16_t>(rows),
                                             static_cast<uint16_t>(org_rows - rows),
                                             static_cast<uint16_t>(up_to(piece.rows, row_unit()) - rows));
        require_range("32-byte blocks between columns of an NZ operand", org_rows - rows, 0, 65535);
        AscendC::DataCopy(to, gm[static_cast<uint64_t>(offset)], params);
    }
    ACLIMB_API void copy_nd(const AscendC::LocalTensor<T>& to, const Piece& piece) const {
        const uint64_t offset = static_cast<uint64_t>(piece.row) * sizes_.org_columns + piece.column;
        const int32_t rows = up_to(piece.rows, row_unit());
        if constexpr (kBits<T> == 4) {
            nd2nz(to.template ReinterpretCast<int8_t>(), gm[offset].template ReinterpretCast<int8_t>(), piece.rows, piece.columns / 2,
                  sizes_.org_columns / 2, rows);
        } else {
            nd2nz(to, gm[offset], piece.rows, piece.columns, sizes_.org_columns, rows);
        }
    }
    template <typename U> ACLIMB_API void nd2nz(const AscendC::LocalTensor<U>& to, const AscendC::GlobalTensor<U>& from, int32_t rows,
                                                int32_t columns, int32_t pitch, int32_t padded_rows) const {
        AscendC::Nd2NzParams params;
        params.ndNum = 1;
        params.nValue = static_cast<uint16_t>(rows);
        params.dValue = static_cast<uint16_t>(columns);
        params.srcDValue = static_cast<uint16_t>(pitch);
        params.dstNzC0Stride = static_cast<uint16_t>(padded_rows);
        params.dstNzNStride = 1;
        if (pitch > 65535 && sizes_.checks_pitch) {
            params.nValue = params.srcDValue = 1;
            for (int32_t row = 0; row < rows; ++row)
                AscendC::DataCopy(to[static_cast<uint32_t>(row * kC0<U>)], from[static_cast<uint64_t>(row) * pitch], params);
            return;
        }
        require_range(kLeft ? "elements from one row of A to the next" : "elements from one row of B to the next", pitch, 1, 65535);
        AscendC::DataCopy(to, from, params);
    }

    OperandSizes sizes_{};
    Place places_[kStaysInL1 ? 1 : kMostPlaces];
    Events<Pipe::MTE2, Pipe::MTE1, 2> full_;
    Events<Pipe::MTE1, Pipe::MTE2, 2> free_;
    uint32_t address_ = 0, clock_ = 0;
    int32_t now_ = 0;
    int8_t turn_ = 0;
    bool fresh_ = false;
};

} // namespace aclimb
