// SPDX-License-Identifier: Apache-2.0
// Batches of a Matmul object on an AIV: the products of several matrices of A and B, which lie in one tensor each.
#pragma once
#include "aclimb/matmul/client.h"

namespace aclimb {

// What IterateBatch and IterateNBatch are told.
struct BatchCall {
    int32_t a, b;
    uint32_t stride_a, stride_b;
    uint8_t atomic;
};

template <class A_TYPE, class B_TYPE, class C_TYPE, class BIAS_TYPE, const auto& MM_CFG, class Policy> class MatmulBatchClient
    : public MatmulClient<A_TYPE, B_TYPE, C_TYPE, BIAS_TYPE, MM_CFG, Policy> {
    using Caller = MatmulCaller<A_TYPE, B_TYPE, C_TYPE, BIAS_TYPE, MM_CFG>;
    using C = typename C_TYPE::T;
    using Client = MatmulClient<A_TYPE, B_TYPE, C_TYPE, BIAS_TYPE, MM_CFG, Policy>;
    using Client::group_, Client::object_, Client::require_group, Client::send, Client::make, Client::reads_ub, Client::fetch;

  public:
    using Caller::state, Caller::workspace;

    ACLIMB_SHARED void iterate_batch(const Place& c, const BatchCall& asked, bool waits, bool owes) {
        const OnBehalf line(__builtin_return_address(0));
        send_batch(MatmulFunction::batch, c, asked, waits || owes);
        if (waits || owes) group_->expect(object_, 1);
        if (owes) group_->owe(object_);
        else if (waits) group_->await(object_);
    }
    // One behind the other.
    ACLIMB_SHARED void iterate_batch(const AscendC::LocalTensor<C>& to, const BatchCall& asked) {
        const OnBehalf line(__builtin_return_address(0));
        require_group();
        const int32_t elements = elements_of_batch(asked);
        const Place image = group_->image_of(to.place, bytes_of<C>(static_cast<uint64_t>(elements)));
        send_batch(MatmulFunction::batch, image, asked, true, true);
        group_->expect(object_, 1);
        group_->await(object_);
        fetch(to, image, 1, elements, elements);
        Caller::template wait_for<Pipe::MTE2>();
    }
    // Several batches to the workspace; each GetBatchTensorC takes the next one.
    ACLIMB_SHARED void iterate_batches(const BatchCall& asked, int32_t loops) {
        const OnBehalf line(__builtin_return_address(0));
        if (!workspace.addr) misuse(MisuseKind::unsupported, "IterateNBatch needs SetWorkspace before it, with room for all products");
        require_range("batchLoop of IterateNBatch", loops, 1, INT32_MAX);
        loops_ = loops;
        send_batch(MatmulFunction::batches, workspace, asked, true, true);
        group_->expect(object_, loops);
        packed_at_ = workspace;
        batches_ = loops;
        in_batch_ = elements_of_batch(asked);
    }
    ACLIMB_SHARED Place get_batch() {
        const OnBehalf line(__builtin_return_address(0));
        return next_batch();
    }
    ACLIMB_SHARED void get_batch(const AscendC::LocalTensor<C>& to) {
        const OnBehalf line(__builtin_return_address(0));
        fetch(to, next_batch(), 1, in_batch_, in_batch_);
    }

  private:
    ACLIMB_API int32_t elements_of_batch(const BatchCall& asked) const {
        return (asked.a > asked.b ? asked.a : asked.b) * state.part.m * state.part.n;
    }
    ACLIMB_API void send_batch(MatmulFunction function, const Place& c, const BatchCall& asked, bool answers, bool packs = false) {
        require_group();
        if (reads_ub()) misuse(MisuseKind::unsupported, "IterateBatch takes A, B and bias from global memory");
        this->rewind();
        MatmulCall call = make(function, c);
        call.batch_a = asked.a;
        call.batch_b = asked.b;
        call.stride_a = asked.stride_a;
        call.stride_b = asked.stride_b;
        call.atomic = asked.atomic;
        call.loops = loops_;
        call.answers = answers;
        call.packs = packs;
        send(call);
    }
    ACLIMB_API Place next_batch() {
        require_group();
        if (!batches_) misuse(MisuseKind::unsupported, "GetBatchTensorC found no batch: every one of IterateNBatch has been taken");
        --batches_;
        group_->await(object_);
        Place found = packed_at_;
        const uint64_t bytes = bytes_of<C>(static_cast<uint64_t>(in_batch_));
        packed_at_ = moved(packed_at_, static_cast<int64_t>(bytes));
        found.size = bytes;
        return found;
    }

    Place packed_at_ = kNowhere;                     // the next batch of the workspace
    int32_t loops_ = 0, batches_ = 0, in_batch_ = 0; // of IterateNBatch: batches, those not taken yet, elements of one
};

} // namespace aclimb
