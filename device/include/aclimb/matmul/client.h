// SPDX-License-Identifier: Apache-2.0
// A Matmul object on an AIV of a mixed kernel: it keeps what Set* calls say, and has the AIC compute.
#pragma once
#include "aclimb/matmul/caller.h"
#include "aclimb/matmul/output.h"

namespace aclimb {

template <class A_TYPE, class B_TYPE, class C_TYPE, class BIAS_TYPE, const auto& MM_CFG, class Policy> class MatmulClient
    : public MatmulCaller<A_TYPE, B_TYPE, C_TYPE, BIAS_TYPE, MM_CFG> {
    using Caller = MatmulCaller<A_TYPE, B_TYPE, C_TYPE, BIAS_TYPE, MM_CFG>;
    using C = typename C_TYPE::T;
    static constexpr bool kEachK = config_of(MM_CFG).isPartialOutput; // a result for each block along k

  public:
    using Caller::state, Caller::tiling, Caller::workspace;

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
        if (!call.answers) return;
        const int32_t number = group_->expect(object_, 1);
        if (owes) group_->owe(object_, number);
        if (waits || reads_ub()) group_->await(object_, number); // UB is the kernel's again
    }
    ACLIMB_SHARED void wait_all() {
        const OnBehalf line(__builtin_return_address(0));
        require_group();
        const int32_t number = group_->oldest_owed(object_);
        if (!number)
            misuse(MisuseKind::unsupported,
                   "WaitIterateAll or WaitIterateBatch found nothing to wait for: it belongs to a call <false> that announces it");
        group_->await(object_, number);
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
        group_->await(object_, group_->expect(object_, 1));
        fetch(to, image, 1, elements, elements);
        Caller::template wait_for<Pipe::MTE2>();
    }

    // False: all blocks are made.
    ACLIMB_SHARED bool iterate(bool sync, bool adds) {
        const OnBehalf line(__builtin_return_address(0));
        require_group();
        if (!started_ && !start()) return false;
        if (!sync && workspace.addr) return iterate_blocks();
        skip();
        if (next_ >= results()) {
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
        if (kEachK && !sequential) misuse(MisuseKind::unsupported, "GetTensorC with isPartialOutput takes enSequentialWrite true");
        take_result();
        MatmulCall call = make(MatmulFunction::result, c);
        call.in_place = !sequential;
        call.width = tiling.baseN;
        call.atomic = atomic;
        call.answers = waits;
        send(call);
        if (!waits) return;
        group_->await(object_, group_->expect(object_, 1));
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
            group_->await(object_, group_->expect(object_, 1));
            fetch(to, image, 1, elements, elements);
        }
        if (waits) Caller::template wait_for<Pipe::MTE2>();
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
        Caller::template wait_for<Pipe::MTE2>();
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

  protected:
    using Caller::group_, Caller::object_, Caller::require_group, Caller::send, Caller::make, Caller::reads_ub, Caller::stage,
        Caller::fetch;

  private:
    ACLIMB_API void take_tiling(const TCubeTiling* given) {
        Caller::take_tiling(given);
        started_ = pending_ = false;
        results_ = 0;
    }

    // --- blocks

    ACLIMB_API void begin() {
        require_group();
        started_ = false;
        stage();
    }
    ACLIMB_API int32_t results() const { return order_.blocks() * order_.k_blocks; }
    ACLIMB_API Step result(int32_t number) const { return order_.block(number / order_.k_blocks); }
    ACLIMB_API void skip() {
        while (next_ < results() && Policy::skips(result(next_).m, result(next_).n)) ++next_;
    }
    ACLIMB_API BlockOfC extent(int32_t number) const {
        const Step block = result(number);
        const int32_t row = block.m * tiling.baseM, column = block.n * tiling.baseN;
        return {row, column, min_of(tiling.baseM, state.part.m - row), min_of(tiling.baseN, state.part.n - column)};
    }
    ACLIMB_API bool start() {
        stage();
        order_ = {parts_of(state.part.m, tiling.baseM), parts_of(state.part.n, tiling.baseN), 1, tiling.iterateOrder == 1, &Policy::skips};
        if constexpr (kEachK) order_.k_blocks = parts_of(state.part.k, tiling.baseK);
        next_ = results_ = 0;
        started_ = true;
        return true;
    }
    // All of them at once; the calls of GetTensorC that follow take one each.
    ACLIMB_API bool iterate_blocks() {
        if (pending_)
            misuse(MisuseKind::unsupported, "Iterate<false> came before GetTensorC<false> had taken every block of the one before it");
        int32_t made = 0;
        for (int32_t i = 0; i < results(); ++i) made += !Policy::skips(result(i).m, result(i).n);
        Caller::template wait_for<Pipe::MTE2>(); // the copies out of the workspace
        send(make(MatmulFunction::blocks, workspace));
        packed_number_ = group_->expect(object_, made);
        packed_at_ = workspace;
        next_ = 0;
        pending_ = made > 0;
        started_ = false;
        return true;
    }
    ACLIMB_API BlockOfC next_packed() {
        require_group();
        skip();
        group_->await(object_, packed_number_++);
        return extent(next_);
    }
    ACLIMB_API void move_on(const BlockOfC& block) {
        packed_at_ =
            moved(packed_at_, static_cast<int64_t>(bytes_of<C>(static_cast<uint64_t>(packed_elements<C_TYPE>(block.rows, block.columns)))));
        ++next_;
        skip();
        pending_ = next_ < results();
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

    Order order_{};
    BlockOfC made_[2] = {};
    Place packed_at_ = kNowhere;                         // the next block of the workspace
    int32_t next_ = 0, results_ = 0, packed_number_ = 0; // packed_number_: of the next block's answer
    bool started_ = false, pending_ = false;
};

} // namespace aclimb
