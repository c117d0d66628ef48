// SPDX-License-Identifier: Apache-2.0
// Large pages for memory that lies in a file. Most systems give them to anonymous memory when it is first touched and never to files in
// memory (shmem_enabled), which halves the speed of kernels that stream through global memory. So a thread of the host looks for pieces of
// 2 MiB that hold something and asks for each once (MADV_COLLAPSE, Linux 6.1); both processes then map it as one page.
#pragma once
#include <cstdint>

namespace aclimb {

class GlobalMemory;

void want_large_pages(GlobalMemory& memory);   // from now on; starts the thread
void forget_large_pages(GlobalMemory& memory); // before it goes; returns when nobody looks at it any more

} // namespace aclimb
