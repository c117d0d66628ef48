// SPDX-License-Identifier: Apache-2.0
// A Matmul object on an AIV of a mixed kernel: it keeps what Set* calls say, and has the AIC compute.
//
//   A, B, bias in UB    MTE3 copies them to this AIV's part of the system workspace, where the AIC reads them like any other
//   C in UB             the AIC writes it there, or to the workspace of SetWorkspace; MTE2 fetches it when the AIC has answered
#pragma once
#include "aclimb/matmul/group.h"
#include "aclimb/matmul/output.h"

namespace aclimb {

template <class A_TYPE, class B_TYPE, class C_TYPE, class BIAS_TYPE, const auto& MM_CFG, class Policy> class MatmulClient {
    using A = typename A_TYPE::T;
    using B = typename B_TYPE::T;
    using C = typename C_TYPE::T;
    using BiasT = typename BIAS_TYPE::T;
    // Both AIVs of a block give the same A and B: the AIC multiplies once, when the first one asks.
    static constexpr bool kShared = A_TYPE::ibShare && B_TYPE::ibShare;

  public:
    MatmulState state{};
    TCubeTiling tiling{};
    AscendC::LocalTensor<A> a_ub;
    AscendC::LocalTensor<B> b_ub;
    AscendC::LocalTensor<BiasT> bias_ub;
    Place workspace = kNowhere; // of SetWorkspace

    ACLIMB_API void connect(MatmulGroup* group, uint8_t object, const TCubeTiling* given) {
        group->link(&group_);
        object_ = object;
        if (given || is_whole(MM_CFG)) take_tiling(given);
    }
    ACLIMB_SHARED void init(const TCubeTiling* given) {
        const OnBehalf line(__builtin_return_address(0));
        require_group();
        take_tiling(given);
        MatmulInit call{};
        call.function = MatmulFunction::init;
        call.object = object_;
        call.tiling = tiling;
        send(call);
    }

    ACLIMB_SHARED void iterate_all(const Place& c, uint8_t atomic, bool waits, bool owes) {
        const OnBehalf line(__builtin_return_address(0));
        begin();
        MatmulCall call = make(MatmulFunction::all, c);
        call.atomic = atomic;
        call.answers = waits || owes || reads_ub();
        send(call);
        if (call.answers) group_->expect(object_, 1);
        if (owes) group_->owe(object_);
        else if (waits || reads_ub()) group_->await(object_); // UB is the kernel's again
    }
    ACLIMB_SHARED void wait_all() {
        const OnBehalf line(__builtin_return_address(0));
        require_group();
        if (!group_->waits_for(object_))
            misuse(MisuseKind::unsupported,
                   "WaitIterateAll found nothing to wait for: it belongs to IterateAll<false> with waitIterateAll = true");
        group_->await(object_);
    }
    // The whole part into UB, rows one behind the other.
    ACLIMB_SHARED void iterate_all(const AscendC::LocalTensor<C>& to, uint8_t atomic) {
        const OnBehalf line(__builtin_return_address(0));
        begin();
        const Extents& part = state.part;
        const bool nz = C_TYPE::format == CubeFormat::NZ;
        const int32_t width = nz ? up_to(part.n, 16) : C_TYPE::format == CubeFormat::ND_ALIGN ? up_to(part.n, kC0<C>) : part.n;
        const int32_t elements = (nz ? up_to(part.m, 16) : part.m) * width;
        const Place image = group_->image_of(to.place, bytes_of<C>(static_cast<uint64_t>(elements)));
        MatmulCall call = make(MatmulFunction::all, image);
        call.atomic = atomic;
        call.answers = true;
        call.state.org_kc = part.n;
        if (nz) call.state.org_m = part.m;
        send(call);
        group_->expect(object_, 1);
        group_->await(object_);
        fetch(to, image, 1, elements, elements);
        wait_for<Pipe::MTE2>();
    }

    // False: all blocks are made.
    ACLIMB_SHARED bool iterate(bool sync, bool adds) {
        const OnBehalf line(__builtin_return_address(0));
        require_group();
        if (!started_ && !start()) return false;
        if (!sync && workspace.addr) return iterate_blocks();
        while (next_ < order_.blocks() && Policy::skips(order_.block(next_).m, order_.block(next_).n)) ++next_;
        if (next_ >= order_.blocks()) {
            started_ = false;
            return false;
        }
        if (!sync && C_TYPE::pos != AscendC::TPosition::GM)
            misuse(MisuseKind::unsupported, "Iterate<false> with C in UB needs SetWorkspace before it, with room for the whole of C");
        if (results_ == tiling.dbL0C)
            misuse(MisuseKind::unsupported, "Iterate found no free part of L0C: call GetTensorC after each Iterate");
        MatmulCall call = make(MatmulFunction::block, kNowhere);
        call.block = next_;
        call.adds = adds;
        send(call);
        made_[results_ && !adds ? 1 : 0] = extent(next_);
        if (!adds || !results_) ++results_;
        ++next_;
        return true;
    }
    // A result to global memory.
    ACLIMB_SHARED void get_c(const Place& c, uint8_t atomic, bool sequential, bool waits) {
        const OnBehalf line(__builtin_return_address(0));
        take_result();
        MatmulCall call = make(MatmulFunction::result, c);
        call.in_place = !sequential;
        call.width = tiling.baseN;
        call.atomic = atomic;
        call.answers = waits;
        send(call);
        if (!waits) return;
        group_->expect(object_, 1);
        group_->await(object_);
    }
    // A result to UB. Not waited for: the copy has been issued, its order with other pipes is the kernel's affair.
    ACLIMB_SHARED void get_c(const AscendC::LocalTensor<C>& to, uint8_t atomic, bool waits) {
        const OnBehalf line(__builtin_return_address(0));
        const int32_t width = packed_width<C_TYPE>(tiling.baseN);
        if (pending_) {
            const BlockOfC block = next_packed();
            const int32_t packed = packed_width<C_TYPE>(block.columns);
            if (C_TYPE::format == CubeFormat::NZ) fetch(to, packed_at_, 1, packed_elements<C_TYPE>(block.rows, block.columns), 0);
            else fetch(to, packed_at_, block.rows, packed, width);
            move_on(block);
        } else {
            const BlockOfC block = take_result();
            const int32_t elements = (C_TYPE::format == CubeFormat::NZ ? up_to(block.rows, 16) : block.rows) *
                                     (C_TYPE::format == CubeFormat::NZ ? up_to(block.columns, 16) : width);
            const Place image = group_->image_of(to.place, bytes_of<C>(static_cast<uint64_t>(elements)));
            MatmulCall call = make(MatmulFunction::result, image);
            call.in_place = false;
            call.width = width;
            call.atomic = atomic;
            call.answers = true;
            send(call);
            group_->expect(object_, 1);
            group_->await(object_);
            fetch(to, image, 1, elements, elements);
        }
        if (waits) wait_for<Pipe::MTE2>();
    }
    // The next block of the workspace.
    ACLIMB_SHARED Place get_c() {
        const OnBehalf line(__builtin_return_address(0));
        require_group();
        if (!pending_)
            misuse(MisuseKind::unsupported,
                   "GetTensorC<false>() returns a block of the workspace: call SetWorkspace and Iterate<false> before it");
        const BlockOfC block = next_packed();
        Place found = packed_at_;
        found.size = bytes_of<C>(static_cast<uint64_t>(packed_elements<C_TYPE>(block.rows, block.columns)));
        move_on(block);
        return found;
    }
    ACLIMB_SHARED void wait_fetched() {
        const OnBehalf line(__builtin_return_address(0));
        wait_for<Pipe::MTE2>();
    }

    ACLIMB_SHARED void end() {
        const OnBehalf line(__builtin_return_address(0));
        require_group();
        started_ = false;
        results_ = 0;
        MatmulCall call{};
        call.function = MatmulFunction::end;
        call.object = object_;
        send(call);
    }
    ACLIMB_API void rewind() { started_ = false; }

  private:
    ACLIMB_API void require_group() const {
        if (!group_)
            misuse(MisuseKind::unsupported,
                   "a Matmul object is used before REGIST_MATMUL_OBJ named it, or after the function of that macro has ended");
    }
    ACLIMB_API void take_tiling(const TCubeTiling* given) {
        tiling = tiling_of<MM_CFG>(given);
        state = {};
        state.a = state.b = state.bias = state.words = kNowhere;
        state.part = {tiling.singleCoreM, tiling.singleCoreN, tiling.singleCoreK};
        state.org_m = tiling.M;
        state.org_n = tiling.N;
        state.org_ka = tiling.Ka;
        state.org_kb = tiling.Kb;
        started_ = pending_ = false;
        results_ = 0;
    }
    template <class Call> ACLIMB_API void send(const Call& call) {
        if (kShared && core()->sub_block_idx) return;
        send_to_cube(call);
    }
    ACLIMB_API MatmulCall make(MatmulFunction function, const Place& c) const {
        MatmulCall call{};
        call.function = function;
        call.object = object_;
        call.in_place = true;
        call.c = c;
        call.state = state;
        // In UB a matrix has no more rows and columns than the part.
        if (a_ub.place.size) (state.a_transposed ? call.state.org_m : call.state.org_ka) = state.a_transposed ? state.part.m : state.part.k;
        if (b_ub.place.size && state.b_transposed) call.state.org_kb = state.part.k;
        if (b_ub.place.size && !state.b_transposed) {
            if (!state.org_kc) call.state.org_kc = state.org_n;
            call.state.org_n = state.part.n;
        }
        return call;
    }

    // --- UB

    ACLIMB_API bool reads_ub() const { return a_ub.place.size || b_ub.place.size || bias_ub.place.size; }
    // What lies in UB is copied to where the AIC can read it.
    ACLIMB_API void begin() {
        require_group();
        started_ = false;
        stage();
    }
    ACLIMB_API void stage() {
        if (!reads_ub()) return;
        const Extents& part = state.part;
        if (a_ub.place.size)
            state.a = stage(a_ub, elements_of<A_TYPE>(state.a_transposed ? part.k : part.m, state.a_transposed ? part.m : part.k));
        if (b_ub.place.size)
            state.b = stage(b_ub, elements_of<B_TYPE>(state.b_transposed ? part.n : part.k, state.b_transposed ? part.k : part.n));
        if (bias_ub.place.size) state.bias = stage(bias_ub, part.n);
        wait_for<Pipe::MTE3>();
    }
    template <class Type> static ACLIMB_API int32_t elements_of(int32_t rows, int32_t columns) {
        if constexpr (Type::format == CubeFormat::NZ) return up_to(rows, 16) * up_to(columns, kC0<typename Type::T>);
        else return rows * columns;
    }
    template <typename T> ACLIMB_API Place stage(const AscendC::LocalTensor<T>& ub, int32_t elements) const {
        const uint64_t bytes = static_cast<uint64_t>(size_in_bytes<T>(elements));
        const Place image = group_->image_of(ub.place, bytes);
        AscendC::GlobalTensor<uint8_t> to;
        to.place = image;
        AscendC::DataCopy(to, ub.template ReinterpretCast<uint8_t>(), static_cast<uint32_t>(image.size));
        return image;
    }
    // The scalar unit waits for a pipe.
    template <Pipe pipe> ACLIMB_API static void wait_for() {
        const int id = take_event(pipe, Pipe::S);
        set_flag(pipe, Pipe::S, id);
        wait_flag(pipe, Pipe::S, id);
        give_event(pipe, Pipe::S, id);
    }
    // Rows of `packed` elements, which lie `width` apart in UB.
    ACLIMB_API static void fetch(const AscendC::LocalTensor<C>& to, const Place& from, int32_t rows, int32_t packed, int32_t width) {
        AscendC::GlobalTensor<C> gm;
        gm.place = from;
        const auto blocks = [](int32_t elements) {
            return static_cast<uint16_t>((bytes_of<C>(static_cast<uint64_t>(elements)) + 31) / 32);
        };
        if (rows == 1) return AscendC::DataCopy(to, gm, static_cast<uint32_t>(up_to(packed, kC0<C>)));
        AscendC::DataCopy(
            to, gm,
            AscendC::DataCopyParams(static_cast<uint16_t>(rows), blocks(packed), 0, static_cast<uint16_t>(blocks(width) - blocks(packed))));
    }

    // --- blocks

    ACLIMB_API BlockOfC extent(int32_t index) const {
        const Step block = order_.block(index);
        const int32_t row = block.m * tiling.baseM, column = block.n * tiling.baseN;
        return {row, column, min_of(tiling.baseM, state.part.m - row), min_of(tiling.baseN, state.part.n - column)};
    }
    ACLIMB_API bool start() {
        stage();
        order_ = {parts_of(state.part.m, tiling.baseM), parts_of(state.part.n, tiling.baseN), 1, tiling.iterateOrder == 1, &Policy::skips};
        next_ = results_ = 0;
        started_ = true;
        return true;
    }
    // All of them at once; the calls of GetTensorC that follow take one each.
    ACLIMB_API bool iterate_blocks() {
        if (pending_)
            misuse(MisuseKind::unsupported, "Iterate<false> came before GetTensorC<false> had taken every block of the one before it");
        int32_t made = 0;
        for (int32_t i = 0; i < order_.blocks(); ++i) made += !Policy::skips(order_.block(i).m, order_.block(i).n);
        wait_for<Pipe::MTE2>(); // the copies out of the workspace
        send(make(MatmulFunction::blocks, workspace));
        group_->expect(object_, made);
        packed_at_ = workspace;
        next_ = 0;
        pending_ = made > 0;
        started_ = false;
        return true;
    }
    ACLIMB_API BlockOfC next_packed() {
        require_group();
        while (Policy::skips(order_.block(next_).m, order_.block(next_).n)) ++next_;
        group_->await(object_);
        return extent(next_);
    }
    ACLIMB_API void move_on(const BlockOfC& block) {
        packed_at_ =
            moved(packed_at_, static_cast<int64_t>(bytes_of<C>(static_cast<uint64_t>(packed_elements<C_TYPE>(block.rows, block.columns)))));
        ++next_;
        while (next_ < order_.blocks() && Policy::skips(order_.block(next_).m, order_.block(next_).n)) ++next_;
        pending_ = next_ < order_.blocks();
    }
    ACLIMB_API BlockOfC take_result() {
        require_group();
        if (!results_)
            misuse(MisuseKind::unsupported,
                   "GetTensorC found no result: every base block has been taken, or Iterate was not called before it");
        --results_;
        const BlockOfC block = made_[0];
        made_[0] = made_[1];
        return block;
    }

    MatmulGroup* group_ = nullptr;
    Order order_{};
    BlockOfC made_[2] = {};
    Place packed_at_ = kNowhere;
    int32_t next_ = 0, results_ = 0;
    uint8_t object_ = 0;
    bool started_ = false, pending_ = false;
};

} // namespace aclimb
