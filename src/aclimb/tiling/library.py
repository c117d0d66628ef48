# SPDX-License-Identifier: Apache-2.0
"""Host functions of the library: scratch of its calls, and their tilings, in Python's spelling.

`get_soft_max_max_min_tmp_size((8, 1024))` gives the most scratch a call uses and the least it works with, in bytes;
`soft_max_tiling_func` a tiling whose `pack()` is what a kernel reads. The numbers come from the header that kernels and C++ host programs
include.
"""

from aclimb._library import *  # noqa: F403
