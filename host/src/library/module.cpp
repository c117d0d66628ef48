// SPDX-License-Identifier: Apache-2.0
// aclimb._library: the host functions of the library for Python, which are those that C++ host programs include.
#include "bind.h"

NB_MODULE(_library, module) {
    bind_by_name(module);
    bind_mathematics(module);
    bind_softmax(module);
    bind_layout(module);
    bind_norms(module);
    bind_reductions(module);
}
