// SPDX-License-Identifier: Apache-2.0
// gert::TilingParseContext: what the parser of the compile info gets, once before the first tiling.
#pragma once
#include "exe_graph/runtime/extended_kernel_context.h"
#include "platform/platform_infos_def.h"

namespace gert {
class TilingParseContext : public ExtendedKernelContext {
  public:
    const char* GetCompiledJson() const { return GetInputStrPointer(0); }
    fe::PlatFormInfos* GetPlatformInfo() const { return GetInputValue<fe::PlatFormInfos*>(1); }
    // The object to fill: the one that TilingParse<T> was registered for.
    template <typename T> T* GetCompiledInfo() { return static_cast<T*>(GetOutput(0)->GetValue<void*>()); }
};
} // namespace gert
