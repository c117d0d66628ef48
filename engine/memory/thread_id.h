// SPDX-License-Identifier: Apache-2.0
// The system's number of the calling thread. glibc has gettid() since 2.30 only; wheels are linked for 2.28.
#pragma once
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

namespace aclimb {

inline pid_t thread_id() { return static_cast<pid_t>(syscall(SYS_gettid)); }

} // namespace aclimb
