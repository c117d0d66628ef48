// SPDX-License-Identifier: Apache-2.0
// The architectures of cores.
#pragma once
#include <cstdint>

enum class NpuArch : uint32_t { DAV_2002 = 2002, DAV_2201 = 2201, DAV_3510 = 3510, DAV_RESV = 0xFFFF };
