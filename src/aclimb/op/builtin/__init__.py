# SPDX-License-Identifier: Apache-2.0
"""libopapi.so's operators: the aclnn functions that tests of custom operators call around them, computed with NumPy on the host.

Each file has a TABLE, one line for a function of C:

    aclnnAdd              t self, t other, s alpha, o out          add

its name, its parameters in C's order, and the Python function below that computes it; with a ! behind it the first parameter is the result,
too. Letters say what C passes:

    t  a tensor that is read     o  one that is written     r  both     T  a list of tensors    ?  behind a letter: may be NULL
    s  a scalar   l  a list of int64   b  bool   i  int64_t   u  uint64_t   n  int   c  int8_t   d  a data type   f  float   g  double

The function gets tensors as arrays over device memory and writes its results into them. It runs as a task of the stream, never at the
call. tools/make_op_library.py makes the C side of the same lines.
"""

from aclimb.op.builtin.plan import first_phase, second_phase
from aclimb.op.builtin.rows import NAMES, ROWS, Row

__all__ = ["NAMES", "ROWS", "Row", "first_phase", "second_phase"]
