# SPDX-License-Identifier: Apache-2.0
"""Single operators (acl.op, aclop): descriptors, attributes, kernels that a selector chooses."""
