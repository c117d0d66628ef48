# SPDX-License-Identifier: Apache-2.0
"""What hand-written aclnn functions are made of: executors that L0 functions fill with tasks. C++: opdev/*.h, aclnn_kernels/*.h."""
