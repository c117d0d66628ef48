// SPDX-License-Identifier: Apache-2.0
// The objects that one REGIST_MATMUL_OBJ of a mixed kernel names. On an AIV: the way to the AIC, and the answers that are due. On the AIC:
// whose turn it is with L1 and L0. It lives as long as the function that holds the macro runs; then the AIV has left.
#pragma once
#include "aclimb/matmul/message.h"

namespace aclimb {

constexpr int kMatmulObjects = 4;

class MatmulGroup {
  public:
    uint8_t* workspace; // the system's, for what passes between UB and the AIC

    ACLIMB_API explicit MatmulGroup(uint8_t* workspace) : workspace(workspace) {}
    MatmulGroup(const MatmulGroup&) = delete;
    MatmulGroup& operator=(const MatmulGroup&) = delete;
    ACLIMB_API ~MatmulGroup() {
        if constexpr (kIsVector) leave();
    }

    // --- on an AIV

    // An object that knows its group until that is gone.
    ACLIMB_API void link(MatmulGroup** from) {
        *from = this;
        links_[linked_++] = from;
    }
    // So many answers to calls of an object are to come, behind those that are due already.
    ACLIMB_API void expect(uint8_t object, int32_t answers) {
        while (last_ - first_ == kDue) arrive(); // rarely: so many calls that nobody has waited for
        due_[last_++ % kDue] = {object, answers};
    }
    ACLIMB_API void await(uint8_t object) {
        while (!arrived_[object]) arrive();
        --arrived_[object];
    }
    // A call that WaitIterateAll has to follow, and that one.
    ACLIMB_API void owe(uint8_t object) {
        ++owed_[object];
        owed_at_ = core()->caller;
    }
    ACLIMB_API bool waits_for(uint8_t object) { return owed_[object]-- > 0; }

    // Where a tensor of UB lies in global memory while the AIC has it: each AIV has an image of its UB there.
    ACLIMB_API Place image_of(const Place& ub, uint64_t bytes) const {
        constexpr uint64_t each = ASC_UB_SIZE;
        const uint64_t at = static_cast<uint64_t>(core()->block_idx) * each;
        if (!workspace)
            misuse(MisuseKind::unsupported, "a Matmul object that reads or writes UB needs the system workspace: give REGIST_MATMUL_OBJ "
                                            "GetSysWorkSpacePtr(), and the launch a workspace of GetLibApiWorkSpaceSize() bytes");
        require_range("AIVs whose Matmul objects use UB", core()->block_idx + 1, 1, AscendC::RESERVED_WORKSPACE / each);
        return {reinterpret_cast<uint64_t>(workspace) + at + ub.addr, (bytes + 31) & ~uint64_t{31}, 0, kNoSlot,
                static_cast<uint64_t>(Memory::GM)};
    }

    // --- on the AIC

    // One core of one object has L1 and L0; the next one lets it end first.
    ACLIMB_API void turn_to(void* user, void (*end)(void*)) {
        if (user_ && user_ != user) end_(user_);
        user_ = user;
        end_ = end;
    }

  private:
    static constexpr uint32_t kDue = 32;
    struct Due {
        uint8_t object;
        int32_t answers;
    };
    ACLIMB_API void arrive() {
        Due& next = due_[first_ % kDue];
        wait_for_answer();
        ++arrived_[next.object];
        if (--next.answers == 0) ++first_;
    }
    ACLIMB_SHARED void leave() {
        const OnBehalf line(__builtin_return_address(0));
        for (const int32_t calls : owed_)
            if (calls)
                misuse_at(owed_at_, MisuseKind::unsupported,
                          "IterateAll<false> with waitIterateAll = true was never waited for: call WaitIterateAll "
                          "before the kernel ends");
        while (first_ != last_) arrive();
        MatmulCall call{};
        call.function = MatmulFunction::quit;
        send_to_cube(call);
        for (int i = 0; i < linked_; ++i) *links_[i] = nullptr;
    }

    Due due_[kDue];
    uint32_t first_ = 0, last_ = 0;
    int32_t arrived_[kMatmulObjects] = {}, owed_[kMatmulObjects] = {};
    const void* owed_at_ = nullptr;
    MatmulGroup** links_[kMatmulObjects] = {};
    int linked_ = 0;
    void* user_ = nullptr;
    void (*end_)(void*) = nullptr;
};

} // namespace aclimb
