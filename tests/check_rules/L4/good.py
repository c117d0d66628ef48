# SPDX-License-Identifier: Apache-2.0
"""What was allocated is freed."""

import acl

acl.init()
acl.rt.set_device(0)
x, _ = acl.rt.malloc(1024, 0)
acl.rt.memset(x, 1024, 0, 1024)
acl.rt.free(x)
acl.rt.reset_device(0)
acl.finalize()
