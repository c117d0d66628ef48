// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>

#include "host/pool.h"

namespace aclimb {

// A shared pointer that Python holds. In a forked child it is never given back: a thread of the parent, which is not there any more,
// may have held the locks behind it, and what is queued there will never run.
template <class T> struct Kept : std::shared_ptr<T> {
    Kept() = default;
    Kept(std::shared_ptr<T> pointer) : std::shared_ptr<T>(std::move(pointer)) {}
    Kept(const Kept&) = default;
    Kept(Kept&&) = default;
    Kept& operator=(const Kept&) = default;
    Kept& operator=(Kept&&) = default;
    ~Kept() {
        if (*this && Pool::forked()) new std::shared_ptr<T>(std::move(*this));
    }
};

} // namespace aclimb
