# SPDX-License-Identifier: Apache-2.0
"""C and C++ programs: the functions of acl/acl.h, answered by the same objects as `import acl`, and the programs that call them."""
