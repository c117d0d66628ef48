// SPDX-License-Identifier: Apache-2.0
// The host's side of template_shared.h.
#include "template_shared.h"

extern "C" __attribute__((visibility("default"))) uint64_t host_key(uint64_t t, uint64_t d, uint64_t f, uint64_t l, uint64_t r, uint64_t m,
                                                                    uint64_t s) {
    return GET_TPL_TILING_KEY(t, d, f, l, r, m, s);
}
