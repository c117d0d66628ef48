# SPDX-License-Identifier: Apache-2.0
"""Mistakes put into correct kernels, one at a time, and what the checker says of them: `tools/mutate.py`."""
